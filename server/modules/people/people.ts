/** Customers, staff, and who is asking (docs/domain.md, "People"). */
import { refuse } from '#contract/errors.ts'
import type { Role, Signup } from '#contract/people.ts'
import type { Ctx, CustomerPrincipal, StaffPrincipal } from '#server/modules/ctx.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { removesAccount, whyNotClaim } from './rules.ts'
import {
  type CustomerRow,
  claimCustomer,
  findCustomerByUid,
  findCustomerRow,
  findPrincipal,
  findStaffByUid,
  hasOwner,
  insertCustomer,
  insertStaff,
  isPhoneTaken,
  lockCustomerByEmail,
} from './store.ts'

export type { CustomerRow } from './store.ts'
export { removesAccount }

/** Customer and staff member behind an identity account; both null for a fresh account. One query; app.ts keeps the answer for a moment. */
export async function principal(db: Reader, uid: string): Promise<{ customer: CustomerPrincipal | null; staff: StaffPrincipal | null }> {
  return findPrincipal(db, uid)
}

/** A customer's row. NOT_FOUND, also for a deleted one. */
export async function customerById(db: Reader, customer_id: number): Promise<CustomerRow> {
  const found = await findCustomerRow(db, customer_id)
  if (!found) throw refuse('NOT_FOUND')
  return found
}

/** The role of a customer who also works here. */
export async function roleOf(db: Reader, uid: string | null): Promise<Role | null> {
  return uid === null ? null : ((await findStaffByUid(db, uid))?.role ?? null)
}

/** The account that signs up, as its token says; the address in lower case. */
export interface SigningUp {
  uid: string
  email: string
  emailVerified: boolean
}

/**
 * Makes the customer of an identity account, or gives the account what reception wrote down under its proven address (P2, P3).
 * `present`: it was a customer already, and nothing changed. ACCOUNT_EXISTS, EMAIL_NOT_VERIFIED, PHONE_IN_USE.
 */
export async function becomeCustomer(
  ctx: Ctx,
  tx: Tx,
  account: SigningUp,
  ask: Signup,
): Promise<{ customer_id: number; present: boolean }> {
  const present = await findCustomerByUid(tx, account.uid)
  if (present) return { customer_id: present.customer_id, present: true }
  if (!account.email) throw refuse('INVALID_INPUT', { field: 'email' })
  const found = await lockCustomerByEmail(tx, account.email)
  const no = whyNotClaim(found, account)
  if (no) throw no
  if (await isPhoneTaken(tx, ask.phone, found?.customer_id)) throw refuse('PHONE_IN_USE')

  const { name, last_name, phone, birthdate = null, instagram = null, signup_reason = null, signup_reason_other = null } = ask
  const told = { uid: account.uid, name, last_name, phone, birthdate, instagram, signup_reason, signup_reason_other, updatedAt: ctx.now }
  let customer_id: number
  if (found) {
    if (!(await claimCustomer(tx, found.customer_id, told))) throw refuse('ACCOUNT_EXISTS')
    customer_id = found.customer_id
    await ctx.audit(tx, { action: 'customer.claim', entity: 'customer', entity_id: customer_id, after: { uid: account.uid } })
  } else {
    customer_id = (await insertCustomer(tx, { ...told, email: account.email, createdAt: ctx.now })).customer_id
  }
  tx.notify({ topic: 'people', uid: account.uid })
  return { customer_id, present: false }
}

/** Whether a phone (ten digits) is in use. Names nobody, and answers few times a minute per address (P5, decision 11). */
export async function phoneInUse(ctx: Ctx, ask: { phone: string }): Promise<{ in_use: boolean }> {
  await ctx.throttle({ name: 'phone-lookup', who: ctx.ip, max: 10, seconds: 60 })
  await ctx.throttle({ name: 'phone-lookup', who: ctx.ip, max: 100, seconds: 86_400 })
  return { in_use: await isPhoneTaken(ctx.db, ask.phone) }
}

/** Reception writes somebody down who has no account yet (P3). PHONE_IN_USE, ACCOUNT_EXISTS. */
export async function createCustomer(
  ctx: Ctx,
  ask: { name: string; last_name: string; email: string; phone?: string | null | undefined },
): Promise<{ customer_id: number }> {
  return ctx.tx(async (tx) => {
    const email = ask.email.toLowerCase()
    if (await lockCustomerByEmail(tx, email)) throw refuse('ACCOUNT_EXISTS')
    const phone = ask.phone ?? null
    if (phone && (await isPhoneTaken(tx, phone))) throw refuse('PHONE_IN_USE')
    const made = await insertCustomer(tx, {
      name: ask.name,
      last_name: ask.last_name,
      email,
      phone,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    await ctx.audit(tx, {
      action: 'customer.create',
      entity: 'customer',
      entity_id: made.customer_id,
      after: { email, name: ask.name, last_name: ask.last_name },
    })
    tx.notify({ topic: 'people' })
    return { customer_id: made.customer_id }
  })
}

/** Whether anybody owns this studio. */
export async function isOwned(db: Reader): Promise<boolean> {
  return hasOwner(db)
}

/** Makes an account one of the staff. */
export async function addStaff(
  ctx: Ctx,
  tx: Tx,
  member: { uid: string; name: string; email: string; role: Role; instructor_id?: number | null },
): Promise<{ staff_id: number }> {
  const made = await insertStaff(tx, { ...member, email: member.email.toLowerCase(), createdAt: ctx.now })
  await ctx.audit(tx, { action: 'staff.add', entity: 'staff', entity_id: made.staff_id, after: { role: member.role, email: made.email } })
  tx.notify({ topic: 'people', uid: member.uid })
  return { staff_id: made.staff_id }
}
