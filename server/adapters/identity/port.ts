/** What the studio needs from whoever knows people's passwords: our embedded service, or Google Identity Toolkit. */
import type { FastifyInstance } from 'fastify'
import type { JobHandler } from '#server/platform/jobs.ts'

/** Who a token speaks for. Roles are never in a token: they are read from the database. */
export interface Verified {
  uid: string
  /** Lower case. */
  email: string
  emailVerified: boolean
  issuer: string
  /** When the person last proved who they are. */
  authTime: Date
  exp: Date
  /** The session of the token; null where its issuer does not say (Google). */
  session: string | null
  /** Whether the sign-in proved a second factor too. */
  secondFactor: boolean
}

/** A device that is signed in. */
export interface SignedInDevice {
  session: string
  userAgent: string
  createdAt: Date
  /** To within ten minutes. */
  lastUsedAt: Date
}

export interface NewAccount {
  email: string
  /** Without one the person enters by a mailed link (`sendPasswordLink`). Not held against the studio's password policy. */
  password?: string
  name?: string
  emailVerified?: boolean
}

/** Calls that need an administrator of Google answer false in Google mode: they cannot be done from here. */
export interface IdentityPort {
  /** Reads an ID token. Throws the refusals UNAUTHENTICATED, TOKEN_EXPIRED (also revoked, disabled, deleted) or BUSY (Google's keys out of reach). */
  verify(token: string): Promise<Verified>
  /** Makes an account; an existing one with this e-mail is answered untouched with `created: false`. Throws INVALID_INPUT for an e-mail that is none. */
  createAccount(input: NewAccount): Promise<{ uid: string; created: boolean }>
  /** Takes an account away with its sessions, e.g. when its sign-up failed half-way. `token` is the account's own fresh ID token, which Google asks for. */
  removeAccount(uid: string, token?: string): Promise<boolean>
  /**
   * Whether an account can still sign in, and since when what was issued to it is good: signing out everywhere and new credentials move it.
   * Null where the service does not say (Google).
   */
  accountStatus(uid: string): Promise<{ isActive: boolean; validSince: Date | null }>
  /** Signs an account out everywhere, at once. */
  revokeSessions(uid: string): Promise<boolean>
  /** The sessions of an account that are open, last used first; empty where the service does not tell (Google). */
  listSessions(uid: string): Promise<SignedInDevice[]>
  /** Ends one session: its refresh token and, at once, its ID tokens. False when it was over already, or the service cannot (Google). */
  endSession(uid: string, session: string): Promise<boolean>
  /** Ends every session of an account but one. How many there were. */
  endOtherSessions(uid: string, kept: string): Promise<number>
  /** Whether `createAccount` works: not where the accounts are Google's. */
  createsAccounts(): boolean
  /** When these accounts last signed in or renewed their session; without an entry where nobody did yet, or the service does not tell (Google). */
  lastSignIns(uids: readonly string[]): Promise<ReadonlyMap<string, Date>>
  /** Which of these accounts have a second factor; empty where the service does not tell (Google). */
  withSecondFactor(uids: readonly string[]): Promise<ReadonlySet<string>>
  /**
   * Takes an account's second factor and recovery codes away, signs it out everywhere and mails it. False where there is none, or the service
   * cannot (Google).
   */
  resetSecondFactor(uid: string): Promise<boolean>
  /** Locks an account out or lets it in again; locking also signs it out. */
  setDisabled(uid: string, disabled: boolean): Promise<boolean>
  /** Mails a link to choose a password, e.g. to a first owner. False when the address has had its share of mails (`LIMITS.mailTo`), or is none. */
  sendPasswordLink(email: string): Promise<boolean>
  /** A link to choose a password for whoever runs the program, not mailed; null for an account that is not here, is locked, or lives at Google. */
  passwordLink(uid: string, milliseconds: number): Promise<string | null>
  /** Mails a link that proves an account's address; false when it is proven already. Throws TOO_MANY_REQUESTS (`LIMITS.mailTo`). `token` is the account's own ID token, which Google asks for. */
  sendConfirmationLink(uid: string, token?: string): Promise<boolean>
  /** An ID token without a password, for tests and load generators; no endpoint leads here. Throws in Google mode. */
  tokenFor(uid: string, seconds?: number): Promise<string>
  /** The service's own HTTP endpoints. */
  register(app: FastifyInstance): Promise<void>
  jobs(): JobHandler[]
}

/** Work that is left behind when somebody deletes their own account: `{ uid }`. */
export const ACCOUNT_DELETED_JOB = 'identity-account-deleted'
