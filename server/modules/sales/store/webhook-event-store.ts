/** Webhook events of processors, until they are applied. */
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { providerEvent } from '#server/modules/sales/tables.ts'
import { prepared, type Reader, type Tx } from '#server/platform/db.ts'
import { preparedWrite } from '#server/platform/prepared-writes.ts'
import { type GatewayFilter, ofGateway } from './store.ts'

export type EventRow = typeof providerEvent.$inferSelect

const insertedEvent = preparedWrite('sales.insertEvent', providerEvent, (tx, row: typeof providerEvent.$inferInsert) =>
  tx.insert(providerEvent).values(row).onConflictDoNothing().returning({ id: providerEvent.provider_event_id }),
)

/** Stores a webhook event; null when it was stored before. */
export async function insertEvent(tx: Tx, values: typeof providerEvent.$inferInsert): Promise<number | null> {
  const [row] = await insertedEvent(tx, values)
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

const updatedEvent = preparedWrite('sales.updateEvent', providerEvent, (tx, set: Partial<typeof providerEvent.$inferInsert>) =>
  tx
    .update(providerEvent)
    .set(set)
    .where(sql`${providerEvent.provider_event_id} = ${sql.placeholder('of_id')}`),
)

export async function updateEvent(tx: Tx, provider_event_id: number, set: Partial<typeof providerEvent.$inferInsert>): Promise<void> {
  await updatedEvent(tx, set, { of_id: provider_event_id })
}

export async function listUndoneEvents(db: Reader, limit: number, which?: GatewayFilter): Promise<EventRow[]> {
  return db
    .select()
    .from(providerEvent)
    .where(and(isNull(providerEvent.doneAt), ofGateway(providerEvent.gateway, which)))
    .orderBy(asc(providerEvent.provider_event_id))
    .limit(limit)
}
