/** The identity service over raw HTTP: exact types, error envelopes, limits, and bodies that no SDK would send. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { IDENTITY_API_KEY } from '#contract/identity.ts'
import { type Answer, identityUnderTest, OTHER_PASSWORD, PASSWORD, someEmail, type UnderTest } from '#server/testing/identity-service.ts'

let it: UnderTest
beforeAll(async () => {
  it = await identityUnderTest()
})
afterAll(() => it.close())

async function signUp(email = someEmail()) {
  const { json, status } = await it.call('accounts:signUp', {
    email,
    password: PASSWORD,
    returnSecureToken: true,
    clientType: 'CLIENT_TYPE_WEB',
  })
  expect(status).toBe(200)
  return { email, idToken: String(json?.idToken), refreshToken: String(json?.refreshToken), localId: String(json?.localId), json }
}

test('responses have the types that the SDK stores: times as text, kinds, non-empty JSON', async () => {
  const account = await signUp()
  expect(account.json).toEqual({
    kind: 'identitytoolkit#SignupNewUserResponse',
    localId: expect.stringMatching(/^\w{28}$/),
    email: account.email,
    idToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    refreshToken: expect.stringMatching(/^[\w-]{64}$/),
    expiresIn: '3600',
  })
  const looked = await it.call('accounts:lookup', { idToken: account.idToken })
  expect(looked.headers.get('cache-control')).toBe('no-store')
  expect(looked.json).toEqual({
    kind: 'identitytoolkit#GetAccountInfoResponse',
    users: [
      {
        localId: account.localId,
        email: account.email,
        emailVerified: false,
        disabled: false,
        createdAt: expect.stringMatching(/^\d{13}$/),
        lastLoginAt: expect.stringMatching(/^\d{13}$/),
        validSince: expect.stringMatching(/^\d{10}$/),
        lastRefreshAt: expect.stringMatching(/^\d{4}-.*Z$/),
        // Also when empty: otherwise the SDK keeps the earlier factors.
        mfaInfo: [],
        passwordHash: 'UkVEQUNURUQ=',
        passwordUpdatedAt: expect.any(Number),
        providerUserInfo: [{ providerId: 'password', rawId: account.email, federatedId: account.email, email: account.email }],
      },
    ],
  })
  const signedIn = await it.call('accounts:signInWithPassword', { email: account.email, password: PASSWORD, returnSecureToken: true })
  expect(signedIn.json).toMatchObject({
    kind: 'identitytoolkit#VerifyPasswordResponse',
    displayName: '',
    registered: true,
    expiresIn: '3600',
  })
  const refreshed = await it.refresh(account.refreshToken)
  expect(refreshed.json).toMatchObject({
    expires_in: '3600',
    refresh_token: account.refreshToken,
    token_type: 'Bearer',
    user_id: account.localId,
    project_id: 'estudio',
  })
  expect(refreshed.json?.access_token).toBe(refreshed.json?.id_token)
  const answer = await it.call('accounts:delete', { idToken: account.idToken })
  expect(answer.json).toEqual({ kind: 'identitytoolkit#DeleteAccountResponse' })
})

test('errors have Google’s envelope', async () => {
  const { status, json } = await it.call('accounts:signUp', { email: someEmail(), password: 'corta' })
  const message = 'WEAK_PASSWORD : Password should be at least 6 characters'
  expect(status).toBe(400)
  expect(json).toEqual({ error: { code: 400, message, errors: [{ message, domain: 'global', reason: 'invalid' }] } })
})

test('answers what a page requests before sign-in (S1-7.89, S1-7.95)', async () => {
  const policy = await it.request(it.keyed('/v2/passwordPolicy'))
  expect(policy.json).toMatchObject({
    schemaVersion: 1,
    enforcementState: 'ENFORCE',
    forceUpgradeOnSignin: false,
    customStrengthOptions: { minPasswordLength: 6 },
  })
  expect(Object.keys(policy.json?.customStrengthOptions ?? {})).toEqual(['minPasswordLength'])
  it.change({ domain: 'https://estudio.ejemplo.mx/inicio' })
  const projects = await it.request(it.keyed('/v1/projects'))
  expect(projects.json).toEqual({ projectId: 'estudio', authorizedDomains: ['127.0.0.1', 'estudio.ejemplo.mx', 'localhost'] })
  const captcha = await it.request(`${it.keyed('/v2/recaptchaConfig')}&clientType=CLIENT_TYPE_WEB&version=RECAPTCHA_ENTERPRISE`)
  expect(captcha.json).toEqual({
    recaptchaEnforcementState: [
      { provider: 'EMAIL_PASSWORD_PROVIDER', enforcementState: 'OFF' },
      { provider: 'PHONE_PROVIDER', enforcementState: 'OFF' },
    ],
  })
})

test('checks the API key of the query, and unknown paths are errors', async () => {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
  expect((await it.request('/identidad/v1/accounts:signUp', post)).status).toBe(403)
  expect((await it.request('/identidad/v1/accounts:signUp?key=otra', post)).status).toBe(400)
  expect((await it.request(`/identidad/v1/accounts:signUp?key=${IDENTITY_API_KEY}&key=x`, post)).status).toBe(400)
  for (const path of [
    '/identidad/v1/accounts:sendVerificationCode',
    '/identidad/v1/accounts:constructor',
    '/identidad/nada',
    '/identitytoolkit.googleapis.com/v1/token',
  ])
    expect(await it.request(`${path}?key=${IDENTITY_API_KEY}`, post)).toMatchObject({ status: 404, code: 'NOT_FOUND' })
})

test('both emulator-style aliases reach the same service', async () => {
  const { email, refreshToken } = await signUp()
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ email, password: PASSWORD }) }
  expect((await it.request(`/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=${IDENTITY_API_KEY}`, post)).status).toBe(
    200,
  )
  const form = { method: 'POST', body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }) }
  expect((await it.request(`/securetoken.googleapis.com/v1/token?key=${IDENTITY_API_KEY}`, form)).status).toBe(200)
})

test('the refresh endpoint distinguishes an expired token from an invalid one', async () => {
  const { refreshToken, localId } = await signUp()
  const send = (fields: Record<string, string>) => it.request(it.keyed('/v1/token'), { method: 'POST', body: new URLSearchParams(fields) })
  expect((await send({})).code).toBe('MISSING_GRANT_TYPE')
  expect((await send({ grant_type: 'password' })).code).toBe('INVALID_GRANT_TYPE')
  expect((await send({ grant_type: 'refresh_token' })).code).toBe('MISSING_REFRESH_TOKEN')
  expect((await it.refresh('no-es-un-token')).code).toBe('INVALID_REFRESH_TOKEN')
  expect((await it.refresh('A'.repeat(64))).code).toBe('TOKEN_EXPIRED')
  expect((await it.refresh(refreshToken)).status).toBe(200)
  await it.identity.revokeSessions(localId)
  expect((await it.refresh(refreshToken)).code).toBe('TOKEN_EXPIRED')
})

test('a session expires after 90 days without use, and after a year in any case', async () => {
  const idle = await signUp()
  const used = await signUp()
  const DAY = 86_400
  for (let day = 0; day < 360; day += 60) {
    it.advance(60 * DAY)
    expect((await it.refresh(used.refreshToken)).status).toBe(200)
    if (day === 60) expect((await it.refresh(idle.refreshToken)).code).toBe('TOKEN_EXPIRED')
  }
  it.advance(6 * DAY)
  expect((await it.refresh(used.refreshToken)).code).toBe('TOKEN_EXPIRED')
  it.advance(-366 * DAY)
})

test('a staff session ends after staff_session_hours, however often it is used; a customer’s continues (P16)', async () => {
  const HOUR = 3600
  const customer = await signUp()
  const reception = await signUp()
  it.staff.add(reception.localId)
  const open = async ({ localId }: { localId: string }) => (await it.identity.listSessions(localId)).length

  it.advance(10 * HOUR)
  expect((await it.refresh(reception.refreshToken)).json).toMatchObject({ expires_in: '3600' })
  it.advance(1.5 * HOUR)
  // The last ID token ends with the sign-in, not half an hour later.
  const last = (await it.refresh(reception.refreshToken)).json
  expect(Number(last?.expires_in)).toBeGreaterThan(HOUR / 2 - 60)
  expect(Number(last?.expires_in)).toBeLessThanOrEqual(HOUR / 2)
  expect(await open(reception)).toBe(1)

  it.advance(HOUR / 2)
  expect((await it.refresh(reception.refreshToken)).code).toBe('TOKEN_EXPIRED')
  await expect(it.identity.verify(String(last?.id_token))).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' })
  expect(await open(reception)).toBe(0)
  expect((await it.refresh(customer.refreshToken)).json).toMatchObject({ expires_in: '3600' })
  expect(await open(customer)).toBe(1)

  // The setting applies to sessions that are open already; signing in again begins another.
  it.change({ staff_session_hours: 20 })
  expect((await it.refresh(reception.refreshToken)).status).toBe(200)
  it.change({ staff_session_hours: 1 })
  expect((await it.refresh(reception.refreshToken)).code).toBe('TOKEN_EXPIRED')
  const again = await it.call('accounts:signInWithPassword', { email: reception.email, password: PASSWORD, returnSecureToken: true })
  expect((await it.refresh(String(again.json?.refreshToken))).status).toBe(200)
  // A former staff member has the session of a customer.
  it.staff.delete(reception.localId)
  it.advance(30 * 24 * HOUR)
  expect((await it.refresh(String(again.json?.refreshToken))).status).toBe(200)

  it.change({ staff_session_hours: 12 })
  it.advance(-30 * 24 * HOUR - 12 * HOUR)
})

test('the database contains no plain refresh tokens or codes', async () => {
  const { email, refreshToken } = await signUp()
  await it.call('accounts:sendOobCode', { requestType: 'PASSWORD_RESET', email })
  expect(JSON.stringify(it.queue)).not.toContain('oobCode')
  const [mail] = await it.letters()
  const code = mail?.link.searchParams.get('oobCode') ?? ''
  expect(code).toHaveLength(43)
  for (const [secret, table] of [
    [refreshToken, 'identity_session'],
    [code, 'identity_code'],
    [PASSWORD, 'identity_account'],
  ]) {
    const { rows } = await it.db.pool.query(`select count(*)::int as found from ${table} as t where t::text like '%' || $1 || '%'`, [
      secret,
    ])
    expect(rows[0].found).toBe(0)
  }
})

test('refuses or ignores fields that only an administrator may set', async () => {
  const email = someEmail()
  expect((await it.call('accounts:signUp', { email, password: PASSWORD, localId: 'mio' })).code).toBe('UNEXPECTED_PARAMETER')
  const answer = await it.call('accounts:signUp', {
    email,
    password: PASSWORD,
    emailVerified: true,
    disabled: true,
    customAttributes: '{"role":"owner"}',
    createdAt: '1',
  })
  const idToken = String(answer.json?.idToken)
  const looked = await it.call('accounts:lookup', { idToken })
  const [user] = (looked.json?.users ?? []) as Record<string, unknown>[]
  expect(user).toMatchObject({ emailVerified: false, disabled: false })
  expect(user).not.toHaveProperty('customAttributes')
  expect((await it.call('accounts:update', { idToken, customAttributes: '{"role":"owner"}' })).code).toBe('INSUFFICIENT_PERMISSION')
  expect((await it.call('accounts:update', { idToken, emailVerified: true })).json).toMatchObject({ emailVerified: false })
  expect((await it.call('accounts:update', { localId: user?.localId, password: OTHER_PASSWORD })).code).toBe('INVALID_REQ_TYPE')
  expect((await it.call('accounts:lookup', { localId: [user?.localId] })).code).toBe('INSUFFICIENT_PERMISSION')
  expect((await it.call('accounts:delete', { localId: user?.localId })).code).toBe('INSUFFICIENT_PERMISSION')
  expect((await it.call('accounts:sendOobCode', { requestType: 'PASSWORD_RESET', email, returnOobLink: true })).code).toBe(
    'INSUFFICIENT_PERMISSION',
  )
})

test('accepts one email of at most 255 characters, stored in lower case', async () => {
  const wrong = [
    '',
    'a',
    '@',
    'a@',
    '@b.mx',
    'a@@b.mx',
    'a b@c.mx',
    'a@b c.mx',
    'a@b.mx\u0000',
    'a@b.mx\r\nbcc: c@d.mx',
    'a@b.mx,c@d.mx',
    'a@-b.mx',
    'ñ@b.mx',
    `${'a'.repeat(65)}@b.mx`,
    `a@${'b.'.repeat(130)}mx`,
  ]
  for (const email of wrong)
    expect([email, (await it.call('accounts:signUp', { email, password: PASSWORD })).code]).toEqual([email, 'INVALID_EMAIL'])
  expect((await it.call('accounts:signUp', { password: PASSWORD })).code).toBe('MISSING_EMAIL')
  const { json } = await it.call('accounts:signUp', { email: 'MAYUS.Culas+1@Ejemplo.MX', password: PASSWORD })
  expect(json?.email).toBe('mayus.culas+1@ejemplo.mx')
})

test('accepts any characters and long passwords; refuses overlong ones before hashing', async () => {
  const email = someEmail()
  const long = `${'ñandú 🐦 '.repeat(100)}fin`
  expect((await it.call('accounts:signUp', { email, password: long })).status).toBe(200)
  expect((await it.call('accounts:signInWithPassword', { email, password: long })).status).toBe(200)
  expect((await it.call('accounts:signInWithPassword', { email, password: `${long}x` })).code).toBe('INVALID_PASSWORD')
  // The same accents typed as one or as two characters.
  expect((await it.call('accounts:signInWithPassword', { email, password: long.normalize('NFD') })).status).toBe(200)
  expect((await it.call('accounts:signUp', { email: someEmail(), password: 'x8'.repeat(2_049) })).code).toBe(
    'PASSWORD_DOES_NOT_MEET_REQUIREMENTS',
  )
  expect((await it.call('accounts:signInWithPassword', { email, password: 'x8'.repeat(10_000) })).code).toBe('INVALID_PASSWORD')
})

test('accepts only JSON or form bodies that are objects, up to 64 kB, of limited depth', async () => {
  const send = (body: string, type = 'application/json') =>
    it.request(it.keyed('/v1/accounts:signUp'), { method: 'POST', headers: { 'content-type': type }, body })
  expect(await send('{"email":')).toMatchObject({ status: 400, code: 'INVALID_ARGUMENT' })
  for (const body of ['[]', '1', 'null', '"a"', `${'{"a":'.repeat(20)}1${'}'.repeat(20)}`, `${'['.repeat(30_000)}`])
    expect(await send(body)).toMatchObject({ status: 400, code: 'INVALID_ARGUMENT' })
  expect(await send('{}', 'text/plain')).toMatchObject({ status: 415, code: 'INVALID_ARGUMENT' })
  expect(await send('{}', 'application/xml')).toMatchObject({ status: 415, code: 'INVALID_ARGUMENT' })
  expect(await send(JSON.stringify({ email: 'a'.repeat(70_000) }))).toMatchObject({ status: 413, code: 'REQUEST_TOO_LARGE' })
  expect((await send('{"__proto__":{"email":"a@b.mx","password":"olas-y-montes-7"}}')).code).toBe('ADMIN_ONLY_OPERATION')
  expect((await send(`{"email":{"toString":1},"password":"${PASSWORD}"}`)).code).toBe('INVALID_ARGUMENT')
})

const OPERATIONS = [
  'signUp',
  'signInWithPassword',
  'signInWithEmailLink',
  'signInWithIdp',
  'lookup',
  'update',
  'delete',
  'createAuthUri',
  'sendOobCode',
  'resetPassword',
]
const FIELDS = [
  'email',
  'password',
  'idToken',
  'oobCode',
  'newPassword',
  'requestType',
  'continueUrl',
  'newEmail',
  'displayName',
  'photoUrl',
  'identifier',
  'continueUri',
  'deleteProvider',
  'deleteAttribute',
  'returnSecureToken',
  'localId',
  'tenantId',
  '__proto__',
  'constructor',
]

test('every malformed body gets an error in the envelope, never a 500', async () => {
  const { idToken } = await signUp()
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(
      idToken,
      'a@b.mx',
      'PASSWORD_RESET',
      'VERIFY_EMAIL',
      'VERIFY_AND_CHANGE_EMAIL',
      'EMAIL_SIGNIN',
      'http://127.0.0.1/',
      '\u0000',
      '\ud800',
      -1,
      1e308,
    ),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...OPERATIONS),
      fc.dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: 6 }),
      async (operation, body) => {
        const answer = await it.call(`accounts:${operation}`, body, {
          'x-forwarded-for': `10.1.${Math.floor(Math.random() * 255)}.${Math.floor(Math.random() * 255)}`,
        })
        expect(answer.json).not.toBeNull()
        expect(answer.status === 200 || (answer.status >= 400 && answer.status < 500)).toBe(true)
        if (answer.status !== 200) expect(answer.code).toMatch(/^[A-Z_]+$/)
        // Whatever it did, the answers never hold a code or a hash.
        expect(answer.text).not.toMatch(/argon2|oobCode"/)
      },
    ),
    { numRuns: 400 },
  )
  it.queue.length = 0
  expect(it.logged.filter((line) => line.includes('"level":"error"'))).toEqual([])
})

test('refuses control characters in shown texts, and script URLs as photo', async () => {
  const { idToken } = await signUp()
  for (const body of [
    { displayName: 'a\u0000b' },
    { displayName: 'a\nb' },
    { displayName: '\ud800' },
    { displayName: 'x'.repeat(257) },
    { photoUrl: 'javascript:alert(1)' },
    { photoUrl: `https://a.mx/${'x'.repeat(2_048)}` },
  ])
    expect((await it.call('accounts:update', { idToken, ...body })).code).toBe('INVALID_ARGUMENT')
  expect((await it.call('accounts:update', { idToken, displayName: '<b>Ana</b>', photoUrl: null })).json).toMatchObject({
    displayName: '<b>Ana</b>',
  })
})

test('an internal error is not JSON, so that the SDK does not sign out', async () => {
  const broken = await identityUnderTest()
  await broken.db.pool.query('alter table identity_account rename to moved')
  const answer = await broken.call('accounts:signInWithPassword', { email: someEmail(), password: PASSWORD })
  expect(answer).toMatchObject({ status: 500, json: null })
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(answer.text).toBe('El servicio de acceso no está disponible. Inténtalo en un momento.')
  expect(broken.logged.join()).toContain('identity.request_failed')
  expect(broken.logged.join()).not.toContain(PASSWORD)
  await broken.close()
})

const slow = (answer: Answer) => answer.code === 'TOO_MANY_ATTEMPTS_TRY_LATER'
const from = (address: string) => ({ 'x-forwarded-for': address })

test('limits guesses of one password per address, not for others, and a reset clears the limit', async () => {
  const { email } = await signUp()
  const guess = (address: string, password = OTHER_PASSWORD, account = email) =>
    it.call('accounts:signInWithPassword', { email: account, password }, from(address))
  const tries = await Promise.all(Array.from({ length: 30 }, () => guess('203.0.113.7')))
  // Also at once: exactly the burst gets through.
  expect(tries.filter((answer) => answer.code === 'INVALID_PASSWORD')).toHaveLength(10)
  expect(tries.filter(slow)).toHaveLength(20)
  expect(slow(await guess('203.0.113.7', PASSWORD))).toBe(true)
  // The owner from another address, and another person from the same one.
  expect((await guess('198.51.100.4', PASSWORD)).status).toBe(200)
  const other = await signUp()
  expect((await guess('203.0.113.7', PASSWORD, other.email)).status).toBe(200)
  // A minute is one more try.
  it.advance(61)
  expect((await guess('203.0.113.7')).code).toBe('INVALID_PASSWORD')
  expect(slow(await guess('203.0.113.7'))).toBe(true)

  await it.call('accounts:sendOobCode', { requestType: 'PASSWORD_RESET', email })
  const [mail] = await it.letters()
  await it.call(
    'accounts:resetPassword',
    { oobCode: mail?.link.searchParams.get('oobCode'), newPassword: OTHER_PASSWORD },
    from('203.0.113.7'),
  )
  expect((await guess('203.0.113.7', OTHER_PASSWORD)).status).toBe(200)
})

test('successful sign-ins are not counted as failed ones', async () => {
  const { email } = await signUp()
  for (let n = 0; n < 15; n++)
    expect((await it.call('accounts:signInWithPassword', { email, password: PASSWORD }, from('203.0.113.9'))).status).toBe(200)
})

test('limits accounts, emails and lookups per address; IPv6 by network prefix', async () => {
  const strict = await identityUnderTest({
    limits: { signUp: { max: 3, seconds: 180 }, mailFrom: { max: 2, seconds: 120 }, probe: { max: 2, seconds: 120 } },
  })
  const signUpFrom = (address: string) => strict.call('accounts:signUp', { email: someEmail(), password: PASSWORD }, from(address))
  for (const address of ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:2:0:0:0:7'])
    expect((await signUpFrom(address)).status).toBe(200)
  expect(slow(await signUpFrom('2001:db8:1:2:abcd::1'))).toBe(true)
  const answer = await signUpFrom('2001:db8:1:3::1')
  expect(answer.status).toBe(200)

  const email = String(answer.json?.email)
  const reset = (address: string) => strict.call('accounts:sendOobCode', { requestType: 'PASSWORD_RESET', email }, from(address))
  expect((await reset('192.0.2.1')).status).toBe(200)
  expect((await reset('192.0.2.1')).status).toBe(200)
  expect(slow(await reset('192.0.2.1'))).toBe(true)
  // Five mails per address, for all callers together.
  for (const last of [2, 3, 4]) expect((await reset(`192.0.2.${last}`)).status).toBe(200)
  expect(slow(await reset('192.0.2.5'))).toBe(true)

  const input = () => strict.call('accounts:createAuthUri', { identifier: email, continueUri: 'http://localhost' }, from('192.0.2.9'))
  expect([(await input()).status, (await input()).status, slow(await input())]).toEqual([200, 200, true])
  // A look-up is never limited: the SDK would sign its user out.
  const idToken = answer.json?.idToken
  for (let n = 0; n < 20; n++) expect((await strict.call('accounts:lookup', { idToken }, from('192.0.2.9'))).status).toBe(200)
  await strict.close()
})

test('in Google mode the embedded endpoints refuse', async () => {
  it.change({ firebaseConfig: { projectId: 'estudio-en-google', apiKey: 'AIza' } })
  expect((await it.call('accounts:signUp', { email: someEmail(), password: PASSWORD })).code).toBe('CONFIGURATION_NOT_FOUND')
  expect((await it.request(it.keyed('/v2/passwordPolicy'))).code).toBe('CONFIGURATION_NOT_FOUND')
  it.change({ firebaseConfig: { projectId: '', apiKey: '' } })
  expect((await it.request(it.keyed('/v2/passwordPolicy'))).status).toBe(200)
  it.change({ firebaseConfig: null })
})
