/** Tables of the call journal: which call created which object of a processor, and objects that are created only once. */
import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import * as z from 'zod'
import type { GatewayId, Ref } from '#server/adapters/payments/port.ts'
import { json } from '#server/platform/checked-columns.ts'
import { instantColumn } from '#server/platform/tables.ts'

/** One row per key of the port, inserted before the request is sent to the processor. */
export const processorCall = pgTable(
  'processor_call',
  {
    gateway: text().$type<GatewayId>().notNull(),
    purchase_id: integer().notNull(),
    step: text().notNull(),
    n: integer().notNull(),
    /** Distinguishes a repeated request from another request under the same key. */
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
    memo: json(z.record(z.string(), z.unknown()), {}).notNull().default({}),
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

/** Objects created once at a processor: our customers, plans, prices, coupons. `name` is ours, `id` is the processor's. */
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
