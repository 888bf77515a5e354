/**
 * What the first steps of a studio save. The steps themselves are computed from other tables and have no rows (docs/domain.md,
 * "First steps").
 */
import { sql } from 'drizzle-orm'
import { check, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import * as z from 'zod'
import { json } from '#server/platform/checked-columns.ts'
import { instantColumn } from '#server/platform/tables.ts'

/** One row per step that was skipped, or in which something was chosen that is no record yet. */
export const onboardingStep = pgTable('onboarding_step', {
  key: text().primaryKey(),
  skippedAt: timestamp(instantColumn),
  /** What was chosen so far: the painted week, the room. */
  draft: json(z.unknown(), null),
  updatedAt: timestamp(instantColumn).notNull(),
})

/** Records that the steps created exactly as proposed, or to try the site. */
export const onboardingExample = pgTable(
  'onboarding_example',
  {
    entity: text().notNull(),
    entity_id: integer().notNull(),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.entity, t.entity_id] }),
    check('onboarding_example_entity', sql`${t.entity} in ('class_type', 'class_package', 'page', 'customer')`),
  ],
)
