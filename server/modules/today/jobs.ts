import { type ModuleJob, scheduledJob } from '#server/modules/module-job.ts'
import { pushNewTasks } from './task-push.ts'

export const todayJobs: ModuleJob[] = [scheduledJob('today.push', '*/5 * * * *', pushNewTasks)]
