/**
 * The processes that notify a waitlist or assign its spots are killed: every customer is notified of an opening once, none is skipped, and
 * the first of the waitlist get the spots.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookingRelevance } from '#server/modules/bookings/notifications/notifications.ts'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { type LoopbackWhatsApp, loopbackWhatsApp } from '#server/testing/loopback-whatsapp.ts'
import { secondProcess } from '#server/testing/second-process.ts'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs, sweepMessages } from '#server/testing/work.ts'

let s: TestStudio
let meta: LoopbackWhatsApp
let env: Record<string, string>
beforeAll(async () => {
  meta = await loopbackWhatsApp({ token: 'una-clave', phoneId: '1065' })
  env = { WHATSAPP_TOKEN: 'una-clave', WHATSAPP_PHONE_ID: '1065', WHATSAPP_API_BASE: meta.url }
  s = await studio({ env, settings: { waitlist_enabled: true } })
})
afterAll(async () => {
  await s.close()
  await meta.close()
})

async function buyer(n: number): Promise<Person> {
  // The fake answers by the last digits; these are of telephones that work.
  const customer = await s.make.customer({ phone: `5520${String(100 + n)}390` })
  await s.make.lot(customer)
  return customer
}
const book = async (person: Person, single_class_id: number) =>
  (await s.as(person).bookings.reserve({ single_class_id })).class_reservation.class_reservation_id

/** Two processes do the work; one is killed as soon as `started` is true, and later the other. */
async function killBoth(started: (n: number) => Promise<boolean>): Promise<void> {
  // The second starts while the first works, and the first is watched from the moment it does.
  const first = await secondProcess(s, { env, work: true })
  for (const [n, starting] of [Promise.resolve(first), secondProcess(s, { env, work: true })].entries()) {
    const worker = await starting
    const until = performance.now() + 8_000
    while (!(await started(n)) && performance.now() < until) await sleep(2)
    await worker.kill()
  }
}
/** Those who are still there do what is left. */
async function finish(): Promise<void> {
  for (let n = 0; n < 4; n++) {
    await doJobs(s)
    await sweepMessages(s.system(), bookingRelevance)
    s.clock.advance({ minutes: 4 })
  }
}

// Slow: a hundred people wait, and processes are started and killed.
test('todos: a hundred wait, a spot becomes free, and both notifying processes die: each is notified once (S2-4.20)', {
  timeout: 300_000,
}, async () => {
  await s.change({ waitlist_mode: 'todos' })
  const { single_class_id } = await s.make.class({ capacity: 1, starts_at: new Date('2026-11-25T16:00:00Z') })
  const class_reservation_id = await book(await buyer(0), single_class_id)
  const waiting: Person[] = []
  for (let n = 1; n <= 100; n++) waiting.push(await buyer(n))
  for (const person of waiting) await s.as(person).waitlist.join({ single_class_id })
  await doJobs(s)
  const [inside] = await s.sql<{ customer_id: number }>('select customer_id from class_reservation where class_reservation_id = $1', [
    class_reservation_id,
  ])
  const before = meta.delivered.length
  const manager = await s.make.staff('manager')
  await s.as(manager).attendance.cancel({ class_reservation_id, reason: 'Avisó' })
  let firstKill = 0
  await killBoth(async (n) => {
    const so = meta.delivered.length - before
    if (n === 0) firstKill = so
    return so >= 8 + 30 * n
  })
  await finish()

  const rows = await s.sql<{ customer_id: number; channel: string; status: string; n: number }>(
    `select customer_id, channel, status, count(*)::int as n from message where event = 'waitlist_open' group by 1, 2, 3`,
  )
  expect(rows.filter((row) => row.n !== 1)).toEqual([])
  for (const person of waiting) {
    const mine = rows
      .filter((row) => row.customer_id === person.customer_id)
      .map((row) => `${row.channel} ${row.status}`)
      .sort()
    expect(mine.slice(0, 2)).toEqual(['app sent', 'mail sent'])
    expect([mine.length, ['whatsapp sent', 'whatsapp unknown'].includes(mine[2] ?? '')]).toEqual([3, true])
  }
  expect(rows.some((row) => row.customer_id === inside?.customer_id)).toBe(false)
  // No customer got the WhatsApp twice, and every delivery that is recorded as sent was made.
  const rung = meta.delivered.slice(before).filter((delivered) => delivered.callback.startsWith('waitlist-open'))
  expect(new Set(rung.map((delivered) => delivered.to)).size).toBe(rung.length)
  expect(rung.length).toBeGreaterThanOrEqual(rows.filter((row) => row.channel === 'whatsapp' && row.status === 'sent').length)
  // The first of them died in the middle of it.
  expect([firstKill > 0, firstKill < 100]).toEqual([true, true])

  // The first to book has it.
  await s.as(waiting[70] as Person).bookings.reserve({ single_class_id })
  expect(await findBrokenInvariants(s)).toEqual({})
})

// Slow: processes are started and killed.
test('auto: eight spots, twenty wait, and both assigning processes die: the first eight get them', { timeout: 300_000 }, async () => {
  await s.change({ waitlist_mode: 'auto' })
  const { single_class_id } = await s.make.class({ capacity: 1, starts_at: new Date('2026-11-26T16:00:00Z') })
  await book(await buyer(200), single_class_id)
  const waiting: Person[] = []
  for (let n = 201; n <= 220; n++) waiting.push(await buyer(n))
  for (const person of waiting) {
    await s.as(person).waitlist.join({ single_class_id, auto: true })
    s.clock.advance({ seconds: 1 })
  }
  await s.as(await s.make.staff('manager')).schedule.update({ single_class_id, capacity: 9 })
  const booked = () =>
    s.sql<{ customer_id: number }>(
      `select customer_id from waitlist where single_class_id = $1 and status = 'booked' order by "createdAt"`,
      [single_class_id],
    )
  await killBoth(async (n) => (await booked()).length > 2 * n)
  await finish()
  expect((await booked()).map((row) => row.customer_id)).toEqual(waiting.slice(0, 8).map((person) => person.customer_id))
  expect(await s.sql('select taken, held from single_class where single_class_id = $1', [single_class_id])).toEqual([{ taken: 9, held: 0 }])
  for (const [n, person] of waiting.entries()) expect((await s.as(person).credits.list()).summary.available).toBe(n < 8 ? 9 : 10)
  const messages = await s.sql(
    `select customer_id from message where event = 'waitlist_booked' and channel = 'app' group by customer_id having count(*) = 1`,
  )
  expect(messages).toHaveLength(8)
  expect(await findBrokenInvariants(s)).toEqual({})
})
