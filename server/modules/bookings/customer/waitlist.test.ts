import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bookingRelevance } from '#server/modules/bookings/notifications/notifications.ts'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { codeOf, type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs, sweepMessages } from '#server/testing/work.ts'
import { sweepWaitlists } from './waitlist.ts'

let s: TestStudio
beforeAll(async () => {
  s = await studio()
})
afterAll(() => s.close())
beforeEach(() => s.reset({ waitlist_enabled: true, allow_class_guests: true }))

/** A class that is full of strangers, with people in its line, in this order. */
async function fullClass(waiting: readonly Person[], values: Parameters<TestStudio['make']['class']>[0] = {}) {
  const cls = await s.make.class({ capacity: 1, ...values })
  const inside = await s.make.buyer({ granted: 20, expires_at: new Date('2027-06-01T05:59:59Z') })
  const { class_reservation } = await s.as(inside).bookings.reserve({ single_class_id: cls.single_class_id })
  const waitlistIds: number[] = []
  for (const person of waiting) {
    s.clock.advance({ seconds: 1 })
    waitlistIds.push((await s.as(person).waitlist.join({ single_class_id: cls.single_class_id })).waitlist.waitlist_id)
  }
  const give = () => s.as(inside).bookings.cancel({ class_reservation_id: class_reservation.class_reservation_id })
  return { cls, single_class_id: cls.single_class_id, inside, give, lines: waitlistIds, place: class_reservation.class_reservation_id }
}
/** Does everything that was left to do, messages too. */
const work = async () => {
  await doJobs(s)
  await sweepMessages(s.system(), bookingRelevance)
}
const sweep = () => sweepWaitlists(s.system())
const entry = async (person: Person, waitlist_id: number) => (await s.as(person).waitlist.one({ waitlist_id })).waitlist
const messagesOf = async (person: Person, event: string) =>
  (
    await s.sql<{ words: { action: { path: string } } }>(
      `select words from message where customer_id = $1 and event = $2 and channel = 'app' order by message_id`,
      [person.customer_id, event],
    )
  ).map((row) => row.words.action.path)
const row = async (single_class_id: number) => {
  const [found] = await s.sql<{ taken: number; held: number }>('select taken, held from single_class where single_class_id = $1', [
    single_class_id,
  ])
  return found
}

