/** Queries of forms, custom fields and answers. */
import { and, asc, count, eq, gte, inArray, isNull, lt, sql } from 'drizzle-orm'
import type { ANSWER_SORTS } from '#contract/form-endpoints.ts'
import { customer } from '#server/modules/people/tables.ts'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { orderBy } from '#server/platform/list-order.ts'
import { matchesSearch, plainText } from '#server/platform/search.ts'
import { customField, form, formAnswer, formField } from './tables.ts'

export type FormRow = typeof form.$inferSelect
export type FormFieldRow = typeof formField.$inferSelect
export type CustomFieldRow = typeof customField.$inferSelect
export type AnswerRow = typeof formAnswer.$inferSelect

export async function listForms(db: Reader): Promise<FormRow[]> {
  return db.select().from(form).orderBy(asc(form.form_id))
}

export async function findForm(db: Reader, form_id: number): Promise<FormRow | null> {
  const [found] = await db.select().from(form).where(eq(form.form_id, form_id))
  return found ?? null
}

/** The fields of the given forms, by step, then by order. */
export async function listFormFields(db: Reader, form_ids: readonly number[]): Promise<FormFieldRow[]> {
  if (form_ids.length === 0) return []
  return db
    .select()
    .from(formField)
    .where(inArray(formField.form_id, [...form_ids]))
    .orderBy(asc(formField.step), asc(formField.order), asc(formField.key))
}

/** Replaces all fields of a form. */
export async function replaceFormFields(tx: Tx, form_id: number, fields: (typeof formField.$inferInsert)[]): Promise<void> {
  await tx.delete(formField).where(eq(formField.form_id, form_id))
  if (fields.length) await tx.insert(formField).values(fields)
}

/** Custom fields, by step, then by order; of some objects, of one type, or all. */
export async function listCustomFields(db: Reader, only: { objects?: readonly string[]; type?: string }): Promise<CustomFieldRow[]> {
  return db
    .select()
    .from(customField)
    .where(
      and(
        only.objects ? inArray(customField.object, [...only.objects]) : undefined,
        only.type === undefined ? undefined : eq(customField.type, only.type),
      ),
    )
    .orderBy(asc(customField.object), asc(customField.step), asc(customField.order), asc(customField.key))
}

export async function findCustomField(db: Reader, custom_field_id: number): Promise<CustomFieldRow | null> {
  const [found] = await db.select().from(customField).where(eq(customField.custom_field_id, custom_field_id))
  return found ?? null
}

export async function findAnswer(db: Reader, customer_id: number, form_id: number): Promise<AnswerRow | null> {
  const [found] = await db
    .select()
    .from(formAnswer)
    .where(and(eq(formAnswer.customer_id, customer_id), eq(formAnswer.form_id, form_id)))
  return found ?? null
}

const answered = sql<unknown>`${formAnswer.answers} -> ${formField.key}`
/** An answer that is anything but nothing or no. */
const hasAnswer = and(
  sql`${answered} is not null and ${answered} not in ('null', 'false', '[]')`,
  sql`lower(trim(${formAnswer.answers} ->> ${formField.key})) not in ('', 'no', 'ninguna', 'ninguno')`,
)

/** What a customer answered to questions about health with anything but nothing or no, in the order of the forms. */
export async function listHealthAnswers(db: Reader, customer_id: number) {
  return db
    .select({ form_id: formField.form_id, label: formField.label, type: formField.type, options: formField.options, value: answered })
    .from(formAnswer)
    .innerJoin(formField, and(eq(formField.form_id, formAnswer.form_id), formField.health))
    .where(and(eq(formAnswer.customer_id, customer_id), hasAnswer))
    .orderBy(asc(formField.form_id), asc(formField.step), asc(formField.order))
}

/** Which of these customers answered a question about health with anything but nothing or no. */
export async function listCustomersWithHealth(db: Reader, customer_ids: readonly number[]): Promise<number[]> {
  if (customer_ids.length === 0) return []
  const rows = await db
    .selectDistinct({ customer_id: formAnswer.customer_id })
    .from(formAnswer)
    .innerJoin(formField, and(eq(formField.form_id, formAnswer.form_id), formField.health))
    .where(and(inArray(formAnswer.customer_id, [...customer_ids]), hasAnswer))
  return rows.map((row) => row.customer_id)
}

export interface AnswerFilter {
  /** Words of the customer's name, email or phone. */
  query?: string | undefined
  /** Changed at this instant or later, and before the other. */
  since?: Date | undefined
  until?: Date | undefined
  /** Answered this field; with `value`, with this answer as text. */
  key?: string | undefined
  value?: string | undefined
}

const ORDERS = { answered: [formAnswer.updatedAt], name: [plainText(sql`concat_ws(' ', ${customer.name}, ${customer.last_name})`)] }

/** A page of the answers to a form by customers who exist. */
export async function listAnswers(
  on: Reader,
  form_id: number,
  filter: AnswerFilter,
  page: { number: number; size: number },
  sort: (typeof ANSWER_SORTS)[number],
) {
  const { query = '', key, value } = filter
  const answer = sql`${formAnswer.answers} -> ${key ?? ''}`
  const which = and(
    eq(formAnswer.form_id, form_id),
    isNull(customer.deletedAt),
    query.trim() === ''
      ? undefined
      : matchesSearch(sql`concat_ws(' ', ${customer.name}, ${customer.last_name}, ${customer.email}, ${customer.phone})`, query),
    filter.since && gte(formAnswer.updatedAt, filter.since),
    filter.until && lt(formAnswer.updatedAt, filter.until),
    key === undefined ? undefined : sql`${answer} is not null and ${answer} not in ('null', '""', '[]')`,
    key === undefined || value === undefined
      ? undefined
      : // A list has the answer when one of its items is it.
        sql`case jsonb_typeof(${answer}) when 'array' then ${answer} ? ${value} else ${formAnswer.answers} ->> ${key} = ${value} end`,
  )
  const [rows, all] = await Promise.all([
    on
      .select({ customer_id: customer.customer_id, name: customer.name, last_name: customer.last_name, row: formAnswer })
      .from(formAnswer)
      .innerJoin(customer, eq(customer.customer_id, formAnswer.customer_id))
      .where(which)
      .orderBy(...orderBy(sort, ORDERS, formAnswer.customer_id))
      .limit(page.size)
      .offset((page.number - 1) * page.size),
    on.select({ n: count() }).from(formAnswer).innerJoin(customer, eq(customer.customer_id, formAnswer.customer_id)).where(which),
  ])
  return { rows, total: singleRow(all).n }
}

export async function upsertAnswer(tx: Tx, row: AnswerRow): Promise<AnswerRow> {
  return singleRow(
    await tx
      .insert(formAnswer)
      .values(row)
      .onConflictDoUpdate({ target: [formAnswer.customer_id, formAnswer.form_id], set: { answers: row.answers, updatedAt: row.updatedAt } })
      .returning(),
  )
}
