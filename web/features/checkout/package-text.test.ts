import { expect, test } from 'vitest'
import { packageText } from './package-text.ts'

const facts: Parameters<typeof packageText>[0] = {
  price: '2450.00',
  sale_price: null,
  class_amount: 10,
  expiration_days: 60,
  clock_starts: 'purchase',
  is_special_event: false,
  is_subscription: false,
  subscription_period: null,
  subscription_interval: null,
  free_trial_length: null,
  free_trial_period: null,
  limits: [],
}
const textOf = (changes: Partial<typeof facts> = {}) => packageText({ ...facts, ...changes })
const tenPercent = { discount_id: 1, code: 'DIEZ', amount: '10.00', is_percent: true, first_invoice_only: false } as const
const monthly = { is_subscription: true, subscription_period: 'month', subscription_interval: 1 } as const

test('a one-off package shows its price per class and expiry', () => {
  expect(textOf()).toMatchObject({
    unit: ['clases'],
    badge: null,
    price: '$2,450.00',
    before: null,
    terms: '$245.00 por clase · vence en 60 días',
    verb: 'Comprar',
  })
  expect(textOf({ class_amount: 1, price: '290.00', expiration_days: 1 })).toMatchObject({
    unit: ['clase'],
    terms: '$290.00 por clase · vence en 1 día',
  })
})

test('its limits are shown beside the price, for a subscription too', () => {
  const limits = ['Solo lun a vie, 07:00–12:00', 'Solo en Roma Norte']
  expect(textOf({ limits }).terms).toBe('$245.00 por clase · vence en 60 días · Solo lun a vie, 07:00–12:00 · Solo en Roma Norte')
  expect(textOf({ limits }).expiry).toBe('Vence en 60 días · Solo lun a vie, 07:00–12:00 · Solo en Roma Norte')
  expect(textOf({ ...monthly, limits }).terms).toBe('$245.00 por clase, cada mes · Solo lun a vie, 07:00–12:00 · Solo en Roma Norte')
})

test('with a discount the price per class is lower too (S1-4.17)', () => {
  const texts = packageText({ ...facts, price: '1350.00', class_amount: 5, expiration_days: 45 }, tenPercent)
  expect(texts.terms).toBe('$243.00 por clase · vence en 45 días')
})

test('an offer shows the old price and calculates with the new one (S1-3.27)', () => {
  expect(textOf({ sale_price: '2190.00' })).toMatchObject({
    badge: 'Oferta',
    price: '$2,190.00',
    before: '$2,450.00',
    terms: '$219.00 por clase · vence en 60 días',
  })
  // A sale price that is not lower is no offer.
  expect(textOf({ sale_price: '2450.00' })).toMatchObject({ badge: null, before: null })
})

test('an expiry that starts with the first class says so; a sign-up fee has no classes and no expiry', () => {
  expect(textOf({ clock_starts: 'first_class' }).terms).toBe('$245.00 por clase · vence 60 días después de tu primera clase')
  expect(textOf({ class_amount: 0, expiration_days: 0, price: '500.00' })).toMatchObject({ terms: 'Pago único', expiry: 'Pago único' })
})

test('unlimited has no price per class (S1-3.28)', () => {
  expect(textOf({ class_amount: -1, expiration_days: 30 })).toMatchObject({ unit: ['clases', 'sin límite'], terms: 'Vence en 30 días' })
  expect(textOf({ class_amount: -1, ...monthly })).toMatchObject({ terms: 'Se renueva cada mes', badge: 'Cada mes' })
})

test('a subscription states its interval (S1-9.10)', () => {
  expect(textOf({ class_amount: 8, price: '1450.00', ...monthly })).toMatchObject({
    unit: ['clases', 'al mes'],
    terms: '$181.25 por clase, cada mes',
  })
  expect(textOf({ ...monthly, subscription_interval: 3 })).toMatchObject({ unit: ['clases', 'cada 3 meses'], badge: 'Cada 3 meses' })
})

test('a free trial costs nothing today, in whatever unit it is counted (S1-9.11, settled 35)', () => {
  const trial = textOf({ price: '2690.00', class_amount: -1, ...monthly, free_trial_length: 7, free_trial_period: 'day' })
  expect(trial).toMatchObject({
    price: '$0.00 hoy',
    later: 'luego $2,690.00',
    terms: '7 días de prueba, después cada mes',
    verb: 'Obtener Oferta',
  })
  expect(textOf({ ...monthly, free_trial_length: 1, free_trial_period: 'month' }).terms).toBe('1 mes de prueba, después cada mes')
  expect(textOf({ ...monthly, free_trial_length: 10 }).terms).toBe('10 días de prueba, después cada mes')
})

test('a free package that is no subscription has the button "Obtener Oferta"', () => {
  expect(textOf({ price: '0.00', class_amount: 1 })).toMatchObject({
    price: '$0.00',
    verb: 'Obtener Oferta',
    free: true,
    terms: 'Vence en 60 días',
  })
})
