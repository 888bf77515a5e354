import { describe, expect, test } from 'vitest'
import {
  type BasketItem,
  type BasketPayment,
  cashChange,
  creditsUsedText,
  givenTexts,
  itemsSent,
  likelyCash,
  listTotal,
  paymentsSent,
  reductionProblem,
  stillOpen,
  typedPesos,
  withItem,
  withoutItem,
} from './basket.ts'

const ten: BasketItem = {
  key: 'package-1',
  kind: 'package',
  title: 'Diez',
  detail: '60 días',
  list: '2190.00',
  quantity: 1,
  class_package_id: 1,
  starts_on: '',
  reduction: null,
}
const seat: BasketItem = {
  key: 'class-7',
  kind: 'class',
  title: 'Ciclo',
  detail: '',
  list: '290.00',
  quantity: 1,
  single_class_id: 7,
  spot: '1-2',
  starts_on: '',
  reduction: null,
}
const cash: BasketPayment = {
  key: 'a',
  payment_method_id: 2,
  name: 'Efectivo',
  kind: 'cash',
  amount: '651',
  received: '700',
  reference: '',
  card_brand: '',
  last_digits: '',
  authorisation: '',
}

describe('items', () => {
  test('adding a package again raises its quantity; a class stays at one', () => {
    expect(withItem([ten], ten).map(({ quantity }) => quantity)).toEqual([2])
    expect(withItem([seat], seat).map(({ quantity }) => quantity)).toEqual([1])
    expect(withItem([ten], seat)).toEqual([ten, seat])
  })
  test('a class beside a package that gives credits is paid with one of them, unless it is a gift', () => {
    const pays = { ...ten, givesCredits: true }
    const [, beside] = withItem([pays], seat)
    expect(beside).toEqual({ ...seat, withCredit: true })
    expect(withItem([seat], pays)[0]).toEqual({ ...seat, withCredit: true })
    expect(withItem([{ ...pays, gift: { customer_id: 5, name: 'Ana', last_name: 'Paz' } }], seat)[1]).toEqual(seat)
    expect(listTotal(withItem([pays], seat))).toBe(219_000)
    expect(itemsSent(withItem([pays], seat), null)[1]).toEqual({
      kind: 'class',
      quantity: 1,
      single_class_id: 7,
      spot: '1-2',
      with_credit: true,
    })
    expect(withoutItem(withItem([pays], seat), pays.key)).toEqual([{ ...seat, withCredit: false }])
  })
  test('a gift is sent with who receives it', () => {
    const gift = { customer_id: 5, name: 'Ana', last_name: 'Paz' }
    expect(itemsSent([{ ...ten, gift }], null)).toEqual([{ kind: 'package', quantity: 1, class_package_id: 1, gift_to: 5 }])
  })
  test('items of a basket add up to the list total if all prices are known', () => {
    expect(listTotal([{ ...ten, quantity: 2 }, seat])).toBe(467_000)
    expect(listTotal([ten, { ...seat, list: null }])).toBeNull()
  })
  test('items of a basket are sent with their reduction once it is complete', () => {
    const half = { by: 'percent' as const, value: '10', reason: 'Cumpleaños' }
    expect(itemsSent([{ ...ten, reduction: half, starts_on: '2026-12-01' }], 'Es familia')).toEqual([
      {
        kind: 'package',
        quantity: 1,
        class_package_id: 1,
        starts_on: '2026-12-01',
        over_limit: { reason: 'Es familia' },
        discount: { percent: 10, reason: 'Cumpleaños' },
      },
    ])
    expect(itemsSent([{ ...ten, reduction: { ...half, reason: '' } }, seat], null)).toEqual([
      { kind: 'package', quantity: 1, class_package_id: 1 },
      { kind: 'class', quantity: 1, single_class_id: 7, spot: '1-2' },
    ])
    expect(itemsSent([{ ...ten, reduction: { by: 'price', value: '$1,500', reason: 'Convenio' } }], null)).toMatchObject([
      { price: { amount: '1500.00', reason: 'Convenio' } },
    ])
  })
  test('says how many credits its places take', () => {
    const reservation = { title: 'Ciclo', withCredit: true }
    expect(creditsUsedText([ten, { title: 'Yin', withCredit: false }])).toBeNull()
    expect(creditsUsedText([ten, reservation])).toBe('El lugar en Ciclo usa una.')
    expect(creditsUsedText([reservation, ten, reservation])).toBe('Los lugares de esta venta usan 2.')
  })
  test('an incomplete reduction shows what is missing', () => {
    expect(reductionProblem({ by: 'percent', value: '101', reason: 'Sí' })).toBe('Escribe un porcentaje entre 1 y 100.')
    expect(reductionProblem({ by: 'amount', value: '0', reason: 'Promo' })).toBe('Escribe una cantidad.')
    expect(reductionProblem({ by: 'price', value: '0', reason: 'No' })).toBe('Escribe el motivo.')
    expect(reductionProblem({ by: 'code', value: 'VERANO', reason: '' })).toBeNull()
  })
})

describe('payments', () => {
  test('payments of a basket leave the uncovered amount open', () => {
    const terminal = { ...cash, kind: 'terminal' as const, amount: '1500', received: '' }
    expect(stillOpen(215_100, [terminal, cash])).toBe(0)
    expect(stillOpen(215_100, [cash])).toBe(150_000)
    expect(stillOpen(215_100, [{ ...cash, amount: 'mil' }])).toBeNull()
  })
  test('payments of a basket give change', () => {
    expect(cashChange(cash)).toBe(4_900)
    expect(cashChange({ amount: '651', received: '' })).toBe(0)
    expect(cashChange({ amount: '651', received: '600' })).toBeNull()
  })
  test('suggest likely cash amounts', () => {
    expect(likelyCash(65_100)).toEqual([70_000, 80_000])
    expect(likelyCash(100_000)).toEqual([])
    expect(likelyCash(219_000)).toEqual([220_000, 250_000])
  })
  test('payments of a basket are sent in the format of the API', () => {
    expect(paymentsSent([{ ...cash, amount: '0' }, cash])).toEqual([{ payment_method_id: 2, amount: '651.00', received: '700.00' }])
    expect(typedPesos('$1,500.5')).toBe(150_050)
  })
})

test('what a sale gives is one sentence for each person', () => {
  const ana = { name: 'Ana', class_amount: 1, expires_at: '2026-12-29T05:59:59.000Z' }
  const ten = { ...ana, class_amount: 10, expires_at: '2027-01-28T05:59:59.000Z' }
  const zone = 'America/Mexico_City'
  expect(givenTexts([ten], zone)).toEqual(['Ana tendrá 10 clases hasta el 27 ene 2027.'])
  expect(givenTexts([ana, { ...ten, name: 'Eva', class_amount: -1, expires_at: null }, ten], zone)).toEqual([
    'Ana tendrá 1 clase hasta el 28 dic 2026 y 10 clases hasta el 27 ene 2027.',
    'Eva tendrá clases ilimitadas desde su primera clase.',
  ])
})