describe('joining and leaving', () => {
  test('a full class is joined once however often requested (S2-4.17, S2-7.09), listed, and left once (S2-4.18, S2-7.11)', async () => {
    const ana = await s.make.buyer()
    const { single_class_id } = await fullClass([])
    const card = async () => (await s.as(ana).schedule.one({ single_class_id })).single_class
    expect(await card()).toMatchObject({ state: 'full', actions: { join_waitlist: true, leave_waitlist: false }, waitlist_id: null })
    const joined = await Promise.all(Array.from({ length: 5 }, () => s.as(ana).waitlist.join({ single_class_id })))
    const [waitlist_id = 0, ...others] = new Set(joined.map((answer) => answer.waitlist.waitlist_id))
    expect(others).toEqual([])
    expect(await card()).toMatchObject({ state: 'waitlisted', actions: { join_waitlist: false, leave_waitlist: true }, waitlist_id })
    const { waitlists, mode } = await s.as(ana).waitlist.list()
    expect(mode).toBe('todos')
    expect(waitlists).toMatchObject([
      { waitlist_id, single_class_id, customer_id: ana.customer_id, status: 'waiting', single_class: { single_class_id }, offer: null },
    ])
    expect((await s.as(ana).waitlist.leave({ waitlist_id })).waitlist.status).toBe('left')
    expect((await s.as(ana).waitlist.leave({ waitlist_id })).waitlist.status).toBe('left')
    expect((await s.as(ana).waitlist.list()).waitlists).toEqual([])
    expect((await s.as(ana).waitlist.join({ single_class_id })).waitlist.waitlist_id).not.toBe(waitlist_id)
  })

  test.each<[string, () => Promise<{ who: Person; single_class_id: number }>]>([
    ['WAITLIST_CLASS_HAS_PLACES', async () => ({ who: await s.make.buyer(), single_class_id: (await s.make.class()).single_class_id })],
    [
      'ALREADY_RESERVED',
      async () => {
        const { inside, single_class_id } = await fullClass([])
        return { who: inside, single_class_id }
      },
    ],
    [
      'WAITLIST_DISABLED',
      async () => {
        const setup = await fullClass([])
        await s.change({ waitlist_enabled: false })
        return { who: await s.make.buyer(), single_class_id: setup.single_class_id }
      },
    ],
    ['CLASS_NOT_FOUND', async () => ({ who: await s.make.buyer(), single_class_id: 2_000_000_000 })],
    [
      'PENALTY_ACTIVE',
      async () => {
        const { single_class_id } = await fullClass([])
        await s.change({ unlimited_membership_penalties_enabled: true })
        const [customer, manager] = [await s.make.buyer(), await s.make.staff('manager')]
        await s.as(manager).penalties.create({ customer_id: customer.customer_id, reason: 'No llegó' })
        return { who: customer, single_class_id }
      },
    ],
  ])('%s', async (expected, make) => {
    const { who, single_class_id } = await make()
    expect(await codeOf(s.as(who).waitlist.join({ single_class_id }))).toBe(expected)
    expect((await s.as(who).waitlist.list()).waitlists).toEqual([])
  })

  test('another customer’s entry is not found, and joining for another customer is refused', async () => {
    const [ana, eva] = [await s.make.buyer(), await s.make.buyer()]
    const { single_class_id, lines } = await fullClass([ana])
    const waitlist_id = lines[0] ?? 0
    expect(await codeOf(s.as(eva).waitlist.one({ waitlist_id }))).toBe('WAITLIST_NOT_FOUND')
    expect(await codeOf(s.as(eva).waitlist.update({ waitlist_id, auto: true }))).toBe('WAITLIST_NOT_FOUND')
    expect(await codeOf(s.as(eva).waitlist.leave({ waitlist_id }))).toBe('WAITLIST_NOT_FOUND')
    const { waitlist } = await s.as(eva).waitlist.join({ single_class_id, customer_id: ana.customer_id } as never)
    expect(waitlist.customer_id).toBe(eva.customer_id)
  })

  test('a direct booking removes the customer from the waitlist', async () => {
    const ana = await s.make.buyer()
    const { single_class_id, give, lines } = await fullClass([ana])
    await give()
    const { class_reservation } = await s.as(ana).bookings.reserve({ single_class_id })
    expect(await entry(ana, lines[0] ?? 0)).toMatchObject({ status: 'booked' })
    expect(class_reservation.status).toBe('Próxima')
  })

  test('the waitlist ends when its class begins', async () => {
    const ana = await s.make.buyer()
    const { lines } = await fullClass([ana])
    s.clock.advance({ days: 1 })
    await sweep()
    expect((await entry(ana, lines[0] ?? 0)).status).toBe('closed')
    expect((await s.as(ana).waitlist.list()).waitlists).toEqual([])
  })
})

describe('mode todos: all are notified, the first to book wins (S2-4.20, S2-4.21)', () => {
  test('all are notified once when a spot is free, and again only after the class was full in between', async () => {
    const [ana, eva, leo] = [await s.make.buyer(), await s.make.buyer(), await s.make.customer()]
    const { single_class_id, give, lines } = await fullClass([ana, eva, leo])
    await give()
    await work()
    await work()
    for (const person of [ana, eva, leo]) expect(await messagesOf(person, 'waitlist_open')).toEqual([`/mystudio?clase=${single_class_id}`])
    expect(await s.sql('select "to" from whatsapp_outbox')).toHaveLength(3)
    // More room while there are places is no news.
    const manager = await s.make.staff('manager')
    await s.as(manager).schedule.update({ single_class_id, capacity: 2 })
    await work()
    expect(await messagesOf(ana, 'waitlist_open')).toHaveLength(1)
    expect((await entry(ana, lines[0] ?? 0)).position).toBeNull()
    const first = await s.as(eva).bookings.reserve({ single_class_id })
    await s.as(ana).bookings.reserve({ single_class_id })
    expect(await codeOf(s.as(leo).bookings.reserve({ single_class_id }))).toBe('CLASS_FULL')
    await s.as(eva).bookings.cancel({ class_reservation_id: first.class_reservation.class_reservation_id })
    await work()
    expect(await messagesOf(leo, 'waitlist_open')).toHaveLength(2)
    expect(await messagesOf(ana, 'waitlist_open')).toHaveLength(1)
  })

  test('a spot that is taken again before the morning is not announced by WhatsApp', async () => {
    const ana = await s.make.buyer()
    const { single_class_id, give } = await fullClass([ana], { starts_at: new Date('2026-11-21T00:00:00Z') })
    await s.sql('delete from whatsapp_outbox')
    s.clock.set('2026-11-19T23:00:00-06:00')
    await give()
    await work()
    await s.as(await s.make.buyer()).bookings.reserve({ single_class_id })
    s.clock.set('2026-11-20T08:00:00-06:00')
    await work()
    expect(await s.sql('select 1 from whatsapp_outbox')).toEqual([])
    expect(await s.sql(`select status, reason from message where customer_id = $1 and channel = 'whatsapp'`, [ana.customer_id])).toEqual([
      { status: 'moot', reason: 'the places are gone' },
    ])
  })
})

