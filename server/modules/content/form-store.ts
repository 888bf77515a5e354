/** Queries of forms, custom fields and answers. */
import { and, asc, eq, inArray } from 'drizzle-orm'
import { only, type Reader, type Tx } from '#server/platform/db.ts'
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

export async function putAnswer(tx: Tx, row: AnswerRow): Promise<AnswerRow> {
  return only(
    await tx
      .insert(formAnswer)
      .values(row)
      .onConflictDoUpdate({ target: [formAnswer.customer_id, formAnswer.form_id], set: { answers: row.answers, updatedAt: row.updatedAt } })
      .returning(),
  )
}
