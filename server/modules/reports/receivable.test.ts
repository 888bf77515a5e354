/** What customers owe, against a slow computation from whole tables (docs/domain.md RE29). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReportInput } from '#contract/reports.ts'
import { codeOf, type Person, START, studio, type TestStudio } from '#server/testing/studio.ts'

// biome-ignore lint/suspicious/noExplicitAny: whole rows, as the database has them
type Row = Record<string, any>

const DAY_MS = 86_400_000
const NOW = Date.parse(START)
const ago = (days: number) => new Date(NOW - days * DAY_MS)
/** Of the studio's clock, six hours behind. */
const dayOf = (at: string | Date) => new Date(Date.parse(String(new Date(at).toISOString())) - 6 * 3_600_000).toISOString().slice(0, 10)

let s: TestStudio
let owner: Person
let here: number
let there: number
let ana: Person
let beto: Person
beforeAll(async () => {
  s = await studio({ settings: { drop_in_price: '220.00', cash_checkout_enabled: true } })
  owner = await s.make.staff('owner')
  here = (await s.make.location()).location_id
  there = (await s.make.location()).location_id
  const cash = (await s.make.paymentMethod({ name: 'Efectivo' })).payment_method_id
  const transfer = (await s.make.paymentMethod({ name: 'Transferencia' })).payment_method_id
  ana = await s.make.customer({ name: 'Ana', last_name: 'Paz' })
  beto = await s.make.customer({ name: 'Beto', last_name: 'Luz' })
  const { class_package_id } = await s.make.package({ price_centavos: 179_000 })
  const sell = (person: Person, location_id: number, amount: string, more: Row) =>
    s.as(owner, randomUUID()).counterSales.sell({
      customer_id: person.customer_id,
      location_id,
      lines: [{ kind: 'other', title: 'Agua', amount }],
      shown: { total: amount },
      payments: [],
      ...more,
    })
  for (const location_id of [here, there]) await s.as(owner, randomUUID()).cashSessions.open({ location_id, opening: '0' })
  // Sales whose payment was put off: one of which a part came, one with a transfer that came, one with a transfer that is not there yet,
  // and one that did not come.
  const owe = { until: '2026-11-25', reason: 'Olvidó su cartera' }
  const first = await sell(ana, here, '300.00', { owe })
  await s
    .as(owner, randomUUID())
    .counterSales.pay({ sale_id: first.sale.sale_id ?? 0, payments: [{ payment_method_id: cash, amount: '99.50' }] })
  await sell(beto, there, '120.00', { owe })
  const late = await sell(beto, here, '75.00', { owe })
  await s.sql(`update sale set owe_until = '2026-11-18', "createdAt" = $2 where sale_id = $1`, [late.sale.sale_id, ago(100)])
  const paid = (reference: string) => ({ payments: [{ payment_method_id: transfer, amount: '410.00', reference }] })
  const came = await sell(ana, here, '410.00', paid('SPEI 1'))
  await s.as(owner).counterSales.confirm({ invoice_id: came.sale.payments[0]?.invoice_ids[0] ?? 0 })
  await sell(ana, there, '410.00', paid('SPEI 2'))
  const lost = await sell(beto, here, '410.00', paid('SPEI 3'))
  await s.as(owner).counterSales.reject({ invoice_id: lost.sale.payments[0]?.invoice_ids[0] ?? 0, reason: 'No llegó' })
  // Orders: in cash, by a link, and one in cash whose time is over.
  await s.as(ana, randomUUID()).sales.checkout({ class_package_id, payment_method_id: cash })
  const over = await s.as(beto, randomUUID()).sales.checkout({ class_package_id, payment_method_id: cash })
  await s.sql('update purchase set hold_until = $2 where purchase_id = $1', [over.purchase_id, ago(1)])
  await s.as(owner, randomUUID()).counterOrders.open({
    customer_id: beto.customer_id,
    location_id: here,
    shown: { total: '1915.00' },
    lines: [
      { kind: 'package', class_package_id },
      { kind: 'other', title: 'Toalla', amount: '125.00' },
    ],
  })
  // Places: with prices of their own, of the class and of the settings; paid, cancelled, of a class that was cancelled, and of one to come.
  const reserve = async (person: Person, location_id: number, days: number, more: Row = {}) => {
    const { single_class_id } = await s.make.class({ location_id, starts_at: ago(days), price_centavos: more.of_class ?? null })
    await s.sql(
      `insert into class_reservation (single_class_id, customer_id, is_cash, is_paid, price_centavos, "deletedAt", cancelled_by, "createdAt", "updatedAt")
       values ($1, $2, true, $3, $4, $5::timestamptz, case when $5 is not null then 'studio' end, now(), now())`,
      [single_class_id, person.customer_id, more.paid ?? false, more.own ?? null, more.deleted ? ago(1) : null],
    )
    if (more.cancelled) await s.sql('update single_class set "cancelledAt" = now() where single_class_id = $1', [single_class_id])
  }
  await reserve(ana, here, 7, { own: 15_050 })
  await reserve(ana, there, 8, { of_class: 18_000 })
  await reserve(beto, there, 31)
  await reserve(beto, here, 30)
  await reserve(beto, here, 91)
  await reserve(ana, here, -2)
  await reserve(ana, here, 3, { paid: true })
  await reserve(ana, here, 3, { deleted: true })
  await reserve(ana, here, 3, { cancelled: true })
  for (const since of [ago(12), null])
    await s.sql(
      `insert into purchase (customer_id, class_package_id, title, amount_centavos, total_centavos, next_total_centavos, class_amount, expiration_days,
         is_subscription, gateway, status, request_hash, past_due_since, location_id, "createdAt", "updatedAt")
       values ($1, $2, 'Mensual', 100000, 100000, 90000, 8, 30, true, 'sandbox', 'active', 'x', $3, $4, now(), now())`,
      [ana.customer_id, class_package_id, since, there],
    )
})
afterAll(() => s.close())

