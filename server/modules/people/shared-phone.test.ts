/** Relatives who share a telephone (docs/domain.md P19). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let desk: Person
beforeAll(async () => {
  s = await studio()
  desk = await s.make.staff('reception')
})
afterAll(() => s.close())

const create = (input: Parameters<ReturnType<TestStudio['as']>['people']['create']>[0]) => s.as(desk).people.create(input)
const phoneOf = async (customer_id: number) => (await s.as(desk).people.find({ customer_id })).customer.phone

test('a telephone in use is refused with its customer’s name, and a relative shares it', async () => {
  const phone = '5544001122'
  const lupita = await create({ name: 'Lupita', last_name: 'Ruiz', phone })
  const input = { name: 'Beto', last_name: 'Ruiz', phone }
  expect(await refusalOf(create(input))).toMatchObject({
    code: 'PHONE_IN_USE',
    data: { customer_id: lupita.customer_id, name: 'Lupita', last_name: 'Ruiz' },
  })
  const beto = await create({ ...input, shares_phone: true })
  const eva = await create({ ...input, name: 'Eva', shares_phone: true })
  expect(await Promise.all([beto, eva].map((customer) => phoneOf(customer.customer_id)))).toEqual([phone, phone])
  // Other data are changed as always, with the same telephone in the form.
  await s.as(desk).people.update({ customer_id: beto.customer_id, name: 'Roberto', phone })
  expect(await phoneOf(beto.customer_id)).toBe(phone)
  // A telephone that no other customer has is his own.
  await s.as(desk).people.update({ customer_id: beto.customer_id, phone: '5544001133' })
  expect(await codeOf(create({ name: 'Otro', last_name: 'Paz', phone: '5544001133' }))).toBe('PHONE_IN_USE')
  expect(await refusalOf(s.as(desk).people.update({ customer_id: beto.customer_id, phone }))).toMatchObject({
    code: 'PHONE_IN_USE',
    data: { customer_id: expect.any(Number), name: expect.any(String) },
  })
})

test('`shares_phone` with an unused telephone makes it an own one; only staff learn whose a telephone is', async () => {
  const phone = '5544001144'
  await create({ name: 'Solo', last_name: 'Paz', phone, shares_phone: true })
  expect(await codeOf(create({ name: 'Otra', last_name: 'Paz', phone }))).toBe('PHONE_IN_USE')
  const person = await s.make.account(`nueva.${randomUUID().slice(0, 8)}@ejemplo.mx`)
  const refused = await refusalOf(
    s.as(person).people.signup({ uid: person.uid, name: 'Nueva', last_name: 'Paz', phone, accepted_pages: [] }),
  )
  expect(refused).toMatchObject({ code: 'PHONE_IN_USE' })
  expect(JSON.stringify(refused.data ?? null)).not.toContain('Solo')
})
