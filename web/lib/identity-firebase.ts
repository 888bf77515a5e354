/**
 * The identity service through the unmodified firebase SDK (decision 8). Reached only by `import()`: 28 kB that public
 * pages never load.
 */
import { initializeApp } from 'firebase/app'
import {
  applyActionCode,
  browserLocalPersistence,
  browserPopupRedirectResolver,
  checkActionCode,
  confirmPasswordReset,
  createUserWithEmailAndPassword,
  GoogleAuthProvider,
  indexedDBLocalPersistence,
  initializeAuth,
  isSignInWithEmailLink,
  onAuthStateChanged,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  signInWithEmailLink,
  signInWithPopup,
  signOut,
  type User,
  type UserCredential,
  validatePassword,
} from 'firebase/auth'
import { IDENTITY_API_KEY, IDENTITY_PATH, IDENTITY_PROJECT } from '#contract/identity.ts'
import type { Identity, IdentityUser } from './identity.ts'
import { mustKeepSession } from './kept-session.ts'

const userOf = (user: User): IdentityUser => ({ uid: user.uid, email: user.email ?? '', emailVerified: user.emailVerified })

/** Opens the SDK: on our own service, or on Google when the studio set `firebaseConfig`. */
export function openIdentity(google: Record<string, string> | null): Identity {
  const config = google ?? { apiKey: IDENTITY_API_KEY, projectId: IDENTITY_PROJECT, authDomain: location.host }
  const auth = initializeAuth(initializeApp(config), { persistence: [indexedDBLocalPersistence, browserLocalPersistence] })
  if (!google) {
    // In the same breath as initializeAuth: later, the SDK would already have posted a stored token to Google.
    const host = location.host + IDENTITY_PATH
    Object.assign(auth.config, { apiScheme: location.protocol.slice(0, -1), apiHost: host, tokenApiHost: host })
  }
  auth.languageCode = 'es'

  /** Signing in ends with a renewed token (S1-4.04): who hears of it leaves the page, so that it is told only then. */
  let entering: Promise<unknown> = Promise.resolve()
  function enter(signingIn: Promise<UserCredential>): Promise<IdentityUser> {
    const work = signingIn.then(async ({ user }) => {
      await user.getIdToken(true)
      return userOf(user)
    })
    entering = work.catch(() => {})
    return work
  }

  return {
    mustLast: mustKeepSession,
    onChange: (hear) =>
      onAuthStateChanged(auth, async (user) => {
        await entering
        hear(user && userOf(user))
      }),
    async signUp(email, password) {
      return userOf((await createUserWithEmailAndPassword(auth, email, password)).user)
    },
    signIn: (email, password) => enter(signInWithEmailAndPassword(auth, email, password)),
    async signInByPopup() {
      return userOf((await signInWithPopup(auth, new GoogleAuthProvider(), browserPopupRedirectResolver)).user)
    },
    signOut: () => signOut(auth),
    async getToken(renew = false) {
      await auth.authStateReady()
      return (await auth.currentUser?.getIdToken(renew)) ?? null
    },
    sendPasswordReset: (email) => sendPasswordResetEmail(auth, email),
    async sendEmailVerification() {
      if (auth.currentUser) await sendEmailVerification(auth.currentUser)
    },
    async readMailCode(code) {
      const { operation, data } = await checkActionCode(auth, code)
      return { operation, email: data.email ?? null, previousEmail: data.previousEmail ?? null }
    },
    resetPassword: (code, password) => confirmPasswordReset(auth, code, password),
    applyMailCode: (code) => applyActionCode(auth, code),
    isSignInLink: (link) => isSignInWithEmailLink(auth, link),
    signInWithLink: (email, link) => enter(signInWithEmailLink(auth, email, link)),
    async validatePassword(password) {
      const status = await validatePassword(auth, password)
      const { minPasswordLength = 6, maxPasswordLength } = status.passwordPolicy.customStrengthOptions
      const rules: [boolean | undefined, string][] = [
        [status.meetsMinPasswordLength, `Al menos ${minPasswordLength} caracteres`],
        [status.meetsMaxPasswordLength, `A lo más ${maxPasswordLength ?? 4096} caracteres`],
        [status.containsLowercaseLetter, 'Una letra minúscula'],
        [status.containsUppercaseLetter, 'Una letra mayúscula'],
        [status.containsNumericCharacter, 'Un número'],
        [status.containsNonAlphanumericCharacter, 'Un símbolo, como ! o ?'],
      ]
      return {
        valid: status.isValid,
        rules: rules.flatMap(([met, text]) => (met === undefined ? [] : [{ met, text }])),
      }
    },
  }
}
