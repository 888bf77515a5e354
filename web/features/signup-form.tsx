import { Fragment, useState } from 'react'
import { validation } from '#contract/messages.ts'
import { phoneDigits } from '#contract/phone.ts'
import { failureOf } from '#web/lib/errors.ts'
import { emailProblem, type Field, filled, phoneProblem, useForm } from '#web/lib/form.ts'
import type { Identity, IdentityUser } from '#web/lib/identity.ts'
import { AppLink } from '#web/lib/link.tsx'
import { paths } from '#web/lib/paths.ts'
import { endSession, openSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useWayBackQuery } from '#web/lib/way-back.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { PasswordField, TextField } from '#web/ui/field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { GoogleWayIn } from './google-way-in.tsx'
import { PasswordRules, usePasswordRules } from './password-rules.tsx'
import { useSignupQuestions } from './signup-questions.tsx'
import { reasonField, reasonsIn, SignupReason } from './signup-reason.tsx'
import './signup-form.css'

/** A document that must be accepted at sign-up. */
export interface SignupDocument {
  page_id: number
  slug: string
  title: string
}

const fields: Record<string, Field> = {
  name: { label: 'Nombre', check: filled },
  last_name: { label: 'Apellidos', check: filled },
  phone: { label: 'Teléfono', check: phoneProblem },
  signup_reason_other: reasonField,
}
/** What the identity service is told. */
const ofAccount: Record<string, Field> = {
  email: { label: 'Correo electrónico', check: emailProblem },
  password_confirm: {
    label: 'Confirma tu contraseña',
    check: (value, all) => (value === (all.password ?? '') ? filled(value) : validation.passwordsDiffer),
  },
}

interface SignupFormProps {
  documents: readonly SignupDocument[]
  onDone: () => void
  /** embedded in another page: asks for the log-in form there instead of navigating */
  onLogin?: () => void
}

