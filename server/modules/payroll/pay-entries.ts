/** The entries of a period of pay: computed from its classes while it is open, stored once it is approved (PY1 to PY5). */
import { formatMoney, pesos } from '#contract/money.ts'
import type { PayItem } from '#contract/payroll.ts'
import { isZone, wallClock } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Reader } from '#server/platform/db.ts'
import { type Carried, carriedInto, carriedOut } from './carried.ts'
import { type Pay, type PayTerms, payFor, type Stretch } from './rules.ts'
import {
  listApprovedBefore,
  listItems,
  listPaid,
  listRules,
  listTaughtBetween,
  listTaughtOf,
  type PeriodRow,
  type TaughtRow,
} from './store.ts'

export interface CoachName {
  name: string
  last_name: string
  nick_name: string | null
}

/** One row of a coach's pay: computed, or stored with an approved period. */
export interface PayEntry {
  instructor: CoachName & { instructor_id: number }
  kind: 'class' | 'adjustment' | 'correction'
  cls: { single_class_id: number; starts_at: Date; zone: string; class_type: string; location: string } | null
  attended: number | null
  amount: number
  why: string
  terms: PayTerms | null
  has_rule: boolean
  is_closed: boolean
  /** Computed from what a coach owes (PY8), and stored when the period is approved. */
  is_carried?: boolean
}

const keyOf = (row: { single_class_id: number; instructor_id: number }) => `${row.single_class_id}-${row.instructor_id}`
const clockOf = (ctx: Ctx) => ({ now: ctx.now, zone: ctx.zone })
const zoneOfRow = (ctx: Ctx, zone: string) => (isZone(zone) ? zone : ctx.zone)

/**
 * The rows of some days, with corrections of approved periods before them: what a class is worth now less what was paid for it. A later
 * change of a rule corrects nothing, because a class that was paid keeps its terms (PY4).
 */
async function computeLines(
  on: Reader,
  ctx: Ctx,
  days: Stretch,
  instructor_id: number | undefined,
  isPeriod: boolean,
): Promise<PayEntry[]> {
  const [rules, paidRows, approved] = await Promise.all([
    listRules(on),
    isPeriod ? listPaid(on, { from: days.from, instructor_id }, ctx.zone) : [],
    isPeriod ? listApprovedBefore(on, days.from) : [],
  ])
  const withIncome = [...rules, ...paidRows].some(({ terms }) => (terms?.percent ?? 0) > 0)
  const clock = { ...clockOf(ctx), withIncome }
  const taught = await listTaughtBetween(on, { ...days, instructor_id }, clock)
  const [first, last] = [approved[0], approved.at(-1)]
  const earlier = first && last ? await listTaughtBetween(on, { from: first.from, to: last.to, instructor_id }, clock) : []
  const inApproved = earlier.filter(({ day }) => approved.some(({ from, to }) => from <= day && day <= to))
  const paid = new Map(paidRows.map((row) => [keyOf(row), row]))
  const now = new Map([...inApproved, ...taught].map((row) => [keyOf(row), row]))
  const lines = [...now.values()].flatMap((row): PayEntry[] => {
    const before = paid.get(keyOf(row))
    const { pay, terms } = payFor(row, rules, before?.terms ?? null)
    const isHere = days.from <= row.day && row.day <= days.to
    if (isHere && !before) return [lineOf(ctx, row, { kind: 'class', amount: pay.amount, why: pay.why, terms })]
    const missing = pay.amount - (before?.paid ?? 0)
    return missing === 0 ? [] : [lineOf(ctx, row, { kind: 'correction', amount: missing, why: corrected(before?.paid ?? 0, pay), terms })]
  })
  // Paid classes that are not theirs any more, unless they moved to days of a period that pays them itself.
  const dropped = paidRows.filter((row) => row.paid !== 0 && !now.has(keyOf(row)))
  const elsewhere = new Set(
    (
      await listTaughtOf(
        on,
        dropped.map(({ single_class_id }) => single_class_id),
        clock,
      )
    ).map(keyOf),
  )
  for (const row of dropped) {
    if (elsewhere.has(keyOf(row))) continue
    const why = `Se le pagaron ${formatMoney(row.paid)} y ya no le corresponde.`
    lines.push(
      lineOf(
        ctx,
        { ...row, attended: null, is_closed: true, cancelled_minutes_before: null },
        { kind: 'correction', amount: -row.paid, why, terms: row.terms },
      ),
    )
  }
  return lines
}

