/** Dry runs: the whole work in a transaction that is rolled back, with its answer. */
import type { Ctx } from '#server/modules/ctx.ts'
import type { Tx } from '#server/platform/db.ts'

class DryRunEnded<T> extends Error {
  readonly answer: T
  constructor(answer: T) {
    super('A dry run ended.')
    this.answer = answer
  }
}

/** What the work would answer; nothing is written, and no job or event is sent. Refusals are thrown as by the work itself. */
export async function dryRun<T>(ctx: Ctx, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await ctx.tx(async (tx): Promise<T> => {
      throw new DryRunEnded(await work(tx))
    })
  } catch (error) {
    if (error instanceof DryRunEnded) return error.answer as T
    throw error
  }
}
