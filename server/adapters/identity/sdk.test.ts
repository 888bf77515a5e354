/** The unmodified Firebase SDK runs every flow against the embedded service (settled 8). */
import type { FirebaseError } from 'firebase/app'
import * as sdk from 'firebase/auth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { identityUnderTest, OTHER_PASSWORD, PASSWORD, someEmail, type UnderTest } from '#server/testing/identity-service.ts'

let it: UnderTest
beforeAll(async () => {
  it = await identityUnderTest()
})
afterAll(() => it.close())

/** The code that the SDK reports: "auth/wrong-password". */
async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    return (error as FirebaseError).code
  }
  return 'no error'
}

async function signedUp(style?: 'override' | 'emulator') {
  const auth = it.firebase(style)
  const email = someEmail()
  const { user } = await sdk.createUserWithEmailAndPassword(auth, email, PASSWORD)
  return { auth, email, user }
}

const onlyMail = async () => {
  const mails = await it.letters()
  expect(mails).toHaveLength(1)
  const [mail] = mails
  if (!mail) throw new Error('No letter.')
  return mail
}
const codeIn = (link: URL) => link.searchParams.get('oobCode') ?? ''

test.each(['override', 'emulator'] as const)('sign-up, sign-out and another sign-in work, %s style (S1-7.90, S1-7.91)', async (style) => {
  const { auth, email, user } = await signedUp(style)
  expect(user.email).toBe(email)
  expect(user.emailVerified).toBe(false)
  expect(user.uid).toMatch(/^[A-Za-z0-9]{28}$/)
  expect(Date.parse(user.metadata.creationTime ?? '')).toBeGreaterThan(Date.now() - 60_000)
  expect(user.providerData.map((info) => info.providerId)).toEqual(['password'])
  await sdk.signOut(auth)
  expect(auth.currentUser).toBeNull()
  const again = await sdk.signInWithEmailAndPassword(auth, ` ${email.toUpperCase()} `.trim(), PASSWORD)
  expect(again.user.uid).toBe(user.uid)
  expect(sdk.getAdditionalUserInfo(again)?.isNewUser).toBe(false)
  const verified = await it.identity.verify(await again.user.getIdToken())
  expect(verified).toMatchObject({ uid: user.uid, email, emailVerified: false, issuer: `${it.publicUrl}/identidad` })
})

test('sign-up reports a new account, and the token has its claims', async () => {
  const auth = it.firebase()
  const user = await sdk.createUserWithEmailAndPassword(auth, someEmail(), PASSWORD)
  expect(sdk.getAdditionalUserInfo(user)?.isNewUser).toBe(true)
  const token = await user.user.getIdTokenResult()
  expect(token.signInProvider).toBe('password')
  expect(Date.parse(token.expirationTime) - Date.parse(token.issuedAtTime)).toBe(3_600_000)
  expect(token.claims).toMatchObject({
    aud: 'estudio',
    user_id: user.user.uid,
    email_verified: false,
    firebase: { sign_in_provider: 'password' },
  })
})

test('distinguishes an unknown user from a wrong password, unless email protection is on (S1-8.02, S1-8.03, settled 9)', async () => {
  const { auth, email } = await signedUp()
  expect(await codeOf(sdk.signInWithEmailAndPassword(auth, email, OTHER_PASSWORD))).toBe('auth/wrong-password')
  expect(await codeOf(sdk.signInWithEmailAndPassword(auth, someEmail(), PASSWORD))).toBe('auth/user-not-found')
  it.change({ email_enumeration_protection: true })
  try {
    expect(await codeOf(sdk.signInWithEmailAndPassword(auth, email, OTHER_PASSWORD))).toBe('auth/invalid-credential')
    expect(await codeOf(sdk.signInWithEmailAndPassword(auth, someEmail(), PASSWORD))).toBe('auth/invalid-credential')
    await sdk.sendPasswordResetEmail(auth, 'nadie@ejemplo.mx')
    expect(await it.letters()).toEqual([])
    expect(await sdk.fetchSignInMethodsForEmail(auth, email)).toEqual([])
  } finally {
    it.change({ email_enumeration_protection: false })
  }
})

