/** Links with which a customer pays an order of the counter on their own device (docs/domain.md S8, S9). */
import type { PaymentLink, PaymentLinkView } from '#contract/counter-orders.ts'
import { refuse } from '#contract/errors.ts'
import { pesos } from '#contract/money.ts'
import { messagePaths } from '#contract/paths.ts'
import { Ctx } from '#server/modules/ctx.ts'
import { customerById } from '#server/modules/people/people.ts'
import { chargeAttempt } from '#server/modules/sales/checkout/paying.ts'
import { HOLD_MARGIN_MS, isOpenAttempt, MAX_ATTEMPTS, PAGE_HOLD_MS } from '#server/modules/sales/rules.ts'
import { applyProcessorState } from '#server/modules/sales/settlement/apply-processor-state.ts'
import { endAttempt } from '#server/modules/sales/settlement/ending-attempts.ts'
import { attemptRef, getGateway } from '#server/modules/sales/settlement/gateways.ts'
import { isCreditStillThere } from '#server/modules/sales/settlement/plan-changes.ts'
import { readAtProcessors } from '#server/modules/sales/settlement/read-at-processors.ts'
import { lockBuyer } from '#server/modules/sales/store/buyer-store.ts'
import { findPaymentLink, type PaymentLinkRow } from '#server/modules/sales/store/payment-link-store.ts'
import {
  type AttemptRow,
  claimCheck,
  findPurchase,
  insertAttempt,
  listAttempts,
  lockPurchase,
  type PurchaseRow,
  updateTogether,
} from '#server/modules/sales/store/store.ts'
import { amountToCharge, itemsOnWire, listOrderItems, titleOfItems, totalOfItems } from '#server/modules/sales/views/order-items.ts'
import { attemptFailure } from '#server/modules/sales/views/purchase-view.ts'

const USE = 'pago'
/** How often the payment is opened anew while older attempts are ended, before PAYMENT_IN_PROGRESS. */
const ROUNDS = 3
/** A waiting order is read at its processor at most this often. */
const REREAD_EVERY_MS = 2_000

const tokenOf = (ctx: Ctx, { purchase_id, createdAt }: PaymentLinkRow): string =>
  ctx.studio.signer.sign(USE, `${purchase_id}-${createdAt.getTime().toString(36)}`)

/** The path of the page where an order is paid. */
export const pathOfLink = (ctx: Ctx, link: PaymentLinkRow): string => messagePaths.paymentLink(tokenOf(ctx, link))

/** The link of an order, as staff send it. */
export const linkOf = (ctx: Ctx, link: PaymentLinkRow, { hold_until }: PurchaseRow): PaymentLink => ({
  url: `${ctx.studio.publicUrl}${pathOfLink(ctx, link)}`,
  until: (hold_until ?? ctx.now).toISOString(),
})

const isPaid = ({ status }: PurchaseRow) => status === 'completed' || status === 'active'

/** The order of a link. PAYMENT_LINK_INVALID for a bad signature, PAYMENT_LINK_GONE when it expired, was cancelled or was revoked. */
async function orderOf(ctx: Ctx, token: string): Promise<PurchaseRow> {
  const [, id] = /^([1-9]\d{0,9})-/.exec(ctx.studio.signer.read(USE, token) ?? '') ?? []
  const link = id === undefined ? null : await findPaymentLink(ctx.db, Number(id))
  if (!link || tokenOf(ctx, link) !== token) throw refuse('PAYMENT_LINK_INVALID')
  const purchase = await findPurchase(ctx.db, link.purchase_id)
  if (!purchase) throw refuse('PAYMENT_LINK_INVALID')
  const isOpen = purchase.status === 'pending' && purchase.hold_until !== null && purchase.hold_until > ctx.now
  if (!isOpen && !isPaid(purchase)) throw refuse('PAYMENT_LINK_GONE')
  return purchase
}

/** The holder of a link is not signed in: the actor is the system. */
const asSystem = (ctx: Ctx) => new Ctx(ctx.studio, { actor: { kind: 'system', job: 'payment-link' }, requestId: ctx.requestId, ip: ctx.ip })

/** What the page of a link shows; an unfinished payment is read at its processor. PAYMENT_LINK_INVALID, PAYMENT_LINK_GONE. */
export async function orderByLink(ctx: Ctx, { token }: { token: string }): Promise<{ order: PaymentLinkView }> {
  await ctx.throttle({ name: 'payment-link-look', subject: ctx.ip, max: 120, seconds: 60 })
  const by = asSystem(ctx)
  const { purchase_id, status } = await orderOf(by, token)
  const attempts = status === 'pending' ? await listAttempts(by.db, purchase_id) : []
  if (
    attempts.some((attempt) => isOpenAttempt(attempt.state)) &&
    (await by.tx((tx) => claimCheck(tx, purchase_id, by.now, REREAD_EVERY_MS)))
  )
    await readAtProcessors(by, purchase_id)
  return { order: await viewOf(by, await orderOf(by, token)) }
}

