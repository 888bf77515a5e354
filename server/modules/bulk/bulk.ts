/** Changes to many customers, reservations or purchases at once (docs/domain.md LA4 to LA7): dry run, job, progress, undo. */
import type * as z from 'zod'
import {
  BULK_MAX,
  BULK_REFUSED_SHOWN,
  BULK_UNDO_MINUTES,
  type BulkJob,
  type BulkParams,
  type BulkRefused,
  type bulk as wire,
} from '#contract/bulk.ts'
import { BULK_FINAL, BULK_SUBJECTS, BULK_WITH_REASON } from '#contract/bulk-actions.ts'
import { Refusal, refuse } from '#contract/errors.ts'
import { endOfDay } from '#contract/time.ts'
import { findClassTexts, findReservationIds } from '#server/modules/bookings/bookings.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { listCustomerIds } from '#server/modules/customers/customers.ts'
import { authorshipOf, getAuthor } from '#server/modules/people/people.ts'
import { findPurchaseIds } from '#server/modules/sales/sales.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import type { JobRun } from '#server/platform/job-types.ts'
import { applyOutside, applyTo, isOutside, type Subject, undoFor, undoOutside } from './actions.ts'
import {
  actionLabel,
  BROKEN,
  CHANGED_SINCE,
  type CustomerAction,
  NEEDED,
  NOT_ALLOWED,
  OPTIONAL,
  rightFor,
  type Unchanged,
  whyPurchaseUnchanged,
  whyReservationUnchanged,
  whyUnchanged,
} from './rules.ts'
import {
  type BulkJobRow,
  bulkProgress,
  deleteOldBulkJobs,
  findBulkJob,
  findTagName,
  insertBulkJob,
  listBulkFacts,
  listBulkItems,
  listBulkPurchases,
  listBulkReservations,
  listFinishedJobs,
  lockBulkItem,
  moveBulkJob,
  refuseBulkItems,
  updateBulkItem,
} from './store.ts'

type Input = z.output<NonNullable<(typeof wire)['start']['~orpc']['inputSchema']>>

/** Items between two checks of the author's rights. */
const BATCH = 50
const MINUTE = 60_000
/** Pause between two reports of a job's progress, in ms. */
const REPORT_MS = 1_000
/** How long finished jobs are stored, in days. */
const STORED_DAYS = 30

function requireParams(ctx: Ctx, { action, params, reason }: Input): void {
  const invalid = (path: string, message: string) => refuse('INVALID_INPUT', { issues: [{ path, message }] })
  for (const key of NEEDED[action]) if (params[key] === undefined) throw invalid(`params.${key}`, 'Falta este dato.')
  for (const key of Object.keys(params) as (keyof BulkParams)[])
    if (params[key] !== undefined && !NEEDED[action].includes(key) && !OPTIONAL[action]?.includes(key))
      throw invalid(`params.${key}`, 'No es de esta acción.')
  if (BULK_WITH_REASON.has(action) && reason === undefined) throw invalid('reason', 'Escribe el motivo.')
  if (params.expiration_date !== undefined && endOfDay(params.expiration_date, ctx.zone) <= ctx.now)
    throw invalid('params.expiration_date', 'Elige un día que no haya pasado.')
}

/** POST /admin/bulk. FORBIDDEN, INVALID_INPUT, BULK_TOO_LARGE with `total` and `max`. */
export async function startBulk(ctx: Ctx, input: Input) {
  const { action, params, dry_run } = input
  const { staff } = ctx
  ctx.require(rightFor(action))
  if (!staff) throw refuse('FORBIDDEN')
  requireParams(ctx, input)
  const label = actionLabel(action, params, await nameIn(ctx, params))
  const { ids, total } = await idsOf(ctx, input)
  if (total > BULK_MAX) throw refuse('BULK_TOO_LARGE', { total, max: BULK_MAX })
  if (dry_run || total === 0) return { job_id: null, label, total, ...(await preview(ctx, input, ids)) }
  const job_id = await ctx.once('bulk.start', input, async (tx) => {
    const reason = input.reason ?? null
    const job = {
      staff_id: staff.staff_id,
      ...authorshipOf(ctx),
      action,
      params,
      reason,
      label,
      state: 'waiting' as const,
      total,
      createdAt: ctx.now,
    }
    const bulk_job_id = await insertBulkJob(tx, job, ids)
    await ctx.audit(tx, { action: 'bulk.start', entity: 'bulk_job', entity_id: bulk_job_id, after: { title: label, total }, reason })
    await tx.send({ name: 'bulk.run', data: { bulk_job_id } })
    return bulk_job_id
  })
  return { job_id, label, total, affected: 0, refused: [], refused_total: 0 }
}

