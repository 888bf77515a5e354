/** Scheduled work of credits. */
import { type ModuleJob, scheduledJob } from '#server/modules/module-job.ts'
import { notifyExpiringCredits } from './ending.ts'

// 16:20 UTC: morning in all of Mexico.
export const creditJobs: ModuleJob[] = [scheduledJob('credits.expiring', '20 16 * * *', notifyExpiringCredits)]
