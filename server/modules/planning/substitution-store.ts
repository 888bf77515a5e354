/** Queries of substitutions; the only writes to them. */
import { and, eq, sql } from 'drizzle-orm'
import { instructor } from '#server/modules/catalogue/tables.ts'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { instantValue } from '#server/platform/sql-values.ts'
import { substitution, substitutionRequest } from './tables.ts'

export type SubstitutionRecord = typeof substitution.$inferSelect

/** A substitution with its class and the invited coaches; instants in milliseconds. */
export interface SubstitutionRow extends Record<string, unknown> {
  substitution_id: number
  single_class_id: number
  state: SubstitutionRecord['state']
  reason: string
  instructor_id: number | null
  substitute_id: number | null
  staff_id: number
  created: number
  starts: number
  ends: number
  class_type_id: number
  location_id: number
  taken: number
  /** The class is upcoming, not cancelled, and still has the coach to be replaced. */
  is_current: boolean
  asked: { instructor_id: number; answer: 'accepted' | 'declined' | null }[] | null
}

/** Which substitutions: of one id, those that are open, or the last hundred that are over. */
export type SubstitutionFilter = { ids: readonly number[] } | { state: 'open' | 'past' }

/** Scope: all, or those that a person requested or was invited to. */
export type Viewer = null | { staff_id: number; instructor_id: number | null }

const isCurrent = (now: Date) => sql`c.starts_at > ${instantValue(now)} and c."cancelledAt" is null and (b.instructor_id is null
  or exists (select 1 from class_instructor k where k.single_class_id = c.single_class_id and k.instructor_id = b.instructor_id))`

export async function listSubstitutionRows(on: Reader, filter: SubstitutionFilter, viewer: Viewer, now: Date): Promise<SubstitutionRow[]> {
  const isOpen = sql`(b.state in ('open', 'accepted') and ${isCurrent(now)})`
  const which =
    'ids' in filter
      ? sql`b.substitution_id = any(${`{${filter.ids.join(',')}}`}::integer[])`
      : filter.state === 'open'
        ? isOpen
        : sql`not ${isOpen}`
  const mine =
    viewer === null
      ? sql``
      : sql`and (b.staff_id = ${viewer.staff_id} or b.instructor_id = ${viewer.instructor_id}::integer
          or exists (select 1 from substitution_request q where q.substitution_id = b.substitution_id and q.instructor_id = ${viewer.instructor_id}::integer))`
  const order =
    'state' in filter && filter.state === 'past'
      ? sql`b."updatedAt" desc, b.substitution_id desc limit 100`
      : sql`c.starts_at, b.substitution_id`
  const { rows } =
    await on.execute<SubstitutionRow>(sql`select b.substitution_id, b.single_class_id, b.state, b.reason, b.instructor_id, b.substitute_id, b.staff_id,
      (extract(epoch from b."createdAt") * 1000)::float8 as created, (extract(epoch from c.starts_at) * 1000)::float8 as starts,
      (extract(epoch from c.ends_at) * 1000)::float8 as ends, c.class_type_id, c.location_id, c.taken, (${isCurrent(now)}) as is_current,
      (select json_agg(json_build_object('instructor_id', q.instructor_id, 'answer', q.answer) order by q.instructor_id)
        from substitution_request q where q.substitution_id = b.substitution_id) as asked
    from substitution b join single_class c using (single_class_id) where ${which} ${mine} order by ${order}`)
  return rows
}

/** A substitution, locked until the transaction ends; the caller holds the lock of its class. */
export async function lockSubstitution(tx: Tx, substitution_id: number): Promise<SubstitutionRecord> {
  return singleRow(await tx.select().from(substitution).where(eq(substitution.substitution_id, substitution_id)).for('update'))
}

/** The open substitution of a class; the caller holds the lock of the class. */
export async function findOpenSubstitution(tx: Tx, single_class_id: number): Promise<SubstitutionRecord | null> {
  const [row] = await tx
    .select()
    .from(substitution)
    .where(and(eq(substitution.single_class_id, single_class_id), sql`${substitution.state} in ('open', 'accepted')`))
  return row ?? null
}

export async function insertSubstitution(tx: Tx, row: typeof substitution.$inferInsert, candidates: readonly number[]): Promise<number> {
  const { id } = singleRow(await tx.insert(substitution).values(row).returning({ id: substitution.substitution_id }))
  if (candidates.length)
    await tx.insert(substitutionRequest).values(candidates.map((instructor_id) => ({ substitution_id: id, instructor_id })))
  return id
}

export async function updateSubstitution(
  tx: Tx,
  substitution_id: number,
  change: Partial<Pick<SubstitutionRecord, 'state' | 'substitute_id'>> & { updatedAt: Date },
): Promise<void> {
  await tx.update(substitution).set(change).where(eq(substitution.substitution_id, substitution_id))
}

/** Stores the answer of a coach; false when that coach was not invited. */
export async function upsertAnswer(
  tx: Tx,
  {
    substitution_id,
    instructor_id,
    answer,
    now,
  }: { substitution_id: number; instructor_id: number; answer: 'accepted' | 'declined'; now: Date },
): Promise<boolean> {
  const rows = await tx
    .update(substitutionRequest)
    .set({ answer, answeredAt: now })
    .where(and(eq(substitutionRequest.substitution_id, substitution_id), eq(substitutionRequest.instructor_id, instructor_id)))
    .returning({ id: substitutionRequest.instructor_id })
  return rows.length > 0
}

/** A coach who taught the class type within this many days is eligible. */
const TAUGHT_DAYS = 90

