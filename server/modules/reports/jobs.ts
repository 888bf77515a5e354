/** Jobs of the reports. Every job may run twice. */
import { type ModuleJob, scheduledJob } from '#server/modules/module-job.ts'
import { sendWeeklyEmail } from './weekly-email.ts'

export const reportJobs: ModuleJob[] = [scheduledJob('reports.weekly_email', '5 * * * *', sendWeeklyEmail)]
