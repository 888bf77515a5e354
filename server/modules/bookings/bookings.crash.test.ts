/**
 * A process is killed in the middle of bookings, twenty times: an answered request stays done, an unanswered one can be repeated under its
 * idempotency key and has one effect, and neither spots nor credits are lost.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { secondProcess } from '#server/testing/second-process.ts'
import { type Client, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

const ROUNDS = 20
const PEOPLE = 20

let s: TestStudio
beforeAll(async () => {
  s = await studio({ settings: { allow_class_guests: true } })
})
afterAll(() => s.close())

interface Visit {
  person: Person
  key: string
  send(client: Client): Promise<{ class_reservation: { class_reservation_id: number; deletedAt: string | null } }>
  answer: { id: number; gone: boolean } | null
}

// Slow: twenty processes are started and killed.
test('bookings survive twenty SIGKILLs', { timeout: 300_000 }, async () => {
  const customers: Person[] = []
  for (let n = 0; n < PEOPLE; n++) {
    const customer = await s.make.customer()
    await s.make.lot(customer, { granted: 200 })
    customers.push(customer)
  }
  let cut = 0
  let whole = 0
  const reservationByCustomer = new Map<number, number>()
  let next = secondProcess(s)
  for (let round = 0; round < ROUNDS; round++) {
    const cls = await s.make.class({ capacity: 30, starts_at: new Date(Date.parse('2026-11-25T16:00:00Z') + round * 3_600_000) })
    const doomed = await next
    const visits: Visit[] = customers.flatMap((person, n) => {
      const mine = reservationByCustomer.get(person.customer_id)
      const reserve: Visit = {
        person,
        key: `crash-${round}-${n}`,
        send: (client) => client.bookings.reserve({ single_class_id: cls.single_class_id, ...(n % 4 === 0 ? { guest: 'Jimena' } : {}) }),
        answer: null,
      }
      if (mine === undefined || n % 2 === 0) return [reserve]
      reservationByCustomer.delete(person.customer_id)
      return [
        reserve,
        {
          person,
          key: `cancel-${round}-${n}`,
          send: (client) => client.bookings.cancel({ class_reservation_id: mine }),
          answer: null,
        },
      ]
    })
    let answers = 0
    const running = Promise.allSettled(
      visits.map(async (visit) => {
        const { class_reservation } = await visit.send(doomed.as(visit.person, visit.key))
        visit.answer = { id: class_reservation.class_reservation_id, gone: class_reservation.deletedAt !== null }
        answers++
      }),
    )
    // Sooner or later in the storm, round by round.
    while (answers < round) await sleep(1)
    await doomed.kill()
    await running
    // The next one starts while this one's answers are looked at.
    next = secondProcess(s)

    for (const visit of visits) {
      const again = async () => {
        const { class_reservation } = await visit.send(s.as(visit.person, visit.key))
        return { id: class_reservation.class_reservation_id, gone: class_reservation.deletedAt !== null }
      }
      if (visit.answer) whole++
      else cut++
      // An answered request gets the same answer; an unanswered one has one effect, however often it is repeated.
      const first = await again()
      if (visit.answer) expect(first).toEqual(visit.answer)
      expect(await again()).toEqual(first)
      if (!first.gone) reservationByCustomer.set(visit.person.customer_id, first.id)
    }
    expect(await findBrokenInvariants(s), `after round ${round}`).toEqual({})
  }
  await (await next).close()
  // Without requests of both kinds the test would have proved nothing.
  expect(cut).toBeGreaterThan(ROUNDS)
  expect(whole).toBeGreaterThan(ROUNDS)
  for (const person of customers) {
    const reservations = await s.as(person).bookings.list({ filter: 'upcoming' })
    const spent = reservations.class_reservations.reduce((sum, reservation) => sum + (reservation.guest ? 2 : 1), 0)
    expect((await s.as(person).credits.list()).summary.available).toBe(200 - spent)
  }
})

test('after a crash too, a key with other contents is refused', async () => {
  const customer = await s.make.customer()
  await s.make.lot(customer)
  const [first, two] = [await s.make.class(), await s.make.class({ starts_at: new Date('2026-12-20T16:00:00Z') })]
  const doomed = await secondProcess(s)
  await doomed.as(customer, 'una-clave').bookings.reserve({ single_class_id: first.single_class_id })
  await doomed.kill()
  expect((await refusalOf(s.as(customer, 'una-clave').bookings.reserve({ single_class_id: two.single_class_id }))).code).toBe(
    'IDEMPOTENCY_KEY_REUSED',
  )
})
