import { and, asc, desc, eq, isNotNull, isNull, ne, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { effectiveRights, type Right } from '#contract/rights.ts'
import type { CustomerPrincipal, StaffPrincipal } from '#server/modules/ctx.ts'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { escapeLike, hasPatterns } from '#server/platform/search.ts'
import { address, customer, staff, staffLocation, staffRight } from './tables.ts'

export type CustomerRow = typeof customer.$inferSelect
export type StaffRow = typeof staff.$inferSelect
export type AddressRow = typeof address.$inferSelect

const living = isNull(customer.deletedAt)

interface PrincipalRow extends Record<string, unknown> {
  customer_id: number | null
  customer_email: string
  customer_name: string
  staff_id: number | null
  role: StaffPrincipal['role']
  staff_name: string
  instructor_id: number | null
  added: Right[]
  removed: Right[]
  location_ids: number[] | null
}

/**
 * Customer and staff member of an identity account, in one query. The account of a record that was merged into another opens that one;
 * `email` is that of the account's own record, which `followEmail` compares with.
 */
export async function findPrincipal(
  db: Reader,
  uid: string,
): Promise<{ customer: CustomerPrincipal | null; staff: StaffPrincipal | null }> {
  const { rows } = await db.execute<PrincipalRow>(sql`
    select c.customer_id, own.email as customer_email, c.name as customer_name, s.staff_id, s.role, s.name as staff_name, s.instructor_id,
      array(select r."right" from ${staffRight} r where r.staff_id = s.staff_id and r.granted) as added,
      array(select r."right" from ${staffRight} r where r.staff_id = s.staff_id and not r.granted) as removed,
      (select array_agg(l.location_id order by l.location_id) from ${staffLocation} l where l.staff_id = s.staff_id) as location_ids
    from (select ${uid}::text as uid) a
    left join ${customer} own on own.uid = a.uid and (own."deletedAt" is null or own.merged_into is not null)
    left join ${customer} c on c.customer_id = coalesce(own.merged_into, own.customer_id) and c."deletedAt" is null
    left join ${staff} s on s.uid = a.uid and s."disabledAt" is null`)
  const [found] = rows
  return {
    customer: found?.customer_id ? { customer_id: found.customer_id, email: found.customer_email, name: found.customer_name } : null,
    staff: found?.staff_id
      ? {
          staff_id: found.staff_id,
          role: found.role,
          name: found.staff_name,
          instructor_id: found.instructor_id,
          rights: new Set(effectiveRights(found.role, found)),
          location_ids: found.location_ids,
        }
      : null,
  }
}

export async function findCustomerRow(db: Reader, customer_id: number): Promise<CustomerRow | null> {
  const [found] = await db
    .select()
    .from(customer)
    .where(and(eq(customer.customer_id, customer_id), living))
  return found ?? null
}

export async function findCustomerByUid(db: Reader, uid: string): Promise<CustomerRow | null> {
  const [found] = await db
    .select()
    .from(customer)
    .where(and(eq(customer.uid, uid), living))
  return found ?? null
}

/** Unlinks a deleted account from the record of it that was merged into another. */
export async function unlinkMergedAccount(tx: Tx, uid: string): Promise<void> {
  await tx
    .update(customer)
    .set({ uid: null })
    .where(and(eq(customer.uid, uid), isNotNull(customer.merged_into)))
}

/** Locks the customer with an email, so that concurrent claims wait for each other. */
export async function lockCustomerByEmail(tx: Tx, email: string): Promise<CustomerRow | null> {
  const [found] = await tx
    .select()
    .from(customer)
    .where(and(eq(customer.email, email), living))
    .for('update')
  return found ?? null
}

/** Whether a phone belongs to a customer other than `except`. */
export async function isPhoneTaken(db: Reader, phone: string, except?: number): Promise<boolean> {
  return (await findByPhone(db, phone, except)) !== null
}

/** The customer with a telephone of their own; a relative who shares it does not count (P19). */
export async function findByPhone(db: Reader, phone: string, except?: number) {
  const [found] = await db
    .select({ customer_id: customer.customer_id, name: customer.name, last_name: customer.last_name })
    .from(customer)
    .where(
      and(
        eq(customer.phone, phone),
        eq(customer.shares_phone, false),
        living,
        except === undefined ? undefined : ne(customer.customer_id, except),
      ),
    )
  return found ?? null
}

export async function insertCustomer(tx: Tx, values: typeof customer.$inferInsert): Promise<CustomerRow> {
  return singleRow(await tx.insert(customer).values(values).returning())
}

/** The record that counter sales without a customer belong to (S6); inserted when it is first needed. */
export async function anonymousCustomer(tx: Tx, now: Date): Promise<CustomerRow> {
  const ofStudio = eq(customer.is_anonymous, true)
  const [known] = await tx.select().from(customer).where(ofStudio)
  if (known) return known
  await tx
    .insert(customer)
    .values({ name: 'Público', last_name: 'en general', email: '', is_anonymous: true, createdAt: now, updatedAt: now, deletedAt: now })
    .onConflictDoNothing()
  return singleRow(await tx.select().from(customer).where(ofStudio))
}

/** Links a customer without an account to one; false when another request was faster. */
export async function claimCustomer(
  tx: Tx,
  customer_id: number,
  values: Partial<typeof customer.$inferInsert> & { uid: string },
): Promise<boolean> {
  const claimed = await tx
    .update(customer)
    .set(values)
    .where(and(eq(customer.customer_id, customer_id), isNull(customer.uid)))
    .returning({ customer_id: customer.customer_id })
  return claimed.length === 1
}

export async function findStaffByUid(db: Reader, uid: string): Promise<StaffRow | null> {
  const [found] = await db
    .select()
    .from(staff)
    .where(and(eq(staff.uid, uid), isNull(staff.disabledAt)))
  return found ?? null
}

/** Active owners, the first one first. */
export function listOwners(db: Reader): Promise<{ staff_id: number; uid: string; name: string; email: string }[]> {
  return db
    .select({ staff_id: staff.staff_id, uid: sql<string>`${staff.uid}`, name: staff.name, email: staff.email })
    .from(staff)
    .where(and(eq(staff.role, 'owner'), isNotNull(staff.uid), isNull(staff.disabledAt)))
    .orderBy(asc(staff.staff_id))
}

/** Advisory lock: of two concurrent claims of the first owner, one succeeds. */
const FIRST_OWNER_LOCK = 271_828_183

export async function lockFirstOwner(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${FIRST_OWNER_LOCK})`)
}

export async function hasOwner(db: Reader): Promise<boolean> {
  const [found] = await db
    .select({ staff_id: staff.staff_id })
    .from(staff)
    .where(and(eq(staff.role, 'owner'), isNotNull(staff.uid), isNull(staff.disabledAt)))
    .limit(1)
  return found !== undefined
}

/** All current and former staff by name, without open invitations. */
export async function listTeamNames(db: Reader): Promise<{ staff_id: number; name: string }[]> {
  return db
    .select({ staff_id: staff.staff_id, name: staff.name })
    .from(staff)
    .where(isNotNull(staff.uid))
    .orderBy(asc(staff.name), asc(staff.staff_id))
}

export async function insertStaff(tx: Tx, values: typeof staff.$inferInsert): Promise<StaffRow> {
  return singleRow(await tx.insert(staff).values(values).returning())
}

/** Reads and locks a customer whose own columns are about to change. */
export async function lockCustomerRow(tx: Tx, customer_id: number): Promise<CustomerRow | null> {
  const [found] = await tx
    .select()
    .from(customer)
    .where(and(eq(customer.customer_id, customer_id), living))
    .for('no key update')
  return found ?? null
}

export async function updateCustomer(tx: Tx, customer_id: number, values: Partial<typeof customer.$inferInsert>): Promise<CustomerRow> {
  return singleRow(await tx.update(customer).set(values).where(eq(customer.customer_id, customer_id)).returning())
}

function fits(patterns: readonly string[]): SQL | undefined {
  return and(living, hasPatterns(sql`${customer.search}`, patterns))
}

/**
 * A subquery with the ids of the customers whose name, email or telephone has all patterns; deleted ones too, under whose names money and
 * visits are found. Two branches, because the index of trigrams has those that are not deleted.
 */
export function matchingCustomers(patterns: readonly string[]): SQL {
  const matches = hasPatterns(sql`f.search`, patterns) ?? sql`true`
  return sql`(select f.customer_id from customer f where f."deletedAt" is null and ${matches}
    union all select f.customer_id from customer f where f."deletedAt" is not null and ${matches})`
}

/** More ids than this are not bound to a query: the subquery is read instead. */
const MOST_BOUND_IDS = 5_000

/**
 * Looks the customers up and returns the condition that a column has one of their ids. The ids are bound as values, so that the planner
 * knows how many there are: for a name that thousands have it walks a list in its order instead of sorting all rows of all of them.
 */
export async function findMatchingCustomers(db: Reader, patterns: readonly string[]): Promise<(id: SQLWrapper) => SQL> {
  const matching = matchingCustomers(patterns)
  const { rows } = await db.execute<{ customer_id: number }>(sql`select customer_id from ${matching} found limit ${MOST_BOUND_IDS + 1}`)
  if (rows.length > MOST_BOUND_IDS) return (id) => sql`${id} in ${matching}`
  return (id) => sql`${id} = any(${`{${rows.map((row) => row.customer_id).join(',')}}`}::integer[])`
}

/** Customers by name, paged. */
export async function listCustomers(
  db: Reader,
  patterns: readonly string[],
  stretch: { limit: number; offset: number },
): Promise<CustomerRow[]> {
  return db
    .select()
    .from(customer)
    .where(fits(patterns))
    .orderBy(asc(sql`lower(${customer.name})`), asc(sql`lower(${customer.last_name})`), asc(customer.customer_id))
    .limit(stretch.limit)
    .offset(stretch.offset)
}

/**
 * The first customers whose name, email or telephone has all patterns: those whose name begins with `first` before the others. The others
 * are searched only when those are too few.
 */
export async function listBestCustomers(db: Reader, first: string, patterns: readonly string[], limit: number): Promise<CustomerRow[]> {
  const begins = sql`${customer.search} like ${`${escapeLike(first)}%`}`
  const matching = (only: SQL, most: number) =>
    db
      .select()
      .from(customer)
      .where(and(only, fits(patterns)))
      .orderBy(asc(customer.search), asc(customer.customer_id))
      .limit(most)
  const beginning = await matching(begins, limit)
  return beginning.length === limit ? beginning : [...beginning, ...(await matching(sql`not ${begins}`, limit - beginning.length))]
}

export async function countCustomers(db: Reader, patterns: readonly string[]): Promise<number> {
  return db.$count(customer, fits(patterns))
}

/** A customer's addresses, last saved first. */
export async function listAddresses(db: Reader, customer_id: number): Promise<AddressRow[]> {
  return db.select().from(address).where(eq(address.customer_id, customer_id)).orderBy(desc(address.updatedAt), desc(address.Address_id))
}

/** One of a customer's own addresses; null for another customer's. */
export async function findAddress(db: Reader, Address_id: number, customer_id: number): Promise<AddressRow | null> {
  const [found] = await db
    .select()
    .from(address)
    .where(and(eq(address.Address_id, Address_id), eq(address.customer_id, customer_id)))
  return found ?? null
}

export async function insertAddress(tx: Tx, values: typeof address.$inferInsert): Promise<AddressRow> {
  return singleRow(await tx.insert(address).values(values).returning())
}

/** Null when it is not this customer's. */
export async function updateAddress(
  tx: Tx,
  own: { Address_id: number; customer_id: number },
  values: Partial<typeof address.$inferInsert>,
): Promise<AddressRow | null> {
  const [saved] = await tx
    .update(address)
    .set(values)
    .where(and(eq(address.Address_id, own.Address_id), eq(address.customer_id, own.customer_id)))
    .returning()
  return saved ?? null
}

export async function deleteAddress(tx: Tx, own: { Address_id: number; customer_id: number }): Promise<boolean> {
  const deleted = await tx
    .delete(address)
    .where(and(eq(address.Address_id, own.Address_id), eq(address.customer_id, own.customer_id)))
    .returning({ Address_id: address.Address_id })
  return deleted.length === 1
}