test('refuses a used email, an invalid email, no password and a weak password (S1-8.06)', async () => {
  const { auth, email } = await signedUp()
  expect(await codeOf(sdk.createUserWithEmailAndPassword(auth, email, PASSWORD))).toBe('auth/email-already-in-use')
  expect(await codeOf(sdk.createUserWithEmailAndPassword(auth, 'sin-arroba', PASSWORD))).toBe('auth/invalid-email')
  expect(await codeOf(sdk.createUserWithEmailAndPassword(auth, someEmail(), ''))).toBe('auth/missing-password')
  expect(await codeOf(sdk.createUserWithEmailAndPassword(auth, someEmail(), 'corta'))).toBe('auth/weak-password')
  expect(await codeOf(sdk.createUserWithEmailAndPassword(auth, someEmail(), 'Contraseña123'))).toBe(
    'auth/password-does-not-meet-requirements',
  )
  expect(await codeOf(sdk.signInAnonymously(auth))).toBe('auth/admin-restricted-operation')
})

test('three concurrent refreshes succeed, keep the refresh token, and keep the sign-in time', async () => {
  const { user } = await signedUp()
  const before = await user.getIdTokenResult()
  const refreshToken = user.refreshToken
  // As the SDK does it when the token has expired: it does not merge parallel refreshes.
  const fresh = await Promise.all([user.getIdToken(true), user.getIdToken(true), user.getIdToken(true)])
  expect(user.refreshToken).toBe(refreshToken)
  for (const token of fresh) expect((await it.identity.verify(token)).uid).toBe(user.uid)
  const after = await user.getIdTokenResult()
  expect(after.authTime).toBe(before.authTime)
})

test('resets a forgotten password through the email in the outbox (S1-7.92, S1-4.35)', async () => {
  const { auth, email, user } = await signedUp()
  const elsewhere = it.firebase()
  const { user: there } = await sdk.signInWithEmailAndPassword(elsewhere, email, PASSWORD)
  await sdk.sendPasswordResetEmail(auth, email, { url: `${it.publicUrl}/entrar?siguiente=calendario` })
  const mail = await onlyMail()
  expect(mail.to).toBe(email)
  expect(mail.subject).toContain('Vaivén')
  expect(mail.link.pathname).toBe('/cuenta/accion')
  const parsed = sdk.ActionCodeURL.parseLink(mail.link.href)
  expect(parsed).toMatchObject({
    operation: 'PASSWORD_RESET',
    apiKey: 'estudio-identidad',
    continueUrl: `${it.publicUrl}/entrar?siguiente=calendario`,
    languageCode: 'es',
  })
  const code = codeIn(mail.link)

  expect(await sdk.verifyPasswordResetCode(auth, code)).toBe(email)
  // A weak password does not cost the code.
  expect(await codeOf(sdk.confirmPasswordReset(auth, code, 'corta'))).toBe('auth/weak-password')
  await sdk.confirmPasswordReset(auth, code, OTHER_PASSWORD)
  expect(await codeOf(sdk.confirmPasswordReset(auth, code, PASSWORD))).toBe('auth/invalid-action-code')

  // Every session that was open is over; the new password works and the address counts as confirmed.
  expect(await codeOf(there.getIdToken(true))).toBe('auth/user-token-expired')
  expect(await codeOf(sdk.signInWithEmailAndPassword(auth, email, PASSWORD))).toBe('auth/wrong-password')
  const back = await sdk.signInWithEmailAndPassword(auth, email, OTHER_PASSWORD)
  expect(back.user.uid).toBe(user.uid)
  expect(back.user.emailVerified).toBe(true)
})

test('refuses a reset for an unknown account, to a foreign address, or with an old code', async () => {
  const { auth, email } = await signedUp()
  expect(await codeOf(sdk.sendPasswordResetEmail(auth, someEmail()))).toBe('auth/user-not-found')
  expect(await codeOf(sdk.sendPasswordResetEmail(auth, email, { url: 'https://malo.mx/' }))).toBe('auth/unauthorized-continue-uri')
  expect(await codeOf(sdk.sendPasswordResetEmail(auth, email, { url: 'javascript:alert(1)' }))).toBe('auth/invalid-continue-uri')
  expect(await it.letters()).toEqual([])
  await sdk.sendPasswordResetEmail(auth, email)
  const code = codeIn((await onlyMail()).link)
  it.advance(3_601)
  expect(await codeOf(sdk.confirmPasswordReset(auth, code, OTHER_PASSWORD))).toBe('auth/expired-action-code')
})

