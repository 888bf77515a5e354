/** ID tokens: verification for both services, attacks on it, key rotation, sessions that end. */
import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { decodeJwt, decodeProtectedHeader, exportJWK, type JWK, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { IDENTITY_API_KEY } from '#contract/identity.ts'
import { freePort, identityUnderTest, OTHER_PASSWORD, PASSWORD, someEmail, type UnderTest } from '#server/testing/identity-service.ts'
import { testSecretBox } from '#server/testing/master-keys.ts'
import { newRun } from '#server/testing/run.ts'
import { googleIdentity } from './google.ts'
import { ALGORITHM } from './keys.ts'
import { SIGNING_KEYS } from './sealed.ts'

let it: UnderTest
beforeAll(async () => {
  it = await identityUnderTest()
})
afterAll(() => it.close())

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

async function newAccount() {
  const email = someEmail()
  const { uid } = await it.identity.createAccount({ email, password: PASSWORD })
  return { uid, email, token: await it.identity.tokenFor(uid) }
}

/** The private key that signs at the moment, as a thief of the database and of the key file would have it. */
async function signingKey(): Promise<{ kid: string; jwk: JWK }> {
  const { rows } = await it.db.pool.query('select kid, private_jwk from identity_key order by "signsFrom" limit 1')
  return { kid: rows[0].kid, jwk: JSON.parse(testSecretBox().open(rows[0].private_jwk, SIGNING_KEYS, rows[0].kid)) }
}

async function forge(token: string, change: { header?: object; claims?: object; remove?: string[] } = {}): Promise<string> {
  const { kid, jwk } = await signingKey()
  const claims: Record<string, unknown> = { ...decodeJwt(token), ...change.claims }
  for (const name of change.remove ?? []) delete claims[name]
  return new SignJWT(claims)
    .setProtectedHeader({ alg: ALGORITHM, kid, typ: 'JWT', ...change.header })
    .sign(jwk, { crit: { futuro: false } })
}

const verdict = (token: string) =>
  it.identity.verify(token).then(
    () => 'accepted',
    (refusal: { code: string }) => refusal.code,
  )

test('the tests’ forged token is valid when nothing is changed', async () => {
  const { token } = await newAccount()
  expect(await verdict(await forge(token))).toBe('accepted')
})

test('refuses a token without signature, or with another algorithm, key, issuer, audience or time', async () => {
  const { uid, token } = await newAccount()
  const [header = '', payload = '', signature = ''] = token.split('.')
  const { kid } = decodeProtectedHeader(token)
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const own = await exportJWK(publicKey)
  const now = Math.floor(it.now().getTime() / 1000)
  const published = JSON.stringify(((await it.request('/identidad/jwks.json')).json as { keys: object[] }).keys[0])
  const hmac = (secret: string) => {
    const signed = `${base64url({ alg: 'HS256', kid, typ: 'JWT' })}.${payload}`
    return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
  }
  const flipped = Buffer.from(signature, 'base64url')
  flipped[5] = (flipped[5] ?? 0) ^ 1
  const bad: Record<string, string> = {
    'alg none': `${base64url({ alg: 'none', kid, typ: 'JWT' })}.${payload}.`,
    'alg None': `${base64url({ alg: 'None', kid, typ: 'JWT' })}.${payload}.${signature}`,
    'no signature': `${header}.${payload}.`,
    'two parts': `${header}.${payload}`,
    'five parts': `${token}.a.b`,
    'cut signature': token.slice(0, -4),
    'changed signature': `${header}.${payload}.${flipped.toString('base64url')}`,
    'changed claims': `${header}.${base64url({ ...decodeJwt(token), sub: 'otro' })}.${signature}`,
    'HMAC with the public key': hmac(published),
    'HMAC with nothing': hmac(''),
    'its own key in the header': await new SignJWT(decodeJwt(token))
      .setProtectedHeader({ alg: ALGORITHM, kid: kid ?? '', typ: 'JWT', jwk: own })
      .sign(privateKey),
    'a key on another server': await forge(token, { header: { jku: 'http://127.0.0.1:1/jwks.json', kid: 'otra' } }),
    'unknown kid': await forge(token, { header: { kid: randomUUID() } }),
    'no kid': await forge(token, { header: { kid: undefined } }),
    'critical extension': await forge(token, { header: { crit: ['futuro'], futuro: true } }),
    'another type': await forge(token, { header: { typ: 'at+jwt' } }),
    'Google as issuer': await forge(token, { claims: { iss: 'https://securetoken.google.com/estudio' } }),
    'issuer of another studio': await forge(token, { claims: { iss: 'https://otro.mx/identidad' } }),
    'another audience': await forge(token, { claims: { aud: 'otro' } }),
    'no expiry': await forge(token, { remove: ['exp'] }),
    'no auth_time': await forge(token, { remove: ['auth_time'] }),
    'no subject': await forge(token, { remove: ['sub'] }),
    'a number as subject': await forge(token, { claims: { sub: 7 } }),
    'an endless subject': await forge(token, { claims: { sub: 'x'.repeat(129) } }),
    'not valid yet': await forge(token, { claims: { nbf: now + 600 } }),
    'too long': await forge(token, { claims: { filling: 'x'.repeat(9_000) } }),
    text: 'esto no es un token',
    nothing: '',
  }
  for (const [name, forged] of Object.entries(bad)) expect([name, await verdict(forged)]).toEqual([name, 'UNAUTHENTICATED'])
  expect(await verdict(await forge(token, { claims: { exp: now - 1 } }))).toBe('TOKEN_EXPIRED')
  expect(await verdict(await forge(token, { claims: { sub: 'nadie', user_id: 'nadie' } }))).toBe('TOKEN_EXPIRED')

  // The endpoints use the codes to which the SDK reacts correctly.
  const lookup = async (idToken: string) => (await it.call('accounts:lookup', { idToken })).code
  for (const name of ['alg none', 'HMAC with the public key', 'cut signature', 'issuer of another studio', 'unknown kid'])
    expect([name, await lookup(bad[name] ?? '')]).toEqual([name, 'INVALID_ID_TOKEN'])
  expect(await lookup(await forge(token, { claims: { exp: now - 1 } }))).toBe('TOKEN_EXPIRED')
  expect(await lookup(await forge(token, { claims: { sub: 'nadie' } }))).toBe('USER_NOT_FOUND')
  expect(await lookup('')).toBe('MISSING_ID_TOKEN')
  expect(await lookup(await forge(token, { claims: { sub: uid } }))).toBeUndefined()
})

test('a cached token still expires after its hour', async () => {
  const { token } = await newAccount()
  expect(await verdict(token)).toBe('accepted')
  it.advance(3_601)
  expect(await verdict(token)).toBe('TOKEN_EXPIRED')
  it.advance(-3_601)
  expect(await verdict(token)).toBe('accepted')
})

test('every way of logging in opens a session of its own, whatever token is sent along, and no older one gains by it', async () => {
  const { email } = await newAccount()
  const other = await newAccount()
  const login = (more: object = {}, headers: Record<string, string> = {}) =>
    it.call('accounts:signInWithPassword', { email, password: PASSWORD, returnSecureToken: true, ...more }, headers)
  const planted = (await it.call('accounts:signInWithPassword', { email: other.email, password: PASSWORD })).json
  const first = (await login()).json
  const along = { idToken: planted?.idToken, refreshToken: planted?.refreshToken, sid: decodeJwt(String(planted?.idToken)).sid }
  const answers = [
    first,
    (await login()).json,
    (await login(along)).json,
    (await login({}, { authorization: `Bearer ${first?.idToken}`, cookie: `session=${first?.refreshToken}` })).json,
  ]
  await it.call('accounts:sendOobCode', { requestType: 'EMAIL_SIGNIN', email, continueUrl: it.publicUrl, canHandleCodeInApp: true })
  const oobCode = (await it.letters()).at(-1)?.link.searchParams.get('oobCode')
  const byMail = await it.call('accounts:signInWithEmailLink', { email, oobCode, idToken: answers[1]?.idToken })
  expect(byMail.status).toBe(200)
  // It confirms the address, which ends what was opened with the password (pre-hijacking).
  const all = [planted, ...answers, byMail.json]
  expect(new Set(all.map((answer) => answer?.refreshToken)).size).toBe(all.length)
  expect(new Set(all.map((answer) => decodeJwt(String(answer?.idToken)).sid)).size).toBe(all.length)
  expect([planted?.localId, ...all.slice(1).map((answer) => answer?.localId)]).toEqual([other.uid, ...Array(5).fill(first?.localId)])
  // The planted session is still that of the other account.
  expect((await it.identity.verify(String(planted?.idToken))).uid).toBe(other.uid)
})

test('a change of password invalidates older tokens in the same second; those of its response are valid', async () => {
  const { email, token } = await newAccount()
  expect(await verdict(token)).toBe('accepted')
  const signedIn = await it.call('accounts:signInWithPassword', { email, password: PASSWORD })
  const before = String(signedIn.json?.idToken)
  const changed = await it.call('accounts:update', { idToken: before, password: OTHER_PASSWORD, returnSecureToken: true })
  expect(await verdict(before)).toBe('TOKEN_EXPIRED')
  expect(await verdict(token)).toBe('TOKEN_EXPIRED')
  expect((await it.call('accounts:lookup', { idToken: before })).code).toBe('TOKEN_EXPIRED')
  expect(await verdict(String(changed.json?.idToken))).toBe('accepted')
  expect((await it.refresh(String(signedIn.json?.refreshToken))).code).toBe('TOKEN_EXPIRED')
  expect((await it.refresh(String(changed.json?.refreshToken))).status).toBe(200)
})

test('other processes learn at once that an account was signed out', async () => {
  const { uid, token } = await newAccount()
  const second = await identityUnderTest({ database: it.database })
  // The second process has its own address, and so its own issuer; both read the same account.
  const there = await second.identity.tokenFor(uid)
  expect((await second.identity.verify(there)).uid).toBe(uid)
  await it.identity.revokeSessions(uid)
  expect(await verdict(token)).toBe('TOKEN_EXPIRED')
  await expect
    .poll(() =>
      second.identity.verify(there).then(
        () => 'accepted',
        (refusal: { code: string }) => refusal.code,
      ),
    )
    .toBe('TOKEN_EXPIRED')
  await second.close()
})

test('the key set and the discovery document contain only public keys', async () => {
  await newAccount()
  const discovery = await it.request('/identidad/.well-known/openid-configuration')
  expect(discovery.json).toMatchObject({
    issuer: `${it.publicUrl}/identidad`,
    jwks_uri: `${it.publicUrl}/identidad/jwks.json`,
    id_token_signing_alg_values_supported: ['ES256'],
  })
  const { keys } = (await it.request(new URL(String(discovery.json?.jwks_uri)).pathname)).json as { keys: JWK[] }
  expect(keys.length).toBeGreaterThan(0)
  for (const key of keys) expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
})

test('a rotation publishes the next key a day ahead, and the old one until its tokens expire', async () => {
  const turning = await identityUnderTest()
  const sweep = async () => {
    for (const job of turning.identity.jobs()) if (job.name === 'identity-sweep') await job.work({}, newRun())
  }
  const kids = async () => ((await turning.request('/identidad/jwks.json')).json as { keys: { kid: string }[] }).keys.map((key) => key.kid)
  const { uid } = await turning.identity.createAccount({ email: someEmail() })
  const kidNow = async () => decodeProtectedHeader(await turning.identity.tokenFor(uid)).kid
  const DAY = 86_400
  const first = await kidNow()
  await sweep()
  expect(await kids()).toEqual([first])
  turning.advance(91 * DAY)
  await sweep()
  const both = await kids()
  expect(both).toHaveLength(2)
  expect(await kidNow()).toBe(first)
  turning.advance(DAY + 60)
  const lastOfOld = await turning.identity.tokenFor(uid)
  await sweep()
  expect(await kids()).toHaveLength(2)
  const second = await kidNow()
  expect(second).not.toBe(first)
  expect(both).toContain(second)
  expect((await turning.identity.verify(lastOfOld)).uid).toBe(uid)
  turning.advance(DAY)
  await sweep()
  expect(await kids()).toEqual([second])
  await turning.close()
})

test('two processes that start on an empty database agree on one key', async () => {
  const first = await identityUnderTest()
  const second = await identityUnderTest({ database: first.database })
  const { uid } = await first.identity.createAccount({ email: someEmail() })
  await Promise.all([first, second].flatMap((process) => [process.identity.tokenFor(uid), process.identity.tokenFor(uid)]))
  const { rows } = await first.db.pool.query('select count(*)::int as keys from identity_key')
  expect(rows[0].keys).toBe(1)
  await first.close()
  await second.close()
})

test('verifies Google’s tokens the same way: issuer, audience, algorithm and remote keys', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'g1', alg: 'RS256', use: 'sig' }
  let fetches = 0
  let silent = false
  const keys = createServer((_req, res) => {
    fetches++
    if (silent) return void res.writeHead(503).end()
    res.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }))
  })
  const port = await freePort()
  await new Promise<void>((ready) => keys.listen(port, '127.0.0.1', ready))
  const make = () =>
    googleIdentity({
      projectId: 'mi-estudio',
      apiKey: IDENTITY_API_KEY,
      now: it.now,
      log: { debug() {}, info() {}, warn() {}, error() {} },
      endpoints: {
        jwks: `http://127.0.0.1:${port}/jwks`,
        identity: `${it.publicUrl}/identitytoolkit.googleapis.com`,
        issuer: 'https://securetoken.google.com/mi-estudio',
        algorithms: ['RS256'],
      },
    })
  const google = make()
  const now = Math.floor(it.now().getTime() / 1000)
  const claims = {
    iss: 'https://securetoken.google.com/mi-estudio',
    aud: 'mi-estudio',
    sub: 'uidDeGoogle',
    email: 'Ana@Ejemplo.mx',
    email_verified: true,
    auth_time: now - 50,
    iat: now - 5,
    exp: now + 3_595,
  }
  const sign = (some: object, kid = 'g1') =>
    new SignJWT({ ...claims, ...some }).setProtectedHeader({ alg: 'RS256', kid, typ: 'JWT' }).sign(privateKey)
  const codeOf = (token: string, port = google) =>
    port.verify(token).then(
      (verified) => verified.uid,
      (refusal: { code: string }) => refusal.code,
    )

  expect(await google.verify(await sign({}))).toEqual({
    uid: 'uidDeGoogle',
    email: 'ana@ejemplo.mx',
    emailVerified: true,
    issuer: claims.iss,
    authTime: new Date((now - 50) * 1000),
    exp: new Date((now + 3_595) * 1000),
    session: null,
    secondFactor: false,
  })
  expect(await google.verify(await sign({ firebase: { sign_in_second_factor: 'totp' } }))).toMatchObject({ secondFactor: true })
  expect(await codeOf(await sign({ aud: 'otro-estudio' }))).toBe('UNAUTHENTICATED')
  expect(await codeOf(await sign({ iss: 'https://securetoken.google.com/otro' }))).toBe('UNAUTHENTICATED')
  expect(await codeOf(await sign({ email: undefined }))).toBe('UNAUTHENTICATED')
  expect(await codeOf(await sign({}, 'g2'))).toBe('UNAUTHENTICATED')
  expect(await codeOf(await sign({ exp: now - 1 }))).toBe('TOKEN_EXPIRED')
  // A token of the embedded service, and one whose HMAC uses the public key, are nothing here.
  expect(await codeOf((await newAccount()).token)).toBe('UNAUTHENTICATED')
  expect(fetches).toBe(1)
  // Google out of reach is not the visitor's fault.
  silent = true
  expect(await codeOf(await sign({}), make())).toBe('BUSY')
  await new Promise((closed) => keys.close(closed))
  expect(await codeOf(await sign({}), make())).toBe('BUSY')

  // Calls that need an administrator of Google are refused as such; those that a key or the person's own token allows are made.
  expect([await google.revokeSessions('x'), await google.setDisabled('x', true), await google.removeAccount('x')]).toEqual([
    false,
    false,
    false,
  ])
  const { uid, email, token } = await newAccount()
  expect(await google.sendPasswordLink(email)).toBe(true)
  expect(await it.letters()).toHaveLength(1)
  expect(await google.removeAccount(uid, 'a.b.c')).toBe(false)
  expect(await google.removeAccount(uid, token)).toBe(true)
  expect(await google.sendPasswordLink(email)).toBe(false)
})

test('creating accounts by the studio is idempotent, and a mailed link sets no password', async () => {
  const email = someEmail()
  const account = await it.identity.createAccount({ email: email.toUpperCase(), name: 'Renata' })
  expect(account.created).toBe(true)
  expect(await it.identity.createAccount({ email, password: PASSWORD })).toEqual({ uid: account.uid, created: false })
  expect((await it.call('accounts:signInWithPassword', { email, password: PASSWORD })).code).toBe('INVALID_PASSWORD')
  await expect(it.identity.createAccount({ email: 'nada' })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  expect(await it.identity.sendPasswordLink(email)).toBe(true)
  const [mail] = await it.letters()
  const done = await it.call('accounts:resetPassword', { oobCode: mail?.link.searchParams.get('oobCode'), newPassword: PASSWORD })
  expect(done.json).toMatchObject({ requestType: 'PASSWORD_RESET', email })
  expect((await it.call('accounts:signInWithPassword', { email, password: PASSWORD })).json).toMatchObject({
    localId: account.uid,
    displayName: 'Renata',
  })
})
