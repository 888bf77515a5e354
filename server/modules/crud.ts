/**
 * Plain lists: what all of them do when staff read, save and remove. A module says which table, what may be
 * written and what is read back; an entity that gains a rule beyond these hooks gets verbs of its own.
 */
import { eq, getTableColumns, getTableName, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { type Refusal, refuse } from '#contract/errors.ts'
import { pgError, type Tx } from '#server/platform/db.ts'
import { sanitizeHtml } from '#server/platform/html.ts'
import { listReferences } from '#server/platform/references.ts'
import type { Ctx } from './ctx.ts'

type Row = Record<string, unknown>

interface PlainList<T extends PgTable, Input, Shown> {
  table: T
  /** Column of the id; the wire calls it the same. */
  id: keyof T['$inferSelect'] & string
  /** Another name under which the id may arrive. */
  alias?: string
  /** Whose caches end when something changes. */
  topic: 'content' | 'catalogue'
  order: SQL[]
  /** What staff read back; asked for outside of a transaction. */
  shown(row: T['$inferSelect'], ctx: Ctx): Shown | Promise<Shown>
  /** The HTML of a request: it is made safe before the transaction begins, and handed to `values`. */
  html?(input: Input): string | undefined
  /** The columns that a request changes; `before` is null for a new one, `html` what is left of the HTML, if there is any. */
  values(
    input: Input,
    before: T['$inferSelect'] | null,
    ctx: Ctx,
    html: string,
  ): Partial<T['$inferInsert']> | Promise<Partial<T['$inferInsert']>>
  /** What hangs on the record, written after it and in its transaction. */
  after?(tx: Tx, row: T['$inferSelect'], input: Input, ctx: Ctx): Promise<void>
  /** Why it may not be changed like this. */
  whyNotSave?(before: T['$inferSelect'], input: Input): Refusal | null
  /** Why it may not be removed. What the database refuses is IN_USE in any case. */
  whyNotRemove?(row: T['$inferSelect'], tx: Tx, ctx: Ctx): Refusal | null | Promise<Refusal | null>
  /** With a `deletedAt`, a removed record stays for what speaks of it and is not listed any more. */
  keeps?: boolean
}

/** What staff can do with a plain list. */
export interface PlainVerbs<Input, Shown> {
  /** Everything that is stored, in its order. */
  all(ctx: Ctx): Promise<Shown[]>
  /** Makes one when the input names no stored one, otherwise changes what was sent. NOT_FOUND. */
  save(ctx: Ctx, input: Input): Promise<Shown>
  /** Changes one that must be there. INVALID_INPUT without its number, NOT_FOUND. */
  change(ctx: Ctx, input: Input): Promise<Shown>
  /** NOT_FOUND, IN_USE. `also`: what a higher module has to say against it, in the transaction that removes. */
  remove(ctx: Ctx, id: number, also?: (tx: Tx) => Promise<Refusal | null>): Promise<{ ok: true }>
}

/** The verbs of a plain list: an audit row each, news for the caches, all in one transaction. */
export function plainList<T extends PgTable, Input extends object, Shown>(of: PlainList<T, Input, Shown>): PlainVerbs<Input, Shown> {
  // Drizzle cannot follow a table that is a type parameter; seen as any table, its columns are known by name only.
  const table: PgTable = of.table
  const columns = getTableColumns(table)
  const idColumn = columns[of.id] as PgColumn
  const deletedAt = of.keeps ? (columns.deletedAt as PgColumn) : null
  const entity = getTableName(table)
  const typed = (row: Row) => row as T['$inferSelect']
  const idOf = (row: Row) => row[of.id] as number

  const named = (input: object): number | null => {
    const given = input as Row
    return ((given[of.id] ?? (of.alias ? given[of.alias] : null)) as number | null | undefined) ?? null
  }

  /** Locks a record that is there; a removed one is not. */
  async function lock(tx: Tx, id: number): Promise<Row> {
    const [row] = await tx.select().from(table).where(eq(idColumn, id)).for('update')
    if (!row || (deletedAt && row.deletedAt !== null)) throw refuse('NOT_FOUND')
    return row
  }

  async function write(ctx: Ctx, tx: Tx, id: number | null, input: Input, html: string): Promise<Row> {
    const before = id === null ? null : await lock(tx, id)
    const no = before && of.whyNotSave?.(typed(before), input)
    if (no) throw no
    const values = onlyGiven((await of.values(input, before && typed(before), ctx, html)) as Row)
    let row = before
    if (!before) [row = null] = await tx.insert(table).values(values).returning()
    else if (Object.keys(values).length)
      [row = null] = await tx
        .update(table)
        .set(values)
        .where(eq(idColumn, idOf(before)))
        .returning()
    if (!row) throw new Error(`Nothing was stored in ${entity}.`)
    await of.after?.(tx, typed(row), input, ctx)
    const action = before ? `${entity}.change` : `${entity}.create`
    await ctx.audit(tx, { action, entity, entity_id: idOf(row), before, after: of.after ? { ...input, ...row } : row })
    tx.notify({ topic: of.topic })
    return row
  }

  async function save(ctx: Ctx, id: number | null, input: Input): Promise<Shown> {
    const html = await sanitizeHtml(of.html?.(input) ?? '')
    const row = await ctx.tx((tx) => write(ctx, tx, id, input, html))
    return of.shown(typed(row), ctx)
  }

  return {
    async all(ctx) {
      const rows = await ctx.db
        .select()
        .from(table)
        .orderBy(...of.order)
      const there = deletedAt ? rows.filter((row) => row.deletedAt === null) : rows
      return Promise.all(there.map((row) => of.shown(typed(row), ctx)))
    },
    save: (ctx, input) => save(ctx, named(input), input),
    async change(ctx, input) {
      const id = named(input)
      if (id === null) throw refuse('INVALID_INPUT', { issues: [{ path: of.id, message: 'Falta decir cuál.' }] })
      return save(ctx, id, input)
    },
    async remove(ctx, id, also) {
      return ctx.tx(async (tx) => {
        const row = await lock(tx, id)
        const no = (await of.whyNotRemove?.(typed(row), tx, ctx)) ?? (await also?.(tx))
        if (no) throw no
        if (deletedAt) await tx.update(table).set({ deletedAt: ctx.now }).where(eq(idColumn, id))
        else await erase(tx, id)
        await ctx.audit(tx, { action: `${entity}.remove`, entity, entity_id: id, before: row })
        tx.notify({ topic: of.topic })
        return { ok: true as const }
      })
    },
  }

  async function erase(tx: Tx, id: number): Promise<void> {
    const uses = await listReferences(tx, entity, id)
    if (uses.length > 0) throw refuse('IN_USE', { uses })
    try {
      await tx.delete(table).where(eq(idColumn, id))
    } catch (error) {
      // Something came to point at it in between: the database refuses.
      if (pgError(error)?.code === '23503') throw refuse('IN_USE')
      throw error
    }
  }
}

/** What was not sent is not touched. */
function onlyGiven(values: Row): Row {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
