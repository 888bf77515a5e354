/** Receipts of whole sales that staff send: by mail, and with a link (docs/domain.md S17). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { salesJobs } from '#server/modules/sales/jobs.ts'
import { pdfText } from '#server/testing/pdf-text.ts'
import { newRun } from '#server/testing/run.ts'
import { codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let owner: Person
let desk: Person
let location_id: number
let terminal: number
beforeAll(async () => {
  s = await studio()
  owner = await s.make.staff('owner')
  desk = await s.make.staff('reception')
  location_id = (await s.make.location({ name: 'Roma Norte' })).location_id
  terminal = (await s.make.paymentMethod({ name: 'Terminal', kind: 'terminal' })).payment_method_id
})
afterAll(() => s.close())

/** Water and a mat, 335: 300 with a gift card and 35 with the terminal. */
async function sold(customer_id: number | null) {
  const sell = (input: object) =>
    s
      .as(desk, randomUUID())
      .counterSales.sell({ customer_id: null, location_id, ...input } as Parameters<
        ReturnType<TestStudio['as']>['counterSales']['sell']
      >[0])
  const { sale: of } = await sell({
    lines: [{ kind: 'gift_card', amount: '300' }],
    shown: { total: '300' },
    payments: [{ payment_method_id: terminal, amount: '300' }],
  })
  const { sale } = await sell({
    customer_id,
    lines: [
      { kind: 'other', title: 'Tapete', amount: '310' },
      { kind: 'other', title: 'Agua', amount: '25' },
    ],
    shown: { total: '335' },
    payments: [
      { gift_card_code: of.lines[0]?.gift_card?.code, amount: '300' },
      { payment_method_id: terminal, amount: '35' },
    ],
  })
  return { sale_id: sale.sale_id ?? 0, folio: sale.folio }
}
/** Does the jobs that mail receipts; the mails to an address. */
async function mailsTo(email: string | null) {
  const rows = await s.sql<{ data: { data: object } }>(`delete from jobs.job where data->>'job' = 'sales.mail-receipt' returning data`)
  for (const { data } of rows)
    for (let times = 0; times < 2; times++)
      await salesJobs.find((salesJob) => salesJob.name === 'sales.mail-receipt')?.work(s.system('sales.mail-receipt'), data.data, newRun())
  return s.sql<{ subject: string; text: string }>('select subject, text from mail_outbox where "to" = $1 order by mail_id', [email])
}

test('the receipt of a sale is mailed to the buyer, or to another address, with every way it was paid; a repeated request and a repeated job send it once', async () => {
  const ana = await s.make.customer({ name: 'Ana' })
  const { sale_id, folio } = await sold(ana.customer_id)
  const key = randomUUID()
  for (let times = 0; times < 2; times++) expect(await s.as(desk, key).counterSales.mailReceipt({ sale_id })).toEqual({ ok: true })
  const [mail, ...more] = await mailsTo(ana.email)
  expect(more).toEqual([])
  expect(mail?.subject).toContain(`Tu comprobante ${folio}`)
  expect(mail?.text).toContain('Tapete, Agua: $335.00.')
  expect(mail?.text).toContain('Pagaste $300.00 con Tarjeta de regalo. Pagaste $35.00 con Terminal.')
  await s.as(desk, randomUUID()).counterSales.mailReceipt({ sale_id, email: 'contador@ejemplo.mx' })
  expect(await mailsTo('contador@ejemplo.mx')).toHaveLength(1)
  const [trail] = await s.sql<{ after: object }>(
    `select after from audit where action = 'sale.mail_receipt' order by audit_id desc limit 1`,
  )
  expect(trail?.after).toEqual({ folio, email: 'c…@ejemplo.mx' })
})

test('the receipt of a sale without a customer needs an address, and is refused to staff of another location', async () => {
  const { sale_id } = await sold(null)
  expect(await codeOf(s.as(desk, randomUUID()).counterSales.mailReceipt({ sale_id }))).toBe('CUSTOMER_WITHOUT_EMAIL')
  expect((await s.as(desk).counterSales.receiptLink({ sale_id })).to).toBeNull()
  expect((await refusalOf(s.as(desk, randomUUID()).counterSales.mailReceipt({ sale_id, email: 'nada' }))).code).toBe('INVALID_INPUT')
  const stranger = await s.make.staff('reception')
  const { location_id: elsewhere } = await s.make.location()
  await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [stranger.uid, elsewhere])
  expect(await codeOf(s.as(stranger, randomUUID()).counterSales.mailReceipt({ sale_id, email: 'a@ejemplo.mx' }))).toBe('NOT_FOUND')
  expect(await codeOf(s.as(stranger).counterSales.receiptLink({ sale_id }))).toBe('NOT_FOUND')
  const bought = { sale_id: (await sold((await s.make.customer()).customer_id)).sale_id }
  for (let n = 0; n < 20; n++) await s.as(owner, randomUUID()).counterSales.mailReceipt(bought)
  expect(await codeOf(s.as(owner, randomUUID()).counterSales.mailReceipt(bought))).toBe('TOO_MANY_REQUESTS')
})

test('its link opens the same PDF without a log-in, for thirty days and not after an erasure', async () => {
  const ana = await s.make.customer({ name: 'Ana', phone: '5512345670' })
  const { sale_id } = await sold(ana.customer_id)
  const { url, to } = await s.as(desk).counterSales.receiptLink({ sale_id })
  expect(to).toMatchObject({ name: 'Ana', email: ana.email, phone: '5512345670' })
  const open = (address: string) => fetch(address.replace(/^https?:\/\/[^/]+/, s.url))
  const answer = await open(url)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/pdf'])
  const printed = pdfText(new Uint8Array(await answer.arrayBuffer()))
  for (const text of ['Tapete', 'Agua', '$335.00 MXN', 'Tarjeta de regalo', '$300.00', 'Terminal', '$35.00'])
    expect(printed).toContain(text)
  expect((await open(`${url.slice(0, -2)}xx`)).status).toBe(404)
  s.clock.advance({ days: 31 })
  expect((await open(url)).status).toBe(404)
  const fresh = await s.as(owner).counterSales.receiptLink({ sale_id })
  expect((await open(fresh.url)).status).toBe(200)
  await s.sql('update customer set "deletedAt" = now() where customer_id = $1', [ana.customer_id])
  expect((await open(fresh.url)).status).toBe(404)
})
