/** The month for the accountant: a ZIP of documents and lists (docs/domain.md, FA16). */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Papa from 'papaparse'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { invoicing, sha256 } from '#server/testing/invoicing.ts'
import { codeOf, refusalOf } from '#server/testing/studio.ts'
import { issueCreditNotes } from './credit-notes.ts'
import { issueGlobals } from './global-invoices.ts'

const { s, boss, location_id, reset, paid, refund, issue, cancel } = await invoicing()
const folder = mkdtempSync(join(tmpdir(), 'estudio-facturas-'))
afterAll(async () => {
  await s.close()
  rmSync(folder, { recursive: true })
})
beforeEach(reset)

async function archive(input: { month: string; location_id?: number }, client = boss) {
  const file = await client.fiscal.month(input)
  const into = mkdtempSync(join(folder, 'mes-'))
  writeFileSync(join(into, 'x.zip'), new Uint8Array(await file.arrayBuffer()))
  execFileSync('unzip', ['-q', '-o', join(into, 'x.zip'), '-d', into])
  const list = (name: string) =>
    Papa.parse<Record<string, string>>(readFileSync(join(into, name), 'utf8').replace(/^\ufeff/, ''), {
      header: true,
      skipEmptyLines: true,
    }).data
  const inside = (name: string) => readdirSync(into).flatMap((entry) => (entry === name ? readdirSync(join(into, entry)).sort() : []))
  return { file, into, documents: list('facturas.csv'), charges: list('cargos-sin-factura.csv'), inside }
}

test('contains the documents dated or cancelled in the month, with their files, and the charges without an invoice', async () => {
  const ana = await s.make.customer()
  s.clock.set('2028-01-31T23:30:00-06:00')
  const early = await issue([(await paid(ana, 90_000)).invoice_id])
  s.clock.set('2028-02-01T00:10:00-06:00')
  await s.change({ global_invoice: 'month' })
  const sold = await paid(ana)
  const document = await issue([sold.invoice_id])
  // The same folio in another series.
  await s.change({ invoice_series: 'G' })
  await s.sql(`insert into fiscal_series values ('G', $1)`, [document.folio])
  const sameFolio = await issue([(await paid(ana, 30_000)).invoice_id])
  await s.change({ invoice_series: 'F' })
  await cancel(early)
  await refund(sold, '450.00')
  s.clock.advance({ minutes: 1 })
  await issueCreditNotes(s.system())
  const open = await paid(ana, 20_000)
  s.clock.set('2028-03-01T00:00:00-06:00')
  const late = await issue([(await paid(ana)).invoice_id])

  const february = await archive({ month: '2028-02' })
  expect(february.file.name).toBe('facturas-2028-02.zip')
  expect(february.file.type).toBe('application/zip')
  const rows = february.documents.map((row) => [row['Folio fiscal (UUID)'], row.Efecto, row.Total, row.IVA, row['IVA 16 %'], row.Estado])
  expect(rows.slice(0, 3)).toEqual([
    [early.uuid, 'I · Ingreso', '900.00', '124.14', '124.14', 'Cancelada'],
    [document.uuid, 'I · Ingreso', '1450.00', '200.00', '200.00', 'Vigente'],
    [sameFolio.uuid, 'I · Ingreso', '300.00', '41.38', '41.38', 'Vigente'],
  ])
  expect(rows).toHaveLength(4)
  expect(february.documents[3]).toMatchObject({ Documento: 'Nota de crédito', Total: '450.00', Relación: `01: ${document.uuid}` })
  expect(february.documents.map((row) => `${row.Serie}-${row.Folio}`).slice(1, 3)).toEqual([`F-${document.folio}`, `G-${document.folio}`])
  const names = february.documents.map((row) => row.Archivo ?? '').sort()
  expect(february.inside('xml')).toEqual(names.map((name) => `${name}.xml`))
  expect(february.inside('pdf')).toEqual(names.map((name) => `${name}.pdf`))
  expect(february.inside('acuses')).toEqual([`F-${early.folio}_${early.uuid}.xml`])
  const [stored] = await s.sql<{ xml: string }>('select xml from fiscal_document where uuid = $1', [document.uuid])
  expect(sha256(readFileSync(join(february.into, 'xml', `F-${document.folio}_${document.uuid}.xml`)))).toBe(sha256(stored?.xml ?? ''))
  expect(february.charges.map((row) => [row.Cargo, row.Cobrado, row['Por qué no tiene factura']])).toEqual([
    [`00${open.purchase_id}-${open.invoice_id}`, '200.00', 'Nadie la ha pedido.'],
  ])

  expect((await archive({ month: '2028-03' })).documents.map((row) => row['Folio fiscal (UUID)'])).toEqual([late.uuid])
  const none = await archive({ month: '2027-12' })
  expect([none.documents, none.charges, none.inside('xml')]).toEqual([[], [], []])
  const trail = await s.sql<{ after: object }>(
    `select after from audit where action = 'list.export' and entity_id = 'facturas' order by audit_id`,
  )
  expect(trail[0]?.after).toEqual({ title: 'Facturas del mes', format: 'ZIP', rows: 4, month: '2028-02' })
  // After the global invoice nothing is without one.
  s.clock.set('2028-03-01T21:00:00-06:00')
  await issueGlobals(s.system())
  expect((await archive({ month: '2028-02' })).charges).toEqual([])
})

test('contains one location, or those where the person works', async () => {
  s.clock.set('2028-05-10T12:00:00-06:00')
  const ana = await s.make.customer()
  const norte = await s.make.location({ name: 'Norte' })
  const [here, there] = [
    await issue([(await paid(ana)).invoice_id]),
    await issue([(await paid(ana, 30_000, { at: norte.location_id })).invoice_id], {}, boss),
  ]
  const uuids = async (of: ReturnType<typeof archive>) => (await of).documents.map((row) => row['Folio fiscal (UUID)'])
  expect(await uuids(archive({ month: '2028-05' }))).toEqual([here.uuid, there.uuid])
  expect(await uuids(archive({ month: '2028-05', location_id: norte.location_id }))).toEqual([there.uuid])
  const person = await s.make.staff('reception')
  await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [person.uid, location_id])
  expect(await uuids(archive({ month: '2028-05' }, s.as(person)))).toEqual([here.uuid])
  expect(await codeOf(s.as(person).fiscal.month({ month: '2028-05', location_id: norte.location_id }))).toBe('FORBIDDEN')
})

test('refuses what is not a month, an unknown field and people without the right', async () => {
  const refusal = await refusalOf(boss.fiscal.month({ month: '2028-13' }))
  expect(refusal).toMatchObject({ code: 'INVALID_INPUT', data: { issues: [{ path: 'month', message: 'Elige un mes, como 2026-11.' }] } })
  expect(await codeOf(boss.fiscal.month({ month: '2028-05', estado: 'x' } as never))).toBe('INVALID_INPUT')
  expect(await codeOf(s.as(await s.make.staff('coach')).fiscal.month({ month: '2028-05' }))).toBe('FORBIDDEN')
  expect(await codeOf(s.as(await s.make.customer()).fiscal.month({ month: '2028-05' }))).toBe('FORBIDDEN')
  expect(await codeOf(s.as(null).fiscal.month({ month: '2028-05' }))).toBe('UNAUTHENTICATED')
})
