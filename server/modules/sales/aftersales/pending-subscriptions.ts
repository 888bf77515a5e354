/** Subscriptions of another system that wait for a card: the list, the link, and the card (docs/domain.md V60, V61). */
import type { CardChange, CardLinkView } from '#contract/card-links.ts'
import { refuse } from '#contract/errors.ts'
import type { ImportSource } from '#contract/imports.ts'
import { basePrice, type Centavos, pesos } from '#contract/money.ts'
import { pageCount } from '#contract/paging.ts'
import { messagePaths } from '#contract/paths.ts'
import { PENDING_SUBSCRIPTIONS_PER_PAGE, type PendingSubscription } from '#contract/pending-subscriptions.ts'
import { addDays, endOfDay, localDate } from '#contract/time.ts'
import { findPackage } from '#server/modules/catalogue/catalogue.ts'
import { Ctx } from '#server/modules/ctx.ts'
import { customerById } from '#server/modules/people/people.ts'
import { cardFields, saveCardFor } from '#server/modules/sales/checkout/cards.ts'
import { freezeTerms, subscriptionPlan } from '#server/modules/sales/rules.ts'
import { findBuyer, lockBuyer } from '#server/modules/sales/store/buyer-store.ts'
import {
  deletePending,
  findPending,
  insertPending,
  isCustomerFrozen,
  isPlanPending,
  lockPending,
  type PendingRow,
  pageOfPending,
  subscriptionTo,
  updatePending,
} from '#server/modules/sales/store/pending-subscription-store.ts'
import type { Reader, Tx } from '#server/platform/db.ts'

/** As the links that change a card, which the same page opens. */
const USE = 'tarjeta'
/** A link is valid until this number of days after the first charge was due. */
const LATE_DAYS = 30

interface NewPending {
  customer_id: number
  class_package_id: number
  source: ImportSource
  price_centavos: Centavos
  next_charge_on: string
  staff_id: number
}

/**
 * Writes a subscription that waits for a card; its id. Null when the customer is gone, 'has' when they have one to this package. Nothing is
 * charged and no message is sent. The subscription of a frozen customer waits for the thaw (C25).
 */
export async function addPendingSubscription(tx: Tx, ctx: Ctx, values: NewPending): Promise<number | 'has' | null> {
  const buyer = await lockBuyer(tx, values.customer_id)
  if (!buyer || buyer.deletedAt) return null
  if ((await isPlanPending(tx, values)) || (await subscriptionTo(tx, { ...values, except: null }))) return 'has'
  const paused_with_customer = await isCustomerFrozen(tx, values.customer_id, ctx.now)
  return insertPending(tx, { ...values, paused_with_customer, createdAt: ctx.now })
}

/** Deletes an unchanged pending subscription. False when its customer gave a card, it began, or staff cancelled it. */
export async function erasePendingSubscription(tx: Tx, pending_subscription_id: number): Promise<boolean> {
  const found = await lockPending(tx, pending_subscription_id)
  if (!found) return true
  if (found.payment_source_id !== null || !isOpen(found)) return false
  await deletePending(tx, pending_subscription_id)
  return true
}

const isOpen = ({ purchase_id, cancelledAt }: PendingRow) => purchase_id === null && cancelledAt === null

/** GET /admin/pending_subscriptions. */
export async function listPendingSubscriptions(ctx: Ctx, { customer_id, page }: { customer_id?: number | undefined; page: number }) {
  const { rows, total } = await pageOfPending(ctx.db, customer_id, { number: page, size: PENDING_SUBSCRIPTIONS_PER_PAGE })
  const pending_subscriptions = rows.map(({ row, person, title }): PendingSubscription => {
    const { name, last_name, email, phone } = person
    return {
      pending_subscription_id: row.pending_subscription_id,
      state: row.paused_with_customer ? 'paused' : row.payment_source_id === null ? 'waiting' : 'ready',
      title,
      class_package_id: row.class_package_id,
      amount: pesos(row.price_centavos),
      next_charge_on: row.next_charge_on,
      customer: { customer_id: row.customer_id, name, last_name, email, phone },
    }
  })
  return { pending_subscriptions, total, pages: pageCount(total, PENDING_SUBSCRIPTIONS_PER_PAGE) }
}

const tokenOf = (ctx: Ctx, { pending_subscription_id, createdAt }: PendingRow): string =>
  ctx.studio.signer.sign(USE, `p${pending_subscription_id}-${createdAt.getTime().toString(36)}`)

const untilOf = (ctx: Ctx, { next_charge_on }: PendingRow): Date => endOfDay(addDays(next_charge_on, LATE_DAYS), ctx.zone)

/** The package and what is charged for each period: as agreed, or less where the package costs less. PACKAGE_NOT_FOUND. */
export async function priceOfPending(db: Reader, { class_package_id, price_centavos }: PendingRow) {
  const classPackage = await findPackage(db, class_package_id)
  if (!classPackage || classPackage.deletedAt || !classPackage.is_subscription) throw refuse('PACKAGE_NOT_FOUND')
  return { pack: classPackage, total: Math.min(price_centavos, basePrice(classPackage.price_centavos, classPackage.sale_price_centavos)) }
}

