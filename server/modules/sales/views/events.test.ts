/** Special events are sold until booking of their last class closes, by every endpoint that sells (docs/domain.md K13). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bookingCutoffMs } from '#contract/settings.ts'
import { openCheckoutStudio } from '#server/testing/checkout-fixture.ts'
import { type Client, codeOf, type Person, refusalOf } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'

const { s, bank, attempt, sold, run } = await openCheckoutStudio()
let owner: Person
let staff: Client
beforeAll(async () => {
  owner = await s.make.staff('owner')
  staff = s.as(owner)
})
afterAll(() => s.close())
beforeEach(() => s.reset())

const HOUR = 3_600_000
/** A class hours from now, sold as a package of its own; `hours`: of its classes. */
async function event(hours: readonly number[], values: Parameters<typeof s.make.package>[0] = {}) {
  const classPackage = await s.make.package({ is_special_event: true, class_amount: 1, capacity: 16, ...values })
  const { class_package_id } = classPackage
  const classes: number[] = []
  for (const h of hours) {
    const starts_at = new Date(s.clock.now().getTime() + h * HOUR)
    classes.push((await s.make.class({ class_package_id, starts_at })).single_class_id)
  }
  return { class_package_id, title: classPackage.title, classes }
}
/** Which lists include an event: the API's, the staff's, and the checkout's. */
async function offered({ class_package_id }: { class_package_id: number }) {
  const { catalogue } = s.as(await s.make.customer())
  const has = ({ class_packages }: { class_packages: { class_package_id: number }[] }) =>
    class_packages.some((classPackage) => classPackage.class_package_id === class_package_id)
  return {
    lists: [
      has(await catalogue.packages()),
      has(await catalogue.presencialesAll()),
      has(await catalogue.presencialesHome()),
      has(await catalogue.especialesAll()),
      has(await catalogue.especialesHome()),
    ],
    staff: has(await staff.studioPackages.all({})),
    page: await catalogue.package({ class_package_id }).then(
      () => 'sold',
      (error: { code: string }) => error.code,
    ),
  }
}
const SOLD = { lists: [true, true, true, true, true], staff: true, page: 'sold' }
const hiddenWith = (code: string) => ({ lists: [false, false, false, false, false], staff: true, page: code })

describe('by time', () => {
  test('it is sold until its class begins; afterwards it is not offered, charged or written', async () => {
    const [ana, eventPackage] = [await s.make.customer(), await event([2])]
    const { class_package_id } = eventPackage
    expect(await offered(eventPackage)).toEqual(SOLD)
    expect((await s.as(null).catalogue.package({ class_package_id })).class_package.sold_until).toBe('2026-11-19T18:00:00.000Z')
    expect(await attempt(ana, class_package_id, 'tok_ok')).toMatchObject({ status: 'completed' })

    s.clock.advance({ hours: 2 })
    expect(await offered(eventPackage)).toEqual(hiddenWith('EVENT_OVER'))
    const luis = await s.make.customer()
    expect(await refusalOf(attempt(luis, class_package_id, 'tok_ok'))).toMatchObject({
      code: 'EVENT_OVER',
      status: 412,
      message: 'Este evento ya pasó: ya no está a la venta.',
    })
    const cash = s.as(luis, randomUUID()).sales.checkout({ class_package_id, payment_method_id: null })
    expect(await codeOf(cash)).toBe('EVENT_OVER')
    expect(await codeOf(s.as(luis).checkout.ways({ class_package_id }))).toBe('EVENT_OVER')
    const code = await s.make.discount()
    expect(await codeOf(s.as(luis).discounts.byCode({ class_package_id, code: code.code }))).toBe('EVENT_OVER')
    expect(await s.sql('select 1 from purchase where customer_id = $1', [luis.customer_id])).toEqual([])
    expect(await sold(class_package_id)).toBe(1)
    // Earlier buyers still see it, and staff can still grant it.
    expect((await s.as(ana).sales.list()).purchases).toMatchObject([{ class_package: { title: eventPackage.title } }])
    await s.as(owner, randomUUID()).studioSales.giveAccess({ customer_id: luis.customer_id, class_package_id, is_gift: true })
    expect(await s.balance(luis)).toBe(1)
  })

  test('sales end with booking, where that closes before the class (R3)', async () => {
    const cutoff = { reservation_timeframe_hours: 1, reservation_timeframe_minutes: 30 }
    expect(bookingCutoffMs(cutoff)).toBe(90 * 60_000)
    await s.having(cutoff, async () => {
      const [ana, eventPackage] = [await s.make.customer(), await event([2])]
      s.clock.advance({ minutes: 29 })
      expect(await attempt(ana, eventPackage.class_package_id, 'tok_ok')).toMatchObject({ status: 'completed' })
      await s.as(ana).bookings.reserve({ single_class_id: eventPackage.classes[0] ?? 0 })
      s.clock.advance({ minutes: 1 })
      expect(await codeOf(attempt(await s.make.customer(), eventPackage.class_package_id, 'tok_ok'))).toBe('EVENT_OVER')
    })
  })

  test('of several classes the last one counts; one without classes on the calendar, and other packages, have no end', async () => {
    const [two, none] = [await event([2, 50]), await event([])]
    const workshop = await event([2], { is_special_event: false })
    s.clock.advance({ hours: 3 })
    for (const classPackage of [two, none, workshop]) expect(await offered(classPackage)).toMatchObject({ page: 'sold' })
    s.clock.advance({ days: 2 })
    expect((await offered(two)).page).toBe('EVENT_OVER')
    expect((await offered(none)).page).toBe('sold')
    expect((await offered(workshop)).page).toBe('sold')
    const { class_package } = await s.as(null).catalogue.package({ class_package_id: workshop.class_package_id })
    expect(class_package.sold_until).toBeNull()
  })
})

