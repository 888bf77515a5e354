/** Changes of a subscription to another package (docs/domain.md V53 to V56). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { ledgerAmounts, passDays } from '#server/testing/sandbox-bank.ts'
import { codeOf, type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { monthlyPackage, setCardBehaviour, subscriber as subscriberOf } from '#server/testing/subscribers.ts'
import { doJobs } from '#server/testing/work.ts'

let s: TestStudio
let bank: Sandbox
let desk: Person
let owner: Person
let location_id: number
let cash: number
let basic: number
let plus: number
let unlimited: number
beforeAll(async () => {
  s = await studio({ settings: { trial_once_per_card: false } })
  bank = s.bank()
  bank.held = true
  owner = await s.make.staff('owner')
  desk = await s.make.staff('reception')
  location_id = (await s.make.location()).location_id
  cash = (await s.make.paymentMethod({ name: 'Efectivo' })).payment_method_id
  await s.as(desk, randomUUID()).cashSessions.open({ location_id, opening: '0' })
  basic = await monthlyPackage(s, { title: 'Membresía 8', price_centavos: 116_000, class_amount: 8 })
  plus = await monthlyPackage(s, { title: 'Membresía 20', price_centavos: 232_000, class_amount: 20 })
  unlimited = await monthlyPackage(s, { title: 'Ilimitada', price_centavos: 290_000, class_amount: -1 })
})
afterAll(async () => {
  expect(await wrongMoney(s, false)).toEqual({})
  await s.close()
})
beforeEach(() => s.clock.set(START))

const subscriber = (class_package_id = basic) => subscriberOf(s, class_package_id)
const behave = (last4: string, behaviour: string) => setCardBehaviour(s, last4, behaviour)
const subscriptions = (key: string = randomUUID(), person = desk) => s.as(person, key).studioSubscriptions
type Change = Parameters<ReturnType<typeof subscriptions>['changePlan']>[0]
const change = (input: Change, key?: string) => subscriptions(key).changePlan(input)
const detail = (purchase_id: number) => s.as(owner).studioSales.purchase({ purchase_id })
const useCredits = (person: Person & { customer_id: number }, amount: number) =>
  s.as(owner, randomUUID()).studioSales.removeClasses({ customer_id: person.customer_id, amount, reason: 'Prueba' })

describe('what it costs (V53)', () => {
  test('the days or the classes that are left count, whichever is less; a dry run writes nothing', async () => {
    const { who, purchase_id } = await subscriber()
    const before = await s.sql('select count(*) from plan_change')
    const quote = async () => (await change({ purchase_id, class_package_id: plus, dry_run: true })).quote
    expect(await quote()).toMatchObject({
      title: 'Membresía 20',
      price: '2320.00',
      credit: '1160.00',
      total: '1160.00',
      next_total: '2320.00',
      days_left: 30,
      credits_left: 8,
      consequence:
        'Paga hoy $1,160.00: $2,320.00 menos $1,160.00 que le quedan pagados hasta el 19 dic 2026. Membresía 20 empieza hoy. Las 8 clases que le quedan se quitan. Lo que ya reservó se queda.',
    })
    s.clock.advance({ days: 15 })
    expect(await quote()).toMatchObject({ credit: '580.00', total: '1740.00', days_left: 15 })
    await useCredits(who, 6)
    expect(await quote()).toMatchObject({ credit: '290.00', total: '2030.00', credits_left: 2 })
    expect((await change({ purchase_id, class_package_id: plus, prorate: false, dry_run: true })).quote).toMatchObject({
      credit: '0.00',
      total: '2320.00',
      days_left: null,
    })
    expect(await s.sql('select count(*) from plan_change')).toEqual(before)
  })

  test('a plan change that is not possible is refused, with the reason', async () => {
    const { who, purchase_id } = await subscriber(plus)
    const no = (input: Partial<Change>) => refusalOf(change({ purchase_id, class_package_id: unlimited, dry_run: true, ...input }))
    expect((await no({ class_package_id: plus })).message).toContain('ya tiene ese plan')
    const single = (await s.make.package({ price_centavos: 90_000 })).class_package_id
    expect((await no({ class_package_id: single })).message).toContain('no es una suscripción')
    expect((await no({ class_package_id: 999_999 })).code).toBe('PACKAGE_NOT_FOUND')
    expect((await no({ purchase_id: 999_999 })).code).toBe('PURCHASE_NOT_FOUND')
    expect(await no({ class_package_id: basic })).toMatchObject({ code: 'PLAN_CREDIT_TOO_HIGH', data: { credit: '$2,320.00' } })
    s.clock.advance({ days: 29, hours: 1 })
    expect((await no({})).code).toBe('PLAN_RENEWS_SOON')
    s.clock.set(START)
    await subscriptions().cancel({ purchase_id, reason: 'Se va' })
    expect((await no({})).message).toContain('ya terminó')
    const bought = await s.as(who, randomUUID()).sales.attempt({ class_package_id: single, payment_method: 'tok_ok' })
    expect(
      await codeOf(
        s
          .as(await s.make.staff('coach'))
          .studioSubscriptions.changePlan({ purchase_id: bought.purchase_id, class_package_id: plus, dry_run: true }),
      ),
    ).toBe('FORBIDDEN')
  })
})

describe('now, on a saved card (V54)', () => {
  test('charges the difference, ends the old plan at its processor, and the new one renews at its own price', async () => {
    const { who, purchase_id, payment_source_id } = await subscriber()
    s.clock.advance({ days: 15 })
    const key = randomUUID()
    const input = { purchase_id, class_package_id: plus, payment_source_id, shown: { total: '1740' } }
    expect(await codeOf(change({ ...input, shown: { total: '1' } }))).toBe('PRICE_CHANGED')
    const { order, purchase } = await change(input, key)
    expect(order).toMatchObject({ state: 'paid', purchase: { status: 'active', total_payment: '1740.00', discount: '580.00' } })
    expect(purchase).toMatchObject({ status: 'cancelled', cancel_reason: 'cambio de plan' })
    const replaced_by = order?.purchase.purchase_id ?? 0
    expect((await change(input, key)).order?.purchase.purchase_id).toBe(replaced_by)
    expect(await ledgerAmounts(s, replaced_by)).toEqual([174_000])
    expect(await s.balance(who)).toBe(20)
    expect((await detail(purchase_id)).plan_change).toMatchObject({ state: 'done', title: 'Membresía 20', replaced_by })
    await doJobs(s)
    await passDays(s, 31)
    expect(await ledgerAmounts(s, replaced_by)).toEqual([174_000, 232_000])
    expect(await ledgerAmounts(s, purchase_id)).toEqual([116_000])
  })

  test('a card that is refused changes nothing', async () => {
    const { who, purchase_id, payment_source_id, last4 } = await subscriber()
    await behave(last4, 'funds')
    const input = { purchase_id, class_package_id: plus, payment_source_id, shown: { total: '1160' } }
    expect(await codeOf(change(input))).toBe('CARD_INSUFFICIENT_FUNDS')
    expect((await detail(purchase_id)).purchase).toMatchObject({ status: 'active', next_charge: { amount: '1160.00' } })
    expect((await detail(purchase_id)).plan_change).toMatchObject({ state: 'failed' })
    expect(await s.balance(who)).toBe(8)
    await behave(last4, 'ok')
    expect((await change(input)).order?.state).toBe('paid')
    const other = await subscriber()
    expect(await codeOf(change({ ...input, purchase_id: other.purchase_id }))).toBe('PAYMENT_SOURCE_NOT_FOUND')
  })

  test('what was booked with the old plan stays', async () => {
    const { who, purchase_id, payment_source_id } = await subscriber()
    const cls = await s.make.class({ starts_at: new Date(Date.parse(START) + 3 * 86_400_000) })
    await s.as(who, randomUUID()).bookings.reserve({ single_class_id: cls.single_class_id })
    expect((await change({ purchase_id, class_package_id: unlimited, dry_run: true })).quote).toMatchObject({
      credit: '1015.00',
      credits_left: 7,
    })
    await change({ purchase_id, class_package_id: unlimited, payment_source_id, shown: { total: '1885' } })
    await doJobs(s)
    const [row] = await s.sql<{ live: number }>(
      `select count(*)::int as live from class_reservation where customer_id = $1 and "deletedAt" is null`,
      [who.customer_id],
    )
    expect(row?.live).toBe(1)
  })

  test('a renewal that was charged while the new plan was being paid goes back', async () => {
    const { purchase_id, payment_source_id } = await subscriber()
    await change({ purchase_id, class_package_id: plus, payment_source_id, shown: { total: '1160' } })
    // As if the renewal had been applied before the change was concluded.
    await s.sql(
      `update plan_change set period_end = (select period::timestamptz from invoice where purchase_id = $1) where purchase_id = $1`,
      [purchase_id],
    )
    await doJobs(s)
    expect(await ledgerAmounts(s, purchase_id)).toEqual([116_000, -116_000])
    await doJobs(s)
    expect(await ledgerAmounts(s, purchase_id)).toEqual([116_000, -116_000])
  })
})

describe('now, with a link (V54)', () => {
  const tokenOf = (order: { link: { url: string } | null } | null) => order?.link?.url.split('/').at(-1) ?? ''
  const payPage = (url: string | null) => bank.giveToken(new URL(url ?? '').pathname.split('/').at(-1) ?? '', 'tok_ok')

  test('the old plan lasts until it is paid', async () => {
    const { who, purchase_id } = await subscriber()
    const { order } = await change({ purchase_id, class_package_id: plus, shown: { total: '1160' } })
    expect(order).toMatchObject({ state: 'waiting' })
    expect((await detail(purchase_id)).purchase.status).toBe('active')
    expect(await codeOf(change({ purchase_id, class_package_id: unlimited, dry_run: true }))).toBe('PLAN_CHANGE_WAITING')
    const { url } = await s.as(null).paymentLinks.pay({ token: tokenOf(order) })
    await payPage(url)
    expect((await s.as(null).paymentLinks.shown({ token: tokenOf(order) })).order.state).toBe('paid')
    await doJobs(s)
    expect((await detail(purchase_id)).purchase.status).toBe('cancelled')
    expect(await s.balance(who)).toBe(20)
  })

  test('a plan change that begins now, with a link, cannot be paid any more once the classes that it counted were used; called off, the plan stays', async () => {
    const { who, purchase_id } = await subscriber()
    const { order } = await change({ purchase_id, class_package_id: plus, shown: { total: '1160' } })
    await useCredits(who, 3)
    expect(await codeOf(s.as(null).paymentLinks.pay({ token: tokenOf(order) }))).toBe('PAYMENT_LINK_GONE')
    await s.as(desk, randomUUID()).counterOrders.cancel({ purchase_id: order?.purchase.purchase_id ?? 0, reason: 'Otra vez' })
    expect((await change({ purchase_id, class_package_id: plus, dry_run: true })).quote?.credit).toBe('725.00')
    expect((await detail(purchase_id)).purchase.status).toBe('active')
  })
})

describe('when the period ends (V55)', () => {
  test('nothing is charged today; then the card pays the new plan once, and the old one does not renew', async () => {
    const { who, purchase_id, payment_source_id } = await subscriber(plus)
    const input = { purchase_id, class_package_id: basic, when: 'next_period' as const, payment_source_id, shown: { total: '1160' } }
    const { quote } = await change({ ...input, dry_run: true })
    expect(quote?.consequence).toBe(
      'Conserva lo que pagó hasta el 19 dic 2026. Ese día empieza Membresía 8 y se cobran $1,160.00, y después cada mes. Hoy no se cobra nada.',
    )
    const done = await change(input)
    expect(done).toMatchObject({ order: null, purchase: { status: 'cancelled' } })
    expect((await change(input)).order).toBeNull()
    expect((await detail(purchase_id)).plan_change).toMatchObject({ state: 'scheduled', total: '1160.00' })
    const ownNotes = async () => (await s.as(who).sales.list()).purchases.map((row) => row.plan_change)
    expect(await ownNotes()).toEqual(['Cambia a Membresía 8 el 19 dic 2026, por $1,160.00.'])
    await doJobs(s, 'sales.plan-changes')
    const mails = await s.sql<{ subject: string }>('select subject from mail_outbox where "to" = $1', [who.email])
    expect(mails.filter(({ subject }) => /Membresía 8/.test(subject))).toHaveLength(1)
    await passDays(s, 31)
    await doJobs(s, 'sales.plan-changes')
    await doJobs(s, 'sales.plan-changes')
    const { plan_change } = await detail(purchase_id)
    expect(plan_change).toMatchObject({ state: 'done' })
    expect(await ownNotes()).toEqual([null, null])
    expect(await ledgerAmounts(s, plan_change?.replaced_by ?? 0)).toEqual([116_000])
    expect(await ledgerAmounts(s, purchase_id)).toEqual([232_000])
    expect(await s.balance(who)).toBe(8)
  })

  test('a card that is refused then turns it into a link', async () => {
    const { purchase_id, payment_source_id, last4 } = await subscriber()
    await change({ purchase_id, class_package_id: plus, when: 'next_period', payment_source_id, shown: { total: '2320' } })
    await behave(last4, 'funds')
    await passDays(s, 31)
    await doJobs(s, 'sales.plan-changes')
    const { plan_change } = await detail(purchase_id)
    expect(plan_change?.state).toBe('waiting')
    const { orders } = await s.as(desk).counterOrders.list({})
    expect(orders.map((order) => order.purchase.purchase_id)).toContain(plan_change?.replaced_by)
  })

  test('a plan change at the end of the period is called off, and then nothing begins', async () => {
    const { purchase_id, payment_source_id } = await subscriber()
    await change({ purchase_id, class_package_id: plus, when: 'next_period', payment_source_id, shown: { total: '2320' } })
    await subscriptions().cancelChange({ purchase_id, reason: 'Lo pensó' })
    expect(await codeOf(subscriptions().cancelChange({ purchase_id, reason: 'Lo pensó' }))).toBe('PLAN_CHANGE_NONE')
    await passDays(s, 31)
    await doJobs(s, 'sales.plan-changes')
    expect((await detail(purchase_id)).plan_change).toBeNull()
    expect(await ledgerAmounts(s, purchase_id)).toEqual([116_000])
  })

  test('a process that died before it reached the processor: the job ends the renewals', async () => {
    const { purchase_id, payment_source_id } = await subscriber()
    const stop = bank.stop
    bank.stop = () => Promise.reject(new Error('The process died.'))
    await expect(
      change({ purchase_id, class_package_id: plus, when: 'next_period', payment_source_id, shown: { total: '2320' } }),
    ).rejects.toThrow()
    bank.stop = stop
    expect((await detail(purchase_id)).purchase.status).toBe('active')
    await doJobs(s)
    expect((await detail(purchase_id)).purchase.status).toBe('cancelled')
  })

  test('a trial is changed now, what does not renew only now', async () => {
    const trial = await monthlyPackage(s, { price_centavos: 50_000, class_amount: 4, free_trial_length: 7, free_trial_period: 'day' })
    const { purchase_id, payment_source_id } = await subscriber(trial)
    const later = { purchase_id, class_package_id: plus, when: 'next_period' as const, dry_run: true }
    expect((await refusalOf(change(later))).message).toContain('está en su prueba')
    expect((await change({ purchase_id, class_package_id: plus, dry_run: true })).quote).toMatchObject({ credit: '0.00', total: '2320.00' })
    expect((await change({ purchase_id, class_package_id: plus, payment_source_id, shown: { total: '2320' } })).order?.state).toBe('paid')
    await doJobs(s)
    expect(await ledgerAmounts(s, purchase_id)).toEqual([])
  })
})

describe('at the counter (V56)', () => {
  const sell = (customer_id: number, items: Parameters<ReturnType<TestStudio['as']>['counterSales']['sell']>[0]['lines'], total: string) =>
    s.as(desk, randomUUID()).counterSales.sell({
      customer_id,
      location_id,
      lines: items,
      payments: [{ payment_method_id: cash, amount: total }],
      shown: { total },
    })

  test('a period that was sold there becomes one of another plan for the difference', async () => {
    const customer = await s.make.customer()
    const sold = await sell(customer.customer_id, [{ kind: 'package', class_package_id: basic }], '1160')
    const purchase_id = sold.purchases[0]?.purchase_id ?? 0
    expect(sold.purchases[0]).toMatchObject({ status: 'completed', can_change_plan: true })
    s.clock.advance({ days: 15 })
    await useCredits(customer, 6)
    const { quote } = await change({ purchase_id, class_package_id: plus, dry_run: true })
    expect(quote).toMatchObject({ credit: '290.00', total: '2030.00' })
    expect((await refusalOf(change({ purchase_id, class_package_id: plus, when: 'next_period', dry_run: true }))).message).toContain(
      'no se renueva',
    )
    const item = { kind: 'package' as const, class_package_id: plus, replaces: { purchase_id } }
    expect(await codeOf(sell(customer.customer_id, [{ ...item, discount: { percent: 5, reason: 'Más barato' } }], '2030'))).toBe(
      'INVALID_INPUT',
    )
    const { sale, purchases } = await sell(customer.customer_id, [item], '2030')
    expect(sale).toMatchObject({ total: '2030.00', lines: [{ list: '2320.00', total: '2030.00' }] })
    expect(purchases).toMatchObject([{ status: 'completed', discount: '290.00' }])
    expect(await s.balance(customer)).toBe(20)
    expect((await refusalOf(change({ purchase_id, class_package_id: unlimited, dry_run: true }))).message).toContain('ya venció')
  })

  test('ends a subscription that a processor charges', async () => {
    const { who, purchase_id } = await subscriber()
    await sell(who.customer_id, [{ kind: 'package', class_package_id: plus, replaces: { purchase_id } }], '1160')
    await doJobs(s)
    await passDays(s, 31)
    expect(await ledgerAmounts(s, purchase_id)).toEqual([116_000])
    expect((await detail(purchase_id)).purchase.status).toBe('cancelled')
  })

  test('another person’s plan is unknown, and one is not replaced twice', async () => {
    const { purchase_id } = await subscriber()
    const other = await s.make.customer()
    const item = { kind: 'package' as const, class_package_id: plus, replaces: { purchase_id } }
    expect(await codeOf(sell(other.customer_id, [item], '1160'))).toBe('PURCHASE_NOT_FOUND')
  })
})
