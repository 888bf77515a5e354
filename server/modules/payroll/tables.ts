import { sql } from 'drizzle-orm'
import { boolean, check, date, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import * as z from 'zod'
import { classType, instructor, location } from '#server/modules/catalogue/tables.ts'
import { staff } from '#server/modules/people/tables.ts'
import { singleClass } from '#server/modules/schedule/tables.ts'
import { json } from '#server/platform/checked-columns.ts'
import { instantColumn } from '#server/platform/tables.ts'
import type { PayTerms } from './rules.ts'

const payTerms = z.object({
  base: z.int(),
  per_person: z.int(),
  per_person_from: z.int(),
  steps: z.array(z.object({ from: z.int(), amount: z.int() })),
  full_bonus: z.int(),
  percent: z.int(),
  minimum: z.int(),
  private: z.int().nullable(),
  substitute: z.enum(['own', 'theirs']),
  late_cancel_hours: z.number(),
  late_cancel_percent: z.int(),
})
/**
 * A rule that pays nothing: a new one begins with it, and it is read instead of terms that are not readable, so that the coach's total shows
 * it.
 */
export const NO_PAY: PayTerms = {
  base: 0,
  per_person: 0,
  per_person_from: 1,
  steps: [],
  full_bonus: 0,
  percent: 0,
  minimum: 0,
  private: null,
  substitute: 'own',
  late_cancel_hours: 0,
  late_cancel_percent: 0,
}

/**
 * How classes are paid, from a day on: of one coach, type and location, or of all (PY1). Amounts in centavos, rates in hundredths of
 * a percent.
 */
export const payRule = pgTable(
  'pay_rule',
  {
    /** When staff last changed it: an edit that was made from an older version is refused. */
    updatedAt: timestamp(instantColumn).notNull().defaultNow(),
    pay_rule_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    instructor_id: integer().references(() => instructor.instructor_id),
    class_type_id: integer().references(() => classType.class_type_id),
    location_id: integer().references(() => location.location_id),
    from_day: date({ mode: 'string' }).notNull(),
    terms: json<PayTerms>(payTerms, NO_PAY).notNull(),
  },
  (t) => [
    check('pay_rule_terms', sql`jsonb_typeof(${t.terms}) = 'object'`),
    index('pay_rule_instructor').on(t.instructor_id),
    index('pay_rule_type').on(t.class_type_id),
    index('pay_rule_location').on(t.location_id),
  ],
)

/** A period with something of its own: adjustments, an approval. No two overlap, and an approved one does not change (triggers, PY4). */
export const payrollPeriod = pgTable(
  'payroll_period',
  {
    payroll_period_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    from_day: date({ mode: 'string' }).notNull(),
    to_day: date({ mode: 'string' }).notNull(),
    approvedAt: timestamp(instantColumn),
    approved_by: integer().references(() => staff.staff_id),
    reopen_reason: text(),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    check('payroll_period_days', sql`${t.to_day} >= ${t.from_day}`),
    check('payroll_period_approval', sql`(${t.approvedAt} is null) = (${t.approved_by} is null)`),
  ],
)

/** Adjustments of a period, and from its approval on also its classes and corrections, as they were paid. */
export const payrollItem = pgTable(
  'payroll_line',
  {
    payroll_line_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    payroll_period_id: integer()
      .notNull()
      .references(() => payrollPeriod.payroll_period_id),
    instructor_id: integer()
      .notNull()
      .references(() => instructor.instructor_id),
    kind: text({ enum: ['class', 'adjustment', 'correction'] }).notNull(),
    /** Null: an adjustment. No class that was paid is erased. */
    single_class_id: integer().references(() => singleClass.single_class_id),
    attended: integer(),
    amount_centavos: integer().notNull(),
    why: text().notNull(),
    /** The terms by which a class was paid: a correction uses them, not those of a later rule. */
    terms: json<PayTerms>(payTerms, null),
    staff_id: integer().references(() => staff.staff_id),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    check(
      'payroll_line_kind',
      sql`(${t.kind} = 'adjustment') = (${t.single_class_id} is null) and ${t.kind} in ('class', 'adjustment', 'correction')`,
    ),
    index('payroll_line_period').on(t.payroll_period_id),
    index('payroll_line_class').on(t.single_class_id),
    index('payroll_line_instructor').on(t.instructor_id),
  ],
)

/** What a coach answered about a period. */
export const payrollAnswer = pgTable(
  'payroll_answer',
  {
    from_day: date({ mode: 'string' }).notNull(),
    instructor_id: integer()
      .notNull()
      .references(() => instructor.instructor_id),
    agrees: boolean().notNull(),
    text: text().notNull(),
    answeredAt: timestamp(instantColumn).notNull(),
  },
  (t) => [primaryKey({ columns: [t.from_day, t.instructor_id] })],
)

/** Where a coach is paid. */
export const payAccount = pgTable(
  'pay_account',
  {
    instructor_id: integer()
      .primaryKey()
      .references(() => instructor.instructor_id),
    holder: text().notNull(),
    clabe: text().notNull(),
    rfc: text().notNull(),
  },
  (t) => [check('pay_account_clabe', sql`${t.clabe} ~ '^([0-9]{18})?$'`)],
)
