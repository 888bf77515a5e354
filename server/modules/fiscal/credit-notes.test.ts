/** Money that goes back after its charge was invoiced: a credit note per refund (docs/domain.md, FA10). */
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import type { FiscalDocument } from '#contract/fiscal.ts'
import { invoicing } from '#server/testing/invoicing.ts'
import { refusalOf } from '#server/testing/studio.ts'
import { issueCreditNotes } from './credit-notes.ts'
import { issueGlobals } from './global-invoices.ts'
import { recoverDocuments } from './recovering.ts'

const { s, desk, ana, pac, reset, paid, refund, issue, cancel, xmlOf, byFolio, notesOf } = await invoicing()
afterAll(() => s.close())
beforeEach(reset)

test('each refund gets one credit note with the IVA of its part, and the invoice cannot be cancelled any more', async () => {
  const { invoice_id, purchase_id } = await paid(ana)
  const document = await issue([invoice_id])
  s.clock.advance({ hours: 1 })
  await refund({ purchase_id, invoice_id }, '500.00')
  s.clock.advance({ minutes: 1 })
  await Promise.all([issueCreditNotes(s.system()), issueCreditNotes(s.system())])
  const { documents } = await desk.fiscal.ofPurchase({ purchase_id })
  const notes = documents.filter((document) => document.kind === 'credit' && document.state === 'valid')
  expect(notes).toHaveLength(1)
  expect(notes[0]).toMatchObject({ total: '500.00', tax: '68.97', receiver: { use: 'G02' } })
  const xml = await xmlOf(notes[0] as FiscalDocument)
  expect(xml).toContain(`<cfdi:CfdiRelacionados TipoRelacion="01"><cfdi:CfdiRelacionado UUID="${document.uuid}"/>`)
  const refusal = await refusalOf(cancel(document))
  expect(refusal.message).toMatch(/otro comprobante vigente está relacionado/)
})

test('a refund that began before the invoice and was recorded after it gets its credit note', async () => {
  const sold = await paid(ana)
  await issue([sold.invoice_id])
  s.clock.advance({ seconds: -2 })
  await refund(sold, '500.00')
  s.clock.advance({ minutes: 1 })
  await issueCreditNotes(s.system())
  expect((await notesOf(sold.purchase_id)).map(({ total }) => total)).toEqual(['500.00'])
})

/** A cancellation whose request never arrived: the document is valid, and the SAT has not answered. */
async function requestLost(document: FiscalDocument): Promise<void> {
  const dead = vi.spyOn(pac, 'cancel').mockRejectedValue(new Error('killed'))
  await cancel(document).catch(() => null)
  dead.mockRestore()
  expect(await byFolio(document.folio)).toMatchObject({ state: 'valid', cancel_motive: '02' })
}

test('while the SAT has not answered a cancellation the invoice gets no credit note; once it is cancelled a new one leaves the refund out', async () => {
  const sold = await paid(ana, 90_000)
  const document = await issue([sold.invoice_id])
  await refund(sold, '500.00')
  await requestLost(document)
  await issueCreditNotes(s.system())
  expect(await notesOf(sold.purchase_id)).toEqual([])
  s.clock.advance({ minutes: 2 })
  await recoverDocuments(s.system())
  expect((await byFolio(document.folio))?.state).toBe('cancelled')
  await issueCreditNotes(s.system())
  expect([await notesOf(sold.purchase_id), (await issue([sold.invoice_id])).total]).toEqual([[], '400.00'])
})

test('a cancellation that the SAT refuses for good lets the credit note be issued', async () => {
  const sold = await paid(ana)
  const document = await issue([sold.invoice_id])
  await refund(sold, '500.00')
  await requestLost(document)
  const no = vi.spyOn(pac, 'cancel').mockResolvedValue({ state: 'refused', refusal: { code: '201', message: 'No se puede.' } })
  s.clock.advance({ hours: 2 })
  await recoverDocuments(s.system())
  no.mockRestore()
  expect(await byFolio(document.folio)).toMatchObject({ state: 'valid', cancel_motive: null })
  await issueCreditNotes(s.system())
  expect((await notesOf(sold.purchase_id)).map(({ total }) => total)).toEqual(['500.00'])
})

