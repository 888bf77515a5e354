/**
 * Reconciliation of our books with the processors' (docs/domain.md V31): applies the state of every changed object again, which repairs
 * what lost webhook events left open; remaining discrepancies are reported once, and closed when they are gone.
 */
import { refuse } from '#contract/errors.ts'
import type { MoneyDiscrepancy } from '#contract/money-discrepancies.ts'
import type { Facts, PaymentGateway, Ref } from '#server/adapters/payments/port.ts'
import { PaymentError } from '#server/adapters/payments/port.ts'
import { findPackage } from '#server/modules/catalogue/catalogue.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { isLate, TRIAL } from '#server/modules/sales/rules.ts'
import {
  closeDiscrepancy,
  type Discrepancy,
  type DiscrepancyRow,
  grantedPeriods,
  hasDiscrepancyAt,
  listCharges,
  listDiscrepancies,
  listOpenDiscrepancies,
  listUnpaid,
  upsertDiscrepancy,
} from '#server/modules/sales/store/discrepancy-store.ts'
import { sumByHand } from '#server/modules/sales/store/refund-store.ts'
import { findPurchase, type InvoiceRow, listAttempts, listInvoices, listShares } from '#server/modules/sales/store/store.ts'
import { apply, applyProcessorState } from './apply-processor-state.ts'
import type { AppliedState } from './apply-to-purchase.ts'
import { attemptRef } from './gateways.ts'

const LISTED = 200

/**
 * Compares everything that changed in the last `windowMs` with one processor, or each. One that cannot be reached does not stop the others.
 */
export async function compareBooks(ctx: Ctx, windowMs: number, only?: string): Promise<void> {
  const from = new Date(ctx.now.getTime() - windowMs)
  for (const gateway of ctx.ports.gateways.values())
    try {
      if (only !== undefined && gateway.id !== only) continue
      await reconcileWith(ctx, gateway, from)
    } catch (error) {
      ctx.studio.log.error({ error, gateway: gateway.id }, 'reconciliation.failed')
    }
}

async function reconcileWith(ctx: Ctx, gateway: PaymentGateway, from: Date): Promise<void> {
  const reported = new Set<string>()
  const found: Discrepancy[] = []
  for await (const facts of gateway.since(from)) {
    for (const { id } of facts.payments) reported.add(id)
    try {
      found.push(...(await applyAndCompare(ctx, facts)))
    } catch (error) {
      ctx.studio.log.error({ error, gateway: gateway.id }, 'payment.reconcile_failed')
    }
  }
  // The other direction: charges in our books that the processor's list did not contain.
  for (const row of await listCharges(ctx.db, gateway.id, from)) {
    if (reported.has(row.provider_payment) || row.ref_id === null) continue
    const facts = await read(gateway, { gateway: gateway.id, kind: row.ref_kind, id: row.ref_id })
    if (!facts?.payments.some(({ id }) => id === row.provider_payment))
      found.push(noMoney(gateway.id, row.purchase_id, row.provider_payment))
  }
  for (const row of await listUnpaid(ctx.db, gateway.id, from))
    found.push(noMoney(gateway.id, row.purchase_id, `compra ${row.purchase_id}`))
  for (const discrepancy of found) await report(ctx, discrepancy)
  const open = new Set(found.map(nameOf))
  for (const row of await listOpenDiscrepancies(ctx.db, gateway.id)) if (!open.has(nameOf(row))) await recheck(ctx, gateway, row)
}

const nameOf = ({ kind, about }: Pick<Discrepancy, 'kind' | 'about'>) => `${kind} ${about}`

function noMoney(gateway: string, purchase_id: number, about: string): Discrepancy {
  return { kind: 'grant_no_money', gateway, about, purchase_id, details: {} }
}

/** Applies a processor's facts and returns the discrepancies that remain after a second read: a payment may have come between the two. */
async function applyAndCompare(ctx: Ctx, facts: Facts): Promise<Discrepancy[]> {
  const first = await discrepanciesOf(ctx, facts, await apply(ctx, facts, null))
  if (first.length === 0) return []
  const gateway = ctx.ports.gateways.get(facts.ref.gateway)
  const again = gateway && (await read(gateway, facts.ref))
  return again ? discrepanciesOf(ctx, again, await apply(ctx, again, null)) : first
}

/** Reads an object at a processor; null when it does not know it. */
async function read(gateway: PaymentGateway, ref: Ref): Promise<Facts | null> {
  try {
    return await gateway.settle(ref)
  } catch (error) {
    if (error instanceof PaymentError && error.kind === 'invalid') return null
    throw error
  }
}

