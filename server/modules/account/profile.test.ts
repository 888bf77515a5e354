/** The profile over HTTP (docs/domain.md, P7 to P13; S1-7.05 to S1-7.10, S1-7.14, S1-8.55, S2-2.16, S2-3.03 to S2-3.06, S2-7.41 to S2-7.45). */
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

const me = async (who: Person) => (await on.as(who).people.me()).customer
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

describe('my profile (P7, P8)', () => {
  it('changes what is sent and leaves the rest (S1-7.10)', async () => {
    const before = await me(ana)
    const { customer } = await on
      .as(ana)
      .people.update({ name: ' Ana María ', instagram: '@anam', birthdate: '1990-02-28', phone: '(551) 222-3344' })
    expect(customer).toEqual({ ...before, name: 'Ana María', instagram: '@anam', birthdate: '1990-02-28', phone: '5512223344' })
    expect(await me(ana)).toEqual(customer)
    expect((await on.as(ana).people.update({ instagram: null, birthdate: null })).customer).toMatchObject({
      instagram: null,
      birthdate: null,
      name: 'Ana María',
    })
    expect((await on.as(ana).people.update({})).customer.name).toBe('Ana María')
  })

  it('reads neither another’s id, nor the e-mail, nor the lists that come along (S2-3.05, S2-3.06)', async () => {
    const [before, theirs] = [await me(ana), await me(beto)]
    const body = {
      ...{
        customer_id: beto.customer_id,
        uid: 'otro',
        email: 'otra@ejemplo.mx',
        role: 'owner',
        is_frozen: true,
        deletedAt: '2020-01-01',
        createdAt: '2020-01-01',
      },
      ...{
        has_unlimited: true,
        unlimited_membership_expiration: '2030-01-01',
        customer_milestone: [1],
        class_reservations: [{ class_reservation_id: 1 }],
      },
      ...{
        available_classes: [{ balance: 99 }],
        online_accesses: [],
        accepted_pages: [{ page_id: 1 }],
        purchases: [{ purchase_id: 1 }],
        invoices: [],
      },
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

  it('the reason of one’s own stands beside "Otro" and nowhere else (S2-3.04)', async () => {
    const reasons = async (change: object) => {
      const { signup_reason, signup_reason_other } = (await on.as(ana).people.update(change)).customer
      return [signup_reason, signup_reason_other]
    }
    expect(await reasons({ signup_reason: 'Otro', signup_reason_other: 'Vi la puerta' })).toEqual(['Otro', 'Vi la puerta'])
    expect(await reasons({ name: 'Ana' })).toEqual(['Otro', 'Vi la puerta'])
    expect(await reasons({ signup_reason: 'Instagram', signup_reason_other: 'no se lee' })).toEqual(['Instagram', null])
    expect(await reasons({ signup_reason: null })).toEqual([null, null])
  })

  it('a phone that another customer has is refused; one’s own is not', async () => {
    const { phone } = await me(beto)
    expect(await refusalOf(on.as(ana).people.update({ phone: phone ?? '', name: 'No cambia' }))).toMatchObject({
      code: 'PHONE_IN_USE',
      status: 409,
    })
    expect((await me(ana)).name).not.toBe('No cambia')
    expect((await on.as(beto).people.update({ phone: phone ?? '' })).customer.phone).toBe(phone)
    const [cara, dani] = [await on.make.customer(), await on.make.customer()]
    const both = await Promise.allSettled([cara, dani].map((who) => on.as(who).people.update({ phone: '5544332211' })))
    expect(both.map((one) => (one.status === 'rejected' ? (one.reason as { code: string }).code : 'changed')).sort()).toEqual([
      'PHONE_IN_USE',
      'changed',
    ])
  })

  it('needs a customer', async () => {
    expect((await refusalOf(on.as(null).people.update({ name: 'x' }))).code).toBe('UNAUTHENTICATED')
    expect((await refusalOf(on.as(await on.make.account()).people.update({ name: 'x' }))).code).toBe('NO_CUSTOMER')
    expect((await refusalOf(on.as(reception).people.update({ name: 'x' }))).code).toBe('NO_CUSTOMER')
  })
})

describe('reception changes a customer (S1-7.09)', () => {
  it('by their id, with a trace of what was and what is', async () => {
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

  it('their e-mail too, while they have no account; afterwards it is the account’s', async () => {
    const { customer_id } = await on.as(reception).people.create({ name: 'Sin', last_name: 'Cuenta', email: 'sin@ejemplo.mx' })
    expect((await on.as(reception).people.update({ customer_id, email: 'Nueva@Ejemplo.mx' })).customer.email).toBe('nueva@ejemplo.mx')
    expect((await refusalOf(on.as(reception).people.update({ customer_id, email: ana.email }))).code).toBe('ACCOUNT_EXISTS')
    expect(await refusalOf(on.as(reception).people.update({ customer_id: ana.customer_id, email: 'otra@ejemplo.mx' }))).toMatchObject({
      code: 'INVALID_INPUT',
      data: { issues: [{ path: 'email' }] },
    })
    expect((await on.as(reception).people.update({ customer_id: ana.customer_id, email: ana.email })).customer.email).toBe(ana.email)
  })

  it('somebody of the staff who is also a customer changes their own profile without an id', async () => {
    const both = await on.make.customer()
    await on.sql(`insert into staff (uid, name, email, role) values ($1, 'Ambas', $2, 'reception')`, [both.uid, both.email])
    expect((await on.as(both).people.update({ name: 'Yo' })).customer).toMatchObject({ customer_id: both.customer_id, name: 'Yo' })
  })
})

describe('photo and identity document (S2-3.03)', () => {
  it('are uploaded first, shown with a link that opens, replaced and taken away', async () => {
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

  it('another’s file is not there, and a photo is an image', async () => {
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

describe('addresses (P13, S2-5.01 to S2-5.04)', () => {
  const home = { city: 'CDMX', state: 'Ciudad de México', country: 'México' }

  it('are made, read, changed and removed; Address_id decides which', async () => {
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
    expect((await calls.list()).addresses.map((one) => one.Address_id)).toEqual([second.Address_id, address.Address_id])
    on.clock.advance({ minutes: 1 })
    const changed = { ...address, neighborhood: 'Roma Norte', street: 'Tonalá' }
    expect((await calls.update({ Address_id: address.Address_id, neighborhood: 'Roma Norte' })).address).toEqual(changed)
    expect((await calls.one(address)).address).toEqual(changed)
    // The one saved last is the one for invoices.
    expect((await me(ana)).address).toEqual(changed)
    expect((await calls.create({ ...home, Address_id: address.Address_id, country: 'MX' })).address.country).toBe('MX')
    expect(await calls.remove(second)).toEqual({ ok: true })
    expect((await refusalOf(calls.remove(second))).code).toBe('NOT_FOUND')
    expect((await calls.list()).addresses).toHaveLength(1)
  })

  it('need city, state and country, each with its sentence, and nothing else', async () => {
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
    expect((await refusalOf(calls.update({ city: 'Puebla' } as never))).code).toBe('INVALID_INPUT')
  })

  it('of another customer do not exist for me, and nobody keeps more than twenty', async () => {
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

  it('the profile changes the one for invoices in place, and reception leaves a trace', async () => {
    const cara = await on.make.customer()
    const first = (await on.as(cara).people.update({ address: { ...home, street: 'Uno' } })).customer.address
    const second = (await on.as(reception).people.update({ customer_id: cara.customer_id, address: { ...home, street: 'Dos' } })).customer
      .address
    expect(second).toEqual({ ...first, street: 'Dos' })
    expect(await on.sql(`select 1 from audit where action = 'address.change' and entity_id = $1`, [String(cara.customer_id)])).toHaveLength(
      1,
    )
  })
})

describe('customers for staff (P11, S1-7.05, S1-7.06)', () => {
  it('are listed by name, found by any part of name, e-mail and phone, without minding accents', async () => {
    const one = await studio()
    const desk = one.as(await one.make.staff('reception'))
    for (const [name, last_name, phone] of [
      ['Zoé', 'Ñuñez', '5512340001'],
      ['álvaro', 'Peña', '5512340002'],
      ['Bruno 100%', 'O’Hara_x', '5512340003'],
    ] as const)
      await one.make.customer({ name, last_name, phone, email: `${phone}@correo.mx` })
    await one.make.customer({ name: 'Borrada', deletedAt: one.clock.now() })
    await desk.people.create({ name: 'Sin', last_name: 'Cuenta', email: 'sin@correo.mx' })
    const names = async (query?: string) =>
      (await desk.people.list(query === undefined ? {} : { query })).customers.map((found) => found.name)
    expect(await names()).toEqual(['Bruno 100%', 'Sin', 'Zoé', 'álvaro'])
    expect(await names('nunez zoe')).toEqual(['Zoé'])
    expect(await names('ALVARO')).toEqual(['álvaro'])
    expect(await names('(551) 234-0002')).toEqual(['álvaro'])
    expect(await names('correo.mx')).toHaveLength(4)
    expect(await names('100%')).toEqual(['Bruno 100%'])
    expect(await names('_x')).toEqual(['Bruno 100%'])
    expect(await names('%')).toEqual(['Bruno 100%'])
    expect(await names("' or 1=1 --")).toEqual([])
    expect((await desk.people.list({})).customers.map((found) => found.has_account)).toEqual([true, false, true, true])
    expect((await desk.people.query({ query: 'zoe' })).customers).toMatchObject([{ name: 'Zoé', phone: '5512340001' }])
    expect((await desk.people.query({ query: 'nadie' })).customers).toEqual([])
    await one.close()
  })

  it('stand 50 to a page, none twice and none lost; a search while typing answers ten', async () => {
    const one = await studio()
    await one.sql(
      `insert into customer (name, last_name, email) select 'Ana', 'X', 'ana' || i || '@correo.mx' from generate_series(1, 120) i`,
    )
    const desk = one.as(await one.make.staff('reception'))
    const pages = await Promise.all([1, 2, 3, 4].map((page) => desk.people.list({ page, query: 'ana' })))
    expect(pages.map((page) => page.customers.length)).toEqual([50, 50, 20, 0])
    expect(pages[0]).toMatchObject({ total: 120, pages: 3 })
    expect(new Set(pages.flatMap((page) => page.customers.map((found) => found.customer_id))).size).toBe(120)
    expect((await desk.people.query({ query: 'ana' })).customers).toHaveLength(10)
    for (const page of [0, -1, 100_000]) expect((await refusalOf(desk.people.list({ page }))).code).toBe('INVALID_INPUT')
    await one.close()
  })
})

describe('mails on request (P12)', () => {
  it('recovering answers the same for every address; the mail leaves from the queue, for accounts only (S1-7.14)', async () => {
    const one = await studio({ work: true })
    const cara = await one.make.customer()
    const answers = await Promise.all([cara.email.toUpperCase(), 'nadie@ejemplo.mx'].map((email) => one.as(null).people.recover({ email })))
    expect(answers).toEqual([{ ok: true }, { ok: true }])
    const mails = () => one.sql<{ to: string; subject: string }>('select "to", subject from mail_outbox')
    await expect.poll(mails, { timeout: 15_000 }).toHaveLength(1)
    expect((await mails())[0]).toMatchObject({ to: cara.email, subject: expect.stringContaining('contraseña') })
    for (const email of ['', 'nadie', 'a b@c.mx'])
      expect((await refusalOf(one.as(null).people.recover({ email }))).code).toBe('INVALID_INPUT')
    await one.close()
  })

  it('is sent five times an hour for one address, and whoever asks too often from one place is stopped', async () => {
    const one = await studio()
    for (let n = 0; n < 8; n++) expect(await one.as(null).people.recover({ email: 'ana@ejemplo.mx' })).toEqual({ ok: true })
    const [queued] = await one.sql<{ n: number }>(`select count(*)::int as n from jobs.job where data->>'job' = 'password-recovery'`)
    expect(queued?.n).toBe(5)
    for (let n = 0; n < 12; n++) await one.as(null).people.recover({ email: `ana${n}@ejemplo.mx` })
    expect(await refusalOf(one.as(null).people.recover({ email: 'otra@ejemplo.mx' }))).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      status: 429,
    })
    await one.close()
  })

  it('confirming an address mails a link, once it is proven no more (S1-8.55)', async () => {
    const one = await studio({ work: true })
    const { uid } = await one.studio.ports.identity.createAccount({ email: 'nueva@ejemplo.mx' })
    const nueva = { uid, email: 'nueva@ejemplo.mx', token: await one.studio.ports.identity.tokenFor(uid), customer_id: 0 }
    expect(await one.as(nueva).people.confirm()).toEqual({ sent: true })
    await expect
      .poll(() => one.sql('select "to", subject from mail_outbox'), { timeout: 15_000 })
      .toMatchObject([{ to: 'nueva@ejemplo.mx', subject: expect.stringContaining('Confirma') }])
    for (let n = 0; n < 4; n++) await one.as(nueva).people.confirm()
    expect((await refusalOf(one.as(nueva).people.confirm())).code).toBe('TOO_MANY_REQUESTS')
    expect(await one.as(await one.make.customer()).people.confirm()).toEqual({ sent: false })
    expect((await refusalOf(one.as(null).people.confirm())).code).toBe('UNAUTHENTICATED')
    await one.close()
  })

  it('a proven new address of the account becomes the customer’s, unless another customer has it (P9)', async () => {
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
})

describe('what the profile lacks (P10, S2-2.16)', () => {
  it('is name, last name, phone and e-mail always, and what the studio’s profile form demands', async () => {
    const one = await studio()
    const boss = one.as(await one.make.staff('owner'))
    const cara = await one.make.customer({ phone: null })
    const mine = () =>
      one
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
    await one.change({ profile_form_id: form.form_id })
    expect(await mine()).toEqual([
      { key: 'phone', label: 'Teléfono' },
      { key: 'emergencia', label: 'Contacto de emergencia' },
    ])
    expect(await refusalOf(one.as(cara).people.update({ phone: '5512340009', form_answers: { nota: 'x' } }))).toMatchObject({
      code: 'FORM_FIELD',
    })
    expect((await one.as(cara).people.me()).customer.phone).toBeNull()
    const { customer } = await one.as(cara).people.update({ phone: '5512340009', form_answers: { emergencia: 'Mamá 5500000000' } })
    expect(customer.missing).toEqual([])
    expect((await one.as(cara).forms.answers({ form_id: form.form_id })).answers).toEqual({ emergencia: 'Mamá 5500000000' })
    await one.close()
  })

  it('holds reservations while the studio asks for it: PROFILE_INCOMPLETE, until it is complete', async () => {
    const one = await studio({ settings: { profile_required_to_reserve: true } })
    const cara = await one.make.customer({ phone: null })
    const [cls] = [await one.make.class(), await one.make.lot(cara)]
    const { single_class_id } = cls
    expect(await refusalOf(one.as(cara).bookings.reserve({ single_class_id }))).toMatchObject({
      code: 'PROFILE_INCOMPLETE',
      status: 412,
      message: 'Debes completar tu información personal antes de reservar clases.',
      data: { issues: [{ path: 'phone', message: 'Teléfono' }] },
    })
    expect(await one.sql('select 1 from class_reservation')).toEqual([])
    await one.as(cara).people.update({ phone: '5512340010' })
    expect((await one.as(cara).bookings.reserve({ single_class_id })).class_reservation.status).toBe('Próxima')

    await one.change({ profile_required_to_reserve: false })
    const dani = await one.make.customer({ phone: null })
    await one.make.lot(dani)
    expect((await one.as(dani).bookings.reserve({ single_class_id })).class_reservation.status).toBe('Próxima')
    await one.close()
  })
})

describe('the form of sign-up', () => {
  it('is answered with it, or nothing is made (S2-4.30, P4)', async () => {
    const one = await studio()
    const boss = one.as(await one.make.staff('owner'))
    const { form } = await boss.forms.admin.forms.create({
      name: 'Registro',
      form_fields: [
        { key: 'meta', label: 'Meta', type: 'select', required: true, options: ['Fuerza', 'Calma'] },
        { key: 'estudio', label: 'Estudio médico', type: 'file', required: true },
      ],
    })
    await one.change({ signup_form_id: form.form_id })
    const account = async () => {
      const who = await one.make.account()
      return [
        who,
        { uid: who.uid, name: 'Nueva', last_name: 'Persona', phone: `55${String(10_000_000 + Math.floor(Math.random() * 89_999_999))}` },
      ] as const
    }
    const [half, ask] = await account()
    expect(await refusalOf(one.as(half).people.signup({ ...ask, form_answers: { meta: 'Fuerza' } }))).toMatchObject({
      code: 'FORM_FIELD',
      message: 'Revisa el campo: Estudio médico',
    })
    expect(await one.sql('select 1 from customer')).toEqual([])
    expect(await one.sql('select 1 from identity_account where uid = $1', [half.uid])).toEqual([])

    const [nueva, told] = await account()
    const [study, picture] = [
      await one.as(nueva).files.upload({ file: new File(['%PDF-1.4\n'], 'a.pdf') }),
      await one.as(nueva).files.upload({ file: await photo() }),
    ]
    expect(study.file.customer_id).toBeNull()
    const { customer } = await one
      .as(nueva)
      .people.signup({ ...told, file: { photo: picture }, form_answers: { meta: 'Calma', estudio: study } as never })
    expect(customer.file.photo?.file_id).toBe(picture.file_id)
    expect((await one.as(nueva).forms.answers({ form_id: form.form_id })).answers).toEqual({
      meta: 'Calma',
      estudio: { file_id: study.file_id },
    })
    expect((await one.as(nueva).files.one(study)).file.customer_id).toBe(customer.customer_id)
    await one.close()
  })

  it('with a reason of one’s own that says nothing is refused', async () => {
    const who = await on.make.account()
    const ask = { uid: who.uid, name: 'Nueva', last_name: 'Persona', phone: '5598765432', signup_reason: 'Otro' }
    expect((await refusalOf(on.as(who).people.signup(ask))).data).toEqual({
      issues: [{ path: 'signup_reason_other', message: 'Debes llenar este campo.' }],
    })
  })

  it('owner and reception see a customer’s whole profile, the customer their own', async () => {
    for (const who of [owner, reception])
      expect((await on.as(who).people.find({ customer_id: beto.customer_id })).customer).toMatchObject({
        customer_id: beto.customer_id,
        missing: [],
      })
  })
})