describe('mode oferta: one customer after the other, with a held spot', () => {
  beforeEach(() => s.change({ waitlist_mode: 'oferta' }))

  test('the first gets an offer, the spot is held for them, and answering needs no sign-in (W4, W9)', async () => {
    const [ana, eva, stranger] = [await s.make.buyer(), await s.make.buyer(), await s.make.buyer()]
    const { single_class_id, give, lines } = await fullClass([ana, eva])
    expect((await entry(eva, lines[1] ?? 0)).position).toBe(2)
    await give()
    await work()
    expect(await row(single_class_id)).toEqual({ taken: 0, held: 1 })
    expect(await entry(ana, lines[0] ?? 0)).toMatchObject({ status: 'offered', offer: { until: '2026-11-19T16:30:02.000Z' } })
    expect(await messagesOf(eva, 'waitlist_offer')).toEqual([])
    expect(await codeOf(s.as(stranger).bookings.reserve({ single_class_id }))).toBe('CLASS_FULL')
    expect((await s.as(ana).schedule.one({ single_class_id })).single_class).toMatchObject({
      state: 'waitlisted',
      actions: { reserve: 'ok' },
    })
    const [path = ''] = await messagesOf(ana, 'waitlist_offer')
    const token = path.replace('/espera/', '')
    const shown = await s.as(null).waitlist.offer({ token })
    expect(shown.offer).toMatchObject({ state: 'open', class_date: '2026-11-20T10:00:00.000Z', until: '2026-11-19T16:30:02.000Z' })
    expect(JSON.stringify(shown)).not.toContain(ana.email)
    const answered = await s.as(null).waitlist.answer({ token, accept: true })
    expect(answered).toMatchObject({ offer: { state: 'booked' }, class_reservation_id: expect.any(Number) })
    // Pressing again is pressing once.
    expect((await s.as(null).waitlist.answer({ token, accept: true })).class_reservation_id).toBe(answered.class_reservation_id)
    expect(await codeOf(s.as(null).waitlist.answer({ token, accept: false }))).toBe('OFFER_GONE')
    expect(await row(single_class_id)).toEqual({ taken: 1, held: 0 })
    expect(await s.balance(ana)).toBe(9)
    expect((await s.as(ana).bookings.list({ filter: 'upcoming' })).class_reservations).toMatchObject([{ single_class_id }])
  })

  test('passing removes the customer, and the spot is offered to the next at once', async () => {
    const [ana, eva] = [await s.make.buyer(), await s.make.buyer()]
    const { give, lines } = await fullClass([ana, eva])
    await give()
    await work()
    const token = ((await messagesOf(ana, 'waitlist_offer'))[0] ?? '').replace('/espera/', '')
    expect((await s.as(null).waitlist.answer({ token, accept: false })).offer.state).toBe('gone')
    expect((await s.as(null).waitlist.answer({ token, accept: false })).class_reservation_id).toBeNull()
    expect((await entry(ana, lines[0] ?? 0)).status).toBe('passed')
    expect((await entry(eva, lines[1] ?? 0)).status).toBe('offered')
    await work()
    expect(await messagesOf(eva, 'waitlist_offer')).toHaveLength(1)
  })

  test('an expired offer goes to the next, the customer stays on the waitlist, and the old link is void (W5)', async () => {
    const [ana, eva] = [await s.make.buyer(), await s.make.buyer()]
    const { single_class_id, give, lines } = await fullClass([ana, eva])
    await give()
    await work()
    const token = ((await messagesOf(ana, 'waitlist_offer'))[0] ?? '').replace('/espera/', '')
    s.clock.advance({ minutes: 30, seconds: 1 })
    expect((await s.as(null).waitlist.offer({ token })).offer.state).toBe('gone')
    expect(await codeOf(s.as(null).waitlist.answer({ token, accept: true }))).toBe('OFFER_GONE')
    await sweep()
    expect(await entry(ana, lines[0] ?? 0)).toMatchObject({ status: 'waiting', position: 1 })
    expect((await entry(eva, lines[1] ?? 0)).status).toBe('offered')
    // One offer per customer and spot: after Eva's expires, the spot is bookable by all.
    s.clock.advance({ minutes: 31 })
    await sweep()
    expect(await row(single_class_id)).toEqual({ taken: 0, held: 0 })
    await s.as(await s.make.buyer()).bookings.reserve({ single_class_id })
  })

  test('a spot with an expired hold is for the next on the waitlist, also before any job ran (W4)', async () => {
    const [ana, eva, stranger] = [await s.make.buyer(), await s.make.buyer(), await s.make.buyer()]
    const { single_class_id, give, lines } = await fullClass([ana, eva])
    await give()
    s.clock.advance({ hours: 1 })
    expect(await codeOf(s.as(stranger).bookings.reserve({ single_class_id }))).toBe('CLASS_FULL')
    await sweep()
    expect((await entry(eva, lines[1] ?? 0)).status).toBe('offered')
    s.clock.advance({ hours: 1 })
    expect((await s.as(stranger).bookings.reserve({ single_class_id })).class_reservation.single_class_id).toBe(single_class_id)
    expect((await entry(eva, lines[1] ?? 0)).status).toBe('waiting')
  })

  test.each<[string, (person: Person) => Promise<unknown>, string]>([
    [
      'has no credits',
      (person) => s.sql('update available_class set "revokedAt" = now() where customer_id = $1', [person.customer_id]),
      'NO_CREDITS',
    ],
    [
      'has another class then',
      async (person) => s.as(person).bookings.reserve({ single_class_id: (await s.make.class()).single_class_id }),
      'OVERLAPPING_RESERVATION',
    ],
    [
      'has a penalty',
      async (person) => {
        await s.change({ unlimited_membership_penalties_enabled: true })
        await s.as(await s.make.staff('manager')).penalties.create({ customer_id: person.customer_id, reason: 'No llegó' })
      },
      'PENALTY_ACTIVE',
    ],
    ['has a document to accept', () => s.make.page({ required: true }), 'DOCUMENTS_REQUIRED'],
  ])('the waitlist skips a customer who %s, tells them why once, and keeps their position (W8)', async (_what, spoil, expected) => {
    const [ana, eva] = [await s.make.buyer(), await s.make.buyer()]
    await s.change({ class_packages_path: '/planes' })
    const { single_class_id, give, lines } = await fullClass([ana, eva])
    await spoil(ana)
    if (expected === 'DOCUMENTS_REQUIRED')
      await s.sql(`insert into accepted_page (customer_id, page_id, version) select $1, page_id, version from page`, [eva.customer_id])
    await give()
    await work()
    expect(await entry(ana, lines[0] ?? 0)).toMatchObject({ status: 'waiting', skipped: { code: expected, message: expect.any(String) } })
    expect((await entry(eva, lines[1] ?? 0)).status).toBe('offered')
    const skipped = await messagesOf(ana, 'waitlist_skipped')
    // The link uses the packages path of the settings (S1-2.20).
    expect(skipped).toEqual([expected === 'NO_CREDITS' ? '/mystudio/planes' : expect.any(String)])
    const manager = await s.make.staff('manager')
    await s.as(manager).schedule.update({ single_class_id, capacity: 2 })
    await work()
    expect(await messagesOf(ana, 'waitlist_skipped')).toHaveLength(1)
    await s.sql('delete from accepted_page')
    await s.sql('delete from page')
  })

  test('near the end of booking all are notified at once (W3)', async () => {
    const [ana, eva] = [await s.make.buyer(), await s.make.buyer()]
    const { single_class_id, give } = await fullClass([ana, eva], { starts_at: new Date('2026-11-19T16:50:00Z') })
    await give()
    await work()
    expect(await row(single_class_id)).toEqual({ taken: 0, held: 0 })
    expect(await messagesOf(ana, 'waitlist_open')).toHaveLength(1)
    expect(await messagesOf(eva, 'waitlist_open')).toHaveLength(1)
  })

  test('booking an overlapping class releases the held spot (W10)', async () => {
    const [ana, eva] = [await s.make.buyer(), await s.make.buyer()]
    const { give, lines } = await fullClass([ana, eva])
    await give()
    await s.as(ana).bookings.reserve({ single_class_id: (await s.make.class()).single_class_id })
    await work()
    expect(await entry(ana, lines[0] ?? 0)).toMatchObject({ status: 'waiting', skipped: { code: 'OVERLAPPING_RESERVATION' } })
    expect((await entry(eva, lines[1] ?? 0)).status).toBe('offered')
  })

  test('takes a free spot of the map, or the chosen one', async () => {
    const ana = await s.make.buyer()
    const cls = await s.make.class({ capacity: 2, spot_map: '2' })
    const [first, two] = [await s.make.buyer(), await s.make.buyer()]
    await s.as(first).bookings.reserve({ single_class_id: cls.single_class_id, spot: '1-1' })
    const { class_reservation } = await s.as(two).bookings.reserve({ single_class_id: cls.single_class_id, spot: '1-2' })
    await s.as(ana).waitlist.join({ single_class_id: cls.single_class_id })
    await s.as(two).bookings.cancel({ class_reservation_id: class_reservation.class_reservation_id })
    await work()
    const token = ((await messagesOf(ana, 'waitlist_offer'))[0] ?? '').replace('/espera/', '')
    expect((await s.as(null).waitlist.offer({ token })).offer.spots).toEqual(['1-2'])
    expect(await codeOf(s.as(null).waitlist.answer({ token, accept: true, spot: '1-1' }))).toBe('SPOT_TAKEN')
    await s.as(null).waitlist.answer({ token, accept: true })
    expect((await s.as(ana).bookings.list({})).class_reservations[0]?.spot).toBe('1-2')
  })

  test('an offer without a usable credit is refused and stays until it expires; then the next gets it', async () => {
    const [ana, eva] = [await s.make.buyer(), await s.make.buyer()]
    const { give, lines } = await fullClass([ana, eva])
    await give()
    await work()
    await s.sql('update available_class set "revokedAt" = now() where customer_id = $1', [ana.customer_id])
    const token = ((await messagesOf(ana, 'waitlist_offer'))[0] ?? '').replace('/espera/', '')
    expect(await codeOf(s.as(null).waitlist.answer({ token, accept: true }))).toBe('NO_CREDITS')
    expect((await entry(ana, lines[0] ?? 0)).status).toBe('offered')
    s.clock.advance({ hours: 1 })
    await sweep()
    expect((await entry(eva, lines[1] ?? 0)).status).toBe('offered')
  })

  test.each(['x', '1-1.AAAAAAAAAAAAAAAAAAAAAAAA', '1-1', '1-1.', 'sin.firma.pero.bastante.largo', '1-1.'.padEnd(190, 'A')])(
    'a link that we did not sign opens nothing: %j',
    async (token) => {
      const refused = ['OFFER_INVALID', 'INVALID_INPUT', 'NOT_FOUND']
      expect(refused).toContain(await codeOf(s.as(null).waitlist.offer({ token })))
      expect(refused).toContain(await codeOf(s.as(null).waitlist.answer({ token, accept: true })))
    },
  )

  test('staff see the waitlist and move a customer ahead, with a stored reason', async () => {
    const [ana, eva] = [await s.make.buyer(), await s.make.buyer()]
    const coach = await s.make.instructor()
    const { single_class_id, give, lines } = await fullClass([ana, eva], { instructor_id: coach.instructor_id })
    const [mine, other, manager] = [
      await s.make.staff('coach', { instructor_id: coach.instructor_id }),
      await s.make.staff('coach'),
      await s.make.staff('manager'),
    ]
    expect((await s.as(mine).waitlist.ofClass({ single_class_id })).waitlists.map((waitlist) => waitlist.waitlist_id)).toEqual(lines)
    expect(await codeOf(s.as(other).waitlist.ofClass({ single_class_id }))).toBe('NOT_YOUR_CLASS')
    expect(await codeOf(s.as(mine).waitlist.prioritise({ waitlist_id: lines[1] ?? 0, priority: 1, reason: 'Se lastimó' }))).toBe(
      'FORBIDDEN',
    )
    await s.as(manager).waitlist.prioritise({ waitlist_id: lines[1] ?? 0, priority: 1, reason: 'La última vez la saltamos' })
    expect((await entry(eva, lines[1] ?? 0)).position).toBe(1)
    await give()
    expect((await entry(eva, lines[1] ?? 0)).status).toBe('offered')
    expect(await s.sql(`select reason, before, after from audit where action = 'waitlist.prioritise'`)).toEqual([
      { reason: 'La última vez la saltamos', before: { priority: 0 }, after: { priority: 1 } },
    ])
  })
})

