/** The second factor through the unmodified SDK: enrolment, the challenge, recovery codes, and what is refused (P17). */
import type { FirebaseError } from 'firebase/app'
import * as sdk from 'firebase/auth'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { identityUnderTest, OTHER_PASSWORD, PASSWORD, someEmail, type UnderTest } from '#server/testing/identity-service.ts'

let it: UnderTest
beforeAll(async () => {
  it = await identityUnderTest()
})
afterAll(() => it.close())

async function errorOf(work: Promise<unknown>): Promise<FirebaseError> {
  try {
    await work
  } catch (error) {
    return error as FirebaseError
  }
  throw new Error('It was not refused.')
}
const codeOf = async (work: Promise<unknown>) => (await errorOf(work)).code

/** What the app on a phone shows, `steps` of thirty seconds from the service's present. */
const appShows = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: it.now().getTime() + steps * 30_000 })

async function staffMember() {
  const auth = it.firebase()
  const email = someEmail()
  const { user } = await sdk.createUserWithEmailAndPassword(auth, email, PASSWORD)
  it.staff.add(user.uid)
  return { auth, email, user }
}

async function enrolled() {
  const member = await staffMember()
  const secret = await sdk.TotpMultiFactorGenerator.generateSecret(await sdk.multiFactor(member.user).getSession())
  const assertion = sdk.TotpMultiFactorGenerator.assertionForEnrollment(secret, appShows(secret.secretKey))
  await sdk.multiFactor(member.user).enroll(assertion, 'Mi teléfono')
  // A code is good once: the next one is another.
  it.advance(30)
  return { ...member, secret: secret.secretKey }
}

async function challenge(email: string, password = PASSWORD, auth = it.firebase()) {
  const error = await errorOf(sdk.signInWithEmailAndPassword(auth, email, password))
  expect(error.code).toBe('auth/multi-factor-auth-required')
  expect(auth.currentUser).toBeNull()
  const resolver = sdk.getMultiFactorResolver(auth, error as sdk.MultiFactorError)
  const [hint] = resolver.hints
  if (!hint) throw new Error('No hint.')
  return {
    auth,
    hint,
    answer: (code: string) => resolver.resolveSignIn(sdk.TotpMultiFactorGenerator.assertionForSignIn(hint.uid, code)),
  }
}

const recoveryCodes = async (user: sdk.User) => {
  const answer = await it.request(it.keyed('/v2/accounts/mfaRecoveryCodes:create'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ idToken: await user.getIdToken() }),
  })
  return { code: answer.code, codes: (answer.json?.recoveryCodes ?? []) as string[] }
}

test('enrols an app with a code of it; the secret is encrypted, this session continues, the others end', async () => {
  const { email, user } = await staffMember()
  const elsewhere = (await sdk.signInWithEmailAndPassword(it.firebase(), email, PASSWORD)).user
  const secret = await sdk.TotpMultiFactorGenerator.generateSecret(await sdk.multiFactor(user).getSession())
  expect(secret).toMatchObject({ hashingAlgorithm: 'SHA1', codeLength: 6, codeIntervalSeconds: 30 })
  expect(secret.secretKey).toMatch(/^[A-Z2-7]{32}$/)
  expect(secret.generateQrCodeUrl(email, 'Vaivén')).toContain(`secret=${secret.secretKey}`)
  const enrol = (code: string) =>
    sdk.multiFactor(user).enroll(sdk.TotpMultiFactorGenerator.assertionForEnrollment(secret, code), 'Mi teléfono')
  const wrong = appShows(secret.secretKey, 9)
  expect(await codeOf(enrol(wrong))).toBe('auth/invalid-verification-code')
  expect(sdk.multiFactor(user).enrolledFactors).toEqual([])
  await enrol(appShows(secret.secretKey))
  expect(sdk.multiFactor(user).enrolledFactors).toMatchObject([{ factorId: 'totp', displayName: 'Mi teléfono' }])
  expect((await user.getIdTokenResult()).signInSecondFactor).toBe('totp')
  expect((await it.identity.verify(await user.getIdToken())).secondFactor).toBe(true)
  expect(await codeOf(elsewhere.getIdToken(true))).toBe('auth/user-token-expired')
  const { rows } = await it.db.pool.query(
    'select row_to_json(f)::text as row from identity_second_factor f union all select row_to_json(c)::text from identity_challenge c',
  )
  expect(rows.length).toBeGreaterThan(0)
  for (const { row } of rows) expect(row).not.toContain(secret.secretKey)
  // One app: a second is refused before it has a secret.
  expect(await codeOf(sdk.multiFactor(user).getSession().then(sdk.TotpMultiFactorGenerator.generateSecret))).toBe(
    'auth/second-factor-already-in-use',
  )
})

