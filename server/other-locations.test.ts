/**
 * Staff of one location read nothing of another (docs/domain.md E4, E14, Y4, L1, N1, RE1): every reading of the administration is called with the ids and days of a location
 * where the caller does not work, and no word and no number of its records is in an answer.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeOf, type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { bearer } from '#server/testing/target.ts'
import { type Declared, endpoints, send } from '#server/testing/wire.ts'
import { doJobs } from '#server/testing/work.ts'

/** A word in every text of a record of the other location. */
const MARK = 'Zurumbático'
let s: TestStudio
let owner: Person
let locations: { norte: number; sur: number }
/** Of the other location: values by the name of the field that takes them. */
let there: Ids
type Ids = Record<string, (number | string)[]>

const key = () => randomUUID()

/** One record of each kind that belongs to a location, with a word in its texts. */
async function fill(location_id: number, word: string): Promise<Ids> {
  const ids: Ids = { location_id: [location_id] }
  const keep = (name: string, ...values: (number | string | null | undefined)[]) => {
    ids[name] = [...(ids[name] ?? []), ...values.filter((one): one is number => one != null)]
  }
  const boss = () => s.as(owner, key())
  const trainer = await s.make.instructor()
  const { class_type_id } = await s.make.classType()
  const hours = (n: number) => new Date(s.clock.now().getTime() + n * 3_600_000)
  const cls = (n: number, more: object = {}) =>
    s.make.class({
      location_id,
      class_type_id,
      instructor_id: trainer.instructor_id,
      starts_at: hours(n),
      description: `${word} clase`,
      ...more,
    })
  const ana = await s.make.buyer()
  const soon = await cls(3)
  const { class_reservation } = await s
    .as(ana, key())
    .bookings.reserve({ single_class_id: soon.single_class_id, guest: `${word} invitada` })
  keep('class_reservation_id', class_reservation.class_reservation_id)
  const full = await cls(30, { capacity: 1 })
  await s.as(await s.make.buyer(), key()).bookings.reserve({ single_class_id: full.single_class_id })
  const { waitlist } = await s.as(await s.make.buyer(), key()).waitlist.join({ single_class_id: full.single_class_id })
  keep('waitlist_id', waitlist.waitlist_id)
  const past = await cls(-30)
  const beto = await s.make.customer()
  const [been] = await s.sql<{ id: number }>(
    `insert into class_reservation (single_class_id, customer_id, attend, class_stars, coach_stars, comment, "createdAt", "updatedAt")
     values ($1, $2, true, 1, 1, $3, now(), now()) returning class_reservation_id as id`,
    [past.single_class_id, beto.customer_id, `${word} comentario`],
  )
  keep('class_reservation_id', been?.id)
  const cancelled = await cls(60)
  await boss().studioSchedule.change({
    changes: [{ op: 'cancel', scope: 'one', single_class_id: cancelled.single_class_id, reason: `${word} cancelada` }],
    as: 'publish',
  })
  keep('single_class_id', soon.single_class_id, full.single_class_id, past.single_class_id, cancelled.single_class_id)
  const { room } = await boss().rooms.create({ location_id, name: `${word} sala`, capacity: 8 })
  keep('room_id', room.room_id)
  const { template } = await boss().scheduleTemplates.create({
    name: `${word} plantilla`,
    from_week: '2026-11-19',
    location_ids: [location_id],
  })
  keep('schedule_template_id', template.schedule_template_id)
  const holiday = await boss().holidays.add({
    holidays: [{ name: `${word} puente`, from: '2026-12-24', to: '2026-12-24', location_ids: [location_id] }],
  })
  keep('holiday_id', holiday.holidays[0]?.holiday_id)

  // The counter.
  const cash = (await s.make.paymentMethod({ name: `Efectivo ${location_id}`, kind: 'cash' })).payment_method_id
  const transfer = (await s.make.paymentMethod({ name: `Transferencia ${location_id}`, kind: 'transfer' })).payment_method_id
  const { cash_session } = await boss().cashSessions.open({ location_id, opening: '100' })
  keep('cash_session_id', cash_session.cash_session_id)
  await boss().cashSessions.move({ cash_session_id: cash_session.cash_session_id, kind: 'out', amount: '10', reason: `${word} salida` })
  const sell = (lines: object[], total: string, more: object = {}) =>
    boss().counterSales.sell({
      ...{ customer_id: ana.customer_id, location_id, lines, shown: { total }, note: `${word} nota` },
      payments: [{ payment_method_id: cash, amount: total }],
      ...more,
    } as never)
  const water = await sell([{ kind: 'other', title: `${word} agua`, amount: '25' }], '25')
  const debt = await sell([{ kind: 'other', title: `${word} toalla`, amount: '90' }], '90', {
    payments: [],
    owe: { until: '2099-01-01', reason: `${word} luego` },
  })
  const sent = await sell([{ kind: 'other', title: `${word} liga`, amount: '40' }], '40', {
    payments: [{ payment_method_id: transfer, amount: '40', reference: `${word} ref` }],
  })
  const card = await sell([{ kind: 'gift_card', amount: '300' }], '300')
  keep('gift_card_id', card.sale.lines[0]?.gift_card?.gift_card_id)
  const { class_package_id } = await s.make.package({ price_centavos: 50_000 })
  const classPackage = await sell([{ kind: 'package', class_package_id }], '500')
  for (const one of [water, debt, sent, card, classPackage]) {
    keep('sale_id', one.sale.sale_id)
    keep('purchase_id', ...one.purchases.map(({ purchase_id }) => purchase_id))
    keep('invoice_id', ...one.sale.payments.flatMap(({ invoice_ids }) => invoice_ids))
  }
  const { refund } = await boss().studioSales.refund({
    purchase_id: water.purchases[0]?.purchase_id ?? 0,
    by_hand: true,
    payment_method_id: cash,
    reason: `${word} devuelta`,
  })
  keep('refund_id', refund.refund_id)
  const order = await boss().counterOrders.open({
    customer_id: beto.customer_id,
    location_id,
    lines: [{ kind: 'package', class_package_id }],
    shown: { total: '500' },
  })
  keep('purchase_id', order.purchase.purchase_id)
  const { product } = await boss().products.create({
    name: `Agua ${location_id}`,
    price: '25',
    stock: [{ location_id, quantity: word === MARK ? 7_777 : 3 }],
  })
  keep('product_id', product.product_id)
  const [discrepancy] = await s.sql<{ id: number }>(
    `insert into money_difference (kind, gateway, about, details, purchase_id, "foundAt") values ('amount_differs', 'sandbox', $1, '{"amount": 100}', $2, now())
     returning money_difference_id as id`,
    [`${word} pago`, classPackage.purchases[0]?.purchase_id],
  )
  keep('money_difference_id', discrepancy?.id)
  const { broadcast } = await boss().broadcasts.create({
    audience: { single_class_id: soon.single_class_id },
    channels: ['app'],
    subject: `${word} aviso`,
    text: `${word} texto`,
  })
  keep('broadcast_id', broadcast?.broadcast_id)
  const { substitutions } = await boss().substitutions.open({ single_class_ids: [full.single_class_id], reason: `${word} suplencia` })
  keep('substitution_id', substitutions[0]?.substitution_id)
  ids.customer_id = [ana.customer_id, beto.customer_id]
  ids.instructor_id = [trainer.instructor_id]
  ids.class_type_id = [class_type_id]
  ids.class_package_id = [class_package_id]
  return ids
}

