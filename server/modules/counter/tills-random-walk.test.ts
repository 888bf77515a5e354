/**
 * A thousand random sales (with products, gift cards, saved cards and payment links), refunds, debts and movements: the count of each till
 * agrees with the ledger, and a closed one never changes (J4, J5, S3, S4).
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CashSession } from '#contract/cash-sessions.ts'
import { Chance } from '#server/demo/chance.ts'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { codeOf, type Person, studio, type TestStudio } from '#server/testing/studio.ts'

const DESKS = 4
const STEPS = 250

let s: TestStudio
let owner: Person
let cash: number
let terminal: number
let transfer: number
let packages: number[]
let product: number
beforeAll(async () => {
  s = await studio({ settings: { drop_in_price: '220.00', cash_difference_max: '0.00' } })
  owner = await s.make.staff('owner')
  const method = async (name: string) => (await s.make.paymentMethod({ name })).payment_method_id
  cash = await method('Efectivo')
  terminal = await method('Terminal bancaria')
  transfer = await method('Transferencia')
  packages = [
    (await s.make.package({ price_centavos: 45_500 })).class_package_id,
    (await s.make.package({ price_centavos: 129_999 })).class_package_id,
  ]
  const answer = await s.as(owner, randomUUID()).products.create({ name: 'Calcetines', price: '189.90', tax_rate: 8 })
  product = answer.product.product_id
})
afterAll(() => s.close())

const text = (centavos: number) => (centavos / 100).toFixed(2)
const centavos = (pesos: string | null | undefined) => Math.round(Number(pesos ?? 0) * 100)

type Line = Parameters<ReturnType<TestStudio['as']>['counterSales']['sell']>[0]['lines'][number]

type SalePayment = NonNullable<Parameters<ReturnType<TestStudio['as']>['counterSales']['sell']>[0]['payments']>[number]

/** What a line costs, worked out apart from the server: half up on each package's price. */
function priceOf(line: Line): number {
  if (line.kind === 'class') return 22_000
  if (line.kind === 'product') return 18_990 * (line.quantity ?? 1)
  if (line.kind === 'other' || line.kind === 'gift_card') return centavos(String(line.amount)) * (line.quantity ?? 1)
  const list = line.class_package_id === packages[0] ? 45_500 : 129_999
  return Math.round((list * (100 - (line.discount?.percent ?? 0))) / 100) * (line.quantity ?? 1)
}

