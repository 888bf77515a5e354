/**
 * The program with its own database, killed under load: the program, the database, or both. Acknowledged changes persist; a request without
 * an answer has one effect when it is repeated with its key; no reservation, credit or payment is lost.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ORPCError } from '@orpc/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eraseEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { type Program, program } from '#server/testing/program.ts'
import { type Client, type Person, studio, type TestStudio } from '#server/testing/studio.ts'

const PEOPLE = 12
const HOUR = 3_600_000
const KILLS = ['program', 'program', 'database', 'program', 'both', 'program', 'database', 'program', 'both', 'program'] as const

let dataDir: string
let running: Program
/** A second studio on the same database: creates and reads rows. */
let s: TestStudio
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), `estudio-test-${process.pid}-crash-`))
  // As root the database runs as another user, who must be able to enter.
  chmodSync(dataDir, 0o755)
  running = await program(dataDir)
  s = await studio({ database: running.database, at: new Date() })
}, 60_000)
afterAll(async () => {
  await s?.close()
  await running?.close()
  await eraseEmbeddedPostgres({ dataDir, binDir: process.env.TEST_PG_BIN || undefined })
  rmSync(dataDir, { recursive: true, force: true })
}, 60_000)

interface Attempt {
  person: Person
  key: string
  send(client: Client): Promise<object>
  /** What came back; null when nothing did, or "not now", which promises nothing either. */
  answer: object | null
}

const bookedIn = (single_class_id: number) => async (client: Client) => {
  const { class_reservation } = await client.bookings.reserve({ single_class_id })
  return { class_reservation_id: class_reservation.class_reservation_id }
}
const gaveUp = (class_reservation_id: number) => async (client: Client) => {
  const { class_reservation, credit } = await client.bookings.cancel({ class_reservation_id })
  return { class_reservation_id, credit, at: class_reservation.deletedAt }
}
const bought = (class_package_id: number) => async (client: Client) => {
  const { purchase_id, status } = await client.sales.attempt({ class_package_id, payment_method: 'tok_ok', again: true })
  return { purchase_id, status }
}

/** Asks until there is an answer that means something: the database may just be coming back, or the first try still be in flight. */
async function answered(attempt: Attempt): Promise<object> {
  const until = performance.now() + 60_000
  for (;;) {
    try {
      return await attempt.send(running.as(attempt.person, attempt.key))
    } catch (error) {
      const passing = !(error instanceof ORPCError) || ['BUSY', 'PAYMENT_IN_PROGRESS', 'PAYMENT_TRY_LATER'].includes(error.code)
      if (!passing || performance.now() > until) throw error
      await sleep(100)
    }
  }
}

/** Money and credits of purchases: one charge, one grant, one unit of stock each. */
const SALES = {
  'charged once each': `select p.purchase_id, p.status, count(l.*) from purchase p left join sandbox_ledger l on l.purchase_id = p.purchase_id and l.kind = 'charge'
    group by p.purchase_id having count(l.*) <> case when p.status = 'completed' then 1 else 0 end`,
  'granted once each': `select p.purchase_id, p.status, count(a.*) from purchase p left join available_class a using (purchase_id)
    group by p.purchase_id having count(a.*) <> case when p.status = 'completed' then 1 else 0 end`,
  'stock counts the live purchases': `select k.class_package_id, k.sold, count(p.*) from class_package k left join purchase p on p.class_package_id = k.class_package_id and p.status = 'completed'
    group by k.class_package_id having k.sold <> count(p.*)`,
}

// Slow: ten processes are started and killed.
test('no acknowledged change is lost when the program and its database are killed ten times under load', { timeout: 300_000 }, async () => {
  const customers: Person[] = []
  for (let n = 0; n < PEOPLE; n++) {
    const customer = await s.make.customer()
    await s.make.lot(customer, { granted: 100 })
    customers.push(customer)
  }
  const classPackage = await s.make.package({ class_amount: 3 })
  const held = new Map<Person, number>()
  let [cut, whole] = [0, 0]

  for (const [round, victim] of KILLS.entries()) {
    const cls = await s.make.class({ capacity: PEOPLE, starts_at: new Date(s.clock.now().getTime() + (48 + round) * HOUR) })
    const attempts = customers.flatMap((person, n): Attempt[] => {
      const mine = held.get(person)
      const attempt = (what: string, input: Attempt['send']): Attempt => ({
        person,
        key: `${what}-${round}-${n}`,
        send: input,
        answer: null,
      })
      return [
        attempt('reserve', bookedIn(cls.single_class_id)),
        ...(n % 2 ? [attempt('buy', bought(classPackage.class_package_id))] : []),
        ...(mine && n % 3 === 0 ? [attempt('cancel', gaveUp(mine))] : []),
      ]
    })
    // Killed when some were answered and most were not, however quick the machine is.
    const enough = Promise.withResolvers<void>()
    let answers = 0
    const load = Promise.all(
      attempts.map(async (each) => {
        each.answer = await each.send(running.as(each.person, each.key)).catch((error: unknown) => {
          if (error instanceof ORPCError)
            expect(['BUSY', 'PAYMENT_IN_PROGRESS', 'PAYMENT_TRY_LATER'], `${each.key}: ${error.code}`).toContain(error.code)
          return null
        })
        if (++answers > 2 + (round % 6)) enough.resolve()
      }),
    )
    await enough.promise
    if (victim !== 'program') running.killDatabase()
    if (victim !== 'database') await running.kill()
    await load
    if (victim === 'database')
      await answered({ person: customers[0] as Person, key: 'x', send: (client) => client.credits.list(), answer: null })
    else running = await program(dataDir)

    await Promise.all(
      attempts.map(async (each) => {
        const again = await answered(each)
        // An answered request gets the same answer; an unanswered one has one effect, however often it is repeated.
        if (each.answer) expect(again, each.key).toEqual(each.answer)
        expect(await answered(each), each.key).toEqual(again)
        if ('status' in again) expect(again).toMatchObject({ status: 'completed' })
        if (each.key.startsWith('cancel')) held.delete(each.person)
        if (each.answer) whole++
        else cut++
      }),
    )
    for (const each of attempts)
      if (each.key.startsWith('reserve') && !held.has(each.person)) {
        const { class_reservation_id } = (await answered(each)) as { class_reservation_id: number }
        held.set(each.person, class_reservation_id)
      }
    expect(await findBrokenInvariants(s), `after round ${round}`).toEqual({})
    for (const [what, text] of Object.entries(SALES)) expect({ round, what, rows: await s.sql(text) }).toEqual({ round, what, rows: [] })
  }

  // Without requests of both kinds the test would have proved nothing.
  expect({ cut: cut > KILLS.length, whole: whole > KILLS.length }).toEqual({ cut: true, whole: true })
  const purchases = await s.sql<{ n: number }>('select count(*)::int as n from purchase')
  expect(purchases[0]?.n).toBe((PEOPLE / 2) * KILLS.length)
})