test('an invoice whose credit note is being stamped is not cancelled', async () => {
  const sold = await paid(ana, 90_000)
  const document = await issue([sold.invoice_id])
  await refund(sold, '500.00')
  const real = pac.stamp.bind(pac)
  const stamping = vi.spyOn(pac, 'stamp').mockImplementationOnce(async (input) => {
    expect((await refusalOf(cancel(document))).message).toMatch(/se está timbrando una nota de crédito/)
    return real(input)
  })
  await issueCreditNotes(s.system())
  expect(stamping).toHaveBeenCalledOnce()
  stamping.mockRestore()
  expect((await notesOf(sold.purchase_id)).map(({ total, state }) => [total, state])).toEqual([['500.00', 'valid']])
  expect(await byFolio(document.folio)).toMatchObject({ state: 'valid', cancel_motive: null })
})

test('a refund that the charge has before its row is done is left out of the invoice once', async () => {
  const sold = await paid(ana)
  await refund(sold, '500.00')
  const [row] = await s.sql<{ refund_id: number; doneAt: Date }>('select refund_id, "doneAt" from refund where invoice_id = $1', [
    sold.invoice_id,
  ])
  // Between the two transactions of a refund.
  await s.sql(`update refund set state = 'asked', "doneAt" = null where refund_id = $1`, [row?.refund_id])
  const { total } = await issue([sold.invoice_id])
  await s.sql(`update refund set state = 'done', "doneAt" = $2 where refund_id = $1`, [row?.refund_id, row?.doneAt])
  await issueCreditNotes(s.system())
  expect([total, await notesOf(sold.purchase_id)]).toEqual(['950.00', []])
})

test('an amount left out of the invoice by a refund that was refused later is not credited again', async () => {
  const sold = await paid(ana)
  await refund(sold, '500.00')
  const [row] = await s.sql<{ refund_id: number }>('select refund_id from refund where invoice_id = $1', [sold.invoice_id])
  await issue([sold.invoice_id])
  // The processor took back what it had accepted.
  await s.sql(`update refund set state = 'refused' where refund_id = $1`, [row?.refund_id])
  await s.sql('update invoice set refunded_centavos = 0 where invoice_id = $1', [sold.invoice_id])
  s.clock.advance({ hours: 1 })
  await refund(sold, '600.00')
  await issueCreditNotes(s.system())
  expect((await notesOf(sold.purchase_id)).map(({ total }) => total)).toEqual(['100.00'])
})

test('a refund after the global invoice gets a credit note to the public', async () => {
  s.clock.set('2027-03-09T12:00:00-06:00')
  await s.change({ global_invoice: 'day' })
  const sold = await paid(ana)
  s.clock.set('2027-03-10T20:30:00-06:00')
  await issueGlobals(s.system())
  s.clock.advance({ hours: 1 })
  await refund(sold, '1450.00')
  s.clock.advance({ minutes: 1 })
  await issueCreditNotes(s.system())
  const [note] = (await desk.fiscal.list({ kind: 'credit', from: '2027-03-10' })).fiscal_documents
  expect(note).toMatchObject({ state: 'valid', total: '1450.00', receiver: { rfc: 'XAXX010101000', use: 'G02' } })
})

test('the credit note of a refund that failed later is cancelled (FA12)', async () => {
  s.clock.set('2027-06-10T12:00:00-06:00')
  const { invoice_id, purchase_id } = await paid(ana)
  await issue([invoice_id])
  s.clock.advance({ hours: 1 })
  await refund({ purchase_id, invoice_id }, '500.00')
  await issueCreditNotes(s.system())
  expect((await notesOf(purchase_id)).map((note) => note.state)).toEqual(['valid'])
  // As a processor's webhook event does when it could not deliver the refund (V37).
  await s.sql(`update refund set state = 'refused' where invoice_id = $1`, [invoice_id])
  await s.sql('update invoice set refunded_centavos = 0 where invoice_id = $1', [invoice_id])
  await issueCreditNotes(s.system())
  expect((await notesOf(purchase_id)).map((note) => [note.state, note.cancel_motive])).toEqual([['cancelled', '03']])
})
