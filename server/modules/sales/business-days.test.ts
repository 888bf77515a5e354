import { expect, test } from 'vitest'
import { endOfNextBankDay, isBankDay } from './business-days.ts'

test('excludes weekends, bank holidays and Holy Week', () => {
  for (const day of [
    '2026-11-21',
    '2026-11-22',
    '2026-11-16',
    '2027-01-01',
    '2027-02-01',
    '2027-03-15',
    '2027-03-25',
    '2027-03-26',
    '2026-04-02',
    '2026-12-25',
  ])
    expect(isBankDay(day), day).toBe(false)
  for (const day of ['2026-11-23', '2026-11-17', '2027-02-08', '2027-03-22', '2027-03-29', '2027-03-24', '2026-12-24'])
    expect(isBankDay(day), day).toBe(true)
})

test.each([
  ['Thursday night', '2026-11-19T23:59:59-06:00', '2026-11-20T23:59:59-06:00'],
  ['Friday night', '2026-11-20T23:59:59-06:00', '2026-11-23T23:59:59-06:00'],
  ['before a long weekend', '2027-01-29T23:59:59-06:00', '2027-02-02T23:59:59-06:00'],
  ['before Holy Thursday', '2027-03-24T23:59:59-06:00', '2027-03-29T23:59:59-06:00'],
])('%s', (_, voucher, confirmed) => {
  expect(endOfNextBankDay(new Date(voucher), 'America/Mexico_City')).toEqual(new Date(confirmed))
})