/**
 * POST /admin/pending_subscriptions/{id}/link. NOT_FOUND, CUSTOMER_EMAIL_REQUIRED, PACKAGE_NOT_FOUND, and what its processor cannot charge.
 */
export async function pendingLink(ctx: Ctx, { pending_subscription_id }: { pending_subscription_id: number }) {
  const pending = await findPending(ctx.db, pending_subscription_id)
  if (!pending || !isOpen(pending) || untilOf(ctx, pending) <= ctx.now) throw refuse('NOT_FOUND')
  if ((await findBuyer(ctx.db, pending.customer_id)).email === null) throw refuse('CUSTOMER_EMAIL_REQUIRED')
  const gateway = ctx.ports.cards
  if (!gateway || !cardFields(ctx)) throw refuse('PAYMENT_METHOD_UNAVAILABLE')
  const { pack, total } = await priceOfPending(ctx.db, pending)
  const plan = subscriptionPlan(
    freezeTerms(pack, { amount: total, discount: 0, total, old: null, nextTotal: total }, ctx.now, false),
    ctx.zone,
  )
  const no = gateway.refuses({ instrument: 'saved-card', amount: total, ...(plan ? { plan } : {}) })
  if (no) throw refuse(no)
  await ctx.tx((tx) => ctx.audit(tx, { action: 'subscription.pending_link', entity: 'customer', entity_id: pending.customer_id }))
  const url = `${ctx.studio.publicUrl}${messagePaths.cardChange(tokenOf(ctx, pending))}`
  return { url, until: untilOf(ctx, pending).toISOString() }
}

/** POST /admin/pending_subscriptions/{id}/cancel. NOT_FOUND. */
export async function cancelPending(ctx: Ctx, { pending_subscription_id, reason }: { pending_subscription_id: number; reason: string }) {
  return ctx.tx(async (tx) => {
    const pending = await lockPending(tx, pending_subscription_id)
    if (!pending || !isOpen(pending)) throw refuse('NOT_FOUND')
    await updatePending(tx, pending_subscription_id, { cancelledAt: ctx.now })
    await ctx.audit(tx, { action: 'subscription.pending_cancel', entity: 'customer', entity_id: pending.customer_id, reason })
    return { ok: true as const }
  })
}

/** The pending subscription of a link; null when the link is of another kind. CARD_LINK_INVALID, CARD_LINK_GONE. */
export async function pendingByLink(ctx: Ctx, token: string): Promise<PendingRow | null> {
  const [, id] = /^p([1-9]\d{0,8})-/.exec(ctx.studio.signer.read(USE, token) ?? '') ?? []
  if (id === undefined) return null
  const pending = await findPending(ctx.db, Number(id))
  if (!pending || tokenOf(ctx, pending) !== token) throw refuse('CARD_LINK_INVALID')
  if (!isOpen(pending) || untilOf(ctx, pending) <= ctx.now) throw refuse('CARD_LINK_GONE')
  return pending
}

/** What the page of its link shows. A charge that is overdue is made today. */
export async function pendingView(ctx: Ctx, pending: PendingRow): Promise<CardLinkView> {
  const [person, { pack, total }] = await Promise.all([customerById(ctx.db, pending.customer_id), priceOfPending(ctx.db, pending)])
  const today = localDate(ctx.now, ctx.zone)
  const day = pending.next_charge_on > today ? pending.next_charge_on : today
  return {
    name: person.name,
    title: pack.title,
    amount: pesos(total),
    past_due: false,
    confirm_charge: false,
    card_label: null,
    next_date: `${day}T00:00:00.000Z`,
    card: cardFields(ctx),
  }
}

/** Saves the card of its customer, which is charged on the day. PAYMENT_METHOD_UNAVAILABLE, PAYMENT_SOURCE_FAILED, CARD_LINK_GONE. */
export async function addCard(
  ctx: Ctx,
  { pending_subscription_id, customer_id }: PendingRow,
  proof: { token_id?: string | null | undefined; setup_id?: string | null | undefined },
): Promise<CardChange> {
  await ctx.throttle({ name: 'card-link-try', subject: `p${pending_subscription_id}`, max: 20, seconds: 3_600 })
  const by = new Ctx(ctx.studio, { actor: { kind: 'system', job: 'card-link' }, requestId: ctx.requestId, ip: ctx.ip })
  if (!by.ports.cards) throw refuse('PAYMENT_METHOD_UNAVAILABLE')
  const { source, setup } = await saveCardFor(by, by.ports.cards, customer_id, proof)
  const none = { paid: false, card_label: null, clientSecret: null }
  if (!source) return { ...none, changed: false, setup }
  await by.tx(async (tx) => {
    await lockBuyer(tx, customer_id)
    const pending = await lockPending(tx, pending_subscription_id)
    if (!pending || !isOpen(pending)) throw refuse('CARD_LINK_GONE')
    await updatePending(tx, pending_subscription_id, { payment_source_id: source.payment_source_id })
    await by.audit(tx, { action: 'subscription.pending_card', entity: 'customer', entity_id: customer_id })
  })
  return { ...none, changed: true, paid: true, setup: null }
}
