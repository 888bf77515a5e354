import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react'
import { validation } from '#contract/copy/messages.ts'
import { checkFilled, type Field } from '#web/lib/form.ts'
import { openSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useTypedEarly } from '#web/lib/typed-early.ts'
import { PasswordField } from '#web/ui/field.tsx'
import './new-password.css'

/** The shortest password of staff; the identity service refuses shorter ones (server/adapters/identity/password-policy.ts). */
const SHORTEST_OF_STAFF = 8

type Rules = { met: boolean; text: string }[]

interface NewPassword {
  /** the policy is known to refuse the typed password */
  broken: boolean
  /** the service refused the password: load and show its current policy (S1-5.04) */
  recheck: () => void
  draw: (errors: Readonly<Record<string, string>>) => ReactNode
}

/** The field for the repeated password. */
export const confirmed: Field = {
  label: 'Confirma tu contraseña',
  check: (value, all) => (value === (all.password ?? '') ? checkFilled(value) : validation.passwordsDiffer),
}

/**
 * A new password: typed twice (`password`, `password_confirm`), with the rules of the policy under it. `forStaff`: staff may use the form
 * too, and need a longer password than customers.
 */
export function useNewPassword(label: string, { forStaff = false } = {}): NewPassword {
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
          hint={<PasswordRules rules={rules.list} forStaff={forStaff} />}
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

/** The identity service's policy, checked while the password is typed and again after a refusal (S1-5.01 to S1-5.04). */
function usePasswordRules(password: string, refusals: number): { list: Rules; broken: boolean } {
  const site = useSite()
  const checkedPassword = useDeferredValue(password)
  const [list, setList] = useState<Rules>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a refusal the policy may have changed for the same text.
  useEffect(() => {
    if (!checkedPassword) return
    let current = true
    openSession(site.firebaseConfig)
      .then((identity) => identity.validatePassword(checkedPassword))
      .then(
        (status) => current && setList(status.rules),
        // Without the policy the list stays empty; the service checks at sign-up.
        () => {},
      )
    return () => {
      current = false
    }
  }, [checkedPassword, refusals, site.firebaseConfig])
  return { list, broken: password !== '' && checkedPassword === password && list.some((rule) => !rule.met) }
}

/** Which rules of the policy are met, shown under the field. */
function PasswordRules({ rules, forStaff }: { rules: Rules; forStaff: boolean }) {
  const { firebaseConfig, password_min_length } = useSite()
  // Until something is typed, Google's policy is not loaded; its minimum is never below 6.
  const shortest = firebaseConfig ? 6 : password_min_length
  const staffRule = forStaff && shortest < SHORTEST_OF_STAFF && `Si eres del equipo, al menos ${SHORTEST_OF_STAFF}.`
  if (!rules.length) return [`Al menos ${shortest} caracteres.`, staffRule].filter(Boolean).join(' ')
  return (
    <span className="password-rules" aria-live="polite">
      {rules.map((rule) => (
        <span key={rule.text} data-met={rule.met}>
          {rule.met ? <IconCircleCheck className="icon" aria-hidden="true" /> : <IconCircle className="icon" aria-hidden="true" />}
          {rule.text}
          <span className="sr-only">{rule.met ? ', cumplido' : ', falta'}</span>
        </span>
      ))}
      {staffRule && <span>{staffRule}</span>}
    </span>
  )
}
