/** Cancelled documents: at once, by their receiver's answer, in the SAT's portal, after the term (docs/domain.md, FA12). */
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { invoicing } from '#server/testing/invoicing.ts'
import { type Client, refusalOf } from '#server/testing/studio.ts'
import { readCancelled, recoverDocuments } from './stamping.ts'

const { s, desk, boss, ana, pac, reset, paid, issue, cancel, byFolio, liveLines } = await invoicing()
afterAll(() => s.close())
beforeEach(reset)

test('an invoice of up to $1,000 is cancelled at once, and its charge can be invoiced again', async () => {
  const { invoice_id } = await paid(ana, 90_000)
  const document = await issue([invoice_id])
  s.clock.advance({ days: 10 })
  expect(await cancel(document)).toMatchObject({ state: 'cancelled', cancel_motive: '02' })
  expect((await issue([invoice_id])).state).toBe('valid')
})

test('one above $1,000 waits for its receiver: a refusal keeps it valid, three business days without an answer cancel it', async () => {
  const [a, b, c] = [
    await issue([(await paid(ana)).invoice_id]),
    await issue([(await paid(ana)).invoice_id]),
    await issue([(await paid(ana)).invoice_id]),
  ]
  expect((await cancel(c)).state).toBe('cancelled')
  s.clock.set('2026-11-26T10:00:00-06:00')
  expect((await cancel(a)).state).toBe('cancelling')
  expect((await cancel(b)).state).toBe('cancelling')
  await pac.answerCancellation(a.uuid ?? '', false)
  // Over a weekend.
  s.clock.set('2026-11-29T10:00:00-06:00')
  await recoverDocuments(s.system())
  expect([(await byFolio(a.folio))?.state, (await byFolio(b.folio))?.state]).toEqual(['valid', 'cancelling'])
  s.clock.set('2026-12-01T11:00:00-06:00')
  await recoverDocuments(s.system())
  expect((await byFolio(b.folio))?.state).toBe('cancelled')
})

test('motive 01 needs the invoice that replaces it', async () => {
  const document = await issue([(await paid(ana)).invoice_id])
  expect((await refusalOf(cancel(document, '01'))).message).toMatch(/se dice qué factura la sustituye/)
  const other = await issue([(await paid(ana)).invoice_id])
  expect((await refusalOf(cancel(document, '01', { substitute_id: other.fiscal_document_id }))).code).toBe('INVOICE_NOT_CANCELLABLE')
  expect((await byFolio(document.folio))?.state).toBe('valid')
})

test('a cancellation whose answer is lost is read again: the document is cancelled, and its charge can be invoiced', async () => {
  const { invoice_id } = await paid(ana, 90_000)
  const document = await issue([invoice_id])
  const real = pac.cancel.bind(pac)
  const lost = vi.spyOn(pac, 'cancel').mockImplementation(async (input) => {
    await real(input)
    throw new Error('killed')
  })
  await cancel(document).catch(() => null)
  lost.mockRestore()
  expect((await byFolio(document.folio))?.state).toBe('valid')
  s.clock.advance({ minutes: 2 })
  await recoverDocuments(s.system())
  expect((await byFolio(document.folio))?.state).toBe('cancelled')
  expect((await issue([invoice_id])).state).toBe('valid')
})

test('a cancellation that never arrived or was refused leaves no motive; a document cannot replace itself', async () => {
  const document = await issue([(await paid(ana)).invoice_id])
  const dead = vi.spyOn(pac, 'cancel').mockRejectedValue(new Error('killed'))
  await cancel(document).catch(() => null)
  dead.mockRestore()
  s.clock.advance({ minutes: 2 })
  await recoverDocuments(s.system())
  expect(await byFolio(document.folio)).toMatchObject({ state: 'valid', cancel_motive: null })
  const self = { substitute_id: document.fiscal_document_id }
  expect((await refusalOf(cancel(document, '01', self))).message).toMatch(/no se sustituye a sí misma/)
  const other = await issue([(await paid(ana)).invoice_id])
  expect((await refusalOf(cancel(document, '01', { substitute_id: other.fiscal_document_id }))).code).toBe('INVOICE_NOT_CANCELLABLE')
  expect(await byFolio(document.folio)).toMatchObject({ state: 'valid', cancel_motive: null })
})

test("a cancellation in the SAT's portal is found and becomes a task of Hoy; one of the studio's own does not", async () => {
  s.clock.set('2027-07-01T12:00:00-06:00')
  const { invoice_id } = await paid(ana)
  const document = await issue([invoice_id])
  await pac.cancelAtPortal(document.uuid ?? '')
  await readCancelled(s.system())
  expect(await byFolio(document.folio)).toMatchObject({ state: 'cancelled', cancel_motive: null })
  expect(await liveLines(invoice_id)).toBe(0)
  const taskOf = async (who: Client) => (await who.today.read({})).tasks.find((task) => task.title.includes(`F-${document.folio} `))
  expect(await taskOf(boss)).toMatchObject({ kind: 'invoice_cancelled', link: `/admin/ventas?ver=facturas&q=F-${document.folio}` })
  expect(await taskOf(desk)).toBeUndefined()
  const own = await issue([invoice_id])
  await cancel(own)
  await readCancelled(s.system())
  expect((await boss.today.read({})).tasks.find((task) => task.title.includes(`F-${own.folio} `))).toBeUndefined()
})

test('after the month of the yearly return the fine is shown and the cancellation needs a confirmation', async () => {
  s.clock.set('2027-08-01T12:00:00-06:00')
  const document = await issue([(await paid(ana, 90_000)).invoice_id])
  const read = async () => (await byFolio(document.folio))?.cancel_warning
  s.clock.set('2028-03-31T12:00:00-06:00')
  expect(await read()).toBeNull()
  s.clock.set('2028-04-01T12:00:00-06:00')
  expect(await read()).toMatch(/multa de 5 a 10 %/)
  const cancel = (late?: boolean) =>
    boss.fiscal.cancel({ fiscal_document_id: document.fiscal_document_id, motive: '02', ...(late === undefined ? {} : { late }) })
  expect((await refusalOf(cancel())).message).toMatch(/ya pasó el plazo del SAT/)
  expect((await cancel(true)).fiscal_document.state).toBe('cancelled')
})
