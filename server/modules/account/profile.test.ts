/** The profile over HTTP (docs/domain.md P4, P7 to P10; S1-7.09, S1-7.10, S2-2.16, S2-3.03 to S2-3.06, S2-4.30). */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let on: TestStudio
let ana: Person
let beto: Person
let reception: Person
let owner: Person
beforeAll(async () => {
  on = await studio()
  ;[ana, beto] = [await on.make.customer(), await on.make.customer()]
  ;[reception, owner] = [await on.make.staff('reception'), await on.make.staff('owner')]
})
afterAll(() => on.close())

const me = async (person: Person) => (await on.as(person).people.me()).customer
const photo = async (name = 'yo.png') =>
  new File(
    [
      new Uint8Array(
        await sharp({ create: { width: 300, height: 300, channels: 3, background: '#f00' } })
          .png()
          .toBuffer(),
      ),
    ],
    name,
  )

describe('a customer’s phone (P5)', () => {
  it('a customer’s phone can be changed ten times an hour and twenty times a day, since the response reveals used phones', async () => {
    const ownStudio = await studio()
    const customer = await ownStudio.make.customer({ phone: '5599990000' })
    await ownStudio.make.customer({ phone: '5599990003' })
    const changePhone = (n: number) => ownStudio.as(customer).people.update({ phone: `55999900${String(n).padStart(2, '0')}` })
    const codes = async (from: number, many: number) => {
      const found: string[] = []
      for (let n = from; n < from + many; n++)
        found.push(
          await changePhone(n).then(
            () => 'ok',
            (error: { code: string }) => error.code,
          ),
        )
      return found
    }
    expect(await codes(1, 10)).toEqual(['ok', 'ok', 'PHONE_IN_USE', ...Array(7).fill('ok')])
    expect(await codes(11, 2)).toEqual(['TOO_MANY_REQUESTS', 'TOO_MANY_REQUESTS'])
    // Unchanged values need no right, and reception may send them.
    expect((await ownStudio.as(customer).people.update({ phone: '5599990010', name: 'Ana' })).customer).toMatchObject({ name: 'Ana' })
    const desk = ownStudio.as(await ownStudio.make.staff('reception'))
    await desk.people.update({ customer_id: customer.customer_id, phone: '5599990020' })
    ownStudio.clock.advance({ hours: 1 })
    expect(await codes(21, 11)).toEqual([...Array(10).fill('ok'), 'TOO_MANY_REQUESTS'])
    ownStudio.clock.advance({ hours: 1 })
    // Of the twenty of a day one is back every 72 minutes.
    expect(await codes(41, 2)).toEqual(['ok', 'TOO_MANY_REQUESTS'])
    ownStudio.clock.advance({ days: 1 })
    expect(await codes(43, 1)).toEqual(['ok'])
    await ownStudio.close()
  })
})

