import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import * as z from 'zod'
import { EXPORT_FORMATS, EXPORT_PARTS } from '#contract/export-parts.ts'
import {
  COMPARED_FIELDS,
  dateOrder,
  type ImportKind,
  type ImportSource,
  importField,
  importKinds,
  importRowState,
  importSources,
} from '#contract/imports.ts'
import { staff } from '#server/modules/people/tables.ts'
import { json, textEnum } from '#server/platform/checked-columns.ts'
import { instantColumn } from '#server/platform/tables.ts'
import { importedRecord } from './records.ts'
import { importedPerson, rowIssue } from './rules.ts'

const SOURCES = Object.keys(importSources) as ImportSource[]
const KINDS = Object.keys(importKinds) as ImportKind[]

const storedColumn = z.object({ index: z.int(), name: z.string(), field: importField.nullable(), locked: z.boolean() })
export type StoredColumn = z.infer<typeof storedColumn>
const packageChoices = z.record(z.string(), z.object({ class_package_id: z.int().nullable(), skip: z.boolean() }))
export type PackageChoice = z.infer<typeof packageChoices>[string]

/** What an import can make besides customers and credits; the last five only where a row named one that did not exist. */
const RECORD_KINDS = [
  ...(['reservation', 'note', 'past_purchase', 'past_visit', 'pending_subscription', 'tag_of_customer', 'single_class'] as const),
  ...(['coach', 'completed_coach', 'class_type', 'instructor', 'room', 'location', 'tag'] as const),
] as const
export type RecordKind = (typeof RECORD_KINDS)[number]

const changedValues = z.record(z.string(), z.string().nullable())
const rowUndo = z.object({
  made: z.boolean(),
  before: changedValues,
  after: changedValues,
  /** `frozenAt`: the file marks it as frozen. */
  granted: z.array(z.object({ available_class_id: z.int(), amount: z.int(), frozenAt: z.string().optional() })),
  refs: z.array(z.string()),
  /** When the customer had last been changed, and when the import changed it. */
  updatedAt: z.object({ before: z.string(), after: z.string() }).optional(),
  consents: z.array(z.object({ channel: z.enum(['marketing', 'whatsapp']), changedAt: z.string() })).optional(),
  records: z.array(z.object({ kind: z.enum(RECORD_KINDS), id: z.int(), attend: z.boolean().nullish() })).optional(),
})
/** What undoing a row needs. */
export type RowUndo = z.infer<typeof rowUndo>

/** Of two values for the same thing, the one that stays (IM4). */
const rowChoices = z.partialRecord(z.enum(COMPARED_FIELDS), z.enum(['ours', 'file']))

const rowMatch = z.object({
  customer_id: z.int().nullable(),
  row: z.int().nullable(),
  name: z.string(),
  why: z.string(),
  /** What the row adds to whom it completes; missing in rows that were checked before this was stored. */
  adds: z.array(importField).optional(),
})

/** A file of another system that is being imported (IM1). */
export const importJob = pgTable(
  'import',
  {
    import_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    source: textEnum(SOURCES, 'other').notNull(),
    kind: textEnum(KINDS, 'customers').notNull().default('customers'),
    state: text({ enum: ['draft', 'running', 'done', 'undoing', 'undone'] })
      .notNull()
      .default('draft'),
    staff_id: integer()
      .notNull()
      .references(() => staff.staff_id),
    file_name: text(),
    file_note: text(),
    columns: json(z.array(storedColumn), []).notNull().default([]),
    date_order: textEnum(dateOrder.options, 'dmy').notNull(),
    /** Chosen by a person, or known from the file. */
    date_order_known: textEnum(['yes', 'no'], 'no').notNull().default('yes'),
    packages: json(packageChoices, {}).notNull().default({}),
    /** Whether what its columns and packages are is kept for the source when it is run. */
    remember: boolean().notNull().default(true),
    createdAt: timestamp(instantColumn).notNull(),
    finishedAt: timestamp(instantColumn),
  },
  (t) => [check('import_state', sql`${t.state} in ('draft', 'running', 'done', 'undoing', 'undone')`)],
)

