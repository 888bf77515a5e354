/** Customers, staff, and the person behind a request (docs/domain.md, "People"). */

import { Refusal, refuse } from '#contract/errors.ts'
import { offersEnglish } from '#contract/language.ts'
import { pageCount } from '#contract/paging.ts'
import { CUSTOMERS_PER_PAGE, type CustomerChange, type CustomerSummary, type Signup } from '#contract/people.ts'
import type { Right, Role } from '#contract/rights.ts'
import { assertUnchanged } from '#server/modules/changed-meanwhile.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { searchPatterns, searchWords } from '#server/platform/search.ts'
import { endPushOfAccount } from './push-devices.ts'
import { missingBasics, reasonsOf, removesAccount, veiledEmail, whyNotClaim } from './rules.ts'
import {
  type CustomerRow,
  claimCustomer,
  countCustomers,
  findByPhone,
  findCustomerByUid,
  findCustomerRow,
  findPrincipal,
  findStaffByUid,
  hasOwner,
  insertCustomer,
  insertStaff,
  isPhoneTaken,
  listBestCustomers,
  listCustomers,
  listOwners,
  lockCustomerByEmail,
  lockCustomerRow,
  lockFirstOwner,
  unlinkMergedAccount,
  updateCustomer,
} from './store.ts'

export { findLastAddress, saveAddress } from './addresses.ts'
export { type Authorship, authorshipOf, findPrincipals, getAuthor } from './authors.ts'
export { addPastVisits, erasePastVisits, hadPastVisits, isVisit, listPastVisits, pastVisits } from './past-visits.ts'
export { forgetPushDevices, getsPush, hasPushDevice, listStaffWithPush, openPushDevices, staffHasPushDevice } from './push-devices.ts'
export type { UndoableAct } from './rules.ts'
export { endOtherSessions } from './sessions.ts'
export {
  anonymousCustomer,
  type CustomerRow,
  findMatchingCustomers,
  insertCustomer,
  isPhoneTaken,
  listTeamNames,
  lockCustomerByEmail,
  lockCustomerRow,
  matchingCustomers,
  updateCustomer,
} from './store.ts'
export { findUndo, listOpenUndos, recordUndo, takeUndo } from './undo.ts'
export { missingBasics, removesAccount, veiledEmail }

/** A customer's row. NOT_FOUND, also for a deleted one. */
export async function customerById(db: Reader, customer_id: number): Promise<CustomerRow> {
  const found = await findCustomerRow(db, customer_id)
  if (!found) throw refuse('NOT_FOUND')
  return found
}

/** The same; null without an id, and for an erased customer. */
export const findCustomer = async (db: Reader, customer_id: number | null | undefined): Promise<CustomerRow | null> =>
  customer_id == null ? null : ((await findCustomerRow(db, customer_id)) ?? null)

/**
 * The customer that a request is about: the one that staff with the right name, otherwise the caller (P7). Without the right the given id
 * is ignored. NOT_FOUND, NO_CUSTOMER.
 */
export async function requireCustomer(ctx: Ctx, db: Reader, requestedId: number | undefined, right: Right): Promise<CustomerRow> {
  return customerById(db, requestedId !== undefined && ctx.may(right) ? requestedId : ctx.customer.customer_id)
}

/** The staff role of a customer who also works at the studio; null for others. */
export async function getRole(db: Reader, uid: string | null): Promise<Role | null> {
  return uid === null ? null : ((await findStaffByUid(db, uid))?.role ?? null)
}

/** The account that signs up, from its token; the email in lower case. */
export interface SigningUp {
  uid: string
  email: string
  emailVerified: boolean
}

/**
 * Creates the customer of an identity account, or links the account to the customer that staff created with its verified email (P2, P3).
 * `present`: it already was a customer, and nothing changed. ACCOUNT_EXISTS, EMAIL_NOT_VERIFIED, PHONE_IN_USE.
 */
