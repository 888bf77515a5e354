/** What happened to a customer, and the records of their profile, for staff (docs/domain.md X16 to X18). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, type Person, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'

let s: TestStudio
let desk: Person
beforeAll(async () => {
  s = await studio({ settings: { drop_in_price: '220.00', cash_checkout_enabled: true } })
  desk = await s.make.staff('reception', { name: 'Lorena V.' })
})
afterAll(() => s.close())

const records = (by = desk) => s.as(by, randomUUID()).customerRecords
const kindsOf = async ({ customer_id }: Person, kinds?: Parameters<ReturnType<typeof records>['timeline']>[0]['kinds']) =>
  (await records().timeline({ customer_id, ...(kinds ? { kinds } : {}) })).entries

describe('the timeline of a customer (X16)', () => {
  it('lists bookings, cancellations, marks, credits, money, notes and changes, newest first, with who did it', async () => {
    s.clock.set(START)
    const ana = await s.make.customer({ name: 'Ana', last_name: 'Ruiz' })
    await s.make.lot(ana, { title: 'Diez', granted: 10 })
    const cls = await s.make.class({ starts_at: new Date(Date.parse(START) + 86_400_000) })
    const at = { customer_id: ana.customer_id, single_class_id: cls.single_class_id }
    s.clock.advance({ minutes: 1 })
    const { class_reservation } = await s.as(desk, randomUUID()).attendance.reserve(at)
    s.clock.advance({ minutes: 1 })
    await s
      .as(desk)
      .attendance.cancel({ class_reservation_id: class_reservation.class_reservation_id, credit: 'return', reason: 'Se equivocó de día' })
    s.clock.advance({ minutes: 1 })
    const again = await s.as(desk, randomUUID()).attendance.reserve(at)
    s.clock.advance({ minutes: 1 })
    await s.as(desk).customerFile.addNote({ customer_id: ana.customer_id, text: 'Cuida su rodilla' })
    s.clock.advance({ days: 1 })
    await s.as(desk).attendance.mark({ class_reservation_id: again.class_reservation.class_reservation_id, attend: true })
    const entries = (await kindsOf(ana)).filter(({ kind }) => kind !== 'message')
    expect(entries.map(({ kind, who }) => [kind, who])).toEqual([
      ['attended', 'Lorena V.'],
      ['change', 'Lorena V.'],
      ['booked', 'Lorena V.'],
      ['cancelled', 'Lorena V.'],
      ['booked', 'Lorena V.'],
      ['credits', null],
    ])
    expect(entries[0]).toMatchObject({
      title: expect.stringMatching(/^Asistió a .+, vie 20 nov, 10:00$/),
      link: expect.stringMatching(/^\/admin\/reservaciones\/\d+\?ver=detalle$/),
    })
    expect(entries[1]).toMatchObject({ title: 'Escribió una nota sobre Ana Ruiz' })
    expect(entries[3]).toMatchObject({ detail: 'La canceló el equipo' })
    expect(entries[5]).toMatchObject({ title: 'Recibió 10 clases', detail: 'Diez' })
  })

  it('lists purchases, charges and refunds in order, and only the kinds that are named', async () => {
    s.clock.set(START)
    const leo = await s.make.customer()
    const { class_package_id } = await s.make.package({ title: 'Paquete 10', price_centavos: 179_000 })
    const { purchase } = await s
      .as(desk, randomUUID())
      .studioSales.giveAccess({ customer_id: leo.customer_id, class_package_id, is_gift: true })
    await s.sql(
      `with charge as (insert into invoice (purchase_id, customer_id, gateway, provider_payment, period, total_centavos, refunded_centavos, status, tax_rate,
         net_centavos, tax_centavos, "paidAt", "createdAt")
       values ($1, $2, 'sandbox', 'pay_timeline', 'once', 100000, 25000, 'partially_refunded', 1600, 86207, 13793, $3, $3) returning invoice_id)
       insert into refund (purchase_id, invoice_id, amount_centavos, by_hand, reason, state, "doneAt", "createdAt", "updatedAt")
       select $1, invoice_id, 25000, false, 'Se equivocó', 'done', $4, $4, $4 from charge`,
      [purchase.purchase_id, leo.customer_id, new Date(Date.parse(START) + 60_000), new Date(Date.parse(START) + 120_000)],
    )
    expect(await kindsOf(leo, ['purchase', 'charge', 'refund'])).toMatchObject([
      {
        kind: 'refund',
        title: 'Se le devolvieron $250.00',
        detail: 'Paquete 10 · Se equivocó',
        link: `/admin/ventas/${purchase.purchase_id}`,
      },
      { kind: 'charge', title: 'Pagó $1,000.00' },
      { kind: 'purchase', title: 'Recibió de regalo Paquete 10', who: 'Lorena V.' },
    ])
    expect(new Set((await kindsOf(leo, ['booked', 'no_show'])).map(({ kind }) => kind))).toEqual(new Set())
  })

  it('the timeline of a customer is paged, shows nothing of other customers, and of classes only those where the reader works (E4)', async () => {
    s.clock.set(START)
    const [eva, other] = [await s.make.customer(), await s.make.customer()]
    await s.make.lot(eva, { granted: 60 })
    await s.make.lot(other)
    const there = await s.make.location()
    for (let n = 0; n < 27; n++) {
      const cls = await s.make.class({
        starts_at: new Date(Date.parse(START) + (n + 1) * 86_400_000),
        ...(n === 0 ? { location_id: there.location_id } : {}),
      })
      await s.sql(`insert into class_reservation (single_class_id, customer_id, "createdAt", "updatedAt") values ($1, $2, $3, $3)`, [
        cls.single_class_id,
        eva.customer_id,
        new Date(Date.parse(START) + n * 1_000),
      ])
    }
    const input = { customer_id: eva.customer_id, kinds: ['booked' as const] }
    const first = await records().timeline(input)
    const second = await records().timeline({ ...input, page: 2 })
    expect([first.entries.length, first.has_more, second.entries.length, second.has_more]).toEqual([25, true, 2, false])
    expect(new Set([...first.entries, ...second.entries].map(({ at }) => at)).size).toBe(27)
    const local = await s.make.staff('reception')
    await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [local.uid, there.location_id])
    expect((await records(local).timeline(input)).entries).toHaveLength(1)
    expect(await codeOf(records().timeline({ customer_id: 2_000_000 }))).toBe('NOT_FOUND')
  })
})

describe('the records of a profile (X17)', () => {
  it('lists documents with their version, cards without their numbers, addresses and waitlists', async () => {
    s.clock.set(START)
    const ana = await s.make.customer()
    const page = await s.make.page({ title: 'Aviso de privacidad', required: true, content: '<p>Uno</p>' })
    await s.sql('insert into accepted_page (customer_id, page_id, version) values ($1, $2, $3)', [
      ana.customer_id,
      page.page_id,
      page.version,
    ])
    expect(await records().acceptedPages({ customer_id: ana.customer_id })).toMatchObject({
      accepted_pages: [{ title: 'Aviso de privacidad', is_current: true }],
      pending: [],
    })
    await s.sql('update page set version = version + 1 where page_id = $1', [page.page_id])
    expect(await records().acceptedPages({ customer_id: ana.customer_id })).toMatchObject({
      accepted_pages: [{ is_current: false }],
      pending: [{ page_id: page.page_id, slug: page.slug }],
    })
    // They read it again on the tablet of the front desk, in the text of today.
    const { version } = (await s.as(ana).content.page({ slug: page.slug })).page
    const accept = (more: object) =>
      s.as(desk).customerRecords.acceptPage({ customer_id: ana.customer_id, page_id: page.page_id, version, ...more })
    expect(await codeOf(accept({ version: version - 1 }))).toBe('DOCUMENT_CHANGED')
    expect(await codeOf(accept({ page_id: 9_999_999 }))).toBe('NOT_FOUND')
    expect(
      await codeOf(
        accept({
          signature: {
            name: 'Ana Ríos',
            strokes: [
              [
                [601, 0],
                [0, 0],
              ],
            ],
          },
        }),
      ),
    ).toBe('INVALID_INPUT')
    expect(await codeOf(accept({ signature: { name: 'A' } }))).toBe('INVALID_INPUT')
    const long = Array.from({ length: 4_001 }, (_, at) => [at % 600, 10])
    expect(await codeOf(accept({ signature: { name: 'Ana Ríos', strokes: [long] } }))).toBe('INVALID_INPUT')
    const signature = {
      name: 'Ana Ríos',
      strokes: [
        [
          [10, 20],
          [30, 40],
          [600, 200],
        ],
      ],
    }
    expect(await accept({ signature })).toMatchObject({
      pending: [],
      accepted_pages: expect.arrayContaining([
        expect.objectContaining({ version, is_current: true, signature: { ...signature, staff: expect.any(String) } }),
        expect.objectContaining({ is_current: false, signature: null }),
      ]),
    })
    // A repetition keeps the first signature.
    const again = await accept({ signature: { name: 'Otra persona' } })
    expect(again.accepted_pages.find((acceptedPage) => acceptedPage.is_current)?.signature?.name).toBe('Ana Ríos')
    const trail = await s.sql<{ after: { version: number } }>(
      `select after from audit where action = 'document.accept' and entity_id = $1`,
      [String(ana.customer_id)],
    )
    expect(trail).toMatchObject([{ after: { version } }])
    await s.sql('update page set required = false where page_id = $1', [page.page_id])
    await s.sql(
      `insert into payment_source (customer_id, gateway, provider_card, card_type, last_digits, exp, "createdAt", "deletedAt")
       values ($1, 'sandbox', 'card_a', 'Visa', '4242', '12/29', now(), null), ($1, 'sandbox', 'card_b', 'Mastercard', '9034', null, now(), now())`,
      [ana.customer_id],
    )
    const { payment_sources } = await records().paymentSources({ customer_id: ana.customer_id })
    expect(payment_sources).toEqual([expect.objectContaining({ card_type: 'Visa', last_digits: '4242', exp: '12/29', subscriptions: 0 })])
    await s.as(ana).people.addresses.create({ city: 'CDMX', state: 'CDMX', country: 'México' })
    expect((await records().addresses({ customer_id: ana.customer_id })).addresses).toMatchObject([{ city: 'CDMX' }])
    const cls = await s.make.class({ starts_at: new Date(Date.parse(START) + 86_400_000) })
    const before = await s.make.customer()
    for (const [n, customer] of [before, ana].entries())
      await s.sql(`insert into waitlist (single_class_id, customer_id, "createdAt", "updatedAt") values ($1, $2, $3, $3)`, [
        cls.single_class_id,
        customer.customer_id,
        new Date(Date.parse(START) + n * 1_000),
      ])
    expect((await records().waitlists({ customer_id: ana.customer_id })).waitlists).toMatchObject([{ status: 'waiting', position: 2 }])
  })

  it('records what a customer said about messages, with where they said it (M2)', async () => {
    const ana = await s.make.customer({ phone: '5555123456' })
    const input = { customer_id: ana.customer_id, whatsapp: true, source: 'En recepción' }
    const { preferences } = await records().setMessagePreferences(input)
    expect(preferences).toMatchObject({ whatsapp: { allowed: true }, mail: null, phone: '+525555123456' })
    expect((await s.as(ana).messages.preferences()).preferences).toEqual(preferences)
    const owner = await s.make.staff('owner')
    const [entry] = (await s.as(owner).auditLog.list({ customer_id: ana.customer_id })).entries
    expect(entry).toMatchObject({ action: 'consent.change', reason: 'En recepción' })
  })
})

describe('the invitation to create an account (X18)', () => {
  it('the invitation to create an account is mailed to a customer without an account, once per key; others get the link for a new password', async () => {
    const { customer_id } = await s
      .as(desk)
      .people.create({ name: 'Nora', last_name: 'Paz', email: `nora.${randomUUID().slice(0, 8)}@ejemplo.mx` })
    const key = randomUUID()
    for (let n = 0; n < 2; n++) expect(await s.as(desk, key).customerRecords.invite({ customer_id })).toEqual({ sent: 'invitation' })
    await doJobs(s)
    const { messages } = await s.as(desk).messages.log({ customer_id })
    expect(messages).toMatchObject([{ event: 'account_invite', channel: 'mail', status: 'sent' }])
    const withAccount = await s.make.customer()
    expect(await records().invite({ customer_id: withAccount.customer_id })).toEqual({ sent: 'password' })
    const bare = await s.as(desk).people.create({ name: 'Sin', last_name: 'Correo', phone: '5544332211' })
    expect(await codeOf(records().invite(bare))).toBe('CUSTOMER_WITHOUT_EMAIL')
  })
})

it('proposes the next class of a habit that has a free spot (X4)', async () => {
  s.clock.set(START)
  const ana = await s.make.customer()
  const location = await s.make.location({ name: 'Del hábito' })
  const visit = async (days: number) => {
    const cls = await s.make.class({
      starts_at: new Date(Date.parse(START) + days * 86_400_000),
      location_id: location.location_id,
      capacity: 5,
    })
    if (days < 0) {
      await s.sql(`update single_class set "settledAt" = now() where single_class_id = $1`, [cls.single_class_id])
      await s.sql(
        `insert into class_reservation (single_class_id, customer_id, attend, "createdAt", "updatedAt") values ($1, $2, true, now(), now())`,
        [cls.single_class_id, ana.customer_id],
      )
    }
    return cls
  }
  for (const days of [-21, -14, -7]) await visit(days)
  const nextOf = async () => (await s.as(desk).customerFile.one({ customer_id: ana.customer_id })).habits?.next
  expect(await nextOf()).toBeNull()
  const cls = await visit(7)
  expect(await nextOf()).toMatchObject({ single_class_id: cls.single_class_id, places_left: 5, class_date: '2026-11-26T10:00:00.000Z' })
  await s.sql(`insert into class_reservation (single_class_id, customer_id, "createdAt", "updatedAt") values ($1, $2, now(), now())`, [
    cls.single_class_id,
    ana.customer_id,
  ])
  expect(await nextOf()).toBeNull()
})
