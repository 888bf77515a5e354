import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { reserveNewClass } from '#server/testing/reservations.ts'
import { newRun } from '#server/testing/run.ts'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs, sweepMessages } from '#server/testing/work.ts'
import { bookingRelevance, notifyCancelled, notifyConfirmed, remind } from './notifications.ts'

let s: TestStudio
beforeAll(async () => {
  s = await studio()
})
afterAll(() => s.close())
beforeEach(() => s.reset())

async function buyer(creditLot: Parameters<TestStudio['make']['lot']>[1] = {}) {
  const customer = await s.make.customer({ name: 'Ana' })
  await s.make.lot(customer, creditLot)
  return customer
}
const work = async (...also: string[]) => {
  await doJobs(s, ...also)
  await sweepMessages(s.system(), bookingRelevance)
}
const rows = (person: Person, event: string) =>
  s.sql<{ channel: string; status: string }>('select channel, status from message where customer_id = $1 and event = $2 order by channel', [
    person.customer_id,
    event,
  ])
const states = async (person: Person, event: string) => (await rows(person, event)).map((row) => `${row.channel} ${row.status}`)
const mails = (person: Person) =>
  s.sql<{ subject: string; text: string }>('select subject, text from mail_outbox where "to" = $1 order by mail_id', [person.email])

describe('a booking', () => {
  test('a booking is confirmed once on every agreed channel, however often the job runs', async () => {
    const ana = await buyer()
    await s.as(ana).messages.setPreferences({ whatsapp: true })
    const { id } = await reserveNewClass(s, ana)
    await work()
    for (let n = 0; n < 3; n++) await notifyConfirmed(s.system(), [{ data: { class_reservation_id: id }, run: newRun() }])
    await work()
    expect(await states(ana, 'reservation_confirmed')).toEqual(['app sent', 'mail sent', 'whatsapp sent'])
    expect(
      await s.sql(`select text, link from whatsapp_outbox where "to" = (select '52' || phone from customer where customer_id = $1)`, [
        ana.customer_id,
      ]),
    ).toEqual([
      {
        text: expect.stringMatching(
          /^Hola, Ana\. Tu lugar en Reformer \d+ está reservado: vie 20 nov, 10:00, en Estudio \d+\. Te esperamos\.$/,
        ),
        link: 'http://localhost:3000/mystudio/reservaciones',
      },
    ])
    expect(await mails(ana)).toHaveLength(1)
  })

  test('cancelled before its WhatsApp was sent is not confirmed by WhatsApp', async () => {
    const ana = await buyer()
    await s.as(ana).messages.setPreferences({ whatsapp: true })
    s.clock.set('2026-11-19T23:00:00-06:00')
    const { id } = await reserveNewClass(s, ana, { starts_at: new Date('2026-11-20T23:00:00Z') })
    await work()
    expect(await states(ana, 'reservation_confirmed')).toContain('whatsapp waiting')
    await s.as(ana).bookings.cancel({ class_reservation_id: id })
    s.clock.set('2026-11-20T08:00:00-06:00')
    await work()
    expect(await states(ana, 'reservation_confirmed')).toContain('whatsapp moot')
  })

  test('a cancellation is notified with what was returned; an undo within minutes is not', async () => {
    await s.change({ cancel_timeframe_value: 12, allow_cancel_after_treshold: true })
    const ana = await buyer()
    const newClass = await reserveNewClass(s, ana)
    await s.as(ana).bookings.cancel({ class_reservation_id: newClass.id })
    await work()
    expect(await rows(ana, 'reservation_cancelled')).toEqual([])
    const two = await reserveNewClass(s, ana)
    s.clock.advance({ minutes: 10 })
    await s.as(ana).bookings.cancel({ class_reservation_id: two.id })
    await work()
    await notifyCancelled(s.system(), { class_reservation_id: two.id, credit: 'returned' })
    await work()
    expect((await mails(ana)).at(-1)?.text).toContain('Tu crédito regresó.')
    const three = await reserveNewClass(s, ana)
    s.clock.advance({ hours: 20 })
    await s.as(ana).bookings.cancel({ class_reservation_id: three.id })
    await work()
    expect((await mails(ana)).filter((mail) => mail.subject.startsWith('Lugar cancelado'))).toHaveLength(2)
    expect((await mails(ana)).at(-1)?.text).toContain('Por la hora, el crédito no regresa.')
  })
})