async function viewOf(ctx: Ctx, purchase: PurchaseRow): Promise<PaymentLinkView> {
  const [person, [last]] = await Promise.all([customerById(ctx.db, purchase.customer_id), listAttempts(ctx.db, purchase.purchase_id)])
  const inProcess = last !== undefined && (last.state === 'processing' || last.state === 'unknown')
  const { subscription_period, subscription_interval } = purchase
  const items = await listOrderItems(ctx.db, purchase)
  const { lines } = itemsOnWire(items)
  const charge = await amountToCharge(ctx.db, purchase, items)
  return {
    name: person.name,
    title: titleOfItems(items),
    amount: pesos(charge),
    by_gift_card: pesos(totalOfItems(items) - charge),
    lines: lines.map(({ purchase_id: _, ...line }) => line),
    renews:
      purchase.is_subscription && subscription_period
        ? {
            amount: pesos(purchase.next_total_centavos ?? purchase.total_centavos),
            period: subscription_period,
            interval: subscription_interval ?? 1,
          }
        : null,
    state: isPaid(purchase) ? 'paid' : inProcess ? 'processing' : 'open',
    until: (purchase.hold_until ?? ctx.now).toISOString(),
    failure: last?.state === 'refused' && !isPaid(purchase) ? (attemptFailure(last)?.message ?? null) : null,
  }
}

/**
 * The page of the processor where an order is paid; a page that is open already is continued (S9). `url` null: paid, or in process.
 * PAYMENT_LINK_INVALID, PAYMENT_LINK_GONE, TOO_MANY_CARDS, PAYMENT_METHOD_UNAVAILABLE, PAYMENT_TRY_LATER, PAYMENT_IN_PROGRESS.
 */
export async function payByLink(ctx: Ctx, { token }: { token: string }): Promise<{ url: string | null; order: PaymentLinkView }> {
  await ctx.throttle({ name: 'payment-link-pay', subject: token, max: 30, seconds: 3_600 })
  const by = asSystem(ctx)
  const { purchase_id } = await orderOf(by, token)
  const url = await pageOf(by, purchase_id, messagePaths.paymentLink(token))
  return { url, order: await viewOf(by, await orderOf(by, token)) }
}

async function pageOf(ctx: Ctx, purchase_id: number, returnTo: string): Promise<string | null> {
  const gateway = ctx.ports.cards
  if (!gateway) throw refuse('PAYMENT_METHOD_UNAVAILABLE')
  for (let round = 1; round <= ROUNDS; round++) {
    const next = await attemptOf(ctx, purchase_id, gateway.id)
    if (!next) return null
    const { purchase, attempt } = next
    const ref = attemptRef(ctx, attempt)
    if (!ref && attempt.instrument.by !== 'hosted-page') return null
    if (!ref) {
      const pageUntil = new Date(attempt.createdAt.getTime() + PAGE_HOLD_MS - HOLD_MARGIN_MS)
      const how = { gateway: getGateway(ctx, attempt.gateway), save: purchase.is_subscription, instrument: { by: 'hosted-page' } as const }
      const { session } = await chargeAttempt(ctx, { purchase, attempt }, { ...how, returnTo, pageUntil })
      return session?.url ?? null
    }
    const applied = await applyProcessorState(ctx, ref)
    if (applied?.purchase.status !== 'pending' || applied.attempt.state === 'processing') return null
    if (applied.facts.next?.do === 'go') return applied.facts.next.url
    if (isOpenAttempt(applied.attempt.state) && !(await endAttempt(ctx, applied.attempt, 'otra página de pago', false))) break
  }
  throw refuse('PAYMENT_IN_PROGRESS')
}

/** The open attempt of an order, or its next one; null when the order is not pending any more. TOO_MANY_CARDS. */
function attemptOf(ctx: Ctx, purchase_id: number, gateway: string): Promise<{ purchase: PurchaseRow; attempt: AttemptRow } | null> {
  return ctx.tx(async (tx) => {
    const known = await findPurchase(tx, purchase_id)
    await lockBuyer(tx, known?.customer_id ?? 0)
    const purchase = await lockPurchase(tx, purchase_id)
    const [last] = await listAttempts(tx, purchase_id)
    if (purchase?.status !== 'pending') return null
    if (last && isOpenAttempt(last.state)) return { purchase, attempt: last }
    if (!(await isCreditStillThere(tx, ctx, purchase_id))) throw refuse('PAYMENT_LINK_GONE')
    if (last && last.n >= MAX_ATTEMPTS) throw refuse('TOO_MANY_CARDS')
    const hold = new Date(ctx.now.getTime() + PAGE_HOLD_MS)
    const set = purchase.hold_until && hold > purchase.hold_until ? { hold_until: hold } : {}
    const { sale_id } = purchase
    return {
      purchase: await updateTogether(tx, purchase_id, { gateway, ...set, updatedAt: ctx.now }),
      attempt: await insertAttempt(tx, {
        purchase_id,
        n: (last?.n ?? 0) + 1,
        gateway,
        ref_kind: 'payment',
        state: 'created',
        now: ctx.now,
        ...(sale_id === null ? {} : { sale_id, part_centavos: await amountToCharge(tx, purchase, await listOrderItems(tx, purchase)) }),
        instrument: { by: 'hosted-page', ...(purchase.is_subscription ? { save: true } : {}) },
      }),
    }
  })
}
