import { useState } from 'react'
import { validation } from '#contract/copy/messages.ts'
import { paths } from '#contract/paths.ts'
import { toFailure } from '#web/lib/errors.ts'
import { checkFilled, emailProblem, type Field, phoneProblem, useForm } from '#web/lib/form.ts'
import type { IdentityUser } from '#web/lib/identity.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useReturnQuery } from '#web/lib/return-path.ts'
import { useSite } from '#web/lib/settings.tsx'
import { rememberTyped, typedTexts } from '#web/lib/typed-fields.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { EmailField, TextField } from '#web/ui/field.tsx'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import { type DocumentToAccept, documentNames } from './document-names.tsx'
import { GoogleButton } from './google-button.tsx'
import { confirmed, useNewPassword } from './new-password.tsx'
import { PhoneField } from './phone-field.tsx'
import { useSignupQuestions } from './signup-questions.tsx'
import { reasonField, SignupReason } from './signup-reason.tsx'
import './signup-form.css'

const personFields: Record<string, Field> = {
  name: { label: 'Nombre', check: checkFilled },
  last_name: { label: 'Apellidos', check: checkFilled },
  phone: { label: 'Teléfono', check: phoneProblem },
  signup_reason_other: reasonField,
}
const accept: Field = { label: 'Términos y condiciones', check: (value) => (value ? null : validation.acceptTerms) }

interface SignupFormProps {
  documents: readonly DocumentToAccept[]
  onDone: () => void
  /** inside another page, whose switch above leads to the log-in form */
  inside?: boolean
}

/** The sign-up form: account and profile together (S1-2.96 to S1-2.99, S1-5.05 to S1-5.12, S1-8.05, S1-8.06). */
export function SignupForm({ documents, onDone, inside = false }: SignupFormProps) {
  const site = useSite()
  const [leaving, setLeaving] = useState(false)
  const password = useNewPassword('Contraseña')
  const questions = useSignupQuestions()
  /** the user of Google's window, who has an address and needs no password */
  const [google, setGoogle] = useState<IdentityUser | null>(null)

  /** The fields for the identity service. */
  const accountFields: Record<string, Field> = {
    email: { label: 'Correo electrónico', check: emailProblem },
    password: {
      label: 'Contraseña',
      check: (value) => checkFilled(value) ?? (password.broken ? 'La contraseña no cumple los requisitos.' : null),
    },
    password_confirm: confirmed,
  }
  const form = useForm({
    fields: { ...personFields, ...(google ? {} : accountFields), ...questions.checks, ...(documents.length ? { accept } : {}) },
    submit: async (values) => {
      // Loaded at the submit only.
      const { signUp } = await import('./sign-up.ts')
      const accepted_pages = documents.map((page) => page.page_id)
      await signUp(site.firebaseConfig, { values, google, questions, accepted_pages }).catch((error: unknown) => {
        password.recheck()
        throw error
      })
      setLeaving(true)
      onDone()
    },
  })

  /** After Google's window: a user who already has a customer is done, because they only logged in. */
  async function cameThroughGoogle(user: IdentityUser) {
    const { api } = await import('#web/lib/api.ts')
    const customer = await api.people.me().catch((error: unknown) => {
      if (toFailure(error).code === 'NO_CUSTOMER') return null
      throw error
    })
    if (customer) onDone()
    else setGoogle(user)
  }

  const documentLinks = documentNames(documents, (page) => (
    <a className="link" href={paths.page(page.slug)} target="_blank" rel="noreferrer">
      {page.title}
    </a>
  ))
  return (
    <form ref={rememberTyped} method="post" className="stack gap-16" noValidate onSubmit={form.onSubmit} onInput={form.onInput}>
      {form.message && (
        <Banner tone="danger" live>
          {form.message}
        </Banner>
      )}
      {/* Google not inside another page: there the new session continues the page before the rest is filled in. The log-in form offers it. */}
      {!inside && !google && <GoogleButton onDone={cameThroughGoogle} />}
      <div className="signup-pair">
        <TextField label="Nombre" name="name" autoComplete="given-name" maxLength={80} error={form.errors.name} />
        <TextField label="Apellidos" name="last_name" autoComplete="family-name" maxLength={80} error={form.errors.last_name} />
      </div>
      {google ? (
        <p>
          Tu cuenta de Google: <b>{google.email}</b>
        </p>
      ) : (
        <EmailField error={form.errors.email} />
      )}
      <PhoneField hint="Diez dígitos. Por aquí te avisamos de tus clases." error={form.errors.phone} />
      {!google && password.draw(form.errors)}
      <SignupReason initial={typedTexts()} error={form.errors.signup_reason_other} />
      {questions.draw(form.errors)}
      {documents.length > 0 && (
        <Checkbox name="accept" value="1" error={form.errors.accept}>
          {/* On one line: a blank that is a text of its own is left out of the checkbox's name. */}
          Acepto {documentLinks}
        </Checkbox>
      )}
      <SubmitButton loading={form.busy || leaving}>Crear mi cuenta</SubmitButton>
      {!inside && <LoginInstead />}
    </form>
  )
}

function LoginInstead() {
  const search = useReturnQuery()
  return (
    <p className="small">
      ¿Ya tienes cuenta?{' '}
      <AppLink className="link" to={`${paths.login}${search}`}>
        Inicia sesión
      </AppLink>
    </p>
  )
}
