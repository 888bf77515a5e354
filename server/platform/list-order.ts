/** The order of a list that its reader chooses. */
import { asc, desc, type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** The columns of an order ("-total") with the row's id last, so that pages do not overlap. */
export function orderBy<K extends string>(sort: K | `-${K}`, columns: Readonly<Record<K, readonly SQLWrapper[]>>, id: SQLWrapper): SQL[] {
  const direction = sort.startsWith('-') ? desc : asc
  const by: readonly SQLWrapper[] = columns[sort.replace('-', '') as K]
  return [...by, id].map((column) => direction(sql`${column}`))
}
