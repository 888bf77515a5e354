/**
 * A sending process is killed repeatedly while customers book, cancel and are refused (M5, M6): a message is sent for every committed event
 * and for no other, by WhatsApp never twice, and by email twice only under the same id.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Chance } from '#server/demo/chance.ts'
import { bookingRelevance } from '#server/modules/bookings/notifications/notifications.ts'
import { type LoopbackSmtp, loopbackSmtp, readMessage } from '#server/testing/loopback-smtp.ts'
import { type LoopbackWhatsApp, loopbackWhatsApp } from '#server/testing/loopback-whatsapp.ts'
import { type SecondProcess, secondProcess } from '#server/testing/second-process.ts'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs, sweepMessages } from '#server/testing/work.ts'

const ROUNDS = 6
const PEOPLE = 10

let s: TestStudio
let meta: LoopbackWhatsApp
let post: LoopbackSmtp
let env: Record<string, string>
beforeAll(async () => {
  ;[meta, post] = [await loopbackWhatsApp({ token: 'una-clave', phoneId: '1065' }), await loopbackSmtp()]
  env = {
    WHATSAPP_TOKEN: 'una-clave',
    WHATSAPP_PHONE_ID: '1065',
    WHATSAPP_API_BASE: meta.url,
    SMTP_URL: `smtp://127.0.0.1:${post.port}`,
    MAIL_FROM: 'hola@vaiven.mx',
  }
  s = await studio({ env, settings: { waitlist_enabled: true, waitlist_mode: 'oferta', undo_minutes: 0 } })
})
afterAll(async () => {
  await s.close()
  await meta.close()
  await post.close()
})

interface Row {
  message_id: number
  event: string
  about: string
  customer_id: number
  channel: string
  status: string
}

// Slow: six processes are started and killed.
test('each message is sent once although the sender is killed with SIGKILL six times', { timeout: 300_000 }, async () => {
  const people: Person[] = []
  for (let n = 0; n < PEOPLE; n++) {
    const customer = await s.make.customer({ phone: `5510000${String(100 + n)}` })
    await s.make.lot(customer, { granted: 200 })
    await s.as(customer).messages.setPreferences({ whatsapp: true })
    people.push(customer)
  }
  const luck = new Chance(3)
  const remaining: number[] = []
  const expected: number[] = []
  let refused = 0
  let halfSent = 0
  let next: Promise<SecondProcess> = secondProcess(s, { env, work: true })
  for (let round = 0; round < ROUNDS; round++) {
    const worker = await next
    const starts_at = new Date(Date.parse('2026-11-25T14:00:00Z') + round * 3_600_000)
    // Two spots too few: some requests are refused, and must not cause a message.
    const { single_class_id } = await s.make.class({ capacity: PEOPLE - 2, starts_at })
    const before = meta.delivered.length + post.received.length
    const ids = await Promise.all(
      people.map(async (person) => {
        try {
          return { who: person, id: (await s.as(person).bookings.reserve({ single_class_id })).class_reservation.class_reservation_id }
        } catch {
          refused++
          return null
        }
      }),
    )
    const booked = ids.flatMap((booking) => booking ?? [])
    for (const [n, booking] of booked.entries()) {
      if (n % 3 !== 0) remaining.push(booking.id)
      else {
        await s.as(booking.who).bookings.cancel({ class_reservation_id: booking.id })
        expected.push(booking.id)
      }
    }
    // Now and then before anything was sent, mostly in the middle of it.
    const until = performance.now() + 4_000
    const wanted = before + Math.floor(luck.next() * 14)
    while (meta.delivered.length + post.received.length < wanted && performance.now() < until) await sleep(1)
    await worker.kill()
    halfSent += (await s.sql(`select 1 from message where status = 'sending' and "claimedAt" = $1`, [s.clock.now().toISOString()])).length
    next = secondProcess(s, { env, work: true })
  }
  await (await next).close()

  // What was left is done by those who are still there: jobs that died, messages that were half sent.
  const left = async () => s.sql(`select 1 from message where status in ('waiting', 'sending')`)
  for (let n = 0; n < 10 && (n < 3 || (await left()).length > 0); n++) {
    await doJobs(s)
    await sweepMessages(s.system(), bookingRelevance)
    s.clock.advance({ minutes: 4 })
  }

  const rows = await s.sql<Row>('select message_id, event, about, customer_id, channel, status from message')
  expect(rows.filter((row) => row.status === 'waiting' || row.status === 'sending')).toEqual([])
  const idOf = (row: Row) => `${row.event.replaceAll('_', '-')}-${row.message_id}`
  const byId = new Map(rows.map((row) => [idOf(row), row]))

  // Nothing before the commit: everything that left is about a place that there is.
  const reservationIds = new Set(
    (await s.sql<{ id: number }>('select class_reservation_id as id from class_reservation')).map(({ id }) => id),
  )
  const mails = post.received.map(({ raw, to }) => ({
    id: readMessage(raw)
      .header('message-id')
      .replace(/^<|@.*$/g, ''),
    to: to[0],
  }))
  for (const id of [...meta.delivered.map((delivered) => delivered.callback), ...mails.map((mail) => mail.id)]) {
    const row = byId.get(id)
    expect([id, row !== undefined, reservationIds.has(Number(row?.about.split(':')[1]))]).toEqual([id, true, true])
  }
  // By WhatsApp never twice; by mail under the same id and to the same person only.
  const rung = meta.delivered.map((delivered) => delivered.callback)
  expect(new Set(rung).size).toBe(rung.length)
  const toWhom = new Map<string, string>()
  for (const { id, to = '' } of mails) expect([id, toWhom.get(id) ?? to]).toEqual([id, toWhom.set(id, toWhom.get(id) ?? to).get(id)])

  // Messages recorded as sent were sent, and sent ones are not recorded as waiting.
  for (const row of rows) {
    if (row.channel === 'mail' && row.status === 'sent') expect([idOf(row), toWhom.has(idOf(row))]).toEqual([idOf(row), true])
    if (row.channel === 'whatsapp' && row.status === 'sent') expect([idOf(row), rung.includes(idOf(row))]).toEqual([idOf(row), true])
  }
  // Each reservation and each cancellation was notified once per channel. A kill in the middle of a WhatsApp call leaves its delivery
  // unknown; the mail is sent.
  const deliveriesOf = (id: number, event: string) =>
    rows
      .filter((row) => row.event === event && row.about === `reservation:${id}`)
      .map((row) => `${row.channel} ${row.status}`)
      .sort()
  for (const id of remaining) {
    const deliveries = deliveriesOf(id, 'reservation_confirmed')
    expect([id, deliveries.length, deliveries[0], deliveries[1]]).toEqual([id, 3, 'app sent', 'mail sent'])
    expect(['whatsapp sent', 'whatsapp unknown']).toContain(deliveries[2])
  }
  for (const id of expected)
    expect([id, deliveriesOf(id, 'reservation_cancelled').filter((delivery) => delivery === 'mail sent')]).toEqual([id, ['mail sent']])
  expect(
    rows.filter(
      (row) =>
        row.event === 'reservation_confirmed' &&
        !remaining.includes(Number(row.about.split(':')[1])) &&
        !expected.includes(Number(row.about.split(':')[1])),
    ),
  ).toEqual([])

  // Otherwise the test proved nothing: refusals there were, and kills in the middle.
  expect(refused).toBe(2 * ROUNDS)
  expect(halfSent).toBeGreaterThan(0)
})
