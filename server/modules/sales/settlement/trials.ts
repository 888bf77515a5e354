/** One free trial per person (docs/domain.md V41): which purchase begins with one, and the refusal when it was used before. */
import { type Refusal, refuse } from '#contract/errors.ts'
import { formatMoney } from '#contract/money.ts'
import { isTrialPackage } from '#contract/package-sections.ts'
import type { Settings } from '#contract/settings.ts'
import { type Facts, PaymentError } from '#server/adapters/payments/port.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { TRIAL } from '#server/modules/sales/rules.ts'
import {
  claimPlastic,
  countBought,
  hadTrial,
  isPlasticUsed,
  type Plastic,
  wasTrialRefused,
} from '#server/modules/sales/store/trial-store.ts'
import type { Verdict } from '#server/modules/sales/verdict-rules.ts'
import type { Reader, Tx } from '#server/platform/db.ts'

interface TrialTerms {
  is_subscription: boolean
  free_trial_length: number | null
}

/** Whether a package begins with a free trial for a customer who had none. */
export const hasTrial = (classPackage: TrialTerms): boolean => classPackage.is_subscription && Boolean(classPackage.free_trial_length)

/**
 * Why a package with a free trial is sold to a customer without it: the customer, or another one with the same card, had a trial. Null: it
 * begins with the trial. `plastic` null: the card is unknown, or its processor provides no fingerprint.
 */
export async function whyNoTrial(
  db: Reader,
  ctx: Ctx,
  buyer: { customer_id: number; plastic: Plastic | null },
): Promise<'customer' | 'card' | null> {
  const { trial_once_per_customer, trial_once_per_card } = ctx.settings
  const { customer_id, plastic } = buyer
  if (trial_once_per_customer && (await hadTrial(db, customer_id))) return 'customer'
  if (!trial_once_per_card) return null
  if (plastic && (await isPlasticUsed(db, plastic, customer_id))) return 'card'
  return (await wasTrialRefused(db, customer_id, new Date(ctx.now.getTime() - REFUSED_MS))) ? 'card' : null
}

/**
 * For a day after a trial was refused as a second one, the package is sold without a trial. Afterwards it can begin with a card that had
 * none: the refused card may have been another person's.
 */
const REFUSED_MS = 86_400_000

/**
 * Refuses a second trial of a card or wallet, where only the processor's confirmation identifies it: the subscription is ended there before
 * it charges anything, and the read facts become a refusal with that reason. A first trial is recorded.
 */
export async function withoutSecondTrial(
  tx: Tx,
  ctx: Ctx,
  { purchase, gateway }: { purchase: TrialTerms & { purchase_id: number; customer_id: number; total_centavos: number }; gateway: string },
  facts: Facts,
  decision: Verdict,
): Promise<Facts> {
  const { plastic: fingerprint } = facts
  const begins = !decision.alarm && decision.grants.some(({ period }) => period === TRIAL)
  if (!begins || !fingerprint || !needsCardFingerprint(purchase, ctx.settings)) return facts
  const { purchase_id, customer_id } = purchase
  if (await claimPlastic(tx, { gateway, fingerprint }, { purchase_id, customer_id, now: ctx.now })) return facts
  Object.assign(decision, { status: null, attempt: 'refused', grants: [], benefitsUntil: null, ends: true } satisfies Partial<Verdict>)
  const why = new PaymentError({
    kind: 'declined',
    code: 'TRIAL_USED',
    retry: 'new-instrument',
    message: formatMoney(purchase.total_centavos),
  })
  return { ...facts, state: 'refused', next: null, why }
}

/** Whether the card's fingerprint is needed before a purchase is opened or paid with another card. */
export const needsCardFingerprint = (classPackage: TrialTerms, settings: Pick<Settings, 'trial_once_per_card'>): boolean =>
  hasTrial(classPackage) && settings.trial_once_per_card

/** TRIAL_USED, with the data of the price change: the shown price included a trial that is not granted (V36). */
export const trialUsed = (changed: Refusal): Refusal => refuse('TRIAL_USED', changed.data)

/** How much of a customer's purchase limit is used up (V3). For a trial package, refunded and revoked purchases count too. */
export async function countUsed(
  db: Reader,
  ctx: Ctx,
  of: {
    customer_id: number
    classPackage: Parameters<typeof isTrialPackage>[0] & { class_package_id: number }
    live: readonly { completedAt: Date | null }[]
  },
): Promise<number> {
  const { customer_id, classPackage, live } = of
  if (classPackage.limit_per_customer === null || !isTrialPackage(classPackage) || !ctx.settings.trial_once_per_customer) return live.length
  return live.filter((purchase) => !purchase.completedAt).length + (await countBought(db, customer_id, classPackage.class_package_id))
}
