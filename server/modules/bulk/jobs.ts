/** Jobs of changes to many customers. Every job may run twice. */
import * as z from 'zod'
import { type ModuleJob, scheduledJob, sentJob } from '#server/modules/module-job.ts'
import { runBulk, sweepBulkJobs } from './bulk.ts'

export const bulkJobs: ModuleJob[] = [
  sentJob('bulk.run', z.object({ bulk_job_id: z.int() }), runBulk, 'upkeep'),
  scheduledJob('bulk.sweep', '50 3 * * *', sweepBulkJobs, 'upkeep'),
]
