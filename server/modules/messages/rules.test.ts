import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CHANNELS, MESSAGE_EVENTS } from '#contract/channels.ts'
import { defaultSettings, type Settings } from '#contract/settings.ts'
import { wallClock } from '#contract/time.ts'
import { addAwake, awakeAt, channelsFor, isNewer, isQuiet, leavesAt, nextTry, type Person } from './rules.ts'

const under = (some: Partial<Settings> = {}): Settings => ({ ...defaultSettings, ...some })
const person = (some: Partial<Person> = {}): Person => ({
  kind: 'customer',
  email: 'ana@ejemplo.mx',
  phone: '5548217390',
  push: false,
  mail: null,
  whatsapp: null,
  ...some,
})

describe('the channels (M1 to M3)', () => {
  test.each<[string, Parameters<typeof channelsFor>[0], Partial<Person>, Partial<Settings>, string]>([
    ['a confirmation without consent', 'reservation_confirmed', {}, {}, 'mail app'],
    ['a confirmation with consent', 'reservation_confirmed', { whatsapp: true }, {}, 'mail whatsapp app'],
    ['a place of a list that one joined: asked for', 'waitlist_open', {}, {}, 'whatsapp mail app'],
    ['the same after taking consent back', 'waitlist_open', { whatsapp: false }, {}, 'mail app'],
    ['the same without a telephone', 'waitlist_open', { phone: null }, {}, 'mail app'],
    ['a reminder that one does not want by mail', 'reservation_reminder', { mail: false }, {}, 'app'],
    ['a confirmation comes by mail all the same', 'reservation_confirmed', { mail: false }, {}, 'mail app'],
    [
      'WhatsApp only, without consent: a mail instead',
      'reservation_confirmed',
      {},
      { message_channels: { reservation_confirmed: ['whatsapp'] } },
      'mail',
    ],
    [
      'WhatsApp only, with consent',
      'reservation_confirmed',
      { whatsapp: true },
      { message_channels: { reservation_confirmed: ['whatsapp'] } },
      'whatsapp',
    ],
    [
      'an email about a cancelled class is sent whatever the matrix says (M12)',
      'class_cancelled',
      { whatsapp: true },
      { message_channels: { class_cancelled: ['whatsapp'] } },
      'whatsapp mail',
    ],
    ['an event that the studio switched off', 'penalty', { whatsapp: true }, { message_channels: { penalty: [] } }, ''],
    ['somebody of the staff', 'class_cancelled', { kind: 'staff', phone: null }, {}, 'mail'],
    ['nobody can be reached', 'class_cancelled', { email: null, phone: null }, {}, 'app'],
  ])('%s', (_what, event, recipient, settings, expected) => {
    expect(channelsFor(event, person(recipient), under(settings)).join(' ')).toBe(expected)
  })

  test('never includes a channel without address or consent, and none twice', () => {
    const anyPerson = fc.record({
      kind: fc.constantFrom('customer' as const, 'staff' as const),
      email: fc.constantFrom(null, 'a@b.mx'),
      phone: fc.constantFrom(null, '5548217390'),
      mail: fc.constantFrom(null, true, false),
      whatsapp: fc.constantFrom(null, true, false),
      push: fc.boolean(),
    })
    const matrix = fc.dictionary(fc.constantFrom(...MESSAGE_EVENTS), fc.uniqueArray(fc.constantFrom(...CHANNELS)))
    fc.assert(
      fc.property(fc.constantFrom(...MESSAGE_EVENTS), anyPerson, matrix, (event, recipient, message_channels) => {
        const chosen = channelsFor(event, recipient, under({ message_channels }))
        expect(new Set(chosen).size).toBe(chosen.length)
        if (chosen.includes('mail')) expect(recipient.email).not.toBeNull()
        if (chosen.includes('whatsapp')) expect([recipient.phone, recipient.whatsapp]).toEqual([expect.any(String), recipient.whatsapp])
        if (recipient.whatsapp === false) expect(chosen).not.toContain('whatsapp')
        if (chosen.includes('push')) expect(recipient.push).toBe(true)
        const forStaff = event === 'staff_tasks' ? 'push' : 'mail'
        if (recipient.kind === 'staff') expect(chosen.every((channel) => channel === forStaff)).toBe(true)
      }),
    )
  })
})