export async function becomeCustomer(
  ctx: Ctx,
  tx: Tx,
  account: SigningUp,
  input: Signup,
): Promise<{ customer_id: number; current: boolean }> {
  const current = (await findPrincipal(tx, account.uid)).customer
  if (current) return { customer_id: current.customer_id, current: true }
  if (!account.email) throw refuse('INVALID_INPUT', { field: 'email' })
  const found = await lockCustomerByEmail(tx, account.email)
  const no = whyNotClaim(found, account)
  if (no) throw no
  if (await isPhoneTaken(tx, input.phone, found?.customer_id)) throw refuse('PHONE_IN_USE')

  const reasons = reasonsOf({ ...input, signup_reason: input.signup_reason ?? null })
  if (reasons instanceof Refusal) throw reasons
  const { name, last_name, phone, birthdate = null, instagram = null } = input
  const values = { uid: account.uid, name, last_name, phone, birthdate, instagram: instagram || null, ...reasons, updatedAt: ctx.now }
  let customer_id: number
  if (found) {
    if (!(await claimCustomer(tx, found.customer_id, { ...values, archivedAt: null }))) throw refuse('ACCOUNT_EXISTS')
    customer_id = found.customer_id
    await ctx.audit(tx, { action: 'customer.claim', entity: 'customer', entity_id: customer_id, after: { uid: account.uid } })
  } else {
    customer_id = (await insertCustomer(tx, { ...values, email: account.email, createdAt: ctx.now })).customer_id
  }
  tx.notify({ topic: 'people', uid: account.uid })
  return { customer_id, current: false }
}

/**
 * Limits changes of the own phone to ten per hour and twenty per day, since they reveal whether a phone is in use (P5). TOO_MANY_REQUESTS.
 */
export async function slowPhoneChanges(ctx: Ctx, phone: string | undefined): Promise<void> {
  if (phone === undefined || ctx.may('customers.edit')) return
  const { customer_id } = ctx.customer
  if ((await customerById(ctx.db, customer_id)).phone === phone) return
  await ctx.throttle({ name: 'phone-change', subject: String(customer_id), max: 10, seconds: 3_600 })
  await ctx.throttle({ name: 'phone-change', subject: String(customer_id), max: 20, seconds: 86_400 })
}

/** Whether a phone (ten digits) is in use. Reveals no name, and is limited per address and minute (P5, settled 11). */
export async function phoneInUse(ctx: Ctx, input: { phone: string }): Promise<{ in_use: boolean }> {
  await ctx.throttle({ name: 'phone-lookup', subject: ctx.ip, max: 10, seconds: 60 })
  await ctx.throttle({ name: 'phone-lookup', subject: ctx.ip, max: 100, seconds: 86_400 })
  return { in_use: await isPhoneTaken(ctx.db, input.phone) }
}

/**
 * Creates a customer without an account, by staff (P3): found again by their mail or, without one, by their telephone. INVALID_INPUT when
 * neither is given, PHONE_IN_USE with the id and name of its customer unless `shares_phone` (P19), ACCOUNT_EXISTS.
 */
export async function createCustomer(
  ctx: Ctx,
  input: {
    name: string
    last_name: string
    email?: string | null | undefined
    phone?: string | null | undefined
    shares_phone?: boolean | undefined
  },
): Promise<{ customer_id: number }> {
  const email = input.email?.toLowerCase() ?? null
  const phone = input.phone ?? null
  if (email === null && phone === null)
    throw refuse('INVALID_INPUT', { issues: [{ path: 'phone', message: 'Escribe su teléfono o su correo.' }] })
  return ctx.once('customers.create', input, async (tx) => {
    const same = email ? await lockCustomerByEmail(tx, email) : null
    if (same) throw refuse('ACCOUNT_EXISTS', named(same))
    const owner = phone ? await findByPhone(tx, phone) : null
    if (owner && !input.shares_phone) throw refuse('PHONE_IN_USE', owner)
    const customer = await insertCustomer(tx, {
      name: input.name,
      last_name: input.last_name,
      email,
      phone,
      shares_phone: owner !== null,
      createdAt: ctx.now,
      updatedAt: ctx.now,
    })
    await ctx.audit(tx, {
      action: 'customer.create',
      entity: 'customer',
      entity_id: customer.customer_id,
      after: { email, name: input.name, last_name: input.last_name, ...(owner ? { shares_phone_of: owner.customer_id } : {}) },
    })
    tx.notify({ topic: 'people' })
    return { customer_id: customer.customer_id }
  })
}

const lineOf = ({ customer_id, name, last_name, email, phone, createdAt, uid }: CustomerRow): CustomerSummary => ({
  customer_id,
  name,
  last_name,
  email,
  phone,
  createdAt: createdAt.toISOString(),
  has_account: uid !== null,
})

/** All customers by name, 50 per page; `query` searches names, email and phone (P11). */
export async function allCustomers(ctx: Ctx, input: { query?: string | undefined; page: number }) {
  const patterns = searchPatterns(input.query ?? '')
  const stretch = { limit: CUSTOMERS_PER_PAGE, offset: (input.page - 1) * CUSTOMERS_PER_PAGE }
  const [rows, total] = await Promise.all([listCustomers(ctx.db, patterns, stretch), countCustomers(ctx.db, patterns)])
  return { customers: rows.map(lineOf), total, pages: pageCount(total, CUSTOMERS_PER_PAGE) }
}

