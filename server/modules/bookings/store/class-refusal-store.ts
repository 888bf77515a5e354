/** Queries of who found a class full. */
import { sql } from 'drizzle-orm'
import type { Tx } from '#server/platform/db.ts'

export interface ClassRefusal {
  single_class_id: number
  customer_id: number
  createdAt: Date
}

/**
 * Adds those that are not there yet, of people that still are there and of classes that have places: one without a capacity cannot be
 * booked yet, which is not demand. In one order, so that two processes cannot deadlock.
 */
export async function insertClassRefusals(tx: Tx, rows: readonly ClassRefusal[]): Promise<void> {
  await tx.execute(sql`
    insert into class_refusal (single_class_id, customer_id, "createdAt")
    select r.single_class_id, r.customer_id, r.at
    from json_to_recordset(${JSON.stringify(rows.map(({ createdAt, ...row }) => ({ ...row, at: createdAt })))}::json)
      as r (single_class_id integer, customer_id integer, at timestamptz)
      join single_class c on c.single_class_id = r.single_class_id and c.capacity > 0 join customer u using (customer_id)
    order by 1, 2 on conflict do nothing`)
}
