/** Jobs of purchases: webhook events, expired holds, unknown outcomes, renewals, receipts. Every job may run twice. */
import * as z from 'zod'
import { languageFor } from '#contract/language.ts'
import { localDate, wallClock } from '#contract/time.ts'
import type { Mail } from '#server/adapters/mail/port.ts'
import { byGateway } from '#server/adapters/queues.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { type ModuleJob, onMany, scheduledJob, sentJob } from '#server/modules/module-job.ts'
import type { Tx } from '#server/platform/db.ts'
import { saveCardFromAttempt } from './checkout/cards.ts'
import { sendToGateways } from './gateway-jobs.ts'
import { giftCardEmail, giftCardOrderedEmail, giftEmail, paymentLinkEmail, receiptEmail } from './notifications/emails.ts'
import { MAIL_RECEIPT_JOB, sendSaleReceipt } from './notifications/sale-receipts.ts'
import { isOpenAttempt, webhookRetryDelayMs } from './rules.ts'
import { applyProcessorState, returnStrayMoney } from './settlement/apply-processor-state.ts'
import { markAttempt } from './settlement/attempts.ts'
import { closeWaiting, IN_FLIGHT_MS } from './settlement/ending-attempts.ts'
import { attemptRef, getGateway } from './settlement/gateways.ts'
import { soldCards } from './settlement/gift-cards.ts'
import { readAtProcessors } from './settlement/read-at-processors.ts'
import { compareBooks } from './settlement/reconciliation.ts'
import { findBuyer } from './store/buyer-store.ts'
import { findGiftCardOrder, listGiftCardsToSend, markGiftCardSent } from './store/gift-card-store.ts'
import { findPaymentLink } from './store/payment-link-store.ts'
import { listRefundsDue } from './store/refund-store.ts'
import {
  findAttempt,
  findPurchase,
  type GatewayFilter,
  listInvoices,
  listOverdue,
  listQuiet,
  listRenewing,
  updateAttempt,
  updatePurchase,
} from './store/store.ts'
import { findView } from './store/view-store.ts'
import { findEvent, listUndoneEvents, updateEvent } from './store/webhook-event-store.ts'
import { linkOf } from './till/payment-links.ts'
import { amountToCharge, listOrderItems } from './views/order-items.ts'
import { receiptFor } from './views/receipts.ts'

/** The hour from which on gift cards of a day are mailed. */
const DELIVERY_HOUR = 9
/** How many rows of each kind one run of the sweeper processes. */
const BATCH = 100
/** A run starts nothing new after this time; a call in progress then ends within its own timeout, before the job's. */
const SWEEP_MS = 45_000
/** After this many failed tries a webhook event is logged for staff to check. */
const WEBHOOK_ALARM = 8
/** How far back the books are compared: every quarter of an hour, and once a day. */
const RECENT_MS = 3_600_000
const RECONCILE_MS = 72 * 3_600_000

/** Which receipt: of a purchase, or of a renewal. `again`: staff sent it once more. */
const receiptJob = z.object({ purchase_id: z.int(), period: z.string(), again: z.string().optional() })

