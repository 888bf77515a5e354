import type { LocalDate } from '#contract/time.ts'
import { type PlanEdit, STEP_MINUTES } from './plan-edits.ts'
import type { Venue } from './plan-views.ts'

/** A column or cell of the view: what a class that is put there takes over. `coach` undefined = its own. */
export interface PlanTarget {
  column: string
  day: LocalDate
  venue: Venue | null
  coach: number | null | undefined
}

const ARROWS: Readonly<Record<string, { minutes: number; days: number }>> = {
  ArrowUp: { minutes: -STEP_MINUTES, days: 0 },
  ArrowDown: { minutes: STEP_MINUTES, days: 0 },
  ArrowLeft: { minutes: 0, days: -1 },
  ArrowRight: { minutes: 0, days: 1 },
}
/** Whether a key is an arrow. */
export const isArrow = (key: string): boolean => key in ARROWS

/** The name of the column or cell in which an element is. */
export const columnOf = (element: EventTarget): string =>
  element instanceof Element ? (element.closest<HTMLElement>('[data-column]')?.dataset.column ?? '') : ''

/** The step of Alt and an arrow key: time and day, or the next column or row of the view. */
export function keyboardStep(
  key: string,
  element: EventTarget,
  { across, down }: { across: readonly PlanTarget[] | null; down: readonly PlanTarget[] | null },
): Partial<PlanEdit> | null {
  const arrow = ARROWS[key]
  if (!arrow) return null
  const list = arrow.days === 0 ? down : across
  if (list === null) return arrow
  const column = columnOf(element)
  const lines = [...new Set(list.map(lineOf))]
  const here = list.find((target) => target.column === column)
  if (!here) return null
  const next = lines[lines.indexOf(lineOf(here)) + Math.sign(arrow.days || arrow.minutes)]
  const target = list.find((planTarget) => lineOf(planTarget) === next)
  if (!target) return null
  if (target.venue) return { venue: target.venue }
  return target.coach === undefined ? null : { coach: { from: here.coach ?? null, to: target.coach } }
}

/** What the columns or cells of one column or row of the view have in common. */
const lineOf = ({ venue, coach, day }: PlanTarget): string =>
  venue ? `${venue.location_id} ${venue.room_id}` : coach === undefined ? day : `coach ${coach}`
