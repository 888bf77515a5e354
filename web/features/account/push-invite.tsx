import { useMutation } from '@tanstack/react-query'
import { paths } from '#contract/paths.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { AppLink } from '#web/lib/link.tsx'
import { switchPushOn } from '#web/lib/push.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

/** Offers notifications on this device; the browser's own prompt opens only after “Sí, avísame” (docs/domain.md M15). */
export function PushInvite({ what, onClose }: { what: 'booking' | 'waitlist'; onClose: () => void }) {
  const turnOn = useMutation({
    mutationFn: switchPushOn,
    onSuccess(state) {
      if (state === 'on') showAlert('success', 'Listo: te avisamos en este dispositivo.')
    },
    onSettled: onClose,
  })
  return (
    <Dialog
      open
      onClose={turnOn.isPending ? null : onClose}
      title="¿Te avisamos en este dispositivo?"
      actions={
        <>
          <Button variant="outline" disabled={turnOn.isPending} onClick={onClose}>
            Ahora no
          </Button>
          <Button loading={turnOn.isPending} onClick={() => turnOn.mutate()}>
            Sí, avísame
          </Button>
        </>
      }
    >
      <p>
        {what === 'waitlist'
          ? 'Así sabes en cuanto se libera un lugar, sin estar pendiente del correo.'
          : 'Así sabes si tu clase cambia o se cancela, y te la recordamos antes.'}
      </p>
      <p className="small muted">
        Lo cambias cuando quieras en{' '}
        <AppLink className="link" to={paths.mystudio.messages} onClick={onClose}>
          Mis Mensajes
        </AppLink>
        . De noche no te escribimos, salvo que tu clase esté por empezar.
      </p>
    </Dialog>
  )
}
