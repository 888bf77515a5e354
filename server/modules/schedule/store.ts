/** Queries of the classes; the only writes to them. `taken` is never written here: the database keeps it. */
import { eq, getTableColumns, sql } from 'drizzle-orm'
import { location } from '#server/modules/catalogue/tables.ts'
import { prepared, type Tx } from '#server/platform/db.ts'
import { singleClass } from './tables.ts'

const gate = prepared('schedule.lock', (on: Tx) =>
  on
    .select({ ...getTableColumns(singleClass), timezone: location.timezone })
    .from(singleClass)
    .innerJoin(location, eq(location.location_id, singleClass.location_id))
    .where(eq(singleClass.single_class_id, sql.placeholder('id')))
    // "no key": whoever only points at the class (a new reservation's foreign key) need not wait.
    .for('no key update', { of: singleClass }),
)

/** The class's row, locked until the transaction ends. */
export async function lockRow(tx: Tx, single_class_id: number) {
  const [row] = await gate(tx).execute({ id: single_class_id })
  return row ?? null
}
