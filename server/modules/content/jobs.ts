import { every, type ModuleJob } from '#server/modules/module-job.ts'
import { renewAnnouncements } from './content.ts'
import { FILE_SWEEP, sweepFiles } from './files.ts'

export const contentJobs: ModuleJob[] = [
  every(FILE_SWEEP, '37 * * * *', sweepFiles, 'upkeep'),
  every('content.announcements', '* * * * *', renewAnnouncements),
]
