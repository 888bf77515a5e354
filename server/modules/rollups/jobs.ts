/** Jobs of the rollups. Every job may run twice. */
import { type ModuleJob, scheduledJob } from '#server/modules/module-job.ts'
import { checkRollups, refreshAllRollups } from './rollups.ts'

export const rollupJobs: ModuleJob[] = [
  scheduledJob('rollups.refresh', '* * * * *', refreshAllRollups, 'upkeep'),
  scheduledJob('rollups.check', '40 9 * * *', checkRollups, 'upkeep'),
]
