/** Figures of classes in the calendar of staff: reserved, waitlisted, attended, owed (S2-7.59 for staff). */
import { parsePesos, pesos } from '#contract/money.ts'
import type { ClassFigures } from '#contract/schedule.ts'
import { countInClasses } from '#server/modules/bookings/store/attendance-store.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { ClassFacts } from './timetable.ts'

/**
 * Figures by class; empty for callers who are not staff. Instructors get those of their own classes, without amounts (A1); figures of
 * locations where the caller does not work are left out (E4).
 */
export async function loadClassFigures(ctx: Ctx, classes: readonly ClassFacts[]): Promise<ReadonlyMap<number, ClassFigures>> {
  const { staff } = ctx
  if (!staff) return new Map()
  const seesAll = ctx.may('roster.all')
  const teaches = (cls: ClassFacts) => staff.instructor_id !== null && cls.coach_ids.includes(staff.instructor_id)
  const here = classes.filter((cls) => ctx.worksAt(cls.location_id))
  const seen = seesAll ? here : ctx.may('classes.own') ? here.filter(teaches) : []
  const { drop_in_price, low_attendance_percent } = ctx.settings
  const counts = await countInClasses(
    ctx.db,
    seen.map((cls) => cls.single_class_id),
    drop_in_price === '' ? null : parsePesos(drop_in_price),
  )
  const byClass = new Map(counts.map((row) => [row.single_class_id, row]))
  return new Map(
    seen.flatMap(({ single_class_id, held, cancelled, cancel_reason, taken, capacity }) => {
      const row = byClass.get(single_class_id)
      if (!row) return []
      const { waiting, attended, absent, unpaid, owed_centavos } = row
      const owed = seesAll ? pesos(owed_centavos) : null
      const figures: ClassFigures = {
        held,
        waiting,
        attended,
        absent,
        unpaid,
        owed,
        cancelled,
        cancel_reason: cancel_reason || null,
        low_attendance: capacity !== null && taken * 100 < capacity * low_attendance_percent,
      }
      return [[single_class_id, figures] as const]
    }),
  )
}
