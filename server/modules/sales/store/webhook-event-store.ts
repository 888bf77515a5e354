/** Webhook events of processors, until they are applied. */
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { providerEvent } from '#server/modules/sales/tables.ts'
import { prepared, type Reader, type Tx } from '#server/platform/db.ts'
import { type GatewayFilter, ofGateway } from './store.ts'

export type EventRow = typeof providerEvent.$inferSelect

/** Stores a webhook event; null when it was stored before. */
export async function insertEvent(tx: Tx, values: typeof providerEvent.$inferInsert): Promise<number | null> {
  const [row] = await tx.insert(providerEvent).values(values).onConflictDoNothing().returning({ id: providerEvent.provider_event_id })
  return row?.id ?? null
}

const oneEvent = prepared('sales.event', (on: Reader) =>
  on
    .select()
    .from(providerEvent)
    .where(eq(providerEvent.provider_event_id, sql.placeholder('provider_event_id'))),
)

export async function findEvent(db: Reader, provider_event_id: number): Promise<EventRow | null> {
  const [row] = await oneEvent(db).execute({ provider_event_id })
  return row ?? null
}

export async function updateEvent(tx: Tx, provider_event_id: number, set: Partial<typeof providerEvent.$inferInsert>): Promise<void> {
  await tx.update(providerEvent).set(set).where(eq(providerEvent.provider_event_id, provider_event_id))
}

export async function listUndoneEvents(db: Reader, limit: number, which?: GatewayFilter): Promise<EventRow[]> {
  return db
    .select()
    .from(providerEvent)
    .where(and(isNull(providerEvent.doneAt), ofGateway(providerEvent.gateway, which)))
    .orderBy(asc(providerEvent.provider_event_id))
    .limit(limit)
}
