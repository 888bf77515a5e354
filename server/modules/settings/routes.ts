import { api } from '#server/modules/api.ts'
import { checkProcessor, processorStates } from './processor-states.ts'

export const processorStateRoutes = {
  list: api.processorStates.list.handler(({ context }) => processorStates(context.ctx)),
  check: api.processorStates.check.handler(({ context, input }) => checkProcessor(context.ctx, input)),
}