describe('the own profile (P7, P8)', () => {
  it('changes the given fields only (S1-7.10)', async () => {
    const before = await me(ana)
    const { customer } = await on
      .as(ana)
      .people.update({ name: ' Ana María ', instagram: '@anam', birthdate: '1990-02-28', phone: '(551) 222-3344' })
    expect(customer).toEqual({
      ...before,
      name: 'Ana María',
      instagram: '@anam',
      birthdate: '1990-02-28',
      phone: '5512223344',
      updatedAt: expect.any(String),
    })
    expect(await me(ana)).toEqual(customer)
    expect((await on.as(ana).people.update({ instagram: null, birthdate: null })).customer).toMatchObject({
      instagram: null,
      birthdate: null,
      name: 'Ana María',
    })
    expect((await on.as(ana).people.update({})).customer.name).toBe('Ana María')
  })

  it('the own profile has the language that the customer chose, one that the studio offers (G13)', async () => {
    const ownStudio = await studio()
    const [customer, desk] = [await ownStudio.make.customer(), await ownStudio.make.staff('reception')]
    const choose = (language: 'es-MX' | 'en' | null) => ownStudio.as(customer).people.update({ language })
    expect((await ownStudio.as(customer).people.me()).customer.language).toBeNull()
    expect(await refusalOf(choose('en'))).toMatchObject({ code: 'INVALID_INPUT', data: { issues: [{ path: 'language' }] } })
    await ownStudio.change({ languages: 'es-MX,en' })
    expect((await choose('en')).customer.language).toBe('en')
    expect(await refusalOf(ownStudio.as(customer).people.update({ language: 'fr' as never }))).toMatchObject({ code: 'INVALID_INPUT' })
    expect((await ownStudio.as(customer).people.update({ name: 'Ana' })).customer.language).toBe('en')
    // A studio that stops offering it keeps the choices.
    await ownStudio.change({ languages: 'es-MX' })
    expect((await ownStudio.as(customer).people.update({ name: 'Ana' })).customer.language).toBe('en')
    expect((await choose('es-MX')).customer.language).toBe('es-MX')
    await ownStudio.as(desk).people.update({ customer_id: customer.customer_id, language: null })
    expect((await ownStudio.as(customer).people.me()).customer.language).toBeNull()
    const changes = await ownStudio.sql(`select before, after from audit where action = 'customer.change'`)
    expect(changes).toEqual([{ before: { language: 'es-MX' }, after: { language: null } }])
    await ownStudio.close()
  })

  it('ignores another id, the email, and lists in the body (S2-3.05, S2-3.06)', async () => {
    const [before, theirs] = [await me(ana), await me(beto)]
    const body = {
      customer_id: beto.customer_id,
      uid: 'otro',
      email: 'otra@ejemplo.mx',
      role: 'owner',
      is_frozen: true,
      deletedAt: '2020-01-01',
      createdAt: '2020-01-01',
      has_unlimited: true,
      unlimited_membership_expiration: '2030-01-01',
      customer_milestone: [1],
      class_reservations: [{ class_reservation_id: 1 }],
      available_classes: [{ balance: 99 }],
      online_accesses: [],
      accepted_pages: [{ page_id: 1 }],
      purchases: [{ purchase_id: 1 }],
      invoices: [],
      last_name: 'Treviño Garza',
    }
    expect((await on.as(ana).people.update(body as never)).customer).toEqual({ ...before, last_name: 'Treviño Garza' })
    expect(await me(beto)).toEqual(theirs)
  })

  it.each([
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(81) }, 'name'],
    [{ name: 'Ana\u0007' }, 'name'],
    [{ phone: '123' }, 'phone'],
    [{ birthdate: '1990-02-30' }, 'birthdate'],
    [{ birthdate: '1799-01-01' }, 'birthdate'],
    [{ address: { city: 'CDMX', state: ' ', country: 'México' } }, 'address.state'],
    [{ file: { photo: { file_id: 0 } } }, 'file.photo.file_id'],
    [{ signup_reason: 'Otro' }, 'signup_reason_other'],
  ])('refuses %j and says where', async (change, path) => {
    const before = await me(ana)
    const no = await refusalOf(on.as(ana).people.update(change as never))
    expect([no.code, (no.data as { issues: { path: string }[] }).issues.map((issue) => issue.path)]).toEqual(['INVALID_INPUT', [path]])
    expect(await me(ana)).toEqual(before)
  })

  it('the free text of the sign-up reason is stored only with "Otro" (S2-3.04)', async () => {
    const reasons = async (change: object) => {
      const { signup_reason, signup_reason_other } = (await on.as(ana).people.update(change)).customer
      return [signup_reason, signup_reason_other]
    }
    expect(await reasons({ signup_reason: 'Otro', signup_reason_other: 'Vi la puerta' })).toEqual(['Otro', 'Vi la puerta'])
    expect(await reasons({ name: 'Ana' })).toEqual(['Otro', 'Vi la puerta'])
    expect(await reasons({ signup_reason: 'Instagram', signup_reason_other: 'no se lee' })).toEqual(['Instagram', null])
    expect(await reasons({ signup_reason: null })).toEqual([null, null])
  })

  it('a phone of another customer is refused; the own one is not', async () => {
    const { phone } = await me(beto)
    expect(await refusalOf(on.as(ana).people.update({ phone: phone ?? '', name: 'No cambia' }))).toMatchObject({
      code: 'PHONE_IN_USE',
      status: 409,
    })
    expect((await me(ana)).name).not.toBe('No cambia')
    expect((await on.as(beto).people.update({ phone: phone ?? '' })).customer.phone).toBe(phone)
    const [cara, dani] = [await on.make.customer(), await on.make.customer()]
    const both = await Promise.allSettled([cara, dani].map((person) => on.as(person).people.update({ phone: '5544332211' })))
    expect(both.map((result) => (result.status === 'rejected' ? (result.reason as { code: string }).code : 'changed')).sort()).toEqual([
      'PHONE_IN_USE',
      'changed',
    ])
  })

  it('a verified new email of the account is copied to the customer, unless another customer has it (P9)', async () => {
    const cara = await on.make.customer()
    await on.sql('update identity_account set email = $1 where uid = $2', ['cara.nueva@ejemplo.mx', cara.uid])
    const again = { ...cara, token: await on.studio.ports.identity.tokenFor(cara.uid) }
    expect((await me(again)).email).toBe('cara.nueva@ejemplo.mx')
    expect(await on.sql(`select before, after from audit where action = 'customer.email'`)).toEqual([
      { before: cara.email, after: 'cara.nueva@ejemplo.mx' },
    ])

    const dani = await on.make.customer()
    await on.as(reception).people.create({ name: 'X', last_name: 'X', email: 'apartado@ejemplo.mx' })
    await on.sql('update identity_account set email = $1 where uid = $2', ['apartado@ejemplo.mx', dani.uid])
    const token = await on.studio.ports.identity.tokenFor(dani.uid)
    expect((await me({ ...dani, token })).email).toBe(dani.email)
  })

  it('requires a customer', async () => {
    expect((await refusalOf(on.as(null).people.update({ name: 'x' }))).code).toBe('UNAUTHENTICATED')
    expect((await refusalOf(on.as(await on.make.account()).people.update({ name: 'x' }))).code).toBe('NO_CUSTOMER')
    expect((await refusalOf(on.as(reception).people.update({ name: 'x' }))).code).toBe('NO_CUSTOMER')
  })
})

