import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react'
import { validation } from '#contract/copy/messages.ts'
import { type Field, filled } from '#web/lib/form.ts'
import { openSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useTypedEarly } from '#web/lib/typed-early.ts'
import { PasswordField } from '#web/ui/field.tsx'
import './new-password.css'

type Rules = { met: boolean; text: string }[]

interface NewPassword {
  /** it is known that the policy refuses what is typed */
  broken: boolean
  /** the service refused what was typed: shows what it asks now (S1-5.04) */
  recheck: () => void
  draw: (errors: Readonly<Record<string, string>>) => ReactNode
}

/** What is typed the second time. */
export const confirmed: Field = {
  label: 'Confirma tu contraseña',
  check: (value, all) => (value === (all.password ?? '') ? filled(value) : validation.passwordsDiffer),
}

/** A password that somebody chooses: typed twice (`password`, `password_confirm`), with what the policy asks under it. */
export function useNewPassword(label: string): NewPassword {
  const [password, setPassword] = useState('')
  const [refusals, setRefusals] = useState(0)
  const rules = usePasswordRules(password, refusals)
  const field = useTypedEarly<HTMLInputElement>((input) => setPassword(input.value))
  return {
    broken: rules.broken,
    recheck: () => setRefusals((count) => count + 1),
    draw: (errors) => (
      <>
        <PasswordField
          label={label}
          name="password"
          autoComplete="new-password"
          ref={field}
          onChange={(event) => setPassword(event.currentTarget.value)}
          hint={<PasswordRules rules={rules.list} />}
          error={errors.password}
        />
        <PasswordField
          label="Confirma tu contraseña"
          shows="Mostrar la confirmación"
          name="password_confirm"
          autoComplete="new-password"
          error={errors.password_confirm}
        />
      </>
    ),
  }
}

/** The identity service's policy, asked once something is typed, answered as it is typed and again after a refusal (S1-5.01 to S1-5.04). */
function usePasswordRules(password: string, refusals: number): { list: Rules; broken: boolean } {
  const site = useSite()
  const asked = useDeferredValue(password)
  const [list, setList] = useState<Rules>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a refusal the same text has another answer.
  useEffect(() => {
    if (!asked) return
    let current = true
    openSession(site.firebaseConfig)
      .then((identity) => identity.validatePassword(asked))
      .then(
        (status) => current && setList(status.rules),
        // The service decides at sign-up; here the list only helps.
        () => {},
      )
    return () => {
      current = false
    }
  }, [asked, refusals, site.firebaseConfig])
  return { list, broken: password !== '' && asked === password && list.some((rule) => !rule.met) }
}

/** What of the policy is met, under the field. */
function PasswordRules({ rules }: { rules: Rules }) {
  const { firebaseConfig, password_min_length } = useSite()
  // The policy of Google's project is known only once it is asked; none of theirs is shorter.
  if (!rules.length) return `Al menos ${firebaseConfig ? 6 : password_min_length} caracteres.`
  return (
    <span className="password-rules" aria-live="polite">
      {rules.map((rule) => (
        <span key={rule.text} data-met={rule.met}>
          {rule.met ? <IconCircleCheck className="icon" aria-hidden="true" /> : <IconCircle className="icon" aria-hidden="true" />}
          {rule.text}
          <span className="sr-only">{rule.met ? ', cumplido' : ', falta'}</span>
        </span>
      ))}
    </span>
  )
}
