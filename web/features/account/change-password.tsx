import { useEffect, useState } from 'react'
import { showAlert } from '#web/lib/alerts.ts'
import { toFailure } from '#web/lib/errors.ts'
import { checkFilled, useForm } from '#web/lib/form.ts'
import type { Identity } from '#web/lib/identity.ts'
import { openSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { confirmed, useNewPassword } from './new-password.tsx'
import { ProfileForm } from './profile-card.tsx'
import { ProveIdentity } from './prove-identity.tsx'

/** The present password (and a code, where there is a second factor), then the new one twice. */
export default function ChangePassword({ onDone }: { onDone: () => void }) {
  const site = useSite()
  const [identity, setIdentity] = useState<Identity | null>(null)
  const [state, setState] = useState<'loading' | 'proving' | 'proven' | 'google'>('loading')
  const [failed, setFailed] = useState<string | null>(null)
  useEffect(() => {
    let current = true
    openSession(site.firebaseConfig)
      .then(async (opened) => {
        const has = await opened.hasPassword()
        if (!current) return
        setIdentity(opened)
        setState(has ? 'proving' : 'google')
      })
      .catch((error: unknown) => current && setFailed(toFailure(error).message))
    return () => {
      current = false
    }
  }, [site.firebaseConfig])

  if (failed)
    return (
      <Banner tone="danger" live>
        {failed}
      </Banner>
    )
  if (!identity || state === 'loading') return <Skeleton height="180px" />
  if (state === 'google')
    return (
      <>
        <p>Entras con Google: tu contraseña se cambia en tu cuenta de Google.</p>
        <div>
          <Button variant="outline" onClick={onDone}>
            Entendido
          </Button>
        </div>
      </>
    )
  if (state === 'proving')
    return (
      <ProveIdentity identity={identity} onProven={async () => setState('proven')} onCancel={onDone}>
        Escribe tu contraseña actual.
      </ProveIdentity>
    )
  return <NewPasswordForm identity={identity} onDone={onDone} />
}

function NewPasswordForm({ identity, onDone }: { identity: Identity; onDone: () => void }) {
  const chosen = useNewPassword('Contraseña nueva')
  const form = useForm({
    fields: { password: { label: 'Contraseña nueva', check: checkFilled }, password_confirm: confirmed },
    submit: async ({ password = '' }) => {
      await identity.changePassword(password).catch((error: unknown) => {
        chosen.recheck()
        throw error
      })
      showAlert('success', 'Tu contraseña cambió. Cerramos tus otras sesiones.')
      onDone()
    },
  })
  return (
    <ProfileForm form={form} onCancel={onDone}>
      {chosen.draw(form.errors)}
    </ProfileForm>
  )
}
