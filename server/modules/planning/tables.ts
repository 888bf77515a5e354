import { sql } from 'drizzle-orm'
import { boolean, check, date, index, integer, pgTable, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import * as z from 'zod'
import { localDay } from '#contract/endpoint.ts'
import { classFields } from '#contract/schedule.ts'
import { type ClassChange, classChange } from '#contract/studio-schedule.ts'
import { instructor } from '#server/modules/catalogue/tables.ts'
import { staff } from '#server/modules/people/tables.ts'
import { singleClass } from '#server/modules/schedule/tables.ts'
import { json } from '#server/platform/checked-columns.ts'
import { instantColumn } from '#server/platform/tables.ts'
import type { TemplateClass, UndoStep } from './rules.ts'

const storedFields = z.object(classFields)
const single_class_id = z.int()
const seriesValues = z.object({
  repeat_until: localDay.nullable(),
  weekdays: z.array(z.int()),
  fields: z.record(z.string(), z.unknown()).nullable(),
  created_until: localDay.nullable().optional(),
  every_weeks: z.int().optional(),
  except_days: z.array(localDay).optional(),
})
const undoStep = z.discriminatedUnion('op', [
  z.object({ op: z.literal('created'), single_class_id }),
  z.object({ op: z.literal('cancelled'), single_class_id }),
  z.object({
    op: z.literal('changed'),
    single_class_id,
    fields: storedFields.partial(),
    own_changes: z.boolean(),
    updatedAt: z.iso.datetime(),
  }),
  z.object({ op: z.literal('deleted'), fields: storedFields, class_series_id: z.int().nullable() }),
  z.object({
    op: z.literal('series'),
    class_series_id: z.int(),
    before: seriesValues.nullable(),
    after: seriesValues.optional(),
  }),
])
const templateClass = z.object({
  weekday: z.int().min(1).max(7),
  hour: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/),
  fields: storedFields.omit({ class_date: true }),
})

/** An unpublished change of the timetable, visible to its author only (L2). */
export const classDraft = pgTable(
  'class_draft',
  {
    class_draft_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    staff_id: integer()
      .notNull()
      .references(() => staff.staff_id),
    /** The class that it changes; null = a new one. */
    single_class_id: integer().references(() => singleClass.single_class_id, { onDelete: 'cascade' }),
    change: json<ClassChange>(classChange, { op: 'update', scope: 'one' }).notNull(),
    createdAt: timestamp(instantColumn).notNull(),
    updatedAt: timestamp(instantColumn).notNull(),
  },
  (t) => [index('class_draft_staff').on(t.staff_id, t.class_draft_id), index('class_draft_class').on(t.single_class_id)],
)

/** A published set of changes, with the steps that undo it (L7). */
export const scheduleUndo = pgTable(
  'schedule_undo',
  {
    undo_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    staff_id: integer()
      .notNull()
      .references(() => staff.staff_id),
    label: text().notNull(),
    steps: json<UndoStep[]>(z.array(undoStep), []).notNull(),
    /** The last instant at which it can be undone. */
    until: timestamp(instantColumn).notNull(),
    undoneAt: timestamp(instantColumn),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [index('schedule_undo_until').on(t.until)],
)

/** A class that needs another coach: its requester, the coaches who were invited, and the substitute (L9 to L12). */
export const substitution = pgTable(
  'substitution',
  {
    substitution_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    single_class_id: integer()
      .notNull()
      .references(() => singleClass.single_class_id, { onDelete: 'cascade' }),
    /** The coach to be replaced; null = the class had none. */
    instructor_id: integer().references(() => instructor.instructor_id),
    /** The staff member who requested it. */
    staff_id: integer()
      .notNull()
      .references(() => staff.staff_id),
    reason: text().notNull(),
    /** `accepted`: a coach accepted and the studio has not approved it yet. `done`: the coach of the class was changed. */
    state: text({ enum: ['open', 'accepted', 'done', 'closed'] }).notNull(),
    substitute_id: integer().references(() => instructor.instructor_id),
    /** When coaches without an answer were reminded, and when the owners were warned. */
    remindedAt: timestamp(instantColumn),
    warnedAt: timestamp(instantColumn),
    createdAt: timestamp(instantColumn).notNull(),
    updatedAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    check('substitution_state', sql`${t.state} in ('open', 'accepted', 'done', 'closed')`),
    check('substitution_substitute', sql`(${t.state} in ('accepted', 'done')) = (${t.substitute_id} is not null)`),
    uniqueIndex('substitution_open').on(t.single_class_id).where(sql`${t.state} in ('open', 'accepted')`),
    index('substitution_class').on(t.single_class_id),
    index('substitution_updated').on(t.updatedAt),
  ],
)

/** A coach who was asked to substitute, with the answer. */
export const substitutionRequest = pgTable(
  'substitution_request',
  {
    substitution_id: integer()
      .notNull()
      .references(() => substitution.substitution_id, { onDelete: 'cascade' }),
    instructor_id: integer()
      .notNull()
      .references(() => instructor.instructor_id),
    answer: text({ enum: ['accepted', 'declined'] }),
    answeredAt: timestamp(instantColumn),
  },
  (t) => [
    primaryKey({ columns: [t.substitution_id, t.instructor_id] }),
    check(
      'substitution_request_answer',
      sql`${t.answer} in ('accepted', 'declined') and ${t.answeredAt} is not null or ${t.answer} is null`,
    ),
    index('substitution_request_instructor').on(t.instructor_id),
  ],
)

/** Days without classes: at some locations, or all of them (L13). */
export const holiday = pgTable(
  'holiday',
  {
    holiday_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    name: text().notNull(),
    /** First and last day, on the clocks of each location. */
    from_day: date({ mode: 'string' }).notNull(),
    to_day: date({ mode: 'string' }).notNull(),
    /** Null: all locations. */
    location_ids: integer().array(),
    /** Whether the calendar of customers shows it. */
    public: boolean().notNull().default(true),
    createdAt: timestamp(instantColumn).notNull(),
    updatedAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    check('holiday_days', sql`${t.to_day} >= ${t.from_day}`),
    check('holiday_locations', sql`cardinality(${t.location_ids}) > 0`),
    index('holiday_to_day').on(t.to_day),
  ],
)

/** A named week that is applied to other weeks (L20). */
export const scheduleTemplate = pgTable(
  'schedule_template',
  {
    schedule_template_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    name: text().notNull(),
    classes: json<TemplateClass[]>(z.array(templateClass), []).notNull(),
    createdAt: timestamp(instantColumn).notNull(),
    updatedAt: timestamp(instantColumn).notNull(),
  },
  (t) => [uniqueIndex('schedule_template_name').on(sql`lower(${t.name})`)],
)

/** Days on which a coach does not teach (L16). */
export const instructorAbsence = pgTable(
  'instructor_absence',
  {
    instructor_absence_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    instructor_id: integer()
      .notNull()
      .references(() => instructor.instructor_id),
    from_day: date({ mode: 'string' }).notNull(),
    to_day: date({ mode: 'string' }).notNull(),
    reason: text().notNull(),
    createdAt: timestamp(instantColumn).notNull(),
    /** When staff last changed it: an edit that was made from an older version is refused. */
    updatedAt: timestamp(instantColumn).notNull().defaultNow(),
  },
  (t) => [check('instructor_absence_days', sql`${t.to_day} >= ${t.from_day}`), index('instructor_absence_to_day').on(t.to_day)],
)
