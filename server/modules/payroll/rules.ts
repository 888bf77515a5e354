/** Pay of a class, and the periods in which it is paid. Pure: docs/domain.md, "Pay of the coaches". */
import { formatMoney } from '#contract/money.ts'
import { addDays, addMonths, type LocalDate } from '#contract/time.ts'

/** What a rule pays. Amounts in centavos, rates in hundredths of a percent. */
export interface PayTerms {
  base: number
  per_person: number
  per_person_from: number
  /** Ascending by `from`; more people never pay less. */
  steps: readonly { from: number; amount: number }[]
  full_bonus: number
  percent: number
  minimum: number
  private: number | null
  substitute: 'own' | 'theirs'
  late_cancel_hours: number
  late_cancel_percent: number
}

export interface RuleFacts {
  pay_rule_id: number
  instructor_id: number | null
  class_type_id: number | null
  location_id: number | null
  from_day: LocalDate
  terms: PayTerms
}

export interface PaidClass {
  class_type_id: number
  location_id: number
  /** Its day on the clocks of its location. */
  day: LocalDate
}

/** A coach counts more than a type of class, and that more than a location. */
const exactness = (rule: RuleFacts): number =>
  (rule.instructor_id === null ? 0 : 4) + (rule.class_type_id === null ? 0 : 2) + (rule.location_id === null ? 0 : 1)

/** The rule by which a coach is paid for a class: the most exact one, of equally exact ones the latest (PY1). Null: there is none. */
export function ruleFor(rules: readonly RuleFacts[], instructor_id: number, cls: PaidClass): RuleFacts | null {
  const matching = rules.filter(
    (rule) =>
      rule.from_day <= cls.day &&
      (rule.instructor_id === null || rule.instructor_id === instructor_id) &&
      (rule.class_type_id === null || rule.class_type_id === cls.class_type_id) &&
      (rule.location_id === null || rule.location_id === cls.location_id),
  )
  const better = (a: RuleFacts, b: RuleFacts) =>
    exactness(b) - exactness(a) || (a.from_day < b.from_day ? 1 : a.from_day > b.from_day ? -1 : b.pay_rule_id - a.pay_rule_id)
  return matching.sort(better)[0] ?? null
}

/** The rule of a class that a substitute gave: the substitute's, or that of the replaced coach if it is set so (PY3). */
export function ruleOfSubstitute(
  rules: readonly RuleFacts[],
  { substitute, replaced }: { substitute: number; replaced: number | null },
  cls: PaidClass,
): RuleFacts | null {
  const own = ruleFor(rules, substitute, cls)
  if (replaced === null || replaced === substitute || own?.terms.substitute === 'own') return own
  return ruleFor(rules, replaced, cls) ?? own
}

/** What happened in a class. */
export interface ClassFacts {
  attended: number
  /** Places taken, and how many there were; null: without a limit, never full. */
  taken: number
  capacity: number | null
  /** Recognised income of the class without tax, in centavos. */
  recognised: number
  /** Minutes before the start at which the studio cancelled it; null: it was given. Negative: after the start. */
  cancelled_minutes_before: number | null
}

export interface Pay {
  amount: number
  why: string
}

/** A share in hundredths of a percent, half up to the centavo. */
const share = (amount: number, rate: number): number => Math.round((amount * rate) / 10_000)
const rateText = (rate: number): string => `${rate / 100} %`
const people = (n: number): string => (n === 1 ? '1 persona' : `${n} personas`)

/** A class of one place is private. */
const isPrivate = ({ capacity }: Pick<ClassFacts, 'capacity'>): boolean => capacity === 1

