/** Codes for the customers of one segment: at the quote, the checkout, the counter and renewals (docs/domain.md D8, X15). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { codeOf, type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let owner: Person
let desk: Person
let tag_id: number
let segment_id: number
beforeAll(async () => {
  s = await studio({ settings: { discounts_enabled: true, cash_checkout_enabled: true } })
  owner = await s.make.staff('owner')
  desk = await s.make.staff('reception')
  tag_id = (await s.as(owner).catalogue.admin.tags.create({ name: 'Torneo', type: 'customer' })).tag.tag_id
  segment_id = (await s.as(desk).segments.create({ name: 'Torneo', filter: { tag_id } })).segment.segment_id
})
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))

const codeFor = async (of = segment_id, more: object = {}) =>
  (
    await s.as(owner, randomUUID()).discounts.create({
      code: `S${randomUUID().slice(0, 8).toUpperCase()}`,
      amount: '10',
      is_percent: true,
      segment_id: of,
      ...more,
    })
  ).discount
const tag = (person: Person, has = true) =>
  s.as(desk).customerFile.putTags({ customer_id: person.customer_id, tag_ids: has ? [tag_id] : [] })
const quote = (person: Person, code: string, class_package_id: number) => s.as(person).discounts.byCode({ code, class_package_id })
const pay = (person: Person, class_package_id: number, discountCode: string, payment_method = 'tok_ok') =>
  s.as(person, randomUUID()).sales.attempt({ class_package_id, discountCode, payment_method, again: true })
const NOT_THEIRS = { code: 'DISCOUNT_NOT_FOR_ACCOUNT', status: 412, message: 'Lo sentimos, este código no es para esta cuenta.' }

describe('a code for the customers of a segment', () => {
  test('is priced for them and refused to anybody else, who learns nothing about the segment', async () => {
    const [ana, eva, classPackage] = [await s.make.customer(), await s.make.customer(), await s.make.package({ price_centavos: 100_000 })]
    const { class_package_id } = classPackage
    await tag(ana)
    const { code, segment_id: stored } = await codeFor()
    expect(stored).toBe(segment_id)
    const theirs = await quote(ana, code, class_package_id)
    expect(theirs.quote.total).toBe('900.00')
    expect(JSON.stringify(theirs)).not.toMatch(/segment|Torneo/i)
    const refusal = await refusalOf(quote(eva, code, class_package_id))
    expect(refusal).toMatchObject(NOT_THEIRS)
    expect(JSON.stringify(refusal)).not.toMatch(/segment|Torneo/i)
    expect(await refusalOf(pay(eva, class_package_id, code))).toMatchObject(NOT_THEIRS)
    expect(await s.sql('select 1 from purchase where customer_id = $1', [eva.customer_id])).toEqual([])
    // The options of payment show the whole price.
    const whole = await codeFor(segment_id, { amount: '100' })
    const isFree = async (person: Person) => (await s.as(person).checkout.ways({ class_package_id, discountCode: whole.code })).free
    expect([await isFree(ana), await isFree(eva)]).toEqual([true, false])
    expect((await pay(ana, class_package_id, code)).status).toBe('completed')
  })

  test('knows who was added a moment ago, and forgets who left before paying', async () => {
    const { class_package_id } = await s.make.package({ price_centavos: 100_000 })
    const { code } = await codeFor()
    const ana = await s.make.customer()
    expect(await codeOf(quote(ana, code, class_package_id))).toBe('DISCOUNT_NOT_FOR_ACCOUNT')
    await tag(ana)
    expect((await quote(ana, code, class_package_id)).quote.total).toBe('900.00')
    await tag(ana, false)
    expect(await refusalOf(pay(ana, class_package_id, code))).toMatchObject(NOT_THEIRS)
    expect(await s.sql('select 1 from purchase where customer_id = $1', [ana.customer_id])).toEqual([])
  })

  test('counts a refused code as a guess (D6)', async () => {
    const { class_package_id } = await s.make.package()
    const { code } = await codeFor()
    const eva = await s.make.customer()
    for (let n = 0; n < 60; n++) expect(await codeOf(quote(eva, code, class_package_id))).toBe('DISCOUNT_NOT_FOR_ACCOUNT')
    expect(await codeOf(quote(eva, code, class_package_id))).toBe('TOO_MANY_REQUESTS')
  })

  test('asks at the counter for whoever is to have what is bought, and writes nothing when refused', async () => {
    const [ana, eva] = [await s.make.customer(), await s.make.customer()]
    await tag(ana)
    const { code } = await codeFor()
    const { class_package_id } = await s.make.package({ price_centavos: 100_000 })
    const { location_id } = await s.make.location()
    const { payment_method_id } = await s.make.paymentMethod({ name: `Terminal ${randomUUID().slice(0, 6)}` })
    const sell = (buyer: Person, gift_to?: Person) =>
      s.as(desk, randomUUID()).counterSales.sell({
        customer_id: buyer.customer_id,
        location_id,
        lines: [{ kind: 'package', class_package_id, discountCode: code, ...(gift_to ? { gift_to: gift_to.customer_id } : {}) }],
        payments: [{ payment_method_id, amount: '900' }],
        shown: { total: '900' },
      })
    expect(await refusalOf(sell(eva))).toMatchObject(NOT_THEIRS)
    expect(await refusalOf(sell(ana, eva))).toMatchObject(NOT_THEIRS)
    expect(await s.sql('select 1 from sale where location_id = $1', [location_id])).toEqual([])
    expect((await sell(ana)).sale.lines[0]?.total).toBe('900.00')
    expect((await sell(eva, ana)).sale.lines[0]?.total).toBe('900.00')
  })

  test('of a subscription stays on its renewals, also when the person has left the segment (D5)', async () => {
    const ana = await s.make.customer()
    await tag(ana)
    const { code } = await codeFor()
    const monthly = { price_centavos: 100_000, is_subscription: true, subscription_period: 'month' as const, subscription_interval: 1 }
    const { class_package_id } = await s.make.package(monthly)
    const { purchase_id } = await pay(ana, class_package_id, code)
    await tag(ana, false)
    const [terms] = await s.sql('select total_centavos, next_total_centavos from purchase where purchase_id = $1', [purchase_id])
    expect(terms).toEqual({ total_centavos: 90_000, next_total_centavos: 90_000 })
  })

  test('keeps its segment: it is not removed before the code is, and a missing one is refused (IN_USE)', async () => {
    const own = (await s.as(desk).segments.create({ name: 'De un código', filter: { tag_id, query: 'x' } })).segment.segment_id
    const { discount_id } = await codeFor(own)
    const removal = () => s.as(desk).segments.remove({ segment_id: own })
    expect(await refusalOf(removal())).toMatchObject({ code: 'IN_USE', data: { uses: [{ kind: 'discount', count: 1 }] } })
    expect((await s.as(owner).discounts.update({ discount_id, segment_id: null })).discount.segment_id).toBeNull()
    expect((await s.as(owner).discounts.update({ discount_id, segment_id: own })).discount.segment_id).toBe(own)
    await s.as(owner).discounts.remove({ discount_id })
    expect(await removal()).toEqual({ ok: true })
    expect(await refusalOf(codeFor(own))).toMatchObject({ code: 'SEGMENT_NOT_FOUND', status: 404, message: 'Ese segmento ya no existe.' })
  })

  test('may be one of a series', async () => {
    const [ana, eva, { class_package_id }] = [await s.make.customer(), await s.make.customer(), await s.make.package()]
    await tag(ana)
    const series = { prefix: 'TORNEO', count: 2, amount: '10', is_percent: true, segment_id }
    const [code = ''] = (await s.as(owner, randomUUID()).discounts.createSeries(series)).codes
    expect(await codeOf(quote(eva, code, class_package_id))).toBe('DISCOUNT_NOT_FOR_ACCOUNT')
    expect((await pay(ana, class_package_id, code)).status).toBe('completed')
  })
})