export const salesJobs: ModuleJob[] = [
  sentJob(
    'sales.event',
    z.object({ provider_event_id: z.int() }),
    (ctx, { provider_event_id }) => handleEvent(ctx, provider_event_id),
    byGateway,
  ),
  sentJob(
    'sales.keep-card',
    z.object({ payment_id: z.int() }),
    async (ctx, { payment_id }) => {
      const attempt = await findAttempt(ctx.db, payment_id)
      if (attempt) await saveCardFromAttempt(ctx, attempt)
    },
    byGateway,
  ),
  onMany(
    'sales.receipt',
    receiptJob,
    (ctx, jobs) =>
      sendReceipts(
        ctx,
        jobs.map(({ data }) => data),
      ),
    'mail',
  ),
  sentJob(
    'sales.payment-link',
    z.object({ purchase_id: z.int(), again: z.string().optional() }),
    (ctx, { purchase_id, again }) => sendPaymentLink(ctx, purchase_id, again ?? ''),
    'mail',
  ),
  scheduledJob('sales.gift-cards', '*/20 * * * *', sendDueGiftCards),
  sentJob(
    'sales.gift-card',
    z.object({ purchase_id: z.int(), again: z.string().optional() }),
    (ctx, { purchase_id, again }) => sendGiftCard(ctx, purchase_id, again),
    'mail',
  ),
  sentJob(MAIL_RECEIPT_JOB, z.object({ sale_id: z.int(), email: z.string(), id: z.string() }), sendSaleReceipt, 'mail'),
  sentJob('sales.sweep-gateway', z.object({ gateway: z.string() }), (ctx, { gateway }) => sweep(ctx, { only: gateway }), byGateway),
  sentJob(
    'sales.compare-books',
    z.object({ gateway: z.string(), recent: z.boolean() }),
    (ctx, { gateway, recent }) => (recent ? compareBooks(ctx, RECENT_MS, gateway) : reconcile(ctx, gateway)),
    'books',
  ),
  scheduledJob('sales.sweep', '* * * * *', async (ctx) => {
    await sendToGateways(ctx, 'sales.sweep-gateway')
    // Purchases of a processor that is no longer configured are only logged: there is nothing to call.
    await sweep(ctx, { except: [...ctx.ports.gateways.keys()] })
  }),
  scheduledJob('sales.reconcile-recent', '*/15 * * * *', (ctx) => sendToGateways(ctx, 'sales.compare-books', { recent: true })),
  scheduledJob('sales.reconcile', '40 9 * * *', (ctx) => sendToGateways(ctx, 'sales.compare-books', { recent: false })),
]

/** Applies the state of every object that a webhook event is about. The sweeper retries failures with growing delays (V18). */
export async function handleEvent(ctx: Ctx, provider_event_id: number): Promise<void> {
  const event = await findEvent(ctx.db, provider_event_id)
  if (!event || event.doneAt) return
  try {
    const { id: gateway } = getGateway(ctx, event.gateway)
    const markDone = (tx: Tx) => tx.fireAndForget(updateEvent(tx, provider_event_id, { doneAt: ctx.now, last_error: null }))
    // The event is done with the transaction that applies the last object, unless something is left to do after it.
    let isDone = false
    for (const [at, { kind, id }] of event.about.entries())
      await applyProcessorState(ctx, { gateway, kind, id }, (tx, isComplete) => {
        isDone = isComplete && at === event.about.length - 1
        if (isDone) markDone(tx)
      })
    if (!isDone) await ctx.tx(async (tx) => markDone(tx))
  } catch (error) {
    const tries = event.tries + 1
    const details = { error, provider_event_id, tries }
    if (tries >= WEBHOOK_ALARM) ctx.studio.log.error(details, 'webhook.not_applicable')
    else ctx.studio.log.warn(details, 'webhook.apply_failed')
    await ctx.tx((tx) =>
      updateEvent(tx, provider_event_id, { tries, last_error: error instanceof Error ? error.message.slice(0, 500) : 'unknown' }),
    )
  }
}

/**
 * Sweeps the purchases of one processor, or of all: webhook events, unknown outcomes, expired holds, renewals and refunds of stray money. A
 * failure does not stop the others; what does not fit the time waits for the next run.
 */
export async function sweep(ctx: Ctx, which?: GatewayFilter): Promise<void> {
  const until = performance.now() + SWEEP_MS
  const each = async <T>(what: string, rows: readonly T[], work: (row: T) => Promise<unknown>) => {
    for (const row of rows) {
      if (performance.now() > until) return
      await work(row).catch((error: unknown) => ctx.studio.log.warn({ error, what }, 'sales.sweep_failed'))
    }
  }
  const ripe = (await listUndoneEvents(ctx.db, BATCH, which)).filter(
    (event) => event.receivedAt.getTime() + webhookRetryDelayMs(event.tries) <= ctx.now.getTime(),
  )
  await each('notice', ripe, (event) => handleEvent(ctx, event.provider_event_id))
  await each('quiet', await listQuiet(ctx.db, new Date(ctx.now.getTime() - IN_FLIGHT_MS), BATCH, which), (attempt) =>
    readAgain(ctx, attempt.payment_id),
  )
  await each('overdue', await listOverdue(ctx.db, ctx.now, BATCH, which), (purchase) =>
    closeWaiting(ctx, purchase.purchase_id, { status: 'failed', reason: 'venció el plazo' }),
  )
  await each('renewal', await listRenewing(ctx.db, ctx.now, BATCH, which), async (attempt) => {
    await ctx.tx((tx) => updatePurchase(tx, attempt.purchase_id, { checkedAt: ctx.now }))
    const ref = attemptRef(ctx, attempt)
    if (ref) await applyProcessorState(ctx, ref)
  })
  await each('stray', [...new Set((await listRefundsDue(ctx.db, BATCH, which)).map((row) => row.purchase_id))], (purchase_id) =>
    returnStrayMoney(ctx, purchase_id),
  )
}