test('notifies the owner by email when a factor is added or removed, and when a recovery code is used', async () => {
  await it.letters()
  const { email, user, secret } = await enrolled()
  const mailsSent = async () => (await it.letters()).map((mail) => [mail.to, mail.subject])
  const [added, ...more] = await it.letters()
  expect(more).toEqual([])
  expect(added).toMatchObject({ to: email, subject: expect.stringMatching(/^Activaste la verificación en dos pasos en /) })
  expect(added?.link.href).toBe(`${it.publicUrl}/seguridad`)
  expect(added?.text).toContain('Si no fuiste tú')
  expect(added?.text).not.toContain(secret)

  const { codes } = await recoveryCodes(user)
  expect(await mailsSent()).toEqual([])
  await (await challenge(email)).answer(codes[0] ?? '')
  const [used] = await it.letters()
  expect(used).toMatchObject({ to: email, subject: expect.stringMatching(/^Se usó un código de recuperación en /) })
  expect(used?.text).toContain('Te quedan 9.')
  expect(used?.text).not.toContain(codes[1])
  // A wrong one, one that was used, and a code of the app are no news.
  const again = await challenge(email)
  expect(await codeOf(again.answer(codes[0] ?? ''))).toBe('auth/invalid-verification-code')
  await again.answer(appShows(secret))
  expect(await mailsSent()).toEqual([])

  it.advance(30)
  const { user: proven } = await (await challenge(email)).answer(appShows(secret))
  const [factor] = sdk.multiFactor(proven).enrolledFactors
  await sdk.multiFactor(proven).unenroll(factor ?? '')
  expect(await mailsSent()).toEqual([[email, expect.stringMatching(/^Se desactivó la verificación en dos pasos en /)]])
})

test('requires a code to complete a sign-in, and the session records it', async () => {
  const { email, user, secret } = await enrolled()
  const challenged = await challenge(email)
  expect(challenged.hint).toMatchObject({ factorId: 'totp', displayName: 'Mi teléfono' })
  expect(await codeOf(challenged.answer('000000'))).toBe('auth/invalid-verification-code')
  const { user: back } = await challenged.answer(appShows(secret))
  expect(back.uid).toBe(user.uid)
  expect((await it.identity.verify(await back.getIdToken(true))).secondFactor).toBe(true)
  await back.reload()
  expect(sdk.multiFactor(back).enrolledFactors).toHaveLength(1)
})

test('a mailed link requires the code too, and a mailed password reset signs no session in', async () => {
  const { email, secret } = await enrolled()
  const auth = it.firebase()
  await sdk.sendSignInLinkToEmail(auth, email, { url: `${it.publicUrl}/entrar`, handleCodeInApp: true })
  const link = (await it.letters()).find(({ subject }) => subject.startsWith('Entra a'))?.link.href ?? ''
  const error = await errorOf(sdk.signInWithEmailLink(auth, email, link))
  expect(error.code).toBe('auth/multi-factor-auth-required')
  const resolver = sdk.getMultiFactorResolver(auth, error as sdk.MultiFactorError)
  const uid = resolver.hints[0]?.uid ?? ''
  await resolver.resolveSignIn(sdk.TotpMultiFactorGenerator.assertionForSignIn(uid, appShows(secret)))
  expect(auth.currentUser?.email).toBe(email)
  await sdk.sendPasswordResetEmail(auth, email)
  const reset = (await it.letters())[0]?.link.searchParams.get('oobCode') ?? ''
  await sdk.confirmPasswordReset(it.firebase(), reset, OTHER_PASSWORD)
  it.advance(30)
  await (await challenge(email, OTHER_PASSWORD)).answer(appShows(secret))
})

