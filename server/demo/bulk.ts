/** Writes thousands of rows in a few statements. */

import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from '#server/platform/db.ts'

/** Rows of one statement: on a busy machine it must end well before the driver gives up waiting (`query_timeout`, ten seconds). */
const CHUNK = 500

/**
 * Inserts rows that all have the same columns, named as in the table's definition. Instants, arrays and JSON are passed as text: PostgreSQL
 * parses them by the table's own types.
 */
export async function insertMany(tx: Tx, table: PgTable, rows: readonly object[]): Promise<void> {
  const name = sql.identifier(getTableName(table))
  const defined = getTableColumns(table)
  // A few columns have another name in the database than in code.
  const nameOf = (key: string) => defined[key]?.name ?? key
  const keys = Object.keys(rows[0] ?? {})
  const isRenamed = keys.some((key) => nameOf(key) !== key)
  const columns = sql.join(
    keys.map((key) => sql.identifier(nameOf(key))),
    sql`, `,
  )
  for (let start = 0; start < rows.length; start += CHUNK) {
    const some = rows.slice(start, start + CHUNK)
    const part = JSON.stringify(
      isRenamed ? some.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [nameOf(key), value]))) : some,
    )
    await tx.execute(sql`insert into ${name} (${columns}) select ${columns} from json_populate_recordset(null::${name}, ${part}::json)`)
  }
}

/** Numbers of a sequence: `next` is evaluated once for each. */
export async function numbers(tx: Tx, next: SQL, count: number): Promise<number[]> {
  const { rows } = await tx.execute<{ id: number }>(sql`select ${next}::integer as id from generate_series(1, ${count}::integer)`)
  return rows.map(({ id }) => id)
}

/** Reserves ids, so that rows can reference each other before they are inserted. */
export function newIds(tx: Tx, table: PgTable, column: string, count: number): Promise<number[]> {
  return numbers(tx, sql`nextval(pg_get_serial_sequence(${getTableName(table)}, ${column}))`, count)
}