describe('by changes of its class', () => {
  test('cancelled it is not sold, restored it is again', async () => {
    const [ana, eventPackage] = [await s.make.customer(), await event([30])]
    const [single_class_id = 0] = eventPackage.classes
    await staff.schedule.cancel({ single_class_id, reason: 'Mariana está enferma' })
    expect(await offered(eventPackage)).toEqual(hiddenWith('EVENT_CANCELLED'))
    expect(await refusalOf(attempt(ana, eventPackage.class_package_id, 'tok_ok'))).toMatchObject({
      code: 'EVENT_CANCELLED',
      status: 412,
      message: 'Este evento se canceló: ya no está a la venta.',
    })
    await staff.schedule.restore({ single_class_id })
    expect(await offered(eventPackage)).toEqual(SOLD)
    expect(await attempt(ana, eventPackage.class_package_id, 'tok_ok')).toMatchObject({ status: 'completed' })
  })

  test('with one of two cancelled it is sold until the other; postponed it is sold until the new hour', async () => {
    const eventPackage = await event([2, 50])
    const [first = 0, second = 0] = eventPackage.classes
    await staff.schedule.cancel({ single_class_id: second })
    s.clock.advance({ minutes: 119 })
    expect((await offered(eventPackage)).page).toBe('sold')
    await staff.schedule.update({ single_class_id: first, class_date: '2026-11-20T12:00:00.000Z' })
    s.clock.advance({ hours: 2 })
    expect((await offered(eventPackage)).page).toBe('sold')
    s.clock.set('2026-11-20T12:00:00-06:00')
    expect((await offered(eventPackage)).page).toBe('EVENT_OVER')
  })

  test('visitors without an account see it at once: cached documents are invalidated', async () => {
    const eventPackage = await event([30])
    const visitor = s.as(null).catalogue
    const isOffered = async () =>
      (await visitor.especialesAll()).class_packages.some((classPackage) => classPackage.class_package_id === eventPackage.class_package_id)
    await s.studio.db.tx(async (tx) => tx.notify({ topic: 'catalogue' }))
    expect(await isOffered()).toBe(true)
    await staff.schedule.cancel({ single_class_id: eventPackage.classes[0] ?? 0 })
    expect(await isOffered()).toBe(false)
    await staff.schedule.restore({ single_class_id: eventPackage.classes[0] ?? 0 })
    expect(await isOffered()).toBe(true)
  })
})

describe('payments in progress', () => {
  test('started in time they complete; another card after a decline is too late', async () => {
    const [ana, luis, eventPackage] = [await s.make.customer(), await s.make.customer(), await event([0.2])]
    const payment = await attempt(ana, eventPackage.class_package_id, 'tok_3ds')
    const key = randomUUID()
    expect(await codeOf(attempt(luis, eventPackage.class_package_id, 'tok_declined', key))).toBe('CARD_DECLINED')
    s.clock.advance({ minutes: 12 })
    await bank.authorize(payment.clientSecret?.split('_secret_')[0] ?? '', true)
    expect((await s.as(ana).sales.one({ id: payment.purchase_id })).purchase.status).toBe('completed')
    expect(await codeOf(attempt(luis, eventPackage.class_package_id, 'tok_ok', key))).toBe('EVENT_OVER')
    expect(await s.balance(luis)).toBe(0)
    expect(await s.sql(`select 1 from invoice where customer_id = $1`, [luis.customer_id])).toEqual([])
  })

  test('money for a purchase closed before the event is refunded (V13)', async () => {
    const [ana, eventPackage] = [await s.make.customer(), await event([1])]
    const slow = await attempt(ana, eventPackage.class_package_id, 'tok_timeout_paid')
    await s.sql(`update payment_attempt set state = 'cancelled' where purchase_id = $1`, [slow.purchase_id])
    await s.sql(`update purchase set status = 'failed', holds_stock = false where purchase_id = $1`, [slow.purchase_id])
    await s.sql('update class_package set sold = 0 where class_package_id = $1', [eventPackage.class_package_id])
    s.clock.advance({ hours: 1 })
    await run('sales.reconcile', {})
    await run('sales.reconcile', {})
    await doJobs(s)
    expect((await s.as(ana).sales.one({ id: slow.purchase_id })).purchase.status).toBe('failed')
    expect(await s.balance(ana)).toBe(0)
    expect((await bank.ledger(slow.purchase_id)).map((entry) => entry.kind)).toEqual(['charge', 'refund'])
  })
})
