/** How a module writes down its jobs. Each gets a context of the system that bears the job's name; delivery is at least once. */
import type * as z from 'zod'
import type { JobHandler } from '#server/platform/jobs.ts'
import { Ctx, type Studio } from './ctx.ts'

export interface ModuleJob {
  name: string
  /** A cron line (UTC) for work that comes back by itself. */
  every?: string
  work(ctx: Ctx, data: unknown): Promise<unknown>
}

/** Work that somebody sends; what it carries is held against `shape`. */
export const on = <T>(name: string, shape: z.ZodType<T>, work: (ctx: Ctx, data: T) => Promise<unknown>): ModuleJob => ({
  name,
  work: (ctx, data) => work(ctx, shape.parse(data)),
})

/** Work that comes back by itself, at the times of a cron line (UTC). */
export const every = (name: string, line: string, work: (ctx: Ctx) => Promise<unknown>): ModuleJob => ({ name, every: line, work })

/** The jobs of the modules as the queue wants them. */
export const asHandlers = (studio: Studio, jobs: readonly ModuleJob[]): JobHandler[] =>
  jobs.map(({ work, ...job }) => ({
    ...job,
    async work(data) {
      await work(new Ctx(studio, { actor: { kind: 'system', job: job.name } }), data)
    },
  }))
