import { IconCircle, IconCircleCheck } from '@tabler/icons-react'
import { useDeferredValue, useEffect, useState } from 'react'
import { openSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'
import './password-rules.css'

type Rules = { met: boolean; text: string }[]

/** The identity service's policy, asked once something is typed and answered as it is typed (S1-5.01 to S1-5.04). */
export function usePasswordRules(password: string): { list: Rules; broken: boolean } {
  const site = useSite()
  const asked = useDeferredValue(password)
  const [list, setList] = useState<Rules>([])
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
  }, [asked, site.firebaseConfig])
  return { list, broken: password !== '' && asked === password && list.some((rule) => !rule.met) }
}

/** What of the policy is met, under the field. */
export function PasswordRules({ rules }: { rules: Rules }) {
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
