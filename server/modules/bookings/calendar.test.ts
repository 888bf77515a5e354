import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { OTHER_PASSWORD, PASSWORD, someEmail } from '#server/testing/identity-service.ts'
import { reserveNewClass } from '#server/testing/reservations.ts'
import { refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
beforeAll(async () => {
  s = await studio({ settings: { business_name: 'Vaivén', allow_class_guests: true } })
})
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))

/** Asks for an address as a calendar program would: without any log-in. */
const read = (url: string) => fetch(url.replace('http://localhost:3000', s.url))
const text = async (url: string) => (await read(url)).text()
async function identity(operation: string, body: object): Promise<{ idToken?: string; localId?: string }> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ returnSecureToken: true, ...body }),
  }
  return (await fetch(`${s.url}/identidad/v1/accounts:${operation}?key=estudio-identidad`, init)).json()
}
/** A customer who signed up with a password. */
async function withPassword() {
  const [ana, signedUp] = [await s.make.customer(), await identity('signUp', { email: someEmail(), password: PASSWORD })]
  await s.sql('update customer set uid = $1 where customer_id = $2', [signedUp.localId, ana.customer_id])
  return { ana, idToken: signedUp.idToken ?? '' }
}
/** Lines of a calendar, unfolded. */
const unfold = (ics: string) => ics.replace(/\r\n[ \t]/g, '').split('\r\n')

