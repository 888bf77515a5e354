import { api } from '#server/modules/api.ts'
import { readBulkJob, startBulk, undoBulkJob } from './bulk.ts'

export const bulkRoutes = {
  start: api.bulk.start.handler(({ context, input }) => startBulk(context.ctx, input)),
  job: api.bulk.job.handler(({ context, input }) => readBulkJob(context.ctx, input)),
  undo: api.bulk.undo.handler(({ context, input }) => undoBulkJob(context.ctx, input)),
}