test('a mailed link signs in once, verifies the address, and creates a missing account (S1-7.93)', async () => {
  const auth = it.firebase()
  const email = someEmail()
  await sdk.sendSignInLinkToEmail(auth, email, { url: `${it.publicUrl}/entrar`, handleCodeInApp: true })
  const { link } = await onlyMail()
  expect(sdk.isSignInWithEmailLink(auth, link.href)).toBe(true)
  expect(await codeOf(sdk.signInWithEmailLink(auth, someEmail(), link.href))).toBe('auth/invalid-email')
  const credential = await sdk.signInWithEmailLink(auth, email, link.href)
  expect(sdk.getAdditionalUserInfo(credential)?.isNewUser).toBe(true)
  expect(credential.user.emailVerified).toBe(true)
  expect(await codeOf(sdk.signInWithEmailLink(auth, email, link.href))).toBe('auth/invalid-action-code')
  expect(await sdk.fetchSignInMethodsForEmail(auth, email)).toEqual(['emailLink'])
  // It can be given a password afterwards.
  await sdk.updatePassword(credential.user, PASSWORD)
  expect((await sdk.signInWithEmailAndPassword(it.firebase(), email, PASSWORD)).user.uid).toBe(credential.user.uid)
})

test('a mailed link takes over an unverified account that another person signed up with the address', async () => {
  const { email, user: squatter } = await signedUp()
  const auth = it.firebase()
  await sdk.sendSignInLinkToEmail(auth, email, { url: `${it.publicUrl}/entrar`, handleCodeInApp: true })
  const { link } = await onlyMail()
  const { user } = await sdk.signInWithEmailLink(auth, email, link.href)
  expect(user.uid).toBe(squatter.uid)
  expect(await codeOf(squatter.getIdToken(true))).toBe('auth/user-token-expired')
  expect(await codeOf(sdk.signInWithEmailAndPassword(it.firebase(), email, PASSWORD))).toBe('auth/wrong-password')
})

test('verifies an address through its email', async () => {
  const { auth, email, user } = await signedUp()
  await sdk.sendEmailVerification(user)
  const { to, link } = await onlyMail()
  expect(to).toBe(email)
  const code = codeIn(link)
  expect(await sdk.checkActionCode(auth, code)).toMatchObject({ operation: 'VERIFY_EMAIL', data: { email } })
  await sdk.applyActionCode(auth, code)
  await user.reload()
  expect(user.emailVerified).toBe(true)
  // Known to the studio at once, before the token is refreshed.
  expect((await it.identity.verify(await user.getIdToken())).emailVerified).toBe(true)
  expect(await codeOf(sdk.applyActionCode(auth, code))).toBe('auth/invalid-action-code')
})

test('a new address applies once it is verified, and the old address gets a link to go back', async () => {
  const { auth, email, user } = await signedUp()
  await sdk.sendEmailVerification(user)
  await sdk.applyActionCode(auth, codeIn((await onlyMail()).link))
  const newEmail = someEmail()
  await sdk.verifyBeforeUpdateEmail(user, newEmail)
  const mail = await onlyMail()
  expect(mail.to).toBe(newEmail)
  const code = codeIn(mail.link)
  expect(await sdk.checkActionCode(auth, code)).toMatchObject({
    operation: 'VERIFY_AND_CHANGE_EMAIL',
    data: { email: newEmail, previousEmail: email },
  })
  await sdk.applyActionCode(auth, code)
  expect(await codeOf(user.reload())).toBe('auth/user-token-expired')
  expect((await sdk.signInWithEmailAndPassword(auth, newEmail, PASSWORD)).user).toMatchObject({ uid: user.uid, emailVerified: true })

  const undoMail = await onlyMail()
  expect(undoMail.to).toBe(email)
  expect(undoMail.text).toContain(newEmail)
  await sdk.applyActionCode(auth, codeIn(undoMail.link))
  expect(await codeOf(sdk.signInWithEmailAndPassword(auth, newEmail, PASSWORD))).toBe('auth/user-not-found')
  // The password may be the intruder's: it is gone too.
  expect(await codeOf(sdk.signInWithEmailAndPassword(auth, email, PASSWORD))).toBe('auth/wrong-password')
  await sdk.sendPasswordResetEmail(auth, email)
  await sdk.confirmPasswordReset(auth, codeIn((await onlyMail()).link), OTHER_PASSWORD)
  expect((await sdk.signInWithEmailAndPassword(auth, email, OTHER_PASSWORD)).user.uid).toBe(user.uid)
})

