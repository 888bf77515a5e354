/** Queries of credits; the only writes to lots and movements. A trigger of the database maintains the balance. */
import { and, asc, eq, getTableColumns, gt, gte, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import { classPackage, classPackageType, classType, location } from '#server/modules/catalogue/tables.ts'
import { prepared, type Reader, type Tx } from '#server/platform/db.ts'
import { preparedWrite } from '#server/platform/prepared-writes.ts'
import type { CreditLotFacts } from './rules.ts'
import { availableClass, creditMovement } from './tables.ts'

export type CreditLotRow = typeof availableClass.$inferSelect & CreditLotFacts
export type Movement = typeof creditMovement.$inferInsert

/** A lot with the names of its restrictions. */
export interface NamedCreditLot extends CreditLotRow {
  class_types: string
  locations: string
}

const facts = {
  ...getTableColumns(availableClass),
  is_event: sql<boolean>`coalesce(${classPackage.is_special_event}, false)`.as('is_event'),
}
const names = {
  class_types:
    sql<string>`coalesce((select string_agg(t.name, ', ' order by t.sort, t.name) from class_type t where t.class_type_id = any(${availableClass.class_type_ids})), '')`.as(
      'class_types',
    ),
  locations:
    sql<string>`coalesce((select string_agg(o.name, ', ' order by o.sort, o.name) from location o where o.location_id = any(${availableClass.location_ids})), '')`.as(
      'locations',
    ),
}

const fromPackage = eq(classPackage.class_package_id, availableClass.class_package_id)
const hasCredit = or(availableClass.unlimited, sql`${availableClass.balance} > 0`)
/** `now` less a day: expiry is compared in the class's own zone, up to some hours behind the studio's. */
const notLongExpired = (at: SQL | Date) => or(isNull(availableClass.expires_at), gte(availableClass.expires_at, at))

/** Lots with a balance that are not long expired, or the lot that paid for a host's reservation, whatever its balance. */
const livingOrHost = and(
  isNull(availableClass.revokedAt),
  or(
    and(hasCredit, notLongExpired(sql`${sql.placeholder('since')}`)),
    eq(availableClass.available_class_id, sql`${sql.placeholder('host_lot')}`),
  ),
)

const living = prepared('credits.living', (on: Reader) =>
  on
    .select({ ...facts, ...names })
    .from(availableClass)
    .leftJoin(classPackage, fromPackage)
    .where(and(eq(availableClass.customer_id, sql.placeholder('customer_id')), livingOrHost))
    .orderBy(asc(availableClass.available_class_id)),
)

const DAY = 86_400_000

/** A customer's lots with a balance that did not expire more than a day ago; `hostCreditLot` is included even when it is empty. */
export function listCreditLots(on: Reader, customer_id: number, now: Date, hostCreditLot: number | null = null): Promise<NamedCreditLot[]> {
  return living(on).execute({ customer_id, since: new Date(now.getTime() - DAY).toISOString(), host_lot: hostCreditLot ?? 0 })
}

/** The same for some customers at once, without names: for sums. */
export function listCreditLotsOf(on: Reader, customer_ids: readonly number[], now: Date): Promise<CreditLotRow[]> {
  return on
    .select(facts)
    .from(availableClass)
    .leftJoin(classPackage, fromPackage)
    .where(
      and(
        inArray(availableClass.customer_id, [...customer_ids]),
        isNull(availableClass.revokedAt),
        hasCredit,
        notLongExpired(new Date(now.getTime() - DAY)),
      ),
    )
    .orderBy(asc(availableClass.available_class_id))
}

const lockedCreditLots = prepared('credits.locked', (on: Tx) =>
  on
    .select(facts)
    .from(availableClass)
    .leftJoin(classPackage, fromPackage)
    .where(and(eq(availableClass.customer_id, sql.placeholder('customer_id')), livingOrHost))
    .orderBy(asc(availableClass.available_class_id))
    .for('no key update', { of: availableClass }),
)

/** The same, locked in the order of their ids until the transaction ends. */
export function lockCreditLots(tx: Tx, customer_id: number, now: Date, hostCreditLot: number | null): Promise<CreditLotRow[]> {
  return lockedCreditLots(tx).execute({ customer_id, since: new Date(now.getTime() - DAY).toISOString(), host_lot: hostCreditLot ?? 0 })
}

/**
 * The name of the first restriction with an unknown class type or location; null when all exist. Locks the existing ones until the
 * transaction ends, so that removing one waits and then sees the lot (K8).
 */
export async function findUnoffered(
  tx: Tx,
  input: { class_type_ids?: number[] | null | undefined; location_ids?: number[] | null | undefined },
): Promise<'class_type_ids' | 'location_ids' | null> {
  const types = [...new Set(input.class_type_ids ?? [])]
  const locationIds = [...new Set(input.location_ids ?? [])]
  const offered = types.length
    ? await tx
        .select({ id: classType.class_type_id })
        .from(classType)
        .where(and(inArray(classType.class_type_id, types), isNull(classType.deletedAt)))
        .for('key share')
    : []
  if (offered.length < types.length) return 'class_type_ids'
  const open = locationIds.length
    ? await tx
        .select({ id: location.location_id })
        .from(location)
        .where(and(inArray(location.location_id, locationIds), isNull(location.deletedAt)))
        .for('key share')
    : []
  return open.length < locationIds.length ? 'location_ids' : null
}

/** All lots of a customer with the names of their restrictions, soonest expiry first; `id`: only that one. */
export async function listAllCreditLots(on: Reader, customer_id: number, id?: number): Promise<NamedCreditLot[]> {
  return on
    .select({ ...facts, ...names })
    .from(availableClass)
    .leftJoin(classPackage, fromPackage)
    .where(and(eq(availableClass.customer_id, customer_id), id === undefined ? undefined : eq(availableClass.available_class_id, id)))
    .orderBy(sql`${availableClass.expires_at} asc nulls last`, asc(availableClass.available_class_id))
}

/** Lots by id, locked in the order of their ids. */
export function lockCreditLotsById(tx: Tx, ids: readonly number[]): Promise<CreditLotRow[]> {
  return tx
    .select(facts)
    .from(availableClass)
    .leftJoin(classPackage, fromPackage)
    .where(inArray(availableClass.available_class_id, [...ids]))
    .orderBy(asc(availableClass.available_class_id))
    .for('no key update', { of: availableClass })
}

/** The lots that a purchase granted in one period, or in all of them, locked in the order of their ids. */
export function lockCreditLotsOfPurchase(tx: Tx, of: { purchase_id: number; period: string | null }): Promise<CreditLotRow[]> {
  return tx
    .select(facts)
    .from(availableClass)
    .leftJoin(classPackage, fromPackage)
    .where(and(eq(availableClass.purchase_id, of.purchase_id), of.period === null ? undefined : eq(availableClass.period, of.period)))
    .orderBy(asc(availableClass.available_class_id))
    .for('no key update', { of: availableClass })
}

export async function updateCreditLot(tx: Tx, available_class_id: number, change: Partial<typeof availableClass.$inferInsert>) {
  await tx.update(availableClass).set(change).where(eq(availableClass.available_class_id, available_class_id))
}

/** Usable lots that expire between two instants and do not renew; of all customers, or of one. */
export function listEnding(on: Reader, from: Date, until: Date, of: { customer_id?: number } = {}) {
  return on
    .select(facts)
    .from(availableClass)
    .leftJoin(classPackage, fromPackage)
    .where(
      and(
        of.customer_id === undefined ? undefined : eq(availableClass.customer_id, of.customer_id),
        isNull(availableClass.revokedAt),
        isNull(availableClass.frozenAt),
        hasCredit,
        gte(availableClass.expires_at, from),
        lte(availableClass.expires_at, until),
        sql`not coalesce(${classPackage.is_subscription}, false)`,
      ),
    )
    .orderBy(asc(availableClass.available_class_id))
}

const terms = prepared('credits.terms', (on: Reader) =>
  on
    .select({
      title: classPackage.title,
      class_amount: classPackage.class_amount,
      expiration_days: classPackage.expiration_days,
      clock_starts: classPackage.clock_starts,
      is_online: classPackage.is_online,
      guests_use_credit: classPackage.guests_use_credit,
      location_ids: classPackage.location_ids,
      allowed_times: classPackage.allowed_times,
    })
    .from(classPackage)
    .where(eq(classPackage.class_package_id, sql.placeholder('class_package_id'))),
)
const termsByType = prepared('credits.termsByType', (on: Reader) =>
  on
    .select()
    .from(classPackageType)
    .where(eq(classPackageType.class_package_id, sql.placeholder('class_package_id')))
    .orderBy(asc(classPackageType.class_type_id)),
)

/** The package's credits: its general terms and those per class type. */
export async function findTerms(on: Tx, class_package_id: number) {
  const [[classPackage], types] = await Promise.all([
    terms(on).execute({ class_package_id }),
    termsByType(on).execute({ class_package_id }),
  ])
  return classPackage ? { pack: classPackage, types } : null
}

const insertedCreditLot = preparedWrite('credits.insertLot', availableClass, (tx, row: typeof availableClass.$inferInsert) =>
  tx.insert(availableClass).values(row).onConflictDoNothing().returning(),
)

/** Inserts lots; those of a (purchase, period) that was granted before are left out. */
export async function insertCreditLots(tx: Tx, creditLots: (typeof availableClass.$inferInsert)[]) {
  const [first] = creditLots
  if (first === undefined) return []
  if (creditLots.length === 1) return insertedCreditLot(tx, first)
  return tx.insert(availableClass).values(creditLots).onConflictDoNothing().returning()
}

const moved = prepared('credits.move', (on: Tx) =>
  on.insert(creditMovement).values({
    available_class_id: sql.placeholder('available_class_id'),
    customer_id: sql.placeholder('customer_id'),
    kind: sql.placeholder('kind'),
    amount: sql.placeholder('amount'),
    class_reservation_id: sql.placeholder('class_reservation_id'),
    actor: sql.placeholder('actor'),
    reason: sql.placeholder('reason'),
    createdAt: sql`${sql.placeholder('now')}`,
  }),
)

/** Inserts movements; a trigger adds them to the balances. */
export async function insertMovements(tx: Tx, movements: readonly Movement[]): Promise<void> {
  for (const { createdAt, class_reservation_id = null, reason = null, ...rest } of movements)
    tx.fireAndForget(moved(tx).execute({ ...rest, class_reservation_id, reason, now: createdAt.toISOString() }))
}

/** Adds days, on the studio's clock, to the end of lots that are valid at an instant; locks them in the order of their ids. */
export async function extendCreditLots(
  tx: Tx,
  of: { validAt: Date; location_ids: readonly number[] | null; days: number; now: Date; zone: string },
): Promise<Pick<CreditLotRow, 'available_class_id' | 'customer_id'>[]> {
  const there =
    of.location_ids === null ? sql`` : sql`and (l.location_ids is null or l.location_ids && ${`{${of.location_ids.join(',')}}`}::integer[])`
  const { rows } = await tx.execute<{ available_class_id: number; customer_id: number }>(sql`with locked as (
      select l.available_class_id from available_class l where l.expires_at >= ${of.validAt.toISOString()}::timestamptz and l.expires_at > ${of.now.toISOString()}::timestamptz
        and l."revokedAt" is null and l."frozenAt" is null and (l.unlimited or l.balance > 0) ${there}
      order by l.available_class_id for update)
    update available_class a set expires_at = ((a.expires_at at time zone ${of.zone}) + make_interval(days => ${of.days}::integer)) at time zone ${of.zone}
    from locked where a.available_class_id = locked.available_class_id
    returning a.available_class_id, a.customer_id`)
  return rows
}

export async function setExpiry(tx: Tx, available_class_id: number, expires_at: Date | null) {
  await tx.update(availableClass).set({ expires_at }).where(eq(availableClass.available_class_id, available_class_id))
}

/** Lots of a purchase that would expire after an instant expire at it; returns them. */
export async function shortenCreditLots(tx: Tx, purchase_id: number, at: Date) {
  return tx
    .update(availableClass)
    .set({ expires_at: at })
    .where(and(eq(availableClass.purchase_id, purchase_id), or(isNull(availableClass.expires_at), gt(availableClass.expires_at, at))))
    .returning({ available_class_id: availableClass.available_class_id, customer_id: availableClass.customer_id })
}

/** Stops the clock of a lot that starts at the first class, once every credit spent from it was returned (C7). */
export async function stopClock(tx: Tx, available_class_id: number) {
  await tx.execute(sql`
    update available_class l set expires_at = null
    where l.available_class_id = ${available_class_id} and l.days_from_first_class is not null and not exists (
      select 1 from credit_movement s where s.available_class_id = l.available_class_id and s.kind = 'spend' and not exists (
        select 1 from credit_movement b where b.class_reservation_id = s.class_reservation_id and b.kind = 'give_back'))`)
}

const spendsOf = prepared('credits.spends', (on: Tx) =>
  on
    .select({ class_reservation_id: creditMovement.class_reservation_id, amount: creditMovement.amount, creditLot: facts })
    .from(creditMovement)
    .innerJoin(availableClass, eq(availableClass.available_class_id, creditMovement.available_class_id))
    .leftJoin(classPackage, fromPackage)
    .where(and(sql`${creditMovement.class_reservation_id} = any(${sql.placeholder('reservations')})`, eq(creditMovement.kind, 'spend')))
    // In the common lock order; prevents that a lot is revoked or its clock stopped in between.
    .orderBy(asc(availableClass.available_class_id), asc(creditMovement.credit_movement_id))
    .for('no key update', { of: availableClass }),
)

/** What was spent for these reservations, with the lots, which are locked. */
export function listSpends(tx: Tx, reservations: readonly number[]) {
  return spendsOf(tx).execute({ reservations: `{${reservations.join(',')}}` })
}

/** What was done with some lots: the kinds of their movements. */
export async function listMovementKinds(on: Reader, ids: readonly number[]): Promise<Movement['kind'][]> {
  const rows = await on
    .selectDistinct({ kind: creditMovement.kind })
    .from(creditMovement)
    .where(inArray(creditMovement.available_class_id, [...ids]))
  return rows.map(({ kind }) => kind)
}

/** Deletes a lot and its movements; false, and nothing is deleted, when there are others than its grant and what `reservations` spent. */
export async function eraseCreditLot(tx: Tx, available_class_id: number, reservations: readonly number[]): Promise<boolean> {
  const movements = await tx
    .select({ kind: creditMovement.kind, class_reservation_id: creditMovement.class_reservation_id })
    .from(creditMovement)
    .where(eq(creditMovement.available_class_id, available_class_id))
  const isOwn = ({ kind, class_reservation_id }: (typeof movements)[number]) =>
    kind === 'grant' || (kind === 'spend' && class_reservation_id !== null && reservations.includes(class_reservation_id))
  if (!movements.every(isOwn)) return false
  await tx.delete(creditMovement).where(eq(creditMovement.available_class_id, available_class_id))
  await tx.delete(availableClass).where(eq(availableClass.available_class_id, available_class_id))
  return true
}
