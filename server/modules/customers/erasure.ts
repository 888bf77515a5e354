/** Erasing a person's data at their request (docs/domain.md X12 to X14). */
import { erasureObstacleSentences } from '#contract/copy/customer-erasure.ts'
import { ERASURE_HOURS } from '#contract/customer-erasure.ts'
import { refuse } from '#contract/errors.ts'
import { formatMoney } from '#contract/money.ts'
import { formatInstant } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { type CustomerRow, customerById, getRole } from '#server/modules/people/people.ts'
import { forgetCards } from '#server/modules/sales/sales.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { listReferences } from '#server/platform/references.ts'
import { endStoredExports } from './erasure-names.ts'
import {
  deleteRecord,
  type ErasureRow,
  endErasure,
  eraseRecord,
  findPendingErasure,
  insertErasure,
  listDueErasures,
  listErasureObstacles,
  listRecordsOf,
} from './erasure-store.ts'
import { loadFacts, measureCustomer } from './facts.ts'
import { lockCustomer } from './store.ts'

/** Obstacles of an erasure, in sentences: open money, purchases and reservations. */
export async function describeObstacles(ctx: Ctx, db: Reader, record: Pick<CustomerRow, 'customer_id' | 'createdAt' | 'archivedAt'>) {
  const { customer_id } = record
  const [found, factsOf] = await Promise.all([listErasureObstacles(db, customer_id, ctx.now), loadFacts(db, [customer_id], ctx.now)])
  const { owed } = measureCustomer(ctx, factsOf(customer_id), record)
  const obstacles = found.map(({ kind, name, starts_at, zone }) => {
    const what = starts_at === null ? name : `${name}, ${formatInstant(new Date(starts_at), zone ?? ctx.zone, 'class')}`
    return { kind, message: erasureObstacleSentences[kind](what) }
  })
  return owed > 0 ? [...obstacles, { kind: 'debt' as const, message: erasureObstacleSentences.debt(formatMoney(owed)) }] : obstacles
}

/** GET /admin/customers/{customer_id}/erase. NOT_FOUND. */
export async function findErasure(ctx: Ctx, { customer_id }: { customer_id: number }) {
  const record = await customerById(ctx.db, customer_id)
  const [pending, obstacles] = await Promise.all([findPendingErasure(ctx.db, customer_id), describeObstacles(ctx, ctx.db, record)])
  return {
    erasure: pending && { final_at: pending.finalAt.toISOString(), by: pending.by, reason: pending.reason },
    obstacles,
  }
}

/** POST /admin/customers/{customer_id}/erase. NOT_FOUND, ERASE_BLOCKED, ERASE_PENDING. */
export async function startErasure(ctx: Ctx, { customer_id, reason }: { customer_id: number; reason: string }) {
  const { staff } = ctx
  if (!staff) throw refuse('FORBIDDEN')
  return ctx.tx(async (tx) => {
    if (!(await lockCustomer(tx, customer_id))) throw refuse('NOT_FOUND')
    if (await findPendingErasure(tx, customer_id)) throw refuse('ERASE_PENDING')
    const obstacles = await describeObstacles(ctx, tx, await customerById(tx, customer_id))
    if (obstacles.length > 0) throw refuse('ERASE_BLOCKED', { reasons: obstacles.map(({ message }) => message).join(' ') })
    const finalAt = new Date(ctx.now.getTime() + ERASURE_HOURS * 3_600_000)
    await insertErasure(tx, { customer_id, staff_id: staff.staff_id, reason, createdAt: ctx.now, finalAt })
    await ctx.audit(tx, { action: 'customer.erase', entity: 'customer', entity_id: customer_id, reason })
    return { final_at: finalAt.toISOString() }
  })
}

/** DELETE /admin/customers/{customer_id}/erase. NOT_FOUND. */
export async function withdrawErasure(ctx: Ctx, { customer_id }: { customer_id: number }): Promise<{ ok: true }> {
  return ctx.tx(async (tx) => {
    const pending = (await lockCustomer(tx, customer_id)) && (await findPendingErasure(tx, customer_id))
    if (!pending || !(await endErasure(tx, pending.customer_erasure_id, { outcome: 'withdrawn', endedAt: ctx.now })))
      throw refuse('NOT_FOUND')
    await ctx.audit(tx, { action: 'customer.erase_withdraw', entity: 'customer', entity_id: customer_id })
    return { ok: true as const }
  })
}