test('an unverified old address gets a link to go back too when the account moves by email (P15)', async () => {
  const { auth, email, user } = await signedUp()
  const newEmail = someEmail()
  await sdk.verifyBeforeUpdateEmail(user, newEmail)
  await sdk.applyActionCode(auth, codeIn((await onlyMail()).link))
  const undoMail = await onlyMail()
  expect(undoMail.to).toBe(email)
  await sdk.applyActionCode(auth, codeIn(undoMail.link))
  expect(await codeOf(sdk.signInWithEmailAndPassword(auth, newEmail, PASSWORD))).toBe('auth/user-not-found')
})

test('a direct change of address keeps this session, ends the others, and requires a recent sign-in', async () => {
  const { auth, email, user } = await signedUp()
  const elsewhere = it.firebase()
  const other = (await sdk.signInWithEmailAndPassword(elsewhere, email, PASSWORD)).user
  const takenEmail = (await signedUp()).email
  expect(await codeOf(sdk.updateEmail(user, takenEmail))).toBe('auth/email-already-in-use')
  const newEmail = someEmail()
  await sdk.updateEmail(user, newEmail)
  expect(user.email).toBe(newEmail)
  expect(auth.currentUser?.email).toBe(newEmail)
  expect((await it.identity.verify(await user.getIdToken())).email).toBe(newEmail)
  expect(await codeOf(other.getIdToken(true))).toBe('auth/user-token-expired')
  // The old address is notified and gets an undo link, although it was never verified.
  const undoMail = await onlyMail()
  expect(undoMail.to).toBe(email)
  expect(undoMail.link.searchParams.get('mode')).toBe('recoverEmail')

  it.advance(301)
  expect(await codeOf(sdk.updateEmail(user, someEmail()))).toBe('auth/requires-recent-login')
  expect(await codeOf(sdk.updatePassword(user, OTHER_PASSWORD))).toBe('auth/requires-recent-login')
  expect(await codeOf(sdk.deleteUser(user))).toBe('auth/requires-recent-login')
  expect(await codeOf(sdk.verifyBeforeUpdateEmail(user, someEmail()))).toBe('auth/requires-recent-login')
  expect(await it.letters()).toEqual([])
  await sdk.reauthenticateWithCredential(user, sdk.EmailAuthProvider.credential(newEmail, PASSWORD))
  await sdk.updatePassword(user, OTHER_PASSWORD)
  expect((await sdk.signInWithEmailAndPassword(elsewhere, newEmail, OTHER_PASSWORD)).user.uid).toBe(user.uid)
})