/** What a coach is paid for a class, and why (PY2). */
export function computePay(terms: PayTerms, facts: ClassFacts): Pay {
  if (facts.cancelled_minutes_before !== null) return payOfCancelled(terms, facts, facts.cancelled_minutes_before)
  const parts: { text: string; amount: number }[] = []
  const add = (text: string, amount: number) => {
    if (amount > 0) parts.push({ text, amount })
  }
  const step = terms.steps.filter(({ from }) => from <= facts.attended).at(-1)
  if (isPrivate(facts) && terms.private !== null) add('clase privada', terms.private)
  else if (step) add(`escalón desde ${people(step.from)}`, step.amount)
  else add('base', terms.base)
  const counted = Math.max(0, facts.attended - terms.per_person_from + 1)
  add(`${people(counted)} a ${formatMoney(terms.per_person)} =`, counted * terms.per_person)
  if (facts.capacity !== null && facts.taken >= facts.capacity) add('clase llena', terms.full_bonus)
  add(`${rateText(terms.percent)} de ${formatMoney(facts.recognised)} =`, share(facts.recognised, terms.percent))
  const sum = parts.reduce((total, { amount }) => total + amount, 0)
  const came = facts.attended === 1 ? 'Llegó 1 persona' : `Llegaron ${facts.attended} personas`
  const reasons = parts.map(({ text, amount }) => `${text} ${formatMoney(amount)}`)
  if (sum < terms.minimum)
    return { amount: terms.minimum, why: `${came}: ${[...reasons, `sube al mínimo ${formatMoney(terms.minimum)}`].join(' + ')}.` }
  return { amount: sum, why: `${came}: ${reasons.length > 0 ? reasons.join(' + ') : 'nada que pagar'}.` }
}

function payOfCancelled(terms: PayTerms, facts: ClassFacts, minutes: number): Pay {
  if (minutes >= terms.late_cancel_hours * 60) return { amount: 0, why: 'El estudio la canceló a tiempo: no se paga.' }
  const full = isPrivate(facts) && terms.private !== null ? terms.private : terms.base
  return {
    amount: share(full, terms.late_cancel_percent),
    why: `El estudio la canceló con menos de ${terms.late_cancel_hours} h: ${rateText(terms.late_cancel_percent)} de ${formatMoney(full)}.`,
  }
}

const NO_RULE: Pay = { amount: 0, why: 'Ninguna regla dice cuánto se paga.' }

/** What a coach gets for a class by a rule, or by the terms by which it was paid before. */
export function payFor(
  cls: PaidClass & ClassFacts & { instructor_id: number; substitutes_for: number | null },
  rules: readonly RuleFacts[],
  paidBy: PayTerms | null = null,
): { pay: Pay; terms: PayTerms | null } {
  const terms = paidBy ?? ruleOfSubstitute(rules, { substitute: cls.instructor_id, replaced: cls.substitutes_for }, cls)?.terms ?? null
  return { pay: terms ? computePay(terms, cls) : NO_RULE, terms }
}

export type PeriodKind = 'quincena' | 'mes'
export interface Stretch {
  from: LocalDate
  to: LocalDate
}

const monthEnd = (day: LocalDate): LocalDate => addDays(addMonths(`${day.slice(0, 7)}-01`, 1), -1)

/** The period that a day is in: a month, or its first fifteen days or the rest. */
export function payPeriod(day: LocalDate, kind: PeriodKind): Stretch {
  const month = day.slice(0, 7)
  if (kind === 'mes') return { from: `${month}-01`, to: monthEnd(day) }
  return day <= `${month}-15` ? { from: `${month}-01`, to: `${month}-15` } : { from: `${month}-16`, to: monthEnd(day) }
}

/**
 * The period that a day is in: a stored one, or that of the studio's kind without the days of stored ones, which keep theirs when the kind
 * changes. The stored ones are those near the day.
 */
export function periodAround(day: LocalDate, kind: PeriodKind, stored: readonly Stretch[]): Stretch {
  const around = stored.find(({ from, to }) => from <= day && day <= to)
  if (around) return { from: around.from, to: around.to }
  const free = payPeriod(day, kind)
  for (const { from, to } of stored) {
    if (to < day && to >= free.from) free.from = addDays(to, 1)
    if (from > day && from <= free.to) free.to = addDays(from, -1)
  }
  return free
}

/** The periods before and after some days. */
export function adjacentPeriods({ from, to }: Stretch, kind: PeriodKind, stored: readonly Stretch[]): { previous: Stretch; next: Stretch } {
  return { previous: periodAround(addDays(from, -1), kind, stored), next: periodAround(addDays(to, 1), kind, stored) }
}
