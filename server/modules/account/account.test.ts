/** Sign-up and "me" over HTTP (docs/domain.md, "People"; checklist S1-4.37, S1-5.06, S1-5.11, S1-7.08, S1-8.05, S1-8.06). */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let on: TestStudio
let n = 0
beforeAll(async () => {
  on = await studio({ work: true })
})
afterAll(() => on.close())
beforeEach(() => {
  n++
})

const signupInput = (person: Person, more: object = {}) => ({
  uid: person.uid,
  name: ' Ana Sofía ',
  last_name: 'Treviño',
  phone: `55${String(10_000_000 + n)}`,
  ...more,
})

/** A customer whose address is not verified yet: the state after the identity service's sign-up. */
async function fresh(email: string, emailVerified = false): Promise<Person> {
  const { uid } = await on.studio.ports.identity.createAccount({ email, emailVerified })
  return { uid, email, token: await on.studio.ports.identity.tokenFor(uid), customer_id: 0 }
}
const accountExists = async (person: Person) => (await on.sql('select 1 from identity_account where uid = $1', [person.uid])).length === 1
const customersOf = (email: string) =>
  on.sql<{ customer_id: number; uid: string | null; name: string }>('select customer_id, uid, name from customer where email = $1', [email])

describe('sign-up (P2, S1-7.08)', () => {
  it('creates the customer with the given data and acceptances', async () => {
    const ownStudio = await studio()
    const terms = await ownStudio.make.page({ required_signup: true, version: 3 })
    const privacyNotice = await ownStudio.make.page({ required: true })
    const plain = await ownStudio.make.page()
    const account = await ownStudio.make.account('Nueva@Correo.example')
    const { customer } = await ownStudio.as(account).people.signup({
      ...signupInput(account, {
        phone: '(551) 222-3333',
        birthdate: '1990-02-28',
        instagram: '@ana',
        signup_reason: 'Otro',
        signup_reason_other: 'Pasé por aquí',
      }),
      accepted_pages: [terms.page_id, privacyNotice.page_id, plain.page_id, 2_000_000],
    })
    expect(customer).toMatchObject({
      uid: account.uid,
      name: 'Ana Sofía',
      last_name: 'Treviño',
      email: 'nueva@correo.example',
      phone: '5512223333',
      birthdate: '1990-02-28',
      instagram: '@ana',
      signup_reason: 'Otro',
      signup_reason_other: 'Pasé por aquí',
      has_unlimited: false,
      purchases: [],
      role: null,
      accepted_pages: [{ page_id: terms.page_id }, { page_id: privacyNotice.page_id }],
    })
    expect(await ownStudio.sql('select page_id, version from accepted_page order by page_id')).toEqual([
      { page_id: terms.page_id, version: 3 },
      { page_id: privacyNotice.page_id, version: 1 },
    ])
    expect(await ownStudio.as(account).people.me()).toEqual({ customer })
    await ownStudio.close()
  })

  it('sign-up is refused while a required document is not accepted, names it, and leaves no account without a customer (S1-5.06, P4)', async () => {
    const ownStudio = await studio()
    const terms = await ownStudio.make.page({ title: 'Términos y condiciones', required_signup: true })
    const account = await ownStudio.make.account()
    expect(await refusalOf(ownStudio.as(account).people.signup(signupInput(account)))).toMatchObject({
      code: 'DOCUMENTS_REQUIRED',
      status: 412,
      message: 'Debes aceptar los términos y condiciones antes de continuar.',
      data: { page_id: terms.page_id, title: 'Términos y condiciones' },
    })
    expect(await ownStudio.sql('select 1 from customer')).toEqual([])
    expect(await ownStudio.sql('select 1 from identity_account')).toEqual([])
    await ownStudio.close()
  })

  it('sign-up is forbidden with another account’s uid, and changes neither account', async () => {
    const [ana, beto] = [await on.make.account(), await on.make.account()]
    expect(await refusalOf(on.as(ana).people.signup(signupInput(beto)))).toMatchObject({ code: 'FORBIDDEN', status: 403 })
    expect(await accountExists(ana)).toBe(true)
    expect(await accountExists(beto)).toBe(true)
    expect(await customersOf(ana.email)).toEqual([])
  })

  it('without a token is refused', async () => {
    const ana = await on.make.account()
    expect((await refusalOf(on.as(null).people.signup(signupInput(ana)))).code).toBe('UNAUTHENTICATED')
  })

  it('when repeated returns the same customer unchanged', async () => {
    const ana = await on.make.account()
    const first = await on.as(ana).people.signup(signupInput(ana))
    const second = await on.as(ana).people.signup(signupInput(ana, { name: 'Otra', phone: '5599999999' }))
    expect(second).toEqual(first)
    expect(await accountExists(ana)).toBe(true)
  })

  it('twenty times concurrently creates one customer and keeps the account', async () => {
    const ana = await on.make.account()
    const answers = await Promise.all(Array.from({ length: 20 }, () => on.as(ana).people.signup(signupInput(ana))))
    expect(new Set(answers.map(({ customer }) => customer.customer_id)).size).toBe(1)
    expect(await customersOf(ana.email)).toHaveLength(1)
    expect(await accountExists(ana)).toBe(true)
  })

  it.each([
    ['no name', { name: '  ' }],
    ['a name of 81 letters', { name: 'a'.repeat(81) }],
    ['a control character', { last_name: 'Tre\u0007viño' }],
    ['no phone', { phone: '' }],
    ['a short phone', { phone: '551234' }],
    ['a birthday that does not exist', { birthdate: '1990-02-30' }],
    ['a page that is no id', { accepted_pages: [1.5] }],
    ['a negative page', { accepted_pages: [-1] }],
    ['far too many pages', { accepted_pages: Array.from({ length: 51 }, (_, i) => i + 1) }],
  ])('%s is refused before anything happens', async (_, wrong) => {
    const ana = await on.make.account()
    expect(await refusalOf(on.as(ana).people.signup(signupInput(ana, wrong) as never))).toMatchObject({
      code: 'INVALID_INPUT',
      status: 400,
    })
    expect(await customersOf(ana.email)).toEqual([])
  })
})