const FEW = 10

/** The first few customers that match a search, for suggestions while typing. */
export async function searchCustomers(
  ctx: Ctx,
  input: { query: string },
): Promise<{ customers: Omit<CustomerSummary, 'createdAt' | 'has_account'>[] }> {
  const patterns = searchPatterns(input.query)
  if (patterns.length === 0) return { customers: [] }
  const [first = ''] = searchWords(input.query)
  return { customers: (await listBestCustomers(ctx.db, first, patterns, FEW)).map(lineOf) }
}

/** The other customer, for a refusal that staff read. */
const named = ({ customer_id, name, last_name }: CustomerRow) => ({ customer_id, name, last_name })

/**
 * Changes the given columns of a customer (P7 to P9). The caller has checked `files`. NOT_FOUND, PHONE_IN_USE, ACCOUNT_EXISTS,
 * INVALID_INPUT.
 */
export async function changeCustomer(
  ctx: Ctx,
  tx: Tx,
  customer_id: number,
  input: CustomerChange,
  files: { photo_file_id?: number | null; id_file_id?: number | null } = {},
): Promise<void> {
  const before = await lockCustomerRow(tx, customer_id)
  if (!before) throw refuse('NOT_FOUND')
  await assertUnchanged(tx, ctx, { entity: 'customer', id: customer_id, updatedAt: before.updatedAt }, input.if_updatedAt)
  const reasons = reasonsOf(input)
  if (reasons instanceof Refusal) throw reasons
  const email = ctx.may('customers.edit') ? input.email?.toLowerCase() : undefined
  if (email !== undefined && email !== before.email) {
    if (before.uid !== null)
      throw refuse('INVALID_INPUT', { issues: [{ path: 'email', message: 'Quien tiene cuenta cambia su correo desde su cuenta.' }] })
    const other = await lockCustomerByEmail(tx, email)
    if (other) throw refuse('ACCOUNT_EXISTS', named(other))
  }
  if (input.language === 'en' && !offersEnglish(ctx.settings))
    throw refuse('INVALID_INPUT', { issues: [{ path: 'language', message: 'El estudio no ofrece ese idioma.' }] })
  const isOtherPhone = input.phone !== undefined && input.phone !== before.phone
  const owner = isOtherPhone ? await findByPhone(tx, input.phone ?? '', customer_id) : null
  // Whose telephone it is, is for staff only.
  if (owner) throw refuse('PHONE_IN_USE', ctx.may('customers.edit') ? owner : {})
  const { name, last_name, phone, birthdate, language } = input
  const instagram = input.instagram === undefined ? undefined : input.instagram || null
  const values = {
    name,
    last_name,
    phone,
    email,
    birthdate,
    instagram,
    language,
    ...reasons,
    ...files,
    ...(isOtherPhone ? { shares_phone: false } : {}),
  }
  const changed = Object.fromEntries(
    Object.entries(values).filter(([key, value]) => value !== undefined && value !== before[key as keyof CustomerRow]),
  )
  if (Object.keys(changed).length === 0) return
  await updateCustomer(tx, customer_id, { ...changed, updatedAt: ctx.now })
  if (ctx.customerOrNull?.customer_id !== customer_id) {
    const was = Object.fromEntries(Object.keys(changed).map((key) => [key, before[key as keyof CustomerRow]]))
    await ctx.audit(tx, { action: 'customer.change', entity: 'customer', entity_id: customer_id, before: was, after: changed })
  }
  tx.notify({ topic: 'people', ...(before.uid ? { uid: before.uid } : {}) })
}

/** Copies the verified email of the account to the customer (P9). Not when another customer has it. Costs nothing while both are equal. */
export async function followEmail(ctx: Ctx): Promise<void> {
  const { actor } = ctx
  if (actor.kind !== 'identity' || !actor.customer || !actor.emailVerified) return
  const email = actor.email.toLowerCase()
  const { customer_id } = actor.customer
  if (email === actor.customer.email) return
  await ctx.tx(async (tx) => {
    const [before, other] = [await lockCustomerRow(tx, customer_id), await lockCustomerByEmail(tx, email)]
    // The account of a merged record does not change the email of the remaining one.
    if (!before || before.uid !== actor.uid || before.email === email || other) return
    await updateCustomer(tx, customer_id, { email, updatedAt: ctx.now })
    await ctx.audit(tx, { action: 'customer.email', entity: 'customer', entity_id: customer_id, before: before.email, after: email })
    tx.notify({ topic: 'people', uid: actor.uid })
  })
}

