/** Queries of the pay of coaches: classes with what they are paid by, rules, periods and their rows. */
import { and, asc, eq, gt, gte, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { LocalDate } from '#contract/time.ts'
import { instructor } from '#server/modules/catalogue/tables.ts'
import { incomeOfClasses } from '#server/modules/income/income.ts'
import { staff } from '#server/modules/people/tables.ts'
import { countsOfClasses } from '#server/modules/rollups/rollups.ts'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { instantValue } from '#server/platform/sql-values.ts'
import type { RuleFacts, Stretch } from './rules.ts'
import { payAccount, payRule, payrollAnswer, payrollItem, payrollPeriod } from './tables.ts'

/** A class of a coach: one row for each coach of a class. */
export interface TaughtRow extends Record<string, unknown> {
  single_class_id: number
  instructor_id: number
  name: string
  last_name: string
  nick_name: string | null
  class_type_id: number
  class_type: string
  location_id: number
  location: string
  zone: string
  starts_at: string
  day: LocalDate
  capacity: number | null
  taken: number
  /** Marked as present; before the roster is used or closed, all reservations. */
  attended: number
  /** 0 where no rule pays a part of it. */
  recognised: number
  is_closed: boolean
  cancelled_minutes_before: number | null
  substitutes_for: number | null
}

const idList = (ids: readonly number[]) => sql`any(${`{${ids.join(',')}}`}::integer[])`

/** `withIncome`: also what each class earned. */
async function listTaught(
  on: Reader,
  where: SQL,
  { now, zone, withIncome }: { now: Date; zone: string; withIncome: boolean },
): Promise<TaughtRow[]> {
  const taught = sql`
    select c.single_class_id, k.instructor_id, i.name, i.last_name, i.nick_name, c.class_type_id, t.name as class_type, c.location_id, l.name as location,
      z.zone, to_char(c.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as starts_at, z.day::text as day, c.capacity, c.taken,
      c."settledAt" is not null as is_closed,
      floor(extract(epoch from c.starts_at - c."cancelledAt") / 60)::float8 as cancelled_minutes_before, c.substitutes_for, k.sort
    from single_class c
      join class_type t using (class_type_id)
      join location l using (location_id)
      join class_instructor k using (single_class_id)
      join instructor i using (instructor_id)
      cross join lateral (select coalesce(l.timezone, ${zone}) as zone, (c.starts_at at time zone coalesce(l.timezone, ${zone}))::date as day) z
    where (c.ends_at <= ${instantValue(now)} or c."cancelledAt" is not null) and ${where}`
  const classes = sql`select single_class_id from taught`
  const { rows } = await on.execute<TaughtRow>(sql`
    with taught as materialized (${taught}), ${countsOfClasses(classes)} ${withIncome ? sql`, ${incomeOfClasses(classes, zone)}` : sql``}
    select t.*, coalesce(case when not t.is_closed and m.attended + m.absent + m.excused = 0 then m.unmarked else m.attended end, 0)::float8 as attended,
      ${withIncome ? sql`coalesce(n.income, 0)::float8` : sql`0::float8`} as recognised
    from taught t left join class_counts m using (single_class_id) ${withIncome ? sql`left join class_income n using (single_class_id)` : sql``}
    order by t.starts_at, t.single_class_id, t.sort, t.instructor_id`)
  return rows
}

/** Classes of some days on the clocks of their locations that ended or were cancelled; of one coach or of all. */
export function listTaughtBetween(
  on: Reader,
  { from, to, instructor_id }: Stretch & { instructor_id?: number | undefined },
  clock: { now: Date; zone: string; withIncome: boolean },
): Promise<TaughtRow[]> {
  // The first condition uses the index; the second is exact on each location's clocks.
  const where = sql`c.starts_at >= ${from}::date - interval '15 hours' and c.starts_at < ${to}::date + interval '39 hours'
    and z.day between ${from}::date and ${to}::date ${instructor_id === undefined ? sql`` : sql`and k.instructor_id = ${instructor_id}`}`
  return listTaught(on, where, clock)
}

/** How long after the end of a period its classes are still corrected. */
export const CORRECTED_DAYS = 92

/** What was paid for classes in approved periods, added up by class and coach. */
export interface PaidRow extends Record<string, unknown> {
  single_class_id: number
  instructor_id: number
  name: string
  last_name: string
  nick_name: string | null
  paid: number
  terms: RuleFacts['terms'] | null
  class_type: string
  location: string
  zone: string
  starts_at: string
}

export async function listPaid(
  on: Reader,
  { from, instructor_id }: { from: LocalDate; instructor_id?: number | undefined },
  zone: string,
): Promise<PaidRow[]> {
  const { rows } = await on.execute<PaidRow>(sql`
    select x.single_class_id, x.instructor_id, i.name, i.last_name, i.nick_name, sum(x.amount_centavos)::float8 as paid,
      (array_agg(x.terms order by x.payroll_line_id) filter (where x.terms is not null))[1] as terms, t.name as class_type, l.name as location,
      coalesce(l.timezone, ${zone}) as zone, to_char(c.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as starts_at
    from ${payrollItem} x
      join ${payrollPeriod} p using (payroll_period_id)
      join instructor i using (instructor_id)
      join single_class c using (single_class_id)
      join class_type t using (class_type_id)
      join location l using (location_id)
    where p."approvedAt" is not null and exists (
      select 1 from ${payrollItem} y join ${payrollPeriod} q using (payroll_period_id)
      where y.single_class_id = x.single_class_id and q."approvedAt" is not null and q.to_day < ${from}::date and q.to_day >= ${from}::date - ${CORRECTED_DAYS}::integer)
      ${instructor_id === undefined ? sql`` : sql`and x.instructor_id = ${instructor_id}`}
    group by x.single_class_id, x.instructor_id, i.instructor_id, t.class_type_id, l.location_id, c.single_class_id
    order by c.starts_at, x.single_class_id, x.instructor_id`)
  return rows
}

/** What was approved for some classes, by class and coach; corrections in later periods too. Centavos. */
export async function listApprovedPayOf(
  on: Reader,
  ids: readonly number[],
): Promise<{ single_class_id: number; instructor_id: number; amount: number }[]> {
  const { rows } = await on.execute<{ single_class_id: number; instructor_id: number; amount: number }>(sql`
    select x.single_class_id, x.instructor_id, sum(x.amount_centavos)::float8 as amount
    from payroll_line x join payroll_period p using (payroll_period_id)
    where p."approvedAt" is not null and x.single_class_id = ${idList(ids)} group by 1, 2`)
  return rows
}

/** Classes by their ids, as they are now. */
export async function listTaughtOf(
  on: Reader,
  ids: readonly number[],
  clock: { now: Date; zone: string; withIncome: boolean },
): Promise<TaughtRow[]> {
  return ids.length === 0 ? [] : listTaught(on, sql`c.single_class_id = ${idList(ids)}`, clock)
}

/** Approved periods that ended before a day, not longer than 92 days before it. */
export async function listApprovedBefore(on: Reader, from: LocalDate): Promise<Stretch[]> {
  return on
    .select({ from: payrollPeriod.from_day, to: payrollPeriod.to_day })
    .from(payrollPeriod)
    .where(
      and(
        sql`${payrollPeriod.approvedAt} is not null`,
        lt(payrollPeriod.to_day, from),
        gte(payrollPeriod.to_day, sql`${from}::date - ${CORRECTED_DAYS}::integer`),
      ),
    )
    .orderBy(asc(payrollPeriod.from_day))
}

/** Stored periods that some days or the corrections of these may depend on. */
export function listReaching(on: Reader, { from, to }: Stretch): Promise<Stretch[]> {
  return on
    .select({ from: payrollPeriod.from_day, to: payrollPeriod.to_day })
    .from(payrollPeriod)
    .where(and(lte(payrollPeriod.from_day, to), gte(payrollPeriod.to_day, sql`${from}::date - ${CORRECTED_DAYS}::integer`)))
}

export function listRules(on: Reader): Promise<RuleFacts[]> {
  return on.select().from(payRule)
}

export type PeriodRow = typeof payrollPeriod.$inferSelect

/** Stored periods of some days and of a month before and after them. */
export function listNear(on: Reader, { from, to }: Stretch): Promise<Stretch[]> {
  return on
    .select({ from: payrollPeriod.from_day, to: payrollPeriod.to_day })
    .from(payrollPeriod)
    .where(and(lte(payrollPeriod.from_day, sql`${to}::date + 31`), gte(payrollPeriod.to_day, sql`${from}::date - 31`)))
}

/** The stored period that begins on a day. */
export async function findPeriod(on: Reader, from: LocalDate): Promise<(PeriodRow & { approver: string | null }) | null> {
  const [row] = await on
    .select({ period: payrollPeriod, approver: staff.name })
    .from(payrollPeriod)
    .leftJoin(staff, eq(staff.staff_id, payrollPeriod.approved_by))
    .where(eq(payrollPeriod.from_day, from))
  return row ? { ...row.period, approver: row.approver } : null
}

export interface OwingRow extends Record<string, unknown> {
  instructor_id: number
  name: string
  last_name: string
  nick_name: string | null
  /** Centavos. */
  owed: number
}

/**
 * What coaches still owe from approved periods, in the period after the last approved one; nothing in any other. Adjustments without a
 * person are what a period left to the next one, or took off.
 */
export async function listOwing(on: Reader, { from, to }: Stretch, instructor_id: number | undefined): Promise<OwingRow[]> {
  const { rows } = await on.execute<OwingRow>(sql`
    select i.instructor_id, i.name, i.last_name, i.nick_name, sum(x.amount_centavos)::float8 as owed
    from ${payrollItem} x join ${payrollPeriod} p using (payroll_period_id) join instructor i using (instructor_id)
    where p."approvedAt" is not null and x.kind = 'adjustment' and x.staff_id is null
      and (select max(l.to_day) + 1 from ${payrollPeriod} l where l."approvedAt" is not null) between ${from}::date and ${to}::date
      ${instructor_id === undefined ? sql`` : sql`and x.instructor_id = ${instructor_id}`}
    group by i.instructor_id having sum(x.amount_centavos) > 0 order by i.instructor_id`)
  return rows
}

/** Makes everything that changes periods queue: an approval reads earlier ones. */
export async function lockPayroll(tx: Tx): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('payroll'))`)
}

export async function insertPeriod(tx: Tx, { from, to }: Stretch, createdAt: Date): Promise<PeriodRow> {
  return singleRow(await tx.insert(payrollPeriod).values({ from_day: from, to_day: to, createdAt }).returning())
}

/** Whether stored days overlap some days without being them. */
export async function hasLaterApproved(tx: Tx, to: LocalDate): Promise<boolean> {
  return (await tx.$count(payrollPeriod, and(gt(payrollPeriod.from_day, to), sql`${payrollPeriod.approvedAt} is not null`))) > 0
}

export async function markApproved(tx: Tx, payroll_period_id: number, set: { approvedAt: Date; approved_by: number }): Promise<void> {
  await tx.update(payrollPeriod).set(set).where(eq(payrollPeriod.payroll_period_id, payroll_period_id))
}

/** Opens a period again; its classes, corrections and what is carried are computed anew, the adjustments of people stay. */
export async function reopenPeriod(tx: Tx, payroll_period_id: number, reopen_reason: string): Promise<void> {
  await tx
    .update(payrollPeriod)
    .set({ approvedAt: null, approved_by: null, reopen_reason })
    .where(eq(payrollPeriod.payroll_period_id, payroll_period_id))
  await tx
    .delete(payrollItem)
    .where(
      and(
        eq(payrollItem.payroll_period_id, payroll_period_id),
        sql`(${payrollItem.kind} <> 'adjustment' or ${payrollItem.staff_id} is null)`,
      ),
    )
}

export async function insertItems(tx: Tx, lines: (typeof payrollItem.$inferInsert)[]): Promise<void> {
  for (let start = 0; start < lines.length; start += 500) await tx.insert(payrollItem).values(lines.slice(start, start + 500))
}

export interface ItemRow extends Record<string, unknown> {
  instructor_id: number
  name: string
  last_name: string
  nick_name: string | null
  kind: 'class' | 'adjustment' | 'correction'
  single_class_id: number | null
  attended: number | null
  amount_centavos: number
  why: string
  class_type: string | null
  location: string | null
  zone: string | null
  starts_at: string | null
}

/** The stored rows of a period, classes first. */
export async function listItems(on: Reader, payroll_period_id: number, zone: string): Promise<ItemRow[]> {
  const { rows } = await on.execute<ItemRow>(sql`
    select x.instructor_id, i.name, i.last_name, i.nick_name, x.kind, x.single_class_id, x.attended, x.amount_centavos, x.why, t.name as class_type,
      l.name as location, coalesce(l.timezone, ${zone}) as zone, to_char(c.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as starts_at
    from ${payrollItem} x join instructor i using (instructor_id)
      left join single_class c using (single_class_id) left join class_type t using (class_type_id) left join location l using (location_id)
    where x.payroll_period_id = ${payroll_period_id}
    order by case x.kind when 'class' then 0 when 'correction' then 1 else 2 end, c.starts_at, x.payroll_line_id`)
  return rows
}

export async function hasInstructor(on: Reader, instructor_id: number): Promise<boolean> {
  return (await on.$count(instructor, and(eq(instructor.instructor_id, instructor_id), sql`${instructor.deletedAt} is null`))) > 0
}

export async function findInstructorName(on: Reader, instructor_id: number) {
  const [row] = await on
    .select({ name: instructor.name, last_name: instructor.last_name, nick_name: instructor.nick_name })
    .from(instructor)
    .where(eq(instructor.instructor_id, instructor_id))
  return row ?? null
}

export async function listAnswers(on: Reader, from: LocalDate) {
  return on.select().from(payrollAnswer).where(eq(payrollAnswer.from_day, from))
}

export async function upsertAnswer(tx: Tx, values: typeof payrollAnswer.$inferInsert): Promise<void> {
  const { agrees, text, answeredAt } = values
  await tx
    .insert(payrollAnswer)
    .values(values)
    .onConflictDoUpdate({ target: [payrollAnswer.from_day, payrollAnswer.instructor_id], set: { agrees, text, answeredAt } })
}

/** Every coach, and those who were removed but have an account; by name. */
export async function listAccounts(on: Reader) {
  return on
    .select({
      instructor_id: instructor.instructor_id,
      name: instructor.name,
      last_name: instructor.last_name,
      nick_name: instructor.nick_name,
      holder: payAccount.holder,
      clabe: payAccount.clabe,
      rfc: payAccount.rfc,
    })
    .from(instructor)
    .leftJoin(payAccount, eq(payAccount.instructor_id, instructor.instructor_id))
    .where(sql`${instructor.deletedAt} is null or ${payAccount.instructor_id} is not null`)
    .orderBy(asc(instructor.name), asc(instructor.instructor_id))
}

export async function upsertAccount(tx: Tx, values: typeof payAccount.$inferInsert): Promise<void> {
  const { holder, clabe, rfc } = values
  await tx.insert(payAccount).values(values).onConflictDoUpdate({ target: payAccount.instructor_id, set: { holder, clabe, rfc } })
}

export interface ApprovedPay extends Record<string, unknown> {
  staff_id: number
  from_day: LocalDate
  to_day: LocalDate
  /** Milliseconds since 1970. */
  approved_ms: number
  /** Centavos. */
  amount: number
  classes: number
}

/** What the coaches with an account get in an approved period; none of one that is open. */
export async function listApprovedPay(on: Reader, payroll_period_id: number): Promise<ApprovedPay[]> {
  const { rows } = await on.execute<ApprovedPay>(sql`
    select f.staff_id, to_char(p.from_day, 'YYYY-MM-DD') as from_day, to_char(p.to_day, 'YYYY-MM-DD') as to_day,
      floor(extract(epoch from p."approvedAt") * 1000)::float8 as approved_ms, sum(x.amount_centavos)::float8 as amount,
      (count(*) filter (where x.kind = 'class'))::integer as classes
    from payroll_period p join payroll_line x using (payroll_period_id) join staff f using (instructor_id)
    where p.payroll_period_id = ${payroll_period_id} and p."approvedAt" is not null and f."disabledAt" is null and f.uid is not null
    group by f.staff_id, p.payroll_period_id order by f.staff_id`)
  return rows
}
