import { api } from '#server/modules/api.ts'
import { setTaskPush, taskPush } from './task-push.ts'
import { decideTask } from './tasks.ts'
import { chartsForStaff, tasksForStaff, todayForStaff, trendsForStaff } from './today.ts'

const on = api.today

export const todayRoutes = {
  read: on.read.handler(({ context, input }) => todayForStaff(context.ctx, input)),
  charts: on.charts.handler(({ context, input }) => chartsForStaff(context.ctx, input)),
  trends: on.trends.handler(({ context, input }) => trendsForStaff(context.ctx, input)),
  tasks: on.tasks.handler(({ context, input }) => tasksForStaff(context.ctx, input)),
  push: on.push.handler(({ context }) => taskPush(context.ctx)),
  setPush: on.setPush.handler(({ context, input }) => setTaskPush(context.ctx, input)),
  decide: on.decide.handler(({ context, input }) => decideTask(context.ctx, input)),
}
