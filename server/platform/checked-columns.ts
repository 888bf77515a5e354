/**
 * Columns that check what is read: JSON by its shape, and words of a closed list. Any other value, as a restored backup, an older version
 * or manual SQL can leave it, is read as the one that its column declares, and reported; the stored value stays as it is.
 */
import { channel } from 'node:diagnostics_channel'
import { type ColumnBaseConfig, entityKind, getTableName } from 'drizzle-orm'
import { type AnyPgTable, type PgColumn, PgJsonb, PgJsonbBuilder, PgText, PgTextBuilder } from 'drizzle-orm/pg-core'
import type * as z from 'zod'
import { storableJson } from './json.ts'
import type { Log } from './log.ts'

interface InvalidValue {
  table: string
  column: string
  issues: readonly { path: readonly PropertyKey[]; message: string }[]
}

const invalidValues = channel('estudio:stored_value.invalid')

/** At most one line of the log per column in this time, in ms: a list can read thousands of such rows. */
const REPORT_EVERY = 60_000

/**
 * Logs values of a wrong shape (`stored_value.invalid`), once a minute per column, with the path but never the value. Returns what ends it.
 */
export function logInvalidValues(log: Log, now: () => number = Date.now): () => void {
  const reported = new Map<string, number>()
  const report = (message: unknown) => {
    const { table, column, issues } = message as InvalidValue
    const key = `${table}.${column}`
    const last = reported.get(key)
    if (last !== undefined && now() - last < REPORT_EVERY) return
    reported.set(key, now())
    const at = issues.slice(0, 3).map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    log.error({ table, column, issues: at }, 'stored_value.invalid')
  }
  invalidValues.subscribe(report)
  return () => invalidValues.unsubscribe(report)
}

function reportInvalid({ table, name }: PgColumn, issues: InvalidValue['issues']): void {
  if (invalidValues.hasSubscribers) invalidValues.publish({ table: getTableName(table), column: name, issues } satisfies InvalidValue)
}

interface Check {
  shape: z.ZodType
  otherwise: unknown
}

/** A column made by `json`. */
export class CheckedJsonb extends PgJsonb<ColumnBaseConfig<'json', 'PgJsonb'>> {
  static override readonly [entityKind] = 'CheckedJsonb'
  // Not private: Drizzle wraps the columns of an alias in proxies.
  readonly check: Check

  constructor(table: AnyPgTable<{ name: string }>, config: ConstructorParameters<typeof PgJsonb>[1], check: Check) {
    super(table, config)
    this.check = check
    if (this.notNull && check.otherwise === null && !this.takesNull)
      throw new Error(`${getTableName(table)}.${this.name} cannot be null: declare what is read instead of an invalid value.`)
  }

  /** Whether JSON null is a value of this column. The database refuses it in others that are NOT NULL (json-nulls.test.ts). */
  get takesNull(): boolean {
    return this.check.shape.safeParse(null).success
  }

  override mapToDriverValue(value: unknown): string {
    return storableJson(value)
  }

  override mapFromDriverValue(value: unknown): unknown {
    const read = this.check.shape.safeParse(super.mapFromDriverValue(value))
    if (read.success) return read.data
    reportInvalid(this, read.error.issues)
    return structuredClone(this.check.otherwise)
  }
}

interface JsonbOf<T> {
  name: ''
  dataType: 'json'
  columnType: 'PgJsonb'
  data: T
  driverParam: unknown
  enumValues: undefined
}

class CheckedJsonbBuilder<T> extends PgJsonbBuilder<JsonbOf<T>> {
  static override readonly [entityKind] = 'CheckedJsonbBuilder'
  private readonly check: Check

  constructor(check: Check, column: string) {
    // The type has the name of the property instead.
    super(column as '')
    this.check = check
  }

  /** Called by Drizzle. */
  build(table: AnyPgTable<{ name: string }>): CheckedJsonb {
    return new CheckedJsonb(table, this.config as ConstructorParameters<typeof PgJsonb>[1], this.check)
  }
}

/**
 * A column of JSON. `shape` describes what is stored, which may be looser than what requests may send; `otherwise` is read instead of
 * anything else, null only where the column may be null. `column`: its name in the database, if the property has another one.
 */
export function json<T>(shape: z.ZodType<T>, otherwise: NoInfer<T> | null, column = ''): CheckedJsonbBuilder<T> {
  return new CheckedJsonbBuilder<T>({ shape, otherwise }, column)
}

class CheckedText extends PgText<ColumnBaseConfig<'string', 'PgText'>> {
  static override readonly [entityKind] = 'CheckedText'
  readonly values: ReadonlySet<unknown>
  readonly otherwise: string

  constructor(
    table: AnyPgTable<{ name: string }>,
    config: ConstructorParameters<typeof PgText>[1],
    values: readonly string[],
    otherwise: string,
  ) {
    super(table, config)
    this.values = new Set(values)
    this.otherwise = otherwise
  }

  override mapFromDriverValue(value: unknown): unknown {
    if (this.values.has(value)) return value
    reportInvalid(this, [{ path: [], message: 'not one of its values' }])
    return this.otherwise
  }
}

interface TextOf<W extends string> {
  name: ''
  dataType: 'string'
  columnType: 'PgText'
  data: W
  driverParam: string
  enumValues: undefined
}

class CheckedTextBuilder<W extends string> extends PgTextBuilder<TextOf<W>> {
  static override readonly [entityKind] = 'CheckedTextBuilder'
  private readonly values: readonly W[]
  private readonly otherwise: W

  constructor(values: readonly W[], otherwise: W) {
    super('', {})
    this.values = values
    this.otherwise = otherwise
  }

  /** Called by Drizzle. */
  build(table: AnyPgTable<{ name: string }>): CheckedText {
    return new CheckedText(table, this.config as ConstructorParameters<typeof PgText>[1], this.values, this.otherwise)
  }
}

/**
 * A column of text with one of these values, for those that no constraint of the database checks; `otherwise` is read instead of any other.
 */
export function textEnum<W extends string>(values: readonly W[], otherwise: NoInfer<W>): CheckedTextBuilder<W> {
  return new CheckedTextBuilder<W>(values, otherwise)
}