const corrected = (before: number, { amount, why }: Pay): string =>
  `Se le pagaron ${formatMoney(before)} y corresponden ${formatMoney(amount)}. ${why}`

type LineSource = Pick<
  TaughtRow,
  | 'single_class_id'
  | 'instructor_id'
  | 'name'
  | 'last_name'
  | 'nick_name'
  | 'class_type'
  | 'location'
  | 'zone'
  | 'starts_at'
  | 'is_closed'
  | 'cancelled_minutes_before'
> & { attended: number | null }

function lineOf(ctx: Ctx, row: LineSource, { kind, amount, why, terms }: Pick<PayEntry, 'kind' | 'amount' | 'why' | 'terms'>): PayEntry {
  const { instructor_id, name, last_name, nick_name, single_class_id, class_type, location } = row
  return {
    instructor: { instructor_id, name, last_name, nick_name },
    kind,
    amount,
    why,
    terms,
    attended: row.attended,
    has_rule: terms !== null,
    cls: { single_class_id, class_type, location, starts_at: new Date(row.starts_at), zone: zoneOfRow(ctx, row.zone) },
    is_closed: row.is_closed || row.cancelled_minutes_before !== null,
  }
}

async function storedLines(on: Reader, ctx: Ctx, payroll_period_id: number): Promise<PayEntry[]> {
  const rows = await listItems(on, payroll_period_id, ctx.zone)
  return rows.map(({ instructor_id, name, last_name, nick_name, kind, attended, amount_centavos, why, ...row }) => ({
    instructor: { instructor_id, name, last_name, nick_name },
    kind,
    attended,
    amount: amount_centavos,
    why,
    terms: null,
    has_rule: true,
    is_closed: true,
    cls:
      row.single_class_id === null || row.starts_at === null
        ? null
        : {
            single_class_id: row.single_class_id,
            class_type: row.class_type ?? '',
            location: row.location ?? '',
            starts_at: new Date(row.starts_at),
            zone: zoneOfRow(ctx, row.zone ?? ctx.zone),
          },
  }))
}

/** The rows of a period or of some days, as stored when it was approved, otherwise computed with its adjustments. */
export async function entriesOf(
  on: Reader,
  ctx: Ctx,
  days: Stretch,
  period: PeriodRow | null,
  isPeriod: boolean,
  instructor_id?: number,
): Promise<PayEntry[]> {
  const stored = period ? await storedLines(on, ctx, period.payroll_period_id) : []
  const mine = stored.filter((line) => instructor_id === undefined || line.instructor.instructor_id === instructor_id)
  if (period?.approvedAt) return mine
  const open = [...(await computeLines(on, ctx, days, instructor_id, isPeriod)), ...mine]
  if (!isPeriod) return open
  const due = [...open, ...(await carriedInto(on, days, instructor_id)).map(carriedLine)]
  return [...due, ...carriedOut(due).map(carriedLine)]
}

const carriedLine = (carried: Carried): PayEntry => ({
  ...carried,
  kind: 'adjustment',
  cls: null,
  attended: null,
  terms: null,
  has_rule: true,
  is_closed: true,
  is_carried: true,
})

export const sumOfEntries = (lines: readonly PayEntry[]): number => lines.reduce((total, { amount }) => total + amount, 0)

export function serializeEntry({ kind, cls, attended, amount, why, has_rule }: PayEntry): PayItem {
  return {
    kind,
    attended,
    why,
    has_rule,
    amount: pesos(amount),
    single_class_id: cls?.single_class_id ?? null,
    class_date: cls ? wallClock(cls.starts_at, cls.zone).toISOString() : null,
    class_type: cls?.class_type ?? null,
    location: cls?.location ?? null,
  }
}
