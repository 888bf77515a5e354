/** Receipts, over HTTP and in the mail (docs/domain.md V35; issue: receipts as PDF). */
import { randomUUID } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { sendReceipt, sweep } from './jobs.ts'
import { receiptPdf } from './receipt-pdf.ts'

let s: TestStudio
beforeAll(async () => {
  s = await studio({ settings: { business_name: 'Vaivén', email: 'hola@vaiven.mx', cash_checkout_enabled: true } })
})
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))

/** The words on a page: pdfkit writes them as hexadecimal pieces inside compressed streams. */
function wordsOf(pdf: Uint8Array): string {
  const bytes = Buffer.from(pdf)
  const text = bytes.toString('latin1')
  const found: string[] = []
  for (const { index } of text.matchAll(/stream\r?\n/g)) {
    const start = text.indexOf('\n', index) + 1
    try {
      const page = inflateSync(bytes.subarray(start, text.indexOf('endstream', start))).toString('latin1')
      for (const [, row = ''] of page.matchAll(/\[((?:<[0-9a-f]*>|[-\d.\s])*)\] TJ/g))
        found.push([...row.matchAll(/<([0-9a-f]*)>/g)].map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1')).join(''))
    } catch {
      // Not a page.
    }
  }
  return found.join('\n')
}
const bytesOf = async (file: Blob) => new Uint8Array(await file.arrayBuffer())

test('a receipt says what was bought, for whom, when and how it was paid, and is the same file every time (V35)', async () => {
  const ana = await s.make.customer({ name: 'Ana Sofía', last_name: 'Treviño' })
  const { class_package_id } = await s.make.package({ title: 'Diez clases' })
  const { purchase_id, payment_id } = await s.as(ana, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })
  const [{ invoice_id } = { invoice_id: 0 }] = (await s.as(ana).invoices.list({})).invoices
  const file = await s.as(ana).invoices.receipt({ id: purchase_id })
  expect({ type: file.type, name: file.name }).toEqual({ type: 'application/pdf', name: `comprobante-00${purchase_id}-${invoice_id}.pdf` })
  const pdf = await bytesOf(file)
  expect(Buffer.from(pdf.subarray(0, 5)).toString()).toBe('%PDF-')
  const words = wordsOf(pdf)
  for (const said of [
    ...['Vaivén', 'Comprobante de pago', `Folio 00${purchase_id}-${invoice_id} · 19 nov 2026`, 'Ana Sofía Treviño', ana.email],
    ...['Diez clases', '10 clases', `Orden #00${purchase_id}`, 'Total', '$2,190.00 MXN', 'Este comprobante no es un CFDI.'],
  ])
    expect(words).toContain(said)
  expect(words).toMatch(/Pagado con .*4242\./)
  // Later, by the payment's number, for reception: not a byte differs.
  s.clock.advance({ days: 3 })
  const desk = await s.make.staff('reception')
  for (const again of [s.as(ana).invoices.receipt({ id: payment_id ?? 0 }), s.as(desk).studioSales.receipt({ purchase_id })])
    expect(await bytesOf(await again)).toEqual(pdf)
})

test('of a renewal is its own charge; of what went back it says so; of a gift that it is one', async () => {
  const ana = await s.make.customer()
  const owner = await s.make.staff('owner')
  const monthly = await s.make.package({
    price_centavos: 145_000,
    is_subscription: true,
    subscription_period: 'month',
    subscription_interval: 1,
  })
  const sub = await s.as(ana, randomUUID()).sales.attempt({ class_package_id: monthly.class_package_id, payment_method: 'tok_ok' })
  s.clock.advance({ days: 31 })
  await sweep(s.system())
  const [latest, first] = (await s.as(ana).invoices.list({})).invoices
  const receipt = async (invoice_id?: number) =>
    wordsOf(await bytesOf(await s.as(ana).invoices.receipt({ id: sub.purchase_id, ...(invoice_id ? { invoice_id } : {}) })))
  expect(await receipt()).toContain('19 dic 2026')
  expect(await receipt(first?.invoice_id)).toContain('19 nov 2026')
  await s.as(owner).studioSales.refund({ purchase_id: sub.purchase_id, invoice_id: latest?.invoice_id, amount: '450', reason: 'Prueba' })
  expect(await receipt(latest?.invoice_id)).toContain('Se devolvieron $450.00 MXN.')

  const pack = await s.make.package()
  const { purchase } = await s.as(owner).studioSales.giveAccess({
    ...{ customer_id: ana.customer_id, class_package_id: pack.class_package_id, is_gift: true },
  })
  const gift = wordsOf(await bytesOf(await s.as(ana).invoices.receipt({ id: purchase.purchase_id })))
  expect(gift).toContain('Es un regalo del estudio.')
  expect(gift).toContain('$0.00 MXN')
})

test('there is none of what was not paid, of a charge of another purchase, or of another’s', async () => {
  const [ana, eva] = [await s.make.customer(), await s.make.customer()]
  const { class_package_id } = await s.make.package()
  const { purchase_id } = await s.as(ana, randomUUID()).sales.checkout({ class_package_id })
  expect(await refusalOf(s.as(ana).invoices.receipt({ id: purchase_id }))).toMatchObject({ code: 'RECEIPT_NONE', status: 409 })
  const paid = await s.as(eva, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })
  expect((await refusalOf(s.as(ana).invoices.receipt({ id: paid.purchase_id }))).code).toBe('PURCHASE_NOT_FOUND')
  expect((await refusalOf(s.as(eva).invoices.receipt({ id: paid.purchase_id, invoice_id: 999_999 }))).code).toBe('RECEIPT_NONE')
})

test('goes with the mail of its payment', async () => {
  const ana = await s.make.customer()
  const { class_package_id } = await s.make.package()
  const { purchase_id } = await s.as(ana, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })
  await sendReceipt(s.system(), purchase_id, '0')
  const [mail] = await s.sql<{ attachments: { filename: string; type: string; base64: string }[] }>(
    'select attachments from mail_outbox where "to" = $1',
    [ana.email],
  )
  const file = await s.as(ana).invoices.receipt({ id: purchase_id })
  expect(mail?.attachments).toEqual([
    { filename: file.name, type: 'application/pdf', base64: Buffer.from(await bytesOf(file)).toString('base64') },
  ])
})

test('signs that no font of a reader has are left out, and a long name stays on the page', async () => {
  const { settings } = s.system()
  const pdf = await receiptPdf({
    studio: { ...settings, business_name: `🔥 Fragua ${'muy larga '.repeat(20)}` },
    contact: ['Calle 日本 5'],
    folio: '001',
    day: '18 nov 2026',
    customer: { name: '王 Ñandú', email: 'a@b.mx' },
    title: 'Paquete «único» – 10 🐦',
    details: [],
    lines: [{ label: 'Precio', amount: '$1.00 MXN' }],
    total: '$1,000,000.00 MXN',
    notes: ['Pagado con Visa ···4242.'],
    at: new Date(START),
  })
  const words = wordsOf(pdf)
  expect(words).toContain('Ñandú')
  expect(words).toContain('Pagado con Visa ···4242.')
  expect(
    Buffer.from(pdf)
      .toString('latin1')
      .match(/\/Type \/Page\b/g),
  ).toHaveLength(1)
})
