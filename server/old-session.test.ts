/**
 * A session whose sign-in is old, or a stolen ID token of one, changes no credential of the account: every operation of
 * the identity service and every endpoint of ours about one's own account is listed here, and one that is not listed fails (P15).
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { IDENTITY_API_KEY, IDENTITY_PATH } from '#contract/identity.ts'
import { operationPaths } from '#server/adapters/identity/http.ts'
import { PASSWORD, someEmail } from '#server/testing/identity-service.ts'
import { studio, type TestStudio } from '#server/testing/studio.ts'
import { endpoints } from '#server/testing/wire.ts'

let on: TestStudio
beforeAll(async () => {
  on = await studio()
})
afterAll(() => on.close())

type Fields = Record<string, unknown>

async function post(path: string, body: Fields | URLSearchParams): Promise<{ code: string | null; answer: Fields }> {
  const answer = await fetch(`${on.url}${IDENTITY_PATH}${path}?key=${IDENTITY_API_KEY}`, {
    method: 'POST',
    ...(body instanceof URLSearchParams ? { body } : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const json = (await answer.json()) as Fields & { error?: { message: string } }
  return { code: json.error?.message.split(' : ')[0] ?? null, answer: json }
}

/** A person who signed in two days ago and whose session has just been refreshed. */
interface Old {
  uid: string
  email: string
  idToken: string
  refreshToken: string
}

let old: Old
beforeEach(async () => {
  on.clock.advance({ hours: 2 })
  const email = someEmail()
  const { answer } = await post('/v1/accounts:signUp', { email, password: PASSWORD, returnSecureToken: true })
  on.clock.advance({ days: 2 })
  const { answer: fresh } = await post(
    '/v1/token',
    new URLSearchParams({ grant_type: 'refresh_token', refresh_token: String(answer.refreshToken) }),
  )
  old = { uid: String(answer.localId), email, idToken: String(fresh.id_token), refreshToken: String(answer.refreshToken) }
})

/** All rows that decide how an account is accessed. */
const credentials = () =>
  on.sql(
    `select a.uid, email, password_hash, disabled, email_verified, f.factor_id, f.sealed_secret,
       (select count(*)::int from identity_recovery_code r where r.uid = a.uid) as recovery_codes,
       (select count(*)::int from identity_challenge c where c.uid = a.uid) as challenges
     from identity_account a left join identity_second_factor f on f.uid = a.uid where a.uid = $1`,
    [old.uid],
  )

interface Row {
  /** Changes a credential: refused with CREDENTIAL_TOO_OLD_LOGIN_AGAIN. */
  refused?: (session: Old) => Fields
  /** Changes no credential, whatever its response. */
  harmless?: (session: Old) => Fields | URLSearchParams
}

const NEW_EMAIL = 'intruso@ejemplo.mx'
const NEW_PASSWORD = 'tortuga-lenta-88'

/** Operations of the identity service by path; a request of each kind that carries a session. */
const operations: Record<string, readonly Row[]> = {
  '/v1/accounts:signUp': [{ refused: ({ idToken }) => ({ idToken, email: NEW_EMAIL, password: NEW_PASSWORD }) }],
  '/v1/accounts:signInWithPassword': [{ harmless: ({ idToken, email }) => ({ idToken, email, password: NEW_PASSWORD }) }],
  // With a session it links a mailed sign-in link to the account. Without a code there is nothing to link; with one, see below.
  '/v1/accounts:signInWithEmailLink': [{ harmless: ({ idToken, email }) => ({ idToken, email, oobCode: 'x' }) }],
  '/v1/accounts:signInWithIdp': [
    { harmless: ({ idToken }) => ({ idToken, requestUri: on.url, postBody: 'id_token=x&providerId=google.com' }) },
  ],
  '/v1/accounts:lookup': [{ harmless: ({ idToken }) => ({ idToken }) }],
  '/v1/accounts:update': [
    { refused: ({ idToken }) => ({ idToken, email: NEW_EMAIL, returnSecureToken: true }) },
    { refused: ({ idToken }) => ({ idToken, password: NEW_PASSWORD, returnSecureToken: true }) },
    { harmless: ({ idToken }) => ({ idToken, deleteProvider: ['password'] }) },
    { harmless: ({ idToken }) => ({ idToken, displayName: 'Ana', disableUser: true, validSince: '0', emailVerified: true }) },
    { harmless: ({ idToken }) => ({ idToken, displayName: 'Ana', emailVerified: true }) },
  ],
  '/v1/accounts:delete': [{ refused: ({ idToken }) => ({ idToken }) }],
  '/v1/accounts:createAuthUri': [{ harmless: ({ idToken, email }) => ({ idToken, identifier: email, continueUri: on.url }) }],
  '/v1/accounts:sendOobCode': [
    { refused: ({ idToken }) => ({ requestType: 'VERIFY_AND_CHANGE_EMAIL', idToken, newEmail: NEW_EMAIL }) },
    // These are mailed to the account's own address, whatever the request contains.
    { harmless: ({ idToken }) => ({ requestType: 'VERIFY_EMAIL', idToken, email: NEW_EMAIL }) },
    { harmless: ({ idToken, email }) => ({ requestType: 'PASSWORD_RESET', idToken, email, newEmail: NEW_EMAIL }) },
  ],
  '/v1/accounts:resetPassword': [{ harmless: ({ idToken }) => ({ idToken, oobCode: 'x', newPassword: NEW_PASSWORD }) }],
  '/v2/accounts/mfaEnrollment:start': [{ refused: ({ idToken }) => ({ idToken, totpEnrollmentInfo: {} }) }],
  '/v2/accounts/mfaEnrollment:finalize': [
    { refused: ({ idToken }) => ({ idToken, totpVerificationInfo: { sessionInfo: 'x', verificationCode: '123456' } }) },
  ],
  '/v2/accounts/mfaEnrollment:withdraw': [{ refused: ({ idToken }) => ({ idToken, mfaEnrollmentId: 'x' }) }],
  '/v2/accounts/mfaRecoveryCodes:create': [{ refused: ({ idToken }) => ({ idToken }) }],
  // Completes a sign-in and nothing else: what it needs only the right password or a mailed link gives out.
  '/v2/accounts/mfaSignIn:finalize': [
    {
      harmless: ({ idToken }) => ({
        idToken,
        mfaPendingCredential: 'x',
        mfaEnrollmentId: 'x',
        totpVerificationInfo: { verificationCode: '123456' },
      }),
    },
  ],
  '/v1/token': [
    { harmless: ({ refreshToken }) => new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken, email: NEW_EMAIL }) },
  ],
}

