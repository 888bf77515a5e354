/** Webhooks of the owner (docs/domain.md I6 to I9): endpoints, their secrets, what was sent. */
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { refuse } from '#contract/errors.ts'
import { pageCount } from '#contract/paging.ts'
import {
  WEBHOOK_ENDPOINTS_MAX,
  type Webhook,
  type WebhookDelivery,
  type WebhookDeliveryState,
  type WebhookEvent,
  webhookEvents,
  type webhooks as wire,
} from '#contract/webhooks.ts'
import { assertUnchanged } from '#server/modules/changed-meanwhile.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import {
  type AttemptRow,
  countEndpoints,
  type DeliveryRow,
  type EndpointRow,
  endWebhookSecrets,
  findDelivery,
  insertDelivery,
  insertEndpoint,
  insertWebhookSecret,
  listAttempts,
  listDeliveries,
  listEndpoints,
  lockEndpoint,
  removeEndpoint,
  retryWaiting,
  updateEndpoint,
} from './webhook-store.ts'

const HOUR_MS = 3_600_000
/** For how long messages are signed with the previous secret, too. */
const OVERLAP_HOURS = 24

export const DELIVER_JOB = 'webhooks.deliver'

const serialize = ({
  failingSince,
  stoppedAt,
  lastDeliveredAt,
  createdAt,
  updatedAt,
  event_types,
  ...row
}: EndpointRow & { waiting: number }): Webhook => ({
  ...row,
  // An event that there is no more, or never was.
  event_types: event_types.filter((type) => Object.hasOwn(webhookEvents, type)),
  failing_since: failingSince?.toISOString() ?? null,
  stopped_at: stoppedAt?.toISOString() ?? null,
  last_delivered_at: lastDeliveredAt?.toISOString() ?? null,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

/** GET /admin/webhooks. */
export async function webhookList(ctx: Ctx): Promise<{ webhooks: Webhook[] }> {
  return { webhooks: (await listEndpoints(ctx.db)).map(serialize) }
}

async function readWebhook(ctx: Ctx, webhook_endpoint_id: number): Promise<Webhook> {
  const [row] = await listEndpoints(ctx.db, webhook_endpoint_id)
  if (!row) throw refuse('NOT_FOUND')
  return serialize(row)
}

/** INVALID_INPUT for an address that no message may go to (I8). */
function requireUrl(ctx: Ctx, url: string | undefined): void {
  const message = url === undefined ? null : ctx.ports.webhooks.whyNotUrl(url)
  if (message) throw refuse('INVALID_INPUT', { issues: [{ path: 'url', message }] })
}

/** POST /admin/webhooks. RECENT_SIGN_IN_REQUIRED, INVALID_INPUT. */
export async function createWebhook(
  ctx: Ctx,
  input: { url: string; event_types: WebhookEvent[]; description: string },
): Promise<{ webhook: Webhook; secret: string }> {
  ctx.requireRecentSignIn()
  requireUrl(ctx, input.url)
  const { secret, secret_id, sealed } = ctx.ports.webhooks.newSecret()
  const event_types = [...new Set(input.event_types)]
  const webhook_endpoint_id = await ctx.tx(async (tx) => {
    if ((await countEndpoints(tx)) >= WEBHOOK_ENDPOINTS_MAX)
      throw refuse('INVALID_INPUT', {
        issues: [{ path: 'url', message: `Caben ${WEBHOOK_ENDPOINTS_MAX} webhooks: elimina alguno primero.` }],
      })
    const id = await insertEndpoint(tx, { ...input, event_types, createdAt: ctx.now, updatedAt: ctx.now })
    await insertWebhookSecret(tx, { webhook_endpoint_id: id, secret_id, sealed, createdAt: ctx.now })
    await ctx.audit(tx, { action: 'webhook.create', entity: 'webhook', entity_id: id, after: { name: input.url, event_types } })
    return id
  })
  return { webhook: await readWebhook(ctx, webhook_endpoint_id), secret }
}

interface Change {
  webhook_endpoint_id: number
  url?: string | undefined
  event_types?: WebhookEvent[] | undefined
  description?: string | undefined
  is_active?: boolean | undefined
  if_updatedAt?: string | null | undefined
}

/** PUT /admin/webhooks. NOT_FOUND, INVALID_INPUT, CHANGED_MEANWHILE; RECENT_SIGN_IN_REQUIRED for another address. */
export async function changeWebhook(ctx: Ctx, { webhook_endpoint_id, ...change }: Change): Promise<{ webhook: Webhook }> {
  requireUrl(ctx, change.url)
  await ctx.tx(async (tx) => {
    const before = await lockEndpoint(tx, webhook_endpoint_id)
    if (!before) throw refuse('NOT_FOUND')
    const stored = { entity: 'webhook', id: webhook_endpoint_id, updatedAt: before.updatedAt }
    await assertUnchanged(tx, ctx, stored, change.if_updatedAt)
    if (change.url !== undefined && change.url !== before.url) ctx.requireRecentSignIn()
    const after = {
      url: change.url ?? before.url,
      description: change.description ?? before.description,
      event_types: change.event_types ? [...new Set(change.event_types)] : before.event_types,
      is_active: change.is_active ?? before.is_active,
    }
    const { url, description, event_types, is_active } = before
    const was = { url, description, event_types, is_active }
    const resumes = change.is_active === true && (before.stoppedAt !== null || !before.is_active)
    // What changes nothing is no version (K19).
    if (!resumes && isDeepStrictEqual(after, was)) return
    await updateEndpoint(tx, webhook_endpoint_id, {
      ...after,
      updatedAt: ctx.now,
      ...(resumes ? { stoppedAt: null, failingSince: null } : {}),
    })
    if (resumes) {
      await retryWaiting(tx, webhook_endpoint_id)
      await tx.send(deliverJob(webhook_endpoint_id))
    }
    await ctx.audit(tx, {
      action: 'webhook.change',
      entity: 'webhook',
      entity_id: webhook_endpoint_id,
      before: { name: url, description, event_types, is_active },
      after: { name: after.url, description: after.description, event_types: after.event_types, is_active: after.is_active },
    })
  })
  return { webhook: await readWebhook(ctx, webhook_endpoint_id) }
}

/** POST /admin/webhooks/{id}/rotate. NOT_FOUND, RECENT_SIGN_IN_REQUIRED. */
export async function rotateWebhook(
  ctx: Ctx,
  { webhook_endpoint_id }: { webhook_endpoint_id: number },
): Promise<{ webhook: Webhook; secret: string }> {
  ctx.requireRecentSignIn()
  const { secret, secret_id, sealed } = ctx.ports.webhooks.newSecret()
  await ctx.tx(async (tx) => {
    const before = await lockEndpoint(tx, webhook_endpoint_id)
    if (!before) throw refuse('NOT_FOUND')
    await endWebhookSecrets(tx, webhook_endpoint_id, new Date(ctx.now.getTime() + OVERLAP_HOURS * HOUR_MS))
    await insertWebhookSecret(tx, { webhook_endpoint_id, secret_id, sealed, createdAt: ctx.now })
    await ctx.audit(tx, { action: 'webhook.rotate', entity: 'webhook', entity_id: webhook_endpoint_id, after: { name: before.url } })
  })
  return { webhook: await readWebhook(ctx, webhook_endpoint_id), secret }
}

/** DELETE /admin/webhooks/{id}. NOT_FOUND. */
export async function removeWebhook(ctx: Ctx, { webhook_endpoint_id }: { webhook_endpoint_id: number }): Promise<{ ok: true }> {
  await ctx.tx(async (tx) => {
    const before = await lockEndpoint(tx, webhook_endpoint_id)
    if (!before) throw refuse('NOT_FOUND')
    await removeEndpoint(tx, webhook_endpoint_id)
    await ctx.audit(tx, { action: 'webhook.remove', entity: 'webhook', entity_id: webhook_endpoint_id, before: { name: before.url } })
  })
  return { ok: true }
}

export const deliverJob = (webhook_endpoint_id: number) => ({
  name: DELIVER_JOB,
  data: { webhook_endpoint_id },
  key: String(webhook_endpoint_id),
})

/** POST /admin/webhooks/{id}/test. NOT_FOUND. */
export async function testWebhook(
  ctx: Ctx,
  { webhook_endpoint_id }: { webhook_endpoint_id: number },
): Promise<{ webhook_delivery_id: number }> {
  return ctx.tx(async (tx) => {
    if (!(await lockEndpoint(tx, webhook_endpoint_id))) throw refuse('NOT_FOUND')
    const uuid = randomUUID()
    const webhook_delivery_id = await insertDelivery(tx, {
      webhook_endpoint_id,
      message_id: `msg_${uuid.replaceAll('-', '')}`,
      type: 'webhook.test',
      object: `test:${uuid}`,
      payload: { type: 'webhook.test', timestamp: ctx.now.toISOString(), data: { message: 'Esta es una prueba.' } },
      createdAt: ctx.now,
    })
    await tx.send(deliverJob(webhook_endpoint_id))
    return { webhook_delivery_id }
  })
}

const serializeDelivery = ({ nextAttemptAt, createdAt, ...row }: DeliveryRow): WebhookDelivery => ({
  webhook_delivery_id: row.webhook_delivery_id,
  message_id: row.message_id,
  type: row.type,
  object: row.object,
  state: row.state,
  attempts: row.attempts,
  status: row.status,
  error: row.error,
  next_attempt_at: row.state === 'waiting' ? (nextAttemptAt?.toISOString() ?? null) : null,
  createdAt: createdAt.toISOString(),
})

/** GET /admin/webhooks/{id}/deliveries. NOT_FOUND. */
export async function webhookDeliveries(
  ctx: Ctx,
  input: { webhook_endpoint_id: number; state?: WebhookDeliveryState | undefined; page: number; per_page: number },
): Promise<{ deliveries: WebhookDelivery[]; total: number; pages: number }> {
  await readWebhook(ctx, input.webhook_endpoint_id)
  const { rows, total } = await listDeliveries(ctx.db, input, { number: input.page, size: input.per_page })
  return { deliveries: rows.map(serializeDelivery), total, pages: pageCount(total, input.per_page) }
}

type DeliveryView = Awaited<ReturnType<NonNullable<(typeof wire)['delivery']['~orpc']['outputSchema']>['parseAsync']>>

const serializeAttempt = ({ at, status, response, error, milliseconds }: AttemptRow) => ({
  at: at.toISOString(),
  status,
  response,
  error,
  milliseconds,
})

/** GET /admin/webhook_deliveries/{id}. NOT_FOUND. */
export async function webhookDeliveryView(ctx: Ctx, { webhook_delivery_id }: { webhook_delivery_id: number }): Promise<DeliveryView> {
  const row = await findDelivery(ctx.db, webhook_delivery_id)
  if (!row) throw refuse('NOT_FOUND')
  const attempts = await listAttempts(ctx.db, webhook_delivery_id)
  return { delivery: serializeDelivery(row), payload: row.payload as DeliveryView['payload'], attempts: attempts.map(serializeAttempt) }
}

/** POST /admin/webhook_deliveries/{id}/replay. NOT_FOUND. */
export async function replayDelivery(
  ctx: Ctx,
  { webhook_delivery_id }: { webhook_delivery_id: number },
): Promise<{ webhook_delivery_id: number }> {
  return ctx.tx(async (tx) => {
    const row = await findDelivery(tx, webhook_delivery_id)
    if (!row) throw refuse('NOT_FOUND')
    const { webhook_endpoint_id, message_id, type, object, payload } = row
    const again = await insertDelivery(tx, { webhook_endpoint_id, message_id, type, object, payload, createdAt: ctx.now })
    await ctx.audit(tx, { action: 'webhook.replay', entity: 'webhook', entity_id: webhook_endpoint_id, after: { name: type, message_id } })
    await tx.send(deliverJob(webhook_endpoint_id))
    return { webhook_delivery_id: again }
  })
}