/** The name of the tag or the class in `params`. INVALID_INPUT when there is none. */
async function nameIn(ctx: Ctx, { tag_id, single_class_id }: BulkParams): Promise<string | null> {
  const invalid = (path: string, message: string) => refuse('INVALID_INPUT', { issues: [{ path, message }] })
  if (tag_id !== undefined) {
    const tag = await findTagName(ctx.db, tag_id)
    if (tag === null) throw invalid('params.tag_id', 'Esa etiqueta no es de clientes o ya no existe.')
    return tag
  }
  if (single_class_id === undefined) return null
  const texts = await findClassTexts(ctx, single_class_id)
  if (!texts || texts.facts.cancelled) throw invalid('params.single_class_id', 'Esa clase no existe o está cancelada.')
  return `${texts.type}, ${texts.when}`
}

/** The named records, or those that match a filter now. FORBIDDEN for another location. */
async function idsOf(
  ctx: Ctx,
  { ids, filter, reservation_filter, purchase_filter }: Input,
): Promise<{ ids: readonly number[]; total: number }> {
  if (filter) return listCustomerIds(ctx, filter, BULK_MAX + 1)
  if (reservation_filter) return findReservationIds(ctx, reservation_filter, BULK_MAX + 1)
  if (purchase_filter) return findPurchaseIds(ctx, purchase_filter, BULK_MAX + 1)
  const distinct = [...new Set(ids)]
  return { ids: distinct, total: distinct.length }
}

type Checked = Subject & { name: string; why: Unchanged | null }

/** What the action would do to each record: null = it changes. */
async function check(
  ctx: Ctx,
  db: Reader,
  { action, params }: Pick<Input, 'action' | 'params'>,
  ids: readonly number[],
): Promise<Checked[]> {
  const about = { now: ctx.now, locations: ctx.locationIds }
  switch (BULK_SUBJECTS[action]) {
    case 'reservation': {
      const rows = await listBulkReservations(db, ids, { ...about, target: params.single_class_id ?? null })
      const byId = new Map(rows.map((row) => [row.class_reservation_id, row]))
      return ids.map((id) => {
        const row = byId.get(id)
        const why = whyReservationUnchanged(action as Parameters<typeof whyReservationUnchanged>[0], params, row)
        return { id, name: row?.name ?? '', why, ...(row ? { customer_id: row.customer_id } : {}) }
      })
    }
    case 'purchase': {
      const byId = new Map((await listBulkPurchases(db, ids, about)).map((row) => [row.purchase_id, row]))
      return ids.map((id) => {
        const row = byId.get(id)
        const why = whyPurchaseUnchanged(action as Parameters<typeof whyPurchaseUnchanged>[0], row)
        return { id, name: row?.name ?? '', why, period: row?.period ?? null }
      })
    }
    default: {
      const byId = new Map((await listBulkFacts(db, ids, params.tag_id ?? null, ctx.now)).map((row) => [row.customer_id, row]))
      return ids.map((id) => ({ id, name: byId.get(id)?.name ?? '', why: whyUnchanged(action as CustomerAction, byId.get(id)) }))
    }
  }
}

async function preview(ctx: Ctx, input: Input, ids: readonly number[]) {
  const refused = (await check(ctx, ctx.db, input, ids)).flatMap(({ id, name, why }): BulkRefused[] => (why ? [{ id, name, ...why }] : []))
  return { affected: ids.length - refused.length, refused: refused.slice(0, BULK_REFUSED_SHOWN), refused_total: refused.length }
}

/** The caller's own job. NOT_FOUND, also for another person's. */
async function ownJob(ctx: Ctx, job_id: number): Promise<BulkJobRow> {
  const job = await findBulkJob(ctx.db, job_id)
  if (!job || job.staff_id !== ctx.staff?.staff_id) throw refuse('NOT_FOUND')
  return job
}

const undoUntil = ({ action, state, finishedAt }: Pick<BulkJobRow, 'action' | 'state' | 'finishedAt'>): Date | null =>
  state === 'done' && finishedAt && !BULK_FINAL.has(action) ? new Date(finishedAt.getTime() + BULK_UNDO_MINUTES * MINUTE) : null

