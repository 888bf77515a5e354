/** Delivers the events of webhooks: order per object, retries for three days, then a stop (docs/domain.md I7 and I9). */
import { WEBHOOK_RETRY_HOURS, WEBHOOK_STORED_DAYS } from '#contract/webhooks.ts'
import type { WebhookResult } from '#server/adapters/webhooks/port.ts'
import type { Ctx, Studio } from '#server/modules/ctx.ts'
import type { Tx } from '#server/platform/db.ts'
import type { JobRun } from '#server/platform/job-types.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  delayFollowers,
  deleteOldDeliveries,
  findFirstAttempt,
  finishAttempt,
  finishDelivered,
  listDueEndpoints,
  listSecrets,
  lockEndpoint,
  updateEndpoint,
} from './webhook-store.ts'
import { deliverJob } from './webhooks.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Longer than an attempt can take (server/adapters/webhooks/http.ts). */
const LEASE_MS = 30_000
/**
 * A job stops after this time and sends itself again behind the jobs of other endpoints, which so never wait for one that answers slowly.
 */
const JOB_MS = 5_000
/** Pauses between attempts, in minutes; the last one repeats. */
const PAUSES = [1, 5, 15, 30, 60, 120, 240, 480]
/** Changes that come together are looked for once. */
const GATHER_MS = 300

/** The instant of the next attempt; null when the three days are over. */
export function nextAttempt(attempts: number, first: Date, now: Date): Date | null {
  const pause = PAUSES[Math.min(attempts, PAUSES.length - 1)] ?? 0
  const next = new Date(now.getTime() + pause * MINUTE_MS)
  return next.getTime() - first.getTime() > WEBHOOK_RETRY_HOURS * HOUR_MS ? null : next
}

/** Messages to one endpoint at the same time, each about another object. */
const AT_ONCE = 10

/** Job: delivers what is due for one endpoint, a few messages at a time. */
export async function deliverToEndpoint(
  ctx: Ctx,
  { webhook_endpoint_id }: { webhook_endpoint_id: number },
  { signal }: JobRun,
): Promise<void> {
  const started = performance.now()
  while (!signal.aborted) {
    const now = ctx.studio.clock()
    const until = new Date(now.getTime() + LEASE_MS)
    const claimed = await ctx.tx((tx) => claimDeliveries(tx, webhook_endpoint_id, { now, until, max: AT_ONCE }))
    if (claimed.length === 0) return
    await attempt(ctx, webhook_endpoint_id, claimed, now)
    if (performance.now() - started > JOB_MS) return ctx.tx((tx) => tx.send(deliverJob(webhook_endpoint_id)))
  }
}

interface Attempt extends ClaimedDelivery {
  result: WebhookResult
}

async function attempt(ctx: Ctx, webhook_endpoint_id: number, claimed: readonly ClaimedDelivery[], now: Date): Promise<void> {
  const secrets = await listSecrets(ctx.db, webhook_endpoint_id, now)
  const attempts = await Promise.all(
    claimed.map(async (delivery): Promise<Attempt> => {
      const { message_id, url, payload } = delivery
      return { ...delivery, result: await ctx.ports.webhooks.send({ url, message_id, at: now, body: JSON.stringify(payload), secrets }) }
    }),
  )
  const accepted = attempts.flatMap(({ webhook_delivery_id, result }) =>
    result.error === null ? [{ ...result, webhook_delivery_id }] : [],
  )
  await ctx.tx(async (tx) => {
    // The endpoint before its deliveries, as everywhere.
    const endpoint = await lockEndpoint(tx, webhook_endpoint_id)
    if (!endpoint) return
    const delivered = await finishDelivered(tx, accepted, now)
    if (delivered.length > 0) await updateEndpoint(tx, webhook_endpoint_id, { lastDeliveredAt: now, failingSince: null })
    let stoppedBy: string | null = null
    const failingSince = (delivered.length > 0 ? null : endpoint.failingSince) ?? now
    for (const attempt of attempts)
      if (attempt.result.error !== null && (await recordFailure(tx, attempt, { failingSince, now }))) stoppedBy ??= attempt.result.error
    const hasFailed = attempts.some(({ result, payload }) => result.error !== null && !isTestPayload(payload))
    if (hasFailed) await updateEndpoint(tx, webhook_endpoint_id, { failingSince, ...(stoppedBy === null ? {} : { stoppedAt: now }) })
    if (stoppedBy !== null) {
      ctx.studio.log.warn({ webhook_endpoint_id, error: stoppedBy }, 'webhook.stopped')
      await ctx.audit(tx, { action: 'webhook.stop', entity: 'webhook', entity_id: webhook_endpoint_id, after: { name: endpoint.url } })
    }
  })
}

const isTestPayload = (payload: unknown) => (payload as { type?: unknown }).type === 'webhook.test'

/** Records an attempt that failed, with when the next one is; whether the endpoint is to be stopped. */
async function recordFailure(
  tx: Tx,
  { webhook_delivery_id, attempts, payload, result }: Attempt,
  { failingSince, now }: { failingSince: Date; now: Date },
): Promise<boolean> {
  const first = (await findFirstAttempt(tx, webhook_delivery_id)) ?? now
  const next = nextAttempt(attempts, first, now)
  const isTest = isTestPayload(payload)
  // After three days without one delivery the endpoint is stopped and its messages wait; where others arrived, only this message is
  // given up.
  const stops = !isTest && next === null && now.getTime() - failingSince.getTime() >= (WEBHOOK_RETRY_HOURS - PAUSE_HOURS_MAX) * HOUR_MS
  const ends = isTest || (next === null && !stops)
  const change = ends ? { state: 'failed' as const, nextAttemptAt: null } : { nextAttemptAt: next }
  if (!(await finishAttempt(tx, webhook_delivery_id, { ...result, at: now }, change))) return false
  if (change.nextAttemptAt) await delayFollowers(tx, webhook_delivery_id, change.nextAttemptAt)
  return stops
}

const PAUSE_HOURS_MAX = (PAUSES.at(-1) ?? 0) / 60

/** Scheduled job: sends a job for every endpoint with something due, and deletes old deliveries. */
export async function sweepWebhooks(ctx: Ctx): Promise<void> {
  await sendDue(ctx.studio, ctx.now)
  await ctx.tx((tx) => deleteOldDeliveries(tx, new Date(ctx.now.getTime() - WEBHOOK_STORED_DAYS * DAY_MS)))
}

async function sendDue(studio: Studio, now: Date): Promise<void> {
  for (const id of await listDueEndpoints(studio.db.read, now)) await studio.jobs.send(deliverJob(id))
}

/**
 * Looks for due deliveries soon after any change, so that a message leaves within a second; `sweepWebhooks` finds in any case what this
 * misses. Returns the function that ends it.
 */
export function watchForDeliveries(studio: Studio): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> = Promise.resolve()
  const quiet = studio.events.listen(() => {
    timer ??= setTimeout(() => {
      timer = undefined
      looking = sendDue(studio, studio.clock()).catch((error) => studio.log.warn({ error }, 'webhook.due_query_failed'))
    }, GATHER_MS)
  })
  return async () => {
    quiet()
    clearTimeout(timer)
    await looking
  }
}
