/**
 * Plain lists: the shared verbs with which staff read, save and remove records. A module defines the table, the writable columns and the
 * output; an entity with rules beyond these hooks gets verbs of its own.
 */
import { isDeepStrictEqual } from 'node:util'
import { eq, getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { PlainListEntity } from '#contract/copy/audit.ts'
import { type Refusal, refuse, type UseCount } from '#contract/errors.ts'
import { pgError, type Tx } from '#server/platform/db.ts'
import { sanitizeHtml } from '#server/platform/html.ts'
import { listReferences } from '#server/platform/references.ts'
import { assertUnchanged } from './changed-meanwhile.ts'
import type { Ctx } from './ctx.ts'

type Row = Record<string, unknown>

/** SQLSTATE of a row that another one refers to. */
const FOREIGN_KEY = '23503'

/** A table whose name is an entity with sentences in the audit trail. */
type ListTable = PgTable & { _: { name: PlainListEntity } }

interface PlainList<T extends ListTable, Input, Shown> {
  table: T
  /** Id column; its name on the wire is the same. */
  id: keyof T['$inferSelect'] & string
  /** Another name under which the id is accepted. */
  alias?: string
  /** Topic of the events that invalidate caches after a change; null: no public page or cached response is made from it. */
  topic: 'content' | 'catalogue' | null
  order: SQL[]
  /** Serializes a record for staff; runs outside of the transaction. */
  shown(row: T['$inferSelect'], ctx: Ctx): Shown | Promise<Shown>
  /** The HTML of a request: sanitised before the transaction begins, and passed to `values`. */
  html?(input: Input): string | undefined
  /** The columns that a request changes; `before` is null for a new record, `html` is the sanitised HTML, if any. */
  values(
    input: Input,
    before: T['$inferSelect'] | null,
    ctx: Ctx,
    html: string,
    tx: Tx,
  ): Partial<T['$inferInsert']> | Promise<Partial<T['$inferInsert']>>
  /** Records are ordered within the group of this value; the others stay as they are. Without it all of them have one order. */
  orderedWithin?(row: T['$inferSelect']): number
  /** Writes dependent records, after the record and in its transaction. */
  after?(tx: Tx, row: T['$inferSelect'], input: Input, ctx: Ctx): Promise<void>
  /** Throws where this caller may not change or remove a record, create one (`row` null) or arrange all of them (null too). */
  requireMay?(ctx: Ctx, row: T['$inferSelect'] | null): void
  /** Why this change is refused. */
  whyNotSave?(before: T['$inferSelect'], input: Input): Refusal | null
  /** Why the record cannot be removed. Refusals of the database (foreign keys) are IN_USE in any case. */
  whyNotRemove?(row: T['$inferSelect'], tx: Tx, ctx: Ctx): Refusal | null | Promise<Refusal | null>
  /** Soft delete by `deletedAt`: a removed record stays for its references and is no longer listed. */
  isSoftDelete?: boolean
  /** The table has `archivedAt`, set by `archived` of a request (K14). */
  archives?: boolean
}

/** The verbs of a plain list. */
export interface PlainVerbs<Input, Shown> {
  /** All records, in their order. */
  all(ctx: Ctx): Promise<Shown[]>
  /** Creates a record when the input names no existing one, once per `Idempotency-Key`, otherwise changes the given fields. NOT_FOUND. */
  save(ctx: Ctx, input: Input): Promise<Shown>
  /** Changes an existing record. INVALID_INPUT without its id, NOT_FOUND. */
  change(ctx: Ctx, input: Input): Promise<Shown>
  /** NOT_FOUND, IN_USE. `also`: a refusal by a higher module, checked in the transaction that removes. */
  remove(ctx: Ctx, id: number, also?: (tx: Tx) => Promise<Refusal | null>): Promise<{ ok: true }>
  /**
   * Puts these records first, in this order, and the others of their group after them in theirs (K15). Only for tables with
   * `sort`. NOT_FOUND.
   */
  order(ctx: Ctx, ids: readonly number[]): Promise<{ ok: true }>
  /** What uses a record: rows of other tables that refer to it, unless `listUses` counts something else. NOT_FOUND. */
  uses(ctx: Ctx, id: number, listUses?: (tx: Tx) => Promise<UseCount[]>): Promise<{ uses: UseCount[] }>
}

/** The verbs of a plain list: each writes an audit row and an event for the caches, in one transaction. */
export function plainListVerbs<T extends ListTable, Input extends object, Shown>(of: PlainList<T, Input, Shown>): PlainVerbs<Input, Shown> {
  // Drizzle cannot follow a table that is a type parameter, so its columns are accessed by name.
  const table: PgTable = of.table
  const columns = getTableColumns(table)
  const idColumn = columns[of.id] as PgColumn
  const deletedAt = of.isSoftDelete ? (columns.deletedAt as PgColumn) : null
  const entity: PlainListEntity = getTableName(of.table)
  const typed = (row: Row) => row as T['$inferSelect']
  const idOf = (row: Row) => row[of.id] as number
  const groupOf = (row: Row) => of.orderedWithin?.(typed(row)) ?? null

  const named = (input: object): number | null => {
    const values = input as Row
    return ((values[of.id] ?? (of.alias ? values[of.alias] : null)) as number | null | undefined) ?? null
  }

  /** Reads and locks a record; removed ones are not found. */
  async function lock(tx: Tx, id: number): Promise<Row> {
    const [row] = await tx.select().from(table).where(eq(idColumn, id)).for('update')
    if (!row || (deletedAt && row.deletedAt !== null)) throw refuse('NOT_FOUND')
    return row
  }

  /** Archived records keep the instant at which they were archived first. */
  function archiving(ctx: Ctx, before: Row | null, input: Input): Row {
    const { archived } = input as Row
    if (!of.archives || archived === undefined) return {}
    return { archivedAt: archived ? (before?.archivedAt ?? ctx.now) : null }
  }

  async function write(ctx: Ctx, tx: Tx, id: number | null, input: Input, html: string): Promise<Row> {
    const before = id === null ? null : await lock(tx, id)
    of.requireMay?.(ctx, before && typed(before))
    if (before && before.updatedAt instanceof Date)
      await assertUnchanged(
        tx,
        ctx,
        { entity, id: idOf(before), updatedAt: before.updatedAt },
        (input as Row).if_updatedAt as string | null,
      )
    const no = before && of.whyNotSave?.(typed(before), input)
    if (no) throw no
    const values = {
      ...onlyGiven((await of.values(input, before && typed(before), ctx, html, tx)) as Row),
      ...archiving(ctx, before, input),
    }
    // Values that equal the stored ones are no change: no audit entry and no new version, so that no older version is refused.
    if (before && !of.after && differing(before, values).length === 0) return before
    // Tables without it are not versioned.
    if (columns.updatedAt && (!before || Object.keys(values).length)) Object.assign(values, { updatedAt: ctx.now })
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
    const action = before ? (`${entity}.change` as const) : (`${entity}.create` as const)
    await ctx.audit(tx, { action, entity, entity_id: idOf(row), before, after: of.after ? { ...input, ...row } : row })
    if (of.topic) tx.notify({ topic: of.topic })
    return row
  }

  async function save(ctx: Ctx, id: number | null, input: Input): Promise<Shown> {
    const html = await sanitizeHtml(of.html?.(input) ?? '')
    if (id !== null || ctx.idempotencyKey === null) return of.shown(typed(await ctx.tx((tx) => write(ctx, tx, id, input, html))), ctx)
    // Of a new record only the id is kept for a repeated request: the record may have changed since.
    const newId = await ctx.once(`${entity}.create`, input, async (tx) => idOf(await write(ctx, tx, null, input, html)))
    const [row] = await ctx.db.select().from(table).where(eq(idColumn, newId))
    if (!row || (deletedAt && row.deletedAt !== null)) throw refuse('NOT_FOUND')
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
      const removal = ctx.tx(async (tx) => {
        const row = await lock(tx, id)
        of.requireMay?.(ctx, typed(row))
        const no = (await of.whyNotRemove?.(typed(row), tx, ctx)) ?? (await also?.(tx))
        if (no) throw no
        if (deletedAt) await tx.update(table).set({ deletedAt: ctx.now }).where(eq(idColumn, id))
        else await erase(tx, id)
        await ctx.audit(tx, { action: `${entity}.remove`, entity, entity_id: id, before: row })
        if (of.topic) tx.notify({ topic: of.topic })
        return { ok: true as const }
      })
      return removal.catch(async (error: unknown) => {
        if (pgError(error)?.code !== FOREIGN_KEY) throw error
        // The database refused what the count had not seen: that transaction is over, so it is counted again in another one.
        throw refuse('IN_USE', { uses: await ctx.tx((tx) => listReferences(tx, entity, id)) })
      })
    },
    async order(ctx, ids) {
      of.requireMay?.(ctx, null)
      return ctx.tx(async (tx) => {
        const rows = (
          await tx
            .select()
            .from(table)
            .orderBy(...of.order)
            .for('update')
        ).filter((row) => !deletedAt || row.deletedAt === null)
        const first = [...new Set(ids)]
        const named = rows.filter((row) => first.includes(idOf(row)))
        if (named.length < first.length) throw refuse('NOT_FOUND')
        const groups = new Set(named.map(groupOf))
        const before = rows.filter((row) => groups.has(groupOf(row))).map(idOf)
        const after = [...first, ...before.filter((id) => !first.includes(id))]
        await tx.execute(sql`update ${table} set sort = o.position - 1
          from unnest(${`{${after.join(',')}}`}::integer[]) with ordinality o(id, position) where ${idColumn} = o.id`)
        await ctx.audit(tx, { action: `${entity}.order`, entity, entity_id: null, before: { ids: before }, after: { ids: after } })
        if (of.topic) tx.notify({ topic: of.topic })
        return { ok: true as const }
      })
    },
    async uses(ctx, id, listUses) {
      return ctx.tx(async (tx) => {
        await lock(tx, id)
        return { uses: await (listUses?.(tx) ?? listReferences(tx, entity, id, 'with cascades')) }
      })
    },
  }

  async function erase(tx: Tx, id: number): Promise<void> {
    const uses = await listReferences(tx, entity, id)
    if (uses.length > 0) throw refuse('IN_USE', { uses })
    await tx.delete(table).where(eq(idColumn, id))
  }
}

/** The columns that have another value than the row. */
const differing = (row: Row, values: Row): string[] => Object.keys(values).filter((key) => !isDeepStrictEqual(row[key], values[key]))

/** Without the fields that the request did not send. */
function onlyGiven(values: Row): Row {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
