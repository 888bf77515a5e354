/** Recognised income: what was paid, as far as it was used (docs/domain.md, "Recognised income"). */
export { earnedShare, type Income, type IncomeLot, type IncomeUnit, incomeOf } from './rules.ts'
export { grantedCredits, type IncomeUnitRow, keptNet, listIncomeUnits } from './store.ts'