/**
 * Erases the record of a person who never existed, at once: the test customer of the first steps. NOT_FOUND, ERASE_BLOCKED. A record with
 * an account is a person.
 */
export async function eraseAtOnce(ctx: Ctx, { customer_id, reason }: { customer_id: number; reason: string }): Promise<void> {
  await ctx.tx((tx) => eraseNow(tx, ctx, { customer_id, reason }))
}

async function eraseNow(tx: Tx, ctx: Ctx, { customer_id, reason }: { customer_id: number; reason: string }): Promise<void> {
  if (!(await lockCustomer(tx, customer_id))) throw refuse('NOT_FOUND')
  const record = await customerById(tx, customer_id)
  const obstacles = await describeObstacles(ctx, tx, record)
  if (record.uid !== null || obstacles.length > 0)
    throw refuse('ERASE_BLOCKED', { reasons: obstacles.map(({ message }) => message).join(' ') })
  await eraseRecord(tx, record, ctx.now)
  await ctx.audit(tx, { action: 'customer.erased', entity: 'customer', entity_id: customer_id, reason })
  tx.notify({ topic: 'people' })
}

/** The same for a record that an import made; its row goes too where nothing refers to it. */
export async function eraseImported(tx: Tx, ctx: Ctx, of: { customer_id: number; reason: string }): Promise<void> {
  await eraseNow(tx, ctx, of)
  if ((await listReferences(tx, 'customer', of.customer_id, 'with cascades')).length === 0) await deleteRecord(tx, of.customer_id)
}

/**
 * Job: erases the data of every customer whose 72 hours are over. A failed erasure is retried at the next run and does not stop the others.
 */
export async function eraseDue(ctx: Ctx): Promise<void> {
  for (const due of await listDueErasures(ctx.db, ctx.now))
    try {
      await erase(ctx, due)
    } catch (error) {
      ctx.studio.log.error({ error, customer_id: due.customer_id }, 'customer.erasure_failed')
    }
}

/** Cards and log-in first, which belong to other services and can be repeated; then all records in one transaction. */
async function erase(ctx: Ctx, { customer_id, customer_erasure_id }: ErasureRow): Promise<void> {
  if (await ctx.tx((tx) => isStopped(tx, ctx, { customer_id, customer_erasure_id }))) return
  const records = await listRecordsOf(ctx.db, customer_id)
  await forgetCards(
    ctx,
    records.map((record) => record.customer_id),
  )
  for (const { uid } of records) if (uid !== null && (await getRole(ctx.db, uid)) === null) await ctx.ports.identity.removeAccount(uid)
  await ctx.tx(async (tx) => {
    // Something may have begun while the other services answered, such as a sale of reception.
    if (await isStopped(tx, ctx, { customer_id, customer_erasure_id })) return
    for (const record of records) await eraseRecord(tx, record, ctx.now)
    if (!(await endErasure(tx, customer_erasure_id, { outcome: 'erased', endedAt: ctx.now }))) return
    await endStoredExports(tx, ctx.now)
    await ctx.audit(tx, { action: 'customer.erased', entity: 'customer', entity_id: customer_id })
    for (const { uid } of records) tx.notify({ topic: 'people', ...(uid ? { uid } : {}) })
  })
}

/** Whether the customer is gone, or a new obstacle prevents the erasure, which then ends; needs the customer's lock. */
async function isStopped(
  tx: Tx,
  ctx: Ctx,
  { customer_id, customer_erasure_id }: Pick<ErasureRow, 'customer_id' | 'customer_erasure_id'>,
): Promise<boolean> {
  const isThere = await lockCustomer(tx, customer_id)
  const obstacles = isThere ? await describeObstacles(ctx, tx, await customerById(tx, customer_id)) : []
  if (isThere && obstacles.length === 0) return false
  if (await endErasure(tx, customer_erasure_id, { outcome: 'stopped', endedAt: ctx.now }))
    await ctx.audit(tx, {
      action: 'customer.erase_stopped',
      entity: 'customer',
      entity_id: customer_id,
      reason: obstacles.map(({ message }) => message).join(' ') || null,
    })
  return true
}