async function discrepanciesOf(ctx: Ctx, facts: Facts, applied: AppliedState | null): Promise<Discrepancy[]> {
  const { ref, unclaimed } = facts
  const books = unclaimed && !applied ? [] : await bookDiscrepancies(ctx, facts, applied)
  if (!unclaimed) return books
  const { id, customer_id, amount, isBalance } = unclaimed
  const details = { ref_kind: ref.kind, ref_id: ref.id, customer_id, amount, use: isBalance ? 'next_transfer' : null }
  const purchase_id = applied?.purchase.purchase_id ?? null
  return [{ kind: 'unclaimed_money', gateway: ref.gateway, about: id, purchase_id, details }, ...books]
}

async function bookDiscrepancies(ctx: Ctx, facts: Facts, applied: AppliedState | null): Promise<Discrepancy[]> {
  const gateway = facts.ref.gateway
  const about = { ref_kind: facts.ref.kind, ref_id: facts.ref.id }
  const unrefunded = facts.payments.filter(({ amount, refunded }) => refunded < amount)
  if (!applied)
    return unrefunded.length === 0
      ? []
      : [
          {
            kind: 'unknown_object',
            gateway,
            about: facts.ref.id,
            purchase_id: null,
            details: {
              ...about,
              paid: sum(unrefunded.map(({ amount, refunded }) => amount - refunded)),
              said_purchase: facts.purchaseId ?? null,
            },
          },
        ]
  const { purchase_id, class_package_id, class_amount, status, alarm } = applied.purchase
  const [invoices, granted] = [await listInvoices(ctx.db, purchase_id), await grantedPeriods(ctx.db, purchase_id)]
  const byHand = await ctx.tx((tx) => sumByHand(tx, purchase_id))
  // A charge of an order is divided among its items (S12): together they are what the processor has.
  const shares = new Map<string, InvoiceRow[]>()
  if (applied.attempt.sale_id !== null)
    for (const { id } of facts.payments) {
      const rows = await listShares(ctx.db, gateway, id)
      shares.set(id, rows)
      for (const other of rows)
        if (other.purchase_id !== purchase_id) {
          const more = (await ctx.tx((tx) => sumByHand(tx, other.purchase_id))).get(id) ?? 0
          byHand.set(id, (byHand.get(id) ?? 0) + more)
        }
    }
  // A sign-up fee (C12) and a single place (V45) give no credit lot.
  const gives = class_package_id !== null && (class_amount !== 0 || Boolean((await findPackage(ctx.db, class_package_id))?.types.length))
  return facts.payments.flatMap((fact): Discrepancy[] => {
    const row = invoices.find((invoice) => invoice.gateway === gateway && invoice.provider_payment === fact.id)
    const of = (kind: Discrepancy['kind'], details: Discrepancy['details']): Discrepancy => ({
      kind,
      gateway,
      about: fact.id,
      purchase_id,
      details: { ...about, ...details },
    })
    if (!row) {
      if (fact.refunded >= fact.amount) return []
      return [
        alarm === 'other_amount' ? of('amount_differs', { theirs: fact.amount, ours: null }) : of('paid_no_grant', { theirs: fact.amount }),
      ]
    }
    const rows = shares.get(fact.id) ?? [row]
    const [total, refunded] = [sum(rows.map((charge) => charge.total_centavos)), sum(rows.map((charge) => charge.refunded_centavos))]
    // Refunds given at the counter are only in our books.
    const back = fact.refunded + (byHand.get(fact.id) ?? 0)
    if (total !== fact.amount || refunded !== Math.min(fact.amount, back))
      return [of('amount_differs', { theirs: fact.amount, ours: total, their_refund: back, our_refund: refunded })]
    const due =
      gives && row.refunded_centavos < row.total_centavos && !isLate(row.period) && (status === 'completed' || status === 'active')
    return due && !granted.has(row.period) ? [of('paid_no_grant', { theirs: fact.amount, period: row.period })] : []
  })
}

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)

async function report(ctx: Ctx, discrepancy: Discrepancy): Promise<void> {
  const { kind, gateway, about, purchase_id, details } = discrepancy
  const isNew = await ctx.tx(async (tx) => {
    if (!(await upsertDiscrepancy(tx, discrepancy, ctx.now))) return false
    await ctx.audit(tx, { action: `money.${kind}`, entity: 'purchase', entity_id: purchase_id ?? 0, after: { gateway, about, ...details } })
    return true
  })
  if (isNew) ctx.studio.log.error({ kind, gateway, about, purchase_id }, 'reconciliation.discrepancy_found')
  if (kind === 'unclaimed_money') await returnUnclaimed(ctx, discrepancy)
}

/**
 * Returns a transfer that no payment claimed to the account that it came from (V40), unless the studio decides itself
 * (`refund_late_payments`) or the processor cannot: then the owner does. The customer is notified either way, once per movement.
 */
