/** How a module writes down its jobs. Each gets a context of the system that bears the job's name; delivery is at least once. */
import type * as z from 'zod'
import type { JobHandler, JobRun } from '#server/platform/jobs.ts'
import { Ctx, type Studio } from './ctx.ts'

export interface ModuleJob {
  name: string
  /** A cron line (UTC) for work that comes back by itself. */
  every?: string
  /** Name of its queue (server/adapters/queues.ts), or how to read it from the job's data; the studio's own when absent. */
  queue?: JobHandler['queue']
  work(ctx: Ctx, data: unknown, run: JobRun): Promise<unknown>
}

/** Work that somebody sends; what it carries is held against `shape`. */
export const on = <T>(
  name: string,
  shape: z.ZodType<T>,
  work: (ctx: Ctx, data: T, run: JobRun) => Promise<unknown>,
  queue?: ModuleJob['queue'],
): ModuleJob => ({
  name,
  ...(queue === undefined ? {} : { queue }),
  work: (ctx, data, run) => work(ctx, shape.parse(data), run),
})

/** Work that comes back by itself, at the times of a cron line (UTC). */
export const every = (name: string, line: string, work: (ctx: Ctx) => Promise<unknown>, queue?: string): ModuleJob => ({
  name,
  every: line,
  ...(queue === undefined ? {} : { queue }),
  work,
})

/** The jobs of the modules as the queue wants them. */
export const asHandlers = (studio: Studio, jobs: readonly ModuleJob[]): JobHandler[] =>
  jobs.map(({ work, ...job }) => ({
    ...job,
    async work(data, run) {
      await work(new Ctx(studio, { actor: { kind: 'system', job: job.name } }), data, run)
    },
  }))
