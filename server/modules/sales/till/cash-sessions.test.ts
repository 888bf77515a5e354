/** The till: opened, counted, closed for good, approved or opened again, and what goes into it (docs/domain.md J1 to J6). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { pdfText } from '#server/testing/pdf-text.ts'
import { codeOf, type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let owner: Person
let cash: number
let terminal: number
let packageId: number
beforeAll(async () => {
  s = await studio({ settings: { cash_checkout_enabled: true, drop_in_price: '220.00' } })
  owner = await s.make.staff('owner')
  cash = (await s.make.paymentMethod({ name: 'Efectivo' })).payment_method_id
  terminal = (await s.make.paymentMethod({ name: 'Terminal bancaria' })).payment_method_id
  packageId = (await s.make.package({ price_centavos: 50_000 })).class_package_id
})
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))

/** A receptionist with an open till at a location of their own. */
async function desk(opening = '500') {
  const reception = await s.make.staff('reception')
  const { location_id } = await s.make.location()
  const till = (on = reception) => s.as(on, randomUUID()).cashSessions
  const { cash_session } = await till().open({ location_id, opening })
  const { cash_session_id } = cash_session
  const sell = async (payment_method_id = cash) =>
    (
      await s.as(reception, randomUUID()).studioSales.giveAccess({
        customer_id: (await s.make.customer()).customer_id,
        class_package_id: packageId,
        payment_method_id,
        location_id,
      })
    ).purchase
  return {
    who: reception,
    till,
    location_id,
    cash_session_id,
    cash_session,
    sell,
    seen: () => s.as(owner).cashSessions.one({ cash_session_id }),
  }
}
const methodOf = (session: Awaited<ReturnType<Awaited<ReturnType<typeof desk>>['seen']>>['cash_session'], id: number) =>
  session.ways.find((option) => option.payment_method_id === id)

describe('opening (J1)', () => {
  test('one per person and location; the last count’s remaining cash is suggested, and other open ones are named', async () => {
    const { who, till, location_id, cash_session_id, cash_session } = await desk('350.50')
    expect(cash_session).toMatchObject({ state: 'open', opening: '350.50', closedAt: null, movements: [] })
    expect(await codeOf(till().open({ location_id, opening: '0' }))).toBe('CASH_SESSION_OPEN')
    const other = await s.make.staff('reception', { name: 'Colega de caja' })
    expect(await till(other).current({ location_id })).toMatchObject({
      cash_session: null,
      others: [{ cash_session_id }],
      suggested_opening: '0.00',
    })
    await till(other).open({ location_id, opening: '0' })
    await till().close({ cash_session_id, cash: { '200': 1, '100': 1, '50': 1, '0.50': 1 }, left_in_drawer: '300' })
    expect((await till().current({ location_id })).suggested_opening).toBe('300.00')
    expect(await s.as(who).cashSessions.list({})).toMatchObject({ total: 1, people: [] })
    // The filter of the list offers the persons who had a session.
    const { people } = await s.as(owner).cashSessions.list({ location_id })
    const colleague = people.find(({ name }) => name === 'Colega de caja')
    expect(people.length).toBeGreaterThan(1)
    expect(await s.as(owner).cashSessions.list({ staff_id: colleague?.staff_id })).toMatchObject({
      total: 1,
      cash_sessions: [{ staff: colleague, location: { location_id }, state: 'open' }],
    })
    expect((await s.as(owner).cashSessions.list({ location_id })).total).toBe(2)
    expect((await s.as(owner).cashSessions.list({ location_id, state: 'open' })).total).toBe(1)
  })

  test('the same key returns the same session; another person’s is not found for reception', async () => {
    const reception = await s.make.staff('reception')
    const { location_id } = await s.make.location()
    const key = randomUUID()
    const [first, two] = [
      await s.as(reception, key).cashSessions.open({ location_id, opening: '10' }),
      await s.as(reception, key).cashSessions.open({ location_id, opening: '10' }),
    ]
    expect(two).toEqual(first)
    const { cash_session_id } = first.cash_session
    const stranger = s.as(await s.make.staff('reception'), randomUUID()).cashSessions
    expect(await codeOf(stranger.one({ cash_session_id }))).toBe('NOT_FOUND')
    expect(await codeOf(stranger.move({ cash_session_id, kind: 'out', amount: '10', reason: 'Agua' }))).toBe('NOT_FOUND')
    expect(await codeOf(stranger.close({ cash_session_id, cash: {}, left_in_drawer: '0' }))).toBe('NOT_FOUND')
    expect(await codeOf(s.as(reception).cashSessions.open({ location_id: 2_000_000_000, opening: '10' }))).toBe('NOT_FOUND')
  })
})

