/** Jobs of imports and exports. Every job may run twice. */
import * as z from 'zod'
import { type ModuleJob, scheduledJob, sentJob } from '#server/modules/module-job.ts'
import { RUN_JOB, sweepImports } from './imports.ts'
import { workOnImport } from './run.ts'
import { EXPORT_JOB, exportWeekly, makeExport, sweepExports } from './studio-export.ts'

export const importJobs: ModuleJob[] = [
  sentJob(RUN_JOB, z.object({ import_id: z.int() }), workOnImport, 'imports'),
  sentJob(EXPORT_JOB, z.object({ studio_export_id: z.int() }), makeExport, 'exports'),
  // Sunday at 03:30 in Mexico City.
  scheduledJob('exports.weekly', '30 9 * * 0', exportWeekly, 'upkeep'),
  scheduledJob('exports.sweep', '50 * * * *', sweepExports, 'upkeep'),
  scheduledJob('imports.sweep', '40 3 * * *', sweepImports, 'upkeep'),
]