describe('a customer who chose English (G13)', () => {
  test('gets the product’s own words in English, the studio’s as they are, and WhatsApp in Spanish', async () => {
    await s.change({ languages: 'es-MX,en' })
    const ana = await buyer()
    await s.as(ana).people.update({ language: 'en' })
    await s.as(ana).messages.setPreferences({ whatsapp: true })
    const { id } = await reserveNewClass(s, ana)
    await work()
    const [mail] = await mails(ana)
    expect(mail?.subject).toMatch(/^Your spot in Reformer \d+, Fri 20 Nov, 10:00$/)
    expect(mail?.text).toMatch(/^Your spot is booked\n\nHi, Ana\.\n\nReformer \d+, Fri 20 Nov, 10:00/)
    expect(mail?.text).toContain('See my bookings:\n')
    const html = (await s.sql<{ html: string }>('select html from mail_outbox where "to" = $1', [ana.email]))[0]?.html ?? ''
    expect(html).toContain('<html lang="en">')
    expect(html).toContain('If the button doesn’t work')
    const [own] = (await s.as(ana).messages.list({})).messages
    expect(own?.title).toBe('Your spot is booked')
    const [text] = await s.sql<{ text: string }>(
      `select text from whatsapp_outbox where "to" = (select '52' || phone from customer where customer_id = $1)`,
      [ana.customer_id],
    )
    expect(text?.text).toContain('Tu lugar en')

    // Without English in the studio, messages are in Spanish again.
    await s.change({ languages: 'es-MX' })
    s.clock.advance({ minutes: 10 })
    await s.as(ana).bookings.cancel({ class_reservation_id: id })
    await work()
    expect((await mails(ana)).at(-1)?.text).toContain('Tu crédito regresó.')
  })
})

describe('reminders (M8)', () => {
  test('reminders are sent the configured hours before, once, and not right after booking', async () => {
    await s.change({ reminder_hours: 12 })
    const [ana, late, leaver] = [await buyer(), await buyer(), await buyer()]
    const { cls } = await reserveNewClass(s, ana)
    const answer = await s.as(leaver).bookings.reserve({ single_class_id: cls.single_class_id })
    s.clock.advance({ hours: 11, minutes: 59 })
    await work('bookings.reminders')
    expect(await rows(ana, 'reservation_reminder')).toEqual([])
    await s.as(leaver).bookings.cancel({ class_reservation_id: answer.class_reservation.class_reservation_id })
    s.clock.advance({ minutes: 2 })
    await s.as(late).bookings.reserve({ single_class_id: cls.single_class_id })
    await Promise.all(Array.from({ length: 5 }, () => remind(s.system())))
    await work('bookings.reminders')
    expect(await states(ana, 'reservation_reminder')).toEqual(['app sent', 'mail sent'])
    expect(await rows(late, 'reservation_reminder')).toEqual([])
    expect(await rows(leaver, 'reservation_reminder')).toEqual([])
    expect((await mails(ana)).filter((mail) => mail.subject.startsWith('Te esperamos'))).toHaveLength(1)
  })

  test('reminders are sent again when the hour changes, and not for a cancelled class', async () => {
    await s.change({ reminder_hours: 12 })
    const manager = await s.make.staff('manager')
    const [ana, eva] = [await buyer(), await buyer()]
    const newClass = await reserveNewClass(s, ana)
    const two = await reserveNewClass(s, eva)
    s.clock.advance({ hours: 13 })
    await s.as(manager).schedule.cancel({ single_class_id: two.cls.single_class_id })
    await work('bookings.reminders')
    expect(await rows(eva, 'reservation_reminder')).toEqual([])
    await s.as(manager).schedule.update({ single_class_id: newClass.cls.single_class_id, class_date: '2026-11-22T18:00:00.000Z' })
    s.clock.set('2026-11-22T07:00:00-06:00')
    await work('bookings.reminders')
    expect((await rows(ana, 'reservation_reminder')).filter((row) => row.channel === 'mail')).toHaveLength(2)
  })

  test('a hundred and fifty reminders are sent concurrently, each exactly once', async () => {
    await s.change({ reminder_hours: 12 })
    const cls = await s.make.class({ capacity: 200, starts_at: new Date('2026-11-20T16:30:00Z') })
    await s.sql(
      `insert into customer (name, last_name, email) select 'Ana', 'Treviño', 'muchas' || n || '@ejemplo.mx' from generate_series(1, 150) n`,
    )
    await s.sql(
      `insert into class_reservation (single_class_id, customer_id, "createdAt", "updatedAt") select $1, customer_id, $2, $2 from customer where email like 'muchas%'`,
      [cls.single_class_id, s.clock.now().toISOString()],
    )
    s.clock.advance({ hours: 13 })
    await Promise.all([remind(s.system()), remind(s.system())])
    await work()
    const [count] = await s.sql(`select count(*)::int as n, count(distinct "to")::int as people from mail_outbox where "to" like 'muchas%'`)
    expect(count).toEqual({ n: 150, people: 150 })
  })
})

