/** Shared by the operations of the embedded service: its dependencies, authentication, sessions and tokens. */
import { hash, randomBytes, randomInt } from 'node:crypto'
import { IDENTITY_PATH, IDENTITY_PROJECT } from '#contract/identity.ts'
import type { Language } from '#contract/language.ts'
import type { Settings } from '#contract/settings.ts'
import type { MailPort } from '#server/adapters/mail/port.ts'
import type { Db, Reader, Tx } from '#server/platform/db.ts'
import type { Events } from '#server/platform/events.ts'
import type { Log } from '#server/platform/log.ts'
import type { SecretBox } from '#server/platform/secret-box.ts'
import { type Body, text } from './body.ts'
import { identityFault } from './fault.ts'
import { type Hasher, passwordHasher } from './hashing.ts'
import { ALGORITHM, type SigningKeys, signingKeys, TOKEN_SECONDS } from './keys.ts'
import { type Account, findAccount, hasSession, insertSession, lockAccount, type Session, updateAccount } from './store.ts'
import { type Bucket, LIMITS, type Limits, openThrottle, type Throttle } from './throttle.ts'
import { type TokenClaims, TokenRefused, type TokenSource, tokenReader } from './verify.ts'

export interface IdentityDeps {
  db: Db
  settings: () => Settings
  /** The studio's URL for visitors, without a trailing slash. */
  publicUrl: string
  now: () => Date
  mail: MailPort
  events: Pick<Events, 'listen'>
  log: Log
  /** Encrypts signing keys and the secrets of second factors. */
  secrets: SecretBox
  /** Whether an account belongs to staff, who need longer passwords and may have a second factor. */
  isStaff: (uid: string) => Promise<boolean>
  /** Whether a session is that of a device which several of the staff use: it changes nothing about its account (E15). */
  isSharedSession: (of: { uid: string; session: string | null; authTime: Date }) => Promise<boolean>
  /** Overrides limits, for load generators and tests. */
  limits?: Partial<Limits>
}

export interface Service extends Omit<IdentityDeps, 'events' | 'limits'> {
  source: TokenSource
  keys: SigningKeys
  hasher: Hasher
  throttle: Throttle
  readToken(token: string): Promise<TokenClaims>
}

/** The sender of a request: limits count by address, sessions store the device, mails are in the language of the page. */
export interface Caller {
  address: string
  userAgent: string
  language: Language
}

export type Operation = (service: Service, body: Body, caller: Caller) => Promise<object>

export function openService({ limits, events: _, ...deps }: IdentityDeps): Service {
  const keys = signingKeys(deps.db, deps.secrets, deps.now)
  const source: TokenSource = {
    issuer: `${deps.publicUrl}${IDENTITY_PATH}`,
    audience: IDENTITY_PROJECT,
    algorithms: [ALGORITHM],
    keys: keys.find,
  }
  return {
    ...deps,
    source,
    keys,
    hasher: passwordHasher(),
    throttle: openThrottle({ ...LIMITS, ...limits }),
    readToken: tokenReader(source, deps.now),
  }
}

const ABSOLUTE_DAYS = 365
const DAY = 86_400_000
const HOUR = 3_600_000
/** Maximum age of a sign-in for changing credentials: Google's five minutes. */
const RECENT_SECONDS = 300

/** Refresh tokens and codes are stored only as this hash. */
export const fingerprint = (secret: string) => hash('sha256', secret, 'base64url')
export const randomSecret = (bytes: number) => randomBytes(bytes).toString('base64url')

const ALPHANUMERICS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** An id in the form of Google's: 28 letters and digits. */
export const newUid = () => Array.from({ length: 28 }, () => ALPHANUMERICS[randomInt(ALPHANUMERICS.length)]).join('')

const seconds = (at: Date) => Math.floor(at.getTime() / 1000)

/**
 * The new `validSince` of an account whose credentials changed: a second after its newest token, so that all of them become invalid at
 * once. Tokens issued afterwards are dated no earlier (`idToken`).
 */
export function nextValidSince(account: Account, now: Date): Date {
  return new Date((Math.max(seconds(now), seconds(account.validSince)) + 1) * 1000)
}

/** Whether a token was made before the account's credentials last changed. */
export function isRevoked(account: Account, claims: TokenClaims): boolean {
  return claims.issuedAt < seconds(account.validSince)
}

/** The account of a request's ID token, fully verified. Throws the faults to which the SDK reacts correctly. */
export async function authenticate(service: Service, body: Body): Promise<{ account: Account; claims: TokenClaims }> {
  const token = text(body, 'idToken', 16_384)
  if (!token) throw identityFault('MISSING_ID_TOKEN')
  const claims = await service.readToken(token).catch((error) => {
    if (error instanceof TokenRefused) throw identityFault(error.problem === 'expired' ? 'TOKEN_EXPIRED' : 'INVALID_ID_TOKEN')
    throw error
  })
  const [account, open] = await Promise.all([findAccount(service.db.read, claims.uid), isOpen(service.db.read, claims)])
  return { account: stillGood(account, claims, open), claims }
}

/** Whether the session of a token still exists: logging out, or closing it from another device, invalidates its tokens too. */
async function isOpen(from: Reader, { uid, session }: TokenClaims): Promise<boolean> {
  return session === null || hasSession(from, uid, session)
}

