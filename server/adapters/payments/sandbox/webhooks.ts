/** Webhooks of the sandbox processor: signed, posted to the studio's webhook route like any processor's, and stored until accepted. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { and, asc, eq, isNull, lt, sql } from 'drizzle-orm'
import { BadSignature, type Ref } from '#server/adapters/payments/port.ts'
import { type Db, genericPlanParam, prepared, type Reader, type Tx } from '#server/platform/db.ts'
import { sandboxConfig, sandboxEvent } from './tables.ts'

export const SIGNATURE_HEADER = 'sandbox-signature'
/** Maximum difference between an event's time and ours, against replays. */
const TOLERANCE_MS = 300_000
/** After so many refusals an event is no longer posted: the studio's reconciliation finds the change. */
const MAX_TRIES = 20

/** An event as posted to `/api/webhooks/sandbox`. */
export interface WebhookEvent {
  headers: Record<string, string>
  body: string
}

/** Posts an event and returns the HTTP status of the response. */
export type Courier = (event: WebhookEvent) => Promise<number>

/** The signing key, created at first use and the same for every process of the studio. */
export async function signingKey(db: Db): Promise<string> {
  const read = async () => (await db.read.select().from(sandboxConfig).where(eq(sandboxConfig.name, 'webhook_secret')))[0]?.value
  const storedSecret = await read()
  if (storedSecret) return storedSecret
  await db.tx((tx) =>
    tx
      .insert(sandboxConfig)
      .values({ name: 'webhook_secret', value: randomBytes(24).toString('hex') })
      .onConflictDoNothing(),
  )
  const body = await read()
  if (!body) throw new Error('The sandbox has no key to sign its notices with.')
  return body
}

/** `t=<seconds>,v1=<hex>` over `<seconds>.<body>`. */
export function signWebhook(key: string, body: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000)
  return `t=${seconds},v1=${createHmac('sha256', key).update(`${seconds}.${body}`).digest('hex')}`
}

/** Verifies the signature over the raw bytes and parses the event; throws BadSignature. */
export function readWebhookEvent(
  key: string,
  header: string | string[] | undefined,
  body: Uint8Array,
  now: Date,
): { eventId: string; at: Date; about: Ref[] } {
  const found = typeof header === 'string' ? /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header) : null
  if (!found?.[1] || !found[2]) throw new BadSignature('no signature')
  const expected = createHmac('sha256', key).update(`${found[1]}.`).update(body).digest()
  if (!timingSafeEqual(expected, Buffer.from(found[2], 'hex'))) throw new BadSignature('wrong signature')
  if (Math.abs(now.getTime() - Number(found[1]) * 1000) > TOLERANCE_MS) throw new BadSignature('too old')
  const content = JSON.parse(Buffer.from(body).toString('utf8')) as {
    id: string
    at: string
    about: { kind: 'payment' | 'subscription'; id: string }[]
  }
  return { eventId: content.id, at: new Date(content.at), about: content.about.map(({ kind, id }) => ({ gateway: 'sandbox', kind, id })) }
}

/** Builds and signs one waiting event. */
function write(row: typeof sandboxEvent.$inferSelect, key: string, now: Date): WebhookEvent {
  const body = JSON.stringify({
    id: `evt_${row.id}`,
    type: row.type,
    at: row.at.toISOString(),
    about: row.about.map(({ kind, id }) => ({ kind, id })),
  })
  return { headers: { 'content-type': 'application/json', [SIGNATURE_HEADER]: signWebhook(key, body, now) }, body }
}

const waiting = prepared('sandbox.waitingEvents', (on: Reader) =>
  on
    .select()
    .from(sandboxEvent)
    .where(and(isNull(sandboxEvent.deliveredAt), lt(sandboxEvent.tries, MAX_TRIES)))
    .orderBy(asc(sandboxEvent.id))
    .limit(sql.placeholder('limit')),
)

/** Events that are read at once. */
const AT_ONCE = 100

/** Events not accepted yet, oldest first, signed now. `key`: read from the database where it is not given. */
export async function waitingWebhookEvents(
  db: Db,
  now: Date,
  { key, limit = AT_ONCE }: { key?: string; limit?: number } = {},
): Promise<(WebhookEvent & { id: number })[]> {
  const [rows, signedWith] = await Promise.all([waiting(db.read).execute({ limit }), key ?? signingKey(db)])
  return rows.map((row) => ({ id: row.id, ...write(row, signedWith, now) }))
}

const tried = prepared('sandbox.triedEvents', (on: Tx) =>
  on
    .update(sandboxEvent)
    .set({
      tries: sql`${sandboxEvent.tries} + 1`,
      deliveredAt: sql`coalesce(${genericPlanParam('deliveredAt', 'timestamptz')}, ${sandboxEvent.deliveredAt})`,
    })
    .where(sql`${sandboxEvent.id} = any(${genericPlanParam('ids', 'integer[]')}::integer[])`),
)

/**
 * Posts the oldest waiting events and records in one transaction which were accepted. Safe in several processes at once, and when one dies in
 * between: the inbox stores each event once. True when all were accepted and there may be more; one that is not accepted waits for the next
 * change or tick.
 */
export async function postWaitingEvents(db: Db, key: string, courier: Courier, now: () => Date): Promise<boolean> {
  const events = await waitingWebhookEvents(db, now(), { key })
  const [accepted, refused]: [number[], number[]] = [[], []]
  for (const event of events) {
    const status = await courier(event).catch(() => 0)
    const list = status >= 200 && status < 300 ? accepted : refused
    list.push(event.id)
  }
  if (events.length > 0)
    await db.tx(async (tx) => {
      for (const [ids, deliveredAt] of [
        [accepted, now().toISOString()],
        [refused, null],
      ] as const)
        if (ids.length > 0) tx.fireAndForget(tried(tx).execute({ ids: `{${ids.join(',')}}`, deliveredAt }))
    })
  return accepted.length === AT_ONCE
}
