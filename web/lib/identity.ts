/** What the product asks of whoever keeps log-ins; identity-firebase.ts answers. */

export interface IdentityUser {
  uid: string
  email: string
  emailVerified: boolean
}

/** What the product asks of an identity service. Failures carry a `code` such as `auth/wrong-password` (`errors.ts` words them). */
export interface Identity {
  /** Throws where the browser keeps nothing: the session would be over with the page. */
  mustLast(): Promise<void>
  onChange(hear: (user: IdentityUser | null) => void): () => void
  signUp(email: string, password: string): Promise<IdentityUser>
  /** Signs in and renews the token (S1-4.04). */
  signIn(email: string, password: string): Promise<IdentityUser>
  /** Signs in through a window of Google; only in Google mode (decision 10). */
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
