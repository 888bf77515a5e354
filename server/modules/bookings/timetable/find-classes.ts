import { addDays, localDate } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { classWords, isClassNamed } from './class-words.ts'
import { type ClassFacts, timetable } from './timetable.ts'

/** Days that are searched: yesterday, because its list may still be open, and three weeks. */
const DAYS_BEFORE = 1
const DAYS_AHEAD = 21

/**
 * Classes that a text names, from the cached timetable: the next one first, those that began last. Only where the person works; without
 * `roster.all` only those that they teach.
 */
export async function findClasses(ctx: Ctx, typed: string, limit: number): Promise<ClassFacts[]> {
  const words = classWords(typed)
  const instructor_id = ctx.staff?.instructor_id ?? null
  const seesAll = ctx.may('roster.all')
  if (!words || !(seesAll || (ctx.may('classes.own') && instructor_id !== null))) return []
  const today = localDate(ctx.now, ctx.zone)
  const days = { today, tomorrow: addDays(today, 1) }
  const all = await timetable(ctx.studio).between({ start: addDays(today, -DAYS_BEFORE), end: addDays(today, DAYS_AHEAD), today })
  const found = all.filter(
    (cls) =>
      ctx.worksAt(cls.location_id) &&
      (seesAll || (instructor_id !== null && cls.coach_ids.includes(instructor_id))) &&
      isClassNamed(words, cls.shown, days),
  )
  const isOver = (cls: ClassFacts) => cls.ends_at <= ctx.now
  return [...found.filter((cls) => !isOver(cls)), ...found.filter(isOver).reverse()].slice(0, limit)
}
