/** Recognised income: what was paid, as far as it was used (docs/domain.md, "Recognised income"). */
export { type Income, incomeOf } from './rules.ts'
export { grantedCredits, type IncomeUnitRow, listIncomeUnits, netIncome, netIncomeOfUnits } from './store.ts'