test('the studio’s settings decide the channels of each event (M1)', async () => {
  await s.change({ message_channels: { reservation_confirmed: ['app'], reservation_cancelled: [] } })
  const ana = await buyer()
  const { id } = await reserveNewClass(s, ana)
  s.clock.advance({ minutes: 10 })
  await s.as(ana).bookings.cancel({ class_reservation_id: id })
  await work()
  expect(await mails(ana)).toEqual([])
  expect(await rows(ana, 'reservation_cancelled')).toEqual([])
})

describe('expiring credits (C19)', () => {
  test('expiring credits are notified once per lot and day, with the amount; not used up, frozen or renewing ones', async () => {
    await s.change({ credit_notice_days: 5 })
    const soon = new Date('2026-11-24T05:59:59Z')
    const ana = await buyer({ title: 'Diez clases', granted: 3, expires_at: soon })
    const [later, frozen, empty, subscribed, unlimited] = [
      await buyer({ expires_at: new Date('2026-12-24T05:59:59Z') }),
      await buyer({ expires_at: soon, frozenAt: s.clock.now() }),
      await buyer({ expires_at: soon, granted: 0 }),
      await buyer({
        expires_at: soon,
        class_package_id: (await s.make.package({ is_subscription: true, subscription_period: 'month', subscription_interval: 1 }))
          .class_package_id,
      }),
      await buyer({ title: 'Mes libre', unlimited: true, expires_at: soon }),
    ]
    await work('credits.expiring')
    s.clock.advance({ days: 1 })
    await work('credits.expiring')
    expect(await mails(ana)).toMatchObject([
      {
        subject: 'Diez clases expira el 23 nov 2026',
        text: expect.stringContaining('Tienes 3 clases por usar. Reserva una clase hasta el 23 nov 2026.'),
      },
    ])
    expect((await mails(unlimited))[0]?.text).toContain('Tienes clases ilimitadas por usar.')
    for (const person of [later, frozen, empty, subscribed]) expect(await mails(person)).toEqual([])
  })

  test('not by email to customers who opted out', async () => {
    const ana = await buyer({ expires_at: new Date('2026-11-23T05:59:59Z') })
    await s.as(ana).messages.setPreferences({ mail: false })
    await work('credits.expiring')
    expect(await states(ana, 'credit_expiring')).toEqual(['app sent'])
  })
})
