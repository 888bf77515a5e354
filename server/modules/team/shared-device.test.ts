/** Shared devices: one signs in, the others type their PIN, and each act is theirs, with at most the rights of reception (E15, E16). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { rightsOfRole } from '#contract/rights.ts'
import { cookieHeader } from '#server/testing/cookies.ts'
import { staffIdOf } from '#server/testing/staff-ids.ts'
import { codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let on: TestStudio
beforeAll(async () => {
  on = await studio()
})
afterAll(() => on.close())
beforeEach(() => on.reset())

const PASSWORD = 'bicicleta-azul-9'

/** Signs a person in, as their browser does. */
async function signIn(person: Person): Promise<Person> {
  const { uid } = person
  await on.studio.ports.identity.createAccount({ email: person.email, name: 'x' })
  const url = new URL((await on.studio.ports.identity.passwordLink(uid, 3_600_000)) ?? '')
  await identity('resetPassword', { oobCode: url.searchParams.get('oobCode'), newPassword: PASSWORD })
  on.clock.advance({ seconds: 2 })
  const { idToken } = await identity('signInWithPassword', { email: person.email, password: PASSWORD, returnSecureToken: true })
  return { ...person, token: String(idToken) }
}

async function identity(verb: string, body: object): Promise<{ idToken?: string }> {
  const answer = await fetch(`${on.url}/identidad/v1/accounts:${verb}?key=estudio-identidad`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answered = (await answer.json()) as { idToken?: string; error?: { message: string } }
  if (answered.error) throw new Error(answered.error.message)
  return answered
}

/** A device that an owner shared, and a receptionist with a PIN. */
async function frontDesk() {
  const owner = await on.make.staff('owner', { name: 'Mónica' })
  const rosa = await on.make.staff('reception', { name: 'Rosa' })
  const ipad = await signIn(owner)
  await on.as(await signIn(rosa)).sharedDevice.setPin({ pin: '2580' })
  await on.as(ipad).sharedDevice.setPin({ pin: '71935' })
  await on.as(ipad).sharedDevice.share()
  return { owner, rosa, ipad, rosa_id: await staffIdOf(on, rosa), owner_id: await staffIdOf(on, owner) }
}

test('a shared device waits for a PIN: its session has no rights, not even of the account that signed in; other sessions are unaffected (E15)', async () => {
  const { owner, ipad, rosa_id, owner_id } = await frontDesk()
  const state = await on.as(ipad).sharedDevice.state()
  expect(state).toMatchObject({ is_shared: true, person: null })
  expect(state.people.map(({ staff_id, name }) => [staff_id, name])).toEqual([
    [owner_id, 'Mónica'],
    [rosa_id, 'Rosa'],
  ])
  expect(await refusalOf(on.as(ipad).team.me())).toMatchObject({ code: 'DEVICE_LOCKED', status: 403 })
  expect(await codeOf(on.as(ipad).people.list({ page: 1 }))).toBe('DEVICE_LOCKED')
  expect(await codeOf(on.as(ipad).content.settings())).toBe('DEVICE_LOCKED')
  expect(await codeOf(on.as(ipad).people.sessions.list())).toBe('DEVICE_SHARED')
  expect(await codeOf(on.as(ipad).sharedDevice.setPin({ pin: '8642' }))).toBe('DEVICE_LOCKED')
  expect((await on.as(await signIn(owner)).team.me()).staff.role).toBe('owner')
})

test('the person of the PIN acts there, is recorded, and has those of their rights that reception has too (E15)', async () => {
  const { ipad, rosa, rosa_id, owner_id } = await frontDesk()
  await on.sql(`insert into staff_right values ($1, 'sales.refund', true), ($1, 'customers.edit', false)`, [rosa_id])
  await on.studio.db.tx(async (tx) => tx.notify({ topic: 'people', uid: rosa.uid }))
  expect(await on.as(ipad).sharedDevice.choose({ staff_id: rosa_id, pin: '2580' })).toMatchObject({ person: { staff_id: rosa_id } })
  const me = await on.as(ipad).team.me()
  expect(me).toMatchObject({ staff: { staff_id: rosa_id, name: 'Rosa' }, is_shared_device: true })
  // An added right that reception lacks stays at home, one that was taken away stays away.
  expect(me.staff.rights).toEqual(rightsOfRole('reception').filter((right) => right !== 'customers.edit'))
  const { product } = await on.as(await signIn(await on.make.staff('owner'))).products.create({ name: 'Agua', price: '20.00' })
  expect(product.name).toBe('Agua')

  await on.as(ipad).sharedDevice.choose({ staff_id: owner_id, pin: '71935' })
  const boss = await on.as(ipad).team.me()
  expect(boss.staff).toMatchObject({ staff_id: owner_id, rights: rightsOfRole('reception') })
  expect(await codeOf(on.as(ipad).content.settings())).toBe('FORBIDDEN')
  expect(await codeOf(on.as(ipad).sharedDevice.setPin({ pin: '8642' }))).toBe('DEVICE_SHARED')
  expect(await codeOf(on.as(ipad).sharedDevice.removePin())).toBe('DEVICE_SHARED')

  const trail = await on.sql<{ actor: string; actor_id: number }>(
    `select actor, actor_id from audit where action = 'staff.unlock_device' order by audit_id`,
  )
  expect(trail).toEqual([
    { actor: 'staff:reception', actor_id: rosa_id },
    { actor: 'staff:owner', actor_id: owner_id },
  ])
})

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const picture = () => new File([Buffer.from(PNG, 'base64')], 'a.png', { type: 'image/png' })

test('files and idempotency keys belong to the person of the PIN, not to the account that signed in (E15, U2)', async () => {
  const people = { rosa: await on.make.staff('reception', { name: 'Rosa' }), luz: await on.make.staff('coach', { name: 'Luz' }) }
  const { luz } = people
  const ipad = await signIn(await on.make.staff('owner'))
  await on.as(await signIn(luz)).sharedDevice.setPin({ pin: '3691' })
  await on.as(await signIn(people.rosa)).sharedDevice.setPin({ pin: '2580' })
  await on.as(ipad).sharedDevice.setPin({ pin: '71935' })
  const { file: contract } = await on.as(ipad).files.upload({ file: picture() })
  await on.as(ipad).sharedDevice.share()
  await on.as(ipad).sharedDevice.choose({ staff_id: await staffIdOf(on, luz), pin: '3691' })
  const device = on.as(ipad)
  expect((await device.files.list({})).files).toEqual([])
  expect(await codeOf(device.files.one({ file_id: contract.file_id }))).toBe('NOT_FOUND')
  expect(await codeOf(device.files.remove({ file_id: contract.file_id }))).toBe('NOT_FOUND')
  const { file: hers } = await device.files.upload({ file: picture() })
  expect(await on.sql('select uid from file where file_id = $1', [hers.file_id])).toEqual([{ uid: luz.uid }])

  const { customer_id } = await on.make.customer()
  const note = { customer_id, text: 'Le duele la rodilla' }
  const iris = await on.make.staff('reception', { name: 'Iris' })
  await on.as(await signIn(iris)).sharedDevice.setPin({ pin: '4826' })
  for (const [staff_id, pin] of [
    [await staffIdOf(on, people.rosa), '2580'],
    [await staffIdOf(on, iris), '4826'],
  ] as const) {
    await on.as(ipad).sharedDevice.choose({ staff_id, pin })
    for (let again = 0; again < 2; again++) await on.as(ipad, 'misma-llave').customerFile.addNote(note)
  }
  const written = await on.sql<{ name: string }>(
    'select s.name from customer_note n join staff s on s.staff_id = n.staff_id where n.customer_id = $1 order by 1',
    [customer_id],
  )
  expect(written).toEqual([{ name: 'Iris' }, { name: 'Rosa' }])
})

test('locking, twelve hours, a removed PIN and a disabled person end it; signing in again makes a device of one’s own (E15)', async () => {
  const { owner, ipad, rosa, rosa_id } = await frontDesk()
  const unlock = () => on.as(ipad).sharedDevice.choose({ staff_id: rosa_id, pin: '2580' })
  await unlock()
  expect((await on.as(ipad).sharedDevice.lock()).person).toBeNull()
  expect(await codeOf(on.as(ipad).team.me())).toBe('DEVICE_LOCKED')
  await unlock()
  on.clock.advance({ hours: 12 })
  const later = await signIn(owner)
  expect((await on.as(later).sharedDevice.state()).is_shared).toBe(false)

  await on.as(later).sharedDevice.share()
  await on.as(later).sharedDevice.choose({ staff_id: rosa_id, pin: '2580' })
  expect((await on.as(later).team.me()).staff.name).toBe('Rosa')
  await on.as(await signIn(rosa)).sharedDevice.removePin()
  expect(await codeOf(on.as(later).team.me())).toBe('DEVICE_LOCKED')
  expect(await codeOf(on.as(later).sharedDevice.choose({ staff_id: rosa_id, pin: '2580' }))).toBe('NOT_FOUND')

  await on.as(await signIn(rosa)).sharedDevice.setPin({ pin: '9073' })
  await on.as(later).sharedDevice.choose({ staff_id: rosa_id, pin: '9073' })
  await on.as(await signIn(await on.make.staff('owner'))).team.disable({ staff_id: rosa_id })
  expect(await codeOf(on.as(later).team.me())).toBe('DEVICE_LOCKED')
  expect(await codeOf(on.as(later).sharedDevice.choose({ staff_id: rosa_id, pin: '9073' }))).toBe('NOT_FOUND')
})

test('another PIN locks the devices that the old one unlocked (E15)', async () => {
  const { ipad, rosa, rosa_id } = await frontDesk()
  await on.as(ipad).sharedDevice.choose({ staff_id: rosa_id, pin: '2580' })
  expect((await on.as(ipad).team.me()).staff.name).toBe('Rosa')
  await on.as(await signIn(rosa)).sharedDevice.setPin({ pin: '9073' })
  expect(await codeOf(on.as(ipad).team.me())).toBe('DEVICE_LOCKED')
  expect(await codeOf(on.as(ipad).sharedDevice.choose({ staff_id: rosa_id, pin: '2580' }))).toBe('PIN_WRONG')
})

test('a shared device whose session lacks the second factor is not its signer’s own account (E15)', async () => {
  const { owner, ipad, rosa_id } = await frontDesk()
  await on.sql('insert into customer (uid, email, name, last_name, "createdAt", "updatedAt") values ($1, $2, $3, $4, now(), now())', [
    owner.uid,
    owner.email,
    'Mónica',
    'Prado',
  ])
  await on.studio.db.tx(async (tx) => tx.notify({ topic: 'people', uid: owner.uid }))
  await on.as(ipad).sharedDevice.choose({ staff_id: rosa_id, pin: '2580' })
  await on.having({ staff_second_factor_required: true }, async () => {
    expect(await codeOf(on.as(ipad).people.me())).toBe('NO_CUSTOMER')
    expect(await codeOf(on.as(ipad).people.sessions.list())).toBe('DEVICE_SHARED')
    expect(await codeOf(on.as(ipad).team.me())).toBe('SECOND_FACTOR_REQUIRED')
  })
})

test('five wrong PINs make that person wait on that device only, also when they come at once; a right one starts again (E16)', async () => {
  const { ipad, rosa_id, owner_id } = await frontDesk()
  const attempt = (pin: string) => refusalOf(on.as(ipad).sharedDevice.choose({ staff_id: rosa_id, pin }))
  expect(await attempt('1111')).toMatchObject({ code: 'PIN_WRONG', data: { left: 4 } })
  expect(await attempt('25800')).toMatchObject({ code: 'PIN_WRONG', data: { left: 3 } })
  await on.as(ipad).sharedDevice.choose({ staff_id: rosa_id, pin: '2580' })
  const codes = await Promise.all(['0001', '0002', '0003', '0004', '0005', '0006', '0007'].map(attempt))
  expect(codes.map(({ code }) => code).sort()).toEqual([...Array(5).fill('PIN_WRONG'), ...Array(2).fill('TOO_MANY_REQUESTS')])
  expect(codes.map(({ data }) => (data as { left?: number }).left).filter((left) => left !== undefined)).toContain(0)
  expect(await attempt('2580')).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  // Other persons at this device, and Rosa at another one, are not affected.
  expect((await on.as(ipad).sharedDevice.choose({ staff_id: owner_id, pin: '71935' })).person?.name).toBe('Mónica')
  const other = await signIn(await on.make.staff('owner', { name: 'Iris' }))
  await on.as(other).sharedDevice.setPin({ pin: '3691' })
  await on.as(other).sharedDevice.share()
  expect((await on.as(other).sharedDevice.choose({ staff_id: rosa_id, pin: '2580' })).person?.name).toBe('Rosa')
  on.clock.advance({ minutes: 13 })
  expect((await on.as(ipad).sharedDevice.choose({ staff_id: rosa_id, pin: '2580' })).person?.name).toBe('Rosa')
})

test('twenty wrong PINs in a row, over all devices, lock it until another is set (E16)', async () => {
  const { ipad, rosa, rosa_id } = await frontDesk()
  const attempt = (pin: string) => refusalOf(on.as(ipad).sharedDevice.choose({ staff_id: rosa_id, pin }))
  await on.sql('update staff_pin set wrong_attempts = 17 where staff_id = $1', [rosa_id])
  expect(await attempt('1111')).toMatchObject({ code: 'PIN_WRONG', data: { left: 2 } })
  expect((await Promise.all(['0001', '0002', '0003'].map(attempt))).map(({ code }) => code).sort()).toEqual([
    'PIN_LOCKED',
    'PIN_LOCKED',
    'PIN_WRONG',
  ])
  expect(await attempt('2580')).toMatchObject({ code: 'PIN_LOCKED' })
  expect(await on.sql(`select 1 from audit where action = 'staff.lock_pin' and entity_id = $1`, [rosa_id])).toHaveLength(1)

  const own = await signIn(rosa)
  expect(await on.as(own).sharedDevice.pin()).toEqual({ has_pin: true, is_locked: true })
  expect(await on.as(own).sharedDevice.setPin({ pin: '4826' })).toEqual({ has_pin: true, is_locked: false })
  expect((await on.as(ipad).sharedDevice.choose({ staff_id: rosa_id, pin: '4826' })).person?.name).toBe('Rosa')
})

test('a device limits attempts for all persons together, and refuses a person without a PIN (E16)', async () => {
  const { ipad, rosa_id, owner_id } = await frontDesk()
  const iris = await on.make.staff('reception', { name: 'Iris' })
  const iris_id = await staffIdOf(on, iris)
  expect(await codeOf(on.as(ipad).sharedDevice.choose({ staff_id: iris_id, pin: '2580' }))).toBe('NOT_FOUND')
  await on.as(await signIn(iris)).sharedDevice.setPin({ pin: '3691' })
  const codes: (string | null)[] = []
  for (const staff_id of [rosa_id, owner_id, iris_id])
    for (const pin of ['0001', '0002', '0003', '0004', '0005']) codes.push(await codeOf(on.as(ipad).sharedDevice.choose({ staff_id, pin })))
  expect(codes.at(-1)).toBe('TOO_MANY_REQUESTS')
})

test('a PIN is 4 to 6 digits, not easy to guess, set after a recent sign-in; sharing needs one (E16)', async () => {
  const rosa = await signIn(await on.make.staff('reception'))
  const { setPin } = on.as(rosa).sharedDevice
  for (const pin of ['123', '1234567', '12a4', '0000', '1234', '987654', ' 2580'])
    expect([pin, await codeOf(setPin({ pin }))]).toEqual([pin, 'INVALID_INPUT'])
  expect(await codeOf(on.as(rosa).sharedDevice.share())).toBe('PIN_NONE')
  await setPin({ pin: '2580' })
  const stored = await on.sql<{ mac: string }>('select mac from staff_pin')
  expect(stored.map(({ mac }) => mac).join(' ')).not.toContain('2580')
  on.clock.advance({ minutes: 6 })
  expect(await codeOf(setPin({ pin: '2581' }))).toBe('RECENT_SIGN_IN_REQUIRED')
  expect((await on.as(rosa).sharedDevice.share()).is_shared).toBe(true)
  expect(
    (await on
      .as(rosa)
      .sharedDevice.share()
      .catch((error: { code: string }) => error.code)) as unknown,
  ).toBe('DEVICE_LOCKED')
})

/** The answer to a call with a copy of the session, and whatever cookie. */
async function copied({ token }: Person, cookies: { cookie?: string }, method = 'GET', path = 'me', body?: object) {
  const answer = await fetch(`${on.url}/api/admin/${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...cookies },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const { code = null } = (await answer.json()) as { code?: string }
  return { status: answer.status, code, set: answer.headers.getSetCookie() }
}
const LOCKED = { status: 403, code: 'DEVICE_LOCKED' }

test('a copy of the session is locked, also with the cookie of the person before; each right PIN gives another (E15)', async () => {
  const { ipad, rosa_id, owner_id } = await frontDesk()
  const wrong = await copied(ipad, {}, 'PUT', 'device/person', { staff_id: rosa_id, pin: '1593' })
  expect(wrong).toMatchObject({ code: 'PIN_WRONG', set: [] })
  const { set } = await copied(ipad, {}, 'PUT', 'device/person', { staff_id: rosa_id, pin: '2580' })
  expect(set).toEqual([expect.stringMatching(/^estudio_device=[\w-]{43}; Path=\/api; Max-Age=43200; HttpOnly; SameSite=Strict$/)])
  const ofRosa = { cookie: set[0]?.split(';')[0] ?? '' }
  expect(await copied(ipad, ofRosa)).toMatchObject({ status: 200 })
  expect(await copied(ipad, { cookie: `language=en; ${ofRosa.cookie}` })).toMatchObject({ status: 200 })
  expect(await copied(ipad, {})).toMatchObject(LOCKED)
  expect(await copied(ipad, { cookie: 'estudio_device=otra' })).toMatchObject(LOCKED)

  await on.as(ipad).sharedDevice.choose({ staff_id: owner_id, pin: '71935' })
  expect(await copied(ipad, ofRosa)).toMatchObject(LOCKED)
  const ofOwner = cookieHeader(ipad)
  expect(await copied(ipad, ofOwner)).toMatchObject({ status: 200 })
  await on.as(ipad).sharedDevice.lock()
  expect(await copied(ipad, ofOwner)).toMatchObject(LOCKED)
  // The same person again: the key from before stays void.
  await on.as(ipad).sharedDevice.choose({ staff_id: owner_id, pin: '71935' })
  expect(await copied(ipad, ofOwner)).toMatchObject(LOCKED)
  expect((await on.as(ipad).team.me()).staff.name).toBe('Mónica')
})

test('the cookie without the session of its device opens nothing (E15)', async () => {
  const { ipad, rosa, rosa_id } = await frontDesk()
  await on.as(ipad).sharedDevice.choose({ staff_id: rosa_id, pin: '2580' })
  const stranger = await on.make.customer()
  expect(await copied(stranger, cookieHeader(ipad))).toMatchObject({ status: 403, code: 'FORBIDDEN' })
  const other = await signIn(await on.make.staff('owner', { name: 'Iris' }))
  await on.as(other).sharedDevice.setPin({ pin: '3691' })
  await on.as(other).sharedDevice.share()
  expect(await copied(other, cookieHeader(ipad))).toMatchObject(LOCKED)
  expect((await on.as(await signIn(rosa)).team.me()).is_shared_device).toBe(false)
})

test('the account that signed in on a shared device cannot be changed there, however recent the sign-in: not its password, address, name or second factor (E15)', async () => {
  const { owner, ipad, rosa_id } = await frontDesk()
  await on.as(ipad).sharedDevice.choose({ staff_id: rosa_id, pin: '2580' })
  const idToken = ipad.token
  const tries: [string, object][] = [
    ['v1/accounts:update', { password: 'otra-clave-larga-9', returnSecureToken: true }],
    ['v1/accounts:update', { email: 'intruso@ejemplo.mx' }],
    ['v1/accounts:update', { displayName: 'Intrusa' }],
    ['v1/accounts:signUp', { email: owner.email, password: 'otra-clave-larga-9' }],
    ['v1/accounts:sendOobCode', { requestType: 'VERIFY_AND_CHANGE_EMAIL', newEmail: 'intruso@ejemplo.mx' }],
    ['v1/accounts:delete', {}],
    ['v2/accounts/mfaEnrollment:start', { totpEnrollmentInfo: {} }],
  ]
  const answers = async (token: string) =>
    Promise.all(
      tries.map(async ([path, body]) => {
        const answer = await fetch(`${on.url}/identidad/${path}?key=estudio-identidad`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...body, idToken: token }),
        })
        return [path, ((await answer.json()) as { error?: { message: string } }).error?.message ?? null]
      }),
    )
  expect(await answers(idToken)).toEqual(tries.map(([path]) => [path, 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN']))
  // A sign-in with the password makes a session of its own.
  const { token } = await signIn(owner)
  expect((await identity('update', { idToken: token, displayName: 'Mónica Prado' })).idToken).toBeUndefined()
})
