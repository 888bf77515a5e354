import { api } from '#server/modules/api.ts'
import { saveProcessorKeys } from './processor-keys.ts'
import { checkProcessor, processorStates } from './processor-states.ts'
import { saveWalletKeys, walletStates } from './wallet-keys.ts'

export const processorStateRoutes = {
  list: api.processorStates.list.handler(({ context }) => processorStates(context.ctx)),
  saveKeys: api.processorStates.saveKeys.handler(async ({ context, input }) => {
    await saveProcessorKeys(context.ctx, input)
    return { processors: (await processorStates(context.ctx)).processors }
  }),
  check: api.processorStates.check.handler(({ context, input }) => checkProcessor(context.ctx, input)),
}

/** The wallets' keys; the passes themselves are of reservations. */
export const walletStateRoutes = {
  list: api.walletPasses.list.handler(({ context }) => walletStates(context.ctx)),
  saveKeys: api.walletPasses.saveKeys.handler(async ({ context, input }) => {
    await saveWalletKeys(context.ctx, input)
    return walletStates(context.ctx)
  }),
}
