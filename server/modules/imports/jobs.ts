/** Jobs of imports. Every job may run twice. */
import * as z from 'zod'
import { every, type ModuleJob, on } from '#server/modules/module-job.ts'
import { RUN_JOB, sweepImports } from './imports.ts'
import { workOnImport } from './run.ts'

export const importJobs: ModuleJob[] = [
  on(RUN_JOB, z.object({ import_id: z.int() }), workOnImport, 'imports'),
  every('imports.sweep', '40 3 * * *', sweepImports, 'upkeep'),
]