test('lists every operation of the identity service', () => {
  expect(Object.keys(operations).sort()).toEqual([...operationPaths].sort())
})

test.each(Object.entries(operations))('with an old sign-in %s changes no credential', async (path, rows) => {
  const before = await credentials()
  for (const { refused, harmless } of rows) {
    if (refused) expect([path, (await post(path, refused(old))).code]).toEqual([path, 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN'])
    if (harmless) await post(path, harmless(old))
    expect(await credentials()).toEqual(before)
  }
  // No mail that could move the account is queued for another address.
  const mailJobs = await on.sql(`select data from jobs.job where data->>'job' = 'identity-letter' and data::text like '%' || $1 || '%'`, [
    NEW_EMAIL,
  ])
  expect(mailJobs).toEqual([])
})

/** Our endpoints about one's own account. None may change a credential: that is the identity service's, which requires a fresh sign-in. */
const OWN = [
  'people.me',
  'people.signup',
  'people.update',
  'people.confirm',
  'people.sessions.list',
  'people.sessions.endOthers',
  'people.sessions.end',
  'people.addresses.list',
  'people.addresses.one',
  'people.addresses.create',
  'people.addresses.update',
  'people.addresses.remove',
]
const own = endpoints().filter(({ name, access }) => name.startsWith('people.') && (access === 'identity' || access === 'customer'))

test('lists every endpoint about the own account', () => {
  expect(own.map(({ name }) => name).sort()).toEqual([...OWN].sort())
})

test.each(own)('with an old sign-in $name ($method $path) changes no credential', async ({ method, path }) => {
  const before = await credentials()
  const sent = {
    uid: old.uid,
    email: NEW_EMAIL,
    password: NEW_PASSWORD,
    name: 'Ana',
    last_name: 'Paz',
    phone: '5512345678',
    disabled: true,
  }
  await fetch(`${on.url}/api${path.replace(/\{\w+\}/g, '1')}`, {
    method,
    headers: { authorization: `Bearer ${old.idToken}`, ...(method === 'GET' ? {} : { 'content-type': 'application/json' }) },
    ...(method === 'GET' ? {} : { body: JSON.stringify(sent) }),
  })
  expect(await credentials()).toEqual(before)
})

test('a mailed sign-in link cannot be linked to the account of an old session', async () => {
  await post('/v1/accounts:sendOobCode', { requestType: 'EMAIL_SIGNIN', email: old.email, continueUrl: 'http://localhost:3000/entrar' })
  const before = await credentials()
  const { hash } = await import('node:crypto')
  await on.sql(`insert into identity_code (code_hash, kind, email, "createdAt", "expiresAt") values ($1, 'EMAIL_SIGNIN', $2, $3, $4)`, [
    hash('sha256', 'codigo', 'base64url'),
    old.email,
    on.clock.now(),
    new Date(on.clock.now().getTime() + 60_000),
  ])
  const { code } = await post('/v1/accounts:signInWithEmailLink', { idToken: old.idToken, email: old.email, oobCode: 'codigo' })
  expect(code).toBe('CREDENTIAL_TOO_OLD_LOGIN_AGAIN')
  expect(await credentials()).toEqual(before)
})