/** The caller's own jobs that can still be undone, the newest first. */
export async function openBulkUndos(ctx: Ctx, staff_id: number) {
  const jobs = await listFinishedJobs(ctx.db, staff_id, new Date(ctx.now.getTime() - BULK_UNDO_MINUTES * MINUTE))
  return jobs.flatMap((job) => {
    const until = undoUntil(job)
    return until && job.finishedAt && ctx.may(rightFor(job.action))
      ? [{ id: job.bulk_job_id, label: job.label, until, at: job.finishedAt }]
      : []
  })
}

/** How many records of a job were seen, by their counts; while it is undone, how many were undone or stay. */
const seenOf = ({ state, total }: Pick<BulkJobRow, 'state' | 'total'>, count: (state: 'waiting' | 'done') => number): number =>
  total - count('waiting') - (state === 'undoing' || state === 'undone' ? count('done') : 0)

/** GET /admin/jobs/{job_id}. NOT_FOUND. */
export async function readBulkJob(ctx: Ctx, { job_id }: { job_id: number }): Promise<BulkJob> {
  const job = await ownJob(ctx, job_id)
  const { counts, refused } = await bulkProgress(ctx.db, job, BULK_REFUSED_SHOWN)
  const count = (state: Parameters<typeof counts.get>[0]) => counts.get(state) ?? 0
  const until = undoUntil(job)
  return {
    job_id,
    label: job.label,
    subject: BULK_SUBJECTS[job.action],
    state: job.state,
    total: job.total,
    refused,
    done: seenOf(job, count),
    changed: count('done') + count('stayed'),
    refused_total: count('refused') + count('stayed'),
    undo_until: until && until >= ctx.now && count('done') > 0 ? until.toISOString() : null,
  }
}

/** POST /admin/jobs/{job_id}/undo. NOT_FOUND, FORBIDDEN, UNDO_TOO_LATE. */
export async function undoBulkJob(ctx: Ctx, { job_id }: { job_id: number }): Promise<BulkJob> {
  const job = await ownJob(ctx, job_id)
  ctx.require(rightFor(job.action))
  // Undone already, by a second click or in another tab: nothing is left to do.
  if (job.state === 'undoing' || job.state === 'undone') return readBulkJob(ctx, { job_id })
  const until = undoUntil(job)
  if (!until || until < ctx.now) throw refuse('UNDO_TOO_LATE')
  await ctx.tx(async (tx) => {
    if (!(await moveBulkJob(tx, job_id, ['done'], { state: 'undoing', ...authorshipOf(ctx) }))) throw refuse('UNDO_TOO_LATE')
    await ctx.audit(tx, { action: 'bulk.undo', entity: 'bulk_job', entity_id: job_id, after: { title: job.label, total: job.total } })
    await tx.send({ name: 'bulk.run', data: { bulk_job_id: job_id } })
  })
  return readBulkJob(ctx, { job_id })
}

/**
 * Runs a job. Every item is changed in a transaction of its own that also records the result, so that a killed job resumes without changing
 * an item twice. The author's rights are read again before each batch; without the right the remaining items are left unchanged.
 */
export async function runBulk(ctx: Ctx, { bulk_job_id }: { bulk_job_id: number }, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
  const job = await findBulkJob(ctx.db, bulk_job_id)
  if (!job) return
  const isUndo = job.state === 'undoing'
  if (!isUndo && !(await ctx.tx((tx) => moveBulkJob(tx, bulk_job_id, ['waiting', 'running'], { state: 'running' })))) return
  const from = isUndo ? 'done' : 'waiting'
  const report = progressReports(ctx, job)
  await report(isUndo ? 'undoing' : 'running')
  for (;;) {
    signal.throwIfAborted()
    const ids = await listBulkItems(ctx.db, bulk_job_id, from, BATCH)
    if (ids.length === 0) break
    const author = await getAuthor(ctx, job)
    if (!author.may(rightFor(job.action))) {
      await ctx.tx((tx) => refuseBulkItems(tx, bulk_job_id, from, { state: isUndo ? 'stayed' : 'refused', ...NOT_ALLOWED }))
      break
    }
    for (const id of ids) {
      await (isUndo ? undoItem(author, job, id) : runItem(author, job, id))
      await report(isUndo ? 'undoing' : 'running', REPORT_MS)
    }
  }
  const to = isUndo ? ({ state: 'undone' } as const) : ({ state: 'done', finishedAt: ctx.studio.clock() } as const)
  await ctx.tx((tx) => moveBulkJob(tx, bulk_job_id, [isUndo ? 'undoing' : 'running'], to))
  await report(to.state)
}

