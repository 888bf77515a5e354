/**
 * Coaches from files of other systems: made, completed where something is empty, and taken back while nobody changed or used them
 * (docs/domain.md IM17).
 */
import { eq, sql } from 'drizzle-orm'
import type { Ctx } from '#server/modules/ctx.ts'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { eraseUnused } from './by-name.ts'
import { instructor } from './tables.ts'

/** What a file says of a coach besides the name; null: nothing. */
const COACH_FIELDS = ['last_name', 'nick_name', 'birthdate', 'instagram', 'short_bio', 'specialties'] as const
type CoachField = (typeof COACH_FIELDS)[number]
type CoachFields = Readonly<Record<CoachField, string | null>>

export interface KnownCoach extends CoachFields {
  instructor_id: number
  name: string
}

const FIELDS = {
  instructor_id: instructor.instructor_id,
  name: instructor.name,
  last_name: instructor.last_name,
  nick_name: instructor.nick_name,
  birthdate: instructor.birthdate,
  instagram: instructor.instagram,
  short_bio: instructor.short_bio,
  specialties: instructor.specialties,
}

/** The coaches that were not removed; archived ones too. */
export function listKnownCoaches(on: Reader): Promise<KnownCoach[]> {
  return on.select(FIELDS).from(instructor).where(sql`${instructor.deletedAt} is null`).orderBy(instructor.instructor_id)
}

/** What a file adds to a coach: only what is empty. */
export function missingOf(known: CoachFields, fields: CoachFields): Partial<Record<CoachField, string>> {
  return Object.fromEntries(COACH_FIELDS.flatMap((field) => (!known[field] && fields[field] ? [[field, fields[field]] as const] : [])))
}

/** Adds a coach who is not on the landing page until somebody says so. */
export async function addImportedCoach(tx: Tx, ctx: Ctx, fields: CoachFields & { name: string }): Promise<number> {
  const { name, last_name, nick_name, birthdate, instagram, short_bio, specialties } = fields
  const [row] = await tx
    .insert(instructor)
    .values({
      name,
      last_name: last_name ?? '',
      nick_name,
      birthdate,
      instagram,
      short_bio,
      specialties,
      is_home: false,
      updatedAt: ctx.now,
    })
    .returning(FIELDS)
  const coach = singleRow(row ? [row] : [])
  await ctx.audit(tx, { action: 'instructor.create', entity: 'instructor', entity_id: coach.instructor_id, after: coach })
  tx.notify({ topic: 'catalogue' })
  return coach.instructor_id
}

interface Completed {
  before: Partial<Record<CoachField, string | null>>
  after: Partial<Record<CoachField, string>>
  updatedAt: { before: string; after: string }
}

/** Fills in what is empty of a coach; null: nothing is, or the coach was removed. */
export async function completeCoach(tx: Tx, ctx: Ctx, instructor_id: number, fields: CoachFields): Promise<Completed | null> {
  const known = await lockCoach(tx, instructor_id)
  const after = known ? missingOf(known, fields) : {}
  if (!known || Object.keys(after).length === 0) return null
  const before = Object.fromEntries(Object.keys(after).map((field) => [field, known[field as CoachField]]))
  await tx
    .update(instructor)
    .set({ ...after, updatedAt: ctx.now })
    .where(eq(instructor.instructor_id, instructor_id))
  await ctx.audit(tx, { action: 'instructor.change', entity: 'instructor', entity_id: instructor_id, before, after })
  tx.notify({ topic: 'catalogue' })
  return { before, after, updatedAt: { before: known.updatedAt.toISOString(), after: ctx.now.toISOString() } }
}

/** Empties again what an import filled in, where nobody changed it since. */
export async function emptyCoach(
  tx: Tx,
  ctx: Ctx,
  instructor_id: number,
  { before, after, updatedAt }: Completed,
  reason: string,
): Promise<void> {
  const known = await lockCoach(tx, instructor_id)
  const back = Object.fromEntries(Object.entries(before).filter(([field]) => known?.[field as CoachField] === after[field as CoachField]))
  if (!known || Object.keys(back).length === 0) return
  const isUntouched = known.updatedAt.toISOString() === updatedAt.after
  const set = { ...back, updatedAt: isUntouched ? new Date(updatedAt.before) : ctx.now }
  await tx.update(instructor).set(set).where(eq(instructor.instructor_id, instructor_id))
  await ctx.audit(tx, { action: 'instructor.change', entity: 'instructor', entity_id: instructor_id, before: after, after: back, reason })
  tx.notify({ topic: 'catalogue' })
}

/** Deletes a coach whom an import made and whom nobody changed since; false when somebody did, or something refers to them. */
export async function eraseImportedCoach(tx: Tx, instructor_id: number, updatedAt: string): Promise<boolean> {
  const known = await lockCoach(tx, instructor_id)
  return known !== null && known.updatedAt.toISOString() === updatedAt && eraseUnused(tx, 'instructor', instructor_id)
}

async function lockCoach(tx: Tx, instructor_id: number) {
  const [row] = await tx
    .select({ ...FIELDS, updatedAt: instructor.updatedAt })
    .from(instructor)
    .where(sql`${instructor.instructor_id} = ${instructor_id} and ${instructor.deletedAt} is null`)
    .for('update')
  return row ?? null
}
