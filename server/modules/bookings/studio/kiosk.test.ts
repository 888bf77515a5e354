/** Kiosk mode: customers check themselves in, and the device does nothing else until staff type their PIN (Q8). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { codeOf, type Person, studio, type TestStudio } from '#server/testing/studio.ts'

let on: TestStudio
beforeAll(async () => {
  on = await studio()
})
afterAll(() => on.close())
beforeEach(() => on.reset({ drop_in_price: '220.00' }))

const HOUR = 3_600_000
const inHours = (hours: number) => new Date(on.clock.now().getTime() + hours * HOUR)
const staffId = async ({ uid }: Person) =>
  (await on.sql<{ staff_id: number }>('select staff_id from staff where uid = $1', [uid]))[0]?.staff_id ?? 0

/** A device of the reception in kiosk mode; its session is that of the receptionist. */
async function openKiosk(location_id?: number) {
  const rosa = await on.make.staff('reception', { name: 'Rosa' })
  await on.as(rosa).sharedDevice.setPin({ pin: '2580' })
  const opened = await on.as(rosa).sharedDevice.openKiosk({ location_id: location_id ?? null })
  return { rosa, opened, kiosk: on.as(rosa).kiosk, staff_id: await staffId(rosa) }
}

async function booked(hours: number, name: string, last_name = 'Prueba', values: Parameters<TestStudio['make']['class']>[0] = {}) {
  const person = await on.make.buyer()
  await on.sql('update customer set name = $2, last_name = $3 where customer_id = $1', [person.customer_id, name, last_name])
  const cls = await on.make.class({ starts_at: inHours(hours), ...values })
  const { class_reservation } = await on.as(person).bookings.reserve({ single_class_id: cls.single_class_id })
  const [row] = await on.sql<{ phone: string }>('select phone from customer where customer_id = $1', [person.customer_id])
  return { person, cls, id: class_reservation.class_reservation_id, phone: row?.phone ?? '' }
}
const arrivalOf = async (id: number) =>
  (
    await on.sql<{ attend: boolean | null; marked_by: number | null }>(
      'select attend, marked_by from class_reservation where class_reservation_id = $1',
      [id],
    )
  )[0]

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

test('a kiosk checks people in by code, telephone or name, with first names only, and nothing else works there', async () => {
  const ana = await booked(1, 'Ana Sofía', 'Lozano')
  const luz = await booked(1, 'Luz', 'Herrera')
  const eva = await booked(1, 'Éva', 'Marín')
  const { rosa, opened, kiosk, staff_id } = await openKiosk()
  expect(opened).toMatchObject({ is_shared: true, person: null, kiosk: { location_id: null, location: null } })
  expect((await on.as(rosa).sharedDevice.state()).kiosk).toEqual({ location_id: null, location: null })

  const scanned = await kiosk.checkin({ typed: `https://estudio.mx/admin/reservaciones/${ana.id}` })
  expect(scanned).toMatchObject({ result: 'ok', name: 'Ana', message: 'Registramos tu llegada.', choices: [] })
  expect(JSON.stringify(scanned)).not.toContain('Lozano')
  expect(await arrivalOf(ana.id)).toEqual({ attend: true, marked_by: staff_id })
  expect(await kiosk.checkin({ typed: String(ana.id) })).toMatchObject({ result: 'already', name: 'Ana' })

  expect(await kiosk.checkin({ typed: `${luz.phone.slice(0, 2)} ${luz.phone.slice(2)}` })).toMatchObject({ result: 'ok', name: 'Luz' })
  expect(await kiosk.checkin({ typed: luz.phone })).toMatchObject({ result: 'already' })

  // A name only proposes: nothing is marked before the person confirms.
  const proposed = await kiosk.checkin({ typed: 'eva marin' })
  expect(proposed).toMatchObject({ result: 'choose', name: null, choices: [{ class_reservation_id: eva.id, name: 'Éva' }] })
  expect(JSON.stringify(proposed)).not.toContain('Marín')
  expect((await arrivalOf(eva.id))?.attend).toBeNull()
  expect(await kiosk.checkin({ class_reservation_id: eva.id })).toMatchObject({ result: 'ok', name: 'Éva' })
  expect(await kiosk.checkin({ typed: 'eva marin' })).toMatchObject({ result: 'already', name: 'Éva' })
  for (const typed of ['ev', '5500000000', 'Nadie', 'https://estudio.mx/otra'])
    expect(await kiosk.checkin({ typed })).toMatchObject({ result: 'not_found', name: null })

  const locked = on.as(rosa)
  expect(await codeOf(locked.frontDesk.checkin({ code: String(ana.id) }))).toBe('DEVICE_LOCKED')
  expect(await codeOf(locked.attendance.mark({ class_reservation_id: ana.id, attend: null }))).toBe('DEVICE_LOCKED')
  expect(await codeOf(locked.customerFile.one({ customer_id: ana.person.customer_id }))).toBe('DEVICE_LOCKED')
  expect(await codeOf(locked.team.me())).toBe('DEVICE_LOCKED')
  expect(await codeOf(locked.sharedDevice.openKiosk({}))).toBe('DEVICE_LOCKED')
  // The files of the account that signed in, which need no right.
  expect(await codeOf(locked.files.list({}))).toBe('DEVICE_LOCKED')
  const picture = new File([Buffer.from(PNG, 'base64')], 'a.png', { type: 'image/png' })
  expect(await codeOf(locked.files.upload({ file: picture }))).toBe('DEVICE_LOCKED')

  await locked.sharedDevice.lock()
  expect((await locked.sharedDevice.state()).kiosk).not.toBeNull()
  expect(await codeOf(locked.sharedDevice.choose({ staff_id, pin: '9999' }))).toBe('PIN_WRONG')
  expect(await kiosk.checkin({ typed: luz.phone })).toMatchObject({ result: 'already' })
  const left = await locked.sharedDevice.choose({ staff_id, pin: '2580' })
  expect(left).toMatchObject({ person: { staff_id }, kiosk: null })
  expect((await locked.team.me()).staff.name).toBe('Rosa')
  expect(await codeOf(kiosk.checkin({ typed: luz.phone }))).toBe('NOT_FOUND')
  const trail = await on.sql(`select action from audit where actor_id = $1 and action like 'staff.%kiosk' and actor like 'staff:%'`, [
    staff_id,
  ])
  expect(trail).toEqual([{ action: 'staff.open_kiosk' }])
})

