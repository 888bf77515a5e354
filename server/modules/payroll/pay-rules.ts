/** Pay rules as a plain list (docs/domain.md, PY1 to PY3). */
import { asc } from 'drizzle-orm'
import type { Sent } from '#contract/crud.ts'
import { refuse } from '#contract/errors.ts'
import { parsePesos, pesos } from '#contract/money.ts'
import { payRuleIssues, type payRules } from '#contract/payroll.ts'
import { plainListVerbs } from '#server/modules/crud.ts'
import type { PayTerms } from './rules.ts'
import { NO_PAY, payRule } from './tables.ts'

/** Sent amounts are pesos that the contract has checked. */
const centavos = (sent: string): number => parsePesos(sent) ?? 0
const basisPoints = (percent: number): number => Math.round(percent * 100)

type Input = Sent<typeof payRules>

/** The terms of a rule with what was sent. INVALID_INPUT: more people would be paid less. */
function termsWith(before: PayTerms, sent: Input): PayTerms {
  const amount = (text: string | undefined, stored: number) => (text === undefined ? stored : centavos(text))
  const after: PayTerms = {
    base: amount(sent.base, before.base),
    per_person: amount(sent.per_person, before.per_person),
    per_person_from: sent.per_person_from ?? before.per_person_from,
    steps: sent.steps
      ? sent.steps.map((step) => ({ from: step.from, amount: centavos(step.amount) })).sort((a, b) => a.from - b.from)
      : before.steps,
    full_bonus: amount(sent.full_bonus, before.full_bonus),
    percent: sent.percent === undefined ? before.percent : basisPoints(sent.percent),
    minimum: amount(sent.minimum, before.minimum),
    private: sent.private === undefined ? before.private : sent.private === null ? null : centavos(sent.private),
    substitute: sent.substitute ?? before.substitute,
    late_cancel_hours: sent.late_cancel_hours ?? before.late_cancel_hours,
    late_cancel_percent: sent.late_cancel_percent === undefined ? before.late_cancel_percent : basisPoints(sent.late_cancel_percent),
  }
  const issues = payRuleIssues({ base: pesos(after.base), steps: stepsOut(after) })
  if (issues.length > 0) throw refuse('INVALID_INPUT', { issues })
  return after
}

const stepsOut = ({ steps }: PayTerms) => steps.map(({ from, amount }) => ({ from, amount: pesos(amount) }))

export const payRuleList = plainListVerbs({
  table: payRule,
  id: 'pay_rule_id',
  topic: null,
  order: [asc(payRule.from_day), asc(payRule.pay_rule_id)],
  shown: ({ terms, updatedAt, ...row }) => ({
    ...row,
    updatedAt: updatedAt.toISOString(),
    base: pesos(terms.base),
    per_person: pesos(terms.per_person),
    per_person_from: terms.per_person_from,
    steps: stepsOut(terms),
    full_bonus: pesos(terms.full_bonus),
    percent: terms.percent / 100,
    minimum: pesos(terms.minimum),
    private: terms.private === null ? null : pesos(terms.private),
    substitute: terms.substitute,
    late_cancel_hours: terms.late_cancel_hours,
    late_cancel_percent: terms.late_cancel_percent / 100,
  }),
  values: (sent: Input, before) => ({
    instructor_id: sent.instructor_id,
    class_type_id: sent.class_type_id,
    location_id: sent.location_id,
    from_day: sent.from_day,
    terms: termsWith(before?.terms ?? NO_PAY, sent),
  }),
})
