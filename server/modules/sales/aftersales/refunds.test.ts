/** Money that goes back and charges that a bank disputes, over HTTP (docs/domain.md V23, V24, C20, C21, R24). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { PaymentError } from '#server/adapters/payments/port.ts'
import { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { reconcile } from '#server/modules/sales/jobs.ts'
import { ledgerAmounts } from '#server/testing/sandbox-bank.ts'
import { type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { deliverPendingWebhooks, doJobs } from '#server/testing/work.ts'

let s: TestStudio
let bank: Sandbox
let owner: Person
beforeAll(async () => {
  s = await studio({ settings: { waitlist_enabled: true, allow_class_guests: true, cash_session_required: false } })
  bank = s.bank()
  bank.held = true
  owner = await s.make.staff('owner')
})
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))

const PRICE = 219_000
/** A customer who bought ten classes by card. */
async function buyer() {
  const customer = await s.make.customer()
  const { class_package_id } = await s.make.package({ title: 'Diez clases' })
  const { purchase_id } = await s.as(customer, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })
  return { who: customer, purchase_id, class_package_id }
}
const refund = (
  purchase_id: number,
  more: Partial<Parameters<ReturnType<TestStudio['as']>['studioSales']['refund']>[0]> = {},
  key?: string,
) => s.as(owner, key).studioSales.refund({ purchase_id, reason: 'Se mudó de ciudad', ...more })
const available = async (person: Person) => (await s.as(person).credits.list()).summary.available
const detail = (purchase_id: number) => s.as(owner).studioSales.purchase({ purchase_id })
const paymentOf = async (purchase_id: number) =>
  (await s.sql<{ ref_id: string }>(`select ref_id from payment_attempt where purchase_id = $1 and ref_id is not null`, [purchase_id]))[0]
    ?.ref_id ?? ''
/** The processor's notices arrive. */
async function deliverWebhooks() {
  bank.held = false
  await bank.tick()
  bank.held = true
  await deliverPendingWebhooks(s)
}

