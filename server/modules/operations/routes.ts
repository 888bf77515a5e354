import { api } from '#server/modules/api.ts'
import { dismissFailedJob, failedJobs, retryFailedJob } from './failed-jobs.ts'

export const failedJobRoutes = {
  list: api.failedJobs.list.handler(({ context, input }) => failedJobs(context.ctx, input)),
  retry: api.failedJobs.retry.handler(({ context, input }) => retryFailedJob(context.ctx, input)),
  close: api.failedJobs.close.handler(({ context, input }) => dismissFailedJob(context.ctx, input)),
}