beforeAll(async () => {
  s = await studio({
    settings: {
      allow_class_guests: true,
      waitlist_enabled: true,
      discounts_enabled: true,
      cash_session_required: false,
      pos_refund_max: '1000',
    },
  })
  owner = await s.make.staff('owner')
  locations = { norte: (await s.make.location()).location_id, sur: (await s.make.location()).location_id }
  await fill(locations.norte, 'Normal')
  there = await fill(locations.sur, MARK)
  await doJobs(s)
})
afterAll(() => s.close())

/** Everything that may be read of all locations, and why. */
const OF_NO_LOCATION: Record<string, string> = {
  'messages.log': 'messages belong to no location (E4)',
  'messages.outbox': 'mails that were not sent, for who may change code',
  'messageTemplates.samples': 'messages belong to no location (E4)',
  'listExports.messages': 'messages belong to no location (E4)',
  'customerRecords.timeline': 'the titles of messages to the customer (E4)',
  'customerFile.creditMovements': 'credits belong to no location (E4)',
}
/** Fields that name what is of all locations: the class of a movement of credits is in the customer's file. */
const COMMON = new Set(['location_id', 'customer_id', 'instructor_id', 'class_type_id', 'class_package_id', 'product_id'])
/** What a reading needs to be answered. */
const NEEDED: Record<string, [string, string][]> = {
  'fiscal.month': [['month', '2026-11']],
  'holidays.official': [['year', '2026']],
  'studioSchedule.read': [
    ['start_date', '2026-11-16'],
    ['end_date', '2026-12-31'],
  ],
}
const DAYS: [string, string][] = [
  ['from', '2026-11-01'],
  ['to', '2026-12-31'],
]

