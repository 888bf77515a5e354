import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import * as z from 'zod'
import { PAYMENT_FORMS, REGIME_CODES } from '#contract/sat-catalogues.ts'
import { location } from '#server/modules/catalogue/tables.ts'
import { customer, staff } from '#server/modules/people/tables.ts'
import { refund } from '#server/modules/sales/aftersales-tables.ts'
import { invoice } from '#server/modules/sales/tables.ts'
import { json } from '#server/platform/checked-columns.ts'
import { instantColumn } from '#server/platform/tables.ts'
import type { Draft } from './rules.ts'

const regime = z.enum(REGIME_CODES as [(typeof REGIME_CODES)[number], ...typeof REGIME_CODES])
const taxpayer = z.object({ rfc: z.string(), name: z.string(), postalCode: z.string(), regime })
const draft = z.object({
  type: z.enum(['I', 'E']),
  series: z.string(),
  folio: z.int(),
  issuedAt: z.string(),
  placeOfIssue: z.string(),
  paymentForm: z.enum(Object.keys(PAYMENT_FORMS) as [keyof typeof PAYMENT_FORMS, ...(keyof typeof PAYMENT_FORMS)[]]),
  global: z.object({ period: z.enum(['01', '04']), months: z.string(), year: z.int() }).nullable(),
  relation: z.object({ type: z.enum(['01', '04']), uuids: z.array(z.string()) }).nullable(),
  issuer: taxpayer,
  receiver: taxpayer.extend({ use: z.enum(['G03', 'S01', 'G02']) }),
  lines: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      productKey: z.string(),
      unitKey: z.string(),
      base: z.int(),
      tax: z.int(),
      rate: z.int(),
      withheld: z.int(),
      exempt: z.literal(true).optional(),
    }),
  ),
}) satisfies z.ZodType<Draft>

const noParty = { rfc: '', name: '', postalCode: '', regime: '616' } as const
const UNREADABLE: Draft = {
  type: 'I',
  series: '',
  folio: 0,
  issuedAt: '',
  placeOfIssue: '',
  paymentForm: '99',
  global: null,
  relation: null,
  issuer: noParty,
  receiver: { ...noParty, use: 'S01' },
  lines: [],
}

/** Certificates of digital seal; the newest that is not retired seals. */
export const fiscalCertificate = pgTable('fiscal_certificate', {
  /** The SAT's number of the certificate, twenty digits. */
  number: text().primaryKey(),
  rfc: text().notNull(),
  name: text().notNull(),
  /** The certificate in Base64, as it is part of every document. */
  certificate: text().notNull(),
  /** The private key, encrypted with the master key. */
  sealed_key: text().notNull(),
  validFrom: timestamp(instantColumn).notNull(),
  validUntil: timestamp(instantColumn).notNull(),
  createdAt: timestamp(instantColumn).notNull(),
})

/** The next folio of a series. */
export const fiscalSeries = pgTable('fiscal_series', { series: text().primaryKey(), next_folio: integer().notNull() })

/** Tax data that a customer used, for the next time. */
export const fiscalProfile = pgTable(
  'fiscal_profile',
  {
    fiscal_profile_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    customer_id: integer()
      .notNull()
      .references(() => customer.customer_id),
    rfc: text().notNull(),
    name: text().notNull(),
    postal_code: text().notNull(),
    regime: text().notNull(),
    use: text().notNull(),
    createdAt: timestamp(instantColumn).notNull(),
    usedAt: timestamp(instantColumn).notNull(),
  },
  (t) => [index('fiscal_profile_customer').on(t.customer_id, t.usedAt)],
)

