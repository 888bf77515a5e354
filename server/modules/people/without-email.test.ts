/** A customer whom staff created by telephone, without an email (docs/domain.md P3). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'

let s: TestStudio
let reception: Person
beforeAll(async () => {
  s = await studio({ settings: { cash_session_required: false } })
  reception = await s.make.staff('reception')
})
afterAll(() => s.close())

const desk = () => s.as(reception, randomUUID())
let phones = 0
const phone = () => `55100${String(++phones).padStart(5, '0')}`

test('an email or a telephone is needed, and each belongs to one customer (P3)', async () => {
  const number = phone()
  const { customer_id } = await desk().people.create({ name: 'Luz', last_name: 'Nava', phone: number })
  expect(await refusalOf(desk().people.create({ name: 'Luz', last_name: 'Nava' }))).toMatchObject({
    code: 'INVALID_INPUT',
    data: { issues: [{ path: 'phone' }] },
  })
  expect(await refusalOf(desk().people.create({ name: 'Otra', last_name: 'Luz', phone: number }))).toMatchObject({ code: 'PHONE_IN_USE' })
  await desk().people.create({ name: 'Luz', last_name: 'Nava', phone: phone(), email: null })
  expect((await desk().people.find({ customer_id: String(customer_id) })).customer).toMatchObject({ email: null, phone: number, uid: '' })
  const { customers } = await desk().people.query({ query: `nava ${number}` })
  expect(customers).toMatchObject([{ customer_id, email: null }])
})

test('they buy, reserve, are marked and get a receipt; nothing is sent by mail, and no job fails (P3)', async () => {
  const { customer_id } = await desk().people.create({ name: 'Irma', last_name: 'Rojo', phone: phone() })
  const { class_package_id } = await s.make.package({ price_centavos: 40_000 })
  const method = await s.make.paymentMethod({ name: 'Terminal bancaria' })
  const { location_id } = await s.make.location()
  const { purchase } = await desk().studioSales.giveAccess({
    customer_id,
    class_package_id,
    payment_method_id: method.payment_method_id,
    location_id,
  })
  const cls = await s.make.class({ location_id })
  const { class_reservation } = await desk().attendance.reserve({ customer_id, single_class_id: cls.single_class_id })
  await s.as(await s.make.staff('manager'), randomUUID()).schedule.cancel({ single_class_id: cls.single_class_id, reason: 'Fuga de agua' })
  await doJobs(s)
  expect(class_reservation).toMatchObject({ name: 'Irma', email: null })
  expect(
    await s.sql(`select name from jobs.job where state in ('failed', 'retry') or output is not null and state <> 'completed'`),
  ).toEqual([])
  expect(
    await s.sql(`select channel from message where customer_id = $1 and channel = 'mail' and status in ('sent', 'queued')`, [customer_id]),
  ).toEqual([])
  const { purchases } = await desk().studioSales.purchases({ query: 'irma' })
  expect(purchases).toMatchObject([{ purchase_id: purchase.purchase_id, customer: { email: null } }])
  const receipt = await desk().studioSales.receipt({ purchase_id: purchase.purchase_id })
  expect(receipt).toBeTruthy()
})

test('staff add an unused email; with it the person signs up and keeps what they had (P3)', async () => {
  const { customer_id } = await desk().people.create({ name: 'Nora', last_name: 'Gil', phone: phone() })
  const other = await s.make.customer()
  // The refusal names the other customer, whom staff can open or merge.
  const owner = { customer_id: other.customer_id, name: expect.any(String), last_name: expect.any(String) }
  expect(await refusalOf(desk().people.update({ customer_id, email: other.email }))).toMatchObject({ code: 'ACCOUNT_EXISTS', data: owner })
  const email = `nora.${randomUUID().slice(0, 8)}@correo.test`
  await desk().people.update({ customer_id, email: email.toUpperCase() })
  expect((await desk().people.find({ customer_id: String(customer_id) })).customer.email).toBe(email)
})