async function returnUnclaimed(ctx: Ctx, { gateway: id, about, details }: Discrepancy): Promise<void> {
  const gateway = ctx.ports.gateways.get(id)
  const { ref_id, customer_id, amount, use } = details
  // The amount and the state of a return by the bank are unknown: the owner has to check.
  if (amount === null) return
  let returned = false
  if (ctx.settings.refund_late_payments && gateway?.returnUnclaimed)
    try {
      const after = await gateway.returnUnclaimed({ gateway: gateway.id, kind: 'payment', id: String(ref_id) }, about)
      returned = after.unclaimed?.id !== about
    } catch (error) {
      ctx.studio.log.error({ error, gateway: id, about }, 'transfer.return_failed')
    }
  const data = { gateway: id, movement: about, customer_id: Number(customer_id), amount: Number(amount), returned, reusable: use !== null }
  await ctx.tx((tx) => tx.send({ name: 'sales.unclaimed-money', data }))
}

/** Checks an open discrepancy that this run did not find again: older than the window, or gone. */
async function recheck(ctx: Ctx, gateway: PaymentGateway, row: DiscrepancyRow): Promise<void> {
  const still = await isStillOpen(ctx, gateway, row)
  if (still) return
  await ctx.tx((tx) => closeDiscrepancy(tx, row.money_difference_id, 'mended', ctx.now))
}

async function isStillOpen(ctx: Ctx, gateway: PaymentGateway, row: DiscrepancyRow): Promise<boolean> {
  const { ref_kind, ref_id } = row.details
  if (row.kind === 'refund_failed' || row.kind === 'refund_due') {
    const charge =
      row.purchase_id === null
        ? null
        : (await listInvoices(ctx.db, row.purchase_id)).find((invoice) => invoice.provider_payment === row.about)
    return charge ? charge.refunded_centavos < Number(row.details.our_refund) : false
  }
  if (row.kind === 'grant_no_money') return row.purchase_id !== null && !(await isPaid(ctx, gateway, row.purchase_id))
  if (typeof ref_id !== 'string') return false
  const facts = await read(gateway, { gateway: gateway.id, kind: ref_kind === 'subscription' ? 'subscription' : 'payment', id: ref_id })
  return facts !== null && (await applyAndCompare(ctx, facts)).some((discrepancy) => nameOf(discrepancy) === nameOf(row))
}

/** Whether the processor's payments of a purchase match our books, or the purchase is revoked. */
async function isPaid(ctx: Ctx, gateway: PaymentGateway, purchase_id: number): Promise<boolean> {
  const purchase = await findPurchase(ctx.db, purchase_id)
  if (purchase?.status !== 'completed' && purchase?.status !== 'active') return true
  const invoices = (await listInvoices(ctx.db, purchase_id)).filter((invoice) => invoice.gateway === gateway.id && !isLate(invoice.period))
  const paid = new Set<string>()
  for (const attempt of await listAttempts(ctx.db, purchase_id)) {
    const ref = attempt.gateway === gateway.id ? attemptRef(ctx, attempt) : null
    const applied = ref && (await read(gateway, ref)) && (await applyProcessorState(ctx, ref))
    for (const { id } of applied?.facts.payments ?? []) paid.add(id)
  }
  const periods = await grantedPeriods(ctx.db, purchase_id)
  if (invoices.length === 0) return periods.size === 1 && periods.has(TRIAL)
  return invoices.every((invoice) => paid.has(invoice.provider_payment))
}

/** The discrepancies of the caller's locations and of online purchases, open ones first. */
export async function listMoneyDiscrepancies(ctx: Ctx): Promise<{ money_differences: MoneyDiscrepancy[] }> {
  return { money_differences: (await listDiscrepancies(ctx.db, LISTED, ctx.locationIds)).map(serializeDiscrepancy) }
}

/** Closes a discrepancy by hand. NOT_FOUND, also for one of another location; a closed one is left unchanged. */
export async function closeMoneyDiscrepancy(
  ctx: Ctx,
  input: { money_difference_id: number; reason: string },
): Promise<{ money_difference: MoneyDiscrepancy }> {
  if (!(await hasDiscrepancyAt(ctx.db, input.money_difference_id, ctx.locationIds))) throw refuse('NOT_FOUND')
  const closed = await ctx.tx(async (tx) => {
    const row = await closeDiscrepancy(tx, input.money_difference_id, 'staff', ctx.now)
    if (!row) throw refuse('NOT_FOUND')
    await ctx.audit(tx, {
      action: 'money.close',
      entity: 'money_difference',
      entity_id: row.money_difference_id,
      after: { kind: row.kind, about: row.about },
      reason: input.reason,
    })
    return row
  })
  return { money_difference: serializeDiscrepancy(closed) }
}

function serializeDiscrepancy(row: DiscrepancyRow): MoneyDiscrepancy {
  return { ...row, foundAt: row.foundAt.toISOString(), closedAt: row.closedAt?.toISOString() ?? null }
}
