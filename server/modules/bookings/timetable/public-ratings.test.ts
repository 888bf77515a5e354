/** What a studio publishes of its ratings (docs/domain.md R26). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { START, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
beforeAll(async () => {
  s = await studio({ settings: { rating_public: true } })
})
afterAll(() => s.close())
beforeEach(async () => {
  s.clock.set(START)
  await s.sql('delete from class_reservation')
})

/** Rated reservations of one class, booked some days ago. */
async function rated(single_class_id: number, count: number, stars: { class?: number; coach: number }, daysAgo = 10): Promise<void> {
  const at = new Date(new Date(START).getTime() - daysAgo * 86_400_000)
  for (let n = 0; n < count; n++) {
    const { customer_id } = await s.make.customer()
    await s.sql(
      `insert into class_reservation (single_class_id, customer_id, is_cash, attend, class_stars, coach_stars, comment, "createdAt", "updatedAt")
       values ($1, $2, true, true, $3, $4, 'Privado', $5, $5)`,
      [single_class_id, customer_id, stars.class ?? null, stars.coach, at],
    )
  }
}
const ratingOf = async (instructor_id?: number) =>
  (await s.as(null).bookings.ratings(instructor_id === undefined ? {} : { instructor_id })).rating

test('publishes the average of the last year from twenty ratings on, and only where the studio says so', async () => {
  const { single_class_id } = await s.make.class({ capacity: 90 })
  await rated(single_class_id, 19, { class: 5, coach: 4 })
  await rated(single_class_id, 5, { class: 1, coach: 1 }, 400)
  expect(await ratingOf()).toBeNull()
  await rated(single_class_id, 1, { coach: 2 })
  // 19 x 5 and the coach's 2 where the class itself was not rated: 97 / 20.
  expect(await ratingOf()).toEqual({ average: 4.9, ratings: 20 })
  await s.having({ rating_public: false }, async () => expect(await ratingOf()).toBeNull())
})

test('publishes a coach’s own stars', async () => {
  const [first, two] = [await s.make.instructor(), await s.make.instructor()]
  const mine = await s.make.class({ capacity: 90, instructor_id: first.instructor_id })
  const theirs = await s.make.class({ capacity: 90, instructor_id: two.instructor_id })
  await rated(mine.single_class_id, 20, { class: 1, coach: 5 })
  await rated(theirs.single_class_id, 19, { class: 5, coach: 5 })
  expect(await ratingOf(first.instructor_id)).toEqual({ average: 5, ratings: 20 })
  expect(await ratingOf(two.instructor_id)).toBeNull()
})
