/** Which rows of other tables refer to a record and so prevent its deletion. */
import { type SQL, sql } from 'drizzle-orm'
import type { UseCount } from '#contract/errors.ts'
import type { Reader, Tx } from './db.ts'

/**
 * Counts of the rows that refer to a record by a foreign key that restricts deletion, by table; only tables with such rows.
 * `with cascades`: also rows that would be deleted with it.
 */
export async function listReferences(
  tx: Tx,
  table: string,
  id: number,
  which: 'restricting' | 'with cascades' = 'restricting',
): Promise<UseCount[]> {
  const rows = await listReferringColumns(tx, table, which)
  return countUses(
    tx,
    rows.map(({ kind, column }) => [kind, sql`select count(*) from ${sql.raw(kind)} where ${sql.identifier(column)} = ${id}`] as const),
  )
}

/** Tables and columns that refer to a table. */
export async function listReferringColumns(
  on: Reader,
  table: string,
  which: 'restricting' | 'with cascades',
): Promise<{ kind: string; column: string }[]> {
  const deletes = which === 'restricting' ? ['a', 'r'] : ['a', 'r', 'c']
  const { rows } = await on.execute<{ kind: string; column: string }>(sql`
    select c.conrelid::regclass::text as kind, a.attname as column
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = ${table}::regclass and c.confdeltype = any(${`{${deletes.join(',')}}`}::text[]) and array_length(c.conkey, 1) = 1
    order by 1, 2`)
  return rows
}

/** Returns the counts that are not zero; `counts` are pairs of a kind and a `select count(*)`. */
export async function countUses(tx: Tx, counts: readonly (readonly [kind: string, count: SQL])[]): Promise<UseCount[]> {
  if (counts.length === 0) return []
  const each = counts.map(([kind, count]) => sql`select ${kind}::text as kind, (${count})::int as count`)
  const { rows } = await tx.execute<{ kind: string; count: number }>(sql`
    select kind, sum(count)::int as count from (${sql.join(each, sql` union all `)}) uses group by kind having sum(count) > 0 order by kind`)
  return rows
}
