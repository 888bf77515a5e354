/** What a processor's facts change in a purchase: its status, charges, periods and disputes (V8, V9, V13, V23, V24). Pure. */

import type { InvoiceStatus } from '#contract/invoices.ts'
import type { Centavos } from '#contract/money.ts'
import type { Facts, PaymentFact } from '#server/adapters/payments/port.ts'
import { type AttemptState, LATE, ONE_OFF, type PurchaseStatus, TRIAL } from './rules.ts'

/** A charge in our books. */
interface KnownCharge {
  id: string
  period: string
  refunded: Centavos
  status: InvoiceStatus
  /** What the studio has of a charge of which a bank took only a part; 0 for other lost ones. */
  left?: Centavos
  /** Whether a bank disputes it, or a part of it, now. */
  isOpen?: boolean
}

/** Our stored facts about a purchase, to be compared with the processor's. */
export interface PurchaseFacts {
  purchase_id: number
  status: PurchaseStatus
  is_subscription: boolean
  total_centavos: Centavos
  next_total_centavos: Centavos | null
  createdAt: Date
  /** Our customer at this provider, once known. */
  buyerRef: string | null
  /** The processor's payments that are already stored, by their id. */
  known: readonly KnownCharge[]
}

/** A payment as it is stored, with the period that it paid for. */
export type InvoiceFact = Omit<PaymentFact, 'period'> & { period: string }

/** One period's credits. `until` null: counted from `from` by the package's days. */
export interface GrantedPeriod {
  period: string
  from: Date
  until: Date | null
}

export interface Verdict {
  /** The purchase's new status; null = unchanged. */
  status: PurchaseStatus | null
  attempt: AttemptState
  grants: GrantedPeriod[]
  /** Payments to store: new ones, and those with more refunded or with a dispute. */
  invoices: InvoiceFact[]
  /** The end of a subscription's paid benefits. */
  benefitsUntil: Date | null
  pastDue: boolean
  /** Whether a charge has an open dispute; null = unknown from these facts. */
  frozen: boolean | null
  /** Periods whose money was refunded in full or lost in a dispute: their credits are revoked (V23, V24). */
  takenBack: string[]
  /** Periods whose charge has a new dispute, and those whose dispute the studio won (V24). */
  freezes: string[]
  thaws: string[]
  /** The subscription has to be cancelled at the processor. */
  ends: boolean
  /** A mismatch that staff must check: nothing is granted. */
  alarm: 'other_purchase' | 'other_customer' | 'other_amount' | null
  /** Money for a purchase that is closed or already paid (V13); `reopens` when the purchase can still be granted. */
  late: { fact: InvoiceFact; reopens: boolean } | null
}

/**
 * Decides what a processor's facts change in a purchase (V8, V9). Webhooks arrive twice, late and out of order, so the decision depends
 * only on the facts and our stored state, never on the order of arrival. Changes nothing itself.
 */
export function decideChanges(purchase: PurchaseFacts, facts: Facts): Verdict {
  const out: Verdict = {
    status: null,
    attempt: facts.state,
    grants: [],
    invoices: [],
    benefitsUntil: null,
    pastDue: false,
    frozen: null,
    takenBack: [],
    freezes: [],
    thaws: [],
    ends: false,
    alarm: null,
    late: null,
  }
  if (facts.purchaseId !== undefined && facts.purchaseId !== purchase.purchase_id) return { ...out, alarm: 'other_purchase' }
  if (purchase.buyerRef && facts.buyerRef && facts.buyerRef !== purchase.buyerRef) return { ...out, alarm: 'other_customer' }
  if (facts.state === 'ended' && !facts.payments.length) out.attempt = 'cancelled'
  return purchase.is_subscription ? subscriptionVerdict(purchase, facts, out) : oneOffVerdict(purchase, facts, out)
}

function isChanged(purchase: PurchaseFacts, fact: PaymentFact): boolean {
  const known = purchase.known.find((knownCharge) => knownCharge.id === fact.id)
  return !known || known.refunded !== fact.refunded || fact.disputed !== undefined || known.status === 'disputed'
}

