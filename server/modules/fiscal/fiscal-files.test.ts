/** Invoices by mail and the month of the accountant (docs/domain.md, FA15 and FA16), and what happens to one charge from three sides at once. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Papa from 'papaparse'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sendReceipt } from '#server/modules/sales/jobs.ts'
import { type Client, codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'
import { issueCreditNotes } from './credit-notes.ts'
import { issueGlobals } from './global-invoices.ts'

const ISSUER = {
  ...{ business_rfc: 'EKU9003173C9', business_legal_name: 'Escuela Kemper Urgate', business_postal_code: '42501' },
  business_regime: '601',
} as const
const KARLA = { rfc: 'FUNK671228PH6', name: 'Karla Fuente Nolasco', postal_code: '01160', regime: '612', use: 'G03' } as const

let s: TestStudio
let desk: Client
let boss: Client
let cash: number
let location_id: number
const folder = mkdtempSync(join(tmpdir(), 'estudio-facturas-'))
beforeAll(async () => {
  s = await studio()
  desk = s.as(await s.make.staff('reception'))
  boss = s.as(await s.make.staff('owner'))
  cash = (await s.make.paymentMethod({ name: 'Efectivo', kind: 'cash' })).payment_method_id
  location_id = (await s.make.location()).location_id
})
afterAll(async () => {
  await s.close()
  rmSync(folder, { recursive: true })
})
beforeEach(() => s.reset(ISSUER))

async function paid(person: Person, price = 145_000, at = location_id) {
  const { class_package_id } = await s.make.package({ title: 'Paquete 10', price_centavos: price, class_amount: 10 })
  const { purchase } = await boss.studioSales.giveAccess({
    ...{ customer_id: person.customer_id, class_package_id, payment_method_id: cash, location_id: at },
  })
  const [row] = await s.sql<{ invoice_id: number }>('select invoice_id from invoice where purchase_id = $1', [purchase.purchase_id])
  return { purchase_id: purchase.purchase_id, invoice_id: row?.invoice_id ?? 0 }
}
const issue = (invoice_ids: number[], client = desk) =>
  client.fiscal.issue({ invoice_ids, receiver: KARLA }).then(({ fiscal_document }) => fiscal_document)
const liveLines = (invoice_id: number) =>
  s.sql<{ n: number }>(
    'select count(*)::int as n from fiscal_line where invoice_id = $1 and live and refund_id is null and not takes_out',
    [invoice_id],
  )
const digest = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')

interface Mail {
  subject: string
  text: string
  attachments: { filename: string; base64: string }[] | null
}
const mailsTo = (email: string) =>
  s.sql<Mail>(`select subject, text, attachments from mail_outbox where "to" = $1 and message_id ~ '^(invoice|factura)' order by mail_id`, [
    email,
  ])

describe('by mail', () => {
  test('a stamped invoice goes to its customer once, with the XML as it is stored (case 39)', async () => {
    const ana = await s.make.customer({ name: 'Ana' })
    const document = await issue([(await paid(ana)).invoice_id])
    await doJobs(s)
    const ctx = s.system()
    await ctx.tx((tx) => tx.send({ name: 'fiscal.notify', data: { fiscal_document_id: document.fiscal_document_id, event: 'issued' } }))
    await doJobs(s)
    const [mail, ...more] = await mailsTo(ana.email)
    expect(more).toEqual([])
    expect(mail?.subject).toBe(`Tu factura F-${document.folio}`)
    expect(mail?.text).toContain('A nombre de KARLA FUENTE NOLASCO, RFC FUNK671228PH6, por $1,450.00.')
    expect(mail?.text).toContain('no tiene validez fiscal')
    const name = `F-${document.folio}_${document.uuid}`
    expect(mail?.attachments?.map(({ filename }) => filename)).toEqual([`${name}.xml`, `${name}.pdf`])
    const [xml, pdf] = (mail?.attachments ?? []).map(({ base64 }) => Buffer.from(base64, 'base64'))
    const [stored] = await s.sql<{ xml: string }>('select xml from fiscal_document where uuid = $1', [document.uuid])
    expect(digest(xml ?? '')).toBe(digest(stored?.xml ?? ''))
    expect(pdf?.subarray(0, 5).toString()).toBe('%PDF-')
    const notices = (await s.as(ana).messages.list({})).messages.map(({ event, title }) => [event, title])
    expect(notices).toContainEqual(['invoice_issued', `Tu factura F-${document.folio}`])
  })

  test('a cancelled one tells so, with its receipt; cancelled before its mail left, it is told as cancelled only', async () => {
    const [ana, eva] = [await s.make.customer(), await s.make.customer()]
    const document = await issue([(await paid(ana, 90_000)).invoice_id])
    await doJobs(s)
    await boss.fiscal.cancel({ fiscal_document_id: document.fiscal_document_id, motive: '02' })
    await doJobs(s)
    const [, told, ...more] = await mailsTo(ana.email)
    expect(more).toEqual([])
    expect(told?.subject).toBe(`Se canceló tu factura F-${document.folio}`)
    expect(told?.attachments?.map(({ filename }) => filename.replace(/^.*_[0-9A-F-]{36}/, ''))).toEqual(['.xml', '.pdf', '_acuse.xml'])
    expect(told?.text).toContain('Ya no tiene validez fiscal.')
    const quick = await issue([(await paid(eva, 90_000)).invoice_id])
    await boss.fiscal.cancel({ fiscal_document_id: quick.fiscal_document_id, motive: '02' })
    await doJobs(s)
    expect((await mailsTo(eva.email)).map(({ subject }) => subject)).toEqual([`Se canceló tu factura F-${quick.folio}`])
  })

  test('a credit note of their invoice goes to its customer, one to the public to nobody', async () => {
    s.clock.set('2027-09-01T12:00:00-06:00')
    const ana = await s.make.customer()
    const sold = await paid(ana)
    await issue([sold.invoice_id])
    s.clock.advance({ minutes: 5 })
    await boss.studioSales.refund({ ...sold, amount: '450.00', by_hand: true, reason: 'Prueba', payment_method_id: cash })
    await issueCreditNotes(s.system())
    await doJobs(s)
    expect((await mailsTo(ana.email)).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^Tu factura F-/),
      expect.stringMatching(/^Tu nota de crédito F-/),
    ])
    const eva = await s.make.customer()
    await s.change({ global_invoice: 'day' })
    const other = await paid(eva)
    s.clock.set('2027-09-02T21:00:00-06:00')
    await issueGlobals(s.system())
    await boss.studioSales.refund({ ...other, amount: '450.00', by_hand: true, reason: 'Prueba', payment_method_id: cash })
    await issueCreditNotes(s.system())
    await doJobs(s)
    expect(await liveLines(other.invoice_id)).toEqual([{ n: 1 }])
    expect(await mailsTo(eva.email)).toEqual([])
  })

  test('switched off in the matrix, no mail leaves', async () => {
    const ana = await s.make.customer()
    await s.change({ message_channels: { invoice_issued: ['app'] } })
    await issue([(await paid(ana)).invoice_id])
    await doJobs(s)
    expect(await mailsTo(ana.email)).toEqual([])
  })

  test('staff send it again, and to another address: once per click, with its veiled address in the trail', async () => {
    const ana = await s.make.customer()
    const { fiscal_document_id, folio } = await issue([(await paid(ana)).invoice_id])
    await doJobs(s)
    const person = await s.make.staff('reception')
    const key = crypto.randomUUID()
    for (let n = 0; n < 2; n++) await s.as(person, key).fiscal.mail({ fiscal_document_id, email: 'conta@despacho.mx' })
    await desk.fiscal.mail({ fiscal_document_id })
    await doJobs(s)
    const [mail, ...more] = await mailsTo('conta@despacho.mx')
    expect(more).toEqual([])
    expect(mail?.attachments).toHaveLength(2)
    expect(mail?.subject).toContain(`Tu factura F-${folio}`)
    expect(await mailsTo(ana.email)).toHaveLength(2)
    const trail = await s.sql<{ email: string }>(
      `select after->>'email' as email from audit where action = 'fiscal_document.mail' and entity_id = $1 order by audit_id limit 1`,
      [String(fiscal_document_id)],
    )
    expect(trail).toEqual([{ email: 'c…@despacho.mx' }])
  })

  test('without an address it is said; what is not stamped, or of another location, is not found', async () => {
    const ana = await s.make.customer()
    const sold = await paid(ana)
    const { fiscal_document_id } = await issue([sold.invoice_id])
    await s.sql('update customer set uid = null, email = null where customer_id = $1', [ana.customer_id])
    expect(await codeOf(desk.fiscal.mail({ fiscal_document_id }))).toBe('CUSTOMER_WITHOUT_EMAIL')
    expect(await codeOf(desk.fiscal.mail({ fiscal_document_id, email: 'no' }))).toBe('INVALID_INPUT')
    const elsewhere = await s.make.location({ name: 'Polanco' })
    const person = await s.make.staff('reception')
    await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [person.uid, elsewhere.location_id])
    expect(await codeOf(s.as(person).fiscal.mail({ fiscal_document_id, email: 'a@b.mx' }))).toBe('NOT_FOUND')
    await s.sql(`update fiscal_document set state = 'refused', xml = null, uuid = null where fiscal_document_id = $1`, [fiscal_document_id])
    expect(await codeOf(desk.fiscal.mail({ fiscal_document_id, email: 'a@b.mx' }))).toBe('NOT_FOUND')
  })

  test('the mail of the receipt leads to the invoice of its charge, while the customer may ask for it', async () => {
    const ana = await s.make.customer()
    const { purchase_id, invoice_id } = await paid(ana)
    const receipt = async () => {
      await sendReceipt(s.system(), purchase_id, '0', crypto.randomUUID())
      const [row] = await s.sql<{ text: string }>(
        `select text from mail_outbox where "to" = $1 and message_id like 'recibo-%' order by mail_id desc`,
        [ana.email],
      )
      return row?.text ?? ''
    }
    expect(await receipt()).toContain(`/mystudio/pagos?factura=${invoice_id}\n`)
    await s.change({ self_invoice: false })
    expect(await receipt()).not.toContain('factura=')
    await s.change({ self_invoice: true, business_rfc: '' })
    expect(await receipt()).not.toContain('factura=')
  })
})

describe('the month of the accountant', () => {
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
    const inside = (name: string) => readdirSync(into).flatMap((one) => (one === name ? readdirSync(join(into, one)).sort() : []))
    return { file, into, documents: list('facturas.csv'), charges: list('cargos-sin-factura.csv'), inside }
  }

  test('has what is dated in it or was cancelled in it, each with its files, and the charges without an invoice (case 42)', async () => {
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
    const twin = await issue([(await paid(ana, 30_000)).invoice_id])
    await s.change({ invoice_series: 'F' })
    await boss.fiscal.cancel({ fiscal_document_id: early.fiscal_document_id, motive: '02' })
    await boss.studioSales.refund({ ...sold, amount: '450.00', by_hand: true, reason: 'Prueba', payment_method_id: cash })
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
      [twin.uuid, 'I · Ingreso', '300.00', '41.38', '41.38', 'Vigente'],
    ])
    expect(rows).toHaveLength(4)
    expect(february.documents[3]).toMatchObject({ Documento: 'Nota de crédito', Total: '450.00', Relación: `01: ${document.uuid}` })
    expect(february.documents.map((row) => `${row.Serie}-${row.Folio}`).slice(1, 3)).toEqual([`F-${document.folio}`, `G-${document.folio}`])
    const names = february.documents.map((row) => row.Archivo ?? '').sort()
    expect(february.inside('xml')).toEqual(names.map((name) => `${name}.xml`))
    expect(february.inside('pdf')).toEqual(names.map((name) => `${name}.pdf`))
    expect(february.inside('acuses')).toEqual([`F-${early.folio}_${early.uuid}.xml`])
    const [stored] = await s.sql<{ xml: string }>('select xml from fiscal_document where uuid = $1', [document.uuid])
    expect(digest(readFileSync(join(february.into, 'xml', `F-${document.folio}_${document.uuid}.xml`)))).toBe(digest(stored?.xml ?? ''))
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

  test('of one location, and of those where somebody works', async () => {
    s.clock.set('2028-05-10T12:00:00-06:00')
    const ana = await s.make.customer()
    const norte = await s.make.location({ name: 'Norte' })
    const [here, there] = [
      await issue([(await paid(ana)).invoice_id]),
      await issue([(await paid(ana, 30_000, norte.location_id)).invoice_id], boss),
    ]
    const uuids = async (of: ReturnType<typeof archive>) => (await of).documents.map((row) => row['Folio fiscal (UUID)'])
    expect(await uuids(archive({ month: '2028-05' }))).toEqual([here.uuid, there.uuid])
    expect(await uuids(archive({ month: '2028-05', location_id: norte.location_id }))).toEqual([there.uuid])
    const person = await s.make.staff('reception')
    await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [person.uid, location_id])
    expect(await uuids(archive({ month: '2028-05' }, s.as(person)))).toEqual([here.uuid])
    expect(await codeOf(s.as(person).fiscal.month({ month: '2028-05', location_id: norte.location_id }))).toBe('FORBIDDEN')
  })

  test('what is not a month, a field that does not exist, and who may not', async () => {
    const refusal = await refusalOf(boss.fiscal.month({ month: '2028-13' }))
    expect(refusal).toMatchObject({ code: 'INVALID_INPUT', data: { issues: [{ path: 'month', message: 'Elige un mes, como 2026-11.' }] } })
    expect(await codeOf(boss.fiscal.month({ month: '2028-05', estado: 'x' } as never))).toBe('INVALID_INPUT')
    expect(await codeOf(s.as(await s.make.staff('coach')).fiscal.month({ month: '2028-05' }))).toBe('FORBIDDEN')
    expect(await codeOf(s.as(await s.make.customer()).fiscal.month({ month: '2028-05' }))).toBe('FORBIDDEN')
    expect(await codeOf(s.as(null).fiscal.month({ month: '2028-05' }))).toBe('UNAUTHENTICATED')
  })
})

describe('one charge from several sides', () => {
  test('its customer, the desk and the job of the global invoice at once: it is in one live invoice (case 5)', async () => {
    s.clock.set('2028-07-10T12:00:00-06:00')
    await s.change({ global_invoice: 'day', self_invoice_until: 'year' })
    const ana = await s.make.customer()
    const { invoice_id } = await paid(ana)
    s.clock.set('2028-07-11T21:00:00-06:00')
    await Promise.allSettled([
      issue([invoice_id]),
      s.as(ana).fiscal.issueMine({ invoice_id, receiver: KARLA }),
      issueGlobals(s.system()),
      issue([invoice_id], boss),
    ])
    expect(await liveLines(invoice_id)).toEqual([{ n: 1 }])
    const owns = await s.sql(
      `select 1 from fiscal_document join fiscal_line using (fiscal_document_id) where invoice_id = $1 and kind = 'income' and state = 'valid'`,
      [invoice_id],
    )
    expect(owns.length).toBeLessThanOrEqual(1)
  })

  test('a voucher of the last evening that is known the next morning is in the global invoice of its month (case 25)', async () => {
    s.clock.set('2028-08-31T22:50:00-06:00')
    await s.change({ global_invoice: 'month' })
    const { invoice_id } = await paid(await s.make.customer())
    await s.sql(`update invoice set status = 'pending', "paidAt" = null where invoice_id = $1`, [invoice_id])
    s.clock.set('2028-09-01T09:00:00-06:00')
    await issueGlobals(s.system())
    expect(await liveLines(invoice_id)).toEqual([{ n: 0 }])
    await s.sql(`update invoice set status = 'paid', "paidAt" = '2028-08-31T22:55:00-06:00' where invoice_id = $1`, [invoice_id])
    s.clock.set('2028-09-01T20:10:00-06:00')
    await issueGlobals(s.system())
    const rows = await s.sql<{ period: string }>(
      'select period from fiscal_document join fiscal_line using (fiscal_document_id) where invoice_id = $1 and live',
      [invoice_id],
    )
    expect(rows).toEqual([{ period: '2028-08' }])
  })
})
