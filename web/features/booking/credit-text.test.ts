import { describe, expect, test } from 'vitest'
import type { CreditSpend } from '#contract/schedule.ts'
import { creditsLeftText, guestCreditText, guestHint, spendLegend } from './credit-text.ts'

const spend = (values: Partial<CreditSpend> = {}): CreditSpend => ({
  available_class_id: 1,
  title: 'Una ronda',
  places: 1,
  credits: 1,
  left: 0,
  ...values,
})
const other = spend({ available_class_id: 2, title: 'Ocho rondas', left: 7 })
const creditLot = ({ available_class_id, title }: CreditSpend, expiration_date: string | null = '2026-12-03T23:59:59.000Z') => ({
  available_class_id,
  title,
  expiration_date,
})
const creditLots = [creditLot(spend()), creditLot(other)]

describe('which credits a booking takes (settled 18)', () => {
  test.each<[string, CreditSpend[], string, string | null]>([
    ['one credit', [other], 'Se usará 1 crédito de', 'Te quedan 7 clases de Ocho rondas'],
    ['one that leaves one', [{ ...other, left: 1 }], 'Se usará 1 crédito de', 'Te queda 1 clase de Ocho rondas'],
    ['the last one', [spend()], 'Se usará 1 crédito de', 'Ya no te quedan clases de Una ronda'],
    ['two of one lot', [{ ...other, places: 2, credits: 2, left: 6 }], 'Se usarán 2 créditos de', 'Te quedan 6 clases de Ocho rondas'],
    [
      'one of each of two lots',
      [spend(), other],
      'Se usarán 2 créditos: 1 de Una ronda y 1 de Ocho rondas. El tuyo sale de',
      'Ya no te quedan clases de Una ronda; te quedan 7 de Ocho rondas',
    ],
    [
      'one, and the guest with an unlimited lot',
      [spend(), spend({ available_class_id: 2, title: 'Ilimitado', credits: 0, left: -1 })],
      'Se usará 1 crédito de Una ronda, y tu invitado entra con Ilimitado. El tuyo sale de',
      'Ya no te quedan clases de Una ronda',
    ],
    ['an unlimited lot', [spend({ credits: 0, left: -1 })], 'Reservas con', null],
    ['one, and a guest for nothing', [spend({ places: 2, left: 3 })], 'Se usará 1 crédito de', 'Te quedan 3 clases de Una ronda'],
  ])('%s', (_what, spends, legend, left) => {
    expect(spendLegend(spends, creditLots)).toBe(legend)
    expect(creditsLeftText(spends, creditLots)).toBe(left)
  })

  test('two lots of the same name are distinguished by their last day', () => {
    const sameTitles = [creditLot(spend(), '2026-11-30T23:59:59.000Z'), creditLot({ ...other, title: 'Una ronda' })]
    expect(spendLegend([spend(), { ...other, title: 'Una ronda' }], sameTitles)).toBe(
      'Se usarán 2 créditos: 1 de Una ronda (vence el 30 nov 2026) y 1 de Una ronda (vence el 03 dic 2026). El tuyo sale de',
    )
  })

  test('a single lot needs no name', () => expect(creditsLeftText([other], [creditLot(other)])).toBe('Te quedan 7 clases'))

  test.each([
    [[spend({ places: 2, credits: 2 })], 'Usa un crédito más.'],
    [[spend({ places: 2 })], 'No usa un crédito más.'],
    [null, 'Usa un crédito más, y no te queda otro para esta clase.'],
  ])('what a guest costs more', (with_guest, text) => expect(guestHint({ alone: [spend()], with_guest })).toBe(text))

  test('what a guest who joins later costs', () => {
    expect(guestCreditText(other)).toBe('Usa 1 crédito de Ocho rondas.')
    expect(guestCreditText({ ...other, credits: 0 })).toBe('No usa un crédito más.')
  })
})