describe('staff change a customer (S1-7.09)', () => {
  it('staff change a customer by id, with an audit row of before and after', async () => {
    const cara = await on.make.customer({ name: 'Cara', phone: '5511110000' })
    const { customer } = await on.as(reception).people.update({ customer_id: cara.customer_id, name: 'Carla', phone: '5511110000' })
    expect(customer).toMatchObject({ customer_id: cara.customer_id, name: 'Carla' })
    expect((await me(cara)).name).toBe('Carla')
    expect(
      await on.sql(`select actor, before, after from audit where action = 'customer.change' and entity_id = $1`, [
        String(cara.customer_id),
      ]),
    ).toEqual([{ actor: 'staff:reception', before: { name: 'Cara' }, after: { name: 'Carla' } }])
    expect((await refusalOf(on.as(reception).people.update({ customer_id: 2_000_000_000, name: 'x' }))).code).toBe('NOT_FOUND')
    const coach = await on.make.staff('coach')
    expect((await refusalOf(on.as(coach).people.update({ customer_id: cara.customer_id, name: 'x' }))).code).toBe('NO_CUSTOMER')
  })

  it('including the email while there is no account; afterwards only the account changes it', async () => {
    const { customer_id } = await on.as(reception).people.create({ name: 'Sin', last_name: 'Cuenta', email: 'sin@ejemplo.mx' })
    expect((await on.as(reception).people.update({ customer_id, email: 'Nueva@Ejemplo.mx' })).customer.email).toBe('nueva@ejemplo.mx')
    expect((await refusalOf(on.as(reception).people.update({ customer_id, email: ana.email }))).code).toBe('ACCOUNT_EXISTS')
    expect(await refusalOf(on.as(reception).people.update({ customer_id: ana.customer_id, email: 'otra@ejemplo.mx' }))).toMatchObject({
      code: 'INVALID_INPUT',
      data: { issues: [{ path: 'email' }] },
    })
    expect((await on.as(reception).people.update({ customer_id: ana.customer_id, email: ana.email })).customer.email).toBe(ana.email)
  })

  it('a staff member who is also a customer changes their own profile without an id', async () => {
    const both = await on.make.customer()
    await on.sql(`insert into staff (uid, name, email, role) values ($1, 'Ambas', $2, 'reception')`, [both.uid, both.email])
    expect((await on.as(both).people.update({ name: 'Yo' })).customer).toMatchObject({ customer_id: both.customer_id, name: 'Yo' })
  })
})

