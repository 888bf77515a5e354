/** “Ven conmigo”: the place held for a guest, and the link that takes it (R29 to R31). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'

let s: TestStudio
beforeAll(async () => {
  s = await studio({ settings: { allow_class_guests: true } })
})
afterAll(() => s.close())
beforeEach(() => s.reset({ allow_class_guests: true }))

const spotsOf = async (single_class_id: number) =>
  (await s.sql<{ taken: number; held: number }>('select taken, held from single_class where single_class_id = $1', [single_class_id]))[0]
async function host(cls: Parameters<TestStudio['make']['class']>[0] = {}, credits = 4, spot?: string) {
  const ana = await s.make.customer({ name: 'Ana' })
  await s.make.lot(ana, { granted: credits })
  const { single_class_id } = await s.make.class({ capacity: 3, ...cls })
  const { class_reservation } = await s.as(ana).bookings.reserve({ single_class_id, ...(spot ? { spot } : {}) })
  const { class_reservation_id } = class_reservation
  const invite = (person: Person = ana) => s.as(person).guestInvites.create({ class_reservation_id })
  return { ana, single_class_id, class_reservation_id, invite }
}
const tokenOf = ({ url }: { url: string }) => url.slice(url.lastIndexOf('/') + 1)
const invitationOf = async (token: string) => (await s.as(null).guestInvites.one({ token })).invitation
const accept = (token: string, name = 'Jimena') => s.as(null).guestInvites.accept({ token, name })
const code = async (call: Promise<unknown>) => (await refusalOf(call)).code

describe('sharing', () => {
  test('holds a place for an hour and gives the same link while it is held', async () => {
    const { ana, single_class_id, invite } = await host()
    const invitation = await invite()
    expect(invitation.url).toMatch(/^http:\/\/localhost:3000\/ven\/\d+\.[\w-]{24}$/)
    expect(invitation.until_wall).toBe('2026-11-19T11:00:00.000Z')
    expect(await invite()).toEqual(invitation)
    expect(await spotsOf(single_class_id)).toEqual({ taken: 1, held: 1 })
    expect(await s.balance(ana)).toBe(3)
    // The held place is a place: another customer gets the last one only.
    const [eva, ivan] = [await s.make.buyer(), await s.make.buyer()]
    await s.as(eva).bookings.reserve({ single_class_id })
    expect(await code(s.as(ivan).bookings.reserve({ single_class_id }))).toBe('CLASS_FULL')
  })

  test('sharing a place is refused where guests are not allowed, without a place or a credit, beside a guest, and to others', async () => {
    const { ana, class_reservation_id, invite } = await host()
    await s.having({ allow_class_guests: false }, async () => expect(await code(invite())).toBe('GUESTS_NOT_ALLOWED'))
    expect(await code(invite(await s.make.buyer()))).toBe('RESERVATION_NOT_FOUND')
    await s.as(ana).bookings.guest({ class_reservation_id, name: 'Iris' })
    expect(await code(invite())).toBe('GUEST_ALREADY_NAMED')
    expect(await code((await host({ capacity: 1 })).invite())).toBe('CLASS_FULL')
    expect(await code((await host({}, 1)).invite())).toBe('NO_CREDITS')
  })

  test('three invitations at most per reservation, so that a spot cannot be blocked', async () => {
    const { invite } = await host({ starts_at: new Date(s.clock.now().getTime() + 48 * 3_600_000) })
    for (let n = 0; n < 3; n++) {
      await invite()
      s.clock.advance({ minutes: 61 })
    }
    expect(await code(invite())).toBe('GUEST_INVITE_LIMIT')
  })

  test('three held at the same time per customer in all of their classes, also at once; one that ends makes room', async () => {
    const ana = await s.make.customer({ name: 'Ana' })
    await s.make.lot(ana, { granted: 20 })
    const ids: number[] = []
    for (let n = 0; n < 6; n++) {
      const starts_at = new Date(s.clock.now().getTime() + (24 + 2 * n) * 3_600_000)
      const { single_class_id } = await s.make.class({ capacity: 5, starts_at })
      ids.push((await s.as(ana).bookings.reserve({ single_class_id })).class_reservation.class_reservation_id)
    }
    const share = (class_reservation_id: number) => s.as(ana).guestInvites.create({ class_reservation_id })
    const results = await Promise.allSettled(ids.map(share))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    const codes = results.flatMap((result) => (result.status === 'rejected' ? [(result.reason as { code: string }).code] : []))
    expect(codes).toEqual(['GUEST_INVITES_OPEN', 'GUEST_INVITES_OPEN', 'GUEST_INVITES_OPEN'])
    const reserved = ids.filter((_, n) => results[n]?.status === 'fulfilled')
    const left = ids.filter((id) => !reserved.includes(id))
    // The same link again is no other place.
    await share(reserved[0] ?? 0)
    // One is taken: there is room for another one, and for no more.
    const link = await share(reserved[0] ?? 0)
    await accept(tokenOf(link))
    await share(left[0] ?? 0)
    expect(await code(share(left[1] ?? 0))).toBe('GUEST_INVITES_OPEN')
    // Those that expire count no more, before anything released them too.
    s.clock.advance({ minutes: 61 })
    await share(left[1] ?? 0)
    // Another customer has their own.
    expect((await (await host()).invite()).url).toContain('/ven/')
  })

  test('a shared place is never held past the end of booking', async () => {
    const { invite } = await host({ starts_at: new Date(s.clock.now().getTime() + 30 * 60_000) })
    expect((await invite()).until_wall).toBe('2026-11-19T10:30:00.000Z')
  })
})

describe('the link', () => {
  test('shows the class and the host, and changes nothing; another text is no link', async () => {
    const { single_class_id, invite } = await host()
    const token = tokenOf(await invite())
    for (let n = 0; n < 2; n++)
      expect(await invitationOf(token)).toMatchObject({ state: 'open', host: 'Ana', guest: null, until_wall: '2026-11-19T11:00:00.000Z' })
    expect(await spotsOf(single_class_id)).toEqual({ taken: 1, held: 1 })
    const [id, mac = ''] = token.split('.')
    for (const wrong of [`${Number(id) + 1}.${mac}`, `${id}.${mac.slice(0, -1)}A`, `${id}.${'A'.repeat(24)}`])
      if (wrong !== token) expect(await code(invitationOf(wrong))).toBe('GUEST_INVITE_INVALID')
  })

  test('takes the spot once, as the guest of the host and with their credit', async () => {
    const { ana, single_class_id, class_reservation_id, invite } = await host()
    const token = tokenOf(await invite())
    expect(await code(accept(token, 'J'))).toBe('GUEST_NAME_REQUIRED')
    expect((await accept(token)).invitation).toMatchObject({ state: 'taken', guest: 'Jimena', until_wall: null })
    expect(await spotsOf(single_class_id)).toEqual({ taken: 2, held: 0 })
    expect(await s.balance(ana)).toBe(2)
    expect((await s.as(ana).bookings.one({ class_reservation_id })).class_reservation.guest).toBe('Jimena')
    expect(await code(accept(token, 'Otra'))).toBe('GUEST_INVITE_GONE')
    // Removed by the host, it is not taken again by the link.
    await s.as(ana).bookings.removeGuest({ class_reservation_id })
    expect((await invitationOf(token)).state).toBe('gone')
    expect(await code(accept(token))).toBe('GUEST_INVITE_GONE')
  })

  test('gives a seat beside the host', async () => {
    const { invite } = await host({ spot_map: '3,3' }, 4, '2-2')
    expect((await accept(tokenOf(await invite()))).invitation.guest_spot).toBe('2-3')
  })

  test('of many at the same time one gets the place', async () => {
    const { single_class_id, invite } = await host()
    const token = tokenOf(await invite())
    const results = await Promise.allSettled(Array.from({ length: 6 }, (_, n) => accept(token, `Invitada ${n}`)))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await spotsOf(single_class_id)).toEqual({ taken: 2, held: 0 })
  })

  test('accepting while the host cancels: only one of the two happens', async () => {
    for (let round = 0; round < 4; round++) {
      const { ana, single_class_id, class_reservation_id, invite } = await host()
      const token = tokenOf(await invite())
      await Promise.allSettled([accept(token), s.as(ana).bookings.cancel({ class_reservation_id })])
      expect(await spotsOf(single_class_id)).toEqual({ taken: 0, held: 0 })
      expect(await s.balance(ana)).toBe(4)
      expect(['gone', 'taken']).toContain((await invitationOf(token)).state)
      expect(await code(accept(token))).toBe('GUEST_INVITE_GONE')
    }
  })

  test('when the rules refuse, the place stays held', async () => {
    const { ana, single_class_id, invite } = await host({}, 2)
    const token = tokenOf(await invite())
    const other = await s.make.class({ starts_at: new Date(s.clock.now().getTime() + 72 * 3_600_000) })
    await s.as(ana).bookings.reserve({ single_class_id: other.single_class_id })
    expect(await code(accept(token))).toBe('NO_CREDITS')
    expect(await spotsOf(single_class_id)).toEqual({ taken: 1, held: 1 })
    expect((await invitationOf(token)).state).toBe('open')
  })
})

describe('the end of a hold', () => {
  test('after an hour the place is free again, first for the waitlist', async () => {
    await s.change({ waitlist_enabled: true, waitlist_mode: 'oferta', quiet_hours_start: 0, quiet_hours_end: 0 })
    const { single_class_id, invite } = await host({ capacity: 2 })
    const token = tokenOf(await invite())
    const eva = await s.make.buyer()
    await s.as(eva).waitlist.join({ single_class_id })
    s.clock.advance({ minutes: 61 })
    expect((await invitationOf(token)).state).toBe('gone')
    expect(await code(accept(token))).toBe('GUEST_INVITE_GONE')
    await doJobs(s, 'waitlist.sweep')
    expect(await s.sql('select customer_id, status from waitlist where single_class_id = $1', [single_class_id])).toEqual([
      { customer_id: eva.customer_id, status: 'offered' },
    ])
    expect(await spotsOf(single_class_id)).toEqual({ taken: 1, held: 1 })
  })

  test('with the reservation, when it is cancelled or moved, and with the class', async () => {
    const { ana, single_class_id, class_reservation_id, invite } = await host()
    const token = tokenOf(await invite())
    const next = await s.make.class({ starts_at: new Date(s.clock.now().getTime() + 72 * 3_600_000) })
    await s.as(ana).bookings.move({ class_reservation_id, single_class_id: next.single_class_id })
    expect(await spotsOf(single_class_id)).toEqual({ taken: 0, held: 0 })
    expect((await invitationOf(token)).state).toBe('gone')

    const second = await host()
    const other = tokenOf(await second.invite())
    const owner = await s.make.staff('owner')
    await s.as(owner).schedule.cancel({ single_class_id: second.single_class_id, reason: 'Sin luz' })
    expect((await invitationOf(other)).state).toBe('gone')
    expect(await spotsOf(second.single_class_id)).toMatchObject({ held: 0 })
  })

  test('the host who names a guest uses the held place', async () => {
    const { ana, single_class_id, class_reservation_id, invite } = await host({ capacity: 2 })
    const token = tokenOf(await invite())
    await s.as(ana).bookings.guest({ class_reservation_id, name: 'Iris' })
    expect(await spotsOf(single_class_id)).toEqual({ taken: 2, held: 0 })
    expect(await code(accept(token))).toBe('GUEST_INVITE_GONE')
  })
})
