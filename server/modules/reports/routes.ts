import { api } from '#server/modules/api.ts'
import { exportReport, listReports, readReport } from './reports.ts'

const on = api.reports

export const reportRoutes = {
  list: on.list.handler(({ context, input }) => listReports(context.ctx, input)),
  read: on.read.handler(({ context, input }) => readReport(context.ctx, input)),
  file: on.file.handler(({ context, input }) => exportReport(context.ctx, input)),
}
