import { every, type ModuleJob } from '#server/modules/module-job.ts'
import { refreshAllSummaries } from './summaries.ts'

export const customerJobs: ModuleJob[] = [every('customers.summaries', '* * * * *', refreshAllSummaries, 'upkeep')]
