/** The counter's books: payment methods separate, tax frozen, and the sums of a day that never change afterwards (V28, V29, V46). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Chance } from '#server/demo/chance.ts'
import { reconcile } from '#server/modules/sales/jobs.ts'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { codeOf, type Person, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { deliverPendingWebhooks } from '#server/testing/work.ts'

let s: TestStudio
let owner: Person
let desks: Person[]
let cash: number
let terminal: number
let transfer: number
let locations: number[]
const method = async (name: string) => (await s.make.paymentMethod({ name })).payment_method_id
beforeAll(async () => {
  s = await studio({ settings: { cash_checkout_enabled: true, cash_session_required: false } })
  owner = await s.make.staff('owner')
  desks = [await s.make.staff('reception'), await s.make.staff('reception')]
  cash = await method('Efectivo')
  terminal = await method('Terminal bancaria')
  transfer = await method('Transferencia')
  locations = [(await s.make.location()).location_id, (await s.make.location()).location_id]
})
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))

const lists = () => s.as(owner).studioSales
const sell = (
  desk: Person,
  more: Partial<Parameters<ReturnType<TestStudio['as']>['studioSales']['giveAccess']>[0]> & { class_package_id: number },
) => s.make.customer().then((person) => s.as(desk, randomUUID()).studioSales.giveAccess({ customer_id: person.customer_id, ...more }))
const centavos = (pesos: string) => Math.round(Number(pesos) * 100)

describe('a sale at the counter', () => {
  test('by terminal or transfer is not cash; its charge has location, staff, method and reference', async () => {
    const { class_package_id } = await s.make.package({ price_centavos: 145_000 })
    const [desk] = desks as [Person]
    const byTerminal = await sell(desk, { class_package_id, payment_method_id: terminal, location_id: locations[1], reference: 'AUT 881' })
    const byCash = await sell(desk, { class_package_id, location_id: locations[0] })
    expect([byTerminal.purchase.gateway, byCash.purchase.gateway]).toEqual(['mostrador', 'efectivo'])
    expect(byTerminal.purchase).toMatchObject({ location_id: locations[1], staff_id: expect.any(Number) })
    const { invoices, sum } = await lists().invoices({ payment_method_id: terminal })
    expect(invoices).toMatchObject([
      {
        purchase_id: byTerminal.purchase.purchase_id,
        gateway: 'mostrador',
        location_id: locations[1],
        reference: 'AUT 881',
        staff_id: byTerminal.purchase.staff_id,
        tax: { rate: 16, net: '1250.00', amount: '200.00' },
      },
    ])
    expect(sum).toMatchObject({
      charged: '1450.00',
      tax: '200.00',
      by_way: [{ gateway: 'mostrador', name: 'Terminal bancaria', count: 1 }],
    })
    expect((await lists().purchases({ payment_method_id: terminal })).total).toBe(1)
    expect((await lists().purchases({ location_id: locations[0] ?? 0 })).purchases.map((purchase) => purchase.purchase_id)).toEqual([
      byCash.purchase.purchase_id,
    ])
    expect((await lists().purchases({ staff_id: 999 })).total).toBe(0)
    expect(await codeOf(sell(desk, { class_package_id, location_id: 999 }))).toBe('INVALID_INPUT')
  })

  test('ordered in cash and paid by terminal is recorded as paid by terminal', async () => {
    const customer = await s.make.customer()
    const { class_package_id } = await s.make.package()
    const { purchase_id } = await s.as(customer, randomUUID()).sales.checkout({ class_package_id })
    const [, desk] = desks as [Person, Person]
    for (let n = 0; n < 2; n++)
      expect((await s.as(desk).sales.markPaid({ purchase_id, payment_method_id: terminal })).purchase).toMatchObject({
        status: 'completed',
        payment_method: { name: 'Terminal bancaria' },
      })
    expect((await lists().purchase({ purchase_id })).invoices).toMatchObject([
      { gateway: 'mostrador', payment_method_id: terminal, staff_id: expect.any(Number) },
    ])
    await reconcile(s.system())
    expect(await s.sql('select 1 from money_difference')).toEqual([])
    await s.as(owner, randomUUID()).studioSales.refund({ purchase_id, reason: 'Se mudó' })
    expect((await lists().refunds({ purchase_id })).refunds).toMatchObject([{ gateway: 'mostrador', payment_method_id: terminal }])
  })

  test('keeps its tax: a later rate changes no charge', async () => {
    const { class_package_id } = await s.make.package({ price_centavos: 33_333 })
    const [desk] = desks as [Person]
    const first = (await sell(desk, { class_package_id })).purchase.purchase_id
    const tax = async (purchase_id: number) => (await lists().purchase({ purchase_id })).invoices[0]?.tax
    await s.having({ tax_rate: 8 }, async () => {
      expect(await tax((await sell(desk, { class_package_id })).purchase.purchase_id)).toEqual({
        rate: 8,
        exempt: false,
        net: '308.64',
        amount: '24.69',
      })
    })
    await s.having({ tax_included: false }, async () => {
      expect(await tax((await sell(desk, { class_package_id })).purchase.purchase_id)).toEqual({
        rate: 0,
        exempt: false,
        net: '333.33',
        amount: '0.00',
      })
    })
    expect(await tax(first)).toEqual({ rate: 16, exempt: false, net: '287.35', amount: '45.98' })
  })
})

describe('refunds and disputes', () => {
  test('refunds and disputes count on their own day, also when made in the processor’s panel, and a failed one is returned on another', async () => {
    const bank = s.bank()
    bank.held = true
    const customer = await s.make.customer()
    const { class_package_id } = await s.make.package({ price_centavos: 100_000 })
    const { purchase_id } = await s.as(customer, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })
    const [row] = await s.sql<{ ref_id: string }>('select ref_id from payment_attempt where purchase_id = $1', [purchase_id])
    const ref = bank.refOf(row?.ref_id ?? '')
    const on = async (day: string) => {
      const charges = (await lists().invoices({ purchase_id, from: day, to: day })).sum
      const { total, sum } = await lists().refunds({ purchase_id, from: day, to: day })
      return [charges?.charged, charges?.refunded, total, sum?.refunded, sum?.returned]
    }
    const [sale, panel, back] = ['2026-11-19', '2026-11-20', '2026-11-21'] as const
    expect(await on(sale)).toEqual(['1000.00', '0.00', 0, '0.00', '0.00'])

    s.clock.advance({ days: 1 })
    const { payments } = await bank.settle(ref)
    await bank.refund(ref, payments[0]?.id ?? '', 30_000, { purchase: purchase_id, step: 'panel', n: 1 })
    bank.held = false
    await bank.tick()
    bank.held = true
    await deliverPendingWebhooks(s)
    expect(await on(panel)).toEqual(['0.00', '300.00', 1, '300.00', '0.00'])
    expect(await on(sale)).toEqual(['1000.00', '0.00', 0, '0.00', '0.00'])

    s.clock.advance({ days: 1 })
    await bank.failRefund(ref.id)
    await reconcile(s.system())
    expect(await on(back)).toEqual(['0.00', '-300.00', 1, '0.00', '300.00'])
    expect(await on(panel)).toEqual(['0.00', '300.00', 1, '300.00', '0.00'])
    expect((await lists().invoices({ purchase_id })).sum).toMatchObject({ charged: '1000.00', refunded: '0.00' })
  })

  test('a charge lost in a dispute counts on the day of the loss', async () => {
    const bank = s.bank()
    const customer = await s.make.customer()
    const { class_package_id } = await s.make.package({ price_centavos: 100_000 })
    const { purchase_id } = await s.as(customer, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })
    const [row] = await s.sql<{ ref_id: string }>('select ref_id from payment_attempt where purchase_id = $1', [purchase_id])
    s.clock.advance({ days: 2 })
    await bank.dispute(row?.ref_id ?? '', 'lost')
    await reconcile(s.system())
    const lost = async (day: string) => (await lists().invoices({ purchase_id, from: day, to: day })).sum?.lost
    expect([await lost('2026-11-19'), await lost('2026-11-21')]).toEqual(['0.00', '1000.00'])
  })

  test('a refund by hand uses the payment method that staff name, cash by default', async () => {
    const { class_package_id } = await s.make.package({ price_centavos: 50_000 })
    const [desk] = desks as [Person]
    const { purchase_id } = (await sell(desk, { class_package_id, payment_method_id: terminal })).purchase
    const refund = (amount: string, payment_method_id?: number) =>
      s.as(owner, randomUUID()).studioSales.refund({ purchase_id, amount, reason: 'Clase suelta', by_hand: true, payment_method_id })
    await refund('100')
    await refund('50', transfer)
    const methods = (await lists().invoices({ purchase_id })).sum?.by_way
    expect(methods?.map(({ gateway, name, charged, refunded }) => [gateway, name, charged, refunded]).sort()).toEqual([
      ['efectivo', 'Efectivo', '0.00', '100.00'],
      ['mostrador', 'Terminal bancaria', '500.00', '0.00'],
      ['mostrador', 'Transferencia', '0.00', '50.00'],
    ])
    expect((await lists().refunds({ purchase_id, payment_method_id: cash })).sum?.refunded).toBe('100.00')
  })
})

test('sums by day, method, location and person match the rows, and those of past days never change', async () => {
  const chance = new Chance(7)
  const roll = (n: number) => Math.floor(chance.between(0, n))
  const classPackages = [await s.make.package({ price_centavos: 21_999 }), await s.make.package({ price_centavos: 145_000 })]
  const open: number[] = []
  const closed = new Map<string, object>()
  const methods = [cash, terminal, transfer]
  const slices = [
    {},
    ...methods.map((payment_method_id) => ({ payment_method_id })),
    ...locations.map((location_id) => ({ location_id })),
    ...(await s.sql<{ staff_id: number }>('select staff_id from staff')).map(({ staff_id }) => ({ staff_id })),
  ]
  const of = async (day: string) =>
    Promise.all(
      slices.map(async (slice) => {
        const { sum } = await lists().invoices({ ...slice, from: day, to: day })
        if (!sum) throw new Error('The owner has no sums.')
        return { ...slice, charged: sum.charged, tax: sum.tax, refunded: sum.refunded, lost: sum.lost }
      }),
    )
  s.clock.set(new Date('2027-01-10T18:00:00Z'))
  for (let day = 10; day < 16; day++) {
    for (let n = 0; n < 12; n++) {
      const desk = desks[roll(2)] ?? owner
      if (roll(3) > 0 || open.length === 0) {
        const { purchase } = await sell(desk, {
          class_package_id: classPackages[roll(2)]?.class_package_id ?? 0,
          payment_method_id: methods[roll(3)],
          location_id: locations[roll(2)],
        })
        open.push(purchase.purchase_id)
      } else {
        const purchase_id = open[roll(open.length)] ?? 0
        const amount = `${1 + roll(150)}.${10 + roll(90)}`
        const more = roll(2) ? { by_hand: true, payment_method_id: methods[roll(3)] } : {}
        await codeOf(s.as(owner, randomUUID()).studioSales.refund({ purchase_id, amount, reason: 'Ajuste', ...more })).catch(() => null)
      }
    }
    closed.set(`2027-01-${day}`, await of(`2027-01-${day}`))
    s.clock.advance({ days: 1 })
  }
  // Another hand's sums, straight from the rows.
  const from = new Date('2027-01-10T06:00:00Z')
  const [rows] = await s.sql<{ charged: number; tax: number; refunded: number }>(
    `select (select sum(total_centavos)::int from invoice where "paidAt" >= $1) as charged,
      (select sum(tax_centavos)::int from invoice where "paidAt" >= $1) as tax,
      (select sum(refunded_centavos)::int from invoice where "paidAt" >= $1) as refunded`,
    [from],
  )
  const all = { charged: 0, tax: 0, refunded: 0 }
  for (const [day, before] of closed) {
    expect(await of(day)).toEqual(before)
    const [whole] = before as { charged: string; tax: string; refunded: string }[]
    for (const key of ['charged', 'tax', 'refunded'] as const) {
      all[key] += centavos(whole?.[key] ?? '0')
      const sliced = (which: string) =>
        (before as Record<string, string>[]).filter((row) => which in row).reduce((sum, row) => sum + centavos(row[key] ?? '0'), 0)
      // Every sale of these days was at one of the locations; refunds by another method count for that method.
      expect([key, sliced('payment_method_id'), sliced('staff_id')]).toEqual([
        key,
        centavos(whole?.[key] ?? '0'),
        centavos(whole?.[key] ?? '0'),
      ])
      expect(sliced('location_id')).toBe(centavos(whole?.[key] ?? '0'))
    }
    const { sum } = await lists().refunds({ from: day, to: day })
    expect(sum?.refunded).toBe(whole?.refunded)
  }
  expect(all).toEqual(rows)
  expect(all.refunded).toBeGreaterThan(0)
  expect(await wrongMoney(s, true)).toEqual({})
})

test('sales, charges and refunds are searched without accents, in any order, by phone, order and folio (P11)', async () => {
  const customer = await s.make.customer({ name: 'José Ángel', last_name: 'Yáñez', phone: '5588112233' })
  const { class_package_id } = await s.make.package({ title: 'Ocho clases', price_centavos: 50_000 })
  const [desk] = desks as [Person]
  const { purchase } = await s
    .as(desk, randomUUID())
    .studioSales.giveAccess({ customer_id: customer.customer_id, class_package_id, payment_method_id: terminal, reference: 'SPEI 77012' })
  const { purchase_id } = purchase
  await s.as(owner, randomUUID()).studioSales.refund({ purchase_id, amount: '10', reason: 'Ajuste' })
  const [{ phone } = { phone: '' }] = await s.sql<{ phone: string }>('select phone from customer where customer_id = $1', [
    customer.customer_id,
  ])
  const [{ invoice_id } = { invoice_id: 0 }] = (await lists().purchase({ purchase_id })).invoices
  const typed = [
    'yanez',
    'YÁÑEZ jose',
    'angel ocho',
    phone,
    `(${phone.slice(0, 2)}) ${phone.slice(2, 6)}-${phone.slice(6)}`,
    `#00${purchase_id}`,
  ]
  for (const query of typed) {
    expect([query, (await lists().purchases({ query })).purchases.map((purchase) => purchase.purchase_id)]).toEqual([query, [purchase_id]])
    expect([query, (await lists().invoices({ query })).invoices.map((invoice) => invoice.purchase_id)]).toEqual([query, [purchase_id]])
    expect([query, (await lists().refunds({ query })).total]).toEqual([query, 1])
  }
  for (const query of ['spei 77012', `00${purchase_id}-${invoice_id}`])
    expect([query, (await lists().invoices({ query })).invoices.map((invoice) => invoice.purchase_id)]).toEqual([query, [purchase_id]])
  expect((await lists().purchases({ query: 'yanez paquete' })).total).toBe(0)
})

describe('the slip of a card terminal (payment_terminal_fields_required)', () => {
  const slip = { card_brand: 'Visa', last_digits: '4417', authorisation: '083512' }

  test('a note is stored with the charge, and is optional', async () => {
    const { class_package_id } = await s.make.package({ price_centavos: 60_000 })
    const [desk] = desks as [Person]
    const at = { payment_method_id: terminal, location_id: locations[0] }
    const { purchase } = await sell(desk, { class_package_id, ...at, ...slip, reference: 'lote 9' })
    const bare = await sell(desk, { class_package_id, ...at })
    const referenceOf = async (purchase_id: number) =>
      (await lists().invoices({ purchase_id })).invoices.map((invoice) => invoice.reference)
    expect(await referenceOf(purchase.purchase_id)).toEqual(['lote 9 · Visa ···4417 · autorización 083512'])
    expect(await referenceOf(bare.purchase.purchase_id)).toEqual([null])
  })

  test('the slip of a card terminal is refused at its field wherever a terminal is received: Dar acceso, an order, a place', async () => {
    const { class_package_id } = await s.make.package({ price_centavos: 60_000 })
    const [desk] = desks as [Person]
    const ana = await s.make.customer()
    const { purchase_id } = await s.as(ana, randomUUID()).sales.checkout({ class_package_id })
    const cls = await s.make.class({ price_centavos: 22_000, location_id: locations[0] })
    const wanted = { customer_id: ana.customer_id, single_class_id: cls.single_class_id, is_cash: true }
    const { class_reservation } = await s.as(desk, randomUUID()).attendance.reserve(wanted)
    const { class_reservation_id } = class_reservation
    const others = await s.make.customer()
    const received = { payment_method_id: terminal, location_id: locations[0] ?? 0 }
    const without = [{}, { last_digits: '4417' }, { authorisation: '083512' }]
    await s.having({ payment_terminal_fields_required: true }, async () => {
      for (const input of without) {
        const field = 'last_digits' in input ? 'authorisation' : 'last_digits'
        const refused = { code: 'INVALID_INPUT', data: { field } }
        const access = sell(desk, { class_package_id, ...received, ...input })
        await expect(access).rejects.toMatchObject(refused)
        const call = () => s.as(desk, randomUUID())
        await expect(call().sales.markPaid({ purchase_id, ...received, ...input })).rejects.toMatchObject(refused)
        await expect(call().attendance.paid({ class_reservation_id, ...received, ...input })).rejects.toMatchObject(refused)
        const sold = call().attendance.reserve({ ...wanted, customer_id: others.customer_id, is_paid: true, ...received, ...input })
        await expect(sold).rejects.toMatchObject(refused)
      }
      // Cash has no slip, and neither has a package that costs nothing here.
      await sell(desk, { class_package_id, location_id: locations[0] })
      await sell(desk, { class_package_id, ...received, bill: false })
      const { purchase } = await s.as(desk, randomUUID()).sales.markPaid({ purchase_id, ...received, ...slip })
      await s.as(desk, randomUUID()).attendance.paid({ class_reservation_id, ...received, ...slip })
      expect(purchase.status).toBe('completed')
    })
  })
})
