/** A process that sends a broadcast is killed in the middle, again and again: every recipient gets it once per channel (BR1). */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { secondProcess } from '#server/testing/second-process.ts'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'

const ROUNDS = 2
const CUSTOMERS = 200

let s: TestStudio
let owner: Person
beforeAll(async () => {
  s = await studio()
  owner = await s.make.staff('owner')
})
afterAll(() => s.close())

// Slow: four processes are started, and leases of killed ones expire.
test('a killed broadcast resumes in another process, without sending twice (BR1)', { timeout: 400_000 }, async () => {
  const customer_ids: number[] = []
  for (let n = 0; n < CUSTOMERS; n++) customer_ids.push((await s.make.customer()).customer_id)
  await s.sql(
    `insert into message_consent (customer_id, channel, allowed, "changedAt") select id, 'marketing', true, now() from unnest($1::int[]) id`,
    [customer_ids],
  )
  let cut = 0
  for (let round = 1; round <= ROUNDS; round++) {
    const doomed = await secondProcess(s, { work: true })
    const { broadcast } = await s
      .as(owner, randomUUID())
      .broadcasts.create({ audience: { customer_ids }, channels: ['mail', 'app'], subject: `Ronda ${round}`, text: 'Hola {{nombre}}' })
    const broadcast_id = broadcast?.broadcast_id ?? 0
    const read = async () => (await s.as(owner).broadcasts.one({ broadcast_id })).broadcast
    // After some mails have left, while people wait to be decided about or mails wait in the outbox.
    for (let now = await read(); now.sent < round * 30 && (now.state !== 'sent' || now.waiting > 0); now = await read()) await sleep(2)
    await doomed.kill()
    const atKill = await read()
    if (atKill.done < CUSTOMERS || atKill.waiting > 0) cut++
    const next = await secondProcess(s, { work: true })
    const until = performance.now() + 150_000
    for (let now = await read(); (now.state !== 'sent' || now.waiting > 0) && performance.now() < until; now = await read())
      await sleep(200)
    await next.close()
    expect(await read(), `round ${round}`).toMatchObject({
      state: 'sent',
      total: CUSTOMERS,
      done: CUSTOMERS,
      left_out: 0,
      sent: 2 * CUSTOMERS,
      failed: 0,
      waiting: 0,
    })
    const mails = await s.sql<{ n: number }>(
      'select count(*)::int as n from mail_outbox where subject = $1 group by "to" having count(*) <> 1',
      [`Ronda ${round}`],
    )
    expect(mails, `round ${round}`).toEqual([])
    const [all] = await s.sql<{ n: number }>('select count(*)::int as n from mail_outbox where subject = $1', [`Ronda ${round}`])
    expect(all?.n, `round ${round}`).toBe(CUSTOMERS)
  }
  // Without a broadcast that was cut the test would have proved nothing.
  expect(cut).toBeGreaterThan(0)
})
