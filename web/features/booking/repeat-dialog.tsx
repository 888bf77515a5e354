import { useState } from 'react'
import type { Reservation } from '#contract/bookings.ts'
import { formatWall } from '#contract/time.ts'
import { api, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { useDialogState } from '#web/lib/use-dialog-state.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { type RepeatedWeeks, RepeatReport, WeeksField, weeklyText, weeksFrom } from './repeat-report.tsx'
import { reservationTitle } from './reservation-text.ts'
import { useReservationsChanged } from './reservations-changed.ts'

/** Books the same class for the following weeks, as far as classes, places and credits allow (docs/domain.md R19). */
export function RepeatDialog({ row, onClose }: { row: Reservation; onClose: () => void }) {
  const changed = useReservationsChanged()
  const { getChoice, setChoices } = useDialogState()
  const [weeks, setWeeks] = useState(() => weeksFrom(getChoice('semanas')) ?? 4)
  const [report, setReport] = useState<RepeatedWeeks | null>(null)
  const [wrong, setWrong] = useState<string | null>(null)
  const repeat = useIdempotentMutation(api.bookings.repeat, {
    onSuccess: setReport,
    onError: (error) => setWrong(toFailure(error).message),
    onSettled: changed,
  })
  if (report)
    return (
      <Dialog open onClose={onClose} title="Repetir cada semana" actions={<Button onClick={onClose}>Listo</Button>}>
        <RepeatReport report={report} />
      </Dialog>
    )
  return (
    <Dialog
      open
      onClose={repeat.isPending ? null : onClose}
      title="Repetir cada semana"
      actions={
        <>
          <Button variant="outline" disabled={repeat.isPending} onClick={onClose}>
            Ahora no
          </Button>
          <Button
            loading={repeat.isPending}
            onClick={() => {
              setWrong(null)
              repeat.mutate({ single_class_id: row.single_class_id, weeks, spot: row.spot })
            }}
          >
            Reservar {weeks} semanas
          </Button>
        </>
      }
    >
      <p>
        {reservationTitle(row)}, {weeklyText(row.single_class.class_date)}, desde el {formatWall(row.single_class.class_date, 'day')}. Cada
        semana usa un crédito{row.spot ? '; si tu lugar está ocupado, te damos otro' : ''}.
      </p>
      <WeeksField
        value={weeks}
        onChange={(next) => {
          setWeeks(next)
          setChoices({ semanas: next })
        }}
        hint="Esta semana cuenta como la primera."
      />
      {wrong && (
        <Banner tone="danger" live>
          {wrong}
        </Banner>
      )}
    </Dialog>
  )
}
