/** Marks on a roster with the offer to take them back. */
import type { RosterReservation } from '#contract/attendance.ts'
import { offerUndo } from '#web/features/admin/frame/undo.tsx'
import { useWide } from '#web/ui/table.tsx'
import { type RosterEntry, reservationOf } from './roster-entries.ts'
import { useMarks } from './use-roster.ts'

const markText = (attend: boolean | null): string => (attend === null ? 'sin marca' : attend ? 'llegó' : 'no asistió')

interface MarkVerbs {
  markOne: (entry: RosterEntry, attendance: { attend: boolean | null; excuse?: string }) => void
  /** Everybody who has no mark arrived. */
  markRest: () => void
}

export function useMarkVerbs(single_class_id: number, rows: readonly RosterReservation[], entries: readonly RosterEntry[]): MarkVerbs {
  const mark = useMarks(single_class_id)
  const wide = useWide()
  return {
    markOne(entry, attendance) {
      const { class_reservation_id, attend: before } = entry
      const excuse = before === false && !entry.isGuest ? reservationOf(rows, entry)?.excuse : null
      mark([{ class_reservation_id, ...attendance }])
      // On a phone the offer covers a row, and the button that was pressed takes back a first mark.
      if (wide || before !== null)
        offerUndo(`${entry.name}: ${markText(attendance.attend)}.`, () =>
          mark([{ class_reservation_id, attend: before, ...(excuse ? { excuse } : {}) }]),
        )
    },
    markRest() {
      const unmarked = entries.filter(({ attend }) => attend === null)
      const all = (attend: boolean | null) => mark(unmarked.map(({ class_reservation_id }) => ({ class_reservation_id, attend })))
      all(true)
      offerUndo(unmarked.length === 1 ? '1 persona llegó.' : `${unmarked.length} personas llegaron.`, () => all(null))
    },
  }
}
