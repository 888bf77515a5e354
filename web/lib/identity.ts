/** What the product asks of whoever keeps log-ins; identity-firebase.ts answers. */

export interface IdentityUser {
  uid: string
  email: string
  emailVerified: boolean
}

/** The code of a sign-in that waits for a second factor: `answerChallenge` completes it. */
export const CHALLENGED = 'auth/multi-factor-auth-required'

/** The second factor of whoever is signed in, an authenticator app (docs/domain.md P17). */
export interface SecondFactor {
  /** When it was enrolled; null without one. */
  since(): Promise<string | null>
  /** Signs in again with the password; fails with CHALLENGED where a code is needed too. Changes below ask for a recent one. */
  prove(password: string): Promise<void>
  /** The code that `prove` asked for. */
  answer(code: string): Promise<void>
  /** A key for an app, as text and as the address that its QR code holds. Nothing counts before `finish`. */
  start(studio: string): Promise<{ key: string; uri: string }>
  /** Enrols the app with a code of it. */
  finish(code: string): Promise<void>
  /** Ten new codes for a lost app; the old ones end. None where Google keeps the log-ins. */
  newRecoveryCodes(): Promise<string[]>
  turnOff(): Promise<void>
}

/** What the product asks of an identity service. Failures carry a `code` such as `auth/wrong-password` (`errors.ts` words them). */
export interface Identity {
  /** Throws where the browser keeps nothing: the session would be over with the page. */
  mustLast(): Promise<void>
  onChange(hear: (user: IdentityUser | null) => void): () => void
  signUp(email: string, password: string): Promise<IdentityUser>
  /** Signs in and renews the token (S1-4.04). Fails with CHALLENGED where a second factor is missing. */
  signIn(email: string, password: string): Promise<IdentityUser>
  /** Completes a sign-in with a code of the app, or a recovery code. */
  answerChallenge(code: string): Promise<IdentityUser>
  secondFactor: SecondFactor
  /** Signs in through a window of Google; only in Google mode (settled 10). */
  signInByPopup(): Promise<IdentityUser>
  signOut(): Promise<void>
  /** The ID token of whoever is signed in, or null. `renew`: a new one even if the present one is good. */
  getToken(renew?: boolean): Promise<string | null>
  sendPasswordReset(email: string): Promise<void>
  sendEmailVerification(): Promise<void>
  /** What a mailed code is for, without using it up. */
  readMailCode(code: string): Promise<{ operation: string; email: string | null; previousEmail: string | null }>
  resetPassword(code: string, password: string): Promise<void>
  applyMailCode(code: string): Promise<void>
  isSignInLink(link: string): boolean
  signInWithLink(email: string, link: string): Promise<IdentityUser>
  /** The password against the service's policy, rule by rule; the policy is loaded at the first call (S1-4.03). */
  validatePassword(password: string): Promise<{ valid: boolean; rules: { met: boolean; text: string }[] }>
}