/** A row of the file, with its decision and its result. */
export const importRow = pgTable(
  'import_row',
  {
    import_id: integer()
      .notNull()
      .references(() => importJob.import_id, { onDelete: 'cascade' }),
    n: integer().notNull(),
    cells: json(z.array(z.string()), []).notNull(),
    /** Corrected values by field. */
    fixes: json(z.partialRecord(importField, z.string()), {}).notNull().default({}),
    is_total: integer().notNull().default(0),
    state: textEnum(importRowState.options, 'error').notNull(),
    person: json(importedPerson, null),
    /** The parsed row of a kind other than customers, with the ids that the check found. */
    record: json(importedRecord, null),
    issues: json(z.array(rowIssue), []).notNull().default([]),
    match: json(rowMatch, null),
    decision: text({ enum: ['merge', 'new', 'skip'] }),
    choices: json(rowChoices, {}).notNull().default({}),
    /** The customer that it made or changed. */
    customer_id: integer(),
    undo: json(rowUndo, null),
  },
  (t) => [
    primaryKey({ columns: [t.import_id, t.n] }),
    index('import_row_state').on(t.import_id, t.state, t.n),
    index('import_row_customer').on(t.customer_id).where(sql`${t.customer_id} is not null`),
  ],
)

/** What was imported, by its id at the source: a second import of it changes nothing (IM5). */
export const externalRef = pgTable(
  'external_ref',
  {
    source: text().$type<ImportSource>().notNull(),
    /** "customer 10482", "credits 10482 10 CLASES 2026-11-30". */
    ref: text().notNull(),
    customer_id: integer().notNull(),
    import_id: integer().references(() => importJob.import_id, { onDelete: 'set null' }),
  },
  (t) => [primaryKey({ columns: [t.source, t.ref] }), index('external_ref_customer').on(t.customer_id)],
)

/** Coaches, classes, reservations, notes, past purchases and subscriptions that were imported, by their id at the source (IM5). */
export const externalRecord = pgTable(
  'external_record',
  {
    source: text().$type<ImportSource>().notNull(),
    /** "class 88", "reservation 10482 2026-12-01T19:00". */
    ref: text().notNull(),
    record_id: integer().notNull(),
    /** Whose it is; null: a class or a coach. */
    customer_id: integer(),
    import_id: integer().references(() => importJob.import_id, { onDelete: 'set null' }),
  },
  (t) => [
    primaryKey({ columns: [t.source, t.ref] }),
    index('external_record_customer').on(t.customer_id).where(sql`${t.customer_id} is not null`),
  ],
)

/** What the columns of a source's files are, as last chosen. */
export const importMapping = pgTable(
  'import_mapping',
  {
    source: text().$type<ImportSource>().notNull(),
    kind: text().$type<ImportKind>().notNull().default('customers'),
    /** Fields by header, in lower case without accents; null: not imported. */
    fields: json(z.record(z.string(), importField.nullable()), {}).notNull(),
    packages: json(packageChoices, {}).notNull().default({}),
  },
  (t) => [primaryKey({ columns: [t.source, t.kind] })],
)

/** An export of the whole studio, as one archive in the store of files (IM12). */
export const studioExport = pgTable(
  'studio_export',
  {
    studio_export_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    /** The requester; null: the weekly one. */
    staff_id: integer().references(() => staff.staff_id),
    state: text({ enum: ['waiting', 'running', 'done', 'failed'] })
      .notNull()
      .default('waiting'),
    /** When a part of it was last finished; null: it has not begun. */
    progressAt: timestamp(instantColumn),
    with_files: boolean().notNull(),
    /** The parts that it is limited to; null: everything. */
    parts: json(z.array(z.enum(EXPORT_PARTS)), null),
    format: textEnum(EXPORT_FORMATS, 'csv').notNull().default('csv'),
    done: integer().notNull().default(0),
    total: integer().notNull().default(0),
    key: text().notNull(),
    /** Where the archive is or may be, written before it is stored; null: nowhere yet. */
    place: text({ enum: ['server', 's3'] }),
    bytes: bigint({ mode: 'number' }),
    createdAt: timestamp(instantColumn).notNull(),
    expiresAt: timestamp(instantColumn),
  },
  (t) => [
    check('studio_export_state', sql`${t.state} in ('waiting', 'running', 'done', 'failed')`),
    check('studio_export_place', sql`${t.place} in ('server', 's3')`),
  ],
)