/**
 * Unlinks a deleted account from its customer, who keeps their purchases as if staff had created them (P3, P14). Otherwise the same email
 * could neither sign in nor sign up again.
 */
export async function leaveAccount(ctx: Ctx, input: { uid: string }): Promise<void> {
  await ctx.tx(async (tx) => {
    await endPushOfAccount(tx, input.uid)
    await unlinkMergedAccount(tx, input.uid)
    const found = await findCustomerByUid(tx, input.uid)
    if (!found) return
    await updateCustomer(tx, found.customer_id, { uid: null, updatedAt: ctx.now })
    await ctx.audit(tx, { action: 'customer.leave', entity: 'customer', entity_id: found.customer_id, before: { uid: input.uid } })
    // Without the account the subscriptions could not be cancelled, and the card would continue to be charged.
    await tx.send({ name: 'sales.account-left', data: { customer_id: found.customer_id } })
    await tx.send({ name: 'customers.account-left', data: { customer_id: found.customer_id } })
    tx.notify({ topic: 'people', uid: input.uid })
  })
}

/** Requests a password reset. The response is always the same; a job decides and sends the email (P12). */
export async function recoverPassword(ctx: Ctx, input: { email: string }): Promise<{ ok: true }> {
  const email = input.email.toLowerCase()
  await ctx.throttle({ name: 'recover', subject: ctx.ip, max: 20, seconds: 3_600 })
  // The identity service limits the number of emails per address, so no limit is needed here.
  await ctx.tx((tx) => tx.send({ name: RECOVERY_JOB, data: { email } }))
  return { ok: true }
}

export const RECOVERY_JOB = 'password-recovery'

/** Sends an email that verifies the caller's address; nothing when it is verified (P12). */
export async function confirmEmail(ctx: Ctx): Promise<{ sent: boolean }> {
  const { actor } = ctx
  if (actor.kind !== 'identity') throw refuse('UNAUTHENTICATED')
  ctx.requireOwnDevice()
  if (actor.emailVerified) return { sent: false }
  await ctx.throttle({ name: 'confirm-email', subject: actor.uid, max: 5, seconds: 3_600 })
  const language = actor.customer && (await customerById(ctx.db, actor.customer.customer_id)).language
  return { sent: await ctx.ports.identity.sendConfirmationLink(actor.uid, actor.token, language) }
}

/** Whether the studio has an owner. */
export async function isOwned(db: Reader): Promise<boolean> {
  return hasOwner(db)
}

/** Lets one transaction at a time create the first owner. */
export async function lockOwnership(tx: Tx): Promise<void> {
  await lockFirstOwner(tx)
}

/** Validity of the link of `npm run owner-link`, in ms. */
const OWNER_LINK_MS = 24 * 3_600_000

/**
 * Creates a link with which an owner sets a password, for the operator: for the first owner, or the one with this email. Throws an Error in
 * Spanish when there is none, or when the accounts are at Google.
 */
export async function makeOwnerLink(ctx: Ctx, wanted: string | undefined): Promise<{ name: string; email: string; url: string }> {
  const owners = await listOwners(ctx.db)
  const email = wanted?.toLowerCase()
  const owner = email ? owners.find((owner) => owner.email.toLowerCase() === email) : owners[0]
  if (!owner)
    throw new Error(
      email && owners.length > 0
        ? `${wanted} no es dueño de este estudio. Lo son: ${owners.map((owner) => owner.email).join(', ')}.`
        : 'Este estudio todavía no tiene dueño. Inícialo una vez con OWNER_EMAIL=persona@estudio.mx npm start, o abre el enlace que da npm run owner-link sin un correo.',
    )
  const url = await ctx.ports.identity.passwordLink(owner.uid, OWNER_LINK_MS)
  if (!url)
    throw new Error(
      `La cuenta de ${owner.email} no está en la base de datos del estudio: sus contraseñas se cambian en la consola de Google.`,
    )
  await ctx.tx((tx) => ctx.audit(tx, { action: 'owner.link', entity: 'staff', entity_id: owner.staff_id }))
  return { name: owner.name, email: owner.email, url }
}

/** Makes an account a staff member. */
export async function addStaff(
  ctx: Ctx,
  tx: Tx,
  member: { uid: string; name: string; email: string; role: Role; instructor_id?: number | null },
): Promise<{ staff_id: number }> {
  const staff = await insertStaff(tx, { ...member, email: member.email.toLowerCase(), createdAt: ctx.now })
  await ctx.audit(tx, { action: 'staff.add', entity: 'staff', entity_id: staff.staff_id, after: { role: member.role, email: staff.email } })
  tx.notify({ topic: 'people', uid: member.uid })
  return { staff_id: staff.staff_id }
}
