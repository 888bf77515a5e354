import { and, eq, sql } from 'drizzle-orm'
import type { OnboardingExample, OnboardingKey } from '#contract/onboarding.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { onboardingExample, onboardingStep } from './tables.ts'

export type StepRow = typeof onboardingStep.$inferSelect

/** What the studio has, for the steps. */
export interface StudioFacts extends Record<string, unknown> {
  locations: string[]
  /** Whether a location has an address. */
  has_address: boolean
  class_types: number
  coaches: number
  upcoming_classes: number
  /** Whether an upcoming class has a capacity. */
  has_capacity: boolean
  rooms: number
  /** Number of people that fit into the rooms, by their maps or their capacity. */
  places: number
  packages: number
  payment_methods: string[]
  has_transfer: boolean
  /** Keys of settings that were saved once. */
  saved_settings: string[]
  pages: string[]
  /** Whether a customer other than a test customer ever reserved. */
  has_reservation: boolean
}

/** Counts what the steps are computed from, in one statement: every screen of the administration waits for it. */
export async function readFacts(on: Reader, now: Date): Promise<StudioFacts> {
  const at = now.toISOString()
  const { rows } = await on.execute<StudioFacts>(sql`
    select
      array(select name from location where "deletedAt" is null order by sort, location_id limit 3) as locations,
      exists (select from location where "deletedAt" is null and address <> '') as has_address,
      (select count(*)::int from class_type where "deletedAt" is null) as class_types,
      (select count(*)::int from instructor where "deletedAt" is null) as coaches,
      (select count(*)::int from single_class where starts_at > ${at} and "cancelledAt" is null) as upcoming_classes,
      exists (select from single_class where starts_at > ${at} and "cancelledAt" is null and capacity > 0) as has_capacity,
      (select count(*)::int from room where "deletedAt" is null) as rooms,
      (select coalesce(sum(coalesce(capacity, 0)), 0)::int from room where "deletedAt" is null) as places,
      (select count(*)::int from class_package where "deletedAt" is null and available) as packages,
      array(select name from payment_method where "deletedAt" is null order by payment_method_id) as payment_methods,
      exists (select from payment_method where "deletedAt" is null and kind = 'transfer') as has_transfer,
      array(select key from setting) as saved_settings,
      array(select slug from page where "deletedAt" is null and content is not null) as pages,
      exists (select from class_reservation r where not exists
        (select from onboarding_example e where e.entity = 'customer' and e.entity_id = r.customer_id)) as has_reservation`)
  const [facts] = rows
  if (!facts) throw new Error('the facts of a studio are one row')
  return facts
}

export async function listSteps(on: Reader): Promise<StepRow[]> {
  return on.select().from(onboardingStep)
}

/** Changes only the given fields. */
export async function upsertStep(
  tx: Tx,
  key: OnboardingKey,
  values: Partial<Pick<StepRow, 'skippedAt' | 'draft'>>,
  now: Date,
): Promise<void> {
  const row = { ...values, ...(values.draft === null ? { draft: sql`null` } : {}), updatedAt: now }
  await tx
    .insert(onboardingStep)
    .values({ key, ...row })
    .onConflictDoUpdate({ target: onboardingStep.key, set: row })
}

/**
 * The records that were created as proposed, with whether they were changed since: a second entry in the audit trail. A removed test
 * customer is not listed; its row stays, so that its reservation never counts as a customer's.
 */
export async function listExamples(on: Reader): Promise<(OnboardingExample & { is_changed: boolean })[]> {
  const { rows } = await on.execute<OnboardingExample & { is_changed: boolean }>(sql`
    select entity, entity_id,
      (select count(*) from audit a where a.entity = e.entity and a.entity_id = e.entity_id::text) > 1 as is_changed
    from ${onboardingExample} e
    where entity <> 'customer' or exists (select from customer c where c.customer_id = e.entity_id and c."deletedAt" is null)
    order by array_position(array['class_package', 'class_type', 'page', 'customer'], entity), entity_id`)
  return rows
}

export async function insertExamples(tx: Tx, examples: readonly OnboardingExample[], now: Date): Promise<void> {
  if (examples.length === 0) return
  await tx
    .insert(onboardingExample)
    .values(examples.map((example) => ({ ...example, createdAt: now })))
    .onConflictDoNothing()
}

export async function deleteExample(tx: Tx, { entity, entity_id }: OnboardingExample): Promise<void> {
  await tx.delete(onboardingExample).where(and(eq(onboardingExample.entity, entity), eq(onboardingExample.entity_id, entity_id)))
}

/** Whether a record was created by one of the calls of the last minutes, so that nothing older can be called an example. */
export async function listCreatedSince(on: Reader, examples: readonly OnboardingExample[], since: Date): Promise<OnboardingExample[]> {
  const found: OnboardingExample[] = []
  for (const example of examples) {
    const { rows } = await on.execute(sql`
      select from audit where entity = ${example.entity} and entity_id = ${String(example.entity_id)} and at >= ${since.toISOString()}
        and not exists (select from audit b where b.entity = audit.entity and b.entity_id = audit.entity_id and b.at < ${since.toISOString()})`)
    if (rows.length > 0) found.push(example)
  }
  return found
}

/** The future places of a customer, and credits that are not revoked. */
export async function listTraces(on: Reader, customer_id: number, now: Date): Promise<{ reservations: number[]; credit_lots: number[] }> {
  const { rows } = await on.execute<{ reservations: number[]; credit_lots: number[] }>(sql`
    select array(select class_reservation_id from class_reservation r join single_class c using (single_class_id)
        where r.customer_id = ${customer_id} and r."deletedAt" is null and r.host_reservation_id is null and c.ends_at > ${now.toISOString()})
        as reservations,
      array(select available_class_id from available_class where customer_id = ${customer_id} and "revokedAt" is null) as credit_lots`)
  return rows[0] ?? { reservations: [], credit_lots: [] }
}

/** The address of the first location; null: there is none. */
export async function findFirstAddress(on: Reader): Promise<string | null> {
  const { rows } = await on.execute<{ address: string }>(
    sql`select address from location where "deletedAt" is null and address <> '' order by sort, location_id limit 1`,
  )
  return rows[0]?.address ?? null
}
