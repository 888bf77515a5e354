/** Which channels a customer allows, and since when (M2, BR2); the audit trail is the proof. */
import type { MessagePreferences } from '#contract/notifications.ts'
import { fromWallClock, type LocalDate } from '#contract/time.ts'
import { internationalNumber } from '#server/adapters/whatsapp/port.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { customerById } from '#server/modules/people/people.ts'
import type { Tx } from '#server/platform/db.ts'
import { deleteConsent, listConsents, upsertConsent } from './store.ts'

/** The caller's channel preferences, and since when (M2). */
export const preferences = (ctx: Ctx): Promise<{ preferences: MessagePreferences }> => getMessagePreferences(ctx, ctx.customer.customer_id)

/** The same of any customer. NOT_FOUND. */
export async function getMessagePreferences(ctx: Ctx, customer_id: number): Promise<{ preferences: MessagePreferences }> {
  const [row, consents] = await Promise.all([customerById(ctx.db, customer_id), listConsents(ctx.db, customer_id)])
  const of = (channel: 'mail' | 'whatsapp' | 'marketing') => {
    const found = consents.find((consent) => consent.channel === channel)
    return found ? { allowed: found.allowed, changedAt: found.changedAt.toISOString() } : null
  }
  const phone = row.phone && internationalNumber(row.phone)
  return {
    preferences: { whatsapp: of('whatsapp'), mail: of('mail'), marketing: of('marketing'), phone: phone ? `+${phone}` : null },
  }
}

interface Consents {
  whatsapp?: boolean | undefined
  mail?: boolean | undefined
  /** Promotions, by any channel (BR2). */
  marketing?: boolean | undefined
}

/** Gives or withdraws the caller's consent to a channel (M2). */
export const setPreferences = (ctx: Ctx, input: Consents): Promise<{ preferences: MessagePreferences }> =>
  setMessagePreferences(ctx, ctx.customer.customer_id, input)

/**
 * The same for any customer; the date and the audit trail are the proof, `source` is where the customer made the choice (M2). NOT_FOUND.
 */
export async function setMessagePreferences(
  ctx: Ctx,
  customer_id: number,
  input: Consents,
  source?: string,
): Promise<{ preferences: MessagePreferences }> {
  await ctx.tx(async (tx) => {
    await customerById(tx, customer_id)
    const before = await listConsents(tx, customer_id)
    for (const channel of ['whatsapp', 'mail', 'marketing'] as const) {
      const allowed = input[channel]
      if (allowed === undefined || before.find((customer) => customer.channel === channel)?.allowed === allowed) continue
      await upsertConsent(tx, { customer_id, channel, allowed, changedAt: ctx.now })
      const after = { channel, allowed }
      await ctx.audit(tx, {
        action: 'consent.change',
        entity: 'customer',
        entity_id: customer_id,
        after,
        ...(source ? { reason: source } : {}),
      })
    }
  })
  return getMessagePreferences(ctx, customer_id)
}

/**
 * Records a consent that was given elsewhere on a day, unless the customer answered about the channel already: their own answer counts. The
 * instant that was recorded; null: nothing was.
 */
export async function addImportedConsent(
  tx: Tx,
  ctx: Ctx,
  { customer_id, channel, on, reason }: { customer_id: number; channel: 'whatsapp' | 'marketing'; on: LocalDate; reason: string },
): Promise<Date | null> {
  if ((await listConsents(tx, customer_id)).some((consent) => consent.channel === channel)) return null
  const noon = fromWallClock(new Date(`${on}T12:00:00Z`), ctx.zone)
  const changedAt = noon > ctx.now ? ctx.now : noon
  await upsertConsent(tx, { customer_id, channel, allowed: true, changedAt })
  await ctx.audit(tx, {
    action: 'consent.change',
    entity: 'customer',
    entity_id: customer_id,
    after: { channel, allowed: true, on },
    reason,
  })
  return changedAt
}

/** Takes back a consent that an import recorded, unless the customer answered since. */
export async function eraseImportedConsent(
  tx: Tx,
  ctx: Ctx,
  { customer_id, channel, changedAt, reason }: { customer_id: number; channel: 'whatsapp' | 'marketing'; changedAt: Date; reason: string },
): Promise<void> {
  if (!(await deleteConsent(tx, { customer_id, channel, changedAt }))) return
  await ctx.audit(tx, { action: 'consent.change', entity: 'customer', entity_id: customer_id, after: { channel, allowed: false }, reason })
}

/** Gives or withdraws consent to promotions by the link of a broadcast (BR6). The same answer again changes nothing, nor its date. */
export async function recordPromotionConsent(
  tx: Tx,
  ctx: Ctx,
  { customer_id, allowed, broadcast_id }: { customer_id: number; allowed: boolean; broadcast_id: number },
): Promise<void> {
  const before = (await listConsents(tx, customer_id)).find(({ channel }) => channel === 'marketing')
  if (before?.allowed === allowed) return
  await upsertConsent(tx, { customer_id, channel: 'marketing', allowed, changedAt: ctx.now })
  const after = { channel: 'marketing', allowed, broadcast_id }
  await ctx.audit(tx, { action: 'consent.change', entity: 'customer', entity_id: customer_id, after })
}

/**
 * Withdraws the consents to promotions and to WhatsApp of a customer who left; messages about their reservations and money go by
 * mail (M12).
 */
export async function withdrawConsents(tx: Tx, ctx: Ctx, { customer_id, reason }: { customer_id: number; reason: string }): Promise<void> {
  for (const { channel, allowed } of await listConsents(tx, customer_id)) {
    if (!allowed || channel === 'mail') continue
    await upsertConsent(tx, { customer_id, channel, allowed: false, changedAt: ctx.now })
    await ctx.audit(tx, {
      action: 'consent.change',
      entity: 'customer',
      entity_id: customer_id,
      after: { channel, allowed: false },
      reason,
    })
  }
}
