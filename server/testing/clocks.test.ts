/**
 * Time on the studio's clocks (settled 1 to 4), in the twelve zones of the country, whatever clock the machine keeps (S2-9.04, S2-9.05,
 * S2-9.09 to S2-9.11).
 */
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addDays,
  addMonths,
  before as earlier,
  endOfDay,
  expiryAfter,
  formatInstant,
  formatWall,
  formatWindow,
  fromWallClock,
  isLocalDate,
  isZone,
  localDate,
  mondayOf,
  offsetMinutes,
  startOfDay,
  wallClock,
} from '#contract/time.ts'
import { BORDER, instantByRule, MEXICAN_ZONES, offsetByRule } from './mexico.ts'

const anyZone = fc.constantFrom(...MEXICAN_ZONES)
const anyInstant = fc.date({ min: new Date('2023-01-01T00:00:00Z'), max: new Date('2035-01-01T00:00:00Z'), noInvalidDate: true })
const iso = (at: Date | null) => at?.toISOString()

describe('Mexico’s time zones', () => {
  test('Mexico’s time zones are twelve, four of them with DST', () => {
    expect(MEXICAN_ZONES).toHaveLength(12)
    expect(BORDER).toEqual(['America/Matamoros', 'America/Ojinaga', 'America/Ciudad_Juarez', 'America/Tijuana'])
    for (const zone of MEXICAN_ZONES) expect([zone, isZone(zone)]).toEqual([zone, true])
    expect(isZone('America/Atlantis')).toBe(false)
  })

  test('Mexico’s time zones have the offsets of the law at any instant', () => {
    fc.assert(
      fc.property(anyZone, anyInstant, (zone, at) => {
        expect([zone, iso(at), offsetMinutes(at, zone)]).toEqual([zone, iso(at), offsetByRule(at, zone)])
      }),
      { numRuns: 2_000 },
    )
  })

  test.each(BORDER)('%s: changes in March and November to the second', (zone) => {
    for (const [wall, first, after] of [
      ['2027-03-14T01:59:59', 0, 60],
      ['2027-11-07T01:59:59', 60, 0],
    ] as const) {
      const last = instantByRule(wall, zone) as Date
      const winter = offsetByRule(new Date('2027-01-01T12:00:00Z'), zone)
      expect([wall, offsetMinutes(last, zone) - winter]).toEqual([wall, first])
      expect([wall, offsetMinutes(new Date(last.getTime() + 1_000), zone) - winter]).toEqual([wall, after])
    }
  })

  test.each(BORDER)('%s: a skipped hour is the next one, a repeated one the first', (zone) => {
    expect(instantByRule('2027-03-14T02:30:00', zone)).toBeNull()
    const skipped = fromWallClock(new Date('2027-03-14T02:30:00Z'), zone)
    expect(iso(wallClock(skipped, zone))).toBe('2027-03-14T03:30:00.000Z')
    const twice = fromWallClock(new Date('2027-11-07T01:30:00Z'), zone)
    expect(iso(twice)).toBe(iso(instantByRule('2027-11-07T01:30:00', zone)))
    expect(iso(wallClock(twice, zone))).toBe('2027-11-07T01:30:00.000Z')
  })

  test('a local time and its instant convert to each other', () => {
    fc.assert(
      fc.property(anyZone, anyInstant, (zone, at) => {
        const wall = wallClock(at, zone)
        const back = fromWallClock(wall, zone)
        // In the hour that comes twice the first is meant.
        expect([0, 3_600_000]).toContain(at.getTime() - back.getTime())
        expect(iso(wallClock(back, zone))).toBe(iso(wall))
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('days', () => {
  test('days begin at midnight and end at 23:59:59, also days of 23 and 25 hours (settled 3)', () => {
    for (const zone of MEXICAN_ZONES)
      for (const day of ['2027-03-14', '2027-11-07', '2027-12-31']) {
        expect([zone, iso(startOfDay(day, zone))]).toEqual([zone, iso(instantByRule(`${day}T00:00:00`, zone))])
        expect([zone, iso(endOfDay(day, zone))]).toEqual([zone, iso(instantByRule(`${day}T23:59:59`, zone))])
        expect([localDate(startOfDay(day, zone), zone), localDate(endOfDay(day, zone), zone)]).toEqual([day, day])
        expect(localDate(new Date(startOfDay(day, zone).getTime() - 1), zone)).toBe(addDays(day, -1))
        expect(localDate(new Date(endOfDay(day, zone).getTime() + 1_000), zone)).toBe(addDays(day, 1))
      }
    const hours = (day: string) =>
      (startOfDay(addDays(day, 1), 'America/Tijuana').getTime() - startOfDay(day, 'America/Tijuana').getTime()) / 3_600_000
    expect([hours('2027-03-14'), hours('2027-11-07'), hours('2027-06-01')]).toEqual([23, 25, 24])
  })

  test('N days of validity end with their last day, across any DST change', () => {
    fc.assert(
      fc.property(anyZone, anyInstant, fc.integer({ min: 0, max: 400 }), (zone, from, days) => {
        const ends = expiryAfter(from, days, zone)
        const day = addDays(localDate(from, zone), days)
        expect(iso(ends)).toBe(iso(instantByRule(`${day}T23:59:59`, zone)))
        expect(formatInstant(ends, zone, 'hour')).toBe('23:59')
      }),
    )
  })

  test('weeks start on Monday, also over New Year (S2-2.18)', () => {
    expect(['2026-11-16', '2026-11-19', '2026-11-22', '2027-01-01'].map(mondayOf)).toEqual([
      '2026-11-16',
      '2026-11-16',
      '2026-11-16',
      '2026-12-28',
    ])
    expect(addMonths('2027-01-31', 1)).toBe('2027-02-28')
    expect(addMonths('2027-01-31', 2)).toBe('2027-03-31')
    expect(['2026-02-29', '2028-02-29', '2026-13-01', 'hoy'].map(isLocalDate)).toEqual([false, true, false, false])
  })
})

describe('windows (settled 3)', () => {
  test('days keep the local hour; hours, minutes and seconds are real time', () => {
    fc.assert(
      fc.property(anyZone, anyInstant, fc.integer({ min: 1, max: 30 }), (zone, at, n) => {
        const day = wallClock(earlier(at, n, 'days', zone), zone)
        const expected = new Date(wallClock(at, zone).getTime() - n * 86_400_000)
        // A clock time that is skipped that day moves forward.
        expect([0, 3_600_000]).toContain(day.getTime() - expected.getTime())
        expect(at.getTime() - earlier(at, n, 'hours', zone).getTime()).toBe(n * 3_600_000)
        expect(at.getTime() - earlier(at, n, 'minutes', zone).getTime()).toBe(n * 60_000)
        expect(at.getTime() - earlier(at, n, 'seconds', zone).getTime()).toBe(n * 1_000)
      }),
    )
  })

  test.each(BORDER)('%s: one day before Sunday at ten is Saturday at ten, 24 hours before is not', (zone) => {
    const at = (wall: string) => instantByRule(wall, zone) as Date
    expect(iso(earlier(at('2027-03-14T10:00:00'), 1, 'days', zone))).toBe(iso(at('2027-03-13T10:00:00')))
    expect(iso(earlier(at('2027-03-14T10:00:00'), 24, 'hours', zone))).toBe(iso(at('2027-03-13T09:00:00')))
    expect(iso(earlier(at('2027-11-07T10:00:00'), 1, 'days', zone))).toBe(iso(at('2027-11-06T10:00:00')))
    expect(iso(earlier(at('2027-11-07T10:00:00'), 24, 'hours', zone))).toBe(iso(at('2027-11-06T11:00:00')))
  })

  test.each([
    [1, 'seconds', '1 segundo'],
    [30, 'seconds', '30 segundos'],
    [1, 'minutes', '1 minuto'],
    [90, 'minutes', '90 minutos'],
    [1, 'hours', '1 hora'],
    [12, 'hours', '12 horas'],
    [1, 'days', '1 día'],
    [2, 'days', '2 días'],
  ] as const)('%i %s in Spanish (S2-9.04)', (n, unit, expected) => {
    expect(formatWindow(n, unit)).toBe(expected)
  })
})

describe('formatted dates', () => {
  test.each([
    ['class', 'vie 20 nov, 18:05'],
    ['date', '20 nov 2026'],
    ['day', '20 nov'],
    ['hour', '18:05'],
    ['weekday', 'viernes 20'],
    ['long', 'viernes 20 de noviembre'],
  ] as const)('%s (S2-9.09 to S2-9.11)', (style, text) => {
    expect(formatWall('2026-11-20T18:05:00.000Z', style)).toBe(text)
    expect(formatInstant(new Date('2026-11-21T00:05:00.000Z'), 'America/Mexico_City', style)).toBe(text)
  })

  test('every day of the week and every month has its short name', () => {
    const days = Array.from({ length: 7 }, (_, n) => formatWall(new Date(Date.UTC(2026, 10, 16 + n)), 'class').slice(0, 3))
    expect(days).toEqual(['lun', 'mar', 'mié', 'jue', 'vie', 'sáb', 'dom'])
    const months = Array.from({ length: 12 }, (_, n) => formatWall(new Date(Date.UTC(2026, n, 1)), 'day').slice(3))
    expect(months).toEqual(['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sep', 'oct', 'nov', 'dic'])
  })
})

test('the machine’s own zone changes nothing', () => {
  const program = `
    const t = await import('./contract/time.ts')
    const zones = ${JSON.stringify(MEXICAN_ZONES)}
    const said = []
    for (const zone of zones) for (let at = Date.UTC(2027, 2, 12); at < Date.UTC(2027, 2, 16); at += 1_799_000) {
      const day = t.localDate(new Date(at), zone)
      said.push(t.wallClock(new Date(at), zone).toISOString(), day, t.endOfDay(day, zone).toISOString(), t.mondayOf(day), t.addMonths(day, 1),
        t.before(new Date(at), 2, 'days', zone).toISOString(), t.formatInstant(new Date(at), zone, 'class'))
    }
    process.stdout.write(said.join())`
  const run = (TZ: string) =>
    execFileSync(process.execPath, ['--input-type=module', '--eval', program], { env: { ...process.env, TZ }, encoding: 'utf8' })
  const [utc, ...others] = ['UTC', 'America/Mexico_City', 'America/Tijuana', 'Asia/Kolkata', 'Pacific/Auckland'].map(run)
  expect(utc?.length).toBeGreaterThan(100_000)
  for (const other of others) expect(other === utc).toBe(true)
})
