/** Global invoices of a day or a month, per place of issue and form of payment (docs/domain.md, FA11). */
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { FiscalDocument } from '#contract/fiscal.ts'
import { invoicing, KARLA, type Sold } from '#server/testing/invoicing.ts'
import { codeOf } from '#server/testing/studio.ts'
import { issueGlobals } from './global-invoices.ts'

const { s, desk, boss, ana, location_id, reset, paid, issue, xmlOf, globalsOf, liveLines } = await invoicing()
afterAll(() => s.close())
beforeEach(reset)

test("a month's charges without an invoice get one document per form of payment, once, twenty hours after it ended", async () => {
  s.clock.set('2027-01-31T23:30:00-06:00')
  await s.change({ global_invoice: 'month' })
  const [late, invoiced, card] = [await paid(ana), await paid(ana), await paid(ana, 30_000)]
  await s.sql(`update invoice set gateway = 'stripe', payment_method_id = null, funding = 'credit' where invoice_id = $1`, [
    card.invoice_id,
  ])
  await issue([invoiced.invoice_id])
  s.clock.set('2027-02-01T00:10:00-06:00')
  const february = await paid(ana)
  await issueGlobals(s.system())
  const globals = async () => (await desk.fiscal.list({ kind: 'global', from: '2027-02-01' })).fiscal_documents
  expect(await globals()).toEqual([])
  s.clock.set('2027-02-01T20:10:00-06:00')
  await Promise.all([issueGlobals(s.system()), issueGlobals(s.system())])
  await issueGlobals(s.system())
  const documents = await globals()
  expect(documents.map(({ payment_form, total, charges }) => [payment_form, total, charges]).sort()).toEqual([
    ['01', '1450.00', 1],
    ['04', '300.00', 1],
  ])
  const xml = await xmlOf(documents[0] as FiscalDocument)
  expect(xml).toContain('<cfdi:InformacionGlobal Periodicidad="04" Meses="01" Año="2027"/>')
  expect(xml).toContain('Rfc="XAXX010101000" Nombre="PUBLICO EN GENERAL" DomicilioFiscalReceptor="42501"')
  expect(await liveLines(late.invoice_id)).toBe(1)
  expect(await liveLines(february.invoice_id)).toBe(0)
})

test('each location with a postal code gets a document of its own, with that code and by its own clocks', async () => {
  const tijuana = await s.make.location({ name: 'Tijuana', timezone: 'America/Tijuana', postal_code: '22000' })
  const roma = await s.make.location({ name: 'Roma', postal_code: '06700' })
  const at = async (location_id: number) => {
    const sold = await paid(ana)
    await s.sql('update invoice set location_id = $1 where invoice_id = $2', [location_id, sold.invoice_id])
    return sold
  }
  // 23:30 of the last of February in Tijuana, where it is an hour and a half into March in Mexico City.
  s.clock.set('2027-02-28T23:30:00-08:00')
  await s.change({ global_invoice: 'month' })
  const [late, march] = [await at(tijuana.location_id), await at(roma.location_id)]
  const own = await at(tijuana.location_id)
  const document = await issue([own.invoice_id])
  expect(document.issued_date).toBe('2027-02-28T23:30:00.000Z')
  expect(await xmlOf(document)).toContain('LugarExpedicion="22000"')
  s.clock.set('2027-03-01T20:05:00-08:00')
  await issueGlobals(s.system())
  const globalOf = async ({ purchase_id }: Sold) => (await globalsOf(purchase_id))[0]
  const first = await globalOf(late)
  expect(await (await boss.fiscal.xml({ fiscal_document_id: first?.fiscal_document_id ?? 0 })).text()).toMatch(
    /Fecha="2027-03-01T20:05:00".*LugarExpedicion="22000".*Meses="02" Año="2027".*DomicilioFiscalReceptor="22000"/s,
  )
  expect(await globalOf(march)).toBeUndefined()
  s.clock.set('2027-04-01T20:05:00-06:00')
  await issueGlobals(s.system())
  const second = await globalOf(march)
  expect(await (await boss.fiscal.xml({ fiscal_document_id: second?.fiscal_document_id ?? 0 })).text()).toMatch(
    /LugarExpedicion="06700".*Meses="03".*DomicilioFiscalReceptor="06700"/s,
  )
  await s.sql('update location set postal_code = null')
})