/** Sign-up: account and profile in one form (S1-2.96 to S1-2.99, S1-5.05 to S1-5.12, S1-8.05, S1-8.06). */
export function SignupForm({ documents, onDone, onLogin }: SignupFormProps) {
  const site = useSite()
  const search = useWayBackQuery()
  const [phone, setPhone] = useState('')
  const [password, setPassword] = useState('')
  const [left, setLeft] = useState(false)
  const rules = usePasswordRules(password)
  const questions = useSignupQuestions()
  /** who came through Google's window: their address and password are there already */
  const [google, setGoogle] = useState<IdentityUser | null>(null)

  const accepts: Record<string, Field> = documents.length
    ? { accept: { label: 'Términos y condiciones', check: (value) => (value ? null : validation.acceptTerms) } }
    : {}
  const policy: Field = {
    label: 'Contraseña',
    check: (value) => filled(value) ?? (rules.broken ? 'La contraseña no cumple los requisitos.' : null),
  }
  const form = useForm({
    fields: { ...fields, ...(google ? {} : { ...ofAccount, password: policy }), ...questions.checks, ...accepts },
    submit: async (values) => {
      if (questions.waiting) throw new TypeError('the questions of the studio did not come')
      const [{ api }, identity] = await Promise.all([import('#web/lib/api.ts'), openSession(site.firebaseConfig)])
      const email = (values.email ?? '').trim()
      await identity.mustLast()
      // Asked before an account exists, so that the commonest refusal leaves nothing behind.
      if ((await api.people.phone({ phone: values.phone ?? '' })).in_use) throw { code: 'PHONE_IN_USE', status: 409, message: '', data: {} }
      const user = google ?? (await account(identity, email, values.password ?? '', api))
      try {
        await api.people.signup({
          uid: user.uid,
          name: values.name ?? '',
          last_name: values.last_name ?? '',
          phone: values.phone ?? '',
          ...reasonsIn(values),
          ...(await questions.send()),
          accepted_pages: documents.map((page) => page.page_id),
        })
      } catch (error) {
        const { code } = failureOf(error)
        // Reception knows this address already: whoever reads its mail may claim what is there.
        if (code === 'EMAIL_NOT_VERIFIED') await identity.sendEmailVerification()
        // Any failure but a duplicate signs out (S1-4.37); the server has taken the account away where it must not stay.
        if (code !== 'ACCOUNT_EXISTS') await endSession()
        throw questions.placed(error)
      }
      setLeft(true)
      onDone()
    },
  })

  /** Who has a customer already only logged in. */
  async function cameThroughGoogle(user: IdentityUser) {
    const { api } = await import('#web/lib/api.ts')
    const there = await api.people.me().catch((error: unknown) => {
      if (failureOf(error).code === 'NO_CUSTOMER') return null
      throw error
    })
    if (there) onDone()
    else setGoogle(user)
  }

  return (
    <form method="post" className="stack gap-16" noValidate onSubmit={form.onSubmit} onInput={form.onInput}>
      {form.message && (
        <Notice tone="danger" live>
          {form.message}
        </Notice>
      )}
      {/* Inside another page the session leads on by itself, before the rest is filled in. */}
      {!onLogin && !google && <GoogleWayIn onDone={cameThroughGoogle} />}
      <div className="signup-pair">
        <TextField label="Nombre" name="name" autoComplete="given-name" maxLength={80} error={form.errors.name} />
        <TextField label="Apellidos" name="last_name" autoComplete="family-name" maxLength={80} error={form.errors.last_name} />
      </div>
      {google ? (
        <p>
          Tu cuenta de Google: <b>{google.email}</b>
        </p>
      ) : (
        <TextField
          label="Correo electrónico"
          name="email"
          type="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          error={form.errors.email}
        />
      )}
      <TextField
        label="Teléfono"
        name="phone"
        type="tel"
        inputMode="numeric"
        autoComplete="tel-national"
        value={phone}
        onChange={(event) => setPhone(phoneDigits(event.currentTarget.value))}
        hint="Diez dígitos. Por aquí te avisamos de tus clases."
        error={form.errors.phone}
      />
      {!google && (
        <>
          <PasswordField
            label="Contraseña"
            name="password"
            autoComplete="new-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            hint={<PasswordRules rules={rules.list} />}
            error={form.errors.password}
          />
          <PasswordField
            label="Confirma tu contraseña"
            shows="Mostrar la confirmación"
            name="password_confirm"
            autoComplete="new-password"
            error={form.errors.password_confirm}
          />
        </>
      )}
      <SignupReason error={form.errors.signup_reason_other} />
      {questions.draw(form.errors)}
      {documents.length > 0 && (
        <Checkbox name="accept" value="1" error={form.errors.accept}>
          Acepto {documentList(documents)}
        </Checkbox>
      )}
      <SubmitButton loading={form.busy || left}>Crear mi cuenta</SubmitButton>
      <p className="small">
        ¿Ya tienes cuenta?{' '}
        {onLogin ? (
          <button type="button" className="link" onClick={onLogin}>
            Inicia sesión
          </button>
        ) : (
          <AppLink className="link" to={`${paths.login}${search}`}>
            Inicia sesión
          </AppLink>
        )}
      </p>
    </form>
  )
}

/** "Términos y condiciones, Aviso de privacidad y Reglamento", each a link to its page. */
export function documentList(documents: readonly SignupDocument[]) {
  return documents.map((page, at) => (
    <Fragment key={page.page_id}>
      {at > 0 && (at === documents.length - 1 ? ' y ' : ', ')}
      <a className="link" href={paths.page(page.slug)} target="_blank" rel="noreferrer">
        {page.title}
      </a>
    </Fragment>
  ))
}

/**
 * A new account; or the one that an earlier try left without its customer (the connection broke in between),
 * when the password proves that it is the same person.
 */
async function account(identity: Identity, email: string, password: string, api: typeof import('#web/lib/api.ts')['api']) {
  try {
    return await identity.signUp(email, password)
  } catch (error) {
    if (failureOf(error).code !== 'auth/email-already-in-use') throw error
    const user = await identity.signIn(email, password).catch(() => null)
    if (!user) throw error
    const whole = await api.people.me().then(
      () => true,
      (failed) => failureOf(failed).code !== 'NO_CUSTOMER',
    )
    if (!whole) return user
    await endSession()
    throw error
  }
}
