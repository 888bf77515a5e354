/** Which tables a condition or an order reads, so that a query joins those and no others. */
import { Column, is, SQL, type SQLWrapper, Table } from 'drizzle-orm'

type Part = SQLWrapper | SQL.Aliased | undefined

/** Whether SQL has a column of this table in it. An alias of the table is another table. */
export function readsTable(parts: Part | readonly Part[], table: Table): boolean {
  return hasColumn(parts, table)
}

function hasColumn(part: unknown, table: Table): boolean {
  if (Array.isArray(part)) return part.some((item) => hasColumn(item, table))
  if (typeof part !== 'object' || part === null || is(part, Table)) return false
  if (is(part, Column)) return part.table === table
  if (is(part, SQL)) return hasColumn(part.queryChunks, table)
  if (is(part, SQL.Aliased)) return hasColumn(part.sql, table)
  if (!('getSQL' in part) || typeof part.getSQL !== 'function') return false
  // A subquery, which may read a table of the query around it. Text, values and names wrap nothing but themselves.
  const { queryChunks }: SQL = part.getSQL()
  return !queryChunks.includes(part as SQL) && hasColumn(queryChunks, table)
}
