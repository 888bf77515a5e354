/** Recognised income: what was paid, as far as it was used (docs/domain.md, "Recognised income"). */
export { incomeOfClasses } from './classes-store.ts'
export {
  checkIncome,
  listPurchaseIncome,
  type PackageIncome,
  readCustomerIncome,
  readIncome,
  rebuildIncome,
  refreshAllIncome,
  requireClassIncome,
  wrongIncome,
} from './days.ts'
export { listPackageTitles, markAllIncome, netIncomeOfCreditLots } from './days-store.ts'
export type { Income } from './rules.ts'
