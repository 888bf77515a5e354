import { api } from '#server/modules/api.ts'
import { saveProcessorKeys } from './processor-keys.ts'
import { checkProcessor, processorStates } from './processor-states.ts'

export const processorStateRoutes = {
  list: api.processorStates.list.handler(({ context }) => processorStates(context.ctx)),
  saveKeys: api.processorStates.saveKeys.handler(async ({ context, input }) => {
    await saveProcessorKeys(context.ctx, input)
    return { processors: (await processorStates(context.ctx)).processors }
  }),
  check: api.processorStates.check.handler(({ context, input }) => checkProcessor(context.ctx, input)),
}
