/** What the figures of Hoy are counted from, across lower modules; writes nothing. */
import { type SQL, sql } from 'drizzle-orm'
import { activeCustomers } from '#server/modules/customers/customers.ts'
import type { Reader } from '#server/platform/db.ts'
import { instantValue } from '#server/platform/sql-values.ts'
import type { Stretch } from './rules.ts'

/** The locations that are counted; null = all, and what belongs to none. */
export type Locations = readonly number[] | null

/** `column` within a half-open interval. */
export const within = (column: SQL, { from, until }: Stretch): SQL =>
  sql`${column} >= ${instantValue(from)} and ${column} < ${instantValue(until)}`

/** `and column in (...)`; nothing where all locations count. */
export function atLocations(column: SQL, locations: Locations): SQL {
  if (locations === null) return sql``
  return sql`and ${column} = any(${`{${locations.join(',')}}`}::integer[])`
}

/** The one row of an aggregate. */
export async function oneRow<R extends Record<string, unknown>>(db: Reader, query: SQL): Promise<R> {
  const [row] = (await db.execute(query)).rows
  if (!row) throw new Error('An aggregate answered no row.')
  return row as R
}

/**
 * The movements of collected money in the stretch, each on its own day, so that a day that is over never changes (V23): charges taken, less
 * what went back and what banks took. The same movements as the list of charges adds: nothing that a gift card paid. Columns: `kind`,
 * `instantValue`, `centavos`, and columns of the charge. `which`: other charges `i` than those.
 */
export function collectedMovements(stretch: Stretch, locations: Locations, which: SQL = sql`i.gateway <> 'regalo'`): SQL {
  const charges = sql`i.status not in ('pending', 'void') and ${which} ${atLocations(sql`i.location_id`, locations)}`
  const paidAt = sql`coalesce(i."paidAt", i."createdAt")`
  const charge = sql.raw(
    'i.purchase_id, i.payment_method_id, i.location_id, i.staff_id, i.gateway, i.total_centavos, i.tax_centavos, i.tax_rate, i.tax_exempt',
  )
  return sql`
    select 'charge' as kind, ${paidAt} as at, i.total_centavos as centavos, ${charge} from invoice i where ${within(paidAt, stretch)} and ${charges}
    union all select 'refund', r."doneAt", -r.amount_centavos, ${charge}
      from refund r join invoice i using (invoice_id) where ${within(sql`r."doneAt"`, stretch)} and ${charges}
    union all select 'returned', r."returnedAt", r.amount_centavos, ${charge}
      from refund r join invoice i using (invoice_id) where ${within(sql`r."returnedAt"`, stretch)} and ${charges}
    union all select 'lost', d."createdAt", -d.amount_centavos, ${charge}
      from dispute_movement d join invoice i using (invoice_id) where ${within(sql`d."createdAt"`, stretch)} and ${charges}`
}

/** The sum of `collectedMovements`, in centavos. */
export async function sumCollected(db: Reader, stretch: Stretch, locations: Locations): Promise<number> {
  const movements = collectedMovements(stretch, locations)
  const row = await oneRow<{ collected: number }>(db, sql`select coalesce(sum(m.centavos), 0)::float8 as collected from (${movements}) m`)
  return row.collected
}

/** Places taken and places there were, of classes that began in the stretch, were not cancelled and have a capacity. */
export async function sumOccupancy(db: Reader, stretch: Stretch, locations: Locations): Promise<{ taken: number; capacity: number }> {
  return oneRow(
    db,
    sql`select coalesce(sum(c.taken), 0)::float8 as taken, coalesce(sum(c.capacity), 0)::float8 as capacity from single_class c
      where ${within(sql`c.starts_at`, stretch)} and c."cancelledAt" is null and c.capacity > 0 ${atLocations(sql`c.location_id`, locations)}`,
  )
}

/** Marked reservations of classes that began in the period: attended, and absent without an excuse. */
export async function countMarks(db: Reader, stretch: Stretch, locations: Locations): Promise<{ attended: number; absent: number }> {
  return oneRow(
    db,
    sql`select count(*) filter (where r.attend)::float8 as attended,
        count(*) filter (where not r.attend and r.excuse is null)::float8 as absent
      from single_class c join class_reservation r using (single_class_id)
      where ${within(sql`c.starts_at`, stretch)} and c."cancelledAt" is null and r."deletedAt" is null ${atLocations(sql`c.location_id`, locations)}`,
  )
}

/** `and` what can be used at one of the locations: `column` names those where it can, null all. */
export function usableAt(column: SQL, locations: Locations): SQL {
  return locations === null ? sql`` : sql`and (${column} is null or ${column} && ${`{${locations.join(',')}}`}::integer[])`
}

/** Number of customers who were active at an instant (as defined in the customers module). */
export async function countActiveCustomers(db: Reader, instant: Date, locations: Locations): Promise<number> {
  const row = await oneRow<{ active: number }>(
    db,
    sql`select count(*)::float8 as active from (${activeCustomers(instant, locations)}) active`,
  )
  return row.active
}