describe('the calendar feed at a secret URL (R20)', () => {
  test('contains the customer’s classes with true times and locations, and follows their changes', async () => {
    const [ana, location] = [
      await s.make.buyer(),
      await s.make.location({ name: 'Norte', address: 'Calle 1, local; B', timezone: 'America/Tijuana' }),
    ]
    const type = await s.make.classType({ name: 'Reformer, nivel 1' })
    const { cls, id } = await reserveNewClass(
      s,
      ana,
      { location_id: location.location_id, class_type_id: type.class_type_id, spot_map: '3,4' },
      { spot: '2-4', guest: 'Jimena', guest_spot: '2-3' },
    )
    const { url, webcal_url } = await s.as(ana).bookings.feed()
    expect(webcal_url).toBe(url.replace('http:', 'webcal:'))
    expect((await s.as(ana).bookings.feed()).url).toBe(url)
    const answer = await read(url)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8'])
    const ics = await answer.text()
    // Folded at 75 octets, and every line ended (RFC 5545 section 3.1).
    expect(ics.endsWith('END:VCALENDAR\r\n')).toBe(true)
    expect(Math.max(...ics.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)
    const found = unfold(ics)
    for (const line of [
      'BEGIN:VCALENDAR',
      'X-WR-CALNAME:Mis clases en Vaivén',
      `UID:reservacion-${id}@localhost`,
      'DTSTART:20261120T160000Z',
      'DTEND:20261120T165000Z',
      'SUMMARY:Reformer\\, nivel 1 · Vaivén',
      'LOCATION:Norte\\, Calle 1\\, local\\; B',
    ])
      expect(found).toContain(line)
    expect(found.join('\n')).toContain('Lugar: fila 2\\, lugar 4.')
    const manager = await s.make.staff('manager')
    await s.as(manager).schedule.update({ single_class_id: cls.single_class_id, class_date: '2026-11-20T11:00:00.000Z' })
    expect(unfold(await text(url))).toContain('DTSTART:20261120T190000Z')
    await s.as(ana).bookings.cancel({ class_reservation_id: id })
    expect(await text(url)).not.toContain('BEGIN:VEVENT')
  })

  test('excludes other customers’, cancelled and long past classes', async () => {
    const [ana, eva, manager] = [await s.make.buyer(), await s.make.buyer(), await s.make.staff('manager')]
    await reserveNewClass(s, eva)
    const ended = await reserveNewClass(s, ana)
    await s.as(manager).schedule.cancel({ single_class_id: ended.cls.single_class_id })
    await reserveNewClass(s, ana, { starts_at: new Date('2026-11-21T16:00:00Z') })
    const { url } = await s.as(ana).bookings.feed()
    expect((await text(url)).match(/BEGIN:VEVENT/g)).toHaveLength(1)
    s.clock.advance({ days: 63 })
    expect(await text(url)).not.toContain('BEGIN:VEVENT')
  })

  test('a new URL voids the old one; an invented, truncated or foreign one is not found', async () => {
    const [ana, eva] = [await s.make.buyer(), await s.make.buyer()]
    const old = (await s.as(ana).bookings.feed()).url
    const { url } = await s.as(ana).bookings.renewFeed()
    expect(url).not.toBe(old)
    expect([(await read(old)).status, (await read(url)).status]).toEqual([404, 200])
    const token = /calendario\/(.+)\.ics$/.exec(url)?.[1] ?? ''
    const [subject = '', mac = ''] = token.split('.')
    const links = await s.as(eva).bookings.feed()
    for (const wrong of [
      `${eva.customer_id}-1.${mac}`,
      `${subject}.${mac.slice(0, -1)}${mac.endsWith('A') ? 'B' : 'A'}`,
      `${subject}.`,
      subject,
      `${subject}.${mac}.${mac}`,
      links.url.replace(/.*calendario\/(.*)\.ics/, '$1').replace(/^\d+/, String(ana.customer_id)),
      encodeURIComponent('../../etc/passwd'),
    ])
      expect([wrong, (await read(`http://localhost:3000/api/calendario/${wrong}.ics`)).status]).toEqual([wrong, 404])
    expect((await refusalOf(s.as(null).bookings.feed())).code).toBe('UNAUTHENTICATED')
  })

  test('ends when its owner is signed out everywhere, disabled or deleted; the next one is new (R20, P16)', async () => {
    const ana = await s.make.buyer()
    const { url } = await s.as(ana).bookings.feed()
    s.clock.advance({ minutes: 5 })
    await s.studio.ports.identity.revokeSessions(ana.uid)
    expect((await read(url)).status).toBe(404)
    s.clock.advance({ minutes: 5 })
    const again = { ...ana, token: await s.studio.ports.identity.tokenFor(ana.uid) }
    const next = (await s.as(again).bookings.feed()).url
    expect(next).not.toBe(url)
    expect([(await read(url)).status, (await read(next)).status]).toEqual([404, 200])
    expect((await s.as(again).bookings.feed()).url).toBe(next)

    await s.studio.ports.identity.setDisabled(ana.uid, true)
    expect((await read(next)).status).toBe(404)
    await s.studio.ports.identity.setDisabled(ana.uid, false)

    const eva = await s.make.buyer()
    const { id } = await reserveNewClass(s, eva)
    const [feed, address] = [
      (await s.as(eva).bookings.feed()).url,
      (await s.as(eva).bookings.calendarLinks({ class_reservation_id: id })).ics_url,
    ]
    expect([(await read(feed)).status, (await read(address)).status]).toEqual([200, 200])
    await s.studio.ports.identity.removeAccount(eva.uid)
    expect([(await read(feed)).status, (await read(address)).status]).toEqual([404, 404])
  })

  test('ends when its owner closes the other sessions or changes the password (R20, P16)', async () => {
    const { idToken, ana } = await withPassword()
    const feed = async (token: string) => (await s.as({ ...ana, token }).bookings.feed()).url
    const first = await feed(idToken)
    expect((await read(first)).status).toBe(200)
    await s.as({ ...ana, token: idToken }).people.sessions.endOthers()
    const second = await feed(idToken)
    expect([(await read(first)).status, (await read(second)).status]).toEqual([404, 200])

    s.clock.advance({ minutes: 1 })
    const changed = await identity('update', { idToken, password: OTHER_PASSWORD })
    expect((await read(second)).status).toBe(404)
    const third = await feed(changed.idToken ?? '')
    expect((await read(third)).status).toBe(200)

    // What one's own session does alone ends nothing of the calendar.
    await s.as({ ...ana, token: changed.idToken ?? '' }).people.sessions.end()
    expect((await read(third)).status).toBe(200)
  })

  test('URLs from before they were stored still work', async () => {
    const ana = await s.make.buyer()
    const { url } = await s.as(ana).bookings.feed()
    await s.sql('delete from calendar_feed where customer_id = $1', [ana.customer_id])
    expect((await read(url)).status).toBe(200)
    expect((await s.as(ana).bookings.feed()).url).toBe(url)
  })
})

test('the link of one class expires a day after it', async () => {
  const ana = await s.make.buyer()
  const { id } = await reserveNewClass(s, ana)
  const { ics_url } = await s.as(ana).bookings.calendarLinks({ class_reservation_id: id })
  s.clock.set('2026-11-21T10:00:00-06:00')
  expect((await read(ics_url)).status).toBe(200)
  s.clock.set('2026-11-21T11:00:00-06:00')
  expect((await read(ics_url)).status).toBe(404)
})

test('one class: a file and links for Google and Outlook, for its owner while it is booked', async () => {
  const [ana, eva] = [await s.make.buyer(), await s.make.buyer()]
  const { id } = await reserveNewClass(s, ana)
  const links = await s.as(ana).bookings.calendarLinks({ class_reservation_id: id })
  expect(new URL(links.google_url).searchParams.get('dates')).toBe('20261120T160000Z/20261120T165000Z')
  expect(new URL(links.outlook_url).searchParams.get('startdt')).toBe('2026-11-20T16:00:00.000Z')
  const file = await read(links.ics_url)
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="clase.ics"')
  expect(unfold(await file.text())).toContain('DTSTART:20261120T160000Z')
  // A link to one class opens no calendar.
  expect((await read(links.ics_url.replace('/clase/', '/'))).status).toBe(404)
  expect((await refusalOf(s.as(eva).bookings.calendarLinks({ class_reservation_id: id }))).code).toBe('RESERVATION_NOT_FOUND')
  await s.as(ana).bookings.cancel({ class_reservation_id: id })
  expect((await read(links.ics_url)).status).toBe(404)
  expect((await refusalOf(s.as(ana).bookings.calendarLinks({ class_reservation_id: id }))).code).toBe('RESERVATION_NOT_FOUND')
})
