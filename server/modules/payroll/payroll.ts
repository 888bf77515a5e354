/** Pay of the coaches: what they are owed for a period, its adjustments and its approval (docs/domain.md, "Pay of the coaches"). */
import type * as z from 'zod'
import { instructorFullName } from '#contract/copy/instructor-names.ts'
import { refuse } from '#contract/errors.ts'
import { pesos } from '#contract/money.ts'
import { type CoachPay, MAX_PAYROLL_DAYS, type payrolls as wire } from '#contract/payroll.ts'
import { addDays, type LocalDate, localDate } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { type CoachName, entriesOf, type PayEntry, serializeEntry, sumOfEntries } from './pay-entries.ts'
import { adjacentPeriods, type PeriodKind, periodAround, type Stretch } from './rules.ts'
import {
  CORRECTED_DAYS,
  findInstructorName,
  findPeriod,
  hasInstructor,
  hasLaterApproved,
  insertItems,
  insertPeriod,
  listAccounts,
  listAnswers,
  listNear,
  listReaching,
  lockPayroll,
  markApproved,
  type PeriodRow,
  reopenPeriod,
  upsertAccount,
  upsertAnswer,
} from './store.ts'

export { payOfClasses } from './class-pay.ts'

type Input<K extends keyof typeof wire> = z.output<NonNullable<(typeof wire)[K]['~orpc']['inputSchema']>>
type Answer<K extends keyof typeof wire> = Promise<z.output<NonNullable<(typeof wire)[K]['~orpc']['outputSchema']>>>

type AnswerRow = Awaited<ReturnType<typeof listAnswers>>[number]

function coachOut(instructor: CoachName & { instructor_id: number }, lines: readonly PayEntry[], answers: readonly AnswerRow[]): CoachPay {
  const classes = lines.filter(({ kind }) => kind === 'class')
  const answer = answers.find(({ instructor_id }) => instructor_id === instructor.instructor_id)
  return {
    instructor_id: instructor.instructor_id,
    name: instructorFullName(instructor),
    classes: classes.length,
    attended: classes.reduce((total, { attended }) => total + (attended ?? 0), 0),
    amount: pesos(sumOfEntries(lines)),
    lines: lines.map(serializeEntry),
    answer: answer ? { agrees: answer.agrees, text: answer.text, at: answer.answeredAt.toISOString() } : null,
  }
}

/** Payroll is of the whole studio: staff who work at some of its locations do not run it. */
export function requireWholeStudio(ctx: Ctx): void {
  if (ctx.locationIds !== null) throw refuse('FORBIDDEN', { needs: 'payroll' })
}

/** The requested days, or those of the period that the first of them or today is in. PAYROLL_RANGE. */
async function requestedStretch(ctx: Ctx, { from, to }: { from?: string | undefined; to?: string | undefined }): Promise<Stretch> {
  const day = from ?? localDate(ctx.now, ctx.zone)
  const days = from === undefined || !to ? await periodOfDay(ctx.db, ctx, day) : { from, to }
  if (days.to < days.from || days.to >= addDays(days.from, MAX_PAYROLL_DAYS)) throw refuse('PAYROLL_RANGE', { max: MAX_PAYROLL_DAYS })
  return days
}

const periodOfDay = async (on: Reader, ctx: Ctx, day: LocalDate): Promise<Stretch> =>
  periodAround(day, ctx.settings.payroll_period, await listNear(on, { from: day, to: day }))

const neighboursNear = async (ctx: Ctx, days: Stretch) => adjacentPeriods(days, ctx.settings.payroll_period, await listNear(ctx.db, days))

/** The period that some days are: a stored one, or one of the studio's kind without the days of stored ones. */
async function readPeriod(on: Reader, ctx: Ctx, days: Stretch) {
  const stored = await findPeriod(on, days.from)
  if (stored) return { stored, isPeriod: stored.to_day === days.to }
  const free = await periodOfDay(on, ctx, days.from)
  return { stored: null, isPeriod: free.from === days.from && free.to === days.to }
}

type StoredPeriod = Awaited<ReturnType<typeof findPeriod>>

