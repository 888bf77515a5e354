/** What the profile of a customer is made of, for staff (docs/domain.md X17). */
import { acceptAtCounter, documentsToAccept } from '#server/modules/content/content.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { getMessagePreferences, setMessagePreferences } from '#server/modules/messages/messages.ts'
import { customerById } from '#server/modules/people/people.ts'
import { listAcceptancesOf, listAddressesOf, listCardsOf, listWaitlistsOf } from './records-store.ts'

const MOST_WAITLISTS = 100

interface OfCustomer {
  customer_id: number
}

/** GET /admin/customers/{customer_id}/waitlists. NOT_FOUND. */
export async function listWaitlistEntries(ctx: Ctx, { customer_id }: OfCustomer) {
  await customerById(ctx.db, customer_id)
  const rows = await listWaitlistsOf(ctx.db, customer_id, ctx.locationIds, MOST_WAITLISTS)
  return { waitlists: rows.map((row) => ({ ...row, timezone: row.timezone ?? ctx.zone })) }
}

/** GET /admin/customers/{customer_id}/accepted_pages. NOT_FOUND. */
export async function listAcceptances(ctx: Ctx, { customer_id }: OfCustomer) {
  await customerById(ctx.db, customer_id)
  const [accepted_pages, pending] = await Promise.all([listAcceptancesOf(ctx.db, customer_id), documentsToAccept(ctx.db, customer_id)])
  return { accepted_pages, pending }
}

/** POST /admin/customers/{customer_id}/accepted_pages. NOT_FOUND, DOCUMENT_CHANGED. */
export async function acceptDocument(ctx: Ctx, input: OfCustomer & Parameters<typeof acceptAtCounter>[1]) {
  await customerById(ctx.db, input.customer_id)
  await acceptAtCounter(ctx, input)
  return listAcceptances(ctx, input)
}

/** GET /admin/customers/{customer_id}/payment_sources. NOT_FOUND. */
export async function listSavedCards(ctx: Ctx, { customer_id }: OfCustomer) {
  await customerById(ctx.db, customer_id)
  return { payment_sources: await listCardsOf(ctx.db, customer_id) }
}

/** GET /admin/customers/{customer_id}/addresses. NOT_FOUND. */
export async function listAddresses(ctx: Ctx, { customer_id }: OfCustomer) {
  await customerById(ctx.db, customer_id)
  return { addresses: await listAddressesOf(ctx.db, customer_id) }
}

/** GET /admin/customers/{customer_id}/message_preferences. NOT_FOUND. */
export const getConsents = (ctx: Ctx, { customer_id }: OfCustomer) => getMessagePreferences(ctx, customer_id)

/**
 * PUT /admin/customers/{customer_id}/message_preferences: the customer's choices, with the place where they made them as the reason.
 * NOT_FOUND.
 */
export function recordConsents(
  ctx: Ctx,
  { customer_id, source, ...preferences }: OfCustomer & Parameters<typeof setMessagePreferences>[2] & { source: string },
) {
  return setMessagePreferences(ctx, customer_id, preferences, source)
}
