/** The official holidays of Mexico, against calendars that were published (L14). */
import { describe, expect, test } from 'vitest'
import { easterSunday, officialHolidays } from './official-holidays.ts'

const official = (year: number) => officialHolidays(year).flatMap(({ kind, day }) => (kind === 'official' ? [day.slice(5)] : []))

describe('official holidays (L14)', () => {
  test.each([
    [2024, ['01-01', '02-05', '03-18', '05-01', '09-16', '10-01', '11-18', '12-25']],
    [2025, ['01-01', '02-03', '03-17', '05-01', '09-16', '11-17', '12-25']],
    [2026, ['01-01', '02-02', '03-16', '05-01', '09-16', '11-16', '12-25']],
    [2027, ['01-01', '02-01', '03-15', '05-01', '09-16', '11-15', '12-25']],
    [2030, ['01-01', '02-04', '03-18', '05-01', '09-16', '10-01', '11-18', '12-25']],
  ])('%i', (year, days) => {
    expect(official(year)).toEqual(days)
  })

  test('Easter of years that were published', () => {
    expect([2024, 2025, 2026, 2027, 2035, 2038].map(easterSunday)).toEqual([
      '2024-03-31',
      '2025-04-20',
      '2026-04-05',
      '2027-03-28',
      '2035-03-25',
      '2038-04-25',
    ])
  })

  test('suggestions are Holy Thursday and Friday, 2 November and 12 December', () => {
    expect(officialHolidays(2027).flatMap(({ kind, day }) => (kind === 'suggested' ? [day] : []))).toEqual([
      '2027-03-25',
      '2027-03-26',
      '2027-11-02',
      '2027-12-12',
    ])
  })
})