describe('quiet hours (M4)', () => {
  const quiet = { quiet_hours_start: 22, quiet_hours_end: 8 }
  const CITY = 'America/Mexico_City'
  const at = (wall: string, offset = '-06:00') => new Date(`${wall}${offset}`)

  test.each([
    ['2026-11-19T21:59:59', false],
    ['2026-11-19T22:00:00', true],
    ['2026-11-20T03:00:00', true],
    ['2026-11-20T07:59:59', true],
    ['2026-11-20T08:00:00', false],
  ])('from ten to eight: %s', (wall, is) => expect(isQuiet(at(wall), quiet, CITY)).toBe(is))

  test('hours within one day, and none at all', () => {
    expect(isQuiet(at('2026-11-19T14:30:00'), { quiet_hours_start: 14, quiet_hours_end: 16 }, CITY)).toBe(true)
    expect(isQuiet(at('2026-11-19T16:00:00'), { quiet_hours_start: 14, quiet_hours_end: 16 }, CITY)).toBe(false)
    expect(isQuiet(at('2026-11-19T03:00:00'), { quiet_hours_start: 8, quiet_hours_end: 8 }, CITY)).toBe(false)
  })

  test.each([
    ['the evening before', CITY, '2026-11-19T23:10:00-06:00', '2026-11-20T14:00:00.000Z'],
    ['after midnight', CITY, '2026-11-20T01:00:00-06:00', '2026-11-20T14:00:00.000Z'],
    ['by day: at once', CITY, '2026-11-20T12:00:00-06:00', '2026-11-20T18:00:00.000Z'],
    ['Tijuana, the night in which clocks go forward', 'America/Tijuana', '2027-03-13T23:00:00-08:00', '2027-03-14T15:00:00.000Z'],
    ['Tijuana, the night in which clocks go back', 'America/Tijuana', '2027-11-06T23:00:00-07:00', '2027-11-07T16:00:00.000Z'],
  ])('the morning after %s', (_what, zone, from, until) => {
    expect(awakeAt(new Date(from), quiet, zone).toISOString()).toBe(until)
  })

  test.each([
    ['by day', CITY, '2026-11-19T12:00:00-06:00', 30, '2026-11-19T18:30:00.000Z'],
    ['into the night: the rest in the morning', CITY, '2026-11-19T21:50:00-06:00', 30, '2026-11-20T14:20:00.000Z'],
    ['begun at night', CITY, '2026-11-20T03:00:00-06:00', 30, '2026-11-20T14:30:00.000Z'],
    ['to the very minute at which the night begins', CITY, '2026-11-19T21:30:00-06:00', 30, '2026-11-20T04:00:00.000Z'],
    ['a day and a night of waking hours', CITY, '2026-11-19T12:00:00-06:00', 24 * 60, '2026-11-21T04:00:00.000Z'],
    ['Tijuana, over the night that is an hour short', 'America/Tijuana', '2027-03-13T21:30:00-08:00', 60, '2027-03-14T15:30:00.000Z'],
  ])('a clock that runs while people are awake, %s (W5)', (_what, zone, from, minutes, until) => {
    expect(addAwake(new Date(from), minutes, quiet, zone).toISOString()).toBe(until)
  })

  test('in every zone, on any night: never in quiet hours, never earlier, and all minutes are counted', () => {
    const zones = [
      'America/Mexico_City',
      'America/Cancun',
      'America/Hermosillo',
      'America/Tijuana',
      'America/Ojinaga',
      'America/Ciudad_Juarez',
      'America/Matamoros',
    ]
    const anyQuiet = fc.record({ quiet_hours_start: fc.integer({ min: 0, max: 23 }), quiet_hours_end: fc.integer({ min: 0, max: 23 }) })
    const anyInstant = fc.date({ min: new Date('2026-01-01T00:00:00Z'), max: new Date('2028-01-01T00:00:00Z'), noInvalidDate: true })
    fc.assert(
      fc.property(fc.constantFrom(...zones), anyQuiet, anyInstant, fc.integer({ min: 0, max: 600 }), (zone, hours, from, minutes) => {
        const awake = awakeAt(from, hours, zone)
        expect(awake >= from).toBe(true)
        expect(isQuiet(awake, hours, zone)).toBe(false)
        const until = addAwake(from, minutes, hours, zone)
        expect(until.getTime() - from.getTime()).toBeGreaterThanOrEqual(minutes * 60_000)
        let counted = 0
        for (let t = from.getTime(); t < until.getTime(); t += 60_000) if (!isQuiet(new Date(t), hours, zone)) counted++
        expect(Math.abs(counted - minutes)).toBeLessThanOrEqual(1)
      }),
      { numRuns: 60 },
    )
  })

  test.each([
    ['mail does not ring', 'mail', '2026-11-19T23:00:00-06:00', null, '2026-11-20T05:00:00.000Z'],
    ['WhatsApp waits for the morning', 'whatsapp', '2026-11-19T23:00:00-06:00', '2026-11-20T18:00:00-06:00', '2026-11-20T14:00:00.000Z'],
    [
      'not when the class is within five hours',
      'whatsapp',
      '2026-11-20T03:30:00-06:00',
      '2026-11-20T08:20:00-06:00',
      '2026-11-20T09:30:00.000Z',
    ],
    [
      'nor when it is over before the morning',
      'whatsapp',
      '2026-11-20T01:00:00-06:00',
      '2026-11-20T07:00:00-06:00',
      '2026-11-20T07:00:00.000Z',
    ],
  ] as const)('%s', (_what, channel, now, about, leaves) => {
    expect(leavesAt(channel, new Date(now), about && new Date(about), quiet, CITY).toISOString()).toBe(leaves)
  })
})

test('five more attempts, with growing delays, then none (M6)', () => {
  const now = new Date('2026-11-19T16:00:00Z')
  const waits = [1, 2, 3, 4, 5, 6].map((tries) => nextTry(tries, now))
  expect(waits.map((at) => at && (at.getTime() - now.getTime()) / 60_000)).toEqual([1, 5, 15, 60, 240, null])
})

test('delivery reports in any order give the most advanced state (M7)', () => {
  expect(isNewer('sent', 'delivered')).toBe(true)
  expect(isNewer('read', 'delivered')).toBe(false)
  expect(isNewer('delivered', 'delivered')).toBe(false)
  expect(isNewer('sent', 'failed')).toBe(true)
  expect(isNewer('delivered', 'failed')).toBe(false)
  expect(isNewer('failed', 'failed')).toBe(false)
  expect(isNewer('unknown', 'sent')).toBe(true)
})

test('uses the studio’s zone: the local hour is eight at the end of the quiet hours', () => {
  const until = awakeAt(new Date('2026-07-01T05:00:00Z'), { quiet_hours_start: 22, quiet_hours_end: 8 }, 'America/Ciudad_Juarez')
  expect(wallClock(until, 'America/Ciudad_Juarez').toISOString()).toBe('2026-07-01T08:00:00.000Z')
})