describe('photo and identity document (S2-3.03)', () => {
  it('photo and identity document are uploaded first, shown with a valid link, replaced and removed', async () => {
    const cara = await on.make.customer()
    const [first, second] = [
      await on.as(cara).files.upload({ file: await photo() }),
      await on.as(cara).files.upload({ file: await photo() }),
    ]
    const credential = await on.as(cara).files.upload({ file: new File(['%PDF-1.4\n'], 'ine.pdf') })
    const { customer } = await on.as(cara).people.update({ file: { photo: first, idAdjunto: credential } })
    expect(customer.file).toMatchObject({
      photo: { file_id: first.file_id, name: 'yo.png', type: 'image/png' },
      idAdjunto: { file_id: credential.file_id },
    })
    expect((await fetch(on.url + (customer.file.photo?.src ?? ''))).status).toBe(200)
    expect((await fetch(on.url + (customer.file.photo?.thumbnail ?? ''))).status).toBe(200)
    expect((await refusalOf(on.as(cara).files.remove(first))).code).toBe('IN_USE')
    expect((await on.as(cara).people.update({ file: { photo: second } })).customer.file).toMatchObject({
      photo: { file_id: second.file_id },
      idAdjunto: { file_id: credential.file_id },
    })
    expect((await refusalOf(on.as(cara).files.one(first))).code).toBe('NOT_FOUND')
    expect((await on.as(cara).people.update({ file: { photo: null } })).customer.file.photo).toBeNull()
    expect((await on.as(reception).people.find({ customer_id: cara.customer_id })).customer.file.idAdjunto?.file_id).toBe(
      credential.file_id,
    )
  })

  it('another customer’s file is not found, and a photo must be an image', async () => {
    const [mine, pdf] = [
      await on.as(ana).files.upload({ file: await photo() }),
      await on.as(beto).files.upload({ file: new File(['%PDF-1.4\n'], 'a.pdf') }),
    ]
    expect((await refusalOf(on.as(beto).people.update({ file: { photo: mine } }))).code).toBe('NOT_FOUND')
    expect(await refusalOf(on.as(beto).people.update({ file: { photo: pdf } }))).toMatchObject({
      code: 'INVALID_INPUT',
      data: { issues: [{ path: 'file.photo' }] },
    })
    expect((await me(beto)).file).toEqual({ photo: null, idAdjunto: null })
  })
})

describe('missing profile fields (P10, S2-2.16)', () => {
  it('the missing profile fields are name, last name, phone and email, and the required fields of the studio’s profile form', async () => {
    const ownStudio = await studio()
    const boss = ownStudio.as(await ownStudio.make.staff('owner'))
    const cara = await ownStudio.make.customer({ phone: null })
    const mine = () =>
      ownStudio
        .as(cara)
        .people.me()
        .then(({ customer }) => customer.missing)
    expect(await mine()).toEqual([{ key: 'phone', label: 'Teléfono' }])
    const { form } = await boss.forms.admin.forms.create({
      name: 'Perfil',
      form_fields: [
        { key: 'emergencia', label: 'Contacto de emergencia', type: 'text', required: true },
        { key: 'nota', label: 'Nota', type: 'textarea' },
      ],
    })
    await ownStudio.change({ profile_form_id: form.form_id })
    expect(await mine()).toEqual([
      { key: 'phone', label: 'Teléfono' },
      { key: 'emergencia', label: 'Contacto de emergencia' },
    ])
    expect(await refusalOf(ownStudio.as(cara).people.update({ phone: '5512340009', form_answers: { nota: 'x' } }))).toMatchObject({
      code: 'FORM_FIELD',
    })
    expect((await ownStudio.as(cara).people.me()).customer.phone).toBeNull()
    const { customer } = await ownStudio.as(cara).people.update({ phone: '5512340009', form_answers: { emergencia: 'Mamá 5500000000' } })
    expect(customer.missing).toEqual([])
    expect((await ownStudio.as(cara).forms.answers({ form_id: form.form_id })).answers).toEqual({ emergencia: 'Mamá 5500000000' })
    await ownStudio.close()
  })

  it('block reservations while the studio requires a complete profile: PROFILE_INCOMPLETE', async () => {
    const ownStudio = await studio({ settings: { profile_required_to_reserve: true } })
    const cara = await ownStudio.make.customer({ phone: null })
    const [cls] = [await ownStudio.make.class(), await ownStudio.make.lot(cara)]
    const { single_class_id } = cls
    expect(await refusalOf(ownStudio.as(cara).bookings.reserve({ single_class_id }))).toMatchObject({
      code: 'PROFILE_INCOMPLETE',
      status: 412,
      message: 'Debes completar tu información personal antes de reservar clases.',
      data: { issues: [{ path: 'phone', message: 'Teléfono' }] },
    })
    expect(await ownStudio.sql('select 1 from class_reservation')).toEqual([])
    await ownStudio.as(cara).people.update({ phone: '5512340010' })
    expect((await ownStudio.as(cara).bookings.reserve({ single_class_id })).class_reservation.status).toBe('Próxima')

    await ownStudio.change({ profile_required_to_reserve: false })
    const dani = await ownStudio.make.customer({ phone: null })
    await ownStudio.make.lot(dani)
    expect((await ownStudio.as(dani).bookings.reserve({ single_class_id })).class_reservation.status).toBe('Próxima')
    await ownStudio.close()
  })
})