/** The addresses of a reading: with the other location's ids and word, and with many days. */
function addressesOf(one: Declared, reports: readonly string[]): string[] {
  const names = one.fields.filter((field) => !one.params.includes(field))
  const base: [string, string][] = [
    ...(NEEDED[one.name] ?? []),
    ...(names.includes('format') ? ([['format', 'csv']] as [string, string][]) : []),
  ]
  const days = names.includes('from') && names.includes('to') ? DAYS : []
  const searched: [string, string][] = names.includes('query') ? [['query', MARK]] : []
  const named = names.flatMap((name) => (there[name] ?? []).map((value): [string, string] => [name, String(value)]))
  const queries = [base, [...base, ...days], [...base, ...days, ...searched], ...named.map((each) => [...base, ...days, each])]
  const values = (param: string) => (param === 'key' ? reports : (there[param] ?? [])).map(String)
  const paths = one.params.reduce<string[]>(
    (made, param) => made.flatMap((path) => values(param).map((value) => path.replace(new RegExp(`\\{\\+?${param}\\}`), value))),
    [`/api${one.path}`],
  )
  return [...new Set(paths.flatMap((path) => queries.map((query) => `${path}?${new URLSearchParams(query)}`)))]
}

/** Data of the other location in a response: its marker word, its stock, and its ids under the names of their fields. */
function leaksIn(text: string): string[] {
  const found = [...text.matchAll(new RegExp(`.{0,40}${MARK}.{0,20}`, 'g'))].map(([words]) => words)
  if (text.includes('7777')) found.push('its pieces')
  const collect = (at: unknown, name: string): void => {
    if (Array.isArray(at)) for (const item of at) collect(item, name)
    else if (at && typeof at === 'object') for (const [field, value] of Object.entries(at)) collect(value, field)
    else if (!COMMON.has(name) && there[name]?.includes(at as number)) found.push(`${name} ${at}`)
  }
  if (/^[[{]/.test(text)) collect(JSON.parse(text), '')
  return found
}

// Calls every reading endpoint of the administration, at each of its addresses.
test('no reading of the administration shows staff of one location anything of another', { timeout: 120_000 }, async () => {
  // The rights of an owner: what is hidden is hidden because of the location.
  const boss = await s.make.staff('owner')
  await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [boss.uid, locations.norte])
  const reports = (await s.as(owner).reports.list({})).reports.map(({ key }) => key)
  const isOfTrail = ({ name }: Declared) => name === 'auditLog.list'
  // The audit trail first: otherwise it would contain this caller's exports.
  const readings = endpoints()
    .filter(({ method, access }) => method === 'GET' && access.startsWith('staff'))
    .sort((one, other) => Number(isOfTrail(other)) - Number(isOfTrail(one)))
  const leaks: Record<string, string[]> = {}
  let answered = 0
  for (const one of readings) {
    for (const path of addressesOf(one, reports)) {
      const { status, text } = await send(s.url, { method: 'GET', path, headers: bearer(boss.token) })
      expect(status, path).toBeLessThan(500)
      if (status !== 200) continue
      answered++
      const found = leaksIn(text)
      if (found.length > 0) leaks[one.name] ??= [path, ...found.slice(0, 3)]
    }
  }
  expect(answered).toBeGreaterThan(200)
  for (const name of Object.keys(OF_NO_LOCATION)) delete leaks[name]
  expect(leaks).toEqual({})
})

test('rooms, templates and broadcasts of another location are not changed either', async () => {
  const boss = await s.make.staff('owner')
  await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [boss.uid, locations.norte])
  const id = (name: string) => Number(there[name]?.[0])
  const { rooms, scheduleTemplates, broadcasts } = s.as(boss, randomUUID())
  const before = await s.sql(
    'select (select json_agg(r) from room r)::text as rooms, (select json_agg(b) from broadcast b)::text as broadcasts',
  )
  expect(await codeOf(rooms.create({ location_id: locations.sur, name: 'Otra' }))).toBe('FORBIDDEN')
  expect(await codeOf(rooms.update({ room_id: id('room_id'), name: 'Otra' }))).toBe('FORBIDDEN')
  expect(await codeOf(rooms.remove({ room_id: id('room_id') }))).toBe('FORBIDDEN')
  const schedule_template_id = id('schedule_template_id')
  expect(await codeOf(scheduleTemplates.update({ schedule_template_id, name: 'Otra' }))).toBe('FORBIDDEN')
  expect(await codeOf(scheduleTemplates.apply({ schedule_template_id, to_weeks: ['2026-12-08'] }))).toBe('NOT_FOUND')
  for (const verb of ['pause', 'resume', 'cancel'] as const)
    expect(await codeOf(broadcasts[verb]({ broadcast_id: id('broadcast_id') }))).toBe('NOT_FOUND')
  expect(
    await s.sql('select (select json_agg(r) from room r)::text as rooms, (select json_agg(b) from broadcast b)::text as broadcasts'),
  ).toEqual(before)
})

