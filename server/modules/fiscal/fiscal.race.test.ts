/**
 * Invoices, cancellations, refunds and the job of global invoices at two processes at once: what stays invoiced is what the studio keeps
 * (docs/domain.md FA2, FA10, FA11).
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { invoicing, KARLA, type Sold } from '#server/testing/invoicing.ts'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { type SecondProcess, secondProcess } from '#server/testing/second-process.ts'
import type { Client, Person } from '#server/testing/studio.ts'
import { issueCreditNotes } from './credit-notes.ts'
import { issueGlobals } from './global-invoices.ts'
import { recoverDocuments } from './recovering.ts'

const { s, ana, cash, reset, paid, issue, liveLines } = await invoicing()
let other: SecondProcess
let owner: Person
beforeAll(async () => {
  await reset()
  owner = await s.make.staff('owner')
  // The certificate of the sandbox is of the day on which it is first used.
  await issue([(await paid(ana)).invoice_id])
  other = await secondProcess(s)
})
beforeEach(reset)
afterAll(async () => {
  await other?.close()
  await s.close()
})

const at = (on: { as(person: Person, key?: string): Client }, person = owner) => on.as(person, randomUUID())
const refund = (on: Client, sold: Sold, amount: string) =>
  on.studioSales.refund({ ...sold, amount, by_hand: true, reason: 'Prueba', payment_method_id: cash })

/** What the documents that stand say of a charge: invoiced less credited; and what the studio keeps of it; in centavos. */
async function sumsOf({ invoice_id }: Sold) {
  const [row] = await s.sql<{ left: number; kept: number; orphans: number }>(
    `select coalesce(sum(case when d.kind = 'credit' then -1 else 1 end * (f.base_centavos + f.tax_centavos)), 0)::int as left,
      (select total_centavos - refunded_centavos from invoice where invoice_id = $1) as kept,
      (count(*) filter (where d.kind = 'credit' and o.state = 'cancelled'))::int as orphans
     from fiscal_line f join fiscal_document d using (fiscal_document_id) left join fiscal_document o on o.fiscal_document_id = d.related_id
     where f.invoice_id = $1 and d.state not in ('refused', 'cancelled')`,
    [invoice_id],
  )
  if (!row) throw new Error('The charge has no figures.')
  const lines = await liveLines(invoice_id)
  return { left: row.left, orphans: row.orphans, lines, due: { left: lines === 0 ? 0 : row.kept, orphans: 0, lines: Math.min(lines, 1) } }
}
/** The jobs of credit notes, twice at once, and of documents without an answer. */
async function runJobs() {
  s.clock.advance({ minutes: 5 })
  await Promise.all([issueCreditNotes(s.system()), issueCreditNotes(s.system())])
  await recoverDocuments(s.system())
}

test('charges that staff at both processes, their customer and the job invoice while parts are refunded are in one live document each, less what went back', async () => {
  await s.change({ global_invoice: 'day', self_invoice_until: 'year' })
  const sales = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const customer = await s.make.customer()
      return { customer, sold: await paid(customer) }
    }),
  )
  // Their day is due.
  s.clock.advance({ hours: 45 })
  const late = await secondProcess(s)
  for (const { customer, sold } of sales) {
    const input = { invoice_ids: [sold.invoice_id], receiver: KARLA }
    await Promise.allSettled([
      at(s).fiscal.issue(input),
      refund(at(late), sold, '500.00'),
      at(late).fiscal.issue(input),
      late.as(customer, randomUUID()).fiscal.issueMine({ invoice_id: sold.invoice_id, receiver: KARLA }),
      issueGlobals(s.system()),
      refund(at(s), sold, '100.00'),
    ])
  }
  await late.close()
  await runJobs()
  for (const { sold } of sales) {
    const { due, ...sums } = await sumsOf(sold)
    expect({ ...sold, ...sums }).toEqual({ ...sold, ...due })
  }
  expect(await wrongMoney(s, false)).toEqual({})
})

test('an invoice that is cancelled, invoiced again and partly refunded at both processes at once: no credit note of a cancelled one, and never more than is kept', async () => {
  const sales = await Promise.all(Array.from({ length: 5 }, async () => paid(await s.make.customer(), 90_000)))
  for (const sold of sales) {
    // Up to $1,000 it is cancelled at once.
    const input = { invoice_ids: [sold.invoice_id], receiver: KARLA }
    const { fiscal_document } = await at(s).fiscal.issue(input)
    const { fiscal_document_id } = fiscal_document
    const cancel = (on: Client) => on.fiscal.cancel({ fiscal_document_id, motive: '02' })
    await Promise.allSettled([
      cancel(at(s)),
      refund(at(other), sold, '300.00'),
      cancel(at(other)),
      at(other).fiscal.issue(input),
      at(s).fiscal.issue(input),
    ])
  }
  await runJobs()
  for (const sold of sales) {
    const { due, ...sums } = await sumsOf(sold)
    expect({ ...sold, ...sums }).toEqual({ ...sold, ...due })
  }
})

test('many charges at both processes at once have a folio and a stamp each, and the PAC stamped nothing else', async () => {
  const sold = await Promise.all(Array.from({ length: 12 }, async () => paid(await s.make.customer())))
  const done = await Promise.all(
    sold.map(({ invoice_id }, n) => at(n % 2 ? s : other).fiscal.issue({ invoice_ids: [invoice_id], receiver: KARLA })),
  )
  expect(done.map(({ fiscal_document }) => fiscal_document.state)).toEqual(sold.map(() => 'valid'))
  expect(new Set(done.map(({ fiscal_document }) => fiscal_document.folio)).size).toBe(sold.length)
  expect(
    await s.sql('select * from pac_sandbox_stamp p full join fiscal_document d using (key) where p.uuid is distinct from d.uuid'),
  ).toEqual([])
})
