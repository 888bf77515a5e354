/** Jobs of income by day. Every job may run twice. */
import { every, type ModuleJob } from '#server/modules/module-job.ts'
import { checkIncome, refreshAllIncome } from './income.ts'

export const incomeJobs: ModuleJob[] = [
  every('income.refresh', '* * * * *', refreshAllIncome, 'upkeep'),
  every('income.check', '50 9 * * *', checkIncome, 'upkeep'),
]