describe('its contents (J2, J3)', () => {
  test('charges, movements and refunds at the counter, by payment method; reception counts without seeing the expected sums', async () => {
    const { who, till, cash_session_id, sell, seen } = await desk()
    await sell()
    const returned = await sell()
    await sell(terminal)
    await till().move({ cash_session_id, kind: 'in', amount: '100', reason: 'Cambio' })
    await till().move({ cash_session_id, kind: 'out', amount: '35.50', reason: 'Agua' })
    const { refund } = await s
      .as(owner)
      .studioSales.refund({ purchase_id: returned.purchase_id, reason: 'Se equivocó', by_hand: true, amount: '200' })
    expect(refund.cash_session_id).toBe(cash_session_id)
    const { cash_session } = await seen()
    expect(methodOf(cash_session, cash)).toMatchObject({
      sales: '1000.00',
      refunds: '200.00',
      in: '100.00',
      out: '35.50',
      expected: '1364.50',
      count: 2,
      counted: null,
      difference: null,
    })
    expect(methodOf(cash_session, terminal)).toMatchObject({ sales: '500.00', expected: '500.00', count: 1 })
    expect(cash_session.movements).toMatchObject([
      { kind: 'in', reason: 'Cambio' },
      { kind: 'out', amount: '35.50' },
    ])
    expect((await s.as(owner).studioSales.invoices({ cash_session_id })).sum?.charged).toBe('1500.00')
    expect((await s.as(owner).studioSales.refunds({ cash_session_id })).sum?.refunded).toBe('200.00')
    const blind = await s.as(who).cashSessions.one({ cash_session_id })
    expect(blind.cash_session.ways.map((option) => [option.sales, option.expected, option.count])).toEqual([
      [null, null, null],
      [null, null, null],
    ])
    await s.having({ cash_blind_count: false }, async () => {
      expect(methodOf((await s.as(who).cashSessions.one({ cash_session_id })).cash_session, cash)?.expected).toBe('1364.50')
    })
  })

  test('cash for a place or an order requires an open session, where the studio wants so; a terminal does not', async () => {
    const reception = await s.make.staff('reception')
    const { location_id } = await s.make.location()
    const cls = await s.make.class({ location_id })
    const { class_reservation } = await s.as(reception, randomUUID()).attendance.reserve({
      customer_id: (await s.make.customer()).customer_id,
      single_class_id: cls.single_class_id,
      is_cash: true,
    })
    const { class_reservation_id } = class_reservation
    const pay = (payment_method_id = cash) => s.as(reception).attendance.paid({ class_reservation_id, payment_method_id, amount: '220' })
    expect(await codeOf(pay())).toBe('CASH_SESSION_REQUIRED')
    await s.having({ cash_session_required: false }, async () => void (await pay()))
    const { cash_session } = await s.as(reception, randomUUID()).cashSessions.open({ location_id, opening: '0' })
    const second = await s.as(reception, randomUUID()).attendance.reserve({
      customer_id: (await s.make.customer()).customer_id,
      single_class_id: cls.single_class_id,
      is_cash: true,
      is_paid: true,
      payment_method_id: cash,
    })
    expect(second.class_reservation).toMatchObject({ is_paid: true })
    const { cash_session_id } = cash_session
    expect((await s.as(owner).studioSales.invoices({ cash_session_id })).invoices).toMatchObject([
      { total_payment: '220.00', cash_session_id },
    ])
  })
})

