/** The sentences of the settings agree with the rules of the server. */
import { describe, expect, test } from 'vitest'
import { settingGroups } from '#contract/setting-groups.ts'
import { bookingCutoffMs, defaultSettings, type Settings } from '#contract/settings.ts'
import { before, fromWallClock, wallClock } from '#contract/time.ts'
import { ruleSentence } from './rule-sentences.ts'

const sentence = (area: string, group: string, values: Partial<Settings>) => ruleSentence(area, group, { ...defaultSettings, ...values })

describe('booking and cancelling (R2, R3, R7, R8)', () => {
  test('from when until when a class of 19:00 is booked', () => {
    const group = (values: Partial<Settings>) => sentence('reservas', 'Cuándo se reserva', values)
    expect(group({ reservation_timeframe_hours: 1 })).toBe(
      'Con esto: una clase de las 19:00 se puede reservar desde que se publica hasta las 18:00.',
    )
    expect(group({ reservation_opens_days: 7, reservation_timeframe_hours: 20 })).toBe(
      'Con esto: una clase de las 19:00 se puede reservar desde 7 días antes, a la misma hora, hasta las 23:00 del día anterior.',
    )
  })

  test('until when cancelling is free, and what it costs then', () => {
    const group = (values: Partial<Settings>) => sentence('reservas', 'Cancelar', { undo_minutes: 0, ...values })
    expect(group({ cancel_timeframe_value: 12 })).toBe(
      'Con esto: una clase de las 19:00 se puede cancelar sin perder el crédito hasta las 07:00; después ya no se puede cancelar.',
    )
    expect(group({ cancel_timeframe_value: 2, cancel_timeframe_unit: 'days', allow_cancel_after_treshold: true })).toBe(
      'Con esto: una clase de las 19:00 se puede cancelar sin perder el crédito hasta las 19:00, 2 días antes; después se puede cancelar, pero el crédito se pierde.',
    )
    expect(group({ allow_cancel_reservations: false })).toBe('Con esto: quien reserva no puede cancelar.')
    expect(group({ max_cancels_per_available_class: 1, undo_minutes: 5 })).toContain(
      'Lo que se acaba de reservar se deshace sin costo durante 5 minutos. Con un mismo crédito se cancela 1 vez como máximo.',
    )
  })

  test('the hours are those of the contract, in every unit', () => {
    const zone = 'America/Mexico_City'
    const starts = fromWallClock(new Date('2026-11-24T19:00:00Z'), zone)
    const hourOf = (at: Date) => `las ${wallClock(at, zone).toISOString().slice(11, 16)}`
    const closing = { reservation_timeframe_hours: 1, reservation_timeframe_minutes: 30 }
    const closes = new Date(starts.getTime() - bookingCutoffMs(closing))
    expect(sentence('reservas', 'Cuándo se reserva', closing)).toContain(`hasta ${hourOf(closes)}.`)
    for (const [cancel_timeframe_value, cancel_timeframe_unit] of [
      [90, 'minutes'],
      [5_400, 'seconds'],
      [3, 'hours'],
      [1, 'days'],
    ] as const)
      expect(sentence('reservas', 'Cancelar', { cancel_timeframe_value, cancel_timeframe_unit })).toContain(
        `hasta ${hourOf(before(starts, cancel_timeframe_value, cancel_timeframe_unit, zone))}`,
      )
  })

  test('whether early and late cancelling are possible (R7, R8)', () => {
    for (const [allow_cancel_reservations, allow_cancel_after_treshold, free, lost] of [
      [true, true, true, true],
      [true, false, true, false],
      // Cancelling late includes cancelling early, which gives the credit back.
      [false, true, true, true],
      [false, false, false, false],
    ] as const) {
      const text =
        sentence('reservas', 'Cancelar', { cancel_timeframe_value: 12, allow_cancel_reservations, allow_cancel_after_treshold }) ?? ''
      expect([text.includes('sin perder el crédito hasta las 07:00'), text.includes('el crédito se pierde')]).toEqual([free, lost])
    }
  })
})

test('waitlist, no-shows, messages and the counter have sentences too (W3, A5, M4)', () => {
  const spot = (values: Partial<Settings>) => sentence('espera', 'Lista de espera', { waitlist_enabled: true, ...values })
  expect(spot({ waitlist_mode: 'oferta' })).toContain(
    'por 30 minutos como máximo; si no lo toma, pasa a la siguiente. Desde 60 minutos antes',
  )
  expect(spot({})).toBe('Con esto: cuando se libera un lugar, se avisa a todas las personas de la lista y gana quien reserve primero.')
  expect(sentence('espera', 'Faltas', { unlimited_membership_penalties_enabled: true })).toContain(
    'quien tiene un paquete ilimitado y falta 3 veces seguidas no puede reservar durante 7 días.',
  )
  expect(sentence('mensajes', 'Horas', {})).toContain('entre las 22:00 y las 08:00')
  expect(sentence('pagos', 'Recepción y caja', {})).toBe(
    'Con esto: recepción puede bajar un precio hasta 10 %, con motivo, y no devuelve dinero.',
  )
})

test('every sentence belongs to a group that there is', () => {
  const withSentence = settingGroups.filter(({ area, title }) => ruleSentence(area, title, defaultSettings) !== null)
  expect(withSentence).toHaveLength(7)
})