interface Hours {
  single_class_id: number
  starts_at: Date
  ends_at: Date
}

/**
 * Coaches whose list of types has this one or, without a list, who taught it in the 90 days before `now` (L9, L23); who are free and not
 * absent during the class, and have an account of the staff that works at its location and may see own classes.
 */
export async function listEligible(
  on: Reader,
  cls: Hours & { class_type_id: number; location_id: number; wall: Date },
  now: Date,
): Promise<number[]> {
  const since = new Date(now.getTime() - TAUGHT_DAYS * 86_400_000)
  const { rows } = await on.execute<{ instructor_id: number }>(sql`select i.instructor_id from instructor i
    where i."deletedAt" is null
      and (${cls.class_type_id} = any(i.class_type_ids) or i.class_type_ids is null and exists (
        select 1 from class_instructor k join single_class d using (single_class_id) where k.instructor_id = i.instructor_id
          and d.class_type_id = ${cls.class_type_id} and d.starts_at >= ${instantValue(since)} and d.starts_at < ${instantValue(now)} and d."cancelledAt" is null))
      and not exists (select 1 from class_instructor k where k.instructor_id = i.instructor_id and k.single_class_id = ${cls.single_class_id})
      and exists (${accountsOfCoach(sql`i.instructor_id`, cls.location_id)})
      and not exists (select 1 from instructor_absence a where a.instructor_id = i.instructor_id
        and ${cls.wall.toISOString().slice(0, 10)}::date between a.from_day and a.to_day)
      and not (${isBusy(sql`i.instructor_id`, cls)})
    order by i.name, i.instructor_id`)
  return rows.map((row) => row.instructor_id)
}

/** Accounts of a coach that work at a location. */
const accountsOfCoach = (instructor_id: ReturnType<typeof sql>, location_id: number) => sql`select p.staff_id from staff p
  where p.instructor_id = ${instructor_id} and p."disabledAt" is null and p.uid is not null
    and (not exists (select 1 from staff_location w where w.staff_id = p.staff_id)
      or exists (select 1 from staff_location w where w.staff_id = p.staff_id and w.location_id = ${location_id}))`

const isBusy = (instructor_id: ReturnType<typeof sql>, { single_class_id, starts_at, ends_at }: Hours) => sql`exists (
  select 1 from class_instructor k join single_class d using (single_class_id) where k.instructor_id = ${instructor_id}
    and d.single_class_id <> ${single_class_id} and d."cancelledAt" is null and d.starts_at < ${instantValue(ends_at)} and d.ends_at > ${instantValue(starts_at)})`

/**
 * Whether a coach teaches another class during these hours. Locks the coach until the transaction ends: two substitutions that the same
 * coach accepts at once are decided one after the other.
 */
export async function isCoachBusy(tx: Tx, instructor_id: number, hours: Hours): Promise<boolean> {
  await tx.select({ id: instructor.instructor_id }).from(instructor).where(eq(instructor.instructor_id, instructor_id)).for('no key update')
  const { rows } = await tx.execute<{ busy: boolean }>(sql`select ${isBusy(sql`${instructor_id}::integer`, hours)} as busy`)
  return rows[0]?.busy ?? false
}

/** Ids of instructors among these that do not exist or were removed. */
export async function listUnknownCoaches(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const { rows } = await tx.execute<{ id: number }>(sql`select n as id from unnest(${`{${ids.join(',')}}`}::integer[]) n
    where not exists (select 1 from instructor i where i.instructor_id = n and i."deletedAt" is null)`)
  return rows.map((row) => row.id)
}

/** Accounts of coaches at a location. */
export async function listStaffOfCoaches(on: Reader, ids: readonly number[], location_id: number): Promise<number[]> {
  const { rows } = await on.execute<{ staff_id: number }>(sql`select p.staff_id from unnest(${`{${ids.join(',')}}`}::integer[]) n
    cross join lateral (${accountsOfCoach(sql`n`, location_id)}) p order by p.staff_id`)
  return rows.map((row) => row.staff_id)
}

/** Accounts of the owners. */
export async function listOwners(on: Reader): Promise<number[]> {
  const { rows } = await on.execute<{ staff_id: number }>(
    sql`select staff_id from staff where role = 'owner' and "disabledAt" is null and uid is not null order by staff_id`,
  )
  return rows.map((row) => row.staff_id)
}

/** Substitutions that were open for a while without an answer, marked as reminded. */
export async function claimUnanswered(tx: Tx, { openedBefore, now }: { openedBefore: Date; now: Date }): Promise<number[]> {
  const { rows } = await tx.execute<{ id: number }>(sql`update substitution b set "remindedAt" = ${instantValue(now)} from single_class c
    where c.single_class_id = b.single_class_id and b.state = 'open' and b."remindedAt" is null and b."createdAt" <= ${instantValue(openedBefore)} and ${isCurrent(now)}
    returning b.substitution_id as id`)
  return rows.map((row) => row.id)
}

/** Substitutions without a substitute whose class is near, marked as warned about. */
export async function claimUrgent(tx: Tx, { startsBefore, now }: { startsBefore: Date; now: Date }): Promise<number[]> {
  const { rows } = await tx.execute<{ id: number }>(sql`update substitution b set "warnedAt" = ${instantValue(now)} from single_class c
    where c.single_class_id = b.single_class_id and b.state in ('open', 'accepted') and b."warnedAt" is null and c.starts_at <= ${instantValue(startsBefore)} and ${isCurrent(now)}
    returning b.substitution_id as id`)
  return rows.map((row) => row.id)
}
