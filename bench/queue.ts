/** The work that requests leave behind: measured on its own, and over before the next measure begins. */

/** Runs a query on the measured database. */
export type Sql = <R extends object>(text: string, values?: unknown[]) => Promise<R[]>

export interface Drained {
  /** Jobs and notices that were still to be done. */
  left: number
  seconds: number
}

const PATIENCE_SECONDS = 240

/** What is due: jobs of the queue, those that run included, and notices of the built-in processor, which become jobs. */
const DUE = `
  select ((select count(*) from jobs.job where state < 'completed' and start_after <= now())
    + (select count(*) from sandbox_event where "deliveredAt" is null))::int as left`

/** Waits until the program has nothing left to do, so that no measure carries the work of the one before. */
export async function drain(sql: Sql): Promise<Drained> {
  const began = performance.now()
  const count = async () => (await sql<{ left: number }>(DUE))[0]?.left ?? 0
  const left = await count()
  for (let now = left; now > 0; now = await count()) {
    if (performance.now() - began > PATIENCE_SECONDS * 1000) throw new Error(`${now} jobs are still not done after ${PATIENCE_SECONDS} s.`)
    await new Promise((resume) => setTimeout(resume, 250))
  }
  return { left, seconds: (performance.now() - began) / 1000 }
}
