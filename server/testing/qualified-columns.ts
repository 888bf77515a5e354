/**
 * Drizzle writes the columns of a select from one table without the table's name, also inside `sql` with a subquery, where such a name
 * means the subquery's own column: `(select sum(i.total) from invoice i where i.purchase_id = "purchase_id")` adds all invoices up. With
 * this a test that runs such a query fails.
 */
import { is, SQL, StringChunk } from 'drizzle-orm'
import { PgColumn, PgDialect } from 'drizzle-orm/pg-core'

interface Field {
  field: unknown
}
type BuildSelection = (this: PgDialect, fields: Field[], of?: { isSingleTable?: boolean }) => SQL

/** The text of a field up to a column in a subquery, null when there is none. */
export function unqualifiedColumn(field: unknown): string | null {
  const query = is(field, SQL.Aliased) ? field.sql : field
  if (!is(query, SQL)) return null
  let text = ''
  for (const chunk of query.queryChunks) {
    if (is(chunk, PgColumn) && /\(\s*select\b/i.test(text)) return `${text}${chunk.name}`
    if (is(chunk, StringChunk)) text += chunk.value.join('')
  }
  return null
}

const dialect = PgDialect.prototype as unknown as { buildSelection: BuildSelection & { isGuarded?: boolean } }
const { buildSelection } = dialect
if (!buildSelection.isGuarded) {
  const guarded: typeof buildSelection = function (fields, of) {
    const found = of?.isSingleTable ? fields.map(({ field }) => unqualifiedColumn(field)).find((text) => text !== null) : undefined
    if (found) throw new Error(`a column without its table in a subquery; write table.column as text: ${found}`)
    return buildSelection.call(this, fields, of)
  }
  guarded.isGuarded = true
  dialect.buildSelection = guarded
}
