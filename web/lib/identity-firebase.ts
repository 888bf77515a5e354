/**
 * The identity service through the unmodified firebase SDK (settled 8). Loaded only by `import()`: 28 kB that public pages never load.
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
  type PasswordValidationStatus,
  sendEmailVerification,
  sendPasswordResetEmail,
  signInWithEmailAndPassword,
  signInWithEmailLink,
  signInWithPopup,
  signOut,
  type User,
  type UserCredential,
  updatePassword,
  validatePassword,
} from 'firebase/auth'
import { IDENTITY_API_KEY, IDENTITY_PATH, IDENTITY_PROJECT } from '#contract/identity.ts'
import type { Identity, IdentityUser } from './identity.ts'
import { createChallenges, createSecondFactor } from './identity-second-factor.ts'
import { mustPersistSession } from './session-storage.ts'

/** How long the refusal of a password is delayed until the SDK has reloaded the policy behind it. */
const POLICY_MS = 3_000
const POLICY_STEP_MS = 50

/** The minimum length for all accounts. A longer password refused as weak was refused by the stricter rule for staff (P17). */
const SHORTEST = 6
const WEAK_FOR_STAFF = { code: 'auth/weak-for-staff', message: 'Las contraseñas del equipo llevan al menos 8 caracteres.' }
const TOO_SHORT_FOR_STAFF = {
  code: 'auth/too-short-for-staff',
  message: 'Las contraseñas del equipo llevan al menos 8 caracteres. Elige otra en «¿Olvidaste tu contraseña?».',
}

const userOf = (user: User): IdentityUser => ({ uid: user.uid, email: user.email ?? '', emailVerified: user.emailVerified })

/** Initialises the SDK: against our own service, or against Google when the studio set `firebaseConfig`. */
export function openIdentity(google: Record<string, string> | null): Identity {
  const config = google ?? { apiKey: IDENTITY_API_KEY, projectId: IDENTITY_PROJECT, authDomain: location.host }
  const auth = initializeAuth(initializeApp(config), { persistence: [indexedDBLocalPersistence, browserLocalPersistence] })
  if (!google) {
    // Synchronously after initializeAuth: a tick later the SDK would already have posted a stored token to Google.
    const host = location.host + IDENTITY_PATH
    Object.assign(auth.config, { apiScheme: location.protocol.slice(0, -1), apiHost: host, tokenApiHost: host })
  }
  auth.languageCode = 'es'

  /** The last policy result, which the screen shows. */
  let shownPolicy: PasswordValidationStatus | undefined

  const challenges = createChallenges(auth)

  /** A sign-in completes with a renewed token (S1-4.04). Listeners leave the page, so `onChange` waits for this before it calls them. */
  let entering: Promise<unknown> = Promise.resolve()
  function enter(signingIn: Promise<UserCredential>): Promise<IdentityUser> {
    const work = signingIn.then(async ({ user }) => {
      await user.getIdToken(true)
      return userOf(user)
    })
    entering = work.catch(() => {})
    return work
  }

  /**
   * Rejects with the error of a refused password only after the policy that refused it is loaded (S1-5.04): the SDK reloads an outdated
   * policy in the background and offers no event for its end.
   */
  async function withFreshPolicy<T>(password: string, work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (error) {
      if ((error as { code?: unknown }).code === 'auth/password-does-not-meet-requirements') await policyReloaded(password).catch(() => {})
      throw error
    }
  }
  /** Rejects with a sentence of its own where only staff need a longer password. */
  const setPassword = (password: string, work: Promise<void>): Promise<void> =>
    withFreshPolicy(password, work).catch((error: unknown) => {
      const weak = (error as { code?: unknown }).code === 'auth/weak-password' && password.length >= SHORTEST
      throw weak ? WEAK_FOR_STAFF : error
    })
  async function policyReloaded(password: string): Promise<void> {
    if (!shownPolicy) return
    const { passwordPolicy: before } = shownPolicy
    for (let waited = 0; waited < POLICY_MS; waited += POLICY_STEP_MS) {
      if ((await validatePassword(auth, password)).passwordPolicy !== before) return
      await new Promise((resume) => setTimeout(resume, POLICY_STEP_MS))
    }
  }

  return {
    mustLast: mustPersistSession,
    onChange: (listener) =>
      onAuthStateChanged(auth, async (user) => {
        await entering
        listener(user && userOf(user))
      }),
    async signUp(email, password) {
      return userOf((await withFreshPolicy(password, createUserWithEmailAndPassword(auth, email, password))).user)
    },
    signIn: (email, password) =>
      enter(challenges.watch(signInWithEmailAndPassword(auth, email, password))).catch((error: unknown) => {
        const { code } = error as { code?: unknown }
        throw code === 'auth/password-does-not-meet-requirements' ? TOO_SHORT_FOR_STAFF : error
      }),
    answerChallenge: (code) => enter(challenges.answer(code)),
    secondFactor: createSecondFactor(auth, challenges, google !== null),
    async signInByPopup() {
      return userOf((await signInWithPopup(auth, new GoogleAuthProvider(), browserPopupRedirectResolver)).user)
    },
    signOut: () => signOut(auth),
    async getToken(renew = false) {
      await auth.authStateReady()
      return (await auth.currentUser?.getIdToken(renew)) ?? null
    },
    sendPasswordReset: (email, url) =>
      sendPasswordResetEmail(auth, email, { url }).catch((error: unknown) => {
        // This host is not among the project's authorized domains: a mail without the link back is better than none.
        if ((error as { code?: unknown }).code !== 'auth/unauthorized-continue-uri') throw error
        return sendPasswordResetEmail(auth, email)
      }),
    async sendEmailVerification() {
      if (auth.currentUser) await sendEmailVerification(auth.currentUser)
    },
    async readMailCode(code) {
      const { operation, data } = await checkActionCode(auth, code)
      return { operation, email: data.email ?? null, previousEmail: data.previousEmail ?? null }
    },
    resetPassword: (code, password) => setPassword(password, confirmPasswordReset(auth, code, password)),
    async hasPassword() {
      await auth.authStateReady()
      return auth.currentUser?.providerData.some(({ providerId }) => providerId === 'password') ?? false
    },
    async changePassword(password) {
      if (!auth.currentUser) throw { code: 'auth/user-token-expired', message: '' }
      await setPassword(password, updatePassword(auth.currentUser, password))
    },
    applyMailCode: (code) => applyActionCode(auth, code),
    isSignInLink: (link) => isSignInWithEmailLink(auth, link),
    signInWithLink: (email, link) => enter(challenges.watch(signInWithEmailLink(auth, email, link))),
    async validatePassword(password) {
      const status = await validatePassword(auth, password)
      shownPolicy = status
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