function periodOut(ctx: Ctx, days: Stretch, stored: StoredPeriod) {
  return {
    ...days,
    state: stored?.approvedAt ? ('approved' as const) : days.to >= localDate(ctx.now, ctx.zone) ? ('running' as const) : ('open' as const),
    approvedAt: stored?.approvedAt?.toISOString() ?? null,
    approved_by: stored?.approver ?? null,
    reopen_reason: stored?.reopen_reason ?? null,
  }
}

/** GET /admin/payroll. PAYROLL_RANGE, FORBIDDEN for staff of single locations. */
export async function readPayroll(ctx: Ctx, input: Input<'read'>): Answer<'read'> {
  requireWholeStudio(ctx)
  const days = await requestedStretch(ctx, input)
  const { stored, isPeriod } = await readPeriod(ctx.db, ctx, days)
  const [lines, answers, accounts] = await Promise.all([
    entriesOf(ctx.db, ctx, days, isPeriod ? stored : null, isPeriod),
    listAnswers(ctx.db, days.from),
    listAccounts(ctx.db),
  ])
  const coaches = new Map(lines.map((line) => [line.instructor.instructor_id, line.instructor]))
  const known = new Set(accounts.filter(({ clabe }) => clabe).map(({ instructor_id }) => instructor_id))
  return {
    ...days,
    period: isPeriod ? periodOut(ctx, days, stored) : null,
    ...(await neighboursNear(ctx, days)),
    total: pesos(sumOfEntries(lines)),
    without_rule: lines.filter(({ has_rule }) => !has_rule).length,
    unsettled: new Set(lines.flatMap(({ is_closed, cls }) => (is_closed || !cls ? [] : [cls.single_class_id]))).size,
    coaches: [...coaches.values()]
      .map((instructor) => ({
        ...coachOut(
          instructor,
          lines.filter((line) => line.instructor.instructor_id === instructor.instructor_id),
          answers,
        ),
        has_account: known.has(instructor.instructor_id),
      }))
      .sort((a, b) => a.name.localeCompare(b.name, 'es')),
  }
}

/** What a coach gets for some days. Centavos. */
export interface CoachTotal {
  instructor_id: number
  name: string
  classes: number
  attended: number
  /** Classes that no rule pays. */
  without_rule: number
  /** Adjustments and corrections, which `amount` has too. */
  adjusted: number
  amount: number
}

/**
 * The days from one on that are computed at once: those of one period, and all those after them that no stored period `reaching` them and
 * no correction of one belongs to, because each of their classes is then paid by the rules alone.
 */
function partFrom(from: LocalDate, last: LocalDate, kind: PeriodKind, reaching: readonly Stretch[]): Stretch {
  const endOf = (day: LocalDate) => {
    const { to } = periodAround(day, kind, reaching)
    return to < last ? to : last
  }
  const isAlone = (to: LocalDate) => !reaching.some((stretch) => stretch.from <= to && addDays(stretch.to, CORRECTED_DAYS) >= from)
  let to = endOf(from)
  while (to < last && isAlone(endOf(addDays(to, 1)))) to = endOf(addDays(to, 1))
  return { from, to }
}

/**
 * What each coach gets for any days, by the periods that they are in: approved ones as they were approved. FORBIDDEN for staff of
 * single locations.
 */
export async function payBetween(ctx: Ctx, days: Stretch): Promise<CoachTotal[]> {
  requireWholeStudio(ctx)
  const totals = new Map<number, CoachTotal>()
  const reaching = await listReaching(ctx.db, days)
  for (let from = days.from; from <= days.to; ) {
    const part = partFrom(from, days.to, ctx.settings.payroll_period, reaching)
    const { stored, isPeriod } = await readPeriod(ctx.db, ctx, part)
    for (const line of await entriesOf(ctx.db, ctx, part, isPeriod ? stored : null, isPeriod)) {
      const { instructor_id } = line.instructor
      const total = totals.get(instructor_id) ?? {
        instructor_id,
        name: instructorFullName(line.instructor),
        classes: 0,
        attended: 0,
        without_rule: 0,
        adjusted: 0,
        amount: 0,
      }
      total.amount += line.amount
      if (line.kind === 'class') total.classes += 1
      else total.adjusted += line.amount
      total.attended += line.kind === 'class' ? (line.attended ?? 0) : 0
      total.without_rule += line.has_rule ? 0 : 1
      totals.set(instructor_id, total)
    }
    from = addDays(part.to, 1)
  }
  return [...totals.values()]
}