describe('an email or a phone in use', () => {
  it('a used phone is refused, leaves no account without a customer, and another phone works afterwards (S1-5.11, S1-8.05, P4)', async () => {
    const other = await on.make.customer({ phone: '5533334444' })
    const ana = await fresh('ana.telefono@correo.example')
    expect(await refusalOf(on.as(ana).people.signup(signupInput(ana, { phone: '5533334444' })))).toMatchObject({
      code: 'PHONE_IN_USE',
      status: 409,
      message: 'Ya existe una cuenta con ese número de teléfono',
    })
    expect(await accountExists(ana)).toBe(false)
    expect(await accountExists(other)).toBe(true)
    const again = await fresh('ana.telefono@correo.example')
    expect((await on.as(again).people.signup(signupInput(again))).customer.email).toBe('ana.telefono@correo.example')
  })

  it('the email of a customer with another account is refused, and their record unchanged (S1-8.06)', async () => {
    const before = await on.make.customer({ email: 'ana.correo@correo.example' })
    // The identity service keeps addresses unique; an owner who changed theirs there makes room for this.
    await on.sql(`update identity_account set email = 'otra.ana@correo.example' where uid = $1`, [before.uid])
    const intruder = await fresh('ana.correo@correo.example', true)
    expect(await refusalOf(on.as(intruder).people.signup(signupInput(intruder)))).toMatchObject({
      code: 'ACCOUNT_EXISTS',
      status: 409,
      message: 'Ya tienes una cuenta con nosotros. Por favor, inicia sesión.',
    })
    expect(await accountExists(intruder)).toBe(false)
    expect(await customersOf('ana.correo@correo.example')).toMatchObject([{ uid: before.uid }])
  })

  it('of two concurrent sign-ups with one phone one succeeds, the other leaves no account', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => on.make.account()))
    const answers = await Promise.allSettled(people.map((person) => on.as(person).people.signup(signupInput(person))))
    expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1)
    for (const [i, person] of people.entries()) {
      const answer = answers[i]
      if (answer?.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'PHONE_IN_USE' })
      expect(await accountExists(person)).toBe(answer?.status === 'fulfilled')
    }
  })
})

