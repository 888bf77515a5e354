/** The port to the identity service; identity-firebase.ts implements it. */

export interface IdentityUser {
  uid: string
  email: string
  emailVerified: boolean
}

/** The error code of a sign-in that needs a second factor: `answerChallenge` completes it. */
export const CHALLENGED = 'auth/multi-factor-auth-required'

/** The second factor of the signed-in user, an authenticator app (docs/domain.md P17). */
export interface SecondFactor {
  /** When it was enrolled (a date string of the SDK); null if it is not. */
  since(): Promise<string | null>
  /** Signs in again with the password; fails with CHALLENGED if a code is needed too. The changes below require a recent sign-in. */
  prove(password: string): Promise<void>
  /** Completes `prove` with a code of the app. */
  answer(code: string): Promise<void>
  /** Creates a key for an app, as text and as the `otpauth:` address for a QR code. Takes effect with `finish`. */
  start(studio: string): Promise<{ key: string; uri: string }>
  /** Enrols the app, proved by one of its codes. */
  finish(code: string): Promise<void>
  /** Ten new recovery codes for a lost app; the old ones become invalid. Empty when Google holds the accounts. */
  newRecoveryCodes(): Promise<string[]>
  turnOff(): Promise<void>
}

/** What the product needs of an identity service. Failures carry a `code` such as `auth/wrong-password` (texts in `errors.ts`). */
export interface Identity {
  /** Throws if the browser cannot persist a session: it would end with the page. */
  mustLast(): Promise<void>
  onChange(listener: (user: IdentityUser | null) => void): () => void
  signUp(email: string, password: string): Promise<IdentityUser>
  /** Signs in and renews the token (S1-4.04). Fails with CHALLENGED if a second factor is needed. */
  signIn(email: string, password: string): Promise<IdentityUser>
  /** Completes a sign-in with a code of the app, or a recovery code. */
  answerChallenge(code: string): Promise<IdentityUser>
  secondFactor: SecondFactor
  /** Signs in through a window of Google; only in Google mode (settled 10). */
  signInByPopup(): Promise<IdentityUser>
  signOut(): Promise<void>
  /** The ID token of the signed-in user, or null. `renew`: fetch a new one even if the current one is valid. */
  getToken(renew?: boolean): Promise<string | null>
  /** `next`: the address to which the mailed link continues after the new password. */
  sendPasswordReset(email: string, next: string): Promise<void>
  sendEmailVerification(): Promise<void>
  /** What a mailed code is for; does not use the code up. */
  readMailCode(code: string): Promise<{ operation: string; email: string | null; previousEmail: string | null }>
  resetPassword(code: string, password: string): Promise<void>
  /** Whether the signed-in user has a password; false where they sign in with Google alone. */
  hasPassword(): Promise<boolean>
  /** Sets the password of the signed-in user; requires a recent sign-in (`secondFactor.prove`) and ends their other sessions. */
  changePassword(password: string): Promise<void>
  applyMailCode(code: string): Promise<void>
  isSignInLink(link: string): boolean
  signInWithLink(email: string, link: string): Promise<IdentityUser>
  /** Checks the password against the service's policy, rule by rule; the first call loads the policy (S1-4.03). */
  validatePassword(password: string): Promise<{ valid: boolean; rules: { met: boolean; text: string }[] }>
}
