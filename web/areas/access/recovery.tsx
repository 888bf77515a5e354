import { useState } from 'react'
import { success } from '#contract/copy/messages.ts'
import { paths } from '#contract/paths.ts'
import { PageTitle } from '#web/features/site/page-meta.tsx'
import { emailProblem, useForm } from '#web/lib/form.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useReturnQuery } from '#web/lib/return-path.ts'
import { openSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'
import { rememberTyped } from '#web/lib/typed-fields.ts'
import { Banner } from '#web/ui/banner.tsx'
import { EmailField } from '#web/ui/field.tsx'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import type { AccessHandle } from './layout.tsx'

export const handle: AccessHandle = { stage: { title: 'Vuelve a tu lugar', background: 'bg_recovery' } }

/** /recuperar: sends an email with a reset link (S1-2.07, S1-2.08, S1-4.35, S1-4.36). */
export default function Recovery() {
  const site = useSite()
  const search = useReturnQuery()
  const [sent, setSent] = useState(false)
  const form = useForm({
    fields: { email: { label: 'Correo electrónico', check: emailProblem } },
    submit: async ({ email = '' }) => {
      setSent(false)
      const identity = await openSession(site.firebaseConfig)
      // The mailed link leads on to the wanted page, on any device.
      await identity.sendPasswordReset(email.trim(), `${location.origin}${paths.login}${search}`)
      setSent(true)
    },
  })
  return (
    <>
      <PageTitle>Recuperar contraseña</PageTitle>
      <meta name="robots" content="noindex" />
      <h1 className="t1">Recupera tu contraseña</h1>
      <div className="card padded">
        <form ref={rememberTyped} method="post" className="stack gap-16" noValidate onSubmit={form.onSubmit} onInput={form.onInput}>
          {sent && (
            <Banner tone="ok" live>
              {success.recoveryMailSent}
            </Banner>
          )}
          {form.message && !form.errors.email && (
            <Banner tone="danger" live>
              {form.message}
            </Banner>
          )}
          <EmailField hint="Te enviamos un enlace para elegir otra." error={form.errors.email} />
          <SubmitButton loading={form.busy}>Recuperar</SubmitButton>
        </form>
      </div>
      <p>
        <AppLink className="link link-alone" to={`${paths.login}${search}`}>
          Inicia sesión
        </AppLink>
      </p>
    </>
  )
}
