/** Jobs of the reports. Every job may run twice. */
import { every, type ModuleJob } from '#server/modules/module-job.ts'
import { sendWeeklyEmail } from './weekly-email.ts'

export const reportJobs: ModuleJob[] = [every('reports.weekly_email', '5 * * * *', sendWeeklyEmail)]
