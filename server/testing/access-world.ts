/**
 * The studio of the authorisation matrix: accounts of every role, and one record of each kind that endpoints take. `mine` owns the records;
 * `other` is another customer, for whom they do not exist.
 */
import { randomUUID } from 'node:crypto'
import { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { newCardLink } from '#server/modules/sales/aftersales/card-links.ts'
import type { Client, Person, TestStudio } from './studio.ts'
import { studio } from './studio.ts'

export const roles = ['visitor', 'account', 'other', 'mine', 'coach', 'reception', 'manager', 'owner'] as const
export type Role = (typeof roles)[number]

export interface World {
  on: TestStudio
  people: Record<Exclude<Role, 'visitor'>, Person>
  as(role: Role): Client
  /** A number that appears nowhere else, for unique names. */
  unique(): number
  /** Row counts and last changes of all tables: equal results mean that nothing was written in between. */
  everything(): Promise<unknown>
  close(): Promise<void>
}

/** Tables that are ignored: rate limits and records of sign-ins. */
const IDLE = ['throttle', 'idempotency', 'identity_session', 'identity_account']

export async function openWorld(): Promise<World> {
  const on = await studio({
    settings: {
      allow_class_guests: true,
      waitlist_enabled: true,
      cash_checkout_enabled: true,
      cash_session_required: false,
      discounts_enabled: true,
      paypal_enabled: true,
      unlimited_membership_penalties_enabled: true,
      videos_enabled: true,
    },
  })
  // Holds the sandbox's webhook events, which would write while another call is being checked.
  const bank = on.studio.ports.gateways.get('sandbox')
  if (bank instanceof Sandbox) bank.held = true
  const trainer = await on.make.instructor()
  const people = {
    account: await on.make.account(),
    other: await on.make.customer(),
    mine: await on.make.customer(),
    coach: await on.make.staff('coach', { instructor_id: trainer.instructor_id }),
    reception: await on.make.staff('reception'),
    manager: await on.make.staff('manager'),
    owner: await on.make.staff('owner'),
  }
  const names = await on.sql<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' and not table_name = any($1) order by 1`,
    [IDLE],
  )
  const question = names
    .map(({ name }) => `select '${name}' as name, count(*)::int as n, coalesce(max(xmin::text::bigint), 0) as last from ${name}`)
    .join(' union all ')
  let count = 100
  return {
    on,
    people,
    as: (role) => on.as(role === 'visitor' ? null : people[role]),
    unique: () => ++count,
    everything: () => on.sql(question),
    close: () => on.close(),
  }
}

export const NOWHERE = 2_000_000_000

