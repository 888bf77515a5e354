import { expect, test } from 'vitest'
import type { CardPackage } from './card-package.ts'
import { cheaperWithLimits, cheapestPackage } from './package-advice.ts'
import { packageText } from './package-text.ts'

let id = 0
const packageOf = (
  title: string,
  price: string,
  class_amount: number,
  expiration_days: number,
  more: Partial<CardPackage> = {},
): CardPackage => {
  const facts: Omit<CardPackage, 'texts'> = {
    class_package_id: ++id,
    title,
    short_description: '',
    description: '',
    price,
    sale_price: null,
    class_amount,
    expiration_days,
    clock_starts: 'purchase',
    is_special_event: false,
    is_featured: false,
    is_subscription: false,
    subscription_period: null,
    subscription_interval: null,
    free_trial_length: null,
    free_trial_period: null,
    limit_per_customer: null,
    left: null,
    limits: [],
    ...more,
  }
  return { ...facts, texts: packageText(facts) }
}
const packages = [
  packageOf('Suelta', '290.00', 1, 30),
  packageOf('Cinco', '1350.00', 5, 45),
  packageOf('Diez', '2190.00', 10, 60),
  packageOf('Ilimitado 30', '2950.00', -1, 30),
  packageOf('Membresía 8', '1450.00', 8, 31, { is_subscription: true, subscription_period: 'month', subscription_interval: 1 }),
]
const best = (perWeek: number, withGuest = false, renews: boolean | null = null) =>
  cheapestPackage(packages, { perWeek, withGuest, renews })

test('classes that expire unused count: the small package wins for few visits, the unlimited one for many', () => {
  // Once a week: of ten classes in 60 days only 8.6 are used, of the eight of a month 4.3.
  expect(best(1, false, false)?.classPackage.title).toBe('Diez')
  expect(best(1, false, false)?.perClass).toBe(25550)
  expect(best(2)?.classPackage.title).toBe('Membresía 8')
  expect(best(2)).toMatchObject({ perClass: 18125 })
  expect(best(4)?.classPackage.title).toBe('Ilimitado 30')
  expect(best(4)?.perMonth).toBe(299097)
})

test('an unlimited package is not advised for two people, nor a renewing one to customers who want none', () => {
  expect(best(4, true)?.classPackage.title).toBe('Membresía 8')
  expect(best(4, true, false)?.classPackage.title).toBe('Diez')
  expect(best(4, false, true)?.classPackage.title).toBe('Membresía 8')
})

test('nothing fits: events, fees, what is sold out', () => {
  const odd = [
    packageOf('Taller', '650.00', 1, 30, { is_special_event: true }),
    packageOf('Inscripción', '500.00', 0, 1),
    packageOf('Agotado', '1.00', 10, 60, { left: 0 }),
  ]
  expect(cheapestPackage(odd, { perWeek: 2, withGuest: false, renews: null })).toBeNull()
})

test('a package that is limited to hours or locations is not recommended, but mentioned where it is cheaper', () => {
  const input = { perWeek: 2, withGuest: false, renews: false }
  const limits = ['Solo lunes a viernes de 07:00 a 09:00']
  const matinal = packageOf('Matinal', '1000.00', 10, 60, { limits })
  const dear = packageOf('Mediodía', '2190.00', 10, 60, { limits })
  expect(cheapestPackage([...packages, matinal, dear], input)?.classPackage.title).toBe('Diez')
  expect(cheaperWithLimits([...packages, dear, matinal], input)).toMatchObject({ classPackage: { title: 'Matinal' }, perClass: 10_000 })
  // The same price with fewer hours is worth no word.
  expect(cheaperWithLimits([...packages, dear], input)).toBeNull()
  expect(cheaperWithLimits(packages, input)).toBeNull()
  // Where nothing else fits it is the only one.
  expect(cheapestPackage([dear], input)).toBeNull()
  expect(cheaperWithLimits([dear], input)?.classPackage.title).toBe('Mediodía')
})
