/** What takes every module to say or do: "me", sign-up, a customer as the administration sees them. Owns no table. */
import { refuse } from '#contract/errors.ts'
import type { Customer, Signup } from '#contract/people.ts'
import { acceptAtSignup, acceptedPages } from '#server/modules/content/content.ts'
import { creditSummary } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { becomeCustomer, customerById, principal, removesAccount, roleOf } from '#server/modules/people/people.ts'
import { listPurchaseFacts } from './store.ts'

/** The signed-in customer with what the client needs to know about them (S1-3.23; spec 2 section 3). */
export async function me(ctx: Ctx): Promise<{ customer: Customer }> {
  return { customer: await wholeCustomer(ctx, ctx.customer.customer_id) }
}

/**
 * Makes the customer of a fresh identity account, with its accepted documents, in one transaction. Repeating it is harmless.
 * FORBIDDEN (another account's uid), ACCOUNT_EXISTS, EMAIL_NOT_VERIFIED, PHONE_IN_USE, DOCUMENTS_REQUIRED. A failure removes the
 * identity account, so that no half account stays (P2 to P4, S1-4.37, S1-5.11, S1-8.05, S1-8.06).
 */
export async function signUp(ctx: Ctx, ask: Signup): Promise<{ customer: Customer }> {
  const { actor } = ctx
  if (actor.kind !== 'identity') throw refuse('UNAUTHENTICATED')
  if (ask.uid !== actor.uid) throw refuse('FORBIDDEN')
  await ctx.throttle({ name: 'signup', who: actor.uid, max: 20, seconds: 3_600 })
  const account = { uid: actor.uid, email: actor.email.toLowerCase(), emailVerified: actor.emailVerified }
  const customer_id = await ctx
    .tx(async (tx) => {
      const made = await becomeCustomer(ctx, tx, account, ask)
      if (!made.present) await acceptAtSignup(tx, made.customer_id, ask.accepted_pages, ctx.now)
      return made.customer_id
    })
    .catch((failure: unknown) => afterFailure(ctx, account.uid, failure))
  return { customer: await wholeCustomer(ctx, customer_id) }
}

/** Leaves no half account behind. When a twin of the request was faster, its customer is the answer; otherwise the failure goes on. */
async function afterFailure(ctx: Ctx, uid: string, failure: unknown): Promise<number> {
  // Without knowing what the account owns, nothing is removed.
  const owns = await principal(ctx.db, uid).catch(() => null)
  if (owns?.customer) return owns.customer.customer_id
  if (owns && removesAccount(failure, owns))
    await ctx.ports.identity
      .removeAccount(uid)
      .catch((error: unknown) => ctx.studio.log.error({ error, uid }, 'the account of a failed sign-up could not be removed'))
  throw failure
}

/** One customer, for staff. NOT_FOUND. */
export async function findCustomer(ctx: Ctx, ask: { customer_id: number }): Promise<{ customer: Customer }> {
  return { customer: await wholeCustomer(ctx, ask.customer_id) }
}

async function wholeCustomer(ctx: Ctx, customer_id: number): Promise<Customer> {
  const row = await customerById(ctx.db, customer_id)
  const [role, credits, accepted_pages, purchases] = await Promise.all([
    roleOf(ctx.db, row.uid),
    creditSummary(ctx, customer_id),
    acceptedPages(ctx.db, customer_id),
    listPurchaseFacts(ctx.db, customer_id),
  ])
  return {
    customer_id,
    uid: row.uid ?? '',
    name: row.name,
    last_name: row.last_name,
    email: row.email,
    phone: row.phone,
    birthdate: row.birthdate,
    instagram: row.instagram,
    signup_reason: row.signup_reason,
    signup_reason_other: row.signup_reason_other,
    createdAt: row.createdAt.toISOString(),
    has_unlimited: credits.has_unlimited,
    unlimited_membership_expiration: credits.unlimited_membership_expiration,
    unlimited_max_no_shows_for_penalty: ctx.settings.unlimited_max_no_shows_for_penalty,
    accepted_pages,
    purchases,
    role,
  }
}
