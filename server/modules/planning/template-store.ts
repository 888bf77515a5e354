/** Queries of the templates of the timetable; the only writes to them. */
import { and, asc, eq, ne, sql } from 'drizzle-orm'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import type { TemplateClass } from './rules.ts'
import { scheduleTemplate } from './tables.ts'

export type TemplateRow = typeof scheduleTemplate.$inferSelect

export function listTemplateRows(on: Reader): Promise<TemplateRow[]> {
  return on
    .select()
    .from(scheduleTemplate)
    .orderBy(asc(sql`lower(${scheduleTemplate.name})`))
}

export async function findTemplate(on: Reader, schedule_template_id: number): Promise<TemplateRow | null> {
  const [row] = await on.select().from(scheduleTemplate).where(eq(scheduleTemplate.schedule_template_id, schedule_template_id))
  return row ?? null
}

export async function lockTemplate(tx: Tx, schedule_template_id: number): Promise<TemplateRow | null> {
  const [row] = await tx
    .select()
    .from(scheduleTemplate)
    .where(eq(scheduleTemplate.schedule_template_id, schedule_template_id))
    .for('update')
  return row ?? null
}

/** Whether another template has the name, in any case of its letters. */
export async function isNameTaken(tx: Tx, name: string, except: number): Promise<boolean> {
  const same = and(sql`lower(${scheduleTemplate.name}) = lower(${name})`, ne(scheduleTemplate.schedule_template_id, except))
  return (await tx.$count(scheduleTemplate, same)) > 0
}

export async function insertTemplate(tx: Tx, fields: { name: string; classes: TemplateClass[] }, now: Date): Promise<TemplateRow> {
  return singleRow(
    await tx
      .insert(scheduleTemplate)
      .values({ ...fields, createdAt: now, updatedAt: now })
      .returning(),
  )
}

export async function updateTemplate(
  tx: Tx,
  schedule_template_id: number,
  fields: { name: string; classes: TemplateClass[] },
  now: Date,
): Promise<TemplateRow> {
  return singleRow(
    await tx
      .update(scheduleTemplate)
      .set({ ...fields, updatedAt: now })
      .where(eq(scheduleTemplate.schedule_template_id, schedule_template_id))
      .returning(),
  )
}

export async function deleteTemplate(tx: Tx, schedule_template_id: number): Promise<void> {
  await tx.delete(scheduleTemplate).where(eq(scheduleTemplate.schedule_template_id, schedule_template_id))
}
