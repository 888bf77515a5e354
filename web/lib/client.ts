/** The type of the API client: the same in the browser, on the server and in tests. */
import type { ContractRouterClient } from '@orpc/contract'
import type { Contract } from '#contract/index.ts'

/** Context of a call, besides its input. */
export interface CallContext {
  /** The idempotency key, sent as `Idempotency-Key`: repeating the call with the same key takes effect once. */
  intention?: string
}

export type Client = ContractRouterClient<Contract, CallContext>
