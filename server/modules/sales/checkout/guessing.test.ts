/** Guessing discount codes: one budget of a customer and of an address, over every endpoint that takes a code (docs/domain.md D6). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { openCheckoutStudio } from '#server/testing/checkout-fixture.ts'
import { codeOf, type Person, refusalOf, START } from '#server/testing/studio.ts'
import { endpoints } from '#server/testing/wire.ts'

const { s } = await openCheckoutStudio({ discounts_enabled: true, cash_checkout_enabled: true, paypal_enabled: true, oxxo_enabled: true })
afterAll(() => s.close())
let hour = 0
// Each test in an hour of its own: budgets are by the hour.
beforeEach(() => s.clock.set(new Date(new Date(START).getTime() + hour++ * 3_600_000)))

const { class_package_id } = await s.make.package()
const { class_package_id: free } = await s.make.package({ price_centavos: 0 })

/** Every endpoint that takes a code. `ways` answers in any case, so the calls after its limit are checked. */
const DOORS: Record<string, (person: Person, discountCode: string) => Promise<unknown>> = {
  'GET /discounts/code/{code}': (person, code) => s.as(person).discounts.byCode({ code, class_package_id }),
  'GET /checkout/{class_package_id}/ways': (person, discountCode) => s.as(person).checkout.ways({ class_package_id, discountCode }),
  'POST /checkout/attempt': (person, discountCode) =>
    s.as(person, randomUUID()).sales.attempt({ class_package_id, discountCode, payment_method: 'tok_ok' }),
  'POST /checkout': (person, discountCode) =>
    s.as(person, randomUUID()).sales.checkout({ class_package_id, discountCode, payment_method_id: null }),
  'POST /checkout/paypal': (person, discountCode) => s.as(person, randomUUID()).checkout.paypal({ class_package_id, discountCode }),
}
const doors = Object.values(DOORS)

test('lists every endpoint that takes a code', () => {
  const takes = endpoints()
    .filter(({ fields, path }) => fields.includes('discountCode') || path.includes('{code}'))
    .map(({ method, path }) => `${method} ${path}`)
  expect(takes.sort()).toEqual(Object.keys(DOORS).sort())
})

test.each(Object.keys(DOORS))('after sixty guesses anywhere %s refuses too, also a valid code, and writes nothing', async (last) => {
  const [eva, { code }] = [await s.make.customer(), await s.make.discount({})]
  for (let n = 0; n < 60; n++) await doors[n % doors.length]?.(eva, `ADIVINA${n}`).catch(() => {})
  for (const guess of ['ADIVINA61', code])
    expect((await refusalOf(DOORS[last]?.(eva, guess) ?? Promise.resolve())).code).toBe('TOO_MANY_REQUESTS')
  expect(await s.sql('select 1 from purchase where customer_id = $1', [eva.customer_id])).toEqual([])
  // Without a code one buys as before, and in the next hour with one.
  expect(await s.as(eva, randomUUID()).sales.checkout({ class_package_id: free, payment_method_id: null })).toMatchObject({
    status: 'completed',
  })
  s.clock.advance({ hours: 1 })
  hour++
  expect(await s.as(eva, randomUUID()).sales.attempt({ class_package_id, discountCode: code, payment_method: 'tok_ok' })).toMatchObject({
    status: 'completed',
  })
})

test('of two hundred concurrent guesses sixty are answered', async () => {
  const eva = await s.make.customer()
  const codes = await Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      codeOf(s.as(eva, randomUUID()).sales.checkout({ class_package_id, discountCode: `ADIVINA${n}` })),
    ),
  )
  expect(codes.filter((code) => code === 'DISCOUNT_INVALID')).toHaveLength(60)
  expect(codes.filter((code) => code === 'TOO_MANY_REQUESTS')).toHaveLength(140)
})

test('a valid code does not count', async () => {
  const [ana, { code }] = [await s.make.customer(), await s.make.discount({})]
  for (let n = 0; n < 70; n++) await s.as(ana).discounts.byCode({ code, class_package_id })
  expect((await refusalOf(s.as(ana).discounts.byCode({ code: 'ADIVINA', class_package_id }))).code).toBe('DISCOUNT_INVALID')
})

test('many accounts at one address share a limit', async () => {
  for (let visit = 0; visit < 5; visit++) {
    const eva = await s.make.customer()
    for (let n = 0; n < 60; n++)
      expect((await refusalOf(s.as(eva).discounts.byCode({ code: `ADIVINA${n}`, class_package_id }))).code).toBe('DISCOUNT_INVALID')
  }
  const sixth = await s.make.customer()
  expect((await refusalOf(s.as(sixth).discounts.byCode({ code: 'ADIVINA', class_package_id }))).code).toBe('TOO_MANY_REQUESTS')
})