/** Whether a processor shows less than our books for a charge: a smaller refund, or a missing dispute (V37). Such a read may be stale. */
export function isRegression(
  row: { refunded_centavos: number; status: InvoiceStatus; disputed_centavos?: number; open_dispute_centavos?: number },
  fact: Money,
): boolean {
  if (fact.refunded < row.refunded_centavos) return true
  if (row.status === 'lost' && fact.disputed === 'lost')
    return disputedPart(fact) + openPart(fact) < (row.disputed_centavos ?? 0) + (row.open_dispute_centavos ?? 0) && !isGone(fact)
  if (row.status === 'lost') return true
  return row.status === 'disputed' && fact.disputed === undefined
}

type Money = Pick<PaymentFact, 'amount' | 'refunded' | 'disputed' | 'disputedAmount' | 'openAmount'>

/** The disputed or lost part of a charge: at most what was not refunded. All of it when the processor reports no amount. */
export const disputedPart = ({ amount, refunded, disputed, disputedAmount }: Money): Centavos =>
  disputed === 'open' || disputed === 'lost' ? Math.min(disputedAmount ?? amount, amount - refunded) : 0

/** What a bank disputes beside what it took of a charge: at most the rest of it. */
export const openPart = (fact: Money): Centavos =>
  fact.disputed === 'lost' ? Math.min(fact.openAmount ?? 0, fact.amount - fact.refunded - disputedPart(fact)) : 0

/** Whether a bank disputes a charge, or a part of it, now. */
export const isOpen = (fact: Money): boolean => fact.disputed === 'open' || openPart(fact) > 0

/** Whether the studio no longer has the money of a charge. */
const isGone = (fact: Money) => fact.refunded + (fact.disputed === 'lost' ? disputedPart(fact) : 0) >= fact.amount
const isGoneInBooks = ({ status, left = 0 }: KnownCharge) => status === 'refunded' || (status === 'lost' && left === 0)

/** Whether a bank takes all that is left of a charge: not where it took a part before, and the rest was refunded since. */
const isTotalLoss = (fact: Money, known: KnownCharge | undefined) =>
  fact.disputed === 'lost' && isGone(fact) && !(known?.status === 'lost' && (known.left === 0 || fact.refunded > known.refunded))

/** The effect of disputes and refunds on the periods that their charges paid for (V23, V24). */
function judgeMoney(purchase: PurchaseFacts, facts: readonly (PaymentFact & { bought: string })[], out: Verdict): void {
  for (const fact of facts) {
    const known = purchase.known.find((knownCharge) => knownCharge.id === fact.id)
    const wasOpen = known?.isOpen ?? known?.status === 'disputed'
    if (isGone(fact)) out.takenBack.push(fact.bought)
    else if (isOpen(fact) && !wasOpen) out.freezes.push(fact.bought)
    else if (!isOpen(fact) && wasOpen) out.thaws.push(fact.bought)
    if (fact.disputed !== undefined || wasOpen) out.frozen = out.frozen === true || isOpen(fact)
  }
}

function oneOffVerdict(purchase: PurchaseFacts, facts: Facts, out: Verdict): Verdict {
  const [fact] = facts.payments
  if (facts.state !== 'paid' || !fact) return out
  if (fact.currency !== 'MXN' || fact.amount !== purchase.total_centavos) return { ...out, alarm: 'other_amount' }
  const { period: _, ...paid } = fact
  const known = purchase.known.find((knownCharge) => knownCharge.id === fact.id)
  const paidOtherwise = purchase.known.some((knownCharge) => knownCharge.id !== fact.id && knownCharge.period === ONE_OFF)
  const period = known?.period ?? (paidOtherwise || purchase.status !== 'pending' ? LATE : ONE_OFF)
  // A purchase with several charges is revoked only when the last one is refunded or lost (S5).
  const others = purchase.known.filter((knownCharge) => knownCharge.id !== fact.id && knownCharge.period === ONE_OFF)
  // A lost dispute takes all of it, whatever a gift card paid (V24).
  const isRest = isTotalLoss(fact, known) || others.every(isGoneInBooks)
  const isReturned = isGone(fact) && isRest
  if (isChanged(purchase, fact)) out.invoices = [{ ...paid, period }]
  if (period === ONE_OFF && (isRest || !isGone(fact))) judgeMoney(purchase, [{ ...fact, bought: ONE_OFF }], out)
  if (period === LATE) {
    if (!known && !isReturned)
      out.late = { fact: { ...paid, period }, reopens: !paidOtherwise && (purchase.status === 'failed' || purchase.status === 'cancelled') }
  } else if (purchase.status === 'pending') {
    out.status = isReturned ? 'failed' : 'completed'
    if (!isReturned) out.grants = [{ period: ONE_OFF, from: fact.at, until: null }]
  } else if (purchase.status === 'completed' && isReturned) out.status = 'revoked'
  return out
}

