/** A studio of two locations with one record of each kind at both, for tests of staff who work at one of them. */
import { randomUUID } from 'node:crypto'
import { type Person, studio, type TestStudio } from './studio.ts'
import { doJobs } from './work.ts'

/** A word in every text of a record of the other location. */
export const MARK = 'Zurumbático'
/** Values by the name of the field that takes them. */
export type Ids = Record<string, (number | string)[]>

const key = () => randomUUID()

/** One record of each kind that belongs to a location, with a word in its texts. */
async function fill(s: TestStudio, owner: Person, { location_id, prefix }: { location_id: number; prefix: string }): Promise<Ids> {
  const ids: Ids = { location_id: [location_id] }
  const addIds = (name: string, ...values: (number | string | null | undefined)[]) => {
    ids[name] = [...(ids[name] ?? []), ...values.filter((value): value is number => value != null)]
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
      description: `${prefix} clase`,
      ...more,
    })
  const ana = await s.make.buyer()
  const soon = await cls(3)
  const { class_reservation } = await s
    .as(ana, key())
    .bookings.reserve({ single_class_id: soon.single_class_id, guest: `${prefix} invitada` })
  addIds('class_reservation_id', class_reservation.class_reservation_id)
  const full = await cls(30, { capacity: 1 })
  await s.as(await s.make.buyer(), key()).bookings.reserve({ single_class_id: full.single_class_id })
  const { waitlist } = await s.as(await s.make.buyer(), key()).waitlist.join({ single_class_id: full.single_class_id })
  addIds('waitlist_id', waitlist.waitlist_id)
  const past = await cls(-30)
  const beto = await s.make.customer()
  const [been] = await s.sql<{ id: number }>(
    `insert into class_reservation (single_class_id, customer_id, attend, class_stars, coach_stars, comment, "createdAt", "updatedAt")
     values ($1, $2, true, 1, 1, $3, now(), now()) returning class_reservation_id as id`,
    [past.single_class_id, beto.customer_id, `${prefix} comentario`],
  )
  addIds('class_reservation_id', been?.id)
  const cancelled = await cls(60)
  await boss().studioSchedule.change({
    changes: [{ op: 'cancel', scope: 'one', single_class_id: cancelled.single_class_id, reason: `${prefix} cancelada` }],
    as: 'publish',
  })
  addIds('single_class_id', soon.single_class_id, full.single_class_id, past.single_class_id, cancelled.single_class_id)
  const { room } = await boss().rooms.create({ location_id, name: `${prefix} sala`, capacity: 8 })
  addIds('room_id', room.room_id)
  const { template } = await boss().scheduleTemplates.create({
    name: `${prefix} plantilla`,
    from_week: '2026-11-19',
    location_ids: [location_id],
  })
  addIds('schedule_template_id', template.schedule_template_id)
  const holiday = await boss().holidays.add({
    holidays: [{ name: `${prefix} puente`, from: '2026-12-24', to: '2026-12-24', location_ids: [location_id] }],
  })
  addIds('holiday_id', holiday.holidays[0]?.holiday_id)

  // The counter.
  const cash = (await s.make.paymentMethod({ name: `Efectivo ${location_id}`, kind: 'cash' })).payment_method_id
  const transfer = (await s.make.paymentMethod({ name: `Transferencia ${location_id}`, kind: 'transfer' })).payment_method_id
  const { cash_session } = await boss().cashSessions.open({ location_id, opening: '100' })
  addIds('cash_session_id', cash_session.cash_session_id)
  await boss().cashSessions.move({ cash_session_id: cash_session.cash_session_id, kind: 'out', amount: '10', reason: `${prefix} salida` })
  const sell = (lines: object[], total: string, more: object = {}) =>
    boss().counterSales.sell({
      customer_id: ana.customer_id,
      location_id,
      lines,
      shown: { total },
      note: `${prefix} nota`,
      payments: [{ payment_method_id: cash, amount: total }],
      ...more,
    } as never)
  const water = await sell([{ kind: 'other', title: `${prefix} agua`, amount: '25' }], '25')
  const debt = await sell([{ kind: 'other', title: `${prefix} toalla`, amount: '90' }], '90', {
    payments: [],
    owe: { until: '2099-01-01', reason: `${prefix} luego` },
  })
  const sent = await sell([{ kind: 'other', title: `${prefix} liga`, amount: '40' }], '40', {
    payments: [{ payment_method_id: transfer, amount: '40', reference: `${prefix} ref` }],
  })
  const card = await sell([{ kind: 'gift_card', amount: '300' }], '300')
  addIds('gift_card_id', card.sale.lines[0]?.gift_card?.gift_card_id)
  const { class_package_id } = await s.make.package({ price_centavos: 50_000 })
  const classPackage = await sell([{ kind: 'package', class_package_id }], '500')
  for (const sale of [water, debt, sent, card, classPackage]) {
    addIds('sale_id', sale.sale.sale_id)
    addIds('purchase_id', ...sale.purchases.map(({ purchase_id }) => purchase_id))
    addIds('invoice_id', ...sale.sale.payments.flatMap(({ invoice_ids }) => invoice_ids))
  }
  const { refund } = await boss().studioSales.refund({
    purchase_id: water.purchases[0]?.purchase_id ?? 0,
    by_hand: true,
    payment_method_id: cash,
    reason: `${prefix} devuelta`,
  })
  addIds('refund_id', refund.refund_id)
  const order = await boss().counterOrders.open({
    customer_id: beto.customer_id,
    location_id,
    lines: [{ kind: 'package', class_package_id }],
    shown: { total: '500' },
  })
  addIds('purchase_id', order.purchase.purchase_id)
  const { product } = await boss().products.create({
    name: `Agua ${location_id}`,
    price: '25',
    stock: [{ location_id, quantity: prefix === MARK ? 7_777 : 3 }],
  })
  addIds('product_id', product.product_id)
  const [discrepancy] = await s.sql<{ id: number }>(
    `insert into money_difference (kind, gateway, about, details, purchase_id, "foundAt") values ('amount_differs', 'sandbox', $1, '{"amount": 100}', $2, now())
     returning money_difference_id as id`,
    [`${prefix} pago`, classPackage.purchases[0]?.purchase_id],
  )
  addIds('money_difference_id', discrepancy?.id)
  const { broadcast } = await boss().broadcasts.create({
    audience: { single_class_id: soon.single_class_id },
    channels: ['app'],
    subject: `${prefix} aviso`,
    text: `${prefix} texto`,
  })
  addIds('broadcast_id', broadcast?.broadcast_id)
  const { substitutions } = await boss().substitutions.open({ single_class_ids: [full.single_class_id], reason: `${prefix} suplencia` })
  addIds('substitution_id', substitutions[0]?.substitution_id)
  ids.customer_id = [ana.customer_id, beto.customer_id]
  ids.instructor_id = [trainer.instructor_id]
  ids.class_type_id = [class_type_id]
  ids.class_package_id = [class_package_id]
  return ids
}

export interface TwoLocations {
  s: TestStudio
  owner: Person
  locations: { norte: number; sur: number }
  /** Of the other location, `sur`. */
  there: Ids
  /** A person with the rights of an owner who works at `norte` only: refusals are then because of the location. */
  boss: Person
}

export async function twoLocations(): Promise<TwoLocations> {
  const s = await studio({
    settings: {
      allow_class_guests: true,
      waitlist_enabled: true,
      discounts_enabled: true,
      cash_session_required: false,
      pos_refund_max: '1000',
    },
  })
  const owner = await s.make.staff('owner')
  const locations = { norte: (await s.make.location()).location_id, sur: (await s.make.location()).location_id }
  await fill(s, owner, { location_id: locations.norte, prefix: 'Normal' })
  const there = await fill(s, owner, { location_id: locations.sur, prefix: MARK })
  await doJobs(s)
  const boss = await s.make.staff('owner')
  await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [boss.uid, locations.norte])
  return { s, owner, locations, there, boss }
}