describe('the sign-up form', () => {
  it('the sign-up form is answered in the sign-up, otherwise nothing is created (S2-4.30, P4)', async () => {
    const ownStudio = await studio()
    const boss = ownStudio.as(await ownStudio.make.staff('owner'))
    const { form } = await boss.forms.admin.forms.create({
      name: 'Registro',
      form_fields: [
        { key: 'meta', label: 'Meta', type: 'select', required: true, options: ['Fuerza', 'Calma'] },
        { key: 'estudio', label: 'Estudio médico', type: 'file', required: true },
      ],
    })
    await ownStudio.change({ signup_form_id: form.form_id })
    const account = async () => {
      const person = await ownStudio.make.account()
      return [
        person,
        { uid: person.uid, name: 'Nueva', last_name: 'Persona', phone: `55${String(10_000_000 + Math.floor(Math.random() * 89_999_999))}` },
      ] as const
    }
    const [half, fields] = await account()
    expect(await refusalOf(ownStudio.as(half).people.signup({ ...fields, form_answers: { meta: 'Fuerza' } }))).toMatchObject({
      code: 'FORM_FIELD',
      message: 'Revisa el campo: Estudio médico',
    })
    expect(await ownStudio.sql('select 1 from customer')).toEqual([])
    expect(await ownStudio.sql('select 1 from identity_account where uid = $1', [half.uid])).toEqual([])

    const [nueva, signup] = await account()
    const [study, picture] = [
      await ownStudio.as(nueva).files.upload({ file: new File(['%PDF-1.4\n'], 'a.pdf') }),
      await ownStudio.as(nueva).files.upload({ file: await photo() }),
    ]
    expect(study.file.customer_id).toBeNull()
    const { customer } = await ownStudio
      .as(nueva)
      .people.signup({ ...signup, file: { photo: picture }, form_answers: { meta: 'Calma', estudio: study } as never })
    expect(customer.file.photo?.file_id).toBe(picture.file_id)
    expect((await ownStudio.as(nueva).forms.answers({ form_id: form.form_id })).answers).toEqual({
      meta: 'Calma',
      estudio: { file_id: study.file_id },
    })
    expect((await ownStudio.as(nueva).files.one(study)).file.customer_id).toBe(customer.customer_id)
    await ownStudio.close()
  })

  it('with an empty free-text reason is refused', async () => {
    const person = await on.make.account()
    const input = { uid: person.uid, name: 'Nueva', last_name: 'Persona', phone: '5598765432', signup_reason: 'Otro' }
    expect((await refusalOf(on.as(person).people.signup(input))).data).toEqual({
      issues: [{ path: 'signup_reason_other', message: 'Debes llenar este campo.' }],
    })
  })

  it('owner and reception see a customer’s whole profile, customers only their own', async () => {
    for (const person of [owner, reception])
      expect((await on.as(person).people.find({ customer_id: beto.customer_id })).customer).toMatchObject({
        customer_id: beto.customer_id,
        missing: [],
      })
  })
})
