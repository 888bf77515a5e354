import { expect, test } from 'vitest'
import type { StudioPackage } from '#contract/studio-packages.ts'
import { packageFacts, previewTexts } from './package-facts.ts'

const facts = (change: Partial<StudioPackage>) =>
  packageFacts({ class_amount: 10, expiration_days: 60, price: '2450.00', sale_price: null, sold: 0, ...change } as StudioPackage)

test('the facts of a package count one class, one day and one sale as one', () => {
  expect(facts({ class_amount: 1, expiration_days: 1, sold: 1 })).toBe('1 clase, 1 día · $2,450.00 · 1 vendido')
  expect(facts({ sold: 40, sale_price: '2290.00' })).toBe('10 clases, 60 días · $2,290.00 en oferta, antes $2,450.00 · 40 vendidos')
  expect(facts({ sold: 1652 })).toBe('10 clases, 60 días · $2,450.00 · 1,652 vendidos')
})

test('the preview of a package without a price is not a free one', () => {
  const draft = {
    class_amount: 10,
    expiration_days: 30,
    clock_starts: 'purchase',
    sale_price: null,
    limits: [],
    is_special_event: false,
  }
  const once = { ...draft, price: '0.00', is_subscription: false } as unknown as Parameters<typeof previewTexts>[0]
  expect(previewTexts(once, false)).toMatchObject({ price: '$—', verb: 'Comprar', free: false, terms: 'Vence en 30 días' })
  expect(previewTexts(once, true)).toMatchObject({ price: '$0.00', verb: 'Obtener Oferta', free: true })
  const trial = {
    ...once,
    is_subscription: true,
    free_trial_length: 7,
    free_trial_period: 'day',
    subscription_period: 'month',
    subscription_interval: 1,
  }
  expect(previewTexts(trial as typeof once, false)).toMatchObject({ price: '$—', later: null, verb: 'Comprar' })
})
