/** Cancelled documents: at once, by their receiver's answer, in the SAT's portal, after the term (docs/domain.md, FA12). */
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { invoicing } from '#server/testing/invoicing.ts'
import { type Client, refusalOf } from '#server/testing/studio.ts'
import { readCancelled } from './cancelling.ts'
import { recoverDocuments } from './recovering.ts'
import { listToCheck } from './store.ts'

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

/** A cancellation whose request never arrived. */
async function lostBefore(work: () => Promise<unknown>): Promise<void> {
  const dead = vi.spyOn(pac, 'cancel').mockRejectedValue(new Error('killed'))
  await work().catch(() => null)
  dead.mockRestore()
}

test('a cancellation that never arrived keeps its motive and substitute, and is requested again with them', async () => {
  const [document, other] = [await issue([(await paid(ana)).invoice_id]), await issue([(await paid(ana)).invoice_id])]
  await lostBefore(() => cancel(document, '01', { substitute_id: other.fiscal_document_id }))
  const waiting = { state: 'valid', cancel_motive: '01', substitute: `F-${other.folio}`, cancel_asked_at: s.clock.now().toISOString() }
  expect(await byFolio(document.folio)).toMatchObject(waiting)
  expect((await refusalOf(cancel(document, '02'))).message).toMatch(/ya se pidió con el motivo 01 y el SAT no contesta/)
  const replaced = await refusalOf(cancel(other, '01', { substitute_id: document.fiscal_document_id }))
  expect(replaced.message).toMatch(/ya se pidió cancelar la factura que la sustituye/)
  const cancelSpy = vi.spyOn(pac, 'cancel').mockResolvedValue({ state: 'unknown', why: 'lost again' })
  s.clock.advance({ minutes: 2 })
  await recoverDocuments(s.system())
  expect(await byFolio(document.folio)).toMatchObject(waiting)
  cancelSpy.mockImplementation(async ({ uuid }) => ({ state: 'cancelled', uuid, xml: '', receipt: '<Acuse/>' }))
  s.clock.advance({ minutes: 3 })
  await recoverDocuments(s.system())
  expect(cancelSpy.mock.calls.map(([{ motive, substitute }]) => [motive, substitute])).toEqual([
    ['01', other.uuid],
    ['01', other.uuid],
  ])
  cancelSpy.mockRestore()
  expect(await byFolio(document.folio)).toMatchObject({ state: 'cancelled', cancel_motive: '01', substitute: `F-${other.folio}` })
})

test('a refusal of the same request again, of which the SAT has the first one, keeps its motive, substitute and date', async () => {
  const [document, other] = [await issue([(await paid(ana)).invoice_id]), await issue([(await paid(ana)).invoice_id])]
  const again = () => cancel(document, '01', { substitute_id: other.fiscal_document_id })
  await lostBefore(again)
  const waiting = { state: 'valid', cancel_motive: '01', substitute: `F-${other.folio}`, cancel_asked_at: s.clock.now().toISOString() }
  const no = vi.spyOn(pac, 'cancel').mockResolvedValue({ state: 'refused', refusal: { code: '204', message: 'Ya hay una solicitud.' } })
  s.clock.advance({ minutes: 1 })
  expect(await refusalOf(again())).toMatchObject({
    code: 'INVOICE_NOT_CANCELLABLE',
    message: expect.stringContaining('Ya hay una solicitud'),
  })
  expect(await byFolio(document.folio)).toMatchObject(waiting)
  // Another one without an answer does not move the date either.
  no.mockResolvedValue({ state: 'unknown', why: 'lost again' })
  s.clock.advance({ minutes: 1 })
  await again()
  no.mockRestore()
  expect(await byFolio(document.folio)).toMatchObject(waiting)
  const read = vi.spyOn(pac, 'read').mockImplementation(async ({ uuid }) => ({ state: 'cancelled', uuid, xml: '', receipt: '<Acuse/>' }))
  s.clock.advance({ minutes: 5 })
  await recoverDocuments(s.system())
  read.mockRestore()
  expect(await byFolio(document.folio)).toMatchObject({ state: 'cancelled', cancel_motive: '01', substitute: `F-${other.folio}` })
  const { tasks } = await boss.today.read({})
  expect(tasks.filter(({ title }) => title.includes(`F-${document.folio} `))).toEqual([])
})

test('a refusal that comes after the document was cancelled by the same request again leaves its motive', async () => {
  const document = await issue([(await paid(ana, 90_000)).invoice_id])
  const real = pac.cancel.bind(pac)
  const late = vi.spyOn(pac, 'cancel').mockImplementationOnce(async () => {
    expect(await cancel(document)).toMatchObject({ state: 'cancelled', cancel_motive: '02' })
    return { state: 'refused', refusal: { code: '204', message: 'Ya está cancelada.' } }
  })
  late.mockImplementation(real)
  await cancel(document).catch(() => null)
  late.mockRestore()
  expect(await byFolio(document.folio)).toMatchObject({ state: 'cancelled', cancel_motive: '02' })
})