/** GET /admin/my_pay. NOT_FOUND for staff who teach nothing, PAYROLL_RANGE. */
export async function readMyPay(ctx: Ctx, input: Input<'mine'>): Answer<'mine'> {
  const instructor_id = ownInstructor(ctx)
  const days = await requestedStretch(ctx, input)
  const { stored, isPeriod } = await readPeriod(ctx.db, ctx, days)
  const [instructor, lines, answers] = await Promise.all([
    findInstructorName(ctx.db, instructor_id),
    entriesOf(ctx.db, ctx, days, isPeriod ? stored : null, isPeriod, instructor_id),
    listAnswers(ctx.db, days.from),
  ])
  if (!instructor) throw refuse('NOT_FOUND')
  return {
    ...days,
    period: isPeriod ? periodOut(ctx, days, stored) : null,
    ...(await neighboursNear(ctx, days)),
    pay: coachOut({ ...instructor, instructor_id }, lines, answers),
  }
}

function ownInstructor(ctx: Ctx): number {
  const id = ctx.staff?.instructor_id
  if (id == null) throw refuse('NOT_FOUND')
  return id
}

/** The days of the period that begins on a day. PAYROLL_PERIOD. */
async function periodAt(on: Reader, ctx: Ctx, from: LocalDate): Promise<{ days: Stretch; stored: StoredPeriod }> {
  const stored = await findPeriod(on, from)
  if (stored) return { days: { from, to: stored.to_day }, stored }
  const days = await periodOfDay(on, ctx, from)
  if (days.from !== from) throw refuse('PAYROLL_PERIOD')
  return { days, stored: null }
}

/** The same, locked and stored; approved ones are refused. PAYROLL_PERIOD, PAYROLL_APPROVED. */
async function lockOpenPeriod(tx: Tx, ctx: Ctx, from: LocalDate): Promise<{ days: Stretch; period: PeriodRow }> {
  await lockPayroll(tx)
  const { days, stored } = await periodAt(tx, ctx, from)
  if (stored?.approvedAt) throw refuse('PAYROLL_APPROVED')
  return { days, period: stored ?? (await insertPeriod(tx, days, ctx.now)) }
}

function staffId(ctx: Ctx): number {
  if (!ctx.staff) throw refuse('FORBIDDEN')
  return ctx.staff.staff_id
}

/** POST /admin/payroll/{period}/adjust. PAYROLL_PERIOD, PAYROLL_APPROVED, NOT_FOUND for an unknown coach. */
export async function adjustPayroll(ctx: Ctx, input: Input<'adjust'>): Promise<{ ok: true }> {
  requireWholeStudio(ctx)
  const staff_id = staffId(ctx)
  return ctx.once('payroll.adjust', input, async (tx) => {
    const { instructor_id, amount, note } = input
    if (!(await hasInstructor(tx, instructor_id))) throw refuse('NOT_FOUND', { field: 'instructor_id' })
    const { period } = await lockOpenPeriod(tx, ctx, input.period)
    const { payroll_period_id } = period
    await insertItems(tx, [
      { payroll_period_id, instructor_id, kind: 'adjustment', amount_centavos: amount, why: note, staff_id, createdAt: ctx.now },
    ])
    await ctx.audit(tx, {
      action: 'payroll.adjust',
      entity: 'payroll_period',
      entity_id: payroll_period_id,
      reason: note,
      after: { instructor_id, amount_centavos: amount },
    })
    return { ok: true as const }
  })
}

