import { type ModuleJob, scheduledJob } from '#server/modules/module-job.ts'
import { renewAnnouncements } from './content.ts'
import { FILE_SWEEP, sweepFiles } from './files.ts'

export const contentJobs: ModuleJob[] = [
  scheduledJob(FILE_SWEEP, '37 * * * *', sweepFiles, 'upkeep'),
  scheduledJob('content.announcements', '* * * * *', renewAnnouncements),
]