/** Tells the author's open screens how far a job is; with a pause, at most once in that time (ms). */
function progressReports(ctx: Ctx, job: BulkJobRow) {
  const { bulk_job_id, staff_id, total } = job
  let reportedAt = 0
  return async (state: BulkJobRow['state'], pause = 0): Promise<void> => {
    if (performance.now() - reportedAt < pause) return
    reportedAt = performance.now()
    const { counts } = await bulkProgress(ctx.db, job, 0)
    const done = seenOf({ state, total }, (counted) => counts.get(counted) ?? 0)
    ctx.studio.events.publish([{ topic: 'job', bulk_job_id, staff_id, state, done, total }])
  }
}

async function runItem(ctx: Ctx, job: BulkJobRow, id: number): Promise<void> {
  // Not in the transaction of the item. A job that is killed in between finds the purchase paid, and takes no money twice.
  const outside = await runOutside(ctx, job, id)
  await recordItem(ctx, job, id, ['waiting', 'refused'], async (tx) => {
    if (!ctx.may(rightFor(job.action))) return NOT_ALLOWED
    if (outside !== 'none' && outside !== null) return outside
    const [found] = await check(ctx, tx, job, [id])
    if (!found) return CHANGED_SINCE
    if (found.why && outside === 'none') return found.why
    const undo = await applyTo(tx, ctx, job, found)
    if (!undo) return CHANGED_SINCE
    await updateBulkItem(tx, job.bulk_job_id, id, { state: 'done', undo })
    return null
  })
}

/** Runs what calls other services. Null: done. 'none': the action has no such part. */
async function runOutside(ctx: Ctx, job: BulkJobRow, id: number): Promise<Unchanged | 'none' | null> {
  if (!isOutside(job.action) || !ctx.may(rightFor(job.action))) return 'none'
  const [found] = await check(ctx, ctx.db, job, [id])
  if (found?.why) return found.why
  try {
    await applyOutside(ctx, job, id)
    return null
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, message: error.message }
    ctx.studio.log.error({ error, bulk_job_id: job.bulk_job_id, id }, 'bulk.item_failed')
    return BROKEN
  }
}

async function undoItem(ctx: Ctx, job: BulkJobRow, id: number): Promise<void> {
  let isUndone = false
  await recordItem(ctx, job, id, ['done', 'stayed'], async (tx, undo) => {
    if (!ctx.may(rightFor(job.action))) return NOT_ALLOWED
    if (!(await undoFor(tx, ctx, job, id, undo))) return CHANGED_SINCE
    await updateBulkItem(tx, job.bulk_job_id, id, { state: 'undone' })
    isUndone = true
    return null
  })
  if (!isUndone) return
  // The undo remains when the other service cannot be reached: staff see its state, and can change it again.
  await undoOutside(ctx, job, id).catch((error: unknown) =>
    ctx.studio.log.error({ error, bulk_job_id: job.bulk_job_id, id }, 'bulk.undo_outside_failed'),
  )
}

/**
 * Runs the work of one item in a transaction, if the item is still in the state `from`; what it returns or throws as a refusal is recorded
 * as the state `otherwise`.
 */
async function recordItem(
  ctx: Ctx,
  { bulk_job_id }: BulkJobRow,
  id: number,
  [from, otherwise]: readonly ['waiting', 'refused'] | readonly ['done', 'stayed'],
  work: (tx: Tx, undo: unknown) => Promise<Unchanged | null>,
): Promise<void> {
  const attempt = ctx.tx(async (tx) => {
    const item = await lockBulkItem(tx, bulk_job_id, id, from)
    if (!item) return
    const why = await work(tx, item.undo)
    if (why) await updateBulkItem(tx, bulk_job_id, id, { state: otherwise, ...why })
  })
  await attempt.catch(async (error: unknown) => {
    const isRefusal = error instanceof Refusal
    if (!isRefusal) ctx.studio.log.error({ error, bulk_job_id, id }, 'bulk.item_failed')
    const why = isRefusal ? { code: error.code, message: error.message } : BROKEN
    await ctx.tx(async (tx) => {
      if (await lockBulkItem(tx, bulk_job_id, id, from)) await updateBulkItem(tx, bulk_job_id, id, { state: otherwise, ...why })
    })
  })
}

/** Deletes jobs whose retention time is over. */
export const sweepBulkJobs = (ctx: Ctx): Promise<void> =>
  ctx.tx((tx) => deleteOldBulkJobs(tx, new Date(ctx.now.getTime() - STORED_DAYS * 24 * 60 * MINUTE)))
