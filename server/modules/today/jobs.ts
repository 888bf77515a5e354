import { every, type ModuleJob } from '#server/modules/module-job.ts'
import { pushNewTasks } from './task-push.ts'

export const todayJobs: ModuleJob[] = [every('today.push', '*/5 * * * *', pushNewTasks)]
