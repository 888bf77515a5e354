/** Queries of webhooks: endpoints, their secrets, deliveries and attempts. */
import { and, count, desc, eq, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { WebhookDeliveryState } from '#contract/webhooks.ts'
import type { SealedSecret, WebhookResult } from '#server/adapters/webhooks/port.ts'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { instantValue } from '#server/platform/sql-values.ts'
import { webhookAttempt, webhookDelivery, webhookEndpoint, webhookSecret } from './tables.ts'

export type EndpointRow = typeof webhookEndpoint.$inferSelect
export type DeliveryRow = typeof webhookDelivery.$inferSelect & { status: number | null; error: string | null }
export type AttemptRow = typeof webhookAttempt.$inferSelect

/** Endpoints, newest first, each with how many deliveries wait. */
export async function listEndpoints(on: Reader, webhook_endpoint_id?: number): Promise<(EndpointRow & { waiting: number })[]> {
  const rows = await on
    .select({
      row: webhookEndpoint,
      waiting: sql<number>`(select count(*)::int from webhook_delivery d
        where d.webhook_endpoint_id = webhook_endpoint.webhook_endpoint_id and d.state = 'waiting')`,
    })
    .from(webhookEndpoint)
    .where(webhook_endpoint_id === undefined ? undefined : eq(webhookEndpoint.webhook_endpoint_id, webhook_endpoint_id))
    .orderBy(desc(webhookEndpoint.webhook_endpoint_id))
  return rows.map(({ row, waiting }) => ({ ...row, waiting }))
}

export const countEndpoints = async (on: Reader): Promise<number> => singleRow(await on.select({ n: count() }).from(webhookEndpoint)).n

export async function lockEndpoint(tx: Tx, webhook_endpoint_id: number): Promise<EndpointRow | null> {
  const [row] = await tx.select().from(webhookEndpoint).where(eq(webhookEndpoint.webhook_endpoint_id, webhook_endpoint_id)).for('update')
  return row ?? null
}

export async function insertEndpoint(tx: Tx, values: typeof webhookEndpoint.$inferInsert): Promise<number> {
  return singleRow(await tx.insert(webhookEndpoint).values(values).returning({ id: webhookEndpoint.webhook_endpoint_id })).id
}

export async function updateEndpoint(
  tx: Tx,
  webhook_endpoint_id: number,
  change: Partial<typeof webhookEndpoint.$inferInsert>,
): Promise<void> {
  await tx.update(webhookEndpoint).set(change).where(eq(webhookEndpoint.webhook_endpoint_id, webhook_endpoint_id))
}

export async function removeEndpoint(tx: Tx, webhook_endpoint_id: number): Promise<void> {
  await tx.delete(webhookEndpoint).where(eq(webhookEndpoint.webhook_endpoint_id, webhook_endpoint_id))
}

export async function insertWebhookSecret(tx: Tx, values: typeof webhookSecret.$inferInsert): Promise<void> {
  await tx.insert(webhookSecret).values(values)
}

/** Lets the current secret sign until an instant; earlier ones end. */
export async function endWebhookSecrets(tx: Tx, webhook_endpoint_id: number, until: Date): Promise<void> {
  await tx.execute(sql`delete from webhook_secret where webhook_endpoint_id = ${webhook_endpoint_id} and "expiresAt" is not null`)
  await tx.update(webhookSecret).set({ expiresAt: until }).where(eq(webhookSecret.webhook_endpoint_id, webhook_endpoint_id))
}

/** The secrets that sign now, the current one first. */
export async function listSecrets(on: Reader, webhook_endpoint_id: number, now: Date): Promise<SealedSecret[]> {
  const rows = await on
    .select()
    .from(webhookSecret)
    .where(eq(webhookSecret.webhook_endpoint_id, webhook_endpoint_id))
    .orderBy(desc(webhookSecret.createdAt))
  return rows.filter(({ expiresAt }) => !expiresAt || expiresAt > now)
}

/** A delivery that no trigger records: a test, or one that is repeated. */
export async function insertDelivery(
  tx: Tx,
  values: Pick<typeof webhookDelivery.$inferInsert, 'webhook_endpoint_id' | 'message_id' | 'type' | 'object' | 'payload' | 'createdAt'>,
): Promise<number> {
  return singleRow(await tx.insert(webhookDelivery).values(values).returning({ id: webhookDelivery.webhook_delivery_id })).id
}

const lastAttempt = {
  status: sql<number | null>`(select a.status from webhook_attempt a where a.webhook_delivery_id = webhook_delivery.webhook_delivery_id
    order by a.webhook_attempt_id desc limit 1)`,
  error: sql<string | null>`(select a.error from webhook_attempt a where a.webhook_delivery_id = webhook_delivery.webhook_delivery_id
    order by a.webhook_attempt_id desc limit 1)`,
}

export async function findDelivery(on: Reader, webhook_delivery_id: number): Promise<DeliveryRow | null> {
  const [found] = await on
    .select({ row: webhookDelivery, ...lastAttempt })
    .from(webhookDelivery)
    .where(eq(webhookDelivery.webhook_delivery_id, webhook_delivery_id))
  return found ? { ...found.row, status: found.status, error: found.error } : null
}

export async function listDeliveries(
  on: Reader,
  filter: { webhook_endpoint_id: number; state?: WebhookDeliveryState | undefined },
  page: { number: number; size: number },
): Promise<{ rows: DeliveryRow[]; total: number }> {
  const where = and(
    eq(webhookDelivery.webhook_endpoint_id, filter.webhook_endpoint_id),
    filter.state === undefined ? undefined : eq(webhookDelivery.state, filter.state),
  )
  const [rows, counted] = await Promise.all([
    on
      .select({ row: webhookDelivery, ...lastAttempt })
      .from(webhookDelivery)
      .where(where)
      .orderBy(desc(webhookDelivery.webhook_delivery_id))
      .limit(page.size)
      .offset((page.number - 1) * page.size),
    on.select({ n: count() }).from(webhookDelivery).where(where),
  ])
  return { rows: rows.map(({ row, status, error }) => ({ ...row, status, error })), total: singleRow(counted).n }
}

export const listAttempts = (on: Reader, webhook_delivery_id: number): Promise<AttemptRow[]> =>
  on
    .select()
    .from(webhookAttempt)
    .where(eq(webhookAttempt.webhook_delivery_id, webhook_delivery_id))
    .orderBy(desc(webhookAttempt.webhook_attempt_id))
    .limit(100)

/** As the index has it. */
const dueAt = sql`coalesce(d."nextAttemptAt", '-infinity'::timestamptz)`

/**
 * Due: nothing about the same object waits before it, and its pause is over. Tests are sent to stopped endpoints, too. The first one of the
 * object is looked up in the order of the index; `not exists` would be planned as a join of everything that waits where many are about
 * one object.
 */
const isDue = (now: Date) => sql`d.state = 'waiting' and ${dueAt} <= ${instantValue(now)}
  and (d."leasedUntil" is null or d."leasedUntil" <= ${instantValue(now)})
  and d.webhook_delivery_id = (select f.webhook_delivery_id from webhook_delivery f
    where f.state = 'waiting' and (f.webhook_endpoint_id, f.object) >= (d.webhook_endpoint_id, d.object)
    order by f.webhook_endpoint_id, f.object, f.webhook_delivery_id limit 1)`
const isServed = sql`e.is_active and e."stoppedAt" is null`
const isTest = sql`d.type = 'webhook.test'`

/** Endpoints with something to deliver now. */
export async function listDueEndpoints(on: Reader, now: Date): Promise<number[]> {
  // In the order of the index, so that the planner reads what is due and nothing else.
  const due = (which: SQL) => sql`(select d.webhook_delivery_id from webhook_delivery d
    where ${which} and d.webhook_endpoint_id = e.webhook_endpoint_id and ${isDue(now)} order by ${dueAt}, d.webhook_delivery_id limit 1) is not null`
  const { rows } = await on.execute<{ id: number }>(sql`
    select e.webhook_endpoint_id as id from webhook_endpoint e where case when ${isServed} then ${due(sql`true`)} else ${due(isTest)} end`)
  return rows.map(({ id }) => id)
}

export interface ClaimedDelivery extends Record<string, unknown> {
  webhook_delivery_id: number
  message_id: string
  payload: unknown
  attempts: number
  url: string
}

/**
 * Takes due deliveries of an endpoint for an attempt, of as many objects: what was never tried first, then by when it is due. Of a stopped
 * endpoint only a test.
 */
export async function claimDeliveries(
  tx: Tx,
  webhook_endpoint_id: number,
  { now, until, max }: { now: Date; until: Date; max: number },
): Promise<ClaimedDelivery[]> {
  const take = (which: SQL, limit: number) => sql`array(select d.webhook_delivery_id from webhook_delivery d
    where ${which} and d.webhook_endpoint_id = ${webhook_endpoint_id} and ${isDue(now)}
    order by ${dueAt}, d.webhook_delivery_id limit ${limit} for update of d skip locked)`
  const { rows } = await tx.execute<ClaimedDelivery>(sql`
    update webhook_delivery u set "leasedUntil" = ${instantValue(until)}, "firstAttemptAt" = coalesce(u."firstAttemptAt", ${instantValue(now)})
    from webhook_endpoint e where e.webhook_endpoint_id = u.webhook_endpoint_id and u.webhook_delivery_id = any(${take(isTest, 1)}
      || ${take(sql`exists (select from webhook_endpoint e where e.webhook_endpoint_id = ${webhook_endpoint_id} and ${isServed})`, max)})
    returning u.webhook_delivery_id, u.message_id, u.payload, u.attempts, e.url`)
  return rows
}

/** Records attempts that were accepted; the ids of those that no other process had finished. */
export async function finishDelivered(
  tx: Tx,
  results: readonly (WebhookResult & { webhook_delivery_id: number })[],
  at: Date,
): Promise<number[]> {
  if (results.length === 0) return []
  const ids = results.map(({ webhook_delivery_id }) => webhook_delivery_id)
  const changed = await tx
    .update(webhookDelivery)
    .set({ state: 'delivered', nextAttemptAt: null, attempts: sql`${webhookDelivery.attempts} + 1`, leasedUntil: null })
    .where(and(inArray(webhookDelivery.webhook_delivery_id, ids), eq(webhookDelivery.state, 'waiting')))
    .returning({ id: webhookDelivery.webhook_delivery_id })
  const finished = new Set(changed.map(({ id }) => id))
  const attempts = results.filter(({ webhook_delivery_id }) => finished.has(webhook_delivery_id)).map((result) => ({ ...result, at }))
  if (attempts.length > 0) await tx.insert(webhookAttempt).values(attempts)
  return [...finished]
}

/** Records an attempt and the new state of its delivery. False when the delivery is gone, or another process has finished it. */
export async function finishAttempt(
  tx: Tx,
  webhook_delivery_id: number,
  result: WebhookResult & { at: Date },
  change: Pick<Partial<typeof webhookDelivery.$inferInsert>, 'state' | 'nextAttemptAt'>,
): Promise<boolean> {
  const changed = await tx
    .update(webhookDelivery)
    .set({ ...change, attempts: sql`${webhookDelivery.attempts} + 1`, leasedUntil: null })
    .where(and(eq(webhookDelivery.webhook_delivery_id, webhook_delivery_id), eq(webhookDelivery.state, 'waiting')))
    .returning({ id: webhookDelivery.webhook_delivery_id })
  if (changed.length === 0) return false
  const { at, status, response, error, milliseconds } = result
  await tx.insert(webhookAttempt).values({ webhook_delivery_id, at, status, response, error, milliseconds })
  return true
}

/** How many deliveries behind a failed one are delayed with it: a statement with more could last longer than it may. */
const MAX_DELAYED = 10_000

/** Delays the deliveries behind a failed one until its next attempt, so that they are not read before. */
export async function delayFollowers(tx: Tx, webhook_delivery_id: number, until: Date): Promise<void> {
  await tx.execute(sql`
    update webhook_delivery u set "nextAttemptAt" = ${instantValue(until)} where u.webhook_delivery_id in (
      select d.webhook_delivery_id from webhook_delivery first join webhook_delivery d using (webhook_endpoint_id, object)
      where first.webhook_delivery_id = ${webhook_delivery_id} and d.state = 'waiting' and d.webhook_delivery_id > first.webhook_delivery_id
      order by d.webhook_delivery_id limit ${MAX_DELAYED})`)
}

/** Lets everything that waits for an endpoint be tried at once, with three more days. */
export async function retryWaiting(tx: Tx, webhook_endpoint_id: number): Promise<void> {
  await tx
    .update(webhookDelivery)
    .set({ nextAttemptAt: null, firstAttemptAt: null })
    .where(and(eq(webhookDelivery.webhook_endpoint_id, webhook_endpoint_id), eq(webhookDelivery.state, 'waiting')))
}

/** When the waiting delivery was first tried. */
export async function findFirstAttempt(on: Reader, webhook_delivery_id: number): Promise<Date | null> {
  const [row] = await on
    .select({ at: webhookDelivery.firstAttemptAt })
    .from(webhookDelivery)
    .where(eq(webhookDelivery.webhook_delivery_id, webhook_delivery_id))
  return row?.at ?? null
}

export async function deleteOldDeliveries(tx: Tx, before: Date): Promise<void> {
  await tx.delete(webhookDelivery).where(lt(webhookDelivery.createdAt, before))
}
