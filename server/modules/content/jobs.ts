import type { Ctx } from '#server/modules/ctx.ts'
import type { JobHandler } from '#server/platform/jobs.ts'
import { FILE_SWEEP, sweepFiles } from './files.ts'

export function contentJobs(asSystem: (job: string) => Ctx): JobHandler[] {
  return [{ name: FILE_SWEEP, every: '37 * * * *', work: () => sweepFiles(asSystem(FILE_SWEEP)) }]
}