describe('a customer created by staff (P3, S1-7.07)', () => {
  async function written(email: string) {
    n++
    const reception = await on.make.staff('reception')
    const { customer_id } = await on
      .as(reception)
      .people.create({ name: 'Recepción', last_name: 'Anotó', email, phone: `56${String(10_000_000 + n)}` })
    await on.make.lot({ customer_id })
    return customer_id
  }

  const identity = async (operation: string, body: object) => {
    const answer = await fetch(`${on.url}/identidad/v1/accounts:${operation}?key=estudio-identidad`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(answer.status, operation).toBe(200)
  }

  /** Verifies an address by the link in the mail. */
  async function prove(person: Person): Promise<Person> {
    await identity('sendOobCode', { requestType: 'VERIFY_EMAIL', idToken: person.token })
    const oobCode = await vi.waitFor(async () => {
      const [mail] = await on.sql<{ text: string }>('select text from mail_outbox where "to" = $1', [person.email])
      const code = /oobCode=([\w-]+)/.exec(mail?.text ?? '')?.[1]
      expect(code).toBeTruthy()
      return code
    }, 10_000)
    await identity('update', { oobCode })
    return { ...person, token: await on.studio.ports.identity.tokenFor(person.uid) }
  }

  it('a customer created by staff is not linked to an account with an unverified email, in either order', async () => {
    const early = await fresh('intruso1@correo.example')
    const id = await written('intruso1@correo.example')
    const late = await fresh('intruso2@correo.example')
    await written('intruso2@correo.example')
    for (const person of [early, late]) {
      expect(await refusalOf(on.as(person).people.signup(signupInput(person)))).toMatchObject({ code: 'EMAIL_NOT_VERIFIED', status: 412 })
      expect(await customersOf(person.email)).toMatchObject([{ uid: null, name: 'Recepción' }])
      expect((await refusalOf(on.as(person).people.me())).code).toBe('NO_CUSTOMER')
      // The account stays: its owner proves the address with it.
      expect(await accountExists(person)).toBe(true)
    }
    expect(id).toBeGreaterThan(0)
  })

  it('a customer created by staff is linked once the email is verified, with credits and an audit row', async () => {
    const id = await written('verdadera@correo.example')
    const before = await fresh('verdadera@correo.example')
    expect((await refusalOf(on.as(before).people.signup(signupInput(before)))).code).toBe('EMAIL_NOT_VERIFIED')
    const proven = await prove(before)
    const { customer } = await on.as(proven).people.signup(signupInput(proven))
    expect(customer).toMatchObject({ customer_id: id, uid: before.uid, name: 'Ana Sofía', phone: signupInput(proven).phone })
    expect((await on.as(proven).credits.list()).summary.available).toBe(10)
    expect(await on.sql(`select action from audit where entity = 'customer' and entity_id = $1 order by audit_id`, [String(id)])).toEqual([
      { action: 'customer.create' },
      { action: 'customer.claim' },
    ])
  })

  it('keeps the phone that staff entered, when it is the same', async () => {
    const id = await written('mismo@correo.example')
    const account = await fresh('mismo@correo.example', true)
    const { customer } = await on.as(account).people.signup(signupInput(account, { phone: `56${String(10_000_000 + n)}` }))
    expect(customer.customer_id).toBe(id)
  })

  it('a customer created by staff is what remains of a deleted account: the same verified email is linked to it again (P14)', async () => {
    const first = await fresh('vuelve@correo.example')
    const { customer } = await on.as(first).people.signup(signupInput(first))
    await identity('delete', { idToken: first.token })
    expect((await refusalOf(on.as(first).people.me())).code).toBe('TOKEN_EXPIRED')
    await vi.waitFor(async () => expect(await customersOf(first.email)).toMatchObject([{ uid: null }]), { timeout: 10_000 })
    const stranger = await fresh(first.email)
    expect((await refusalOf(on.as(stranger).people.signup(signupInput(stranger)))).code).toBe('EMAIL_NOT_VERIFIED')
    const again = await prove(stranger)
    expect((await on.as(again).people.signup(signupInput(again))).customer).toMatchObject({
      customer_id: customer.customer_id,
      uid: again.uid,
    })
  })
})

describe('failures', () => {
  it('an error in the middle leaves neither customer nor account, and is logged', async () => {
    const ownStudio = await studio()
    const ana = await ownStudio.make.account()
    await ownStudio.sql(`alter table customer add constraint broken check (name <> 'Ana Sofía')`)
    expect(await refusalOf(ownStudio.as(ana).people.signup(signupInput(ana)))).toMatchObject({ code: 'INTERNAL', status: 500 })
    expect(await ownStudio.sql('select 1 from customer')).toEqual([])
    expect(await ownStudio.sql('select 1 from identity_account')).toEqual([])
    expect(ownStudio.logged.join()).toContain('broken')
    await ownStudio.close()
  })

  it('a failure to delete the account is logged and does not hide the refusal', async () => {
    await on.make.customer({ phone: '5577778888' })
    const ana = await on.make.account()
    const remove = vi.spyOn(on.studio.ports.identity, 'removeAccount').mockRejectedValueOnce(new Error('out of reach'))
    expect((await refusalOf(on.as(ana).people.signup(signupInput(ana, { phone: '5577778888' })))).code).toBe('PHONE_IN_USE')
    remove.mockRestore()
    expect(on.logged.join()).toContain('signup.account_cleanup_failed')
  })

  it('sign-up is limited to twenty attempts an hour per account', async () => {
    const ownStudio = await studio()
    await ownStudio.make.customer({ phone: '5577779999' })
    const ana = await ownStudio.make.account()
    await ownStudio.sql(`insert into staff (uid, name, email, role) values ($1, 'Ana', $2, 'coach')`, [ana.uid, ana.email])
    const wrong = () => refusalOf(ownStudio.as(ana).people.signup(signupInput(ana, { phone: '5577779999' })))
    for (let i = 0; i < 20; i++) expect((await wrong()).code).toBe('PHONE_IN_USE')
    expect((await wrong()).code).toBe('TOO_MANY_REQUESTS')
    // Staff keep their account whatever happens to their sign-up (P4).
    expect(await ownStudio.sql('select 1 from identity_account where uid = $1', [ana.uid])).toHaveLength(1)
    await ownStudio.close()
  })
})

describe('me', () => {
  it('returns what the client needs', async () => {
    const ana = await on.make.customer({ name: 'Ana' })
    const classPackage = await on.make.package()
    await on.make.lot(ana, { unlimited: true, granted: null, class_package_id: classPackage.class_package_id })
    const { customer } = await on.as(ana).people.me()
    expect(customer).toMatchObject({
      customer_id: ana.customer_id,
      name: 'Ana',
      has_unlimited: true,
      unlimited_max_no_shows_for_penalty: 3,
    })
    expect(customer.unlimited_membership_expiration).toMatch(/^2027-01-18T/)
  })
})