describe('a refund', () => {
  test('by reception with the right is limited to `pos_refund_max` per charge, however it is divided (V23)', async () => {
    const { purchase_id } = await buyer()
    const desk = await s.make.staff('reception')
    await s.sql(`insert into staff_right select staff_id, 'sales.refund', true from staff where uid = $1`, [desk.uid])
    const give = (amount: string) => s.as(desk, randomUUID()).studioSales.refund({ purchase_id, amount, reason: 'Se equivocó' })
    expect(await refusalOf(give('0.01'))).toMatchObject({ code: 'FORBIDDEN', data: { needs: 'sales.refund', max: '0.00' } })
    await s.having({ pos_refund_max: '300' }, async () => {
      expect((await give('200')).refund).toMatchObject({ state: 'done', amount: '200.00' })
      expect(await refusalOf(give('100.01'))).toMatchObject({ code: 'FORBIDDEN', data: { max: '300.00' } })
      expect((await give('100')).refund).toMatchObject({ state: 'done' })
      expect((await refund(purchase_id, { amount: '500' }, randomUUID())).refund).toMatchObject({ state: 'done' })
    })
    expect(await ledgerAmounts(s, purchase_id)).toEqual([PRICE, -20_000, -10_000, -50_000])
  })

  test('of everything revokes the balance, releases upcoming reservations and notifies once (V23, C20, R24)', async () => {
    const { who, purchase_id } = await buyer()
    const [past, soon, late] = [
      await s.make.class({ starts_at: new Date(s.clock.now().getTime() + 3_600_000) }),
      await s.make.class({ capacity: 1 }),
      await s.make.class({ starts_at: new Date(s.clock.now().getTime() + 72 * 3_600_000) }),
    ]
    await s.as(who).bookings.reserve({ single_class_id: past.single_class_id })
    await s.as(who).bookings.reserve({ single_class_id: soon.single_class_id })
    await s.as(who).bookings.reserve({ single_class_id: late.single_class_id, guest: 'Jimena' })
    const next = await s.make.customer()
    await s.make.lot(next)
    await s.as(next).waitlist.join({ single_class_id: soon.single_class_id })
    s.clock.advance({ hours: 2 })

    // A class that has begun is had, whatever becomes of the money.
    const { purchase, refund: row } = await refund(purchase_id)
    expect(row).toMatchObject({ amount: '2190.00', state: 'done', by_hand: false, reason: 'Se mudó de ciudad' })
    expect(purchase).toMatchObject({ status: 'revoked', refunded: '2190.00', has_receipt: true, can_cancel: false })
    expect(await ledgerAmounts(s, purchase_id)).toEqual([PRICE, -PRICE])
    expect(await available(who)).toBe(0)
    await doJobs(s)
    await doJobs(s)
    const { class_reservations } = await s.as(who).bookings.list({})
    const statuses = new Map(
      class_reservations.map((classReservation) => [classReservation.single_class.single_class_id, classReservation.status]),
    )
    expect([past, soon, late].map((cls) => statuses.get(cls.single_class_id))).toEqual(['Próxima', 'Cancelada', 'Cancelada'])
    expect(
      await s.sql('select taken from single_class where single_class_id = any($1)', [[soon.single_class_id, late.single_class_id]]),
    ).toEqual([{ taken: 0 }, { taken: 0 }])
    // The freed spot is offered to the waitlist, and the ledger adds up.
    expect(await s.sql(`select 1 from message where event = 'waitlist_open' and customer_id = $1`, [next.customer_id])).not.toEqual([])
    const messages = await s.sql<{ event: string; words: { title: string } }>(
      `select event, words from message where customer_id = $1 and channel = 'app' and event <> 'reservation_confirmed' order by event`,
      [who.customer_id],
    )
    expect(messages.map(({ event }) => event)).toEqual(['payment_refunded', 'reservation_cancelled', 'reservation_cancelled'])
    expect(messages[0]?.words.title).toBe('Te devolvimos $2,190.00')
    expect((await s.as(who).invoices.list({})).invoices).toMatchObject([{ status: 'refunded', refunded: '2190.00' }])
    const trail = await s.sql<{ action: string; reason: string | null }>(
      `select action, reason from audit where entity = 'purchase' and entity_id = $1 order by audit_id`,
      [String(purchase_id)],
    )
    expect(trail.map(({ action }) => action)).toEqual(['purchase.open', 'purchase.completed', 'purchase.refund', 'purchase.revoked'])
    expect(trail[2]?.reason).toBe('Se mudó de ciudad')
  })

  test('of a part revokes nothing; the rest can still be refunded, and no centavo more (V23)', async () => {
    const { who, purchase_id } = await buyer()
    await s.as(who).bookings.reserve({ single_class_id: (await s.make.class()).single_class_id })
    expect((await refund(purchase_id, { amount: '500.50' })).purchase).toMatchObject({ status: 'completed', refunded: '500.50' })
    expect(await available(who)).toBe(9)
    expect((await s.as(who).invoices.list({})).invoices).toMatchObject([{ status: 'partially_refunded', refunded: '500.50' }])
    expect(await refusalOf(refund(purchase_id, { amount: '1689.51' }))).toMatchObject({
      code: 'REFUND_TOO_MUCH',
      status: 409,
      data: { left: '1689.50' },
      message: 'No se puede devolver más de lo que se cobró.',
    })
    await refund(purchase_id)
    expect(await ledgerAmounts(s, purchase_id)).toEqual([PRICE, -50_050, -168_950])
    expect(await available(who)).toBe(0)
    expect(await refusalOf(refund(purchase_id))).toMatchObject({ code: 'REFUND_NOTHING_LEFT', status: 409 })
    expect((await detail(purchase_id)).refunds.map(({ amount, state }) => [amount, state])).toEqual([
      ['1689.50', 'done'],
      ['500.50', 'done'],
    ])
  })

  test('requires the owner, a reason and a valid amount', async () => {
    const { purchase_id } = await buyer()
    const reception = await s.make.staff('reception')
    expect((await refusalOf(s.as(reception).studioSales.refund({ purchase_id, reason: 'Prueba' }))).code).toBe('FORBIDDEN')
    for (const wrong of [{ reason: '' }, { reason: '  a ' }, { amount: '0' }, { amount: '-1' }, { amount: '1.005' }, { amount: 'todo' }])
      expect((await refusalOf(refund(purchase_id, wrong))).code).toBe('INVALID_INPUT')
    expect((await refusalOf(refund(999_999))).code).toBe('PURCHASE_NOT_FOUND')
    expect((await refusalOf(refund(purchase_id, { invoice_id: 999_999 }))).code).toBe('INVALID_INPUT')
    expect(await ledgerAmounts(s, purchase_id)).toEqual([PRICE])
  })

  test('with the same key is one refund, with other contents a refusal', async () => {
    const { purchase_id } = await buyer()
    const key = randomUUID()
    const first = await refund(purchase_id, { amount: '100' }, key)
    expect((await refund(purchase_id, { amount: '100.00' }, key)).refund).toEqual(first.refund)
    expect((await refusalOf(refund(purchase_id, { amount: '200' }, key))).code).toBe('IDEMPOTENCY_KEY_REUSED')
    expect(await ledgerAmounts(s, purchase_id)).toEqual([PRICE, -10_000])
  })

  test('by hand counts like any other, and the processor is not called (V23)', async () => {
    const { who, purchase_id } = await buyer()
    expect((await refund(purchase_id, { amount: '190', by_hand: true })).purchase).toMatchObject({ refunded: '190.00' })
    await refund(purchase_id, { amount: '1000' })
    expect(await ledgerAmounts(s, purchase_id)).toEqual([PRICE, -100_000])
    expect((await refund(purchase_id, { by_hand: true })).purchase).toMatchObject({ status: 'revoked', refunded: '2190.00' })
    expect(await ledgerAmounts(s, purchase_id)).toEqual([PRICE, -100_000])
    await reconcile(s.system())
    expect((await s.as(who).invoices.list({})).invoices).toMatchObject([{ status: 'refunded', refunded: '2190.00' }])
  })

  test('of cash is paid out at the counter', async () => {
    await s.change({ cash_checkout_enabled: true })
    const customer = await s.make.customer()
    const { class_package_id } = await s.make.package()
    const { purchase_id } = await s.as(customer, randomUUID()).sales.checkout({ class_package_id })
    expect((await refusalOf(refund(purchase_id))).code).toBe('REFUND_NOTHING_LEFT')
    await s.as(owner).sales.markPaid({ purchase_id })
    expect((await refund(purchase_id)).purchase).toMatchObject({ status: 'revoked', gateway: 'efectivo' })
    expect(await available(customer)).toBe(0)
    await s.change({ cash_checkout_enabled: false })
  })

  test('without an answer stays open, reserves its money and is completed by the job (V23)', async () => {
    const { purchase_id } = await buyer()
    const lost = vi.spyOn(bank, 'refund').mockImplementationOnce(async (...args) => {
      await Sandbox.prototype.refund.apply(bank, args)
      throw new PaymentError({ kind: 'unknown_outcome', code: 'PAYMENT_TRY_LATER', retry: 'same-key' })
    })
    expect((await refund(purchase_id, { amount: '2000' })).refund.state).toBe('asked')
    lost.mockRestore()
    expect((await refusalOf(refund(purchase_id, { amount: '500' }))).code).toBe('REFUND_TOO_MUCH')
    s.clock.advance({ minutes: 3 })
    await doJobs(s, 'sales.refunds')
    expect((await detail(purchase_id)).refunds).toMatchObject([{ state: 'done', amount: '2000.00' }])
    expect(await ledgerAmounts(s, purchase_id)).toEqual([PRICE, -200_000])
  })

  test('refused by the processor can be made by hand instead', async () => {
    const { purchase_id } = await buyer()
    const no = vi
      .spyOn(bank, 'refund')
      .mockRejectedValueOnce(new PaymentError({ kind: 'unsupported', code: 'PAYMENT_METHOD_UNAVAILABLE', retry: 'never' }))
    expect(await refusalOf(refund(purchase_id))).toMatchObject({ code: 'REFUND_REFUSED', status: 412 })
    no.mockRestore()
    expect((await refund(purchase_id, { by_hand: true })).purchase.status).toBe('revoked')
    expect(await ledgerAmounts(s, purchase_id)).toEqual([PRICE])
  })

  test('in the processor’s own panel has the same effect, by webhook event or by reconciliation', async () => {
    for (const learn of [deliverWebhooks, () => reconcile(s.system())]) {
      const { who, purchase_id } = await buyer()
      const payment = await paymentOf(purchase_id)
      const [charge] = await s.sql<{ id: string }>('select provider_payment as id from invoice where purchase_id = $1', [purchase_id])
      await bank.refund({ gateway: 'sandbox', kind: 'payment', id: payment }, charge?.id ?? '', PRICE, {
        purchase: purchase_id,
        step: 'panel',
        n: 1,
      })
      await learn()
      expect((await detail(purchase_id)).purchase).toMatchObject({ status: 'revoked', refunded: '2190.00', alarm: null })
      expect(await available(who)).toBe(0)
    }
  })
})

