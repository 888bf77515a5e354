/** The photo of a transfer's proof: attached with the sale, visible only to staff who may confirm it (docs/domain.md S4, U2, U6). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { png, storedFiles } from '#server/testing/uploads.ts'

let s: TestStudio
let owner: Person
let desk: Person
let location_id: number
let transfer: number
let cash: number
beforeAll(async () => {
  s = await studio({ settings: { cash_session_required: false } })
  ;[owner, desk] = [await s.make.staff('owner'), await s.make.staff('reception')]
  location_id = (await s.make.location()).location_id
  transfer = (await s.make.paymentMethod({ name: 'Transferencia' })).payment_method_id
  cash = (await s.make.paymentMethod({ name: 'Efectivo' })).payment_method_id
})
afterAll(() => s.close())

const sell = (customer_id: number, payment_method_id: number, proof_file_id: number | null) =>
  s.as(desk, randomUUID()).counterSales.sell({
    customer_id,
    location_id,
    lines: [{ kind: 'other', title: 'Tapete', amount: '90' }],
    shown: { total: '90' },
    payments: [{ payment_method_id, amount: '90', proof_file_id }],
  })

test('the proof of a transfer is private, belongs to the customer from the sale on, opens for staff who confirm the transfer, and cannot be removed', async () => {
  const { customer_id } = await s.make.customer()
  const photo = await storedFiles(s, desk, await png(), 'spei.png')
  expect(photo).toMatchObject({ is_public: false, customer_id: null })
  const { sale } = await sell(customer_id, transfer, photo.file_id)
  const [payment] = sale.payments
  expect(payment).toMatchObject({ state: 'pending', has_proof: true })
  const invoice_id = payment?.invoice_ids[0] ?? 0
  const { file } = await s.as(desk).counterSales.proof({ invoice_id })
  expect(file).toMatchObject({ file_id: photo.file_id, customer_id, is_public: false, type: expect.stringMatching(/^image\//) })
  expect((await fetch(s.url + file.src)).status).toBe(200)
  expect((await fetch(s.url + file.src.split('?')[0])).status).toBe(404)
  expect(await refusalOf(s.as(owner).files.remove({ file_id: photo.file_id }))).toMatchObject({
    code: 'IN_USE',
    data: { uses: [{ kind: 'sale', count: 1 }] },
  })
  // Staff of other locations, and staff without the right to sell, do not see it.
  const away = await s.make.staff('reception')
  const other = await s.make.location()
  await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [away.uid, other.location_id])
  expect(await codeOf(s.as(away).counterSales.proof({ invoice_id }))).toBe('NOT_FOUND')
  expect(await codeOf(s.as(await s.make.staff('coach')).counterSales.proof({ invoice_id }))).toBe('FORBIDDEN')
  // Still there once it is confirmed.
  await s.as(desk).counterSales.confirm({ invoice_id })
  expect((await s.as(desk).counterSales.proof({ invoice_id })).file.file_id).toBe(photo.file_id)
})

test('a transfer without one has none, and only a transfer takes one, of an own private image', async () => {
  const [ana, beto] = [await s.make.customer(), await s.make.customer()]
  const { sale } = await sell(ana.customer_id, transfer, null)
  expect(sale.payments[0]).toMatchObject({ has_proof: false })
  expect(await codeOf(s.as(desk).counterSales.proof({ invoice_id: sale.payments[0]?.invoice_ids[0] ?? 0 }))).toBe('NOT_FOUND')
  const wrong = { code: 'INVALID_INPUT', data: { field: 'payments.0.proof_file_id' } }
  const photo = await storedFiles(s, desk, await png())
  expect(await refusalOf(sell(ana.customer_id, cash, photo.file_id))).toMatchObject(wrong)
  expect(await refusalOf(sell(ana.customer_id, transfer, 999_999))).toMatchObject(wrong)
  expect(await refusalOf(sell(ana.customer_id, transfer, (await storedFiles(s, beto, await png())).file_id))).toMatchObject(wrong)
  const shown = await storedFiles(s, owner, await png(), 'logo.png', { is_public: true })
  expect(await refusalOf(sell(ana.customer_id, transfer, shown.file_id))).toMatchObject(wrong)
  expect(
    await s.sql('select 1 from sale_payment where proof_file_id is not null and amount_centavos = 9000 and state = $1', ['pending']),
  ).toEqual([])
})
