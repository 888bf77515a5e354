/** Recognised income: what was paid, as far as it was used (docs/domain.md, "Recognised income"). */
export {
  checkIncome,
  listPurchaseIncome,
  type PackageIncome,
  readIncome,
  rebuildIncome,
  refreshAllIncome,
  wrongIncome,
} from './days.ts'
export { listPackageTitles, markAllIncome, netIncomeOfCreditLots } from './days-store.ts'
export type { Income } from './rules.ts'
export { grantedCredits, netIncome } from './store.ts'
