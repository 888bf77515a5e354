/** A sale at the counter: priced by the server, paid by several methods, owed, previewed, and refunded (docs/domain.md S1 to S5). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { reconcile, sendReceipt } from '#server/modules/sales/jobs.ts'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { codeOf, type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'

let s: TestStudio
let owner: Person
let desk: Person
let location_id: number
let cash: number
let terminal: number
let transfer: number
let ten: number
beforeAll(async () => {
  s = await studio({ settings: { drop_in_price: '220.00', discounts_enabled: true, cash_checkout_enabled: true } })
  owner = await s.make.staff('owner')
  desk = await s.make.staff('reception')
  location_id = (await s.make.location()).location_id
  const method = async (name: string) => (await s.make.paymentMethod({ name })).payment_method_id
  cash = await method('Efectivo')
  terminal = await method('Terminal bancaria')
  transfer = await method('Transferencia')
  ten = (await s.make.package({ price_centavos: 179_000, class_amount: 10, expiration_days: 60 })).class_package_id
  await s.as(desk, randomUUID()).cashSessions.open({ location_id, opening: '0' })
})
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))

type Basket = Parameters<ReturnType<TestStudio['as']>['counterSales']['sell']>[0]
const sell = async (more: Partial<Basket> & Pick<Basket, 'lines' | 'shown'>, seller = desk, key: string = randomUUID()) =>
  s.as(seller, key).counterSales.sell({
    customer_id: more.customer_id ?? (await s.make.customer()).customer_id,
    location_id,
    ...more,
  })
const everything = async () =>
  s.sql(`select (select count(*) from sale) as sales, (select count(*) from purchase) as purchases, (select count(*) from invoice) as invoices,
    (select count(*) from class_reservation) as places, (select count(*) from jobs.job) as jobs, (select count(*) from audit) as audits, (select sum(sold) from class_package) as sold`)

describe('a gift (S10)', () => {
  test('belongs to the person who receives it: credits, limit and a mail without the price; the buyer paid', async () => {
    const [buyer, friend] = [await s.make.customer(), await s.make.customer()]
    const { class_package_id } = await s.make.package({ price_centavos: 15_000, class_amount: 1, limit_per_customer: 1 })
    const lines: Basket['lines'] = [{ kind: 'package', class_package_id, gift_to: friend.customer_id }]
    const payments = [{ payment_method_id: cash, amount: '150' }]
    const { sale, purchases } = await sell({ customer_id: buyer.customer_id, lines, payments, shown: { total: '150' } })
    expect(sale).toMatchObject({ customer: { customer_id: buyer.customer_id }, lines: [{ gift_to: { customer_id: friend.customer_id } }] })
    expect(purchases).toMatchObject([
      { customer: { customer_id: friend.customer_id }, gift_from: { customer_id: buyer.customer_id }, total_payment: '150.00' },
    ])
    expect([await s.balance(friend), await s.balance(buyer)]).toEqual([1, 0])
    await sendReceipt(s.system(), purchases[0]?.purchase_id ?? 0, '0')
    const [mail] = await s.sql<{ subject: string; text: string }>('select subject, text from mail_outbox where "to" = $1', [friend.email])
    expect(mail?.subject).toMatch(/ te regaló /)
    expect(mail?.text).not.toContain('150')
    const id = purchases[0]?.purchase_id ?? 0
    const free = { is_gift: true, amount: '0.00', total_payment: '0.00', payment_method: null, has_receipt: false }
    const [mine, detail] = [await s.as(friend).sales.list(), await s.as(friend).sales.one({ id })]
    expect(mine.purchases).toMatchObject([free])
    expect(detail.purchase).toMatchObject(free)
    expect(JSON.stringify([mine, detail])).not.toContain('150.00')
    expect((await s.as(friend).invoices.list({})).invoices).toEqual([])
    expect(await codeOf(s.as(friend).invoices.receipt({ id }))).toBe('RECEIPT_NONE')
    // Resent by staff, the receipt goes to the payer.
    await sendReceipt(s.system(), id, '0', 'otra')
    const mailsTo = (email: string) => s.sql('select 1 from mail_outbox where "to" = $1', [email])
    expect([(await mailsTo(friend.email)).length, (await mailsTo(buyer.email)).length]).toEqual([1, 1])
    // The limit is that of the person who receives it.
    expect(await codeOf(sell({ customer_id: buyer.customer_id, lines, payments, shown: { total: '150' } }))).toBe('OVER_LIMIT_REASON')
    const own: Basket['lines'] = [{ kind: 'package', class_package_id }]
    await sell({ customer_id: buyer.customer_id, lines: own, payments, shown: { total: '150' } })
    expect(await s.balance(buyer)).toBe(1)
    expect(await wrongMoney(s, false)).toEqual({})
  })

  test('a gift shows its price nowhere to its recipient, and notifies the payer of its refund', async () => {
    const [buyer, friend] = [await s.make.customer({ name: 'Berta' }), await s.make.customer({ name: 'Fátima' })]
    const { class_package_id } = await s.make.package({ title: 'Seis clases', price_centavos: 123_400, class_amount: 6 })
    const { purchases } = await sell({
      customer_id: buyer.customer_id,
      lines: [{ kind: 'package', class_package_id, gift_to: friend.customer_id }],
      payments: [{ payment_method_id: cash, amount: '1234' }],
      shown: { total: '1234' },
    })
    const purchase_id = purchases[0]?.purchase_id ?? 0
    await s.as(owner, randomUUID()).studioSales.refund({ purchase_id, amount: '234', reason: 'Rebaja' })
    await s.as(owner, randomUUID()).studioSales.refund({ purchase_id, amount: '1000', reason: 'Se canceló' })
    await doJobs(s)
    const messagesTo = (customer_id: number) =>
      s.sql<{ words: { title: string } }>(
        `select words from message where customer_id = $1 and channel = 'app' and event = 'payment_refunded' order by message_id`,
        [customer_id],
      )
    expect((await messagesTo(buyer.customer_id)).map(({ words }) => words.title).sort()).toEqual([
      'Te devolvimos $1,000.00',
      'Te devolvimos $234.00',
    ])
    expect((await messagesTo(friend.customer_id)).map(({ words }) => words.title)).toEqual(['Tu regalo se canceló'])
    const exported = async (customer_id: number) =>
      (await s.as(owner).customerFile.exportPersonalData({ customer_id, format: 'json' })).text()
    const seen = [
      await s.as(friend).sales.list(),
      await s.as(friend).invoices.list({}),
      await s.as(friend).people.me(),
      await exported(friend.customer_id),
      await s.sql('select words from message where customer_id = $1', [friend.customer_id]),
      await s.sql('select text from mail_outbox where "to" = $1', [friend.email]),
    ].map((answer) => JSON.stringify(answer))
    expect(seen[0]).toContain('Seis clases')
    for (const text of seen) expect(text.replaceAll(',', '')).not.toMatch(/1234\.00|1000\.00|234\.00|1234 MXN/)
    // Who paid has the charge among their data.
    expect((await exported(buyer.customer_id)).replaceAll(',', '')).toMatch(/1234/)
  })

  test('a gift is a package for another known customer', async () => {
    const { customer_id } = await s.make.customer()
    const gift = (line: object) =>
      codeOf(sell({ customer_id, lines: [{ kind: 'package', class_package_id: ten, ...line }], payments: [], shown: { total: '1790' } }))
    expect(await gift({ gift_to: customer_id })).toBe('INVALID_INPUT')
    expect(await gift({ gift_to: 99_999_999 })).toBe('NOT_FOUND')
    expect(await gift({ kind: 'other', title: 'Agua', amount: '20', gift_to: (await s.make.customer()).customer_id })).toBe('INVALID_INPUT')
  })
})

describe('a place that a credit pays (S11)', () => {
  test('a place that a credit pays is booked with the package of the same sale, for the price of the package', async () => {
    const customer = await s.make.customer()
    const { single_class_id } = await s.make.class({ location_id })
    const lines: Basket['lines'] = [
      { kind: 'class', single_class_id, with_credit: true },
      { kind: 'package', class_package_id: ten },
    ]
    const { sale } = await s
      .as(desk)
      .counterSales.sell({ customer_id: customer.customer_id, location_id, lines, dry_run: true, shown: { total: '1790' } })
    expect(sale).toMatchObject({ total: '1790.00', lines: [{ kind: 'package' }] })
    const payments = [{ payment_method_id: cash, amount: '1790' }]
    const answer = await sell({ customer_id: customer.customer_id, lines, payments, shown: { total: '1790' } })
    expect(answer.class_reservations).toMatchObject([{ single_class_id, is_cash: false }])
    expect(answer.purchases).toHaveLength(1)
    expect(await s.balance(customer)).toBe(9)
    expect(await wrongMoney(s, false)).toEqual({})
  })

  test('needs a credit that pays the class, and something that is sold', async () => {
    const { customer_id } = await s.make.customer()
    const { single_class_id } = await s.make.class({ location_id })
    const classItem: Basket['lines'][number] = { kind: 'class', single_class_id, with_credit: true }
    const water: Basket['lines'][number] = { kind: 'other', title: 'Agua', amount: '20' }
    const payments = [{ payment_method_id: cash, amount: '20' }]
    const before = await everything()
    expect(await codeOf(sell({ customer_id, lines: [classItem, water], payments, shown: { total: '20' } }))).toBe('NO_CREDITS')
    expect(await codeOf(sell({ customer_id, lines: [classItem], payments: [], shown: { total: '0' } }))).toBe('INVALID_INPUT')
    expect(await everything()).toEqual(before)
  })
})

describe('a basket (S1, S3)', () => {
  test('a basket is sold in one transaction: packages, a place and other items, with three payments and change', async () => {
    const customer = await s.make.customer()
    const { single_class_id } = await s.make.class({ location_id })
    const answer = await sell({
      customer_id: customer.customer_id,
      lines: [
        { kind: 'package', class_package_id: ten },
        { kind: 'class', single_class_id },
        { kind: 'other', title: 'Agua', amount: '25.50', quantity: 2 },
      ],
      payments: [
        { payment_method_id: cash, amount: '1000', received: '1500' },
        { payment_method_id: terminal, amount: '800', last_digits: '4242', authorisation: '881', funding: 'credit' },
        { payment_method_id: transfer, amount: '261', reference: 'SPEI 77' },
      ],
      shown: { total: '2061' },
    })
    expect(answer.sale).toMatchObject({
      total: '2061.00',
      paid: '1800.00',
      pending: '261.00',
      owed: '0.00',
      change: '500.00',
      customer: { customer_id: customer.customer_id },
      lines: [
        { kind: 'package', total: '1790.00', gives: { class_amount: 10 }, tax: { rate: 16, net: '1543.10', amount: '246.90' } },
        { kind: 'class', total: '220.00', class_reservation_id: answer.class_reservations[0]?.class_reservation_id },
        { kind: 'other', title: 'Agua', quantity: 2, total: '51.00' },
      ],
      payments: [
        { name: 'Efectivo', received: '1500.00', change: '500.00', state: 'received' },
        { name: 'Terminal bancaria', last_digits: '4242', authorisation: '881', funding: 'credit' },
        { name: 'Transferencia', state: 'pending', reference: 'SPEI 77' },
      ],
    })
    expect(answer.class_reservations).toMatchObject([{ customer_id: customer.customer_id, is_cash: true, is_paid: true }])
    expect(answer.purchases.map((purchase) => purchase.status)).toEqual(['completed', 'completed', 'completed'])
    expect(await s.balance(customer)).toBe(10)
    const { sum } = await s.as(owner).studioSales.invoices({ customer_id: customer.customer_id })
    expect(sum?.charged).toBe('1800.00')
    expect(await s.as(owner).counterSales.one({ sale_id: answer.sale.sale_id ?? 0 })).toMatchObject({ sale: { folio: answer.sale.folio } })
    await reconcile(s.system())
    expect(await wrongMoney(s, false)).toEqual({})
  })

  test('the same key returns the same sale', async () => {
    const key = randomUUID()
    const { customer_id } = await s.make.customer()
    const basket = {
      customer_id,
      lines: [{ kind: 'other' as const, title: 'Toalla', amount: '90' }],
      payments: [{ payment_method_id: cash, amount: '90' }],
      shown: { total: '90' },
    }
    const [first, two] = [await sell(basket, desk, key), await sell(basket, desk, key)]
    expect(two.sale.sale_id).toBe(first.sale.sale_id)
    expect((await s.as(owner).counterSales.list({ customer_id })).total).toBe(1)
  })

  test('a dry run returns the same sale and writes nothing', async () => {
    const { customer_id } = await s.make.customer()
    const { single_class_id } = await s.make.class({ location_id })
    const basket = {
      customer_id,
      lines: [
        { kind: 'package' as const, class_package_id: ten },
        { kind: 'class' as const, single_class_id },
      ],
      payments: [{ payment_method_id: cash, amount: '2010' }],
      shown: { total: '2010' },
    }
    const before = await everything()
    const tried = await sell({ ...basket, dry_run: true })
    expect(await everything()).toEqual(before)
    expect(tried).toMatchObject({
      sale: { sale_id: null, total: '2010.00', iva: expect.any(String) },
      purchases: [],
      class_reservations: [],
    })
    // A quote without a shown total and without payments: the total, all of it open.
    const { shown: _, payments: __, ...unpaid } = basket
    expect((await sell({ ...unpaid, dry_run: true })).sale).toMatchObject({
      sale_id: null,
      total: '2010.00',
      owed: '2010.00',
      payments: [],
    })
    expect(await refusalOf(sell(unpaid))).toMatchObject({ code: 'INVALID_INPUT', data: { field: 'shown' } })
    expect(await everything()).toEqual(before)
    const { sale } = await sell(basket)
    const bare = ({ lines, payments, ...rest }: typeof sale) => ({
      ...rest,
      sale_id: null,
      folio: null,
      lines: lines.map((line) => ({ ...line, purchase_id: null, class_reservation_id: null })),
      payments: payments.map((payment) => ({ ...payment, invoice_ids: [] })),
    })
    expect(bare(sale)).toEqual(tried.sale)
  })

  test('a refused sale writes nothing, whatever the reason', async () => {
    const before = await everything()
    const full = await s.make.class({ location_id, capacity: 0 })
    const line = { kind: 'package' as const, class_package_id: ten }
    const paid = (amount: string) => [{ payment_method_id: cash, amount }]
    const customer = await s.make.customer()
    const now = await everything()
    const no = (more: Parameters<typeof sell>[0], seller = desk) => refusalOf(sell({ customer_id: customer.customer_id, ...more }, seller))
    expect(await no({ lines: [line], payments: paid('1790'), shown: { total: '1700' } })).toMatchObject({
      code: 'PRICE_CHANGED',
      data: { total: '1790.00' },
    })
    expect(await no({ lines: [line], payments: paid('1000'), shown: { total: '1790' } })).toMatchObject({
      code: 'PAYMENTS_DIFFER',
      data: { missing: '790.00' },
    })
    expect(await no({ lines: [line], payments: paid('1800'), shown: { total: '1790' } })).toMatchObject({
      code: 'PAYMENTS_DIFFER',
      data: { missing: '-10.00' },
    })
    expect(
      await no({
        lines: [line, { kind: 'class', single_class_id: full.single_class_id }],
        payments: paid('2010'),
        shown: { total: '2010' },
      }),
    ).toMatchObject({ code: 'CLASS_FULL' })
    expect(
      await no({ lines: [{ ...line, discount: { percent: 20, reason: 'Amiga' } }], payments: paid('1432'), shown: { total: '1432' } }),
    ).toMatchObject({ code: 'FORBIDDEN', data: { needs: 'sales.discount_free' } })
    expect(await no({ lines: [line], owe: { until: '2027-01-01', reason: 'Luego' }, shown: { total: '1790' } })).toMatchObject({
      code: 'FORBIDDEN',
    })
    expect(await no({ lines: [line], payments: paid('1790'), shown: { total: '1790' } }, owner)).toMatchObject({
      code: 'CASH_SESSION_REQUIRED',
    })
    expect(
      await no({ lines: [line], payments: [{ payment_method_id: cash, amount: '1790', received: '1000' }], shown: { total: '1790' } }),
    ).toMatchObject({ code: 'INVALID_INPUT', data: { field: 'payments.0.received' } })
    expect(await no({ lines: [{ kind: 'package' }], payments: paid('1790'), shown: { total: '1790' } })).toMatchObject({
      code: 'INVALID_INPUT',
      data: { field: 'lines.0.class_package_id' },
    })
    expect(await no({ lines: [{ ...line, discountCode: 'NOHAY' }], payments: paid('1790'), shown: { total: '1790' } })).toMatchObject({
      code: 'DISCOUNT_INVALID',
    })
    expect(await no({ lines: [{ ...line, starts_on: '2027-03-01' }], payments: paid('1790'), shown: { total: '1790' } })).toMatchObject({
      code: 'INVALID_INPUT',
      data: { field: 'starts_on' },
    })
    await s.having({ payment_terminal_fields_required: true }, async () => {
      expect(
        await no({ lines: [line], payments: [{ payment_method_id: terminal, amount: '1790' }], shown: { total: '1790' } }),
      ).toMatchObject({ code: 'INVALID_INPUT', data: { field: 'payments.0.last_digits' } })
    })
    const after = (await everything())[0] as Record<string, unknown>
    expect({ ...after, audits: null, jobs: null }).toEqual({ ...(now[0] as object), audits: null, jobs: null })
    expect(before).not.toBeNull()
  })
})

describe('prices (S2)', () => {
  test('a manual discount within the limit, one without a limit by the owner, a code, and a manual price are audited', async () => {
    const line = { kind: 'package' as const, class_package_id: ten }
    const small = await sell({
      lines: [{ ...line, discount: { percent: 10, reason: 'Cumpleaños' } }],
      payments: [{ payment_method_id: terminal, amount: '1611' }],
      shown: { total: '1611' },
    })
    expect(small.sale.lines).toMatchObject([{ list: '1790.00', total: '1611.00', price_reason: 'Cumpleaños' }])
    expect(small.purchases[0]).toMatchObject({ total_payment: '1611.00' })
    const large = await sell({ lines: [{ ...line, price: { amount: '0', reason: 'Compensación' } }], shown: { total: '0' } }, owner)
    expect(large).toMatchObject({ sale: { total: '0.00', payments: [] }, purchases: [{ status: 'completed' }] })
    await s.make.discount({ code: 'VEINTE', amount: 2_000, is_percent: true, max_uses: 1 })
    const code = {
      lines: [{ ...line, discountCode: 'veinte' }],
      payments: [{ payment_method_id: terminal, amount: '1432' }],
      shown: { total: '1432' },
    }
    expect((await sell(code)).sale.total).toBe('1432.00')
    expect(await codeOf(sell(code))).toBe('DISCOUNT_EXHAUSTED')
  })

  test('a package’s limit applies over baskets and within one, unless staff give a reason; it may start on another day', async () => {
    const { class_package_id } = await s.make.package({ price_centavos: 10_000, limit_per_customer: 1, expiration_days: 10 })
    const { customer_id } = await s.make.customer()
    const line = { kind: 'package' as const, class_package_id }
    const paid = (amount: string) => [{ payment_method_id: terminal, amount }]
    expect(await codeOf(sell({ customer_id, lines: [{ ...line, quantity: 2 }], payments: paid('200'), shown: { total: '200' } }))).toBe(
      'OVER_LIMIT_REASON',
    )
    const first = await sell({ customer_id, lines: [{ ...line, starts_on: '2026-11-30' }], payments: paid('100'), shown: { total: '100' } })
    expect(first.sale.lines[0]?.gives?.expires_at).toBe('2026-12-11T05:59:59.000Z')
    expect(await codeOf(sell({ customer_id, lines: [line], payments: paid('100'), shown: { total: '100' } }))).toBe('OVER_LIMIT_REASON')
    const second = await sell({
      customer_id,
      lines: [{ ...line, over_limit: { reason: 'Se enfermó' } }],
      payments: paid('100'),
      shown: { total: '100' },
    })
    expect(second.sale.lines).toMatchObject([{ over_limit_reason: 'Se enfermó' }])
  })
})

describe('debts and transfers (S4)', () => {
  test('a debt is received in parts, never more than is owed', async () => {
    const { sale } = await sell(
      {
        lines: [{ kind: 'package', class_package_id: ten }],
        payments: [{ payment_method_id: terminal, amount: '790' }],
        shown: { total: '1790' },
        owe: { until: '2026-12-15', reason: 'Quincena' },
      },
      owner,
    )
    const sale_id = sale.sale_id ?? 0
    expect(sale).toMatchObject({ owed: '1000.00', owe_until: '2026-12-15', owe_reason: 'Quincena' })
    // What others paid, more than this sale, takes nothing off the debt.
    const customer_id = sale.customer?.customer_id ?? 0
    const debtOf = async () => (await s.as(desk).customerFile.one({ customer_id })).figures.owed
    await sell({
      lines: [{ kind: 'package', class_package_id: ten }],
      payments: [{ payment_method_id: terminal, amount: '1790' }],
      shown: { total: '1790' },
    })
    expect(await debtOf()).toBe('1000.00')
    expect((await s.as(desk).counterSales.list({ state: 'owed' })).sales.map((sale) => sale.sale_id)).toContain(sale_id)
    const pay = (amount: string, key: string = randomUUID()) =>
      s.as(desk, key).counterSales.pay({ sale_id, payments: [{ payment_method_id: cash, amount }] })
    expect(await refusalOf(pay('1000.01'))).toMatchObject({ code: 'PAYMENTS_DIFFER', data: { missing: '-0.01' } })
    const key = randomUUID()
    expect((await pay('333.33', key)).sale.owed).toBe('666.67')
    expect((await pay('333.33', key)).sale.owed).toBe('666.67')
    expect(await debtOf()).toBe('666.67')
    expect((await pay('666.67')).sale).toMatchObject({ owed: '0.00', paid: '1790.00' })
    expect(await debtOf()).toBe('0.00')
    expect((await s.as(desk).counterSales.list({ state: 'owed' })).sales.map((sale) => sale.sale_id)).not.toContain(sale_id)
    expect(await wrongMoney(s, false)).toEqual({})
  })

  test('a transfer counts once it is confirmed, once; one that never arrived is owed', async () => {
    const customer = await s.make.customer()
    const basket = {
      customer_id: customer.customer_id,
      lines: [
        { kind: 'package' as const, class_package_id: ten },
        { kind: 'other' as const, title: 'Agua', amount: '10' },
      ],
    }
    const answer = await sell({ ...basket, payments: [{ payment_method_id: transfer, amount: '1800' }], shown: { total: '1800' } })
    const charged = async () => (await s.as(owner).studioSales.invoices({ customer_id: customer.customer_id })).sum?.charged
    expect(await charged()).toBe('0.00')
    expect((await s.as(customer).invoices.list({})).total).toBe(0)
    expect((await s.as(owner).studioSales.invoices({ customer_id: customer.customer_id, status: 'pending' })).total).toBe(2)
    const [invoice_id = 0] = answer.sale.payments[0]?.invoice_ids ?? []
    s.clock.advance({ days: 1 })
    const confirmed = await s.as(desk).counterSales.confirm({ invoice_id, reference: 'SPEI 5' })
    expect(confirmed.sale).toMatchObject({ paid: '1800.00', pending: '0.00', payments: [{ state: 'received', reference: 'SPEI 5' }] })
    expect(await charged()).toBe('1800.00')
    expect(await codeOf(s.as(desk).counterSales.confirm({ invoice_id }))).toBe('PAYMENT_DECIDED')
    expect(await codeOf(s.as(desk).counterSales.reject({ invoice_id, reason: 'Tarde' }))).toBe('PAYMENT_DECIDED')
    const two = await sell({ ...basket, payments: [{ payment_method_id: transfer, amount: '1800' }], shown: { total: '1800' } })
    const rejected = await s.as(desk).counterSales.reject({ invoice_id: two.sale.payments[0]?.invoice_ids[0] ?? 0, reason: 'Nunca llegó' })
    expect(rejected.sale).toMatchObject({ paid: '0.00', pending: '0.00', owed: '1800.00', payments: [{ state: 'void' }] })
    expect(await charged()).toBe('1800.00')
    expect(await codeOf(s.as(desk).counterSales.confirm({ invoice_id: 2_000_000_000 }))).toBe('NOT_FOUND')
    await reconcile(s.system())
    expect(await wrongMoney(s, false)).toEqual({})
  })
})

test('a sale paid in two ways is refunded in two parts, and its credits are revoked with the last one (S5)', async () => {
  const customer = await s.make.customer()
  const { purchases } = await sell({
    customer_id: customer.customer_id,
    lines: [{ kind: 'package', class_package_id: ten }],
    shown: { total: '1790' },
    payments: [
      { payment_method_id: cash, amount: '1000' },
      { payment_method_id: terminal, amount: '790' },
    ],
  })
  const purchase_id = purchases[0]?.purchase_id ?? 0
  const { invoices } = await s.as(owner).studioSales.purchase({ purchase_id })
  const back = (n: number) =>
    s
      .as(owner, randomUUID())
      .studioSales.refund({ purchase_id, invoice_id: invoices[n]?.invoice_id ?? 0, reason: 'Se mudó', by_hand: true })
  expect((await back(0)).purchase.status).toBe('completed')
  expect(await s.balance(customer)).toBe(10)
  expect((await back(1)).purchase.status).toBe('revoked')
  expect(await s.balance(customer)).toBe(0)
  expect(await wrongMoney(s, false)).toEqual({})
})

test('a place of a basket cancelled in time is owed as far as it was paid, over its payments', async () => {
  const customer = await s.make.customer()
  const { single_class_id } = await s.make.class({ location_id, starts_at: new Date(s.clock.now().getTime() + 5 * 86_400_000) })
  const answer = await sell({
    customer_id: customer.customer_id,
    lines: [{ kind: 'class', single_class_id }],
    shown: { total: '220' },
    payments: [
      { payment_method_id: cash, amount: '100' },
      { payment_method_id: terminal, amount: '120' },
    ],
  })
  const class_reservation_id = answer.class_reservations[0]?.class_reservation_id ?? 0
  await s.as(desk).attendance.cancel({ class_reservation_id, reason: 'No puede', credit: 'return' })
  const owed = await s.sql<{ sum: number }>(
    `select sum((details->>'amount')::int)::int as sum from money_difference where purchase_id = $1 and "closedAt" is null`,
    [answer.purchases[0]?.purchase_id],
  )
  expect(owed[0]?.sum).toBe(22_000)
})
