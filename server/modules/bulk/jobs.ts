/** Jobs of changes to many customers. Every job may run twice. */
import * as z from 'zod'
import { every, type ModuleJob, on } from '#server/modules/module-job.ts'
import { runBulk, sweepBulkJobs } from './bulk.ts'

export const bulkJobs: ModuleJob[] = [
  on('bulk.run', z.object({ bulk_job_id: z.int() }), runBulk, 'upkeep'),
  every('bulk.sweep', '50 3 * * *', sweepBulkJobs, 'upkeep'),
]
