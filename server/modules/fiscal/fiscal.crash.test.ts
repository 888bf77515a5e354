/**
 * A process that is killed while it issues and cancels invoices: each charge is in one live document with one stamp (docs/domain.md
 * FA2, FA8).
 */
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { invoicing, KARLA } from '#server/testing/invoicing.ts'
import { secondProcess } from '#server/testing/second-process.ts'
import type { Client, Person } from '#server/testing/studio.ts'
import { recoverDocuments } from './recovering.ts'

const { s, reset, paid, liveLines } = await invoicing()
let owner: Person
beforeAll(async () => {
  await reset()
  owner = await s.make.staff('owner')
})
afterAll(() => s.close())

const PASSING = ['BUSY', 'INTERNAL']

/** Sends a request of a killed process again, until it is answered or what it wanted was done before. */
async function repeat(key: string, send: (on: Client) => Promise<unknown>, done: readonly string[]): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const code = await send(s.as(owner, key)).then(
      () => null,
      (error: { code?: string }) => error.code ?? 'failed',
    )
    if (code === null || done.includes(code)) return
    if (!PASSING.includes(code)) throw new Error(`${key}: ${code}`)
    await setTimeout(100)
  }
  throw new Error(`${key} was never answered.`)
}

test.each([10, 40, 120, 400])('killed after %i ms', { timeout: 120_000 }, async (after) => {
  const cancelled = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const { invoice_id } = await paid(await s.make.customer(), 90_000)
      const { fiscal_document } = await s.as(owner).fiscal.issue({ invoice_ids: [invoice_id], receiver: KARLA })
      return { invoice_id, fiscal_document_id: fiscal_document.fiscal_document_id }
    }),
  )
  const sold = await Promise.all(Array.from({ length: 6 }, async () => paid(await s.make.customer())))
  const attempts = [
    ...sold.map(({ invoice_id }) => ({
      key: randomUUID(),
      send: (on: Client) => on.fiscal.issue({ invoice_ids: [invoice_id], receiver: KARLA }),
      done: ['CHARGE_INVOICED'],
    })),
    ...cancelled.map(({ fiscal_document_id }) => ({
      key: randomUUID(),
      send: (on: Client) => on.fiscal.cancel({ fiscal_document_id, motive: '02' as const }),
      done: ['INVOICE_NOT_CANCELLABLE'],
    })),
  ]
  const doomed = await secondProcess(s)
  const running = Promise.allSettled(attempts.map(({ key, send }) => send(doomed.as(owner, key))))
  await setTimeout(after)
  await doomed.kill()
  await running
  for (const { key, send, done } of attempts) await repeat(key, send, done)
  for (let round = 0; round < 10; round++) {
    s.clock.advance({ minutes: 5 })
    await recoverDocuments(s.system())
    if ((await s.sql(`select from fiscal_document where state in ('stamping', 'cancelling')`)).length === 0) break
    await setTimeout(100)
  }
  for (const { invoice_id } of sold) expect([invoice_id, await liveLines(invoice_id)]).toEqual([invoice_id, 1])
  for (const { invoice_id } of cancelled) expect([invoice_id, await liveLines(invoice_id)]).toEqual([invoice_id, 0])
  expect(await s.sql(`select fiscal_document_id, state from fiscal_document where state not in ('valid', 'cancelled')`)).toEqual([])
  // One stamp of the PAC for each document, and none that the studio does not know.
  expect(
    await s.sql('select * from pac_sandbox_stamp p full join fiscal_document d using (key) where p.uuid is distinct from d.uuid'),
  ).toEqual([])
})
