/** How modules declare jobs. Each run gets a system context with the job's name; delivery is at least once. */
import type * as z from 'zod'
import type { JobHandler, JobRun, TakenJob } from '#server/platform/job-types.ts'
import { Ctx, type Studio } from './ctx.ts'

export interface ModuleJob {
  name: string
  /** Cron expression (UTC) of a scheduled job. */
  every?: string
  /** Name of its queue (server/adapters/queues.ts), or a function of the job's data; default: the studio's own queue. */
  queue?: JobHandler['queue']
  work(ctx: Ctx, data: unknown, run: JobRun): Promise<unknown>
  /** Does several at once (`JobHandler.workMany`). */
  workMany?(ctx: Ctx, jobs: readonly TakenJob[]): Promise<unknown>
}

/** A job that other code sends; its data is validated by `shape`. */
export const sentJob = <T>(
  name: string,
  shape: z.ZodType<T>,
  work: (ctx: Ctx, data: T, run: JobRun) => Promise<unknown>,
  queue?: ModuleJob['queue'],
): ModuleJob => ({
  name,
  ...(queue === undefined ? {} : { queue }),
  work: (ctx, data, run) => work(ctx, shape.parse(data), run),
})

/** The same for a job of which many wait at once: `work` gets all that a worker took, or one. */
export const onMany = <T>(
  name: string,
  shape: z.ZodType<T>,
  work: (ctx: Ctx, jobs: readonly TakenJob<T>[]) => Promise<unknown>,
  queue?: ModuleJob['queue'],
): ModuleJob => ({
  ...sentJob(name, shape, (ctx, data, run) => work(ctx, [{ data, run }]), queue),
  workMany: (ctx, jobs) =>
    work(
      ctx,
      jobs.map(({ data, run }) => ({ data: shape.parse(data), run })),
    ),
})

/** A scheduled job, by a cron expression (UTC). */
export const scheduledJob = (name: string, line: string, work: (ctx: Ctx) => Promise<unknown>, queue?: string): ModuleJob => ({
  name,
  every: line,
  ...(queue === undefined ? {} : { queue }),
  work,
})

/** The modules' jobs as handlers of the queue. */
export const asHandlers = (studio: Studio, jobs: readonly ModuleJob[]): JobHandler[] =>
  jobs.map(({ work, workMany, ...job }) => {
    const context = () => new Ctx(studio, { actor: { kind: 'system', job: job.name } })
    return {
      ...job,
      async work(data, run) {
        await work(context(), data, run)
      },
      ...(workMany && {
        async workMany(jobs) {
          await workMany(context(), jobs)
        },
      }),
    } satisfies JobHandler
  })
