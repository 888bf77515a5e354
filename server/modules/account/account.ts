/** What takes every module to say: "me", and a customer as the administration sees them. Owns no table. */
import type { Customer, Signup } from '#contract/people.ts'
import { acceptedPages } from '#server/modules/content/content.ts'
import { creditSummary } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { customerById, roleOf, signUp } from '#server/modules/people/people.ts'
import { listPurchaseFacts } from './store.ts'

/** The signed-in customer with what the client needs to know about them (S1-3.23; spec 2 section 3). */
export async function me(ctx: Ctx): Promise<{ customer: Customer }> {
  return { customer: await wholeCustomer(ctx, ctx.customer.customer_id) }
}

/** Makes the customer of a fresh identity account and answers it (P2 to P4). */
export async function register(ctx: Ctx, ask: Signup): Promise<{ customer: Customer }> {
  return { customer: await wholeCustomer(ctx, await signUp(ctx, ask)) }
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
