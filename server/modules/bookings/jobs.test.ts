import { afterAll, beforeAll, expect, test } from 'vitest'
import { newRun } from '#server/testing/run.ts'
import { studio, type TestStudio } from '#server/testing/studio.ts'
import { bookingJobs } from './jobs.ts'

let s: TestStudio
beforeAll(async () => {
  s = await studio({ work: true, settings: { business_name: 'Vaivén', allow_class_guests: true, cancel_timeframe_value: 12 } })
})
afterAll(() => s.close())

interface StoredMessage {
  to: string
  subject: string
  text: string
  message_id: string
}
const mails = (to: string) => s.sql<StoredMessage>(`select "to", subject, text, message_id from mail_outbox where "to" = $1`, [to])

/** Runs a handler once more, as the queue may. */
const confirm = (class_reservation_id: number) =>
  bookingJobs
    .find((job) => job.name === 'reservation-confirmed')
    ?.work(s.system('reservation-confirmed'), { class_reservation_id }, newRun())

async function mailTo(email: string) {
  for (let tries = 0; tries < 500; tries++) {
    const found = await mails(email)
    if (found.length) return found
    await new Promise((resume) => setTimeout(resume, 20))
  }
  throw new Error('No mail came.')
}

test('a reservation is confirmed by email once, with all details', async () => {
  const ana = await s.make.customer({ name: 'Ana <b>' })
  await s.make.lot(ana)
  const [type, location, coach] = await Promise.all([
    s.make.classType({ name: 'Reformer Flow' }),
    s.make.location({ name: 'Roma Norte', address: 'Tonalá 118' }),
    s.make.instructor({ name: 'Renata', nick_name: 'Rena' }),
  ])
  const cls = await s.make.class({
    class_type_id: type.class_type_id,
    location_id: location.location_id,
    instructor_id: coach.instructor_id,
    spot_map: '5,7',
  })
  const { class_reservation } = await s
    .as(ana)
    .bookings.reserve({ single_class_id: cls.single_class_id, spot: '2-5', guest: 'Jimena', guest_spot: '2-6' })
  const [mail] = await mailTo(ana.email)
  expect(mail?.subject).toBe('Tu lugar en Reformer Flow, vie 20 nov, 10:00')
  for (const part of [
    'Hola, Ana <b>.',
    'con Rena',
    'Roma Norte, Tonalá 118',
    'fila 2, lugar 5',
    'Jimena, fila 2, lugar 6',
    '12 horas',
    '/mystudio/reservaciones',
  ])
    expect(mail?.text).toContain(part)
  await confirm(class_reservation.class_reservation_id)
  expect(await mails(ana.email)).toHaveLength(1)
})

test('a cancelled or unknown reservation is not confirmed', async () => {
  const ana = await s.make.customer()
  await s.make.lot(ana)
  const cls = await s.make.class()
  const { class_reservation } = await s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id })
  await mailTo(ana.email)
  await s.sql('delete from mail_outbox')
  await s.as(ana).bookings.cancel({ class_reservation_id: class_reservation.class_reservation_id })
  await confirm(class_reservation.class_reservation_id)
  await confirm(2_000_000_000)
  expect(await mails(ana.email)).toEqual([])
})

test('a refused booking leaves no job', async () => {
  const ana = await s.make.customer()
  const cls = await s.make.class()
  const jobs = () => s.sql<{ n: number }>(`select count(*)::int as n from jobs.job where data->>'job' = 'reservation-confirmed'`)
  const before = await jobs()
  await expect(s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id })).rejects.toMatchObject({ code: 'NO_CREDITS' })
  expect(await jobs()).toEqual(before)
})