const read = (more: Partial<ReportInput> = {}, person = owner) => s.as(person).reports.read({ key: 'por-cobrar', ...more })
const table = async (name: string) => (await s.sql<{ row: Row }>(`select to_jsonb(t) as row from ${name} t`)).map(({ row }) => row)

interface Owed {
  kind: string
  customer_id: number
  location_id: number | null
  centavos: number
  since: string
  late: boolean
}

/** All that is owed, from whole tables. */
async function slowly(): Promise<Owed[]> {
  const [sales, payments, purchases, invoices, lines, links, reservations, classes, types] = await Promise.all(
    ['sale', 'sale_payment', 'purchase', 'invoice', 'sale_line', 'payment_link', 'class_reservation', 'single_class', 'class_type'].map(
      table,
    ),
  )
  const of = (rows: Row[] = [], key: string, value: unknown) => rows.filter((row) => row[key] === value)
  const sum = (rows: Row[], key: string) => rows.reduce((total, row) => total + row[key], 0)
  const found: Owed[] = []
  for (const sale of sales ?? []) {
    const rest = of(purchases, 'sale_id', sale.sale_id)
      .filter(({ status }) => status === 'completed' || status === 'active')
      .map(
        (row) =>
          row.total_centavos -
          row.waived_centavos -
          sum(
            of(invoices, 'purchase_id', row.purchase_id).filter(({ status }) => status !== 'void'),
            'total_centavos',
          ),
      )
    const { customer_id, location_id, createdAt, owe_until } = sale
    const centavos = rest.reduce((total, part) => total + Math.max(0, part), 0)
    found.push({
      kind: 'Adeudo de una venta',
      customer_id,
      location_id,
      centavos,
      since: createdAt,
      late: owe_until !== null && owe_until < dayOf(START),
    })
    for (const payment of of(payments, 'sale_id', sale.sale_id).filter(({ state }) => state === 'pending'))
      found.push({
        kind: 'Transferencia por confirmar',
        customer_id,
        location_id,
        centavos: payment.amount_centavos,
        since: payment.createdAt,
        late: false,
      })
  }
  for (const reservation of reservations ?? []) {
    const [cls = {}] = of(classes, 'single_class_id', reservation.single_class_id)
    const [type = {}] = of(types, 'class_type_id', cls.class_type_id)
    if (!reservation.is_cash || reservation.is_paid || reservation.deletedAt || cls.cancelledAt) continue
    const centavos = reservation.price_centavos ?? cls.price_centavos ?? type.price_centavos ?? 22_000
    const late = Date.parse(cls.starts_at) <= NOW
    found.push({
      kind: 'Lugar por pagar en el estudio',
      customer_id: reservation.customer_id,
      location_id: cls.location_id,
      centavos,
      since: cls.starts_at,
      late,
    })
  }
  for (const row of purchases ?? []) {
    const { customer_id, location_id } = row
    const [link] = of(links, 'purchase_id', row.purchase_id)
    if (row.status === 'active' && row.past_due_since)
      found.push({
        kind: 'Renovación que no pasó',
        customer_id,
        location_id,
        centavos: row.next_total_centavos,
        since: row.past_due_since,
        late: true,
      })
    if (row.status !== 'pending' || Date.parse(row.hold_until) <= NOW) continue
    if (link)
      found.push({
        kind: 'Enlace de pago',
        customer_id,
        location_id,
        centavos: sum(of(lines, 'sale_id', row.sale_id), 'total_centavos'),
        since: link.createdAt,
        late: false,
      })
    else if (row.gateway === 'efectivo')
      found.push({ kind: 'Orden en efectivo', customer_id, location_id, centavos: row.total_centavos, since: row.createdAt, late: false })
  }
  return found.filter(({ centavos }) => centavos > 0)
}

