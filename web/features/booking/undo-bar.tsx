import { IconArrowBackUp, IconX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Reservation } from '#contract/bookings.ts'
import { success } from '#contract/copy/messages.ts'
import { formatInstant, formatWall } from '#contract/time.ts'
import { useComing } from '#web/features/calendar/upcoming-reservations.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, newIdempotencyKey } from '#web/lib/api.ts'
import { untilFromHere } from '#web/lib/clock.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { useReservationsChanged } from './reservations-changed.ts'
import './undo-bar.css'

/** The last booking that can still be undone: one class, or all classes booked together by "every week". */
function lastBooked(rows: readonly Reservation[]): Reservation[] {
  const undoable = rows.filter((row) => row.undo_until !== null)
  const newest = undoable.reduce((last, row) => (row.createdAt > last ? row.createdAt : last), '')
  return undoable.filter((row) => row.createdAt === newest)
}

/**
 * For a few minutes after booking: undoes it in one step, as if it had not been made (docs/domain.md R16). Shows until when; survives
 * a reload.
 */
export function UndoBar() {
  const rows = lastBooked(useComing() ?? [])
  const [first] = rows
  const [hidden, setHidden] = useState('')
  const [over, setOver] = useState('')
  const until = first?.undo_until ?? null
  useEffect(() => {
    if (!until) return
    const timer = setTimeout(() => setOver(until), untilFromHere(until))
    return () => clearTimeout(timer)
  }, [until])
  if (!first || !until || over === until || hidden === first.createdAt) return null
  return <Bar rows={rows} first={first} until={until} onHide={() => setHidden(first.createdAt)} />
}

function Bar({ rows, first, until, onHide }: { rows: readonly Reservation[]; first: Reservation; until: string; onHide: () => void }) {
  const site = useSite()
  const changed = useReservationsChanged()
  const undo = useMutation({
    async mutationFn() {
      for (const row of rows)
        await api.bookings.cancel({ class_reservation_id: row.class_reservation_id }, { context: { intention: newIdempotencyKey() } })
    },
    onSuccess: () => showAlert('success', success.reservationCancelled),
    onSettled: changed,
  })
  const what =
    rows.length === 1
      ? `${first.single_class.class_type.name}, ${formatWall(first.single_class.class_date, 'class')}`
      : `${rows.length} clases de ${first.single_class.class_type.name}`
  return (
    <section className="undo-bar" aria-label="Última reservación">
      <p className="grow" role="status">
        <b>Reservaste {what}.</b>{' '}
        <span className="small muted">Puedes deshacerlo hasta las {formatInstant(new Date(until), site.zone, 'hour')}.</span>
      </p>
      <Button
        variant="outline"
        size="small"
        loading={undo.isPending}
        icon={<IconArrowBackUp className="icon" aria-hidden="true" />}
        onClick={() => undo.mutate()}
      >
        Deshacer
      </Button>
      <IconButton bare label="Ocultar" onClick={onHide}>
        <IconX className="icon" aria-hidden="true" />
      </IconButton>
    </section>
  )
}
