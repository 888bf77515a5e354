/** A gift card that pays in the customer's own checkout, all of a total or a part of it (docs/domain.md I12, D6). */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { pesos } from '#contract/money.ts'
import { reconcile, sweep } from '#server/modules/sales/jobs.ts'
import { openCheckoutStudio } from '#server/testing/checkout-fixture.ts'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { pdfText } from '#server/testing/pdf-text.ts'
import { codeOf, type Person, refusalOf, START } from '#server/testing/studio.ts'
import { deliverPendingWebhooks } from '#server/testing/work.ts'

const { s, bank, sold, run } = await openCheckoutStudio({
  cash_checkout_enabled: true,
  oxxo_enabled: true,
  spei_enabled: true,
  paypal_enabled: true,
  discounts_enabled: true,
})
const owner = await s.make.staff('owner')
const { location_id } = await s.make.location()
afterAll(() => s.close())
let hour = 0
// Each test in an hour of its own: the limits of guesses and attempts are by the hour.
beforeEach(() => s.clock.set(new Date(new Date(START).getTime() + hour++ * 3_600_000)))
afterEach(async () => expect(await wrongMoney(s, false)).toEqual({}))

async function card(amount: string) {
  const { sale } = await s.as(owner, randomUUID()).counterSales.sell({
    customer_id: null,
    location_id,
    lines: [{ kind: 'gift_card', amount }],
    shown: { total: amount },
    payments: [{ payment_method_id: 2, amount }],
  })
  const giftCard = sale.lines[0]?.gift_card
  if (!giftCard) throw new Error('The sale has no gift card.')
  return giftCard
}
type Card = Awaited<ReturnType<typeof card>>
const balance = async ({ gift_card_id }: Card) => (await s.as(owner).giftCards.one({ gift_card_id })).gift_card.balance
const kinds = async ({ gift_card_id }: Card) =>
  (await s.as(owner).giftCards.one({ gift_card_id })).movements.map(({ kind, amount }) => `${kind} ${amount}`).reverse()
const findCard = (person: Person, code: string, class_package_id: number) => s.as(person).checkout.giftCard({ code, class_package_id })
const PLUS = { price_centavos: 100_000, class_amount: 8, expiration_days: 30 }
const pay = (
  person: Person,
  class_package_id: number,
  gift: { code: string; amount: string } | null,
  { key = randomUUID(), by = 'tok_ok', discountCode = null as string | null } = {},
) => s.as(person, key).sales.attempt({ class_package_id, payment_method: by, gift_card: gift, discountCode, again: true })
const charges = (purchase_id: number) =>
  s.sql<{ gateway: string; total: number; tax: number; status: string; invoice_id: number }>(
    `select gateway, total_centavos as total, tax_centavos as tax, status, invoice_id from invoice where purchase_id = $1 order by gateway desc`,
    [purchase_id],
  )
const shown = async (person: Person, id: number) => (await s.as(person).sales.one({ id })).purchase
const refund = (purchase_id: number, invoice_id: number | undefined) =>
  s.as(owner, randomUUID()).studioSales.refund({ purchase_id, reason: 'Prueba', ...(invoice_id ? { invoice_id } : {}) })