test('a code works once, no older code is accepted afterwards, and clocks may differ by one step', async () => {
  const { email, secret } = await enrolled()
  it.advance(120)
  const code = appShows(secret)
  await (await challenge(email)).answer(code)
  expect(await codeOf((await challenge(email)).answer(code))).toBe('auth/invalid-verification-code')
  expect(await codeOf((await challenge(email)).answer(appShows(secret, -1)))).toBe('auth/invalid-verification-code')
  await (await challenge(email)).answer(` ${appShows(secret, 1).slice(0, 3)} ${appShows(secret, 1).slice(3)}`)
  it.advance(300)
  expect(await codeOf((await challenge(email)).answer(appShows(secret, 2)))).toBe('auth/invalid-verification-code')
  expect(await codeOf((await challenge(email)).answer(appShows(secret, -2)))).toBe('auth/invalid-verification-code')
})

test('of two concurrent sign-ins with the same code one succeeds', async () => {
  const { email, secret } = await enrolled()
  const both = [await challenge(email), await challenge(email)]
  const outcomes = await Promise.allSettled(both.map((outcome) => outcome.answer(appShows(secret))))
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
})

test('limits guesses of codes, also with a new challenge per guess, and a correct one resets the limit', async () => {
  const { email, secret } = await enrolled()
  for (let n = 0; n < 5; n++) expect(await codeOf((await challenge(email)).answer('000000'))).toBe('auth/invalid-verification-code')
  expect(await codeOf((await challenge(email)).answer(appShows(secret)))).toBe('auth/too-many-requests')
  it.advance(300)
  await (await challenge(email)).answer(appShows(secret))
  it.advance(30)
  for (let n = 0; n < 4; n++) expect(await codeOf((await challenge(email)).answer('000000'))).toBe('auth/invalid-verification-code')
  await (await challenge(email)).answer(appShows(secret))
})

test('a challenge works once, for ten minutes, for its own account, and not after a change of password', async () => {
  const { email, secret, user } = await enrolled()
  const used = await challenge(email)
  await used.answer(appShows(secret))
  it.advance(30)
  expect(await codeOf(used.answer(appShows(secret)))).toBe('auth/invalid-multi-factor-session')
  const late = await challenge(email)
  it.advance(601)
  expect(await codeOf(late.answer(appShows(secret)))).toBe('auth/invalid-multi-factor-session')
  const other = await enrolled()
  const theirs = await challenge(other.email)
  expect(await codeOf(theirs.answer(appShows(secret)))).toBe('auth/invalid-verification-code')
  const pending = await challenge(email)
  await it.identity.revokeSessions(user.uid)
  expect(await codeOf(pending.answer(appShows(secret)))).toBe('auth/invalid-multi-factor-session')
})

test('ten recovery codes replace a lost app, each once; new codes void the old ones', async () => {
  const { email, user } = await enrolled()
  const { codes: old } = await recoveryCodes(user)
  const { codes } = await recoveryCodes(user)
  expect(codes).toHaveLength(10)
  expect(new Set(codes.map((code) => code.slice(0, 4))).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){2}[0-9A-HJKMNP-TV-Z]{4}$/)
  const [first = '', second = ''] = codes
  expect(await codeOf((await challenge(email)).answer(old[0] ?? ''))).toBe('auth/invalid-verification-code')
  // However it was copied.
  const { user: back } = await (await challenge(email)).answer(first.toLowerCase().replaceAll('-', ' '))
  expect((await it.identity.verify(await back.getIdToken())).secondFactor).toBe(true)
  expect(await codeOf((await challenge(email)).answer(first))).toBe('auth/invalid-verification-code')
  const both = [await challenge(email), await challenge(email)]
  const outcomes = await Promise.allSettled(both.map((outcome) => outcome.answer(second)))
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const { rows } = await it.db.pool.query('select code_hash from identity_recovery_code where uid = $1', [user.uid])
  expect(rows).toHaveLength(8)
  for (const { code_hash } of rows) expect(code_hash).toMatch(/^\$argon2id\$/)
})

