/** A charge that is invoiced after it was in a global invoice: it leaves that one, once (docs/domain.md, FA9). */
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import type { FiscalDocument } from '#contract/fiscal.ts'
import { invoicing, KARLA } from '#server/testing/invoicing.ts'
import { codeOf } from '#server/testing/studio.ts'
import { issueCreditNotes } from './credit-notes.ts'
import { issueGlobals } from './global-invoices.ts'
import { recoverDocuments } from './recovering.ts'

const { s, boss, ana, pac, reset, paid, refund, issue, cancel, xmlOf, byFolio, notesOf, globalsOf, liveLines } = await invoicing()
afterAll(() => s.close())
beforeEach(reset)

/** A sale of a day in April 2027, in the global invoice of that day, which was written the evening after. */
async function inGlobal(day: string, price = 145_000) {
  s.clock.set(`2027-04-${day}T12:00:00-06:00`)
  await s.change({ global_invoice: 'day' })
  const sold = await paid(ana, price)
  const other = await paid(ana, 30_000)
  s.clock.advance({ days: 1 })
  s.clock.advance({ hours: 9 })
  await issueGlobals(s.system())
  const [document] = await globalsOf(sold.purchase_id)
  if (!document) throw new Error('no global invoice')
  return { sold, other, global: document }
}

test('an invoice after the global one is issued with a credit note that takes its charge out of the global one', async () => {
  const { sold, other, global } = await inGlobal('05')
  const document = await issue([sold.invoice_id])
  expect(document).toMatchObject({ state: 'valid', total: '1450.00' })
  const [note, ...more] = await notesOf(sold.purchase_id)
  expect(more).toEqual([])
  expect(note).toMatchObject({ state: 'valid', total: '1450.00', tax: '200.00', receiver: { rfc: 'XAXX010101000', use: 'G02' } })
  const xml = await xmlOf(note as FiscalDocument)
  expect(xml).toContain(`TipoRelacion="01"><cfdi:CfdiRelacionado UUID="${global.uuid}"/>`)
  expect(xml).toContain(`NoIdentificacion="00${sold.purchase_id}-${sold.invoice_id}"`)
  await issueCreditNotes(s.system())
  expect(await notesOf(sold.purchase_id)).toHaveLength(1)
  expect(await codeOf(issue([sold.invoice_id]))).toBe('CHARGE_INVOICED')
  expect(await liveLines(other.invoice_id)).toBe(1)
  // What goes back now is of its own invoice.
  s.clock.advance({ minutes: 1 })
  await refund(sold, '450.00')
  await issueCreditNotes(s.system())
  const refunded = (await notesOf(sold.purchase_id)).find((note) => note.total === '450.00')
  expect(refunded?.receiver.rfc).toBe(KARLA.rfc)
})

test('a charge with an invoice of its own waits in its global one while the SAT has not answered the cancellation of that', async () => {
  const { sold, other, global } = await inGlobal('07')
  const dead = vi.spyOn(pac, 'cancel').mockRejectedValue(new Error('killed'))
  await cancel(global).catch(() => null)
  dead.mockRestore()
  expect((await issue([sold.invoice_id])).state).toBe('valid')
  await issueCreditNotes(s.system())
  expect(await notesOf(sold.purchase_id)).toEqual([])
  s.clock.advance({ minutes: 2 })
  await recoverDocuments(s.system())
  expect((await globalsOf(sold.purchase_id)).map((global) => global.state)).toEqual(['cancelled'])
  await issueCreditNotes(s.system())
  expect(await notesOf(sold.purchase_id)).toEqual([])
  expect([await liveLines(sold.invoice_id), await liveLines(other.invoice_id)]).toEqual([1, 0])
})