describe('a gift card at the checkout', () => {
  test('pays a part, the card the rest; both charges carry the IVA of the total; a refund of its part goes back to it', async () => {
    const [ana, giftCard, classPackage] = [await s.make.customer(), await card('333.33'), await s.make.package(PLUS)]
    const { class_package_id } = classPackage
    expect(await findCard(ana, ` ${giftCard.code.toLowerCase()} `, class_package_id)).toEqual({
      last_four: giftCard.last_four,
      balance: '333.33',
      held: '0.00',
    })
    const options = await s.as(ana).checkout.ways({ class_package_id, gift_card: '333.33' })
    expect([options.free, options.ways.length > 0]).toEqual([false, true])
    const key = randomUUID()
    const answer = await pay(ana, class_package_id, { code: giftCard.code, amount: '333.33' }, { key })
    expect(answer.status).toBe('completed')
    // The same request again is the same purchase.
    expect(await pay(ana, class_package_id, { code: giftCard.code, amount: '333.33' }, { key })).toEqual(answer)
    const { purchase_id } = answer
    const [sandbox, gift] = await charges(purchase_id)
    expect([sandbox?.gateway, sandbox?.total, gift?.gateway, gift?.total]).toEqual(['sandbox', 66_667, 'regalo', 33_333])
    expect((sandbox?.tax ?? 0) + (gift?.tax ?? 0)).toBe(100_000 - Math.round(100_000 / 1.16))
    expect(await shown(ana, purchase_id)).toMatchObject({
      total_payment: '1000.00',
      by_gift_card: '333.33',
      amount_due: '666.67',
      status: 'completed',
      payment_method: { name: expect.stringMatching(/ y Tarjeta de regalo$/) },
    })
    expect((await s.as(ana).credits.list({})).available_classes).toHaveLength(1)
    expect(await kinds(giftCard)).toEqual(['sold 333.33', 'spent -333.33'])
    await run('sales.receipt', { purchase_id, period: '0' })
    const [mail] = await s.sql<{ text: string }>(`select text from mail_outbox where "to" = $1 order by mail_id desc limit 1`, [ana.email])
    expect(mail?.text).toMatch(/Pagaste \$666\.67 con .* y \$333\.33 con tarjeta de regalo\./)
    const printed = pdfText(new Uint8Array(await (await s.as(ana).invoices.receipt({ id: purchase_id })).arrayBuffer()))
    for (const text of ['$1,000.00 MXN', 'y Tarjeta de regalo.']) expect(printed).toContain(text)
    expect(await codeOf(refund(purchase_id, undefined))).toBe('INVALID_INPUT')
    await refund(purchase_id, gift?.invoice_id)
    expect(await balance(giftCard)).toBe('333.33')
    expect((await shown(ana, purchase_id)).status).toBe('completed')
    await refund(purchase_id, sandbox?.invoice_id)
    expect((await shown(ana, purchase_id)).status).toBe('revoked')
    expect(await kinds(giftCard)).toEqual(['sold 333.33', 'spent -333.33', 'returned 333.33'])
  })

  test('pays all of it without a processor, and keeps the rest of its balance', async () => {
    const [ana, giftCard, { class_package_id }] = [await s.make.customer(), await card('1500'), await s.make.package(PLUS)]
    const { free, ways } = await s.as(ana).checkout.ways({ class_package_id, gift_card: '1000.00' })
    expect([free, ways]).toEqual([true, []])
    const answer = await s.as(ana, randomUUID()).sales.checkout({
      class_package_id,
      payment_method_id: null,
      gift_card: { code: giftCard.code, amount: '1000.00' },
      shown: { today: '1000.00', total: '1000.00', next_total: null },
    })
    expect(answer.status).toBe('completed')
    expect((await charges(answer.purchase_id)).map(({ gateway, total }) => [gateway, total])).toEqual([['regalo', 100_000]])
    expect(await balance(giftCard)).toBe('500.00')
    // It is no money received, and no income of a till.
    const { cash_session_id, location_id: tillLocation } = (
      await s.sql<{ cash_session_id: number | null; location_id: number | null }>(
        'select cash_session_id, location_id from invoice where purchase_id = $1',
        [answer.purchase_id],
      )
    )[0] ?? { cash_session_id: 0, location_id: 0 }
    expect([cash_session_id, tillLocation]).toEqual([null, null])
    const { invoices } = await s.as(owner).studioSales.invoices({ customer_id: ana.customer_id })
    expect(invoices).toEqual([])
    await refund(answer.purchase_id, undefined)
    expect(await balance(giftCard)).toBe('1500.00')
  })

  test('with a code it pays what is left of the price', async () => {
    const [ana, giftCard, { class_package_id }] = [await s.make.customer(), await card('900'), await s.make.package(PLUS)]
    const { code } = await s.make.discount({ amount: 1_000, is_percent: true })
    expect((await pay(ana, class_package_id, { code: giftCard.code, amount: '900.00' }, { discountCode: code })).status).toBe('completed')
    expect(await balance(giftCard)).toBe('0.00')
  })

  test('a gift card at the checkout is held while a voucher waits, given back when it expires, and taken again when the money arrives late', async () => {
    const [ana, eva, giftCard] = [await s.make.customer(), await s.make.customer(), await card('400')]
    const { class_package_id } = await s.make.package(PLUS)
    const gift = { code: giftCard.code, amount: '400.00' }
    const answer = await pay(ana, class_package_id, gift, { by: 'oxxo' })
    expect(answer.status).toBe('pending')
    expect(await balance(giftCard)).toBe('0.00')
    expect((await s.as(owner).giftCards.list({ query: giftCard.last_four })).liability).toBe('400.00')
    expect(await shown(ana, answer.purchase_id)).toMatchObject({ amount_due: '600.00', by_gift_card: '400.00' })
    // The same customer continues that purchase; the balance is not available to others meanwhile.
    expect(await findCard(ana, giftCard.code, class_package_id)).toMatchObject({ balance: '400.00', held: '0.00' })
    expect(await findCard(eva, giftCard.code, class_package_id)).toMatchObject({ balance: '0.00', held: '400.00' })
    expect(await refusalOf(pay(eva, class_package_id, gift))).toMatchObject({ code: 'GIFT_CARD_BALANCE', data: { balance: '0.00' } })
    const [ref] = await s.sql<{ ref_id: string }>('select ref_id from payment_attempt where purchase_id = $1', [answer.purchase_id])
    s.clock.advance({ days: 6 })
    await sweep(s.system())
    expect((await shown(ana, answer.purchase_id)).status).toBe('failed')
    expect(await balance(giftCard)).toBe('400.00')
    await bank.payVoucher(ref?.ref_id ?? '')
    await deliverPendingWebhooks(s)
    expect((await shown(ana, answer.purchase_id)).status).toBe('completed')
    expect(await kinds(giftCard)).toEqual(['sold 400.00', 'spent -400.00', 'released 400.00', 'spent -400.00'])
  })

  test('of a purchase that is given up, or whose card is declined and then abandoned, everything returns', async () => {
    const [ana, giftCard, { class_package_id }] = [
      await s.make.customer(),
      await card('250'),
      await s.make.package({ ...PLUS, capacity: 3 }),
    ]
    const gift = { code: giftCard.code, amount: '250.00' }
    const declined = await refusalOf(pay(ana, class_package_id, gift, { by: 'tok_funds' }))
    expect(declined.code).toBe('CARD_INSUFFICIENT_FUNDS')
    expect([await balance(giftCard), await sold(class_package_id)]).toEqual(['0.00', 1])
    await s.as(ana).sales.giveUp({ purchase_id: Number((declined.data as { purchase_id: number }).purchase_id) })
    expect([await balance(giftCard), await sold(class_package_id)]).toEqual(['250.00', 0])
    // Without the card, or with another amount, the visit is another purchase.
    const key = randomUUID()
    await refusalOf(pay(ana, class_package_id, gift, { by: 'tok_funds', key }))
    expect(await codeOf(pay(ana, class_package_id, null, { key }))).toBe('IDEMPOTENCY_KEY_REUSED')
    expect((await pay(ana, class_package_id, null)).status).toBe('completed')
    expect(await balance(giftCard)).toBe('250.00')
  })

  test.each([
    ['tok_timeout_paid', 'completed', '0.00'],
    ['tok_timeout_unpaid', 'failed', '250.00'],
  ])('a processor that does not answer (%s): the sweeper finds the outcome, and the balance follows it', async (by, status, left) => {
    const [ana, giftCard, { class_package_id }] = [await s.make.customer(), await card('250'), await s.make.package(PLUS)]
    const { purchase_id } = await pay(ana, class_package_id, { code: giftCard.code, amount: '250.00' }, { by })
    expect(await balance(giftCard)).toBe('0.00')
    s.clock.advance({ minutes: 30 })
    await sweep(s.system())
    s.clock.advance({ minutes: 30 })
    await sweep(s.system())
    expect([(await shown(ana, purchase_id)).status, await balance(giftCard)]).toEqual([status, left])
  })

  test('money that arrives after the purchase was closed buys it while the card still has its part, and is refunded otherwise', async () => {
    const statuses: string[] = []
    for (const isSpent of [false, true]) {
      const [ana, giftCard, { class_package_id }] = [await s.make.customer(), await card('250'), await s.make.package(PLUS)]
      const { purchase_id } = await pay(ana, class_package_id, { code: giftCard.code, amount: '250.00' }, { by: 'tok_async' })
      const [row] = await s.sql<{ ref_id: string }>('select ref_id from payment_attempt where purchase_id = $1', [purchase_id])
      await s.sql(
        `update purchase set status = 'cancelled', "cancelledAt" = now(), holds_stock = false, limit_slot = null where purchase_id = $1`,
        [purchase_id],
      )
      await s.sql('update class_package set sold = 0 where class_package_id = $1', [class_package_id])
      const [last] = await s.sql<{ n: number }>('select max(n) as n from gift_card_movement where gift_card_id = $1', [
        giftCard.gift_card_id,
      ])
      await s.sql(
        `insert into gift_card_movement (gift_card_id, n, kind, amount_centavos, balance_centavos, purchase_id, "createdAt")
         values ($1, $2, 'released', 25000, 25000, $3, now())`,
        [giftCard.gift_card_id, (last?.n ?? 0) + 1, purchase_id],
      )
      if (isSpent) {
        const other = await s.make.package({ ...PLUS, price_centavos: 25_000 })
        await s.as(ana, randomUUID()).sales.checkout({
          class_package_id: other.class_package_id,
          payment_method_id: null,
          gift_card: { code: giftCard.code, amount: '250.00' },
        })
      }
      expect(row?.ref_id).toBeTruthy()
      s.clock.advance({ minutes: 5 })
      await bank.tick()
      await deliverPendingWebhooks(s)
      await sweep(s.system())
      statuses.push(`${(await shown(ana, purchase_id)).status} ${await balance(giftCard)}`)
    }
    expect(statuses).toEqual(['completed 0.00', 'cancelled 0.00'])
  })

  test('cash at the desk is the rest only, and wallet and page take the rest too', async () => {
    const [ana, giftCard, { class_package_id }] = [await s.make.customer(), await card('1000'), await s.make.package(PLUS)]
    const cash = await s.as(ana, randomUUID()).sales.checkout({
      class_package_id,
      payment_method_id: 2,
      gift_card: { code: giftCard.code, amount: '1000.00' },
    })
    expect(cash.status).toBe('completed')
    const [second, other] = [await card('300'), await s.make.package(PLUS)]
    const gift = { code: second.code, amount: '300.00' }
    const waits = await s.as(ana, randomUUID()).sales.checkout({
      class_package_id: other.class_package_id,
      payment_method_id: 2,
      gift_card: gift,
    })
    await s.as(owner).sales.markPaid({ purchase_id: waits.purchase_id, payment_method_id: 2, location_id })
    expect((await charges(waits.purchase_id)).map(({ gateway, total }) => [gateway, total])).toEqual([
      ['regalo', 30_000],
      ['efectivo', 70_000],
    ])
    const third = await card('300')
    const wallet = await s.as(ana, randomUUID()).checkout.paypal({
      class_package_id: (await s.make.package(PLUS)).class_package_id,
      gift_card: { code: third.code, amount: '300.00' },
    })
    await bank.approve(wallet.orderID ?? '', true)
    expect((await s.as(ana).checkout.capture({ orderID: wallet.orderID })).status).toBe('completed')
    expect((await charges(wallet.purchase_id)).map(({ total }) => total).sort()).toEqual([30_000, 70_000])
    await reconcile(s.system())
    expect((await s.as(owner).differences.list({})).money_differences.filter((row) => row.closedAt === null)).toEqual([])
  })

  test('a bank that takes the rest back takes what was bought; the part of the card stays spent until staff refund it', async () => {
    const [ana, giftCard, { class_package_id }] = [await s.make.customer(), await card('300'), await s.make.package(PLUS)]
    const { purchase_id } = await pay(ana, class_package_id, { code: giftCard.code, amount: '300.00' })
    const [row] = await s.sql<{ ref_id: string }>(`select ref_id from payment_attempt where purchase_id = $1 and gateway = 'sandbox'`, [
      purchase_id,
    ])
    for (const state of ['open', 'lost'] as const) {
      await bank.dispute(row?.ref_id ?? '', state)
      await bank.tick()
      await deliverPendingWebhooks(s)
    }
    expect([(await shown(ana, purchase_id)).status, await balance(giftCard)]).toEqual(['revoked', '0.00'])
    await refund(purchase_id, (await charges(purchase_id)).find(({ gateway }) => gateway === 'regalo')?.invoice_id)
    expect(await balance(giftCard)).toBe('300.00')
  })
})

