/** A process that works on a change to many customers is killed in the middle, again and again: every customer is changed once (LA6). */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { secondProcess } from '#server/testing/second-process.ts'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'

const ROUNDS = 2
const CUSTOMERS = 150

let s: TestStudio
let desk: Person
beforeAll(async () => {
  s = await studio()
  desk = await s.make.staff('reception')
})
afterAll(() => s.close())

// Slow: four processes are started, and leases of killed ones expire.
test('a killed job resumes in another process, without granting credits twice (LA6)', { timeout: 400_000 }, async () => {
  const ids: number[] = []
  for (let n = 0; n < CUSTOMERS; n++) ids.push((await s.make.customer()).customer_id)
  let cut = 0
  for (let round = 1; round <= ROUNDS; round++) {
    const doomed = await secondProcess(s, { work: true })
    const params = { amount: 1, expiration_date: '2026-12-31' }
    const started = await s.as(desk, randomUUID()).bulk.start({ action: 'credits.give', ids, params, reason: 'Por la obra' })
    const job_id = started.job_id ?? 0
    const read = () => s.as(desk).bulk.job({ job_id })
    const wanted = round * 20
    for (let job = await read(); job.done < wanted && job.state !== 'done'; job = await read()) await sleep(2)
    await doomed.kill()
    if ((await read()).state === 'running') cut++
    const next = await secondProcess(s, { work: true })
    const until = performance.now() + 120_000
    while ((await read()).state !== 'done' && performance.now() < until) await sleep(100)
    await next.close()
    expect(await read(), `round ${round}`).toMatchObject({ state: 'done', done: CUSTOMERS, changed: CUSTOMERS, refused_total: 0 })
    const wrong = await s.sql(
      'select customer_id from available_class where customer_id = any($1) group by customer_id having count(*) <> $2 or sum(balance) <> $2',
      [ids, round],
    )
    expect(wrong, `round ${round}`).toEqual([])
    expect(await findBrokenInvariants(s), `round ${round}`).toEqual({})
  }
  // Without a job that was cut the test would have proved nothing.
  expect(cut).toBeGreaterThan(0)
})