/** POST /admin/payroll/{period}/approve (PY4). Refuses with the codes of the contract; then nothing changes. */
export async function approvePayroll(ctx: Ctx, input: Input<'approve'>): Promise<{ ok: true }> {
  requireWholeStudio(ctx)
  const approved_by = staffId(ctx)
  return ctx.once('payroll.approve', input, async (tx) => {
    const { days, period } = await lockOpenPeriod(tx, ctx, input.period)
    if (days.to >= localDate(ctx.now, ctx.zone)) throw refuse('PAYROLL_RUNNING')
    const lines = await entriesOf(tx, ctx, days, period, true)
    const computed = lines.filter(({ kind, is_carried }) => kind !== 'adjustment' || is_carried)
    const open = computed.filter(({ is_closed }) => !is_closed).length
    if (open > 0) throw refuse('PAYROLL_UNSETTLED', { count: open })
    const without = computed.filter(({ has_rule }) => !has_rule).length
    if (without > 0) throw refuse('PAYROLL_WITHOUT_RULE', { count: without })
    const total = pesos(sumOfEntries(lines))
    if (total !== input.total) throw refuse('PAYROLL_CHANGED', { total })
    const { payroll_period_id } = period
    await insertItems(
      tx,
      computed.map(({ instructor, kind, cls, attended, amount, why, terms }) => ({
        payroll_period_id,
        instructor_id: instructor.instructor_id,
        kind,
        single_class_id: cls?.single_class_id ?? null,
        attended,
        amount_centavos: amount,
        why,
        terms,
        createdAt: ctx.now,
      })),
    )
    await markApproved(tx, payroll_period_id, { approvedAt: ctx.now, approved_by })
    await tx.send({ name: 'payroll-approved', data: { payroll_period_id } })
    await ctx.audit(tx, {
      action: 'payroll.approve',
      entity: 'payroll_period',
      entity_id: payroll_period_id,
      after: { total_centavos: sumOfEntries(lines), rows: lines.length },
    })
    return { ok: true as const }
  })
}

/** POST /admin/payroll/{period}/reopen. PAYROLL_PERIOD, PAYROLL_NOT_APPROVED, PAYROLL_LATER_APPROVED. */
export async function reopenPayroll(ctx: Ctx, input: Input<'reopen'>): Promise<{ ok: true }> {
  requireWholeStudio(ctx)
  return ctx.once('payroll.reopen', input, async (tx) => {
    await lockPayroll(tx)
    const { days, stored } = await periodAt(tx, ctx, input.period)
    if (!stored?.approvedAt) throw refuse('PAYROLL_NOT_APPROVED')
    if (await hasLaterApproved(tx, days.to)) throw refuse('PAYROLL_LATER_APPROVED')
    await reopenPeriod(tx, stored.payroll_period_id, input.reason)
    await ctx.audit(tx, {
      action: 'payroll.reopen',
      entity: 'payroll_period',
      entity_id: stored.payroll_period_id,
      reason: input.reason,
    })
    return { ok: true as const }
  })
}

/** PUT /admin/my_pay/{period}/answer. PAYROLL_PERIOD, NOT_FOUND for staff who teach nothing. */
export async function answerPay(ctx: Ctx, input: Input<'answer'>): Promise<{ ok: true }> {
  const instructor_id = ownInstructor(ctx)
  const { agrees, text } = input
  if (!agrees && text === '') throw refuse('INVALID_INPUT', { issues: [{ path: 'text', message: 'Escribe qué falta o sobra.' }] })
  return ctx.tx(async (tx) => {
    await periodAt(tx, ctx, input.period)
    await upsertAnswer(tx, { from_day: input.period, instructor_id, agrees, text, answeredAt: ctx.now })
    await ctx.audit(tx, {
      action: 'payroll.answer',
      entity: 'instructor',
      entity_id: instructor_id,
      after: { agrees, text, from: input.period },
    })
    return { ok: true as const }
  })
}

/** GET /admin/pay_accounts. */
export async function payAccounts(ctx: Ctx): Answer<'accounts'> {
  requireWholeStudio(ctx)
  const rows = await listAccounts(ctx.db)
  return {
    accounts: rows.map(({ instructor_id, holder, clabe, rfc, ...names }) => ({
      instructor_id,
      name: instructorFullName(names),
      holder: holder ?? '',
      clabe: clabe ?? '',
      rfc: rfc ?? '',
    })),
  }
}

/** PUT /admin/pay_accounts/{instructor_id}. The audit trail has the last four digits only. NOT_FOUND. */
export async function savePayAccount(ctx: Ctx, input: Input<'saveAccount'>): Promise<{ ok: true }> {
  requireWholeStudio(ctx)
  const { instructor_id, holder, clabe, rfc } = input
  return ctx.tx(async (tx) => {
    if (!(await hasInstructor(tx, instructor_id))) throw refuse('NOT_FOUND')
    await upsertAccount(tx, { instructor_id, holder, clabe, rfc })
    await ctx.audit(tx, {
      action: 'payroll.account',
      entity: 'instructor',
      entity_id: instructor_id,
      after: { last_digits: clabe.slice(-4) },
    })
    return { ok: true as const }
  })
}
