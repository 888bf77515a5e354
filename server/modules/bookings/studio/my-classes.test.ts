/** Mis clases, for a coach (docs/domain.md A13). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { localDate } from '#contract/time.ts'
import { codeOf, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
beforeAll(async () => {
  s = await studio()
})
afterAll(() => s.close())
beforeEach(() => s.reset())

const HOUR = 3_600_000

test('a coach reads only their own classes, with first-timers and birthdays, and their ratings without authors', async () => {
  const [mine, theirs] = [await s.make.instructor(), await s.make.instructor()]
  const coach = await s.make.staff('coach', { instructor_id: mine.instructor_id })
  const starts_at = new Date(s.clock.now().getTime() + 24 * HOUR)
  const day = localDate(starts_at, 'America/Mexico_City')
  const past = await s.make.class({ starts_at: new Date(s.clock.now().getTime() + 13 * HOUR), instructor_id: mine.instructor_id })
  const cls = await s.make.class({ starts_at, instructor_id: mine.instructor_id })
  const other = await s.make.class({ starts_at, instructor_id: theirs.instructor_id })
  const [ana, eva, leo] = [await s.make.customer(), await s.make.customer(), await s.make.customer()]
  for (const person of [ana, eva, leo]) await s.make.lot(person)
  await s.sql(`update customer set birthdate = ('1990' || substr($2, 5))::date where customer_id = $1`, [ana.customer_id, day])
  // Ana was here before and rated that class; Eva comes for the first time.
  const { class_reservation } = await s.as(ana).bookings.reserve({ single_class_id: past.single_class_id })
  const { class_reservation_id } = class_reservation
  s.clock.advance({ hours: 15 })
  await s.sql('update class_reservation set attend = true where class_reservation_id = $1', [class_reservation_id])
  await s.as(ana).bookings.rate({ class_reservation_id, class_stars: 5, coach_stars: 4, comment: 'Muy buena música' })
  for (const person of [ana, eva]) await s.as(person).bookings.reserve({ single_class_id: cls.single_class_id })
  await s.as(leo).bookings.reserve({ single_class_id: other.single_class_id })
  const range = { from: localDate(new Date(starts_at.getTime() - 72 * HOUR), 'America/Mexico_City'), to: day }
  const seen = await s.as(coach).myClasses.read(range)
  expect(seen.classes.map((cls) => [cls.single_class_id, cls.first_timers, cls.figures?.owed])).toEqual([
    [past.single_class_id, 1, null],
    [cls.single_class_id, 1, null],
  ])
  expect(seen.birthdays).toMatchObject([{ single_class_id: cls.single_class_id, name: expect.stringMatching(/^Ana/) }])
  expect(seen.ratings).toEqual({
    average: 4,
    count: 1,
    comments: [{ text: 'Muy buena música', date: localDate(past.starts_at, 'America/Mexico_City') }],
  })
  // Their list names Ana, and not how she rated; a caller who may read customers sees both.
  const row = async (person: typeof coach) =>
    (await s.as(person).attendance.roster({ single_class_id: past.single_class_id })).class_reservations.find(
      (classReservation) => classReservation.class_reservation_id === class_reservation_id,
    )
  const nothing = { class_stars: null, coach_stars: null, comment: null }
  expect(await row(coach)).toMatchObject({ customer_id: ana.customer_id, ...nothing })
  const marked = await s.as(coach).attendance.mark({ class_reservation_id, attend: true })
  expect(marked.class_reservation).toMatchObject(nothing)
  const rated = { class_stars: 5, coach_stars: 4, comment: 'Muy buena música' }
  expect(await row(await s.make.staff('reception'))).toMatchObject(rated)
  const without = await s.as(await s.make.staff('manager')).myClasses.read(range)
  expect(without).toEqual({ classes: [], birthdays: [], ratings: { average: null, count: 0, comments: [] } })
  expect(await codeOf(s.as(coach).myClasses.read({ from: day, to: range.from }))).toBe('INVALID_INPUT')
  expect(await codeOf(s.as(ana).myClasses.read(range))).toBe('FORBIDDEN')
})
