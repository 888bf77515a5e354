/** The type of the API's client: the same in the browser, on the server and in tests. */
import type { ContractRouterClient } from '@orpc/contract'
import type { Contract } from '#contract/index.ts'

/** What a call may carry beside its input. */
export interface CallContext {
  /** Key of an intention: repeating the call with it has one effect (`Idempotency-Key`). */
  intention?: string
}

export type Client = ContractRouterClient<Contract, CallContext>