function stillGood(account: Account | null, claims: TokenClaims, open: boolean): Account {
  if (!account) throw identityFault('USER_NOT_FOUND')
  if (account.disabled) throw identityFault('USER_DISABLED')
  if (isRevoked(account, claims) || !open) throw identityFault('TOKEN_EXPIRED')
  return account
}

/** Locks the account of a token for a change, and checks again what may have changed meanwhile. */
export async function lockFor(tx: Tx, claims: TokenClaims): Promise<Account> {
  const [account, open] = await Promise.all([lockAccount(tx, claims.uid), isOpen(tx, claims)])
  return stillGood(account, claims, open)
}

/** Throws unless the sign-in is recent and on an own device: a shared device may be used by another person than the one who signed in. */
export async function requireRecent(service: Service, claims: TokenClaims): Promise<void> {
  if (service.now().getTime() / 1000 - claims.authTime > RECENT_SECONDS) throw identityFault('CREDENTIAL_TOO_OLD_LOGIN_AGAIN')
  await requireOwnSession(service, claims)
}

/** Throws for the session of a shared device. Signing in again opens another one. */
export async function requireOwnSession(service: Service, { uid, session, authTime }: TokenClaims): Promise<void> {
  if (await service.isSharedSession({ uid, session, authTime: new Date(authTime * 1000) }))
    throw identityFault('CREDENTIAL_TOO_OLD_LOGIN_AGAIN')
}

/**
 * How long a sign-in of an account lasts, in ms, however often its session is used: `staff_session_hours` for staff, unlimited for others.
 */
export async function signInLife(service: Service, uid: string): Promise<number> {
  return (await service.isStaff(uid)) ? service.settings().staff_session_hours * HOUR : Infinity
}

export interface OpenSession {
  account: Account
  session: Session
  refreshToken: string
}

/** When a session's sign-in took place, and whether it included a second factor. */
export interface Proof {
  authAt: Date
  secondFactor: boolean
}

/** The proof contained in a token. */
export const proofInToken = (claims: TokenClaims): Proof => ({
  authAt: new Date(claims.authTime * 1000),
  secondFactor: claims.secondFactor,
})

/** Opens a session in the transaction that verified the person's identity. The refresh token exists only in the response. */
export async function openSession(tx: Tx, account: Account, proof: Proof, caller: Caller, now: Date): Promise<OpenSession> {
  const refreshToken = randomSecret(48)
  const session = await insertSession(tx, {
    uid: account.uid,
    token_hash: fingerprint(refreshToken),
    authAt: proof.authAt,
    second_factor: proof.secondFactor,
    createdAt: now,
    lastUsedAt: now,
    expiresAt: new Date(now.getTime() + ABSOLUTE_DAYS * DAY),
    user_agent: caller.userAgent,
  })
  return { account, session, refreshToken }
}

/** Opens a session after a sign-in and stores the time of the sign-in. */
export async function createSession(tx: Tx, account: Account, caller: Caller, now: Date, secondFactor = false): Promise<OpenSession> {
  const noted = await updateAccount(tx, account.uid, { lastLoginAt: now, lastRefreshAt: now })
  return openSession(tx, noted, { authAt: now, secondFactor }, caller, now)
}

/** A signed ID token, with Google's claims and the session as OpenID Connect names it (`sid`). */
export function idToken(
  service: Service,
  account: Account,
  session: Pick<Session, 'authAt'> & Partial<Pick<Session, 'session_id' | 'second_factor'>>,
  life = TOKEN_SECONDS,
): Promise<string> {
  const now = service.now()
  const iat = Math.max(seconds(now), seconds(account.validSince))
  const claims = {
    iss: service.source.issuer,
    aud: service.source.audience,
    sub: account.uid,
    user_id: account.uid,
    auth_time: seconds(session.authAt),
    iat,
    exp: iat + life,
    email: account.email,
    email_verified: account.email_verified,
    ...(account.display_name ? { name: account.display_name } : {}),
    ...(account.photo_url ? { picture: account.photo_url } : {}),
    ...(session.session_id === undefined ? {} : { sid: String(session.session_id) }),
    firebase: {
      identities: { email: [account.email] },
      sign_in_provider: 'password',
      ...(session.second_factor ? { sign_in_second_factor: 'totp' } : {}),
    },
  }
  return service.keys.sign(claims, now)
}

/** The tokens of a response. Call it after the commit. */
export async function tokens(
  service: Service,
  { account, session, refreshToken }: OpenSession,
): Promise<{ idToken: string; refreshToken: string; expiresIn: string }> {
  return { idToken: await idToken(service, account, session), refreshToken, expiresIn: String(TOKEN_SECONDS) }
}

/** Counts an attempt; throws when a limit is reached. */
export async function enforceLimits(service: Service, buckets: readonly Bucket[]): Promise<void> {
  const free = await service.db.tx((tx) => service.throttle.take(tx, buckets, service.now()))
  if (free) return
  service.log.warn({ limit: buckets.map(([name]) => name) }, 'identity.rate_limited')
  throw identityFault('TOO_MANY_ATTEMPTS_TRY_LATER', 'Too many attempts. Try again later.')
}