test('a cancellation that the SAT refuses is requested again for an hour, and then loses its motive and shows why', async () => {
  const document = await issue([(await paid(ana)).invoice_id])
  await lostBefore(() => cancel(document))
  const no = vi.spyOn(pac, 'cancel').mockResolvedValue({ state: 'refused', refusal: { code: '204', message: 'El SAT no lo permite.' } })
  s.clock.advance({ minutes: 2 })
  await recoverDocuments(s.system())
  expect(await byFolio(document.folio)).toMatchObject({ cancel_motive: '02', error: null })
  s.clock.advance({ minutes: 61 })
  await recoverDocuments(s.system())
  no.mockRestore()
  const error = { code: '204', message: 'No se canceló. El SAT no lo permite.' }
  expect(await byFolio(document.folio)).toMatchObject({ state: 'valid', cancel_motive: null, cancel_asked_at: null, error })
  expect(await cancel(document)).toMatchObject({ state: 'cancelled', error: null })
})

test('a request that is refused at once leaves no motive; a document cannot replace itself', async () => {
  const document = await issue([(await paid(ana)).invoice_id])
  const self = { substitute_id: document.fiscal_document_id }
  expect((await refusalOf(cancel(document, '01', self))).message).toMatch(/no se sustituye a sí misma/)
  const other = await issue([(await paid(ana)).invoice_id])
  expect((await refusalOf(cancel(document, '01', { substitute_id: other.fiscal_document_id }))).code).toBe('INVOICE_NOT_CANCELLABLE')
  expect(await byFolio(document.folio)).toMatchObject({ state: 'valid', cancel_motive: null, cancel_asked_at: null })
})

test('the SAT is queried about a pending cancellation at growing intervals, up to an hour', async () => {
  s.clock.set('2027-05-03T10:00:00-06:00')
  const document = await issue([(await paid(ana)).invoice_id])
  s.clock.set('2027-05-06T10:00:00-06:00')
  expect((await cancel(document)).state).toBe('cancelling')
  const read = vi.spyOn(pac, 'read')
  const at: number[] = []
  for (let minute = 1; minute <= 260; minute++) {
    s.clock.advance({ minutes: 1 })
    const before = read.mock.calls.length
    await recoverDocuments(s.system())
    if (read.mock.calls.slice(before).some(([{ uuid }]) => uuid === document.uuid)) at.push(minute)
  }
  read.mockRestore()
  expect(at).toEqual([2, 5, 11, 23, 47, 95, 156, 217])
})

test('documents that may have been cancelled elsewhere are checked: new ones first, then the most overdue for their age', async () => {
  s.clock.set('2028-01-03T10:00:00-06:00')
  await s.sql(`update fiscal_document set "checkedAt" = $1 where state = 'valid'`, [s.clock.now()])
  const aged = async (days: number, checkedHoursAgo: number | null) => {
    const { fiscal_document_id } = await issue([(await paid(ana)).invoice_id])
    const now = s.clock.now().getTime()
    await s.sql('update fiscal_document set "stampedAt" = $2, "checkedAt" = $3 where fiscal_document_id = $1', [
      fiscal_document_id,
      new Date(now - days * 86_400_000),
      checkedHoursAgo === null ? null : new Date(now - checkedHoursAgo * 3_600_000),
    ])
    return fiscal_document_id
  }
  const old = await aged(800, 61 * 24)
  const month = await aged(32, 5 * 24)
  const fresh = await aged(1, 12)
  const never = await aged(0, null)
  // Asked about a short time ago for their age.
  for (const [days, hours] of [
    [800, 59 * 24],
    [32, 3 * 24],
    [1, 5],
  ] as const)
    await aged(days, hours)
  const ids = (await listToCheck(s.studio.db.read, { pac: 'sandbox', now: s.clock.now() }, 120)).map((row) => row.fiscal_document_id)
  expect(ids).toEqual([never, fresh, month, old])
  expect(await listToCheck(s.studio.db.read, { pac: 'sandbox', now: s.clock.now() }, 2)).toHaveLength(2)
})

test("a cancellation in the SAT's portal is found and becomes a task of Hoy; one of the studio's own does not", async () => {
  s.clock.set('2027-07-01T12:00:00-06:00')
  const { invoice_id } = await paid(ana)
  const document = await issue([invoice_id])
  await pac.cancelAtPortal(document.uuid ?? '')
  await readCancelled(s.system())
  expect(await byFolio(document.folio)).toMatchObject({ state: 'cancelled', cancel_motive: null })
  expect(await liveLines(invoice_id)).toBe(0)
  const taskOf = async (client: Client) => (await client.today.read({})).tasks.find((task) => task.title.includes(`F-${document.folio} `))
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
