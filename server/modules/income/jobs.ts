/** Jobs of income by day. Every job may run twice. */
import { type ModuleJob, scheduledJob } from '#server/modules/module-job.ts'
import { checkIncome, refreshAllIncome } from './income.ts'

export const incomeJobs: ModuleJob[] = [
  scheduledJob('income.refresh', '* * * * *', refreshAllIncome, 'upkeep'),
  scheduledJob('income.check', '50 9 * * *', checkIncome, 'upkeep'),
]
