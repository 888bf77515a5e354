import { useParams } from 'react-router'
import { PageTitle } from '#web/features/site/page-meta.tsx'
import { api } from '#web/lib/api.ts'
import { checkFilled, emailProblem, useForm } from '#web/lib/form.ts'
import { Banner } from '#web/ui/banner.tsx'
import { EmailField, TextField } from '#web/ui/field.tsx'
import { SubmitButton } from '#web/ui/submit-button.tsx'
import type { AccessHandle } from './layout.tsx'

/** The same cached document for every link. */
export const handle: AccessHandle & { shell: true } = {
  stage: { title: 'Tu estudio empieza aquí', background: 'bg_login' },
  shell: true,
}

/**
 * Opened by the link that the program prints for a studio without an owner: name and address of the first owner. Leads to the choice of a
 * password.
 */
export default function NewStudio() {
  const { token = '' } = useParams()
  const form = useForm({
    fields: {
      name: { label: 'Tu nombre', check: checkFilled },
      email: { label: 'Correo electrónico', check: emailProblem },
    },
    submit: async ({ name = '', email = '' }) => {
      const { url } = await api.team.claimStudio({ token, name: name.trim(), email: email.trim() })
      location.assign(url)
    },
  })
  return (
    <>
      <PageTitle>Tu estudio nuevo</PageTitle>
      <meta name="robots" content="noindex" />
      <meta name="referrer" content="no-referrer" />
      <h1 className="t1">Tu estudio es nuevo</h1>
      <p>Di quién queda a cargo. Después eliges tu contraseña y te llevamos por los primeros pasos.</p>
      <form className="card padded stack gap-16" noValidate onSubmit={form.onSubmit} onInput={form.onInput}>
        {form.message && (
          <Banner tone="danger" live>
            {form.message}
          </Banner>
        )}
        <TextField label="Tu nombre" name="name" autoComplete="name" maxLength={120} error={form.errors.name} />
        <EmailField error={form.errors.email} />
        <SubmitButton loading={form.busy}>Seguir</SubmitButton>
      </form>
    </>
  )
}