describe('a refund of a subscription', () => {
  async function member() {
    const customer = await s.make.customer()
    const { class_package_id } = await s.make.package({
      title: 'Mensual',
      price_centavos: 145_000,
      class_amount: 8,
      is_subscription: true,
      subscription_period: 'month',
      subscription_interval: 1,
    })
    const { purchase_id } = await s.as(customer, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })
    return { who: customer, purchase_id }
  }

  test('refunds one period and continues, unless it is cancelled with it', async () => {
    const { who, purchase_id } = await member()
    s.clock.advance({ days: 31 })
    await deliverWebhooks()
    expect(await available(who)).toBe(8)
    expect((await refusalOf(refund(purchase_id))).data).toMatchObject({ field: 'invoice_id' })
    const { invoices } = await s.as(who).invoices.list({})
    const [latest, first] = invoices
    expect((await refund(purchase_id, { invoice_id: latest?.invoice_id })).purchase.status).toBe('active')
    expect(await available(who)).toBe(0)
    expect((await refund(purchase_id, { invoice_id: first?.invoice_id, cancel_subscription: true })).purchase).toMatchObject({
      status: 'cancelled',
      next_charge: null,
      refunded: '2900.00',
    })
    s.clock.advance({ days: 40 })
    await deliverWebhooks()
    expect(await ledgerAmounts(s, purchase_id)).toEqual([145_000, 145_000, -145_000, -145_000])
  })

  test('a lost dispute ends the subscription at the processor too (V24)', async () => {
    const { who, purchase_id } = await member()
    await bank.dispute(await paymentOf(purchase_id), 'lost')
    await deliverWebhooks()
    await doJobs(s)
    expect((await detail(purchase_id)).purchase).toMatchObject({ status: 'revoked' })
    expect(await available(who)).toBe(0)
    s.clock.advance({ days: 40 })
    await deliverWebhooks()
    expect(await ledgerAmounts(s, purchase_id)).toEqual([145_000])
  })
})