function subscriptionVerdict(purchase: PurchaseFacts, facts: Facts, out: Verdict): Verdict {
  const payments = [...facts.payments].sort((a, b) => (a.period?.from.getTime() ?? 0) - (b.period?.from.getTime() ?? 0))
  const wrong = payments.some((fact, at) => {
    const amount =
      at === 0 && purchase.total_centavos > 0 ? purchase.total_centavos : (purchase.next_total_centavos ?? purchase.total_centavos)
    return fact.currency !== 'MXN' || fact.amount !== amount || !fact.period
  })
  if (wrong) return { ...out, alarm: 'other_amount' }
  const paid = payments.flatMap((fact) =>
    fact.period ? [{ ...fact, period: fact.period.from.toISOString(), to: fact.period.to, news: isChanged(purchase, fact) }] : [],
  )
  const closed = purchase.status === 'failed' || purchase.status === 'cancelled' || purchase.status === 'revoked'
  const isKnown = (id: string) => purchase.known.some((knownCharge) => knownCharge.id === id)
  out.invoices = paid
    .filter((fact) => fact.news)
    .map(({ to: _, news: __, ...fact }) => (closed && !isKnown(fact.id) ? { ...fact, period: `${LATE} ${fact.period}` } : fact))
  judgeMoney(
    purchase,
    paid.filter((fact) => isKnown(fact.id) || !closed).map((fact) => ({ ...fact, period: undefined, bought: fact.period })),
    out,
  )
  const lost = paid.some((fact) => {
    const known = purchase.known.find((knownCharge) => knownCharge.id === fact.id)
    return known !== undefined && isTotalLoss(fact, known)
  })
  if (closed) {
    if (lost && purchase.status === 'cancelled') out.status = 'revoked'
    // A subscription that starts after its purchase was given up is cancelled by the caller, and its money refunded.
    const stray = out.invoices.find((fact) => !isKnown(fact.id) && fact.refunded < fact.amount)
    return stray ? { ...out, late: { fact: stray, reopens: false } } : out
  }
  const isLive = facts.state === 'paid' || facts.state === 'trialing' || facts.state === 'past_due'
  out.pastDue = facts.state === 'past_due'
  out.benefitsUntil = (facts.cancelled || facts.state === 'ended' ? facts.endsAt : undefined) ?? paid.at(-1)?.to ?? facts.endsAt ?? null
  if (facts.state === 'trialing' && purchase.status === 'pending')
    out.grants.push({ period: TRIAL, from: purchase.createdAt, until: facts.endsAt ?? null })
  for (const fact of paid) if (!isKnown(fact.id) && !isGone(fact)) out.grants.push({ period: fact.period, from: fact.at, until: fact.to })
  // A lost dispute ends the subscription; a refund by the studio does not (V24).
  if (lost && purchase.status === 'active') {
    out.status = 'revoked'
    out.ends = isLive
  } else if (isLive) out.status = facts.cancelled ? 'cancelled' : purchase.status === 'pending' ? 'active' : null
  else if (facts.state === 'ended' && (purchase.status !== 'pending' || paid.length > 0)) out.status = 'cancelled'
  return out
}