test('a copy of the session of a kiosk, without the key of its browser, checks nobody in, reads nothing and does not end kiosk mode (Q8)', async () => {
  const ana = await booked(1, 'Ana')
  const { rosa, kiosk } = await openKiosk()
  for (const cookie of ['', 'estudio_device=otra'])
    for (const [method, path, body] of [
      ['POST', 'device/checkin', { typed: String(ana.id) }],
      ['POST', 'device/checkin', { typed: ana.phone }],
      ['GET', 'me', undefined],
      ['POST', 'device/kiosk', { location_id: null }],
    ] as const) {
      const answer = await fetch(`${on.url}/api/admin/${path}`, {
        method,
        headers: { authorization: `Bearer ${rosa.token}`, 'content-type': 'application/json', cookie },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'DEVICE_LOCKED' }])
    }
  const locked = await fetch(`${on.url}/api/admin/device/person`, { method: 'DELETE', headers: { authorization: `Bearer ${rosa.token}` } })
  expect(locked.status).toBe(200)
  expect((await arrivalOf(ana.id))?.attend).toBeNull()
  expect(await kiosk.checkin({ typed: String(ana.id) })).toMatchObject({ result: 'ok', name: 'Ana' })
})

test('a kiosk shows neither debts nor classes of other hours, and asks which of several reservations', async () => {
  const { kiosk } = await openKiosk()
  const late = await booked(30, 'Inés')
  expect(await kiosk.checkin({ typed: String(late.id) })).toEqual({
    result: 'not_today',
    message: 'Tu clase no es ahora. Pregunta en recepción.',
    name: null,
    about: null,
    choices: [],
  })
  expect(await kiosk.checkin({ typed: late.phone })).toMatchObject({ result: 'not_found', name: null })

  const { customer_id } = await on.make.customer()
  const reception = await on.make.staff('reception')
  const cls = await on.make.class({ starts_at: inHours(1) })
  const owing = (await on.as(reception).attendance.reserve({ customer_id, single_class_id: cls.single_class_id, is_cash: true }))
    .class_reservation
  const owed = await kiosk.checkin({ class_reservation_id: owing.class_reservation_id })
  expect(owed).toMatchObject({ result: 'owed', message: 'Pasa a recepción para terminar tu pago.', about: null })
  expect(JSON.stringify(owed)).not.toMatch(/\d{3}/)
  expect((await arrivalOf(owing.class_reservation_id))?.attend).toBeNull()

  const first = await booked(0.5, 'Sara')
  const second = await on.make.class({ starts_at: inHours(1.9) })
  await on.as(first.person).bookings.reserve({ single_class_id: second.single_class_id })
  const choice = await kiosk.checkin({ typed: first.phone })
  expect(choice).toMatchObject({ result: 'choose', message: 'Elige tu lugar.' })
  expect(choice.choices.map(({ name }) => name)).toEqual(['Sara', 'Sara'])
})

test('a kiosk is opened with a PIN, the right and at one’s own location; a disabled opener ends it', async () => {
  const bare = await on.make.staff('reception')
  expect(await codeOf(on.as(bare).sharedDevice.openKiosk({}))).toBe('PIN_NONE')
  expect((await on.as(bare).sharedDevice.state()).is_shared).toBe(false)
  const coach = await on.make.staff('coach')
  expect(await codeOf(on.as(coach).sharedDevice.openKiosk({}))).toBe('FORBIDDEN')
  expect(await codeOf(on.as(bare).kiosk.checkin({ typed: '1' }))).toBe('NOT_FOUND')
  expect(await codeOf(on.as(await on.make.customer()).kiosk.checkin({ typed: '1' }))).toBe('FORBIDDEN')

  const here = await on.make.location()
  const there = await on.make.location()
  const { kiosk, opened, staff_id } = await openKiosk(here.location_id)
  expect(opened.kiosk).toEqual({ location_id: here.location_id, location: here.name })
  const elsewhere = await booked(1, 'Noé', 'Prueba', { location_id: there.location_id })
  expect(await kiosk.checkin({ typed: String(elsewhere.id) })).toMatchObject({ result: 'elsewhere', name: null })
  expect(await kiosk.checkin({ typed: elsewhere.phone })).toMatchObject({ result: 'not_found' })
  await on.as(await on.make.staff('owner')).team.disable({ staff_id })
  expect(await codeOf(kiosk.checkin({ typed: '1' }))).not.toBe('ok')
})
