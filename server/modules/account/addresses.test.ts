/** The addresses of a customer over HTTP (docs/domain.md P13; S2-5.01 to S2-5.04, S2-7.41 to S2-7.45). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let on: TestStudio
let ana: Person
let beto: Person
let reception: Person
beforeAll(async () => {
  on = await studio()
  ;[ana, beto, reception] = [await on.make.customer(), await on.make.customer(), await on.make.staff('reception')]
})
afterAll(() => on.close())

const home = { city: 'CDMX', state: 'Ciudad de México', country: 'México' }

test('addresses are created, read, changed and removed; Address_id decides which', async () => {
  const calls = on.as(ana).people.addresses
  expect((await calls.list()).addresses).toEqual([])
  const { address } = await calls.create({ ...home, street: 'Tonalá', number: '118', interior_number: '', Address_id: 'nueva' })
  expect(address).toEqual({
    ...home,
    Address_id: address.Address_id,
    street: 'Tonalá',
    number: '118',
    interior_number: null,
    neighborhood: null,
    zip_code: null,
  })
  on.clock.advance({ minutes: 1 })
  const second = (await calls.create({ ...home, city: 'Puebla' })).address
  expect((await calls.list()).addresses.map((address) => address.Address_id)).toEqual([second.Address_id, address.Address_id])
  on.clock.advance({ minutes: 1 })
  const changed = { ...address, neighborhood: 'Roma Norte', street: 'Tonalá' }
  expect((await calls.update({ Address_id: address.Address_id, neighborhood: 'Roma Norte' })).address).toEqual(changed)
  expect((await calls.one(address)).address).toEqual(changed)
  // The one saved last is the one for invoices.
  expect((await on.as(ana).people.me()).customer.address).toEqual(changed)
  expect((await calls.create({ ...home, Address_id: address.Address_id, country: 'MX' })).address.country).toBe('MX')
  expect(await calls.remove(second)).toEqual({ ok: true })
  expect((await refusalOf(calls.remove(second))).code).toBe('NOT_FOUND')
  expect((await calls.list()).addresses).toHaveLength(1)
})

test('addresses require city, state and country, each with its message, and nothing else', async () => {
  const calls = on.as(beto).people.addresses
  for (const body of [{}, { city: '', state: ' ', country: '' }, { city: null, state: 5, country: undefined }]) {
    const no = await refusalOf(calls.create(body as never))
    expect(no.data).toEqual({
      issues: [
        { path: 'city', message: 'Debes agregar tu ciudad.' },
        { path: 'state', message: 'Debes agregar tu estado.' },
        { path: 'country', message: 'Debes agregar tu país.' },
      ],
    })
  }
  const { Address_id } = (await calls.create(home)).address
  expect((await refusalOf(calls.update({ Address_id, city: '' }))).data).toEqual({
    issues: [{ path: 'city', message: 'Debes agregar tu ciudad.' }],
  })
  for (const body of [{ city: 'Puebla' }, home, { ...home, Address_id: 'nueva' }])
    expect((await refusalOf(calls.update(body))).data).toEqual({ issues: [{ path: 'Address_id', message: 'Falta decir cuál.' }] })
  expect((await calls.list()).addresses).toHaveLength(1)
})

test('another customer’s addresses are not found, and a customer has at most twenty', async () => {
  const { Address_id } = (await on.as(beto).people.addresses.create(home)).address
  const calls = on.as(ana).people.addresses
  expect((await refusalOf(calls.one({ Address_id }))).code).toBe('NOT_FOUND')
  expect((await refusalOf(calls.update({ Address_id, city: 'Mía' }))).code).toBe('NOT_FOUND')
  expect((await refusalOf(calls.create({ ...home, Address_id }))).code).toBe('NOT_FOUND')
  expect((await refusalOf(calls.remove({ Address_id }))).code).toBe('NOT_FOUND')
  expect((await on.as(beto).people.addresses.one({ Address_id })).address.city).toBe('CDMX')
  const cara = on.as(await on.make.customer()).people.addresses
  for (let n = 0; n < 20; n++) await cara.create(home)
  expect((await refusalOf(cara.create(home))).code).toBe('INVALID_INPUT')
})

test('the profile changes the billing address in place, and changes by staff are audited', async () => {
  const cara = await on.make.customer()
  const first = (await on.as(cara).people.update({ address: { ...home, street: 'Uno' } })).customer.address
  const second = (await on.as(reception).people.update({ customer_id: cara.customer_id, address: { ...home, street: 'Dos' } })).customer
    .address
  expect(second).toEqual({ ...first, street: 'Dos' })
  expect(await on.sql(`select 1 from audit where action = 'address.change' and entity_id = $1`, [String(cara.customer_id)])).toHaveLength(1)
})