test('with `global_leave` replace, the global one is cancelled (04) and issued again without the charge', async () => {
  const { sold, other, global } = await inGlobal('06')
  await s.change({ global_leave: 'replace' })
  expect((await issue([sold.invoice_id])).state).toBe('valid')
  expect(await notesOf(sold.purchase_id)).toEqual([])
  const [document, ...more] = (await globalsOf(other.purchase_id)).filter((global) => global.state === 'valid')
  expect(more).toEqual([])
  expect(document).toMatchObject({ total: '300.00', charges: 1, payment_form: global.payment_form })
  const xml = await xmlOf(document as FiscalDocument)
  expect(xml).toContain(`TipoRelacion="04"><cfdi:CfdiRelacionado UUID="${global.uuid}"/>`)
  expect(xml).toContain('Periodicidad="01" Meses="04" Año="2027"')
  expect((await globalsOf(sold.purchase_id)).map((global) => [global.state, global.cancel_motive])).toEqual([['cancelled', '04']])
  // The jobs find nothing left to do.
  await issueCreditNotes(s.system())
  await issueGlobals(s.system())
  expect((await globalsOf(other.purchase_id)).map((global) => global.state)).toEqual(['valid', 'cancelled'])
  expect([await liveLines(sold.invoice_id), await liveLines(other.invoice_id)]).toEqual([1, 1])
})

test('a replacement that failed after the cancellation is issued later, once; a global one with a credit note is not replaced', async () => {
  const { sold, other, global } = await inGlobal('09')
  await s.change({ global_leave: 'replace' })
  const real = pac.stamp.bind(pac)
  // The own invoice is stamped; what replaces the global one is not.
  const dead = vi
    .spyOn(pac, 'stamp')
    .mockImplementation((input) => (input.xml.includes('InformacionGlobal') ? Promise.reject(new Error('killed')) : real(input)))
  await issue([sold.invoice_id])
  dead.mockRestore()
  s.clock.advance({ minutes: 2 })
  await recoverDocuments(s.system())
  await issueGlobals(s.system())
  const rows = await s.sql<{ state: string; related_id: number | null }>(
    `select d.state, d.related_id from fiscal_document d join fiscal_line f using (fiscal_document_id) where f.invoice_id = $1 order by 1`,
    [other.invoice_id],
  )
  expect(rows.map(({ state }) => state)).toEqual(['cancelled', 'valid'])
  expect(rows[1]?.related_id).toBe(global.fiscal_document_id)
  const next = await inGlobal('10')
  await refund(next.other, '100.00')
  s.clock.advance({ minutes: 1 })
  await issueCreditNotes(s.system())
  await issue([next.sold.invoice_id])
  expect(await notesOf(next.sold.purchase_id)).toHaveLength(1)
  expect((await byFolio(next.global.folio))?.state).toBe('valid')
})

test('what was refunded before, with a credit note to the public, is not taken out twice', async () => {
  const { sold } = await inGlobal('08')
  await refund(sold, '450.00')
  s.clock.advance({ minutes: 1 })
  await issueCreditNotes(s.system())
  expect(await issue([sold.invoice_id])).toMatchObject({ total: '1000.00' })
  await issueCreditNotes(s.system())
  expect((await notesOf(sold.purchase_id)).map((note) => [note.total, note.receiver.rfc]).sort()).toEqual([
    ['1000.00', 'XAXX010101000'],
    ['450.00', 'XAXX010101000'],
  ])
})

test('an invoice that the SAT refuses leaves its charge in the global one', async () => {
  const { sold, global } = await inGlobal('11')
  expect(await codeOf(issue([sold.invoice_id], { name: 'Otra Persona' }))).toBe('INVOICE_REFUSED')
  const about = await boss.fiscal.ofPurchase({ purchase_id: sold.purchase_id })
  expect(about.charges[0]).toMatchObject({ in_global: true, why_not: null, fiscal_document: { uuid: global.uuid } })
  expect(await notesOf(sold.purchase_id)).toEqual([])
  expect((await issue([sold.invoice_id])).state).toBe('valid')
  expect(await notesOf(sold.purchase_id)).toHaveLength(1)
})

test('customers issue it until the year ends, with `self_invoice_until` year', async () => {
  const { sold } = await inGlobal('14')
  s.clock.set('2027-06-01T10:00:00-06:00')
  const { invoice_id } = sold
  expect(await codeOf(s.as(ana).fiscal.issueMine({ invoice_id, receiver: KARLA }))).toBe('CHARGE_NOT_INVOICEABLE')
  await s.change({ self_invoice_until: 'year' })
  expect((await s.as(ana).fiscal.issueMine({ invoice_id, receiver: KARLA })).fiscal_document.state).toBe('valid')
  expect(await notesOf(sold.purchase_id)).toHaveLength(1)
})
