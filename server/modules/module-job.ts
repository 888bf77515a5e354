/** How modules declare jobs. Each run gets a system context with the job's name; delivery is at least once. */
import type * as z from 'zod'
import type { JobHandler, JobRun } from '#server/platform/jobs.ts'
import { Ctx, type Studio } from './ctx.ts'

export interface ModuleJob {
  name: string
  /** Cron expression (UTC) of a scheduled job. */
  every?: string
  /** Name of its queue (server/adapters/queues.ts), or a function of the job's data; default: the studio's own queue. */
  queue?: JobHandler['queue']
  work(ctx: Ctx, data: unknown, run: JobRun): Promise<unknown>
}

/** A job that other code sends; its data is validated by `shape`. */
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

/** A scheduled job, by a cron expression (UTC). */
export const every = (name: string, line: string, work: (ctx: Ctx) => Promise<unknown>, queue?: string): ModuleJob => ({
  name,
  every: line,
  ...(queue === undefined ? {} : { queue }),
  work,
})

/** The modules' jobs as handlers of the queue. */
export const asHandlers = (studio: Studio, jobs: readonly ModuleJob[]): JobHandler[] =>
  jobs.map(({ work, ...job }) => ({
    ...job,
    async work(data, run) {
      await work(new Ctx(studio, { actor: { kind: 'system', job: job.name } }), data, run)
    },
  }))