describe('the count (J4)', () => {
  test('shows the difference by payment method; above the limit it requires a note, and nothing changes afterwards', async () => {
    const { till, who, cash_session_id, sell, seen } = await desk()
    await sell()
    const later = await sell()
    await sell(terminal)
    const count = { cash: { '1000': 1, '200': 2, '20': 2 }, ways: [{ payment_method_id: terminal, counted: '500' }], left_in_drawer: '500' }
    expect(await codeOf(till().close({ cash_session_id, ...count, left_in_drawer: '1440.01' }))).toBe('INVALID_INPUT')
    expect(await codeOf(till().close({ cash_session_id, ...count }))).toBe('CASH_NOTE_REQUIRED')
    const { cash: bills, ways } = count
    expect(await till().compare({ cash_session_id, cash: bills, ways })).toEqual({
      ways: [
        { payment_method_id: cash, name: 'Efectivo', kind: 'cash', expected: '1500.00', counted: '1440.00', difference: '-60.00' },
        {
          payment_method_id: terminal,
          name: 'Terminal bancaria',
          kind: 'terminal',
          expected: '500.00',
          counted: '500.00',
          difference: '0.00',
        },
      ],
      needs_note: true,
    })
    const looked = await s.sql<{ after: unknown }>(`select after from audit where action = 'cash_session.compare' and entity_id = $1`, [
      cash_session_id,
    ])
    expect(looked).toMatchObject([{ after: { counted: [{ expected: 150_000, counted: 144_000 }, {}] } }])
    const { cash_session } = await till().close({ cash_session_id, ...count, note: 'Se pagó el agua' })
    expect(cash_session).toMatchObject({ state: 'closed', left_in_drawer: '500.00', cash: count.cash, note: 'Se pagó el agua' })
    expect(methodOf(cash_session, cash)).toMatchObject({ expected: '1500.00', counted: '1440.00', difference: '-60.00' })
    expect(methodOf(cash_session, terminal)).toMatchObject({ counted: '500.00', difference: '0.00' })
    const closed = await seen()

    expect(await codeOf(till().move({ cash_session_id, kind: 'out', amount: '1', reason: 'Tarde' }))).toBe('CASH_SESSION_CLOSED')
    expect(await codeOf(till().close({ cash_session_id, ...count, note: 'Otra vez' }))).toBe('CASH_SESSION_CLOSED')
    expect(await codeOf(till().compare({ cash_session_id, cash: bills, ways }))).toBe('CASH_SESSION_CLOSED')
    // Money that goes back later leaves from the till that is open then, or from none.
    const none = await s.as(owner).studioSales.refund({ purchase_id: later.purchase_id, reason: 'Prueba', by_hand: true, amount: '10' })
    expect(none.refund.cash_session_id).toBeNull()
    const { location_id } = cash_session.location
    const next = await s.as(who, randomUUID()).cashSessions.open({ location_id, opening: '500' })
    const second = await s.as(owner).studioSales.refund({ purchase_id: later.purchase_id, reason: 'Prueba', by_hand: true, amount: '20' })
    expect(second.refund.cash_session_id).toBe(next.cash_session.cash_session_id)
    expect(await seen()).toEqual(closed)
  })

  test('a difference within the limit needs no note; an approved count is final, a closed one can be reopened with a reason', async () => {
    const { till, cash_session_id, seen } = await desk('100')
    const review = s.as(owner).cashSessions
    expect(await codeOf(review.approve({ cash_session_id }))).toBe('CASH_SESSION_NOT_CLOSED')
    await till().close({ cash_session_id, cash: { '50': 1 }, left_in_drawer: '0' })
    const reopening = s.as(owner, randomUUID()).cashSessions
    const reopened = await reopening.reopen({ cash_session_id, reason: 'Faltó un billete' })
    expect(await reopening.reopen({ cash_session_id, reason: 'Faltó un billete' })).toEqual(reopened)
    expect((await seen()).cash_session).toMatchObject({ state: 'open', note: null, cash: null, reopen_reason: 'Faltó un billete' })
    await till().close({ cash_session_id, cash: { '100': 1 }, left_in_drawer: '0' })
    const approved = await review.approve({ cash_session_id, note: 'Bien' })
    expect(approved.cash_session).toMatchObject({ state: 'approved', approval_note: 'Bien', ways: [{ difference: '0.00' }] })
    expect(await review.approve({ cash_session_id, note: 'Otra' })).toEqual(approved)
    expect(await codeOf(review.reopen({ cash_session_id, reason: 'No se puede' }))).toBe('CASH_SESSION_CLOSED')
  })

  test('a session is not reopened when it would be the second open one', async () => {
    const { till, location_id, cash_session_id } = await desk('0')
    await till().close({ cash_session_id, cash: {}, left_in_drawer: '0' })
    await till().open({ location_id, opening: '0' })
    expect(await codeOf(s.as(owner).cashSessions.reopen({ cash_session_id, reason: 'Tarde' }))).toBe('CASH_SESSION_OPEN')
  })

  test('invalid counts are refused with the field', async () => {
    const { till, cash_session_id } = await desk('0')
    const close = (more: object) => refusalOf(till().close({ cash_session_id, cash: {}, left_in_drawer: '0', ...more }))
    expect(await close({ cash: { '300': 1 } })).toMatchObject({ code: 'INVALID_INPUT' })
    expect(await close({ cash: { '50': -1 } })).toMatchObject({ code: 'INVALID_INPUT' })
    expect(await close({ ways: [{ payment_method_id: cash, counted: '0' }] })).toMatchObject({
      code: 'INVALID_INPUT',
      data: { field: 'ways' },
    })
    expect(await close({ ways: [{ payment_method_id: 2_000_000_000, counted: '0' }] })).toMatchObject({ code: 'INVALID_INPUT' })
  })
})

