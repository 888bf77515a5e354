/** Recipients of a broadcast by channel. Pure: docs/domain.md, "Broadcasts". */
import type { BroadcastPreview, LeftOutReason } from '#contract/broadcasts.ts'
import type { BroadcastChannel } from '#contract/channels.ts'

/** What is known about a recipient. */
export interface RecipientFacts {
  customer_id: number
  name: string
  /** Not a customer any more. */
  gone: boolean
  has_email: boolean
  has_phone: boolean
  has_account: boolean
  /** Consent to promotions, and to WhatsApp. */
  promotions: boolean
  whatsapp: boolean
  /** Promotions of the last seven days. */
  recent: number
}

export interface Terms {
  channels: readonly BroadcastChannel[]
  is_promotion: boolean
  /** Promotions per person and week (`messages_per_person_week`). */
  limit: number
}

/** Why a channel does not reach the person; null when it does. A promotion in the person's own account needs no consent (BR3). */
export function whyNotBy(
  channel: BroadcastChannel,
  of: RecipientFacts,
  { is_promotion }: Pick<Terms, 'is_promotion'>,
): 'consent' | 'address' | null {
  if (channel === 'app') return of.has_account ? null : 'address'
  if (!(channel === 'mail' ? of.has_email : of.has_phone)) return 'address'
  const allowed = (!is_promotion || of.promotions) && (channel === 'mail' || of.whatsapp)
  return allowed ? null : 'consent'
}

/** The channels by which a person gets it, or why they are left out (BR2 to BR4). */
export function planFor(
  of: RecipientFacts,
  terms: Terms,
): { channels: BroadcastChannel[]; reason: null } | { channels: []; reason: LeftOutReason } {
  const leftOut = (reason: LeftOutReason) => ({ channels: [] as [], reason })
  if (of.gone) return leftOut('gone')
  const why = terms.channels.map((channel) => ({ channel, why: whyNotBy(channel, of, terms) }))
  const channels = why.filter((option) => option.why === null).map(({ channel }) => channel)
  if (channels.length === 0) return leftOut(why.some((option) => option.why === 'consent') ? 'no_consent' : 'no_address')
  if (terms.is_promotion && of.recent >= terms.limit) return leftOut('limit')
  return { channels, reason: null }
}

/** What sending to these people would do. */
export function buildPreview(people: readonly RecipientFacts[], terms: Terms, shown: number): BroadcastPreview {
  const plans = people.map((of) => ({ of, plan: planFor(of, terms) }))
  const left = plans.flatMap(({ of, plan }) =>
    plan.reason === null ? [] : [{ customer_id: of.customer_id, name: of.name, reason: plan.reason }],
  )
  const counted = new Map<LeftOutReason, number>()
  for (const { reason } of left) counted.set(reason, (counted.get(reason) ?? 0) + 1)
  return {
    total: people.length,
    reached: people.length - left.length,
    by_channel: terms.channels.map((channel) => ({
      channel,
      reached: plans.filter(({ plan }) => (plan.channels as readonly BroadcastChannel[]).includes(channel)).length,
      without_consent: people.filter((of) => whyNotBy(channel, of, terms) === 'consent').length,
      without_address: people.filter((of) => whyNotBy(channel, of, terms) === 'address').length,
    })),
    left_out: left.slice(0, shown),
    left_out_total: left.length,
    left_out_by: [...counted].map(([reason, count]) => ({ reason, count })),
  }
}

/** A text with the person's name and the studio's, in one pass: a name in the form of a variable stays text. */
export const filledText = (text: string, values: { nombre: string; negocio: string }): string =>
  text.replace(/\{\{\s*(nombre|negocio)\s*\}\}/g, (_all, key: 'nombre' | 'negocio') => values[key])

/** Variables that a text may not have, as it is written; null when all are known. */
export function unknownVariable(text: string): string | null {
  const rest = text.replace(/\{\{\s*(?:nombre|negocio)\s*\}\}/g, '')
  return /\{\{[^{}]*\}\}/.exec(rest)?.[0] ?? (/\{\{|\}\}/.exec(rest)?.[0] || null)
}
