/**
 * A process that publishes changes of the timetable, and sends their messages, is killed in the middle, again and again: every change has
 * one effect, and every customer with a reservation is notified exactly once (L4, M5).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ClassChange } from '#contract/studio-schedule.ts'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { secondProcess } from '#server/testing/second-process.ts'
import { type Client, type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'

const ROUNDS = 8
const CLASSES = 10

let s: TestStudio
let manager: Person
beforeAll(async () => {
  s = await studio()
  manager = await s.make.staff('manager')
})
afterAll(() => s.close())

interface SentMessages {
  event: string
  single_class_id: number
  n: number
}

// Slow: eight processes are started and killed.
test('a publish that is killed half way notifies every customer exactly once', { timeout: 300_000 }, async () => {
  const people: Person[] = []
  for (let n = 0; n < CLASSES; n++) {
    const customer = await s.make.customer()
    await s.make.lot(customer, { granted: 100 })
    people.push(customer)
  }
  const { class_type_id } = await s.make.classType()
  const { location_id } = await s.make.location()
  let cut = 0
  let whole = 0
  let partlyNotified = 0
  let next = secondProcess(s, { work: true })
  for (let round = 0; round < ROUNDS; round++) {
    const doomed = await next
    // One class per person, of a coach of its own: no two of them meet.
    const ids: number[] = []
    for (const [n, person] of people.entries()) {
      const starts_at = new Date(Date.parse('2026-11-25T14:00:00Z') + round * 86_400_000 + n * 3_600_000)
      const { single_class_id } = await s.make.class({ class_type_id, location_id, starts_at })
      await s.as(person).bookings.reserve({ single_class_id })
      ids.push(single_class_id)
    }
    await doJobs(s)
    const changes: ClassChange[] = ids.map((single_class_id, n) =>
      n % 2 === 0
        ? { op: 'cancel', scope: 'one', single_class_id, reason: 'Fuga de agua' }
        : {
            op: 'update',
            scope: 'one',
            single_class_id,
            fields: { description: 'Otra hora', duration_minutes: 40, class_date: later(round, n) },
          },
    )
    const publish = (client: Client) => client.studioSchedule.change({ changes, as: 'publish' })
    const key = `publish-${round}`
    let answer: Awaited<ReturnType<typeof publish>> | null = null
    const running = publish(doomed.as(manager, key)).then(
      (published) => {
        answer = published
      },
      () => undefined,
    )
    const countNotified = async () =>
      (
        await s.sql(
          `select 1 from message where event in ('class_cancelled', 'class_changed') and split_part(about, ':', 2)::int = any($1)`,
          [ids],
        )
      ).length
    // In the middle of the transaction, or of its messages.
    if (round % 2 === 0) await sleep(round * 12)
    else {
      await running
      const until = performance.now() + 4_000
      while ((await countNotified()) < round && performance.now() < until) await sleep(1)
    }
    await doomed.kill()
    await running
    if (answer) whole++
    else cut++
    const before = await countNotified()
    if (before > 0 && before < ids.length) partlyNotified++
    // The next one starts while the same request is repeated here.
    next = secondProcess(s, { work: true })
    const { result } = await publish(s.as(manager, key))
    expect(result).toMatchObject({ cancelled: CLASSES / 2, changed: CLASSES / 2, told: CLASSES })
    await doJobs(s)
    const rows = await s.sql<SentMessages>(
      `select event, split_part(about, ':', 2)::int as single_class_id, count(distinct about)::int as n from message
       where event in ('class_cancelled', 'class_changed') and customer_id is not null and channel = 'app'
         and split_part(about, ':', 2)::int = any($1) group by 1, 2 order by 2`,
      [ids],
    )
    expect(rows, `round ${round}`).toEqual(
      ids.map((single_class_id, n) => ({ event: n % 2 === 0 ? 'class_cancelled' : 'class_changed', single_class_id, n: 1 })),
    )
    expect(await findBrokenInvariants(s), `round ${round}`).toEqual({})
  }
  await (await next).close()
  // Without requests of both kinds the test would have proved nothing.
  expect([cut > 0, whole > 0, partlyNotified > 0]).toEqual([true, true, true])
})

/** Twenty minutes later on the clock of the class. */
const later = (round: number, n: number) => new Date(Date.parse('2026-11-25T08:20:00Z') + round * 86_400_000 + n * 3_600_000).toISOString()