test('enrolling, new codes and turning it off require a recent sign-in, the last two with a code', async () => {
  const { email, user, secret, auth } = await enrolled()
  const [factor] = sdk.multiFactor(user).enrolledFactors
  if (!factor) throw new Error('No factor.')
  it.advance(301)
  expect(await codeOf(sdk.multiFactor(user).unenroll(factor))).toBe('auth/requires-recent-login')
  expect((await recoveryCodes(user)).code).toBe('CREDENTIAL_TOO_OLD_LOGIN_AGAIN')
  // A token of an account that never proved the factor. The service issues none, so it is made here.
  const bare = await it.identity.tokenFor(user.uid)
  const withdraw = (idToken: string, mfaEnrollmentId: string) =>
    it.request(it.keyed('/v2/accounts/mfaEnrollment:withdraw'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ idToken, mfaEnrollmentId }),
    })
  expect((await withdraw(bare, factor.uid)).code).toBe('CREDENTIAL_TOO_OLD_LOGIN_AGAIN')
  const error = await errorOf(sdk.reauthenticateWithCredential(user, sdk.EmailAuthProvider.credential(email, PASSWORD)))
  const resolver = sdk.getMultiFactorResolver(auth, error as sdk.MultiFactorError)
  await resolver.resolveSignIn(sdk.TotpMultiFactorGenerator.assertionForSignIn(factor.uid, appShows(secret)))
  expect((await recoveryCodes(user)).codes).toHaveLength(10)
  await sdk.multiFactor(user).unenroll(factor)
  expect(sdk.multiFactor(user).enrolledFactors).toEqual([])
  expect((await it.identity.verify(await user.getIdToken(true))).secondFactor).toBe(false)
  expect((await sdk.signInWithEmailAndPassword(it.firebase(), email, PASSWORD)).user.uid).toBe(user.uid)
  const { rows } = await it.db.pool.query('select 1 from identity_recovery_code where uid = $1', [user.uid])
  expect(rows).toEqual([])
  it.advance(301)
  expect(await codeOf(sdk.multiFactor(user).getSession().then(sdk.TotpMultiFactorGenerator.generateSecret))).toBe(
    'auth/requires-recent-login',
  )
})

test('refuses enrolment for accounts that are not staff', async () => {
  const { user } = await sdk.createUserWithEmailAndPassword(it.firebase(), someEmail(), PASSWORD)
  expect(await codeOf(sdk.multiFactor(user).getSession().then(sdk.TotpMultiFactorGenerator.generateSecret))).toBe(
    'auth/operation-not-allowed',
  )
})

test('going back to an old address removes an app that an intruder enrolled, and keeps an older one', async () => {
  const recoveryCodeOf = async (email: string, user: sdk.User) => {
    await sdk.updateEmail(user, email)
    const mails = await it.letters()
    return mails.find((mail) => mail.link.searchParams.get('mode') === 'recoverEmail')?.link.searchParams.get('oobCode') ?? ''
  }
  const factors = async (uid: string) => (await it.db.pool.query('select 1 from identity_second_factor where uid = $1', [uid])).rowCount
  const enrolment = await enrolled()
  await sdk.applyActionCode(it.firebase(), await recoveryCodeOf(someEmail(), enrolment.user))
  expect(await factors(enrolment.user.uid)).toBe(0)

  const own = await enrolled()
  await it.db.pool.query(`update identity_second_factor set "enrolledAt" = "enrolledAt" - interval '2 days' where uid = $1`, [own.user.uid])
  await sdk.applyActionCode(it.firebase(), await recoveryCodeOf(someEmail(), own.user))
  expect(await factors(own.user.uid)).toBe(1)
})

test('staff passwords need at least 8 characters regardless of the policy, also ones set before', async () => {
  const short = 'olas-77'
  const auth = it.firebase()
  const email = someEmail()
  const { user } = await sdk.createUserWithEmailAndPassword(auth, email, short)
  await sdk.updatePassword(user, 'ola-778')
  it.staff.add(user.uid)
  expect(await codeOf(sdk.updatePassword(user, short))).toBe('auth/weak-password')
  expect(await codeOf(sdk.signInWithEmailAndPassword(it.firebase(), email, 'ola-778'))).toBe('auth/password-does-not-meet-requirements')
  await sdk.sendPasswordResetEmail(auth, email)
  const code = (await it.letters())[0]?.link.searchParams.get('oobCode') ?? ''
  expect(await codeOf(sdk.confirmPasswordReset(auth, code, short))).toBe('auth/weak-password')
  await sdk.confirmPasswordReset(auth, code, 'olas-778')
  expect((await sdk.signInWithEmailAndPassword(it.firebase(), email, 'olas-778')).user.uid).toBe(user.uid)
})
