/**
 * The text of a week's answer: the bytes that the contract's schema and `JSON.stringify` would make of it. What does not depend on the viewer
 * is written once per class and its facts, what does once per different text: a week of 84 classes is then a hundred texts to join.
 */
import * as z from 'zod'
import { closedDay, type SingleClass, singleClass } from '#contract/schedule.ts'
import type { LocalDate } from '#contract/time.ts'
import type { PublicClassFacts } from './timetable.ts'

export type ForViewer = Pick<SingleClass, 'state' | 'actions' | 'why_not' | 'opens_at' | 'mine' | 'waitlist_id' | 'figures'>

const VIEWER = { state: true, actions: true, why_not: true, opens_at: true, mine: true, waitlist_id: true, figures: true } as const
const publicFacts = singleClass.omit(VIEWER)
const forViewer = singleClass.pick(VIEWER)
const closedDays = z.array(closedDay)

/** Texts of facts without their last brace; facts are never changed once they are made. */
const written = new WeakMap<PublicClassFacts, string>()

function writeFacts(shown: PublicClassFacts): string {
  let text = written.get(shown)
  if (text === undefined) {
    text = JSON.stringify(publicFacts.parse(shown)).slice(0, -1)
    written.set(shown, text)
  }
  return text
}

/** Texts for viewers, without their first brace, by what they were made from: most classes of a week are the same for a viewer. */
const states = new Map<string, string>()
const MAX_STATES = 2_000

function writeState(state: ForViewer): string {
  const key = JSON.stringify(state)
  let text = states.get(key)
  if (text === undefined) {
    text = JSON.stringify(forViewer.parse(state)).slice(1)
    if (states.size >= MAX_STATES) states.clear()
    states.set(key, text)
  }
  return text
}

export const writeClass = (shown: PublicClassFacts, state: ForViewer): string => `${writeFacts(shown)},${writeState(state)}`

interface WrittenDay {
  date: LocalDate
  classes: string[]
  closed: z.input<typeof closedDays> | undefined
}

export function writeDays(days: readonly WrittenDay[], range: { start_date: LocalDate; end_date: LocalDate; today: LocalDate }): string {
  const each = days.map(({ date, classes, closed }) => {
    const end = closed ? `],"closed":${JSON.stringify(closedDays.parse(closed))}}` : ']}'
    return `{"date":${JSON.stringify(date)},"classes":[${classes.join(',')}${end}`
  })
  const { start_date, end_date, today } = range
  return `{"days":[${each.join(',')}],${JSON.stringify({ start_date, end_date, today }).slice(1)}`
}
