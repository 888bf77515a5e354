/**
 * Inserts and updates of hot paths whose columns differ from call to call: built once per connection and set of columns, like other
 * prepared queries (`prepared` in db.ts). Building an insert of forty columns costs more than the database needs to run it.
 */
import { getTableColumns, isSQLWrapper, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { builtOnce, type Tx } from './db.ts'

type Values = Record<string, unknown>

/** A statement of Drizzle. */
interface Write<Result> {
  prepare(name: string): { execute(values?: Values): Promise<Result> }
  execute(values?: Values): Promise<Result>
}

/**
 * The values as the database gets them, by column; null where one is an expression, which is part of the statement. As Drizzle does, it
 * leaves out what is undefined and gives null to no encoder.
 */
function encoded(columns: Record<string, PgColumn>, row: object): Values | null {
  const values: Values = {}
  for (const [key, value] of Object.entries(row)) {
    if (value === undefined) continue
    const column = columns[key]
    if (!column || isSQLWrapper(value)) return null
    values[key] = value === null ? null : column.mapToDriverValue(value)
  }
  return values
}

/**
 * A statement that writes a row, or some columns of it, to a table. `build` gets the row with a placeholder for each value; other values
 * (the row of an update) are `sql.placeholder`s of its own, with names that no column has.
 */
export function preparedWrite<Row extends object, Result>(
  name: string,
  table: PgTable,
  build: (tx: Tx, row: Row) => Write<Result>,
): (tx: Tx, row: Row, others?: Values) => Promise<Result> {
  const columns: Record<string, PgColumn> = getTableColumns(table)
  /** The name of the statement of each set of columns. */
  const names = new Map<string, string>()
  return (tx, row, others = {}) => {
    const values = encoded(columns, row)
    if (!values) return build(tx, row).execute(others)
    const keys = Object.keys(values)
    const set = keys.join()
    let statement = names.get(set)
    if (!statement) {
      statement = `${name}.${names.size + 1}`
      names.set(set, statement)
    }
    const query = builtOnce(tx, statement, () => {
      const placeholders = Object.fromEntries(keys.map((key) => [key, sql`${sql.placeholder(key)}`]))
      return build(tx, placeholders as Row).prepare(statement)
    })
    return query.execute({ ...values, ...others })
  }
}
