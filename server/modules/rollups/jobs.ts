/** Jobs of the rollups. Every job may run twice. */
import { every, type ModuleJob } from '#server/modules/module-job.ts'
import { checkRollups, refreshAllRollups } from './rollups.ts'

export const rollupJobs: ModuleJob[] = [
  every('rollups.refresh', '* * * * *', refreshAllRollups, 'upkeep'),
  every('rollups.check', '40 9 * * *', checkRollups, 'upkeep'),
]