/** Reads an attempt without recent updates at its processor; one that the processor does not know is ended (V7). */
async function readAgain(ctx: Ctx, payment_id: number): Promise<void> {
  const before = await findAttempt(ctx.db, payment_id)
  if (!before || !isOpenAttempt(before.state)) return
  await readAtProcessors(ctx, before.purchase_id)
  const after = await findAttempt(ctx.db, payment_id)
  if (!after || !isOpenAttempt(after.state)) return
  if (
    after.ref_id === null &&
    (await getGateway(ctx, after.gateway).find({ purchase: after.purchase_id, step: 'pay', n: after.n })) === null
  )
    await markAttempt(ctx, after, { state: 'refused', error_code: 'PAYMENT_TRY_LATER', error_message: 'The provider never had it.' })
  // Touch the row, so that the next run takes others first.
  else await ctx.tx((tx) => updateAttempt(tx, payment_id, { updatedAt: ctx.now }))
}

/** Daily reconciliation of the last three days: applies what lost webhook events left open, and reports discrepancies. */
export function reconcile(ctx: Ctx, only?: string): Promise<void> {
  return compareBooks(ctx, RECONCILE_MS, only)
}

/**
 * Sends the receipt of a purchase or of a renewal, once per period and each time that staff sent it (`again`), that of a gift to its buyer;
 * not to a customer without a mail, whose receipt staff hand over.
 */
export async function sendReceipt(ctx: Ctx, purchase_id: number, period: string, again = ''): Promise<void> {
  await sendReceipts(ctx, [{ purchase_id, period, again }])
}

/** Sends receipts: writes them one after the other, then sends all, because mails that are only stored are written in one statement. */
async function sendReceipts(ctx: Ctx, receipts: readonly z.infer<typeof receiptJob>[]): Promise<void> {
  const mails: Mail[] = []
  for (const { purchase_id, period, again = '' } of receipts) {
    const mail = await writeReceipt(ctx, purchase_id, period, again)
    if (mail) mails.push(mail)
  }
  await Promise.all(mails.map((mail) => ctx.ports.mail.send(mail)))
}

async function writeReceipt(ctx: Ctx, purchase_id: number, period: string, again: string): Promise<Mail | null> {
  const view = await findView(ctx.db, purchase_id)
  const buyer = await findBuyer(ctx.db, view.purchase.customer_id)
  if (buyer.deletedAt || buyer.email === null) return null
  const { giver } = view
  if (giver && again === '') {
    const written = giftEmail(ctx.settings, ctx.studio.publicUrl, view.purchase, {
      name: buyer.name,
      giver: giver.name,
      language: languageFor(buyer.language, ctx.settings),
    })
    return { to: buyer.email, ...written, messageId: `regalo-${purchase_id}` }
  }
  // Resent by staff, the receipt of a gift goes to its payer: it has the price.
  const to = giver ? await findBuyer(ctx.db, giver.customer_id) : buyer
  if (to.deletedAt || to.email === null) return null
  const all = await listInvoices(ctx.db, purchase_id)
  const charges = all.filter((row) => row.period === period && row.total_centavos > 0)
  const language = languageFor(to.language, ctx.settings)
  const email = receiptEmail(ctx.settings, ctx.studio.publicUrl, view, {
    name: to.name,
    period,
    zone: ctx.zone,
    charges: charges.map(({ invoice_id }) => invoice_id),
    language,
  })
  return {
    to: to.email,
    ...email,
    attachments: [await receiptFor(ctx, view, period, language, all)],
    messageId: `recibo-${purchase_id}-${period.replace(/[^A-Za-z0-9]/g, '')}${again && `-${again}`}`,
  }
}

