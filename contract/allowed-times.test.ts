import { expect, test } from 'vitest'
import { isWithinTimes, limitTexts, timesText } from './allowed-times.ts'

const morning = { days: [5, 1, 2, 3, 4], from: '07:00', to: '12:00' }

test('days in a row are a range, others a list', () => {
  expect(timesText([morning])).toBe('lunes a viernes de 07:00 a 12:00')
  expect(timesText([{ ...morning, days: [1, 2, 6] }])).toBe('lunes, martes y sábado de 07:00 a 12:00')
  expect(
    timesText([
      { ...morning, days: [1, 2, 3, 7] },
      { days: [6], from: '08:00', to: '10:00' },
    ]),
  ).toBe('lunes a miércoles y domingo de 07:00 a 12:00 y sábado de 08:00 a 10:00')
})

test('the limits of a package are short sentences, none without limits', () => {
  expect(limitTexts({ allowed_times: [], locations: [] })).toEqual([])
  expect(limitTexts({ allowed_times: [morning], locations: ['Roma Norte', 'San Ángel'] })).toEqual([
    'Solo lun a vie, 07:00–12:00',
    'Solo en Roma Norte y San Ángel',
  ])
})

test('a range includes its beginning and excludes its end, on its days', () => {
  const at = (wall: string) => isWithinTimes([morning], new Date(`${wall}:00.000Z`))
  expect([at('2026-11-27T07:00'), at('2026-11-27T12:00'), at('2026-11-28T08:00')]).toEqual([true, false, false])
  expect(isWithinTimes([], new Date('2026-11-28T08:00:00.000Z'))).toBe(true)
})
