import * as z from 'zod'
import { type ModuleJob, scheduledJob, sentJob } from '#server/modules/module-job.ts'
import { followAccountLeft } from './account-left.ts'
import { eraseDue } from './erasure.ts'
import { moveStragglers, STRAGGLERS_JOB } from './merge.ts'
import { refreshAllSummaries } from './summaries.ts'

export const customerJobs: ModuleJob[] = [
  scheduledJob('customers.summaries', '* * * * *', refreshAllSummaries, 'upkeep'),
  scheduledJob('customers.erase', '*/10 * * * *', eraseDue, 'upkeep'),
  sentJob('customers.account-left', z.object({ customer_id: z.int() }), followAccountLeft),
  sentJob(STRAGGLERS_JOB, z.object({ customer_merge_id: z.int() }), moveStragglers, 'upkeep'),
]
