/** The port to the service that holds people's passwords: our embedded one, or Google Identity Toolkit. */
import type { FastifyInstance } from 'fastify'
import type { Language } from '#contract/language.ts'
import type { JobHandler } from '#server/platform/job-types.ts'

/** The verified claims of a token. Roles are never in a token: they are read from the database. */
export interface Verified {
  uid: string
  /** Lower case. */
  email: string
  emailVerified: boolean
  issuer: string
  /** When the person last proved their identity. */
  authTime: Date
  exp: Date
  /** The session of the token; null where the issuer does not include it (Google). */
  session: string | null
  /** Whether the sign-in included a second factor. */
  secondFactor: boolean
}

/** A device with an open session. */
export interface SignedInDevice {
  session: string
  userAgent: string
  createdAt: Date
  /** Accurate to ten minutes. */
  lastUsedAt: Date
}

export interface NewAccount {
  email: string
  /** Without one the person signs in by a mailed link (`sendPasswordLink`). Not checked against the studio's password policy. */
  password?: string
  name?: string
  emailVerified?: boolean
}

/** Operations that need an administrator of the Google project return false in Google mode. */
export interface IdentityPort {
  /** Verifies an ID token. Throws UNAUTHENTICATED, TOKEN_EXPIRED (also revoked, disabled, deleted) or BUSY (Google's keys unreachable). */
  verify(token: string): Promise<Verified>
  /**
   * Creates an account; an existing one with this e-mail is returned unchanged with `created: false`. Throws INVALID_INPUT for an invalid
   * e-mail.
   */
  createAccount(input: NewAccount): Promise<{ uid: string; created: boolean }>
  /**
   * Deletes an account with its sessions, e.g. when its sign-up failed half-way. `token`: the account's own fresh ID token, which Google
   * requires.
   */
  removeAccount(uid: string, token?: string): Promise<boolean>
  /**
   * Whether an account can still sign in, and since when its tokens are valid: signing out everywhere and new credentials change it.
   * Null where the service does not report it (Google).
   */
  accountStatus(uid: string): Promise<{ isActive: boolean; validSince: Date | null }>
  /** Signs an account out everywhere, at once. */
  revokeSessions(uid: string): Promise<boolean>
  /** The open sessions of an account, last used first; empty where the service does not report them (Google). */
  listSessions(uid: string): Promise<SignedInDevice[]>
  /** Ends one session: its refresh token and, at once, its ID tokens. False when it had ended already, or the service cannot (Google). */
  endSession(uid: string, session: string): Promise<boolean>
  /** Ends every session of an account except one. Returns how many. */
  endOtherSessions(uid: string, currentSession: string): Promise<number>
  /** Whether `createAccount` works: not in Google mode. */
  createsAccounts(): boolean
  /**
   * When these accounts last signed in or renewed their session; no entry for those that never did, or where the service does not report it
   * (Google).
   */
  lastSignIns(uids: readonly string[]): Promise<ReadonlyMap<string, Date>>
  /** Which of these accounts have a second factor; empty where the service does not report it (Google). */
  withSecondFactor(uids: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * Deletes an account's second factor and recovery codes, signs it out everywhere and notifies it by mail. False where there is none, or
   * the service cannot (Google).
   */
  resetSecondFactor(uid: string): Promise<boolean>
  /** Locks or unlocks an account; locking also signs it out. */
  setDisabled(uid: string, disabled: boolean): Promise<boolean>
  /**
   * Mails a link to choose a password, e.g. to a first owner. False when the address has reached its limit of mails (`LIMITS.mailTo`), or
   * is invalid. `next`: the address in the studio that the link continues to, a log-in with its return; Google's
   * mails do not carry it.
   */
  sendPasswordLink(email: string, next?: string): Promise<boolean>
  /**
   * A link to choose a password for the operator, not mailed; null for an account that does not exist, is locked, or is at Google. `next`:
   * as with `sendPasswordLink`.
   */
  passwordLink(uid: string, milliseconds: number, next?: string): Promise<string | null>
  /**
   * Mails a link that confirms an account's address; false when it is confirmed already. Throws TOO_MANY_REQUESTS (`LIMITS.mailTo`).
   * `token`: the account's own ID token, which Google requires. `language`: that of the mail.
   */
  sendConfirmationLink(uid: string, token?: string, language?: Language | null): Promise<boolean>
  /** An ID token without a password, for tests and load generators; no endpoint uses it. Throws in Google mode. */
  tokenFor(uid: string, seconds?: number): Promise<string>
  /** The service's own HTTP endpoints. */
  register(app: FastifyInstance): Promise<void>
  jobs(): JobHandler[]
}

/** Job: the clean-up after a person deleted their own account: `{ uid }`. */
export const ACCOUNT_DELETED_JOB = 'identity-account-deleted'
