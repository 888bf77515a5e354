/** Invoices by mail (docs/domain.md, FA15). */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { sendReceipt } from '#server/modules/sales/jobs.ts'
import { invoicing, sha256 } from '#server/testing/invoicing.ts'
import { codeOf } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'
import { issueCreditNotes } from './credit-notes.ts'
import { issueGlobals } from './global-invoices.ts'

const { s, desk, reset, paid, refund, issue, cancel, liveLines } = await invoicing()
afterAll(() => s.close())
beforeEach(reset)

interface Mail {
  subject: string
  text: string
  attachments: { filename: string; base64: string }[] | null
}
const mailsTo = (email: string) =>
  s.sql<Mail>(`select subject, text, attachments from mail_outbox where "to" = $1 and message_id ~ '^(invoice|factura)' order by mail_id`, [
    email,
  ])

test('a stamped invoice is mailed to its customer once, with the stored XML', async () => {
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
  expect(sha256(xml ?? '')).toBe(sha256(stored?.xml ?? ''))
  expect(pdf?.subarray(0, 5).toString()).toBe('%PDF-')
  const notifications = (await s.as(ana).messages.list({})).messages.map(({ event, title }) => [event, title])
  expect(notifications).toContainEqual(['invoice_issued', `Tu factura F-${document.folio}`])
})

test('a cancelled invoice is mailed with its receipt; one that was cancelled before its mail left is mailed as cancelled only', async () => {
  const [ana, eva] = [await s.make.customer(), await s.make.customer()]
  const document = await issue([(await paid(ana, 90_000)).invoice_id])
  await doJobs(s)
  await cancel(document)
  await doJobs(s)
  const [, cancelled, ...more] = await mailsTo(ana.email)
  expect(more).toEqual([])
  expect(cancelled?.subject).toBe(`Se canceló tu factura F-${document.folio}`)
  expect(cancelled?.attachments?.map(({ filename }) => filename.replace(/^.*_[0-9A-F-]{36}/, ''))).toEqual(['.xml', '.pdf', '_acuse.xml'])
  expect(cancelled?.text).toContain('Ya no tiene validez fiscal.')
  const quick = await issue([(await paid(eva, 90_000)).invoice_id])
  await cancel(quick)
  await doJobs(s)
  expect((await mailsTo(eva.email)).map(({ subject }) => subject)).toEqual([`Se canceló tu factura F-${quick.folio}`])
})

test('a credit note is mailed to the customer of its invoice, one of a global invoice is not mailed', async () => {
  s.clock.set('2027-09-01T12:00:00-06:00')
  const ana = await s.make.customer()
  const sold = await paid(ana)
  await issue([sold.invoice_id])
  s.clock.advance({ minutes: 5 })
  await refund(sold, '450.00')
  await issueCreditNotes(s.system())
  await doJobs(s)
  // Two jobs that run side by side.
  expect((await mailsTo(ana.email)).map(({ subject }) => subject).sort()).toEqual([
    expect.stringMatching(/^Tu factura F-/),
    expect.stringMatching(/^Tu nota de crédito F-/),
  ])
  const eva = await s.make.customer()
  await s.change({ global_invoice: 'day' })
  const other = await paid(eva)
  s.clock.set('2027-09-02T21:00:00-06:00')
  await issueGlobals(s.system())
  await refund(other, '450.00')
  await issueCreditNotes(s.system())
  await doJobs(s)
  expect(await liveLines(other.invoice_id)).toBe(1)
  expect(await mailsTo(eva.email)).toEqual([])
})

test('no mail is sent when the channel is switched off for the event', async () => {
  const ana = await s.make.customer()
  await s.change({ message_channels: { invoice_issued: ['app'] } })
  await issue([(await paid(ana)).invoice_id])
  await doJobs(s)
  expect(await mailsTo(ana.email)).toEqual([])
})

test('staff mail an invoice again or to another address: once per Idempotency-Key, with the veiled address in the audit trail', async () => {
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

test('refuses to mail to a customer without an address, and does not find what is not stamped or of another location', async () => {
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

test('the mail of a receipt links to the invoice of its charge, while the customer may issue it', async () => {
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
  expect(await receipt()).toContain(`/mystudio/pagos?facturar=1&factura=${invoice_id}\n`)
  await s.change({ self_invoice: false })
  expect(await receipt()).not.toContain('factura=')
  await s.change({ self_invoice: true, business_rfc: '' })
  expect(await receipt()).not.toContain('factura=')
})
