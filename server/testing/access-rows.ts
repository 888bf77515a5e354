/**
 * The rows of the authorisation matrix: what each endpoint is given, and who gets what beyond what its declared access already says.
 * A new endpoint needs a row here. `mine` owns what the row makes; `other` is another customer, for whom it does not exist.
 */
import { randomUUID } from 'node:crypto'
import { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { newCardLink } from '#server/modules/sales/card-links.ts'
import type { Client, Person, TestStudio } from './studio.ts'
import { studio } from './studio.ts'

export const roles = ['visitor', 'account', 'other', 'mine', 'coach', 'reception', 'owner'] as const
export type Role = (typeof roles)[number]

export interface World {
  on: TestStudio
  people: Record<Exclude<Role, 'visitor'>, Person>
  as(role: Role): Client
  /** A number that appears nowhere else: for names that have to be unique. */
  unique(): number
  /** How much stands in every table and when it last changed: two that are equal mean that nothing was written between. */
  everything(): Promise<unknown>
  close(): Promise<void>
}

/** Who gets something else than the declaration promises: a code of a refusal, or 'ok'. `ok`: for everybody whom the door lets in. */
export type Row = Partial<Record<Role | 'ok', string>> & {
  /** What the call is given, made fresh for each: `role` is who will ask, nobody where everybody is turned away. */
  input?: (w: World, role?: Role) => unknown
}

/** What limits count and what only says that somebody was there. */
const IDLE = ['throttle', 'idempotency', 'identity_session', 'identity_throttle', 'identity_account']

export async function openWorld(): Promise<World> {
  const on = await studio({
    settings: {
      allow_class_guests: true,
      waitlist_enabled: true,
      cash_checkout_enabled: true,
      discounts_enabled: true,
      paypal_enabled: true,
      unlimited_membership_penalties_enabled: true,
      videos_enabled: true,
    },
  })
  // Its notices would write something while somebody else is being turned away.
  const bank = on.studio.ports.gateways.get('sandbox')
  if (bank instanceof Sandbox) bank.held = true
  const trainer = await on.make.instructor()
  const people = {
    account: await on.make.account(),
    other: await on.make.customer(),
    mine: await on.make.customer(),
    coach: await on.make.staff('coach', { instructor_id: trainer.instructor_id }),
    reception: await on.make.staff('reception'),
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

const NOWHERE = 2_000_000_000

const aClass = async (w: World, more: object = {}) => {
  const [coach] = await w.on.sql<{ instructor_id: number }>('select instructor_id from staff where uid = $1', [w.people.coach.uid])
  // Far apart, so that nobody has two at the same time.
  const starts_at = new Date(w.on.clock.now().getTime() + (48 + 2 * w.unique()) * 3_600_000)
  return w.on.make.class({ starts_at, ...(coach ? { instructor_id: coach.instructor_id } : {}), ...more })
}
const aPlace = async (w: World) => {
  await w.on.make.lot(w.people.mine)
  const { single_class_id } = await aClass(w)
  const { class_reservation } = await w.as('mine').bookings.reserve({ single_class_id, guest: 'Invitada' })
  return { class_reservation_id: class_reservation.class_reservation_id }
}
const aFullClass = async (w: World) => {
  const cls = await aClass(w, { capacity: 1 })
  const filler = await w.on.make.customer()
  await w.on.make.lot(filler)
  await w.on.as(filler).bookings.reserve({ single_class_id: cls.single_class_id })
  return cls
}
const anEntry = async (w: World) => {
  const { single_class_id } = await aFullClass(w)
  const { waitlist } = await w.as('mine').waitlist.join({ single_class_id })
  return { waitlist_id: waitlist.waitlist_id }
}
const aLot = async (w: World) => ({ available_class_id: (await w.on.make.lot(w.people.mine)).available_class_id })
const aPenalty = async (w: World) => {
  const customer_id = (await w.on.make.customer()).customer_id
  const made = await w.as('owner').penalties.create({ customer_id, reason: 'Para la prueba' })
  return { class_reservation_penalty_id: made.class_reservation_penalty.class_reservation_penalty_id }
}
const aCashPurchase = async (w: World) => {
  const { class_package_id } = await w.on.make.package()
  const [cash] = await w.on.sql<{ payment_method_id: number }>(`select payment_method_id from payment_method where name = 'Efectivo'`)
  const payment_method_id = cash?.payment_method_id ?? (await w.on.make.paymentMethod({ name: 'Efectivo' })).payment_method_id
  const { purchase_id } = await w.as('mine').sales.checkout({ class_package_id, payment_method_id })
  return { purchase_id }
}
const aCard = async (w: World) => {
  const digits = String(1_000 + w.unique())
  const { payment_source } = await w.as('mine').cards.keep({ token_id: `tok_ok~visa~${digits}~122030~k` })
  return { id: payment_source?.payment_source_id ?? NOWHERE }
}
const aDifference = async (w: World) => {
  const [row] = await w.on.sql<{ money_difference_id: number }>(
    `insert into money_difference (kind, gateway, about, details, "foundAt") values ('unknown_object', 'sandbox', $1, '{}', now()) returning money_difference_id`,
    [`pay_${w.unique()}`],
  )
  return { money_difference_id: row?.money_difference_id ?? NOWHERE }
}
/** One that its owner has not approved yet. */
const aWalletOrder = async (w: World) => {
  const { class_package_id } = await w.on.make.package()
  const { orderID } = await w.as('mine').checkout.paypal({ class_package_id })
  return { orderID }
}
const aSubscription = async (w: World) => {
  const { class_package_id } = await w.on.make.package({ is_subscription: true, subscription_period: 'month', subscription_interval: 1 })
  const { purchase_id } = await w.as('mine').sales.attempt({ class_package_id, payment_method: 'tok_ok' })
  return { purchase_id }
}
const aCardLink = async (w: World) => {
  const { purchase_id } = await aSubscription(w)
  const ctx = w.on.system()
  const path = await ctx.tx((tx) => newCardLink(tx, ctx, purchase_id))
  return { token: path.split('/').at(-1) ?? '' }
}
const aPaidPurchase = async (w: World) => {
  const { class_package_id } = await w.on.make.package()
  const { purchase_id } = await w.as('mine').sales.attempt({ class_package_id, payment_method: 'tok_ok' })
  return { purchase_id }
}
const aFile = async (w: World) => ({ file_id: (await w.as('mine').files.upload({ file: pdf() })).file_id })
const pdf = () => new File(['%PDF-1.4\n'], 'a.pdf')
const anAddress = async (w: World) => ({
  Address_id: (await w.as('mine').people.addresses.create({ city: 'CDMX', state: 'CDMX', country: 'México' })).address.Address_id,
})
const aForm = async (w: World) => {
  const { form } = await w
    .as('owner')
    .forms.admin.forms.create({ name: `Ficha ${w.unique()}`, form_fields: [{ key: 'a', label: 'A', type: 'text' }] })
  return { form_id: form.form_id }
}
const aField = async (w: World) => {
  const made = await w.as('owner').forms.admin.customFields.create({ object: 'cosa', key: `k${w.unique()}`, type: 'text' })
  return { custom_field_id: made.custom_field.custom_field_id }
}
const aCategory = async (w: World) => {
  const made = await w.as('owner').catalogue.admin.classCategories.create({ name: `Categoría ${w.unique()}` })
  return { class_category_id: made.class_category.class_category_id }
}
const aTag = async (w: World) => ({
  tag_id: (await w.as('owner').catalogue.admin.tags.create({ name: `Etiqueta ${w.unique()}` })).tag.tag_id,
})
const aWayToPay = async (w: World) => {
  const name = `Vale ${w.unique()}`
  await w.on.make.paymentMethod({ name: `Relleno ${w.unique()}` })
  return { payment_method_id: (await w.on.make.paymentMethod({ name })).payment_method_id }
}
const anAnnouncement = async (w: World) => {
  const made = await w.as('owner').content.admin.announcements.create({ title: 'Aviso', content: '<p>Hola</p>' })
  return { announcement_id: made.announcement.announcement_id }
}
const aVideo = async (w: World) => ({ video_id: (await w.on.make.video()).video_id })
/** For whom it can be watched: customers with an online membership, and staff. */
const anOpenVideo = async (w: World, role?: Role) => {
  if (role === 'mine' || role === 'other') await w.on.make.lot(w.people[role], { is_online: true, unlimited: true })
  return aVideo(w)
}
const aVideoType = async (w: World) => {
  const { video_type } = await w.as('owner').videos.admin.videoTypes.create({ name: `Tipo ${w.unique()}` })
  return { video_type_id: video_type.video_type_id }
}
const aProgram = async (w: World) => {
  const { program } = await w.as('owner').videos.admin.programs.create({ name: `Programa ${w.unique()}` })
  return { program_id: program.program_id }
}
const aVideoTag = async (w: World) => {
  const made = await w.as('owner').catalogue.admin.tags.create({ name: `De video ${w.unique()}`, type: 'video' })
  return { tag: String(made.tag.tag_id) }
}
const aPage = async (w: World) => ({ page_id: (await w.on.make.page()).page_id })
const aPackage = async (w: World, more: Parameters<World['on']['make']['package']>[0] = {}) => ({
  class_package_id: (await w.on.make.package(more)).class_package_id,
})
const aDiscount = async (w: World) => {
  const { discount_id, code } = await w.on.make.discount()
  return { discount_id, code }
}
const aCustomer = async (w: World) => ({ customer_id: (await w.on.make.customer()).customer_id })
const named = (w: World) => ({ name: `Nombre ${w.unique()}` })

/** Another customer's: it is not there. Staff without a customer of their own are turned away at the door. */
const foreign = (code: string): Row => ({ other: code })
/** Videos are for customers and staff (O1): an account that is neither has none. */
const ofVideos: Row = { account: 'NO_CUSTOMER' }
/** A file is its owner's and the reception's. */
const ofFiles: Row = { account: 'NOT_FOUND', other: 'NOT_FOUND', coach: 'NOT_FOUND' }
/** About oneself: an account that is no customer has nothing here. Reception names a customer. */
const ofMyself: Row = { account: 'NO_CUSTOMER', coach: 'NO_CUSTOMER' }

export const rows: Record<string, Row> = {
  'content.appconfig': {},
  'content.settings': {},
  'content.changeSettings': { input: (w) => ({ settings: [{ key: 'tagline', value: `Lema ${w.unique()}` }] }) },
  'content.pages': {},
  'content.page': { input: async (w) => ({ slug: (await w.on.make.page()).slug }) },
  'content.accepted': {},
  'content.accept': { input: aPage },
  'content.announcements': {},
  'content.announcement': { input: anAnnouncement },
  'content.admin.pages.all': {},
  'content.admin.pages.create': { input: (w) => ({ slug: `pagina-${w.unique()}`, title: 'Página' }) },
  'content.admin.pages.update': { input: async (w) => ({ ...(await aPage(w)), title: 'Otra' }) },
  'content.admin.pages.remove': { input: aPage },
  'content.admin.announcements.all': {},
  'content.admin.announcements.create': { input: () => ({ title: 'Aviso', content: '<p>Hola</p>' }) },
  'content.admin.announcements.update': { input: async (w) => ({ ...(await anAnnouncement(w)), title: 'Otro' }) },
  'content.admin.announcements.remove': { input: anAnnouncement },

  'files.list': { input: () => ({}) },
  'files.one': { ...ofFiles, input: aFile },
  'files.upload': { input: () => ({ file: pdf() }) },
  'files.uploadS3': { input: () => ({ file: pdf() }) },
  'files.update': { ...ofFiles, input: async (w) => ({ ...(await aFile(w)), name: 'otro' }) },
  'files.remove': { ...ofFiles, input: aFile },

  'forms.list': {},
  'forms.one': { input: aForm },
  'forms.shown': { input: aForm },
  'forms.answers': { ...ofMyself, input: async (w) => ({ ...(await aForm(w)), customer_id: w.people.mine.customer_id }) },
  'forms.answer': {
    ...ofMyself,
    input: async (w) => ({ ...(await aForm(w)), customer_id: w.people.mine.customer_id, answers: { a: 'x' } }),
  },
  'forms.customFields': { input: () => ({}) },
  'forms.customFieldsOf': { input: () => ({ object: 'cosa' }) },
  'forms.customField': { input: aField },
  'forms.admin.forms.all': {},
  'forms.admin.forms.create': { input: named },
  'forms.admin.forms.update': { input: async (w) => ({ ...(await aForm(w)), name: 'Otra' }) },
  'forms.admin.forms.remove': { input: aForm },
  'forms.admin.customFields.all': {},
  'forms.admin.customFields.create': { input: (w) => ({ object: 'cosa', key: `k${w.unique()}`, type: 'text' }) },
  'forms.admin.customFields.update': { input: async (w) => ({ ...(await aField(w)), label: 'Otro' }) },
  'forms.admin.customFields.remove': { input: aField },

  'people.me': {},
  // Somebody else's uid is refused; one's own makes a customer, which the person who is one already simply is.
  'people.signup': {
    ...{ account: 'FORBIDDEN', other: 'FORBIDDEN', coach: 'FORBIDDEN', reception: 'FORBIDDEN', owner: 'FORBIDDEN' },
    input: (w) => ({ uid: w.people.mine.uid, name: 'X', last_name: 'Y', phone: '5512345678' }),
  },
  'people.phone': { input: () => ({ phone: '5512345678' }) },
  'people.create': { input: (w) => ({ name: 'X', last_name: 'Y', email: `x${w.unique()}@ejemplo.mx` }) },
  'people.find': { input: aCustomer },
  'people.list': { input: () => ({}) },
  'people.query': { input: () => ({ query: 'ana' }) },
  'people.update': { ...ofMyself, input: (w) => ({ customer_id: w.people.mine.customer_id, name: `Ana ${w.unique()}` }) },
  'people.recover': { input: (w) => ({ email: `x${w.unique()}@ejemplo.mx` }) },
  'people.confirm': {},
  'people.addresses.list': {},
  'people.addresses.one': { ...foreign('NOT_FOUND'), input: anAddress },
  'people.addresses.create': { input: () => ({ city: 'CDMX', state: 'CDMX', country: 'México' }) },
  'people.addresses.update': { ...foreign('NOT_FOUND'), input: async (w) => ({ ...(await anAddress(w)), city: 'Puebla' }) },
  'people.addresses.remove': { ...foreign('NOT_FOUND'), input: anAddress },

  'catalogue.packages': {},
  'catalogue.package': { input: async (w) => ({ class_package_id: (await w.on.make.package()).class_package_id }) },
  'catalogue.presencialesAll': {},
  'catalogue.presencialesHome': {},
  'catalogue.onlineAll': {},
  'catalogue.onlineHome': {},
  'catalogue.especialesAll': {},
  'catalogue.especialesHome': {},
  'catalogue.locations': {},
  'catalogue.classTypes': {},
  'catalogue.instructors': {},
  'catalogue.instructorsHome': {},
  'catalogue.instructor': { input: async (w) => ({ instructor_id: (await w.on.make.instructor()).instructor_id }) },
  'catalogue.classCategories': {},
  'catalogue.classCategoriesAvailable': {},
  'catalogue.classCategory': { input: aCategory },
  'catalogue.tags': { input: () => ({}) },
  'catalogue.tag': { input: aTag },
  'catalogue.paymentMethods': {},
  'catalogue.paymentMethod': { input: aWayToPay },
  'catalogue.admin.locations.all': {},
  'catalogue.admin.locations.create': { input: named },
  'catalogue.admin.locations.update': { input: async (w) => ({ location_id: (await w.on.make.location()).location_id, name: 'Otro' }) },
  'catalogue.admin.locations.remove': { input: async (w) => ({ location_id: (await w.on.make.location()).location_id }) },
  'catalogue.admin.classTypes.all': {},
  'catalogue.admin.classTypes.create': { input: named },
  'catalogue.admin.classTypes.update': {
    input: async (w) => ({ class_type_id: (await w.on.make.classType()).class_type_id, name: 'Otro' }),
  },
  'catalogue.admin.classTypes.remove': { input: async (w) => ({ class_type_id: (await w.on.make.classType()).class_type_id }) },
  'catalogue.admin.classCategories.all': {},
  'catalogue.admin.classCategories.create': { input: named },
  'catalogue.admin.classCategories.update': { input: async (w) => ({ ...(await aCategory(w)), name: 'Otra' }) },
  'catalogue.admin.classCategories.remove': { input: aCategory },
  'catalogue.admin.instructors.all': {},
  'catalogue.admin.instructors.create': { input: named },
  'catalogue.admin.instructors.update': {
    input: async (w) => ({ instructor_id: (await w.on.make.instructor()).instructor_id, name: 'Otra' }),
  },
  'catalogue.admin.instructors.remove': { input: async (w) => ({ instructor_id: (await w.on.make.instructor()).instructor_id }) },
  'catalogue.admin.tags.all': {},
  'catalogue.admin.tags.create': { input: named },
  'catalogue.admin.tags.update': { input: async (w) => ({ ...(await aTag(w)), color: '#000000' }) },
  'catalogue.admin.tags.remove': { input: aTag },
  'catalogue.admin.paymentMethods.all': {},
  'catalogue.admin.paymentMethods.create': { input: named },
  'catalogue.admin.paymentMethods.update': { input: async (w) => ({ ...(await aWayToPay(w)), description: 'x' }) },
  'catalogue.admin.paymentMethods.remove': { input: aWayToPay },

  'studioPackages.all': { input: () => ({}) },
  'studioPackages.create': { input: (w) => ({ title: `Paquete ${w.unique()}`, price: '500', class_amount: 4, expiration_days: 30 }) },
  'studioPackages.update': { input: async (w) => ({ ...(await aPackage(w)), price: '600' }) },
  'studioPackages.remove': { input: (w) => aPackage(w) },
  'studioPackages.addToHome': { input: (w) => aPackage(w, { is_home: false }) },
  'studioPackages.removeFromHome': { input: (w) => aPackage(w) },
  'studioPackages.attendees': { input: (w) => aPackage(w, { is_special_event: true }) },

  'credits.list': {},
  'credits.all': { input: () => ({}) },
  'credits.movements': { ...foreign('CREDIT_NOT_FOUND'), input: aLot },
  'credits.one': { ...foreign('CREDIT_NOT_FOUND'), input: aLot },
  'credits.ofCustomer': { input: (w) => ({ customer_id: w.people.mine.customer_id }) },
  'credits.create': {
    input: (w) => ({
      customer_id: w.people.mine.customer_id,
      title: 'A mano',
      available_classes: 1,
      expiration_date: '2026-12-31',
      reason: 'Prueba',
    }),
  },
  'credits.update': { input: async (w) => ({ ...(await aLot(w)), add: 1, reason: 'Prueba' }) },
  'credits.revoke': { input: async (w) => ({ ...(await aLot(w)), reason: 'Prueba' }) },

  'sales.attempt': {
    ok: 'PAYMENT_METHOD_MISSING',
    input: async (w) => ({ class_package_id: (await w.on.make.package()).class_package_id }),
  },
  'sales.checkout': {
    input: async (w) => ({
      class_package_id: (await w.on.make.package({ price_centavos: 0 })).class_package_id,
      customer_id: w.people.mine.customer_id,
    }),
  },
  'sales.giveUp': { ...foreign('PURCHASE_NOT_FOUND'), input: aCashPurchase },
  'sales.list': {},
  'sales.one': { ...foreign('PURCHASE_NOT_FOUND'), input: async (w) => ({ id: (await aCashPurchase(w)).purchase_id }) },
  'sales.cancel': {
    other: 'PURCHASE_NOT_FOUND',
    mine: 'SUBSCRIPTION_NOT_CANCELLABLE',
    input: async (w) => ({ id: (await aCashPurchase(w)).purchase_id, reason: 'Prueba' }),
  },
  'sales.markPaid': { input: aCashPurchase },
  'sales.cards': {},
  'checkout.ways': { input: async (w) => ({ class_package_id: (await w.on.make.package()).class_package_id }) },
  'checkout.paypal': { input: async (w) => ({ class_package_id: (await w.on.make.package()).class_package_id }) },
  'checkout.capture': { ...foreign('PURCHASE_NOT_FOUND'), input: aWalletOrder },
  'differences.list': {},
  'differences.close': { input: async (w) => ({ ...(await aDifference(w)), reason: 'Revisada' }) },
  'cards.keep': { input: () => ({ token_id: 'tok_ok' }) },
  'cards.remove': { ...foreign('PAYMENT_SOURCE_NOT_FOUND'), input: aCard },
  'cards.metodos': {},
  'cards.saveMetodo': { input: () => ({ token_id: 'tok_ok' }) },
  'cards.removeMetodo': { ...foreign('PAYMENT_SOURCE_NOT_FOUND'), input: aCard },

  'invoices.list': { input: () => ({}) },
  'invoices.receipt': { ...foreign('PURCHASE_NOT_FOUND'), input: async (w) => ({ id: (await aPaidPurchase(w)).purchase_id }) },

  'studioSales.purchases': { input: () => ({}) },
  'studioSales.purchase': { input: aCashPurchase },
  'studioSales.invoices': { input: () => ({}) },
  'studioSales.receipt': { input: aPaidPurchase },
  'studioSales.refund': { input: async (w) => ({ ...(await aPaidPurchase(w)), reason: 'Prueba' }) },
  'studioSales.pause': { input: async (w) => ({ ...(await aSubscription(w)), reason: 'Prueba' }) },
  'studioSales.resume': { input: async (w) => ({ ...(await aSubscription(w)), reason: 'Prueba' }) },
  'studioSales.giveAccess': {
    input: async (w) => ({
      customer_id: w.people.mine.customer_id,
      class_package_id: (await w.on.make.package()).class_package_id,
      is_gift: true,
    }),
  },
  'studioSales.revokeAccess': { input: aPaidPurchase },
  'cardLinks.shown': { input: aCardLink },
  'cardLinks.change': { input: async (w) => ({ ...(await aCardLink(w)), token_id: 'tok_ok' }) },
  'cardLinks.own': {
    ...foreign('PURCHASE_NOT_FOUND'),
    input: async (w) => ({ id: (await aSubscription(w)).purchase_id, payment_source_id: (await aCard(w)).id }),
  },
  'studioSales.removeClasses': {
    input: async (w) => {
      await aLot(w)
      return { customer_id: w.people.mine.customer_id, amount: 1 }
    },
  },

  'discounts.byCode': {
    input: async (w) => ({ code: (await aDiscount(w)).code, class_package_id: (await w.on.make.package()).class_package_id }),
  },
  'discounts.one': { input: async (w) => ({ discount_id: (await aDiscount(w)).discount_id }) },
  'discounts.all': { input: () => ({}) },
  'discounts.create': { input: (w) => ({ code: `NUEVO${w.unique()}`, amount: '10', is_percent: true }) },
  'discounts.update': { input: async (w) => ({ discount_id: (await aDiscount(w)).discount_id, amount: '20.50' }) },
  'discounts.remove': { input: async (w) => ({ discount_id: (await aDiscount(w)).discount_id }) },

  'schedule.week': { input: () => ({}) },
  'schedule.one': { input: async (w) => ({ single_class_id: (await aClass(w)).single_class_id }) },
  'schedule.create': {
    async input(w) {
      const [{ class_type_id }, { location_id }, { instructor_id }] = [
        await w.on.make.classType(),
        await w.on.make.location(),
        await w.on.make.instructor(),
      ]
      return { class_type_id, location_id, instructor_ids: [instructor_id], class_date: '2026-12-01T18:00:00Z', capacity: 5 }
    },
  },
  'schedule.update': { input: async (w) => ({ single_class_id: (await aClass(w)).single_class_id, description: 'Con velas' }) },
  'schedule.cancel': { input: async (w) => ({ single_class_id: (await aClass(w)).single_class_id }) },
  'schedule.restore': { ok: 'UNDO_TOO_LATE', input: async (w) => ({ single_class_id: (await aClass(w)).single_class_id }) },

  'bookings.list': { input: () => ({}) },
  'bookings.one': { ...foreign('RESERVATION_NOT_FOUND'), input: aPlace },
  'bookings.reserve': {
    async input(w, role) {
      if (role === 'mine' || role === 'other') await w.on.make.lot(w.people[role])
      return { single_class_id: (await aClass(w)).single_class_id }
    },
  },
  'bookings.update': { ...foreign('RESERVATION_NOT_FOUND'), input: async (w) => ({ ...(await aPlace(w)), guest: 'Otra persona' }) },
  'bookings.cancel': { ...foreign('RESERVATION_NOT_FOUND'), input: aPlace },
  'bookings.guest': { ...foreign('RESERVATION_NOT_FOUND'), input: async (w) => ({ ...(await aPlace(w)), name: 'Otra persona' }) },
  'bookings.removeGuest': { ...foreign('RESERVATION_NOT_FOUND'), input: aPlace },
  'bookings.rate': {
    other: 'RESERVATION_NOT_FOUND',
    mine: 'RATING_NOT_ALLOWED',
    input: async (w) => ({ ...(await aPlace(w)), coach_stars: 5 }),
  },
  'bookings.move': {
    ...foreign('RESERVATION_NOT_FOUND'),
    input: async (w) => ({ ...(await aPlace(w)), single_class_id: (await aClass(w)).single_class_id }),
  },
  'bookings.repeat': { ok: 'CLASS_NOT_FOUND', input: () => ({ single_class_id: NOWHERE, weeks: 1 }) },
  'bookings.alternatives': { input: async (w) => ({ single_class_id: (await aClass(w)).single_class_id }) },
  'bookings.calendarLinks': { ...foreign('RESERVATION_NOT_FOUND'), input: aPlace },
  'bookings.feed': {},
  'bookings.renewFeed': {},

  'waitlist.list': {},
  'waitlist.one': { ...foreign('WAITLIST_NOT_FOUND'), input: anEntry },
  'waitlist.join': { input: async (w) => ({ single_class_id: (await aFullClass(w)).single_class_id }) },
  'waitlist.update': { ...foreign('WAITLIST_NOT_FOUND'), input: async (w) => ({ ...(await anEntry(w)), auto: true }) },
  'waitlist.leave': { ...foreign('WAITLIST_NOT_FOUND'), input: anEntry },
  'waitlist.offer': { ok: 'OFFER_INVALID', input: () => ({ token: randomUUID() }) },
  'waitlist.answer': { ok: 'OFFER_INVALID', input: () => ({ token: randomUUID(), accept: true }) },
  'waitlist.ofClass': { input: async (w) => ({ single_class_id: (await aClass(w)).single_class_id }) },
  'waitlist.prioritise': { input: async (w) => ({ ...(await anEntry(w)), priority: 1, reason: 'Prueba' }) },

  'attendance.roster': { input: async (w) => ({ single_class_id: (await aClass(w)).single_class_id }) },
  'attendance.one': { input: aPlace },
  'attendance.mark': { ok: 'ATTENDANCE_TOO_EARLY', input: async (w) => ({ ...(await aPlace(w)), attend: true }) },
  'attendance.reserve': {
    ok: 'NOT_FOUND',
    input: async (w) => ({ customer_id: NOWHERE, single_class_id: (await aClass(w)).single_class_id }),
  },
  'attendance.cancel': { input: async (w) => ({ ...(await aPlace(w)), reason: 'Prueba' }) },
  'attendance.paid': { ok: 'RESERVATION_NOT_CASH', input: aPlace },

  // One's own penalties, which an account that is no customer has none of; everybody's for reception.
  'penalties.list': { ...ofMyself, input: () => ({}) },
  'penalties.one': { account: 'NO_CUSTOMER', coach: 'NO_CUSTOMER', other: 'PENALTY_NOT_FOUND', mine: 'PENALTY_NOT_FOUND', input: aPenalty },
  'penalties.create': { input: async (w) => ({ ...(await aCustomer(w)), reason: 'Prueba' }) },
  'penalties.update': { input: async (w) => ({ ...(await aPenalty(w)), resumes_on: '2026-12-24', reason: 'Prueba' }) },
  'penalties.forgive': { input: async (w) => ({ ...(await aPenalty(w)), reason: 'Prueba' }) },

  'videos.list': { ...ofVideos, input: () => ({}) },
  'videos.upcoming': { ...ofVideos, input: () => ({}) },
  'videos.ofTag': { ...ofVideos, input: aVideoTag },
  'videos.ofProgram': { ...ofVideos, input: async (w) => ({ program: (await aProgram(w)).program_id }) },
  'videos.one': { ...ofVideos, input: anOpenVideo },
  'videos.play': { input: anOpenVideo },
  'videos.complete': { input: anOpenVideo },
  'videos.uncomplete': { input: aVideo },
  'videos.rate': { input: async (w, role) => ({ ...(await anOpenVideo(w, role)), stars: 5 }) },
  'videos.rateByMail': { input: anOpenVideo },
  'videos.favorites': {},
  'videos.addFavorite': { input: aVideo },
  'videos.removeFavorite': { input: aVideo },
  'videos.types': ofVideos,
  'videos.programs': ofVideos,
  'videos.program': { ...ofVideos, input: aProgram },
  'videos.admin.videos.all': {},
  'videos.admin.videos.create': { input: (w) => ({ ...named(w), duration: 20, url: 'https://youtu.be/dQw4w9WgXcQ' }) },
  'videos.admin.videos.update': { input: async (w) => ({ ...(await aVideo(w)), name: 'Otro' }) },
  'videos.admin.videos.remove': { input: aVideo },
  'videos.admin.videoTypes.all': {},
  'videos.admin.videoTypes.create': { input: named },
  'videos.admin.videoTypes.update': { input: async (w) => ({ ...(await aVideoType(w)), name: `Otro ${w.unique()}` }) },
  'videos.admin.videoTypes.remove': { input: aVideoType },
  'videos.admin.programs.all': {},
  'videos.admin.programs.create': { input: named },
  'videos.admin.programs.update': { input: async (w) => ({ ...(await aProgram(w)), name: `Otro ${w.unique()}` }) },
  'videos.admin.programs.remove': { input: aProgram },

  'messages.list': { input: () => ({}) },
  'messages.read': { input: () => ({ message_ids: [NOWHERE] }) },
  'messages.preferences': {},
  'messages.setPreferences': { input: () => ({ mail: true }) },
  'messages.log': { input: () => ({}) },
  'messages.outbox': { input: () => ({}) },
}
