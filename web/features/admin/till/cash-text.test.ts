import { describe, expect, test } from 'vitest'
import { AMOUNT, cashDiscrepancyText, cashSent, cashTotal } from './cash-text.ts'
import { countText } from './count-text.ts'

describe('a count of cash', () => {
  test('a count of cash is the sum of bills and coins, in centavos', () => {
    expect(cashTotal({})).toBe(0)
    expect(cashTotal({ '1000': '1', '500': '4', '0.50': '3', '20': '' })).toBe(300_150)
    expect(cashTotal({ '100': 'diez' })).toBeNull()
    expect(cashTotal({ '100': '-1' })).toBeNull()
  })

  test('a count of cash is sent without empty denominations', () => {
    expect(cashSent({ '500': '4', '100': '0', '20': '' })).toEqual({ '500': 4 })
  })
})

test('a discrepancy shows what is missing or too much', () => {
  expect(['0.00', '-60.00', '20.50'].map(cashDiscrepancyText)).toEqual(['Cuadra', 'Faltan $60.00', 'Sobran $20.50'])
})

test('an amount has at most two decimals and no sign', () => {
  expect(['500', '500.5', '0'].every((text) => AMOUNT.test(text))).toBe(true)
  expect(['', '-5', '5.555', '5,00', '1e3'].some((text) => AMOUNT.test(text))).toBe(false)
})

test('a corte as a message has its sums, what does not fit, and its address', () => {
  const nothing = { sales: null, refunds: null, in: null, out: null, count: 1 }
  const person = { staff_id: 3, name: 'Lucía' }
  const text = countText(
    {
      cash_session_id: 41,
      location: { location_id: 1, name: 'Roma' },
      staff: person,
      state: 'closed',
      opening: '500.00',
      openedAt: '2026-11-19T14:00:00.000Z',
      closedAt: '2026-11-20T03:00:00.000Z',
      closed_by: person,
      approvedAt: null,
      approved_by: null,
      approval_note: null,
      reopenedAt: null,
      reopen_reason: null,
      cash: null,
      left_in_drawer: '500.00',
      movements: [],
      note: 'Revisar',
      ways: [
        { ...nothing, payment_method_id: 2, name: 'Efectivo', kind: 'cash', expected: '1000.00', counted: '940.00', difference: '-60.00' },
        { ...nothing, payment_method_id: 3, name: 'Terminal', kind: 'terminal', expected: '300.00', counted: '300.00', difference: '0.00' },
      ],
    },
    { business_name: 'Vaivén', zone: 'America/Mexico_City' },
    'https://vaiven.mx',
  )
  expect(text.split('\n')).toEqual([
    'Corte de caja 000041 de Vaivén, Roma',
    expect.stringMatching(/^Lucía, /),
    'Efectivo: $940.00, faltan $60.00',
    'Terminal: $300.00',
    'Se queda en la caja: $500.00',
    'Nota: Revisar',
    'https://vaiven.mx/admin/caja/cortes/41',
  ])
})