test('the database refuses changes of a closed session', async () => {
  const { till, cash_session_id, sell } = await desk('0')
  const { purchase_id } = await sell()
  await till().close({ cash_session_id, cash: { '500': 1 }, left_in_drawer: '0' })
  const write = (text: string) =>
    s.sql(text).then(
      () => 'written',
      (error: { cause?: Error } & Error) => String(error.cause ?? error),
    )
  for (const text of [
    `update invoice set total_centavos = 1, net_centavos = 1, tax_centavos = 0 where purchase_id = ${purchase_id}`,
    `update invoice set cash_session_id = null where purchase_id = ${purchase_id}`,
    `delete from invoice where purchase_id = ${purchase_id}`,
    `insert into cash_movement (cash_session_id, kind, amount_centavos, reason, staff_id, "createdAt") select ${cash_session_id}, 'in', 1, 'x', staff_id, now() from cash_session where cash_session_id = ${cash_session_id}`,
    `update cash_session set opening_centavos = 5 where cash_session_id = ${cash_session_id}`,
    `update cash_session set "closedAt" = null, counted = null, cash_count = null, left_centavos = null, closed_by = null where cash_session_id = ${cash_session_id}`,
    `delete from cash_session where cash_session_id = ${cash_session_id}`,
  ])
    expect(await write(text), text).toContain('is closed')
  // What happens to a charge later is about the charge, not about the till.
  expect(await write(`update invoice set status = 'disputed' where purchase_id = ${purchase_id}`)).toBe('written')
})

test('the corte of a counted till is a PDF with its sums, refused while it is open and not found for others (J7)', async () => {
  const { who, till, cash_session_id, sell } = await desk('500')
  await sell()
  await sell(terminal)
  expect(await codeOf(s.as(who).cashSessions.pdf({ cash_session_id }))).toBe('CASH_SESSION_NOT_CLOSED')
  await till().close({
    cash_session_id,
    cash: { '500': 1, '200': 2, '50': 1 },
    left_in_drawer: '500',
    note: 'Faltó un billete de cincuenta',
    ways: [{ payment_method_id: terminal, counted: '500' }],
  })
  const file = await s.as(who).cashSessions.pdf({ cash_session_id })
  expect([file.type, file.name]).toEqual(['application/pdf', `corte-${String(cash_session_id).padStart(6, '0')}.pdf`])
  const bytes = new Uint8Array(await file.arrayBuffer())
  const printed = pdfText(bytes)
  for (const text of [
    'Corte de caja',
    'Ventas (1)',
    'Esperado',
    '$1,000.00',
    'Contado',
    '$950.00',
    'Diferencia',
    '-$50.00',
    'Terminal bancaria',
    'Billetes y monedas',
    'Se queda',
    '$500.00',
    'Se retira',
    '$450.00',
    'Cobrado',
    '$1,000.00 MXN',
    'Faltó un billete de cincuenta',
  ])
    expect(printed).toContain(text)
  expect(new Uint8Array(await (await s.as(owner).cashSessions.pdf({ cash_session_id })).arrayBuffer())).toEqual(bytes)
  expect(await codeOf(s.as(await s.make.staff('reception')).cashSessions.pdf({ cash_session_id }))).toBe('NOT_FOUND')
})