describe('a gift card is refused', () => {
  test('when the page showed another amount than it pays, at any price that the browser names, and for subscriptions', async () => {
    const [ana, giftCard, { class_package_id }] = [await s.make.customer(), await card('300'), await s.make.package(PLUS)]
    for (const amount of ['0.00', '0.01', '299.99', '300.01', '1000.00', '9999999.99'])
      expect(await codeOf(pay(ana, class_package_id, { code: giftCard.code, amount }))).toBe('GIFT_CARD_BALANCE')
    expect(await codeOf(pay(ana, class_package_id, { code: giftCard.code, amount: '-300.00' }))).toBe('INVALID_INPUT')
    const monthly = await s.make.package({
      ...PLUS,
      is_subscription: true,
      subscription_period: 'month',
      subscription_interval: 1,
    })
    expect(await codeOf(findCard(ana, giftCard.code, monthly.class_package_id))).toBe('GIFT_CARD_SUBSCRIPTION')
    expect(await codeOf(pay(ana, monthly.class_package_id, { code: giftCard.code, amount: '300.00' }))).toBe('GIFT_CARD_SUBSCRIPTION')
    expect(await s.sql('select 1 from purchase where customer_id = $1', [ana.customer_id])).toEqual([])
    expect(await balance(giftCard)).toBe('300.00')
  })

  test('wrong codes of cards and discounts share one limit over every way to try one (D6)', async () => {
    const [eva, giftCard, { class_package_id }] = [await s.make.customer(), await card('300'), await s.make.package(PLUS)]
    const doors = [
      (code: string) => findCard(eva, code, class_package_id),
      (code: string) => pay(eva, class_package_id, { code, amount: '1.00' }),
      (code: string) =>
        s.as(eva, randomUUID()).sales.checkout({ class_package_id, payment_method_id: 2, gift_card: { code, amount: '1.00' } }),
      (code: string) => s.as(eva, randomUUID()).checkout.paypal({ class_package_id, gift_card: { code, amount: '1.00' } }),
      (code: string) => s.as(eva).discounts.byCode({ code, class_package_id }),
    ]
    for (let n = 0; n < 60; n++) await doors[n % doors.length]?.(`ADIVINA${n}`).catch(() => {})
    for (const door of doors) expect(await codeOf(door(giftCard.code))).toBe('TOO_MANY_REQUESTS')
    expect(await s.sql('select 1 from purchase where customer_id = $1', [eva.customer_id])).toEqual([])
    // Without a code one buys as before.
    expect((await pay(eva, class_package_id, null)).status).toBe('completed')
    expect(pesos(30_000)).toBe(await balance(giftCard))
  })
})
