/**
 * Writes values that the API would refuse into every text and JSON column of a studio's database, one table at a time, as a restored
 * backup, an older version or manual SQL could leave them. The database's constraints stay: refused values are not written.
 */
import pg from 'pg'

/** Invalid URLs, empty text, and texts that are invalid as dates, zones, lists, identifiers and HTML. */
export const HOSTILE_TEXTS = [
  'https://',
  'https://[',
  'https://exa mple',
  'javascript:alert(1)',
  '',
  ' ',
  '\u202e<script>alert(1)</script>"\'`$`',
  'constructor',
  '-1,0,x',
  '</script></style></title><img src=x onerror=alert(1)>',
  'null',
  '{"a":[]}',
  '\u0001\u0007\u001b[31m\u0085\u2028\ufeff',
  'á'.repeat(900),
  '🧘'.repeat(250),
]
/** The same for columns that hold JSON. */
const HOSTILE_JSON = ['{}', '[]', '"https://["', '0']

/** Tables of the platform, of accounts and of the sandbox processor: no page shows them. */
const INNER = /^(identity_|sandbox_|signing_key|idempotency|throttle|audit|setting$|processor_|__)/

interface Column {
  name: string
  type: string
}

export interface HostileTable {
  name: string
  columns: Column[]
}

export interface HostileWriter {
  tables: HostileTable[]
  /** Writes the text into every column of the table that accepts it; returns those columns. */
  write(table: HostileTable, text: string): Promise<string[]>
  /** Restores every row of the table. */
  restore(table: HostileTable): Promise<void>
  close(): Promise<void>
}

export async function hostileWriter(connectionString: string): Promise<HostileWriter> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  // Disables triggers and foreign keys, as in a restored table.
  await client.query('set session_replication_role = replica')
  const { rows } = await client.query<{ table_name: string; column_name: string; data_type: string }>(
    `select c.table_name, c.column_name, c.data_type from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER' and c.data_type in ('text', 'jsonb', 'ARRAY')
     order by c.table_name, c.ordinal_position`,
  )
  const byTable = new Map<string, Column[]>()
  for (const { table_name, column_name, data_type } of rows)
    if (!INNER.test(table_name)) byTable.set(table_name, [...(byTable.get(table_name) ?? []), { name: column_name, type: data_type }])
  const { rows: uniqueColumns } = await client.query<{ column: string }>(
    `select i.indrelid::regclass || '.' || a.attname as column from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
     where i.indisunique`,
  )
  const unique = new Set(uniqueColumns.map(({ column }) => column))
  const tables: HostileTable[] = []
  /** Lists of the writable columns of each table. */
  const restored = new Map<string, string>()
  const changed = new Set<string>()
  for (const [name, columns] of byTable) {
    restored.set(name, await columnsOf(client, name))
    await client.query(`create table hostile_backup_${name} as select * from ${name}`)
    const { rows: keys } = await client.query<{ is_key: boolean; column: string }>(
      `select a.attname as column from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
       where i.indrelid = $1::regclass and i.indisprimary`,
      [name],
    )
    const isKey = new Set(keys.map(({ column }) => column))
    tables.push({ name, columns: columns.filter((column) => !isKey.has(column.name)) })
  }

  /** The number of changed rows, of all or of those that `rows` selects; null when the database refuses a value. */
  async function tryUpdate(table: string, changes: readonly Change[], rows = ''): Promise<number | null> {
    const set = changes.map(({ column, expression }, n) => `${quote(column)} = ${expression.replace('$', `$${n + 1}`)}`)
    try {
      const { rowCount } = await client.query(
        `update ${table} t set ${set.join(', ')} ${rows}`,
        changes.map(({ value }) => value),
      )
      if (rowCount) changed.add(table)
      return rowCount ?? 0
    } catch {
      return null
    }
  }

  /**
   * The change as the table accepts it: the same value in each row, or a different one where a column is unique; null when it refuses both.
   * A few rows are tried, of a unique column all.
   */
  async function accepted(table: string, change: Change): Promise<Change | null> {
    const isChanged = changed.has(table)
    const some = unique.has(`${table}.${change.column}`) ? '' : `where ctid = any(array(select ctid from ${table} limit 20))`
    for (const tried of [change, ...(change.isText ? [{ ...change, expression: '$ || md5(row_to_json(t)::text)' }] : [])]) {
      await client.query('begin')
      const rows = await tryUpdate(table, [tried], some)
      await client.query('rollback')
      if (!isChanged) changed.delete(table)
      if (rows) return tried
    }
    return null
  }

  return {
    tables: tables.filter(({ columns }) => columns.length > 0),
    async write(table, text) {
      const changes = table.columns.map((column) => hostileChange(column, text))
      // Usually a table accepts all values; otherwise each column is tried alone, so that a constraint excludes only its own column.
      const rows = await tryUpdate(table.name, changes)
      // A table without rows accepts everything.
      if (rows !== null) return rows ? changes.map(({ column }) => `${table.name}.${column}`) : []
      const possible: Change[] = []
      for (const change of changes) {
        const found = await accepted(table.name, change)
        if (found) possible.push(found)
      }
      // One statement for all: each update of a column rewrites every row of the table and its indexes.
      const together = possible.length > 0 && (await tryUpdate(table.name, possible)) !== null
      const written: string[] = []
      for (const change of possible) if (together || (await tryUpdate(table.name, [change]))) written.push(`${table.name}.${change.column}`)
      return written
    },
    async restore({ name }) {
      if (!changed.delete(name)) return
      const columns = restored.get(name)
      await client.query('begin')
      // The server's jobs run meanwhile: a row that one writes between the two statements would be there twice.
      await client.query(`lock table ${name} in access exclusive mode`)
      await client.query(`delete from ${name}`)
      await client.query(`insert into ${name} (${columns}) overriding system value select ${columns} from hostile_backup_${name}`)
      await client.query('commit')
    },
    close: () => client.end(),
  }
}

/** A column and its new value for every row of a table; `$` in the expression is replaced by the value. */
interface Change {
  column: string
  expression: string
  value: unknown
  isText: boolean
}

function hostileChange({ name, type }: Column, text: string): Change {
  const json = HOSTILE_JSON[HOSTILE_TEXTS.indexOf(text) % HOSTILE_JSON.length]
  if (type === 'jsonb') return { column: name, expression: '$::jsonb', value: json, isText: false }
  return type === 'ARRAY'
    ? { column: name, expression: 'array[$]', value: text, isText: false }
    : { column: name, expression: '$', value: text, isText: true }
}

const quote = (name: string) => `"${name}"`

/** Every writable column. */
async function columnsOf(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query<{ column_name: string }>(
    `select column_name from information_schema.columns where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  )
  return rows.map(({ column_name }) => quote(column_name)).join(', ')
}

/** Splits tables into a few groups, round robin: related tables get different groups, so that the failure of one does not hide another. */
export function inGroups(tables: readonly HostileTable[], count = 6): HostileTable[][] {
  return Array.from({ length: count }, (_, group) => tables.filter((_table, n) => n % count === group))
}