describe('mode auto: without asking', () => {
  beforeEach(() => s.change({ waitlist_mode: 'auto' }))
  const automatic = async (person: Person, waitlist_id: number) => s.as(person).waitlist.update({ waitlist_id, auto: true })

  test('a customer who chose so gets the spot, is notified, and can undo it within minutes (W7, R16)', async () => {
    const ana = await s.make.buyer()
    const { single_class_id, give, lines } = await fullClass([ana])
    await automatic(ana, lines[0] ?? 0)
    await s.change({ cancel_timeframe_value: 12, allow_cancel_reservations: false })
    await give()
    await work()
    expect((await entry(ana, lines[0] ?? 0)).status).toBe('booked')
    expect(await messagesOf(ana, 'waitlist_booked')).toEqual(['/mystudio/reservaciones'])
    expect(await messagesOf(ana, 'reservation_confirmed')).toEqual([])
    const [mine] = (await s.as(ana).bookings.list({})).class_reservations
    expect(mine).toMatchObject({ single_class_id, actions: { cancel: 'free' }, undo_until: expect.any(String) })
  })

  test('a customer who did not choose so gets an offer', async () => {
    const ana = await s.make.buyer()
    const { give, lines } = await fullClass([ana])
    await give()
    await work()
    expect((await entry(ana, lines[0] ?? 0)).status).toBe('offered')
    expect(await messagesOf(ana, 'waitlist_offer')).toHaveLength(1)
  })

  test('without a usable credit the next customer gets the spot, and the first is notified of the reason', async () => {
    const [ana, eva] = [await s.make.buyer(), await s.make.buyer()]
    const { give, lines } = await fullClass([ana, eva])
    for (const [n, person] of [ana, eva].entries()) await automatic(person, lines[n] ?? 0)
    await give()
    await s.sql('update available_class set "revokedAt" = now() where customer_id = $1', [ana.customer_id])
    await work()
    expect(await entry(ana, lines[0] ?? 0)).toMatchObject({ status: 'waiting', skipped: { code: 'NO_CREDITS' } })
    expect((await entry(eva, lines[1] ?? 0)).status).toBe('booked')
    expect(await s.balance(eva)).toBe(9)
  })

  test('the sweeper makes up for a lost job', async () => {
    const ana = await s.make.buyer()
    const { give, lines } = await fullClass([ana])
    await automatic(ana, lines[0] ?? 0)
    await give()
    await s.sql(`delete from jobs.job where data->>'job' = 'waitlist.promote'`)
    s.clock.advance({ minutes: 2 })
    await sweep()
    expect((await entry(ana, lines[0] ?? 0)).status).toBe('booked')
  })
})

test('all counters match the rows', async () => {
  expect(await findBrokenInvariants(s)).toEqual({})
})
