import { api } from '#server/modules/api.ts'
import { auditEntries, exportAudit } from './audit.ts'
import { dismissFailedJob, failedJobs, retryFailedJob } from './failed-jobs.ts'
import { openUndos, undoAct } from './undos.ts'

export const failedJobRoutes = {
  list: api.failedJobs.list.handler(({ context, input }) => failedJobs(context.ctx, input)),
  retry: api.failedJobs.retry.handler(({ context, input }) => retryFailedJob(context.ctx, input)),
  close: api.failedJobs.close.handler(({ context, input }) => dismissFailedJob(context.ctx, input)),
}

export const auditLogRoutes = {
  list: api.auditLog.list.handler(({ context, input }) => auditEntries(context.ctx, input)),
}

export const auditExportRoutes = {
  audit: api.listExports.audit.handler(({ context, input }) => exportAudit(context.ctx, input)),
}

export const undoRoutes = {
  list: api.undos.list.handler(({ context }) => openUndos(context.ctx)),
  undo: api.undos.undo.handler(({ context, input }) => undoAct(context.ctx, input)),
}
