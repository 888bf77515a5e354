import * as z from 'zod'
import { every, type ModuleJob, on } from '#server/modules/module-job.ts'
import { eraseDue } from './erasure.ts'
import { moveStragglers, STRAGGLERS_JOB } from './merge.ts'
import { refreshAllSummaries } from './summaries.ts'

export const customerJobs: ModuleJob[] = [
  every('customers.summaries', '* * * * *', refreshAllSummaries, 'upkeep'),
  every('customers.erase', '*/10 * * * *', eraseDue, 'upkeep'),
  on(STRAGGLERS_JOB, z.object({ customer_merge_id: z.int() }), moveStragglers, 'upkeep'),
]
