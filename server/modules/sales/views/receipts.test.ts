/** Receipts, over HTTP and in the mail (docs/domain.md V35; issue: receipts as PDF). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { salesJobs, sendReceipt, sweep } from '#server/modules/sales/jobs.ts'
import { objectsOf, pdfText } from '#server/testing/pdf-text.ts'
import { refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { plain, storedFiles } from '#server/testing/uploads.ts'
import { receiptPdf } from './receipt-pdf.ts'

let s: TestStudio
beforeAll(async () => {
  s = await studio({ settings: { business_name: 'Vaivén', email: 'hola@vaiven.mx', cash_checkout_enabled: true } })
})
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))

const bytesOf = async (file: Blob) => new Uint8Array(await file.arrayBuffer())

test('states what was bought, for whom, when and how it was paid, and is the same file every time (V35)', async () => {
  const ana = await s.make.customer({ name: 'Ana Sofía', last_name: 'Treviño' })
  const { class_package_id } = await s.make.package({ title: 'Diez clases' })
  const { purchase_id, payment_id } = await s.as(ana, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })
  const [{ invoice_id } = { invoice_id: 0 }] = (await s.as(ana).invoices.list({})).invoices
  const file = await s.as(ana).invoices.receipt({ id: purchase_id })
  expect({ type: file.type, name: file.name }).toEqual({ type: 'application/pdf', name: `comprobante-00${purchase_id}-${invoice_id}.pdf` })
  const pdf = await bytesOf(file)
  expect(Buffer.from(pdf.subarray(0, 5)).toString()).toBe('%PDF-')
  const printed = pdfText(pdf)
  for (const content of [
    'Vaivén',
    'Comprobante de pago',
    `Folio 00${purchase_id}-${invoice_id} · 19 nov 2026`,
    'Ana Sofía Treviño',
    ana.email,
    'Diez clases',
    '10 clases',
    `Orden #00${purchase_id}`,
    'Total',
    '$2,190.00 MXN',
    'Este comprobante no es un CFDI.',
    'Antes de IVA',
    '$1,887.93 MXN',
    'IVA 16 %',
    '$302.07 MXN',
  ])
    expect(printed).toContain(content)
  expect(printed).toMatch(/Pagado con .*4242\./)
  // Later, by the payment's number, for reception: not a byte differs.
  s.clock.advance({ days: 3 })
  const desk = await s.make.staff('reception')
  for (const again of [s.as(ana).invoices.receipt({ id: payment_id ?? 0 }), s.as(desk).studioSales.receipt({ purchase_id })])
    expect(await bytesOf(await again)).toEqual(pdf)
})

test('of a renewal is of its own charge; refunds and gifts are stated', async () => {
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
    pdfText(await bytesOf(await s.as(ana).invoices.receipt({ id: sub.purchase_id, ...(invoice_id ? { invoice_id } : {}) })))
  expect(await receipt()).toContain('19 dic 2026')
  expect(await receipt(first?.invoice_id)).toContain('19 nov 2026')
  await s.as(owner).studioSales.refund({ purchase_id: sub.purchase_id, invoice_id: latest?.invoice_id, amount: '450', reason: 'Prueba' })
  expect(await receipt(latest?.invoice_id)).toContain('Se devolvieron $450.00 MXN.')

  const classPackage = await s.make.package()
  const { purchase } = await s.as(owner).studioSales.giveAccess({
    customer_id: ana.customer_id,
    class_package_id: classPackage.class_package_id,
    is_gift: true,
  })
  const gift = pdfText(await bytesOf(await s.as(ana).invoices.receipt({ id: purchase.purchase_id })))
  expect(gift).toContain('Es un regalo del estudio.')
  expect(gift).toContain('$0.00 MXN')
})

test('a receipt is in English for who chose it, and in Spanish for reception (G13)', async () => {
  await s.change({ languages: 'es-MX,en' })
  const owner = await s.make.staff('owner')
  const [ana, classPackage] = [await s.make.customer({ language: 'en' }), await s.make.package({ title: 'Diez clases' })]
  const { purchase_id } = await s
    .as(ana, randomUUID())
    .sales.attempt({ class_package_id: classPackage.class_package_id, payment_method: 'tok_ok' })
  const file = await s.as(ana).invoices.receipt({ id: purchase_id })
  expect(file.name).toMatch(/^receipt-/)
  const printed = pdfText(await bytesOf(file))
  for (const content of [
    'Payment receipt',
    'No. 00',
    'Diez clases',
    '10 classes',
    `Order #00${purchase_id}`,
    'Paid with Visa ending in 4242.',
  ])
    expect(printed).toContain(content)
  expect(pdfText(await bytesOf(await s.as(owner).studioSales.receipt({ purchase_id })))).toContain('Comprobante de pago')
  await s.change({ languages: 'es-MX' })
})

test('a receipt does not exist for unpaid purchases, charges of another purchase, or another customer’s', async () => {
  const [ana, eva] = [await s.make.customer(), await s.make.customer()]
  const { class_package_id } = await s.make.package()
  const { purchase_id } = await s.as(ana, randomUUID()).sales.checkout({ class_package_id })
  expect(await refusalOf(s.as(ana).invoices.receipt({ id: purchase_id }))).toMatchObject({ code: 'RECEIPT_NONE', status: 409 })
  const paid = await s.as(eva, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })
  expect((await refusalOf(s.as(ana).invoices.receipt({ id: paid.purchase_id }))).code).toBe('PURCHASE_NOT_FOUND')
  expect((await refusalOf(s.as(eva).invoices.receipt({ id: paid.purchase_id, invoice_id: 999_999 }))).code).toBe('RECEIPT_NONE')
})

test('a receipt is attached to the email of its payment', async () => {
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

test('receipts of several purchases are sent together, each once; where one cannot be drawn none is sent', async () => {
  const { class_package_id } = await s.make.package()
  const people = await Promise.all(['Ana', 'Eva', 'Luz'].map((name) => s.make.customer({ name })))
  const bought = await Promise.all(
    people.map((person) => s.as(person, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })),
  )
  const job = salesJobs.find(({ name }) => name === 'sales.receipt')
  const chargesOf = (ids: readonly number[]) =>
    ids.map((purchase_id) => ({ data: { purchase_id, period: '0' }, run: { id: randomUUID(), signal: new AbortController().signal } }))
  const sent = () =>
    s.sql<{ to: string; files: number; subject: string }>(
      'select "to", jsonb_array_length(attachments) as files, subject from mail_outbox where "to" = any($1) order by mail_id',
      [people.map(({ email }) => email)],
    )
  const unpaid = await s.as(people[0] as (typeof people)[0], randomUUID()).sales.checkout({ class_package_id, again: true })
  const ids = bought.map(({ purchase_id }) => purchase_id)
  await expect(job?.workMany?.(s.system(), chargesOf([...ids, unpaid.purchase_id]))).rejects.toMatchObject({ code: 'RECEIPT_NONE' })
  expect(await sent()).toEqual([])
  for (let n = 0; n < 2; n++) await job?.workMany?.(s.system(), chargesOf(ids))
  expect((await sent()).map(({ to, files }) => ({ to, files }))).toEqual(people.map(({ email }) => ({ to: email, files: 1 })))
})

test('drops characters that the fonts lack, and a long name stays on the page', async () => {
  const { settings } = s.system()
  const pdf = await receiptPdf({
    studio: { ...settings, business_name: `🔥 Fragua ${'muy larga '.repeat(20)}` },
    logo: null,
    contact: ['Calle 日本 5'],
    taxpayer: [],
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
  const printed = pdfText(pdf)
  expect(printed).toContain('Ñandú')
  expect(printed).toContain('Pagado con Visa ···4242.')
  expect(
    Buffer.from(pdf)
      .toString('latin1')
      .match(/\/Type \/Page\b/g),
  ).toHaveLength(1)
})

test('embeds its fonts, so that amounts are aligned in every viewer', async () => {
  const ana = await s.make.customer()
  const { class_package_id } = await s.make.package()
  const { purchase_id } = await s.as(ana, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })
  const objects = [...objectsOf(await bytesOf(await s.as(ana).invoices.receipt({ id: purchase_id }))).values()]
  const used = objects.filter((body) => body.includes('/Type /Font\n') && body.includes('/BaseFont') && !body.includes('/CIDSystemInfo'))
  expect(used.length).toBeGreaterThan(0)
  for (const font of used) expect(font).toContain('AtkinsonHyperlegibleNext')
  expect(objects.filter((body) => body.includes('/FontFile2')).length).toBe(used.length)
})

test('of a trial states what comes after it, and when', async () => {
  const ana = await s.make.customer()
  const { class_package_id } = await s.make.package({
    price_centavos: 145_000,
    is_subscription: true,
    subscription_period: 'month',
    subscription_interval: 1,
    free_trial_length: 7,
    free_trial_period: 'day',
  })
  const { purchase_id } = await s.as(ana, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })
  const printed = pdfText(await bytesOf(await s.as(ana).invoices.receipt({ id: purchase_id })))
  expect(printed).toContain('Sin costo.')
  expect(printed).toContain('Después: $1,450.00 cada mes desde el 26 nov 2026.')
})

test('a receipt has the studio’s legal name, RFC and logo where set, and never downloads an external logo', async () => {
  const ana = await s.make.customer()
  const owner = await s.make.staff('owner')
  const { class_package_id } = await s.make.package()
  const { purchase_id } = await s.as(ana, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })
  const receipt = async () => bytesOf(await s.as(ana).invoices.receipt({ id: purchase_id }))
  const images = (pdf: Uint8Array) => [...objectsOf(pdf).values()].filter((body) => body.includes('/Subtype /Image')).length
  const logo = (await storedFiles(s, owner, await plain(600, 150).png().toBuffer(), 'logo.png', { is_public: true })).src
  await s.having({ business_legal_name: 'Vaivén Estudio SA de CV', business_rfc: 'VES200101AB1', navbar_logo: logo }, async () => {
    const pdf = await receipt()
    expect(pdfText(pdf)).toContain('Vaivén Estudio SA de CV · RFC VES200101AB1')
    expect(images(pdf)).toBeGreaterThan(0)
  })
  await s.having({ navbar_logo: 'https://cdn.example/logo.png' }, async () => {
    expect(images(await receipt())).toBe(0)
    expect(pdfText(await receipt())).toContain('V')
  })
})
