/** Free coaches come first in the panel of a class (design of Horario, L3). */
import { expect, test } from 'vitest'
import type { PlannedClass } from '#contract/studio-schedule.ts'
import { coachesAt } from './coach-choice.ts'

const [sofia, diego, lucia] = [{ instructor_id: 1 }, { instructor_id: 2 }, { instructor_id: 3 }]
const cls = (single_class_id: number, class_date: string, minutes: number, coach: number, state = 'published') =>
  ({
    single_class_id,
    class_draft_id: null,
    class_date,
    duration_minutes: minutes,
    instructors: [{ instructor_id: coach }],
    state,
  }) as unknown as PlannedClass
const form = { day: '2026-11-26', hour: '19:00', minutes: '50', class_type_id: '4' }
const at = (others: readonly PlannedClass[], own: PlannedClass | null = null, absences: Parameters<typeof coachesAt>[4] = []) => {
  const { free, busy, absent } = coachesAt([sofia, diego, lucia], form, others, own, absences, [])
  return [free, busy, absent].map((list) => list.map((instructor) => instructor.instructor_id))
}

test('a coach of an overlapping class is busy; one whose class begins when the other ends is not', () => {
  expect(
    at([cls(7, '2026-11-26T19:30:00.000Z', 50, 1), cls(8, '2026-11-26T18:10:00.000Z', 50, 2), cls(9, '2026-11-26T19:50:00.000Z', 50, 3)]),
  ).toEqual([[2, 3], [1], []])
})

test('another day, a cancelled class and the class itself make no coach busy', () => {
  const own = cls(9, '2026-11-26T19:00:00.000Z', 50, 3)
  expect(at([cls(7, '2026-11-27T19:30:00.000Z', 50, 1), cls(8, '2026-11-26T19:00:00.000Z', 50, 2, 'cancelled'), own], own)).toEqual([
    [1, 2, 3],
    [],
    [],
  ])
})

test('coaches who reported an absence that day are last, whether they teach the type or not', () => {
  const away = [{ instructor_id: 1, from: '2026-11-20', to: '2026-11-26' }]
  expect(at([cls(7, '2026-11-26T19:30:00.000Z', 50, 1)], null, away)).toEqual([[2, 3], [], [1]])
})

test('free coaches who do not teach the type come after those who do; without a type all do', () => {
  const teaching = [
    { instructor_id: 1, class_type_ids: [7] },
    { instructor_id: 2, class_type_ids: [4, 7] },
  ]
  const groups = (class_type_id: string) => coachesAt([sofia, diego, lucia], { ...form, class_type_id }, [], null, [], teaching)
  expect(groups('4')).toMatchObject({ free: [diego, lucia], others: [sofia] })
  expect(groups('')).toMatchObject({ free: [sofia, diego, lucia], others: [] })
})
