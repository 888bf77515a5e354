/** People over HTTP: staff, telephones, the caller (docs/domain.md, "People"). Sign-up is in account's tests. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let on: TestStudio
beforeAll(async () => {
  on = await studio()
})
afterAll(() => on.close())

describe('whether a phone is in use (P5, settled 11)', () => {
  it('answers yes or no, for every notation of the number, without a name', async () => {
    await on.make.customer({ phone: '5512345678' })
    for (const phone of ['5512345678', '(551) 234-5678', '551.234.5678'])
      expect(await on.as(null).people.phone({ phone })).toEqual({ in_use: true })
    expect(await on.as(null).people.phone({ phone: '5500000000' })).toEqual({ in_use: false })
  })

  it('a deleted customer’s number is free again', async () => {
    await on.make.customer({ phone: '5512345679', deletedAt: on.clock.now() })
    expect(await on.as(null).people.phone({ phone: '5512345679' })).toEqual({ in_use: false })
  })

  it.each(['', '55', 'abc', '551234567890123', "5512345678' or 1=1", '55 1234 5678 ext 9'])('"%s" is no phone', async (phone) => {
    const { code, status } = await refusalOf(on.as(null).people.phone({ phone }))
    expect([code, status]).toEqual(['INVALID_INPUT', 400])
  })

  it('the check whether a phone is in use is limited to ten requests a minute and a hundred a day per address', async () => {
    const ownStudio = await studio()
    const input = () => ownStudio.as(null).people.phone({ phone: '5500000000' })
    for (let i = 0; i < 10; i++) await input()
    expect(await refusalOf(input())).toMatchObject({ code: 'TOO_MANY_REQUESTS', status: 429, data: { retry_after: expect.any(Number) } })
    ownStudio.clock.advance({ minutes: 1 })
    await input()
    for (let minute = 0; minute < 9; minute++) {
      ownStudio.clock.advance({ minutes: 1 })
      for (let i = 0; i < 10; i++) await input().catch(() => {})
    }
    ownStudio.clock.advance({ minutes: 1 })
    expect((await refusalOf(input())).code).toBe('TOO_MANY_REQUESTS')
    ownStudio.clock.advance({ days: 1 })
    expect(await input()).toEqual({ in_use: false })
    await ownStudio.close()
  })
})

describe('refuses a link as a name', () => {
  // Mails greet by name, and the address of a sign-up may belong to another person.
  it.each(['Gana en http://evil.example', 'Entra a www.premio', 'Premio.com', 'Visita premio.mx ya', 'a@evil.example', 'ftp://x'])(
    '"%s" is refused',
    async (name) => {
      const ana = await on.make.customer()
      for (const change of [{ name }, { last_name: name }])
        expect(await refusalOf(on.as(ana).people.update(change))).toMatchObject({
          code: 'INVALID_INPUT',
          data: { issues: [{ message: 'Escribe un nombre, sin direcciones de internet.' }] },
        })
    },
  )

  it.each(['Ma.Elena', 'Ma. del Carmen', 'José-Luis', "D'Angelo", 'Ana (Nani)', 'Jr.', 'Ñ', '王芳', 'Mª José', 'Dr. Comas'])(
    '"%s" is a name',
    async (name) => {
      const ana = await on.make.customer()
      expect((await on.as(ana).people.update({ name, last_name: name })).customer).toMatchObject({ name, last_name: name })
    },
  )
})

describe('staff create a customer (P3)', () => {
  it('staff create a customer once per email and phone, case-insensitive, audited', async () => {
    const reception = await on.make.staff('reception')
    const customer = await on
      .as(reception)
      .people.create({ name: 'Iván', last_name: 'Güereña', email: 'Ivan@Correo.example', phone: '5511112222' })
    expect(await on.sql('select uid, email, phone from customer where customer_id = $1', [customer.customer_id])).toEqual([
      { uid: null, email: 'ivan@correo.example', phone: '5511112222' },
    ])
    const again = { name: 'Otro', last_name: 'Iván', phone: null }
    expect((await refusalOf(on.as(reception).people.create({ ...again, email: 'IVAN@correo.example' }))).code).toBe('ACCOUNT_EXISTS')
    expect((await refusalOf(on.as(reception).people.create({ ...again, email: 'otro@correo.example', phone: '5511112222' }))).code).toBe(
      'PHONE_IN_USE',
    )
    expect(
      await on.sql(`select actor, action from audit where entity = 'customer' and entity_id = $1`, [String(customer.customer_id)]),
    ).toEqual([{ actor: 'staff:reception', action: 'customer.create' }])
  })

  it('two concurrent requests create one customer', async () => {
    const reception = await on.make.staff('reception')
    const input = { name: 'Sofía', last_name: 'Peñafiel', email: 'sofia@correo.example', phone: null }
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => on.as(reception).people.create(input)))
    expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1)
    for (const answer of answers)
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'ACCOUNT_EXISTS', status: 409 })
  })

  it('creating a customer is for reception and the owner', async () => {
    const input = { name: 'X', last_name: 'Y', email: 'x@correo.example', phone: null }
    const [coach, owner, customer] = [await on.make.staff('coach'), await on.make.staff('owner'), await on.make.customer()]
    expect((await refusalOf(on.as(null).people.create(input))).code).toBe('UNAUTHENTICATED')
    for (const person of [coach, customer]) expect((await refusalOf(on.as(person).people.create(input))).code).toBe('FORBIDDEN')
    expect((await on.as(owner).people.create(input)).customer_id).toBeGreaterThan(0)
  })

  it('finds customers; unknown and deleted ones are not found, and invalid ids are refused', async () => {
    const reception = await on.make.staff('reception')
    const ana = await on.make.customer({ name: 'Ana Sofía' })
    const deletedCustomer = await on.make.customer({ deletedAt: on.clock.now() })
    expect((await on.as(reception).people.find({ customer_id: ana.customer_id })).customer).toMatchObject({
      name: 'Ana Sofía',
      uid: ana.uid,
      role: null,
    })
    for (const customer_id of [deletedCustomer.customer_id, 2_000_000_000])
      expect((await refusalOf(on.as(reception).people.find({ customer_id }))).code).toBe('NOT_FOUND')
    for (const bad of ['-1', '0', '1.5', '9999999999', 'uno', '1%20or%201=1']) {
      const answer = await fetch(`${on.url}/api/customer/admin/${bad}`, { headers: { authorization: `Bearer ${reception.token}` } })
      expect([bad, answer.status, ((await answer.json()) as { code: string }).code]).toEqual([bad, 400, 'INVALID_INPUT'])
    }
    expect((await refusalOf(on.as(ana).people.find({ customer_id: ana.customer_id }))).code).toBe('FORBIDDEN')
  })
})

describe('the caller (P1)', () => {
  it('the caller can be customer and staff at once, and a disabled staff member is only a customer', async () => {
    const ana = await on.make.customer()
    await on.sql(`insert into staff (uid, name, email, role) values ($1, 'Ana', $2, 'reception')`, [ana.uid, ana.email])
    expect((await on.as(ana).people.me()).customer.role).toBe('reception')
    expect((await on.as(ana).people.find({ customer_id: ana.customer_id })).customer.role).toBe('reception')
    const beto = await on.make.customer()
    await on.sql(`insert into staff (uid, name, email, role, "disabledAt") values ($1, 'Beto', $2, 'owner', now())`, [beto.uid, beto.email])
    expect((await on.as(beto).people.me()).customer.role).toBeNull()
    expect((await refusalOf(on.as(beto).people.find({ customer_id: beto.customer_id }))).code).toBe('FORBIDDEN')
  })

  it('without a customer is asked to complete the sign-up', async () => {
    const account = await on.make.account()
    expect(await refusalOf(on.as(account).people.me())).toMatchObject({ code: 'NO_CUSTOMER', status: 404 })
    expect((await refusalOf(on.as(account).people.me())).data).toEqual({})
    expect((await refusalOf(on.as(null).people.me())).code).toBe('UNAUTHENTICATED')
  })

  it('who is staff without a customer can sign up with the same account, and no failure deletes it', async () => {
    const coach = await on.make.staff('coach')
    expect(await refusalOf(on.as(coach).people.me())).toMatchObject({ code: 'NO_CUSTOMER', data: { role: 'coach' } })
    const signup = { uid: coach.uid, name: 'Lucía', last_name: 'Sáenz', accepted_pages: [] }
    const takenPhone = (await on.as(await on.make.customer()).people.me()).customer.phone ?? ''
    expect((await refusalOf(on.as(coach).people.signup({ ...signup, phone: takenPhone }))).code).toBe('PHONE_IN_USE')
    await on.as(coach).people.signup({ ...signup, phone: '5598761234' })
    expect((await on.as(coach).people.me()).customer).toMatchObject({ name: 'Lucía', role: 'coach' })
  })
})