test('staff of one location neither see nor cancel a global invoice with the sales of all (FA9)', async () => {
  await s.change({ global_invoice: 'day' })
  s.clock.set('2027-04-06T12:00:00-06:00')
  const sold = await paid(ana)
  s.clock.set('2027-04-07T20:30:00-06:00')
  await issueGlobals(s.system())
  const [{ fiscal_document_id = 0 } = {}] = (await boss.fiscal.list({ kind: 'global', from: '2027-04-07' })).fiscal_documents
  const person = await s.make.staff('manager')
  await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [person.uid, location_id])
  const here = s.as(person)
  expect((await here.fiscal.list({ kind: 'global' })).fiscal_documents).toEqual([])
  expect(await codeOf(here.fiscal.xml({ fiscal_document_id }))).toBe('NOT_FOUND')
  expect(await codeOf(here.fiscal.pdf({ fiscal_document_id }))).toBe('NOT_FOUND')
  expect(await codeOf(here.fiscal.cancel({ fiscal_document_id, motive: '02' }))).toBe('NOT_FOUND')
  const { charges, documents } = await here.fiscal.ofPurchase({ purchase_id: sold.purchase_id })
  expect(documents).toEqual([])
  expect(charges[0]).toMatchObject({ fiscal_document: null, in_global: true, why_not: null })
  expect((await boss.fiscal.ofPurchase({ purchase_id: sold.purchase_id })).documents).toHaveLength(1)
})

test("days that passed while the issuer's data were incomplete get their documents later", async () => {
  s.clock.set('2027-05-03T12:00:00-06:00')
  await s.change({ global_invoice: 'day' })
  const first = await paid(ana)
  s.clock.set('2027-05-04T12:00:00-06:00')
  const second = await paid(ana)
  await s.change({ business_regime: '' })
  s.clock.set('2027-05-06T21:00:00-06:00')
  await issueGlobals(s.system())
  expect(await liveLines(first.invoice_id)).toBe(0)
  await s.change({ business_regime: '601' })
  await issueGlobals(s.system())
  const rows = await s.sql<{ period: string }>(
    'select distinct period from fiscal_document join fiscal_line using (fiscal_document_id) where invoice_id = any($1) and live order by 1',
    [[first.invoice_id, second.invoice_id]],
  )
  expect(rows.map(({ period }) => period)).toEqual(['2027-05-03', '2027-05-04'])
})

test('a payment of the last evening that is known the next morning is in the document of its month', async () => {
  s.clock.set('2028-08-31T22:50:00-06:00')
  await s.change({ global_invoice: 'month' })
  const { invoice_id } = await paid(await s.make.customer())
  await s.sql(`update invoice set status = 'pending', "paidAt" = null where invoice_id = $1`, [invoice_id])
  s.clock.set('2028-09-01T09:00:00-06:00')
  await issueGlobals(s.system())
  expect(await liveLines(invoice_id)).toBe(0)
  await s.sql(`update invoice set status = 'paid', "paidAt" = '2028-08-31T22:55:00-06:00' where invoice_id = $1`, [invoice_id])
  s.clock.set('2028-09-01T20:10:00-06:00')
  await issueGlobals(s.system())
  const rows = await s.sql<{ period: string }>(
    'select period from fiscal_document join fiscal_line using (fiscal_document_id) where invoice_id = $1 and live',
    [invoice_id],
  )
  expect(rows).toEqual([{ period: '2028-08' }])
})

test('a charge that its customer, two of the staff and the job invoice at once is in one live document (FA2)', async () => {
  s.clock.set('2028-07-10T12:00:00-06:00')
  await s.change({ global_invoice: 'day', self_invoice_until: 'year' })
  const ana = await s.make.customer()
  const { invoice_id } = await paid(ana)
  s.clock.set('2028-07-11T21:00:00-06:00')
  await Promise.allSettled([
    issue([invoice_id]),
    s.as(ana).fiscal.issueMine({ invoice_id, receiver: KARLA }),
    issueGlobals(s.system()),
    issue([invoice_id], {}, boss),
  ])
  expect(await liveLines(invoice_id)).toBe(1)
  const owns = await s.sql(
    `select 1 from fiscal_document join fiscal_line using (fiscal_document_id) where invoice_id = $1 and kind = 'income' and state = 'valid'`,
    [invoice_id],
  )
  expect(owns.length).toBeLessThanOrEqual(1)
})