test('a new password ends all other sessions and keeps this one', async () => {
  const { email, user } = await signedUp()
  const other = (await sdk.signInWithEmailAndPassword(it.firebase(), email, PASSWORD)).user
  const otherToken = await other.getIdToken()
  await sdk.updatePassword(user, OTHER_PASSWORD)
  await expect(it.identity.verify(otherToken)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' })
  expect(await codeOf(other.reload())).toBe('auth/user-token-expired')
  await user.reload()
  expect((await it.identity.verify(await user.getIdToken(true))).uid).toBe(user.uid)
})

test('stores, clears and returns name and photo', async () => {
  const { auth, email, user } = await signedUp()
  await sdk.updateProfile(user, { displayName: 'Ana Treviño', photoURL: 'https://ejemplo.mx/ana.webp' })
  await sdk.signOut(auth)
  const { user: again } = await sdk.signInWithEmailAndPassword(auth, email, PASSWORD)
  expect(again).toMatchObject({ displayName: 'Ana Treviño', photoURL: 'https://ejemplo.mx/ana.webp' })
  expect((await again.getIdTokenResult()).claims.name).toBe('Ana Treviño')
  await sdk.updateProfile(again, { photoURL: '' })
  await again.reload()
  expect(again).toMatchObject({ displayName: 'Ana Treviño', photoURL: null })
})

test('a deleted account is signed out on every device', async () => {
  const { auth, email, user } = await signedUp()
  const other = (await sdk.signInWithEmailAndPassword(it.firebase(), email, PASSWORD)).user
  const token = await other.getIdToken()
  await sdk.deleteUser(user)
  expect(auth.currentUser).toBeNull()
  await expect(it.identity.verify(token)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' })
  expect(await codeOf(other.reload())).toBe('auth/user-token-expired')
  expect(await codeOf(sdk.signInWithEmailAndPassword(auth, email, PASSWORD))).toBe('auth/user-not-found')
})

test('the policy comes from the settings, and is reloaded after a change (S1-5.01 to S1-5.04)', async () => {
  const auth = it.firebase()
  expect(await sdk.validatePassword(auth, 'corta')).toMatchObject({ isValid: false, meetsMinPasswordLength: false })
  expect((await sdk.validatePassword(auth, PASSWORD)).isValid).toBe(true)
  it.change({
    password_min_length: 10,
    password_max_length: 40,
    password_uppercase: true,
    password_lowercase: true,
    password_numeric: true,
    password_symbol: true,
  })
  try {
    // The SDK loads the rules once, and uses them until a refusal.
    expect((await sdk.validatePassword(auth, PASSWORD)).isValid).toBe(true)
    expect(await codeOf(sdk.createUserWithEmailAndPassword(auth, someEmail(), PASSWORD))).toBe('auth/password-does-not-meet-requirements')
    // The SDK reloads in the background.
    await expect
      .poll(() => sdk.validatePassword(auth, PASSWORD))
      .toMatchObject({
        isValid: false,
        meetsMinPasswordLength: true,
        meetsMaxPasswordLength: true,
        containsLowercaseLetter: true,
        containsUppercaseLetter: false,
        containsNumericCharacter: true,
        // The hyphen is not one of Google's symbols.
        containsNonAlphanumericCharacter: false,
      })
    const strong = 'Olas_y_Montes_7'
    expect((await sdk.validatePassword(auth, strong)).isValid).toBe(true)
    expect(await codeOf(sdk.createUserWithEmailAndPassword(auth, someEmail(), strong))).toBe('no error')
  } finally {
    it.change({
      password_min_length: 6,
      password_max_length: null,
      password_uppercase: false,
      password_lowercase: false,
      password_numeric: false,
      password_symbol: false,
    })
  }
})

test('responds to linking, unlinking and federated sign-in (settled 10)', async () => {
  const { auth, email, user } = await signedUp()
  expect(await codeOf(sdk.unlink(user, 'password'))).toBe('auth/operation-not-allowed')
  expect(await codeOf(sdk.signInWithCredential(auth, sdk.GoogleAuthProvider.credential('ey.ey.ey')))).toBe('auth/operation-not-allowed')
  expect(await codeOf(sdk.linkWithCredential(user, sdk.EmailAuthProvider.credential(email, OTHER_PASSWORD)))).toBe(
    'auth/provider-already-linked',
  )
  expect(await sdk.fetchSignInMethodsForEmail(auth, email)).toEqual(['password'])
  expect(await sdk.fetchSignInMethodsForEmail(auth, someEmail())).toEqual([])
})

test('a disabled account is signed out at once and can be enabled again', async () => {
  const { auth, email, user } = await signedUp()
  const token = await user.getIdToken()
  expect(await it.identity.setDisabled(user.uid, true)).toBe(true)
  await expect(it.identity.verify(token)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' })
  expect((await it.refresh(user.refreshToken)).code).toBe('USER_DISABLED')
  expect(await codeOf(user.getIdToken(true))).toBe('auth/user-disabled')
  expect(auth.currentUser).toBeNull()
  expect(await codeOf(sdk.signInWithEmailAndPassword(auth, email, PASSWORD))).toBe('auth/user-disabled')
  await it.identity.setDisabled(user.uid, false)
  // What was open before stays closed.
  expect((await it.refresh(user.refreshToken)).code).toBe('TOKEN_EXPIRED')
  expect((await sdk.signInWithEmailAndPassword(auth, email, PASSWORD)).user.uid).toBe(user.uid)
})

test('the studio can end all sessions of an account, and delete an account', async () => {
  const { user } = await signedUp()
  const token = await user.getIdToken()
  expect((await it.identity.verify(token)).uid).toBe(user.uid)
  await it.identity.revokeSessions(user.uid)
  await expect(it.identity.verify(token)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' })
  expect(await codeOf(user.getIdToken(true))).toBe('auth/user-token-expired')
  const { user: half } = await signedUp()
  expect(await it.identity.removeAccount(half.uid)).toBe(true)
  expect(await it.identity.removeAccount(half.uid)).toBe(false)
  expect(await codeOf(half.reload())).toBe('auth/user-token-expired')
})
