import { IconMail } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { paths } from '#contract/paths.ts'
import { toFailure } from '#web/lib/errors.ts'
import { checkFilled, emailProblem, type Field, useForm } from '#web/lib/form.ts'
import { CHALLENGED } from '#web/lib/identity.ts'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { useReturnQuery } from '#web/lib/return-path.ts'
import { openSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'
import { rememberTyped } from '#web/lib/typed-fields.ts'
import { Banner } from '#web/ui/banner.tsx'
import { EmailField, PasswordField } from '#web/ui/field.tsx'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { GoogleButton } from './google-button.tsx'

/** Loaded only when a sign-in needs it: only staff have a second factor. */
const SecondFactorStep = lazyPart(() => import('./second-factor-step.tsx'))

const fields: Record<string, Field> = {
  email: { label: 'Correo electrónico', check: emailProblem },
  password: { label: 'Contraseña', check: checkFilled },
}

interface LoginFormProps {
  /** signed in: the caller continues what was interrupted */
  onDone: () => void
  /** inside another page: shows the sign-up form there instead of navigating (S1-2.41) */
  onSignup?: () => void
  /** inside another page: where the log-in after a password reset leads */
  returnTo?: string
}

/** Email and password for the identity service (S1-2.39 to S1-2.42, S1-8.02, S1-8.03). */
export function LoginForm({ onDone, onSignup, returnTo }: LoginFormProps) {
  const site = useSite()
  const search = useReturnQuery(returnTo)
  const [leaving, setLeaving] = useState(false)
  const [challenged, setChallenged] = useState(false)
  const form = useForm({
    fields,
    submit: async ({ email = '', password = '' }) => {
      const identity = await openSession(site.firebaseConfig)
      await identity.mustLast()
      try {
        await identity.signIn(email.trim(), password)
      } catch (error) {
        if (toFailure(error).code !== CHALLENGED) throw error
        return setChallenged(true)
      }
      setLeaving(true)
      onDone()
    },
  })
  async function answer(code: string) {
    await (await openSession(site.firebaseConfig)).answerChallenge(code)
    onDone()
  }
  if (challenged)
    return (
      <Suspense>
        <SecondFactorStep answer={answer} onBack={() => setChallenged(false)} />
      </Suspense>
    )
  return (
    <div className="stack gap-24">
      <form ref={rememberTyped} method="post" className="stack gap-16" noValidate onSubmit={form.onSubmit} onInput={form.onInput}>
        {form.message && !Object.keys(form.errors).length && (
          <Banner tone="danger" live>
            {form.message}
          </Banner>
        )}
        <EmailField
          error={form.errors.email}
          after={form.errors.email ? undefined : <IconMail className="icon muted" aria-hidden="true" />}
        />
        <PasswordField label="Contraseña" name="password" error={form.errors.password} />
        <SubmitButton loading={form.busy || leaving}>Entrar</SubmitButton>
      </form>
      <GoogleButton onDone={onDone} />
      <div className="stack gap-24">
        {onSignup ? (
          <p>
            <button type="button" className="link link-alone" onClick={onSignup}>
              Crea tu cuenta
            </button>
          </p>
        ) : (
          <p>
            <AppLink className="link link-alone" to={`${paths.signup}${search}`}>
              Crea tu cuenta
            </AppLink>
          </p>
        )}
        <p>
          <AppLink className="link link-alone" to={`${paths.recovery}${search}`}>
            ¿Olvidaste tu contraseña?
          </AppLink>
        </p>
      </div>
    </div>
  )
}