test('who works at some locations only neither makes, reads nor changes an import, which is of all of them (E14, IM1)', async () => {
  const boss = await s.make.staff('owner')
  await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [boss.uid, locations.norte])
  const { import_id } = await s.as(owner).imports.create({ source: 'mindbody', kind: 'customers' })
  const before = await s.sql('select * from import order by import_id')
  const verbs = endpoints().filter(({ name }) => name.startsWith('imports.'))
  expect(verbs.length).toBeGreaterThan(10)
  const bodies: Record<string, object> = {
    'imports.create': { source: 'mindbody', kind: 'customers' },
    'imports.map': { columns: [] },
    'imports.fix': { values: {} },
  }
  for (const { name, method, path } of verbs) {
    const body = method === 'GET' || method === 'DELETE' || name === 'imports.file' ? {} : { body: JSON.stringify(bodies[name] ?? {}) }
    const answer = await send(s.url, {
      ...{ method, path: `/api${path.replace('{import_id}', String(import_id)).replace('{n}', '1')}`, ...body },
      headers: { ...bearer(boss.token), 'content-type': name === 'imports.file' ? 'multipart/form-data; boundary=x' : 'application/json' },
    })
    expect([name, answer.status, JSON.parse(answer.text).code]).toEqual([name, 403, 'FORBIDDEN'])
  }
  expect(await s.sql('select * from import order by import_id')).toEqual(before)
})