describe('a disputed charge (V24, C21)', () => {
  test('suspends what it bought: reservations stay, no new ones, no refund; won, validity is extended by the time', async () => {
    const { who, purchase_id } = await buyer()
    const cls = await s.make.class()
    const other = await s.make.class({ starts_at: new Date(s.clock.now().getTime() + 30 * 3_600_000) })
    await s.as(who).bookings.reserve({ single_class_id: cls.single_class_id })
    const [before] = (await s.as(who).credits.list()).available_classes
    await bank.dispute(await paymentOf(purchase_id), 'open')
    await deliverWebhooks()
    expect((await detail(purchase_id)).purchase).toMatchObject({ status: 'completed', disputed: true })
    expect(await available(who)).toBe(0)
    expect((await refusalOf(s.as(who).bookings.reserve({ single_class_id: other.single_class_id }))).code).toBe('NO_CREDITS')
    expect((await s.as(who).bookings.list({})).class_reservations).toMatchObject([{ status: 'Próxima' }])
    expect(await refusalOf(refund(purchase_id))).toMatchObject({ code: 'CHARGE_DISPUTED', status: 409 })
    // Reading the dispute again while the credits are frozen changes nothing.
    await reconcile(s.system())

    s.clock.advance({ hours: 10 })
    await bank.dispute(await paymentOf(purchase_id), 'won')
    await deliverWebhooks()
    expect((await detail(purchase_id)).purchase).toMatchObject({ disputed: false })
    expect((await detail(purchase_id)).invoices).toMatchObject([{ status: 'paid' }])
    expect(await available(who)).toBe(9)
    const [after] = (await s.as(who).credits.list()).available_classes
    expect(Date.parse(after?.expires_at ?? '') - Date.parse(before?.expires_at ?? '')).toBe(86_400_000)
    await s.as(who).bookings.reserve({ single_class_id: other.single_class_id })
  })

  test('lost, everything is revoked: credits, upcoming reservations, stock', async () => {
    const { who, purchase_id, class_package_id } = await buyer()
    await s.as(who).bookings.reserve({ single_class_id: (await s.make.class()).single_class_id })
    await refund(purchase_id, { amount: '190' })
    const sum = async () => (await s.as(owner).studioSales.invoices({ purchase_id })).sum
    for (const [state, lost, disputed] of [
      ['open', '0.00', '2000.00'],
      ['lost', '2000.00', '0.00'],
    ] as const) {
      await bank.dispute(await paymentOf(purchase_id), state)
      await deliverWebhooks()
      // What banks took is not money that the studio has (V29).
      expect(await sum()).toMatchObject({ charged: '2190.00', refunded: '190.00', lost, disputed })
    }
    await doJobs(s)
    expect((await detail(purchase_id)).purchase).toMatchObject({ status: 'revoked' })
    expect((await s.as(who).invoices.list({})).invoices).toMatchObject([{ status: 'lost' }])
    expect((await s.as(who).bookings.list({})).class_reservations).toMatchObject([{ status: 'Cancelada' }])
    expect(await s.sql('select sold from class_package where class_package_id = $1', [class_package_id])).toEqual([{ sold: 0 }])
    expect((await refusalOf(refund(purchase_id))).code).toBe('CHARGE_DISPUTED')
  })
})

test('the same part requested again within a minute without a key is one refund, also concurrently and through the processor (V23)', async () => {
  const { purchase_id } = await buyer()
  const part = { amount: '60.00' }
  const answers = await Promise.all(Array.from({ length: 5 }, () => refund(purchase_id, part)))
  expect(new Set(answers.map(({ refund: row }) => row.refund_id)).size).toBe(1)
  expect(await ledgerAmounts(s, purchase_id)).toEqual([PRICE, -6_000])
  // Another part, another person and a key of its own are other refunds; so is the same part a minute later.
  const another = await s.make.staff('owner')
  await refund(purchase_id, { amount: '70.00' })
  await s.as(another).studioSales.refund({ purchase_id, reason: 'Se mudó de ciudad', ...part })
  await refund(purchase_id, part, randomUUID())
  s.clock.advance({ minutes: 1 })
  await refund(purchase_id, part)
  expect(await ledgerAmounts(s, purchase_id)).toEqual([PRICE, -6_000, -7_000, -6_000, -6_000, -6_000])
})