function ageOf({ since }: Owed): string {
  if (Date.parse(since) > NOW) return 'Todavía no empieza la clase'
  const days = Math.round((Date.parse(dayOf(START)) - Date.parse(dayOf(since))) / DAY_MS)
  return days <= 7 ? 'Hasta 7 días' : days <= 30 ? 'De 8 a 30 días' : days <= 90 ? 'De 31 a 90 días' : 'Más de 90 días'
}

const pesos = (rows: Owed[]) => rows.reduce((total, { centavos }) => total + centavos, 0) / 100
const byName = (rows: Owed[], nameOf: (row: Owed) => string) =>
  Object.fromEntries([...new Set(rows.map(nameOf))].sort().map((name) => [name, pesos(rows.filter((row) => nameOf(row) === name))]))

test('what is owed, what is late and by whom, by kind, age, person and one by one, at all locations and at one', async () => {
  const all = await slowly()
  expect(new Set(all.map(({ kind }) => kind)).size).toBe(6)
  expect(new Set(all.map(ageOf)).size).toBe(5)
  for (const location_id of [undefined, here, there]) {
    const owed = all.filter((row) => location_id === undefined || row.location_id === location_id)
    const late = owed.filter((row) => row.late)
    const names: Record<number, string> = { [ana.customer_id]: 'Ana Paz', [beto.customer_id]: 'Beto Luz' }
    for (const [group_by, nameOf] of [
      ['kind', (row: Owed) => row.kind],
      ['age', ageOf],
      ['person', (row: Owed) => names[row.customer_id] ?? ''],
    ] as const) {
      const found = await read({ location_id, group_by })
      expect(found.figures.map(({ key, value }) => [key, value])).toEqual([
        ['owed', pesos(owed)],
        ['late', pesos(late)],
        ['people', new Set(owed.map(({ customer_id }) => customer_id)).size],
        ['transfers', pesos(owed.filter(({ kind }) => kind.startsWith('Transferencia')))],
      ])
      expect(Object.fromEntries(found.rows.map(({ cells }) => [cells.name, cells.owed]))).toEqual(byName(owed, nameOf))
      expect(found.totals).toEqual({ count: owed.length, owed: pesos(owed), late: pesos(late) })
      expect(found.rows.reduce((total, { cells }) => total + Number(cells.late), 0)).toBeCloseTo(pesos(late), 6)
    }
    const found = await read({ location_id, group_by: 'debt' })
    const listed = found.rows.map(({ cells }) => [cells.kind, cells.name, cells.owed, cells.since, cells.state === 'Vencido'].join(' '))
    const expected = owed.map((row) => [row.kind, names[row.customer_id], row.centavos / 100, dayOf(row.since), row.late].join(' '))
    expect(listed.sort()).toEqual(expected.sort())
    expect([found.rows_total, found.totals]).toEqual([owed.length, { owed: pesos(owed) }])
    expect((await s.as(owner).reports.list({ location_id })).reports.find(({ key }) => key === 'por-cobrar')?.figure?.value).toBe(
      pesos(owed),
    )
  }
})

test('limited to one kind; each row is received where it is; names are for those who see customers', async () => {
  const reserved = await read({ only: 'lugares' })
  expect(new Set(reserved.rows.map(({ cells }) => cells.kind))).toEqual(new Set(['Lugar por pagar en el estudio']))
  expect(reserved.rows.every(({ action, link }) => action?.label === 'Cobrar' && link?.startsWith('/admin/clases/'))).toBe(true)
  expect(reserved.figures).toEqual((await read()).figures)
  const byPerson = await read({ only: 'lugares', group_by: 'person' })
  expect([byPerson.rows_total, byPerson.totals.owed]).toEqual([byPerson.rows.length, reserved.totals.owed])
  const verbs = new Set((await read()).rows.map(({ cells, action }) => `${cells.kind}: ${action?.label}`))
  expect([...verbs].sort()).toEqual([
    'Adeudo de una venta: Cobrar',
    'Enlace de pago: Ver el enlace',
    'Lugar por pagar en el estudio: Cobrar',
    'Orden en efectivo: Cobrar',
    'Renovación que no pasó: Ver el cobro',
    'Transferencia por confirmar: Confirmar',
  ])
  const headline = (await read()).headline?.text
  expect(headline).toMatch(/^Te deben \$[\d,.]+; \$[\d,.]+ ya venció\.$/)
  const desk = await s.make.staff('reception')
  expect(await codeOf(read({}, desk))).toBe('FORBIDDEN')
  const file = await s.as(owner).reports.file({ key: 'por-cobrar', format: 'csv' })
  expect((await file.text()).trim().split('\n').length).toBe((await slowly()).length + 1)
})

test('without debts there is no headline', async () => {
  const empty = await studio()
  const found = await empty.as(await empty.make.staff('owner')).reports.read({ key: 'por-cobrar' })
  expect([found.headline, found.rows, found.figures.map(({ value }) => value)]).toEqual([null, [], [0, 0, 0, 0]])
  await empty.close()
})
