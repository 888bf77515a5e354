import type { RosterClass, RosterReservation } from '#contract/attendance.ts'
import { NotLoaded } from '#web/features/site/not-loaded.tsx'
import { toFailure } from '#web/lib/errors.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { BringGuest, ChangeSpot, RemoveGuest } from './change-verbs.tsx'
import { Excuse } from './reservation-verbs.tsx'
import { rosterEntries } from './roster-entries.ts'
import { useRoster } from './use-roster.ts'

interface ReservationStepProps {
  step: 'spot' | 'guest' | 'no-guest' | 'excuse'
  cls: RosterClass
  row: RosterReservation
  onMark: (mark: { attend: boolean | null; excuse?: string }) => void
  onClose: () => void
}

/** A dialog of the roster for one reservation that was opened outside of it; the free seats come from the roster. */
export default function ReservationStep({ step, cls, row, onMark, onClose }: ReservationStepProps) {
  const { query, roster } = useRoster(cls.single_class_id)
  const props = { cls, row, onClose, onBack: onClose }
  if (step === 'no-guest' || step === 'excuse') {
    const name = `${row.name} ${row.last_name}`.trim()
    return step === 'excuse' ? <Excuse {...props} name={name} onMark={onMark} /> : <RemoveGuest {...props} />
  }
  const entries = rosterEntries(roster?.class_reservations ?? [], { money: false, coaches: cls.coaches, day: cls.class_date.slice(0, 10) })
  const entry = entries.find(({ class_reservation_id }) => class_reservation_id === row.class_reservation_id)
  if (!entry)
    return (
      <Dialog open onClose={onClose} title="Cambiar la reservación">
        {query.isPending ? <Skeleton height="120px" /> : <NotLoaded query={query}>{toFailure(query.error).message}</NotLoaded>}
      </Dialog>
    )
  const shown = { ...props, entries }
  return step === 'spot' ? <ChangeSpot {...shown} entry={entry} /> : <BringGuest {...shown} />
}