export const aClass = async (w: World, more: object = {}) => {
  const [coach] = await w.on.sql<{ instructor_id: number }>('select instructor_id from staff where uid = $1', [w.people.coach.uid])
  // Far apart, so that no two of them overlap.
  const starts_at = new Date(w.on.clock.now().getTime() + (48 + 2 * w.unique()) * 3_600_000)
  return w.on.make.class({ starts_at, ...(coach ? { instructor_id: coach.instructor_id } : {}), ...more })
}
export const aReservation = async (w: World) => {
  await w.on.make.lot(w.people.mine)
  const { single_class_id } = await aClass(w)
  const { class_reservation } = await w.as('mine').bookings.reserve({ single_class_id, guest: 'Invitada' })
  return { class_reservation_id: class_reservation.class_reservation_id }
}
export const aFullClass = async (w: World) => {
  const cls = await aClass(w, { capacity: 1 })
  const filler = await w.on.make.customer()
  await w.on.make.lot(filler)
  await w.on.as(filler).bookings.reserve({ single_class_id: cls.single_class_id })
  return cls
}
export const anEntry = async (w: World) => {
  const { single_class_id } = await aFullClass(w)
  const { waitlist } = await w.as('mine').waitlist.join({ single_class_id })
  return { waitlist_id: waitlist.waitlist_id }
}
/** A staff member of the lowest role. */
export const aColleague = async (w: World) => {
  const { uid } = await w.on.make.staff('coach')
  const [row] = await w.on.sql<{ staff_id: number }>('select staff_id from staff where uid = $1', [uid])
  return { staff_id: row?.staff_id ?? 0 }
}
/** An open invitation. */
export const anInvite = async (w: World) => {
  const answer = await w.as('owner').team.invite({ name: 'Sofía', email: `invitada${w.unique()}@ejemplo.mx`, role: 'coach' })
  return { staff_id: answer.staff_member.staff_id, token: answer.invite_url.split('/').at(-1) ?? '' }
}
/** A staff member with a second factor. */
export const aProvenColleague = async (w: World) => {
  const { uid } = await w.on.make.staff('coach')
  await w.on.sql(
    `insert into identity_second_factor (factor_id, uid, sealed_secret, "enrolledAt", last_step) values (gen_random_uuid(), $1, 'x', now(), 0)`,
    [uid],
  )
  const [row] = await w.on.sql<{ staff_id: number }>('select staff_id from staff where uid = $1', [uid])
  return { staff_id: row?.staff_id ?? 0 }
}
export const aCreditLot = async (w: World) => ({ available_class_id: (await w.on.make.lot(w.people.mine)).available_class_id })
export const aPenalty = async (w: World) => {
  const customer_id = (await w.on.make.customer()).customer_id
  const answer = await w.as('owner').penalties.create({ customer_id, reason: 'Para la prueba' })
  return { class_reservation_penalty_id: answer.class_reservation_penalty.class_reservation_penalty_id }
}
export const aCashPurchase = async (w: World) => {
  const { class_package_id } = await w.on.make.package()
  const [cash] = await w.on.sql<{ payment_method_id: number }>(`select payment_method_id from payment_method where name = 'Efectivo'`)
  const payment_method_id = cash?.payment_method_id ?? (await w.on.make.paymentMethod({ name: 'Efectivo' })).payment_method_id
  const { purchase_id } = await w.as('mine').sales.checkout({ class_package_id, payment_method_id })
  return { purchase_id }
}
export const aCard = async (w: World) => {
  const digits = String(1_000 + w.unique())
  const { payment_source } = await w.as('mine').cards.keep({ token_id: `tok_ok~visa~${digits}~122030~k` })
  return { id: payment_source?.payment_source_id ?? NOWHERE }
}
export const aDiscrepancy = async (w: World) => {
  const [row] = await w.on.sql<{ money_difference_id: number }>(
    `insert into money_difference (kind, gateway, about, details, "foundAt") values ('unknown_object', 'sandbox', $1, '{}', now()) returning money_difference_id`,
    [`pay_${w.unique()}`],
  )
  return { money_difference_id: row?.money_difference_id ?? NOWHERE }
}
/** An order that its customer has not approved yet. */
export const aWalletOrder = async (w: World) => {
  const { class_package_id } = await w.on.make.package()
  const { orderID } = await w.as('mine').checkout.paypal({ class_package_id })
  return { orderID }
}
export const aSubscription = async (w: World) => {
  const { class_package_id } = await w.on.make.package({ is_subscription: true, subscription_period: 'month', subscription_interval: 1 })
  // One customer buys for all rows: their limit of attempts is not what is tested.
  await w.on.sql('delete from throttle')
  const { purchase_id } = await w.as('mine').sales.attempt({ class_package_id, payment_method: 'tok_ok' })
  return { purchase_id }
}
/** A subscription of another system that waits for a card. */
export const aPendingSubscription = async (w: World) => {
  const terms = { is_subscription: true, subscription_period: 'month', subscription_interval: 1, price_centavos: 90_000 } as const
  const { class_package_id } = await w.on.make.package(terms)
  const [row] = await w.on.sql<{ pending_subscription_id: number }>(
    `insert into pending_subscription (customer_id, class_package_id, source, price_centavos, next_charge_on, staff_id, "createdAt")
     values ($1, $2, 'other', 90000, '2030-01-15', (select min(staff_id) from staff), now()) returning pending_subscription_id`,
    [w.people.mine.customer_id, class_package_id],
  )
  return { pending_subscription_id: row?.pending_subscription_id ?? 0 }
}
export const aCardLink = async (w: World) => {
  const { purchase_id } = await aSubscription(w)
  const ctx = w.on.system()
  const path = await ctx.tx((tx) => newCardLink(tx, ctx, purchase_id))
  return { token: path.split('/').at(-1) ?? '' }
}
export const aPaidPurchase = async (w: World) => {
  const { class_package_id } = await w.on.make.package()
  const { purchase_id } = await w.as('mine').sales.attempt({ class_package_id, payment_method: 'tok_ok' })
  return { purchase_id }
}
/** The charge of a paid purchase. */
export const aCharge = async (w: World): Promise<number> => {
  const { purchase_id } = await aPaidPurchase(w)
  const [row] = await w.on.sql<{ invoice_id: number }>('select invoice_id from invoice where purchase_id = $1', [purchase_id])
  return row?.invoice_id ?? 0
}
export const aReceiver = { rfc: 'FUNK671228PH6', name: 'KARLA FUENTE NOLASCO', postal_code: '01160', regime: '612', use: 'G03' } as const
/** A basket of one bottle of water, paid by terminal. */
export const aProduct = async (w: World) => ({
  product_id: (await w.as('owner').products.create({ name: `Agua ${w.unique()}`, price: '25' })).product.product_id,
})
export const aBasket = async (w: World) => ({
  customer_id: w.people.mine.customer_id,
  location_id: (await w.on.make.location()).location_id,
  lines: [{ kind: 'other' as const, title: 'Agua', amount: '25.00' }],
  payments: [{ payment_method_id: (await w.on.make.paymentMethod()).payment_method_id, amount: '25.00' }],
  shown: { total: '25.00' },
})
const sold = async (w: World, more: object) => (await w.as('owner').counterSales.sell({ ...(await aBasket(w)), ...more })).sale
/** A gift card that was sold: its id and code. */
export const aGiftCard = async (w: World) => {
  const sale = await sold(w, { lines: [{ kind: 'gift_card', amount: '25.00' }] })
  const card = sale.lines[0]?.gift_card
  if (!card) throw new Error('The sale has no gift card.')
  return card
}
/** A package that the counter sells by card or by link. */
const anOrderInput = async (w: World) => ({
  customer_id: w.people.mine.customer_id,
  location_id: (await w.on.make.location()).location_id,
  lines: [{ kind: 'package' as const, class_package_id: (await w.on.make.package({ price_centavos: 50_000 })).class_package_id }],
  shown: { total: '500' },
})
export const aCardOrder = async (w: World) => ({ ...(await anOrderInput(w)), payment_source_id: (await aCard(w)).id })
/** An order that waits for its customer: its number and the token of its link. */
export const aLinkOrder = async (w: World) => {
  const { purchase, link } = await w.as('owner').counterOrders.open(await anOrderInput(w))
  return { purchase_id: purchase.purchase_id, token: link?.url.split('/').at(-1) ?? '' }
}
export const aDebt = async (w: World) => ({
  sale_id: (await sold(w, { payments: [], owe: { until: '2099-01-01', reason: 'Paga luego' } })).sale_id ?? 0,
})
export const aTransfer = async (w: World) => {
  const { payment_method_id } = await w.on.make.paymentMethod({ name: `Transferencia ${w.unique()}` })
  const { payments } = await sold(w, { payments: [{ payment_method_id, amount: '25.00' }] })
  return { invoice_id: payments[0]?.invoice_ids[0] ?? 0 }
}
/** A cash session of the calling role at a location of its own, open or closed. */
export const aCashSession = async (w: World, role?: Role, isClosed = false) => {
  const staff_id = (
    await w.on.sql<{ staff_id: number }>('select staff_id from staff where email = $1', [
      w.people[role === 'reception' ? 'reception' : 'owner'].email,
    ])
  )[0]?.staff_id
  const { location_id } = await w.on.make.location()
  const [row] = await w.on.sql<{ id: number }>(
    `insert into cash_session (location_id, staff_id, opening_centavos, "openedAt", "closedAt", closed_by, cash_count, counted, left_centavos)
     values ($1, $2, 0, $3, $4, $5, $6, $7, $8) returning cash_session_id as id`,
    [location_id, staff_id, w.on.clock.now(), ...(isClosed ? [w.on.clock.now(), staff_id, '{}', '[]', 0] : [null, null, null, null, null])],
  )
  return { cash_session_id: row?.id ?? 0 }
}
export const aFile = async (w: World) => ({ file_id: (await w.as('mine').files.upload({ file: pdf() })).file_id })
export const pdf = () => new File(['%PDF-1.4\n'], 'a.pdf')
export const anAddress = async (w: World) => ({
  Address_id: (await w.as('mine').people.addresses.create({ city: 'CDMX', state: 'CDMX', country: 'México' })).address.Address_id,
})
export const aForm = async (w: World) => {
  const { form } = await w
    .as('owner')
    .forms.admin.forms.create({ name: `Ficha ${w.unique()}`, form_fields: [{ key: 'a', label: 'A', type: 'text' }] })
  return { form_id: form.form_id }
}
export const aField = async (w: World) => {
  const answer = await w.as('owner').forms.admin.customFields.create({ object: 'cosa', key: `k${w.unique()}`, type: 'text' })
  return { custom_field_id: answer.custom_field.custom_field_id }
}
export const aCategory = async (w: World) => {
  const answer = await w.as('owner').catalogue.admin.classCategories.create({ name: `Categoría ${w.unique()}` })
  return { class_category_id: answer.class_category.class_category_id }
}
export const aPayRule = async (w: World) => ({
  pay_rule_id: (await w.as('owner').payRules.create({ from_day: '2026-01-01', base: '200' })).pay_rule.pay_rule_id,
})
export const anApiKey = async (w: World) => {
  const [key] = await w.on.sql<{ api_key_id: number }>(
    `insert into api_key (name, rights, staff_id, "createdAt") select 'Contabilidad', '{customers.read}', staff_id, now() from staff where uid = $1 returning api_key_id`,
    [w.people.owner.uid],
  )
  return { api_key_id: key?.api_key_id ?? 0 }
}
export const anImport = async (w: World) => ({ import_id: (await w.as('owner').imports.create({ source: 'other' })).import_id })
const PEOPLE = 'Nombre,Apellidos,Correo'
export const aReadImport = async (w: World) => {
  const { import_id } = await anImport(w)
  const file = new File([`${PEOPLE}\nEva,Soto,eva${w.unique()}@ejemplo.mx`], 'clientes.csv')
  await w.as('owner').imports.file({ import_id, file })
  return { import_id }
}
export const aFinishedImport = async (w: World) => {
  const { import_id } = await anImport(w)
  await w.on.sql(`update import set state = 'done', "finishedAt" = $2 where import_id = $1`, [import_id, w.on.clock.now()])
  return { import_id }
}
export const aFinishedExport = async (w: World) => {
  const key = `privado/${randomUUID().replaceAll('-', '')}.zip`
  await w.on
    .system()
    .ports.files.at('server')
    .put(key, { bytes: new Uint8Array([80, 75]) }, { type: 'application/zip', disposition: 'attachment', cacheControl: 'no-store' })
  const [row] = await w.on.sql<{ studio_export_id: number }>(
    `insert into studio_export (state, with_files, key, place, bytes, "createdAt") values ('done', false, $1, 'server', 2, now()) returning studio_export_id`,
    [key],
  )
  return { studio_export_id: row?.studio_export_id ?? 0 }
}
export const aWebhook = async (w: World) => {
  const [row] = await w.on.sql<{ webhook_endpoint_id: number }>(
    `insert into webhook_endpoint (url, event_types, is_active, "createdAt") values ('https://ejemplo.mx/x', '{customer.created}', false, now()) returning webhook_endpoint_id`,
  )
  return { webhook_endpoint_id: row?.webhook_endpoint_id ?? 0 }
}
export const aWebhookDelivery = async (w: World) => {
  const { webhook_endpoint_id } = await aWebhook(w)
  const [row] = await w.on.sql<{ webhook_delivery_id: number }>(
    `insert into webhook_delivery (webhook_endpoint_id, message_id, type, object, payload) values ($1, 'msg_1', 'customer.created', 'customer:1', '{}') returning webhook_delivery_id`,
    [webhook_endpoint_id],
  )
  return { webhook_delivery_id: row?.webhook_delivery_id ?? 0 }
}
export const aTag = async (w: World) => ({
  tag_id: (await w.as('owner').catalogue.admin.tags.create({ name: `Etiqueta ${w.unique()}` })).tag.tag_id,
})
export const aCustomerTag = async (w: World) => ({
  tag_id: (await w.as('owner').catalogue.admin.tags.create({ name: `Etiqueta ${w.unique()}`, type: 'customer' })).tag.tag_id,
})
export const aSegment = async (w: World) => ({
  segment_id: (await w.as('owner').segments.create({ name: `Segmento ${w.unique()}`, filter: { owes: true } })).segment.segment_id,
})
export const anAutomation = async (w: World) => {
  const input = {
    customer_state: 'at_risk' as const,
    channels: ['app' as const],
    subject: `Asunto ${w.unique()}`,
    text: 'Hola',
    enabled: false,
  }
  return { automation_id: (await w.as('owner').automations.create(input)).automation.automation_id }
}
export const aNote = async (w: World) => {
  const { customer_id } = w.people.mine
  const { note } = await w.as('owner').customerFile.addNote({ customer_id, text: `Nota ${w.unique()}` })
  return { customer_id, customer_note_id: note.customer_note_id }
}
export const anErasure = async (w: World) => {
  const { customer_id } = await w.on.make.customer()
  await w.as('owner').customerErasure.start({ customer_id, reason: 'Lo pidió por correo' })
  return { customer_id }
}
/** Two customers who may be the same person. */
export const twoRecords = async (w: World) => ({
  keep_id: (await w.on.make.customer()).customer_id,
  merge_id: (await w.on.make.customer()).customer_id,
})
const merged = async (w: World) => {
  const records = await twoRecords(w)
  const { customer_merge_id } = await w.as('owner').customerMerge.merge(records)
  return { ...records, customer_merge_id: customer_merge_id ?? 0 }
}
export const aMerge = async (w: World) => ({ customer_merge_id: (await merged(w)).customer_merge_id })
export const aMergedCustomer = async (w: World) => ({ customer_id: (await merged(w)).merge_id })
export const aPaymentMethod = async (w: World) => {
  const name = `Vale ${w.unique()}`
  await w.on.make.paymentMethod({ name: `Relleno ${w.unique()}` })
  return { payment_method_id: (await w.on.make.paymentMethod({ name })).payment_method_id }
}
export const anAnnouncement = async (w: World) => {
  const answer = await w.as('owner').content.admin.announcements.create({ title: 'Aviso', content: '<p>Hola</p>' })
  return { announcement_id: answer.announcement.announcement_id }
}
export const aVideo = async (w: World) => ({ video_id: (await w.on.make.video()).video_id })
/** A video that the role can watch: customers with an online membership, and staff. */
export const anOpenVideo = async (w: World, role?: Role) => {
  if (role === 'mine' || role === 'other') await w.on.make.lot(w.people[role], { is_online: true, unlimited: true })
  return aVideo(w)
}
export const aVideoType = async (w: World) => {
  const { video_type } = await w.as('owner').videos.admin.videoTypes.create({ name: `Tipo ${w.unique()}` })
  return { video_type_id: video_type.video_type_id }
}
export const aProgram = async (w: World) => {
  const { program } = await w.as('owner').videos.admin.programs.create({ name: `Programa ${w.unique()}` })
  return { program_id: program.program_id }
}
export const aVideoTag = async (w: World) => {
  const answer = await w.as('owner').catalogue.admin.tags.create({ name: `De video ${w.unique()}`, type: 'video' })
  return { tag: String(answer.tag.tag_id) }
}
/** The test customer of the first steps. */
export const aTestCustomer = async (w: World) => {
  const email = `prueba${w.unique()}@ejemplo.mx`
  const { customer_id } = await w.as('owner').people.create({ name: 'Persona', last_name: 'de prueba', email })
  await w.as('owner').onboarding.update({ key: 'legal', examples: [{ entity: 'customer', entity_id: customer_id }] })
  return { customer_id }
}
export const aPage = async (w: World) => ({ page_id: (await w.on.make.page()).page_id })
export const aPackage = async (w: World, more: Parameters<World['on']['make']['package']>[0] = {}) => ({
  class_package_id: (await w.on.make.package(more)).class_package_id,
})
export const aSeries = async (w: World) => {
  const { series } = await w.as('owner').discounts.createSeries({ prefix: `SERIE${w.unique()}`, count: 2, amount: '10', is_percent: true })
  return { series, available: false }
}
export const aDiscount = async (w: World) => {
  const { discount_id, code } = await w.on.make.discount()
  return { discount_id, code }
}
export const aCustomer = async (w: World) => ({ customer_id: (await w.on.make.customer()).customer_id })
export const named = (w: World) => ({ name: `Nombre ${w.unique()}` })
