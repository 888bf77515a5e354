import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { reloadAdministration } from '#web/features/admin/frame/shared-device.ts'
import { api, queries } from '#web/lib/api.ts'
import { alertFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

const PinDialog = lazy(() => import('#web/features/admin/frame/pin-dialog.tsx'))

interface OpenKioskProps {
  location_id: number | null
  onClose: () => void
}

/** Says what kiosk mode means and puts this device into it. */
export default function OpenKiosk({ location_id, onClose }: OpenKioskProps) {
  const state = useQuery(queries.sharedDevice.pin.queryOptions({ meta: { handled: true } }))
  const [choosing, setChoosing] = useState(false)
  const [busy, setBusy] = useState(false)
  const has = state.data?.has_pin
  async function open() {
    setBusy(true)
    try {
      await api.sharedDevice.openKiosk({ location_id })
      reloadAdministration()
    } catch (error) {
      setBusy(false)
      alertFailure(error)
    }
  }
  if (choosing)
    return (
      <Suspense>
        <PinDialog onClose={() => setChoosing(false)} />
      </Suspense>
    )
  return (
    <Dialog
      open
      onClose={onClose}
      title="Modo kiosco"
      actions={
        has === false ? (
          <Button onClick={() => setChoosing(true)}>Elegir mi PIN</Button>
        ) : (
          <Button loading={busy || has === undefined} onClick={() => void open()}>
            Abrir el kiosco
          </Button>
        )
      }
    >
      <p>Tus clientes registran su llegada con su código, su teléfono o su nombre. Solo se ven nombres, sin apellidos ni dinero.</p>
      <p>Nada más se puede abrir en este dispositivo hasta que alguien del equipo escriba su PIN.</p>
      {has === false && <Banner tone="warn">Para abrirlo, primero elige tu PIN.</Banner>}
    </Dialog>
  )
}