/** Mails the link of an order that still waits, once for each time that staff sent it (`again`). */
async function sendPaymentLink(ctx: Ctx, purchase_id: number, again: string): Promise<void> {
  const [link, purchase] = await Promise.all([findPaymentLink(ctx.db, purchase_id), findPurchase(ctx.db, purchase_id)])
  if (!link || purchase?.status !== 'pending' || !purchase.hold_until || purchase.hold_until <= ctx.now) return
  const buyer = await findBuyer(ctx.db, purchase.customer_id)
  if (buyer.deletedAt || buyer.email === null) return
  const { url } = linkOf(ctx, link, purchase)
  const items = await listOrderItems(ctx.db, purchase)
  const written = paymentLinkEmail(ctx.settings, ctx.studio.publicUrl, items, {
    charge: await amountToCharge(ctx.db, purchase, items),
    name: buyer.name,
    url,
    until: purchase.hold_until,
    zone: ctx.zone,
    language: languageFor(buyer.language, ctx.settings),
  })
  await ctx.ports.mail.send({ to: buyer.email, ...written, messageId: `enlace-${purchase_id}${again.replace(/[^A-Za-z0-9]/g, '')}` })
}

/**
 * Mails the code of a gift card that was paid online, once (I10): with a recipient, to the recipient on the day of delivery, and a
 * confirmation to the buyer; otherwise to the buyer. Not after its refund. `again` (staff resend it): regardless of its day and of earlier
 * mails.
 */
async function sendGiftCard(ctx: Ctx, purchase_id: number, again?: string): Promise<void> {
  const [purchase, order] = await Promise.all([findPurchase(ctx.db, purchase_id), findGiftCardOrder(ctx.db, purchase_id)])
  const card = (await soldCards(ctx, ctx.db, [purchase_id])).get(purchase_id)
  if (purchase?.status !== 'completed' || !card || (order?.sentAt && !again)) return
  const buyer = await findBuyer(ctx.db, purchase.customer_id)
  const { settings } = ctx
  const { publicUrl } = ctx.studio
  // The recipient need not be a customer: the language is the buyer's, who wrote the dedication.
  const language = languageFor(buyer.language, settings)
  const gift = { amount: purchase.total_centavos, code: card.code, message: order?.message ?? null }
  const messageId = `tarjeta-${purchase_id}${again?.replace(/[^A-Za-z0-9]/g, '') ?? ''}`
  const { deliver_on, recipient_name, recipient_email } = order ?? {}
  const isLater = !again && deliver_on != null && deliver_on > localDate(ctx.now, ctx.zone)
  // The buyer's confirmation is sent when the card is paid, not again on the day of delivery.
  if (!again && recipient_name && recipient_email && buyer.email !== null && (isLater || deliver_on === null)) {
    const giftFacts = { ...gift, giver: buyer.name, name: recipient_name, email: recipient_email, on: deliver_on ?? null }
    const written = giftCardOrderedEmail(settings, publicUrl, giftFacts, language)
    await ctx.ports.mail.send({ to: buyer.email, ...written, messageId: `${messageId}-aviso` })
  }
  if (isLater) return
  const to = recipient_email ?? (buyer.deletedAt ? null : buyer.email)
  if (to) {
    const giver = recipient_name ? `${buyer.name} ${buyer.last_name}`.trim() : null
    const written = giftCardEmail(settings, publicUrl, { ...gift, name: recipient_name ?? buyer.name, giver }, language)
    await ctx.ports.mail.send({ to, ...written, messageId })
  }
  if (order) await ctx.tx((tx) => markGiftCardSent(tx, purchase_id, ctx.now))
}

/** Mails the gift cards of today's delivery, from nine in the morning on. */
async function sendDueGiftCards(ctx: Ctx): Promise<void> {
  const today = localDate(ctx.now, ctx.zone)
  if (wallClock(ctx.now, ctx.zone).getUTCHours() < DELIVERY_HOUR) return
  for (const purchase_id of await listGiftCardsToSend(ctx.db, today, BATCH))
    await ctx.tx((tx) => tx.send({ name: 'sales.gift-card', data: { purchase_id } }))
}
