/** Measures the background work that requests cause, and waits for its end before the next measurement. */

/** Runs a query on the measured database. */
export type Sql = <R extends object>(text: string, values?: unknown[]) => Promise<R[]>

export interface Drained {
  /** Jobs and webhook events not processed yet. */
  left: number
  seconds: number
}

const TIMEOUT_SECONDS = 240

/** Due work: jobs of the queue, including running ones, and webhook events of the sandbox, which become jobs. */
const DUE = `
  select ((select count(*) from jobs.job where state < 'completed' and start_after <= now())
    + (select count(*) from sandbox_event where "deliveredAt" is null))::int as left`

/** Waits until the program has no work left, so that no measurement includes the work of the previous one. */
export async function drain(sql: Sql): Promise<Drained> {
  const began = performance.now()
  const count = async () => (await sql<{ left: number }>(DUE))[0]?.left ?? 0
  const left = await count()
  for (let now = left; now > 0; now = await count()) {
    if (performance.now() - began > TIMEOUT_SECONDS * 1000) throw new Error(`${now} jobs are still not done after ${TIMEOUT_SECONDS} s.`)
    await new Promise((resume) => setTimeout(resume, 250))
  }
  return { left, seconds: (performance.now() - began) / 1000 }
}