/** A CFDI: requested, signed, stamped and cancelled. Never deleted: the law requires five years. */
export const fiscalDocument = pgTable(
  'fiscal_document',
  {
    fiscal_document_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    kind: text({ enum: ['income', 'global', 'credit'] }).notNull(),
    state: text({ enum: ['stamping', 'valid', 'cancelling', 'cancelled', 'refused'] }).notNull(),
    series: text().notNull(),
    folio: integer().notNull(),
    /** The key under which the PAC stamps it once. */
    key: text().notNull(),
    /** Null in a global invoice. */
    customer_id: integer().references(() => customer.customer_id),
    /** The staff member who issued it; null: its customer, or a job. */
    staff_id: integer().references(() => staff.staff_id),
    location_id: integer().references(() => location.location_id),
    /** Its contents, frozen. */
    draft: json<Draft>(draft, UNREADABLE).notNull(),
    total_centavos: integer().notNull(),
    tax_centavos: integer().notNull(),
    /** The document with the studio's seal, as it is sent. */
    signed_xml: text().notNull(),
    /** The stamped document, byte for byte as received. */
    xml: text(),
    uuid: text(),
    /** The document that a credit note or a substitute is about. */
    related_id: integer(),
    /** Of a global one: the day or month, "2026-11-26" or "2026-11". */
    period: text(),
    is_test: boolean().notNull(),
    /** The provider that stamped it, and reads its state. */
    pac: text().notNull().default('sandbox'),
    /** The account there that it was sent with; null: it was never sent; "unknown": it was sent before accounts were stored. */
    pac_account: text(),
    error_code: text(),
    error_message: text(),
    /** The motive of the requested cancellation, until the SAT answers. */
    cancel_motive: text(),
    substitute_id: integer(),
    cancelAskedAt: timestamp(instantColumn),
    cancel_receipt: text(),
    createdAt: timestamp(instantColumn).notNull(),
    updatedAt: timestamp(instantColumn).notNull(),
    stampedAt: timestamp(instantColumn),
    cancelledAt: timestamp(instantColumn),
    /** When the SAT's status was last read; null: never. */
    checkedAt: timestamp(instantColumn),
  },
  (t) => [
    uniqueIndex('fiscal_document_folio').on(t.series, t.folio),
    uniqueIndex('fiscal_document_key').on(t.key),
    uniqueIndex('fiscal_document_uuid').on(t.uuid).where(sql`${t.uuid} is not null`),
    index('fiscal_document_created').on(t.createdAt),
    index('fiscal_document_customer').on(t.customer_id).where(sql`${t.customer_id} is not null`),
    index('fiscal_document_open').on(t.updatedAt).where(sql`${t.state} in ('stamping', 'cancelling')`),
    index('fiscal_document_checked').on(t.pac, t.checkedAt).where(sql`${t.state} = 'valid'`),
    check('fiscal_document_kind', sql`${t.kind} in ('income', 'global', 'credit')`),
    check('fiscal_document_state', sql`${t.state} in ('stamping', 'valid', 'cancelling', 'cancelled', 'refused')`),
    check(
      'fiscal_document_stamped',
      sql`${t.state} in ('stamping', 'refused') or (${t.uuid} is not null and ${t.xml} is not null and ${t.stampedAt} is not null)`,
    ),
    check('fiscal_document_cancelled', sql`(${t.state} = 'cancelled') = (${t.cancelledAt} is not null)`),
  ],
)

/** A charge in an invoice, or a refund or a lost dispute in a credit note. `live`: its document is not refused or cancelled. */
export const fiscalItem = pgTable(
  'fiscal_line',
  {
    fiscal_line_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    fiscal_document_id: integer()
      .notNull()
      .references(() => fiscalDocument.fiscal_document_id),
    invoice_id: integer()
      .notNull()
      .references(() => invoice.invoice_id),
    /** Null: the charge itself. */
    refund_id: integer().references(() => refund.refund_id),
    base_centavos: integer().notNull(),
    tax_centavos: integer().notNull(),
    /** The item of the global invoice that the charge left: in its own invoice and in the credit note that takes it out. */
    replaces_id: integer(),
    /** In a credit note: the whole charge leaves the global invoice; nothing went back to its customer. */
    takes_out: boolean().notNull().default(false),
    /** In a credit note: a bank took back the charge, or a part of it (a lost dispute); several disputes of one charge are several. */
    is_loss: boolean().notNull().default(false),
    /** In an invoice: centavos of the charge that were lost in a dispute before. Not part of the item. */
    lost_before_centavos: integer().notNull().default(0),
    live: boolean().notNull().default(true),
  },
  (t) => [
    // One charge is in at most one live invoice, its own or a global one; one refund in one credit note.
    uniqueIndex('fiscal_line_charge')
      .on(t.invoice_id)
      .where(sql`${t.live} and ${t.refund_id} is null and not ${t.takes_out} and not ${t.is_loss}`),
    uniqueIndex('fiscal_line_taken_out').on(t.replaces_id).where(sql`${t.live} and ${t.takes_out}`),
    uniqueIndex('fiscal_line_refund').on(t.refund_id).where(sql`${t.live} and ${t.refund_id} is not null`),
    index('fiscal_line_document').on(t.fiscal_document_id),
    index('fiscal_line_invoice').on(t.invoice_id),
    check('fiscal_line_takes_out', sql`not ${t.takes_out} or (${t.replaces_id} is not null and ${t.refund_id} is null)`),
    check('fiscal_line_loss', sql`not ${t.is_loss} or (${t.refund_id} is null and not ${t.takes_out})`),
    check('fiscal_line_money', sql`${t.base_centavos} >= 0 and ${t.tax_centavos} >= 0 and ${t.lost_before_centavos} >= 0`),
  ],
)
