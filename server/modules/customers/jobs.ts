import * as z from 'zod'
import { every, type ModuleJob, on } from '#server/modules/module-job.ts'
import { moveStragglers, STRAGGLERS_JOB } from './merge.ts'
import { refreshAllSummaries } from './summaries.ts'

export const customerJobs: ModuleJob[] = [
  every('customers.summaries', '* * * * *', refreshAllSummaries, 'upkeep'),
  on(STRAGGLERS_JOB, z.object({ customer_merge_id: z.int() }), moveStragglers, 'upkeep'),
]
