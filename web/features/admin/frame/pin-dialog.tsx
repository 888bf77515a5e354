import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ProveIdentity } from '#web/features/account/prove-identity.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { bearer } from '#web/lib/bearer.ts'
import { alertFailure, toFailure } from '#web/lib/errors.ts'
import { useForm } from '#web/lib/form.ts'
import type { Identity } from '#web/lib/identity.ts'
import { openSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { PasswordField } from '#web/ui/field.tsx'
import { reloadAdministration } from './shared-device.ts'

const pinProblem = (value: string) => (/^\d{4,6}$/.test(value) ? null : 'El PIN lleva de 4 a 6 números.')
const DIGITS = { inputMode: 'numeric', maxLength: 6, autoComplete: 'off', shows: 'Mostrar PIN' } as const

/** "Mi PIN": sets, changes or removes the caller's PIN for shared devices. */
export default function PinDialog({ onClose }: { onClose: () => void }) {
  const site = useSite()
  const client = useQueryClient()
  const state = useQuery(queries.sharedDevice.pin.queryOptions({ meta: { handled: true } }))
  const [proving, setProving] = useState<Identity | null>(null)
  const chosen = useRef('')

  async function save() {
    await api.sharedDevice.setPin({ pin: chosen.current })
    await client.invalidateQueries({ queryKey: queries.sharedDevice.key() })
    showAlert('success', 'Tu PIN quedó guardado.')
    onClose()
  }
  const form = useForm({
    fields: {
      pin: { label: 'PIN nuevo', check: pinProblem },
      again: { label: 'Otra vez', check: (value, { pin }) => (value === pin ? null : 'No es el mismo PIN.') },
    },
    submit: async ({ pin = '' }) => {
      chosen.current = pin
      try {
        await save()
      } catch (error) {
        if (toFailure(error).code !== 'RECENT_SIGN_IN_REQUIRED') throw error
        setProving(await openSession(site.firebaseConfig))
      }
    },
  })
  async function remove() {
    try {
      await api.sharedDevice.removePin()
      await client.invalidateQueries({ queryKey: queries.sharedDevice.key() })
      showAlert('success', 'Quitaste tu PIN.')
      onClose()
    } catch (error) {
      alertFailure(error)
    }
  }
  const has = state.data?.has_pin ?? false
  return (
    <Dialog open onClose={onClose} title="Mi PIN">
      {proving ? (
        <ProveIdentity
          identity={proving}
          onCancel={() => setProving(null)}
          onProven={async () => {
            await bearer(true)
            await save()
          }}
        >
          Confirma que eres tú con tu contraseña.
        </ProveIdentity>
      ) : (
        <form method="post" className="stack gap-16" noValidate onSubmit={form.onSubmit} onInput={form.onInput}>
          <p>
            Con tu PIN entras en un dispositivo que comparte el equipo, como el iPad de recepción. Ahí todos pueden lo que puede Recepción.
          </p>
          {state.data?.is_locked && <Banner tone="warn">Tu PIN está bloqueado: se escribió mal demasiadas veces. Elige otro.</Banner>}
          {form.message && !form.errors.pin && !form.errors.again && (
            <Banner tone="danger" live>
              {form.message}
            </Banner>
          )}
          <PasswordField
            label={has ? 'PIN nuevo' : 'PIN'}
            hint="De 4 a 6 números, que nadie adivine."
            name="pin"
            error={form.errors.pin}
            {...DIGITS}
            data-focus-first
          />
          <PasswordField label="Otra vez" name="again" error={form.errors.again} {...DIGITS} />
          <div className="row wraps gap-8">
            <Button type="submit" loading={form.busy}>
              Guardar mi PIN
            </Button>
            {has && (
              <Button variant="outline" disabled={form.busy} onClick={() => void remove()}>
                Quitar mi PIN
              </Button>
            )}
          </div>
        </form>
      )}
    </Dialog>
  )
}

/** Asks before sharing the device of this session. */
export function ShareDeviceDialog({ onClose, onPin }: { onClose: () => void; onPin: () => void }) {
  const state = useQuery(queries.sharedDevice.pin.queryOptions({ meta: { handled: true } }))
  const [busy, setBusy] = useState(false)
  const has = state.data?.has_pin
  async function share() {
    setBusy(true)
    try {
      await api.sharedDevice.share()
      reloadAdministration()
    } catch (error) {
      setBusy(false)
      alertFailure(error)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Compartir este dispositivo"
      actions={
        has === false ? (
          <Button onClick={onPin}>Elegir mi PIN</Button>
        ) : (
          <Button loading={busy || has === undefined} onClick={() => void share()}>
            Compartir este dispositivo
          </Button>
        )
      }
    >
      <p>Cada persona entra con su PIN, y lo que hace queda a su nombre. En este dispositivo nadie puede más que Recepción, tampoco tú.</p>
      <p>Se bloquea después de cinco minutos sin uso. Deja de compartirse cuando alguien elige “Salir de este dispositivo”.</p>
      {has === false && <Banner tone="warn">Para compartirlo, primero elige tu PIN.</Banner>}
    </Dialog>
  )
}
