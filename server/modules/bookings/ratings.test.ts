/** Ratings of attended classes (docs/domain.md R17). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { reserveNewClass } from '#server/testing/reservations.ts'
import { codeOf, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
beforeAll(async () => {
  s = await studio()
})
afterAll(() => s.close())
beforeEach(() => s.reset())

describe('ratings (R17, S2-3.23, S2-4.07 to S2-4.09)', () => {
  async function attended(attend: boolean | null = true) {
    const ana = await s.make.buyer()
    const { id } = await reserveNewClass(s, ana)
    s.clock.advance({ hours: 26 })
    await s.sql('update class_reservation set attend = $2 where class_reservation_id = $1', [id, attend])
    return { ana, id }
  }
  const rating = { class_stars: 4, coach_stars: 5, comment: 'Me encantó' }

  test('an attended class is rated once, and shows the stars', async () => {
    const { ana, id } = await attended()
    expect((await s.as(ana).bookings.one({ class_reservation_id: id })).class_reservation.actions.rate).toBe(true)
    const { class_reservation } = await s.as(ana).bookings.rate({ class_reservation_id: id, ...rating })
    expect(class_reservation).toMatchObject({ ...rating, status: 'Exitosa', actions: { rate: false } })
    expect(await refusalOf(s.as(ana).bookings.rate({ class_reservation_id: id, ...rating }))).toMatchObject({
      code: 'ALREADY_RATED',
      status: 409,
    })
  })

  test('the class may be left without stars, the coach may not (S2-5.09, S2-9.03)', async () => {
    const { ana, id } = await attended()
    for (const wrong of [{ coach_stars: 0 }, { coach_stars: 6 }, { coach_stars: 4.5 }, {}, { coach_stars: 5, class_stars: 6 }])
      expect(await codeOf(s.as(ana).bookings.rate({ class_reservation_id: id, ...wrong } as never))).toBe('INVALID_INPUT')
    const { class_reservation } = await s.as(ana).bookings.rate({ class_reservation_id: id, coach_stars: 3 })
    expect(class_reservation).toMatchObject({ class_stars: null, coach_stars: 3, comment: null, actions: { rate: false } })
  })

  test.each([
    ['did not come', false],
    ['nobody marked', null],
  ])('not one that one %s', async (_what, attend) => {
    const { ana, id } = await attended(attend)
    expect(await codeOf(s.as(ana).bookings.rate({ class_reservation_id: id, ...rating }))).toBe('RATING_NOT_ALLOWED')
  })

  test('rating a class is refused where ratings are off, and for another customer’s reservation', async () => {
    const { ana, id } = await attended()
    expect(await codeOf(s.as(await s.make.buyer()).bookings.rate({ class_reservation_id: id, ...rating }))).toBe('RESERVATION_NOT_FOUND')
    await s.change({ reservation_rating_enabled: false })
    expect(await codeOf(s.as(ana).bookings.rate({ class_reservation_id: id, ...rating }))).toBe('RATING_NOT_ALLOWED')
  })

  test('ten concurrent ratings are one', async () => {
    const { ana, id } = await attended()
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => s.as(ana).bookings.rate({ class_reservation_id: id, coach_stars: (n % 5) + 1 })),
    )
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
  })
})

test('all counters match the rows', async () => {
  expect(await findBrokenInvariants(s)).toEqual({})
})
