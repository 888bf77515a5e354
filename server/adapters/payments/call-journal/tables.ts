/** What the adapters of outside processors must not forget: which call of theirs made which object, and objects that are made once. */
import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import type { GatewayId, Ref } from '#server/adapters/payments/port.ts'
import { instantColumn } from '#server/platform/tables.ts'

/** One row per key of the port, written before the processor hears of it (payments study section 0, "order first"). */
export const processorCall = pgTable(
  'processor_call',
  {
    gateway: text().$type<GatewayId>().notNull(),
    purchase_id: integer().notNull(),
    step: text().notNull(),
    n: integer().notNull(),
    /** Tells the same request from another one under the same key. */
    request_hash: text().notNull(),
    ref_kind: text().$type<Ref['kind']>(),
    /** The processor's object, once it is known. */
    ref_id: text(),
    /** Our customer at the processor. */
    buyer: text(),
    /** Something that only one may do at a time, or that must not be done any more: `capturing`, `charging`, `stopped` ... */
    phase: text(),
    phaseAt: timestamp(instantColumn),
    /** The adapter's own notes. Never a card, a name or an address. */
    memo: jsonb().$type<Record<string, unknown>>().notNull().default({}),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.gateway, t.purchase_id, t.step, t.n] }),
    uniqueIndex('processor_call_ref').on(t.gateway, t.ref_id).where(sql`${t.ref_id} is not null`),
    index('processor_call_created').on(t.gateway, t.createdAt),
    check('processor_call_phase', sql`(${t.phase} is null) = (${t.phaseAt} is null)`),
    check('processor_call_ref_whole', sql`(${t.ref_id} is null) = (${t.ref_kind} is null)`),
  ],
)

/** Things that are made once at a processor: our customers, plans, prices, coupons. `name` is ours, `id` is theirs. */
export const processorObject = pgTable(
  'processor_object',
  {
    gateway: text().notNull(),
    name: text().notNull(),
    id: text().notNull(),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [primaryKey({ columns: [t.gateway, t.name] })],
)
