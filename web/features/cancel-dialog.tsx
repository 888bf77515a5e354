import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lateCancelWarning, success } from '#contract/messages.ts'
import { formatWall } from '#contract/time.ts'
import { say } from '#web/lib/alerts.ts'
import { api, queries, useIntention } from '#web/lib/api.ts'
import { alertFailure } from '#web/lib/errors.ts'
import { ConfirmDialog } from '#web/ui/dialog.tsx'

interface CancelDialogProps {
  /** what to cancel; null while the dialog is closed */
  cancelling: { class_reservation_id: number; single_class_id: number; name: string; class_date: string } | null
  onClose: () => void
}

/** 'Cancelar Clase': what comes back is said before confirming (S2-2.31, S2-2.52, S2-5.10, S2-5.11). */
export function CancelDialog({ cancelling, onClose }: CancelDialogProps) {
  const client = useQueryClient()
  const intention = useIntention()
  const { data } = useQuery({
    ...queries.schedule.one.queryOptions({ input: { single_class_id: cancelling?.single_class_id ?? 1 }, staleTime: 0 }),
    enabled: cancelling !== null,
  })
  const cls = data?.single_class
  const late = cls?.actions.cancel === 'late'
  const cancel = useMutation({
    meta: { handled: true },
    mutationFn: (id: number) => api.bookings.cancel({ class_reservation_id: id }, { context: { intention: intention.key } }),
    async onSuccess() {
      say('success', success.reservationCancelled)
      intention.renew()
      onClose()
      await Promise.all(
        [queries.schedule, queries.bookings, queries.credits].map((part) => client.invalidateQueries({ queryKey: part.key() })),
      )
    },
    onError(error) {
      intention.renew()
      onClose()
      alertFailure(error)
    },
  })
  if (!cancelling) return null
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={() => cancel.mutateAsync(cancelling.class_reservation_id).catch(() => {})}
      title="Cancelar Clase"
      yes="Cancelar Clase"
      no="Conservar mi lugar"
      consequence={
        cls
          ? late
            ? { tone: 'warn', words: lateCancelWarning(cls.policy.window ?? '') }
            : {
                tone: 'neutral',
                words: cls.mine?.guest ? 'Tus dos créditos regresan a tu paquete.' : 'Tu crédito regresa a tu paquete.',
              }
          : { tone: 'neutral', words: 'Revisando las condiciones' }
      }
    >
      {cancelling.name}, {formatWall(cancelling.class_date, 'class')}.
      {cls?.mine?.guest ? ` También se cancela el lugar de ${cls.mine.guest}.` : ''}
    </ConfirmDialog>
  )
}