/** One desk at a location of its own: its steps follow each other, while the other desks work. */
class Desk {
  readonly sales: { sale_id: number; owed: number }[] = []
  readonly purchases: number[] = []
  readonly transfers: number[] = []
  /** Codes of gift cards that were sold, with the balance of each by a model of it. */
  readonly cards: { code: string; purchase_id: number; balance: number }[] = []
  readonly closed: CashSession[] = []
  /** What the bank was made to charge for orders, by a model of it. */
  charged = 0
  /** The saved card of the first customer. */
  card = 0
  session = 0
  done = 0
  readonly #roll: Chance
  readonly who: Person
  readonly location_id: number
  readonly customers: Person[]
  readonly classes: number[]
  constructor(of: { who: Person; location_id: number; customers: Person[]; classes: number[] }, seed: number) {
    this.who = of.who
    this.location_id = of.location_id
    this.customers = of.customers
    this.classes = of.classes
    this.#roll = new Chance(seed)
  }
  as(person = this.who) {
    // Each call has an instant of its own, so that the ledger's instants decide on which side of a count they are.
    s.clock.advance({ seconds: 1 })
    return s.as(person, randomUUID())
  }
  below(n: number) {
    return Math.floor(this.#roll.next() * n)
  }
  pick<T>(from: readonly T[]): T | undefined {
    return from[this.below(from.length)]
  }

  async open() {
    const { cash_session } = await this.as().cashSessions.open({ location_id: this.location_id, opening: text(this.below(100_000)) })
    this.session = cash_session.cash_session_id
  }

  async close() {
    const cash_session_id = this.session
    const answer = await this.as().cashSessions.close({
      cash_session_id,
      cash: { '500': this.below(30), '0.50': this.below(9) },
      left_in_drawer: '0',
      note: 'Corte',
    })
    this.closed.push(answer.cash_session)
  }

  /** Random payments that come to a sum, in up to three payment methods. */
  payments(sum: number) {
    const parts: { payment_method_id: number; amount: string }[] = []
    for (let left = sum; left > 0; ) {
      const part = parts.length === 2 ? left : 1 + this.below(left)
      parts.push({ payment_method_id: this.pick([cash, cash, terminal, transfer]) ?? cash, amount: text(part) })
      left -= part
    }
    return parts
  }

  async sell() {
    const customer = this.pick(this.customers)
    if (!customer) return
    const lines: Line[] = []
    for (let n = 1 + this.below(3); n > 0; n--) {
      const roll = this.below(10)
      const discount = this.below(4) === 0 ? { percent: 1 + this.below(30), reason: 'Cortesía' } : null
      if (roll < 6) lines.push({ kind: 'package', class_package_id: this.pick(packages) ?? 0, quantity: 1 + this.below(2), discount })
      else if (roll === 6) lines.push({ kind: 'product', product_id: product, quantity: 1 + this.below(3) })
      else if (roll < 9) lines.push({ kind: 'other', title: 'Agua', amount: text(1 + this.below(5_000)), quantity: 1 + this.below(3) })
      else if (!lines.some((line) => line.kind === 'class')) lines.push({ kind: 'class', single_class_id: this.pick(this.classes) ?? 0 })
    }
    if (lines.length === 0) return
    // A sale of gift cards has no customer and is paid in full.
    const isCards = this.below(8) === 0
    if (isCards) lines.splice(0, lines.length, { kind: 'gift_card', amount: text(1 + this.below(60_000)), quantity: 1 + this.below(2) })
    const as = this.below(2) ? this.who : owner
    const basket = { customer_id: isCards ? null : customer.customer_id, location_id: this.location_id, lines }
    const shown = lines.reduce((sum, line) => sum + priceOf(line), 0)
    const owed = !isCards && as === owner && this.below(4) === 0 ? this.below(shown) : 0
    // The owner has no till of their own: they take no cash.
    const card = isCards || this.below(3) > 0 ? undefined : this.pick(this.cards.filter(({ balance }) => balance > 0))
    const withCard = card ? Math.min(card.balance, shown - owed) : 0
    const payments: SalePayment[] = this.payments(shown - owed - withCard).map((payment) =>
      as === owner && payment.payment_method_id === cash ? { ...payment, payment_method_id: terminal } : payment,
    )
    if (card && withCard > 0) payments.unshift({ gift_card_code: card.code, amount: text(withCard) })
    const { sale } = await this.as(as).counterSales.sell({
      ...basket,
      payments,
      shown: { total: text(shown) },
      owe: owed > 0 ? { until: '2027-01-31', reason: 'Paga en enero' } : null,
    })
    if (card) card.balance -= withCard
    for (const { gift_card, purchase_id, total } of sale.lines)
      if (gift_card) this.cards.push({ code: gift_card.code, purchase_id: purchase_id ?? 0, balance: centavos(total) })
    this.sales.push({ sale_id: sale.sale_id ?? 0, owed: centavos(sale.owed) })
    expect(centavos(sale.owed)).toBe(owed)
    for (const payment of sale.payments) if (payment.state === 'pending') this.transfers.push(payment.invoice_ids[0] ?? 0)
    for (const line of sale.lines) if (centavos(line.total) > 0) this.purchases.push(line.purchase_id ?? 0)
  }

  /** An order on a saved card, or with a link that is paid half of the time: its money is in no till. */
  async order() {
    const customer = this.customers[0]
    if (!customer) return
    this.card ||= (await s.as(customer).cards.keep({ token_id: 'tok_ok~visa~4242~122030~k' })).payment_source?.payment_source_id ?? 0
    const lines: Line[] = [{ kind: 'package', class_package_id: this.pick(packages) ?? 0 }]
    for (let more = this.below(4); more > 0; more--) {
      const roll = this.below(4)
      if (roll === 0)
        lines.push({ kind: 'package', class_package_id: this.pick(packages) ?? 0, discount: { percent: 10, reason: 'Cortesía' } })
      else if (roll === 1) lines.push({ kind: 'product', product_id: product, quantity: 1 + this.below(3) })
      else if (roll === 2) lines.push({ kind: 'other', title: 'Agua', amount: text(1 + this.below(5_000)), quantity: 1 + this.below(3) })
      else lines.push({ kind: 'gift_card', amount: text(1 + this.below(60_000)) })
    }
    const total = lines.reduce((sum, line) => sum + priceOf(line), 0)
    const byCard = this.below(2) === 0
    const order = await this.as(owner).counterOrders.open({
      customer_id: customer.customer_id,
      location_id: this.location_id,
      lines,
      shown: { total: text(total) },
      ...(byCard ? { payment_source_id: this.card } : {}),
    })
    const { link } = order
    expect(centavos(order.total)).toBe(total)
    expect(order.lines.reduce((sum, line) => sum + centavos(line.total), 0)).toBe(total)
    if (!byCard && this.below(2)) return
    if (link) {
      const token = link.url.split('/').at(-1) ?? ''
      const { url } = await s.as(null).paymentLinks.pay({ token })
      await s.bank().giveToken(new URL(url ?? '').pathname.split('/').at(-1) ?? '', 'tok_ok')
      s.clock.advance({ seconds: 3 })
      expect((await s.as(null).paymentLinks.shown({ token })).order.state).toBe('paid')
    }
    this.charged += total
    for (const line of order.lines) this.purchases.push(line.purchase_id)
    for (const { code, purchase_id, title } of order.gift_cards)
      this.cards.push({ code, purchase_id, balance: centavos(title.replace(/[^\d.]/g, '')) })
  }

  async pay() {
    const sale = this.pick(this.sales.filter((sale) => sale.owed > 0))
    if (!sale) return
    const amount = 1 + this.below(sale.owed)
    const answer = await this.as().counterSales.pay({ sale_id: sale.sale_id, payments: this.payments(amount) })
    sale.owed = centavos(answer.sale.owed)
    for (const payment of answer.sale.payments)
      if (payment.state === 'pending' && !this.transfers.includes(payment.invoice_ids[0] ?? 0))
        this.transfers.push(payment.invoice_ids[0] ?? 0)
  }

  async decide() {
    const invoice_id = this.transfers.splice(this.below(this.transfers.length), 1)[0]
    if (!invoice_id) return
    if (this.below(3) > 0) await this.as().counterSales.confirm({ invoice_id, reference: 'SPEI 1' })
    else await this.as().counterSales.reject({ invoice_id, reason: 'Nunca llegó' })
  }

  async refund() {
    const purchase_id = this.pick(this.purchases)
    if (!purchase_id) return
    const { invoices } = await s.as(owner).studioSales.purchase({ purchase_id })
    const charge = this.pick(invoices.filter((invoice) => invoice.refunded !== invoice.total_payment))
    if (!charge) return
    const left = centavos(charge.total_payment) - centavos(charge.refunded)
    const amount = this.below(3) === 0 ? left : 1 + this.below(left)
    // What a gift card paid goes back to the card, what a processor charged through it or by hand.
    const byCard = charge.gateway === 'regalo' || (charge.gateway === 'sandbox' && this.below(2) === 0)
    await this.as(owner).studioSales.refund({
      purchase_id,
      invoice_id: charge.invoice_id,
      reason: 'Prueba',
      by_hand: !byCard,
      amount: text(amount),
      ...(byCard ? {} : { payment_method_id: this.pick([cash, terminal]) ?? cash }),
    })
    const sold = this.cards.find((card) => card.purchase_id === purchase_id)
    if (sold) sold.balance -= amount
  }

  async step() {
    const roll = this.below(100)
    this.done++
    if (roll < 38) await this.sell()
    else if (roll < 45) await this.order()
    else if (roll < 55) await this.pay()
    else if (roll < 65) await this.decide()
    else if (roll < 80) await this.refund()
    else if (roll < 94)
      await this.as().cashSessions.move({
        cash_session_id: this.session,
        kind: this.pick(['in', 'out'] as const) ?? 'in',
        amount: text(1 + this.below(9_000)),
        reason: 'Prueba',
      })
    else {
      await this.close()
      await this.open()
    }
  }
}

/** The contents of a till, from the counter's ledger and the days of refunds alone: without any column that assigns rows to a till. */
const FROM_THE_LEDGER = `
  select s.cash_session_id as id,
    s.opening_centavos
    + coalesce((select sum(p.amount) from cash_payment p where p."receivedBy" = 'staff:' || s.staff_id and p.gateway = 'efectivo'
        and p."paidAt" >= s."openedAt" and p."paidAt" < s."closedAt"), 0)
    - coalesce((select sum(r.amount_centavos) from refund r join invoice i using (invoice_id) join payment_method m on m.payment_method_id = r.payment_method_id
        where i.location_id = s.location_id and m.name = 'Efectivo' and r."createdAt" >= s."openedAt" and r."createdAt" < s."closedAt"), 0)
    + coalesce((select sum(case kind when 'in' then amount_centavos else -amount_centavos end) from cash_movement m
        where m."createdAt" >= s."openedAt" and m."createdAt" < s."closedAt" and m.staff_id = s.staff_id), 0) as cash,
    coalesce((select sum(p.amount) from cash_payment p where p."receivedBy" = 'staff:' || s.staff_id and p.gateway = 'mostrador'
        and p."paidAt" >= s."openedAt" and p."paidAt" < s."closedAt"), 0)
    - coalesce((select sum(r.amount_centavos) from refund r join invoice i using (invoice_id) join payment_method m on m.payment_method_id = r.payment_method_id
        where i.location_id = s.location_id and m.name <> 'Efectivo' and r."createdAt" >= s."openedAt" and r."createdAt" < s."closedAt"), 0) as bank
  from cash_session s where s."closedAt" is not null order by 1`

// Several desks work through many days, each step a request.
test('every count matches the ledger to the centavo, and a closed till never changes', {
  timeout: 300_000,
}, async () => {
  const desks = await Promise.all(
    Array.from({ length: DESKS }, async (_, n) => {
      const { location_id } = await s.make.location()
      const person = await s.make.staff('reception')
      const customers = await Promise.all(Array.from({ length: 12 }, () => s.make.customer()))
      const classes = await Promise.all(
        Array.from(
          { length: 6 },
          async (__, day) =>
            (await s.make.class({ location_id, starts_at: new Date(s.clock.now().getTime() + (day + 3) * 86_400_000) })).single_class_id,
        ),
      )
      return new Desk({ who: person, location_id, customers, classes }, 7 + n)
    }),
  )
  const refused = new Map<string, number>()
  await Promise.all(
    desks.map(async (desk) => {
      await desk.open()
      for (let n = 0; n < STEPS; n++)
        await desk.step().catch((error: { code?: string }) => {
          // A place that is taken, a discount that reception may not give, a purchase whose money all went back.
          if (
            !['ALREADY_RESERVED', 'OVERLAPPING_RESERVATION', 'CLASS_FULL', 'FORBIDDEN', 'PAYMENTS_DIFFER', 'GIFT_CARD_BALANCE'].includes(
              error.code ?? '',
            )
          )
            throw error
          refused.set(error.code ?? '', (refused.get(error.code ?? '') ?? 0) + 1)
        })
      await desk.close()
    }),
  )
  const closed = desks.flatMap((desk) => desk.closed)
  expect(desks.reduce((sum, desk) => sum + desk.done, 0)).toBe(DESKS * STEPS)
  expect(desks.reduce((sum, desk) => sum + desk.sales.length, 0)).toBeGreaterThan(200)
  const [paidByCard] = await s.sql<{ n: number }>(`select count(*)::int as n from invoice where gateway = 'regalo'`)
  expect(paidByCard?.n).toBeGreaterThan(10)
  // What the bank charged for orders is in the books once, at the location and in no till.
  const [orders] = await s.sql<{ n: number; sum: number; tills: number }>(
    `select count(*)::int as n, sum(total_centavos)::int as sum, count(cash_session_id)::int as tills from invoice where gateway = 'sandbox'`,
  )
  expect(orders?.n).toBeGreaterThan(20)
  expect(orders).toMatchObject({ tills: 0, sum: desks.reduce((sum, desk) => sum + desk.charged, 0) })
  const charges = (await s.bank().ledger()).filter(({ kind }) => kind === 'charge')
  expect(charges.reduce((sum, { amount }) => sum + amount, 0)).toBe(orders?.sum)
  expect(closed.length).toBeGreaterThan(DESKS * 4)
  // Whatever comes after a count leaves it as it was signed.
  for (const desk of desks)
    for (const session of desk.closed)
      expect((await s.as(owner).cashSessions.one({ cash_session_id: session.cash_session_id })).cash_session).toEqual(session)
  const ledger = await s.sql<{ id: number; cash: string; bank: string }>(FROM_THE_LEDGER)
  const counted = closed
    .map((session) => ({
      id: session.cash_session_id,
      cash: session.ways.filter((method) => method.kind === 'cash').reduce((sum, method) => sum + centavos(method.expected), 0),
      bank: session.ways.filter((method) => method.kind !== 'cash').reduce((sum, method) => sum + centavos(method.expected), 0),
    }))
    .sort((a, b) => a.id - b.id)
  expect(counted).toEqual(ledger.map(({ id, cash: inDrawer, bank }) => ({ id, cash: Number(inDrawer), bank: Number(bank) })))
  expect(await wrongMoney(s, false)).toEqual({})
  expect(
    await codeOf(
      s.as(owner).cashSessions.move({ cash_session_id: closed[0]?.cash_session_id ?? 0, kind: 'in', amount: '1', reason: 'Tarde' }),
    ),
  ).toBe('CASH_SESSION_CLOSED')
})
