/**
 * The second factor of staff (P17): an authenticator app (TOTP, RFC 6238) with recovery codes, with the request formats of Google Identity
 * Platform, so that the unmodified SDK works with it. A recovery code is sent in place of the app's code.
 */
import { randomInt, randomUUID } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { Tx } from '#server/platform/db.ts'
import { type Body, getDisplayText, getInnerBody, text } from './body.ts'
import { identityFault } from './fault.ts'
import { CHALLENGE_SECRETS, FACTOR_SECRETS } from './sealed.ts'
import {
  countRecoveryCodes,
  deleteSecondFactor,
  findChallenge,
  findRecoveryCode,
  findSecondFactor,
  insertChallenge,
  insertSecondFactor,
  noteStep,
  type RecoveryCode,
  replaceRecoveryCodes,
  type SecondFactor,
  takeChallenge,
  takeRecoveryCode,
} from './second-factor-store.ts'
import { queueSecurityAlert } from './security-alerts.ts'
import {
  authenticate,
  createSession,
  enforceLimits,
  fingerprint,
  lockFor,
  nextValidSince,
  type OpenSession,
  type Operation,
  openSession,
  proofInToken,
  randomSecret,
  requireRecent,
  type Service,
  tokens,
} from './service.ts'
import { type Account, deleteSessions, lockAccount, updateAccount } from './store.ts'

const DIGITS = 6
const PERIOD_SECONDS = 30
/** SHA1 is what every authenticator app supports; its collision weakness does not affect HMAC. */
const ALGORITHM = 'SHA1'
/** Time steps by which a phone's clock may differ, in either direction. */
const WINDOW = 1
const SECRET_BYTES = 20

const MINUTE = 60_000
/** How long a sign-in waits for its code. */
const SIGN_IN_MS = 10 * MINUTE
const ENROLMENT_MS = 15 * MINUTE

const appOf = (base32: string) =>
  new TOTP({ secret: Secret.fromBase32(base32), digits: DIGITS, period: PERIOD_SECONDS, algorithm: ALGORITHM })

/** The time step that a code belongs to, or null. The library compares in constant time. */
function stepOf(base32: string, code: string, now: Date): number | null {
  const delta = appOf(base32).validate({ token: code, timestamp: now.getTime(), window: WINDOW })
  return delta === null ? null : Math.floor(now.getTime() / 1000 / PERIOD_SECONDS) + delta
}

/** The text as an app's code, or null; apps show codes with blanks. */
const appCode = (typed: string) => /^\d{6}$/.exec(typed.replace(/\s/g, ''))?.[0] ?? null

function codeIn(body: Body): string {
  const code = text(getInnerBody(body, 'totpVerificationInfo'), 'verificationCode', 64)
  if (!code) throw identityFault('MISSING_CODE')
  return code
}

/** A factor in the format of `mfaInfo`. */
export const serializeFactor = ({ factor_id, display_name, enrolledAt }: SecondFactor) => ({
  mfaEnrollmentId: factor_id,
  ...(display_name ? { displayName: display_name } : {}),
  enrolledAt: enrolledAt.toISOString(),
  totpInfo: {},
})

/**
 * The response of a sign-in instead of tokens while the second factor is missing; null when the account has none. Call it in the
 * transaction that verified the first factor.
 */
export async function challengeSignIn(service: Service, tx: Tx, account: Account): Promise<object | null> {
  const factor = await findSecondFactor(tx, account.uid)
  if (!factor) return null
  const credential = randomSecret(32)
  const createdAt = service.now()
  await insertChallenge(tx, {
    challenge_hash: fingerprint(credential),
    kind: 'sign-in',
    uid: account.uid,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + SIGN_IN_MS),
  })
  return { mfaPendingCredential: credential, mfaInfo: [serializeFactor(factor)] }
}

/**
 * Consumes a code: the app's current one, if newer than the last one accepted, or a recovery code, which was looked up before.
 * Throws INVALID_CODE. Call it with the account locked.
 */
async function spendCode(
  service: Service,
  tx: Tx,
  { email }: Account,
  factor: SecondFactor,
  code: string,
  recovery: RecoveryCode | null,
): Promise<void> {
  const digits = appCode(code)
  if (digits) {
    const step = stepOf(service.secrets.open(factor.sealed_secret, FACTOR_SECRETS, factor.factor_id), digits, service.now())
    if (step === null || step <= factor.last_step) throw identityFault('INVALID_CODE')
    return noteStep(tx, factor, step)
  }
  if (!recovery || !(await takeRecoveryCode(tx, recovery))) throw identityFault('INVALID_CODE')
  service.log.warn({ uid: factor.uid }, 'identity.recovery_code_used')
  await queueSecurityAlert(tx, { kind: 'recovery-code', email, left: await countRecoveryCodes(tx, factor.uid) })
}

/** POST mfaSignIn:finalize: the second step of a sign-in. */
export const finalizeSignIn: Operation = async (service, body, caller) => {
  const credential = text(body, 'mfaPendingCredential')
  if (!credential) throw identityFault('MISSING_MFA_PENDING_CREDENTIAL')
  const factorId = text(body, 'mfaEnrollmentId')
  if (!factorId) throw identityFault('MISSING_MFA_ENROLLMENT_ID')
  const code = codeIn(body)
  const challengeHash = fingerprint(credential)
  const challenge = await findChallenge(service.db.read, challengeHash, 'sign-in', service.now())
  if (!challenge) throw identityFault('INVALID_MFA_PENDING_CREDENTIAL')
  const { uid } = challenge
  // Counted before the code is checked, so that simultaneous guesses count like successive ones.
  await enforceLimits(service, [['secondFactor', uid]])
  const recovery = appCode(code) ? null : await matchRecoveryCode(service, uid, code)
  const session = await service.db.tx(async (tx) => {
    const account = await lockAccount(tx, uid)
    if (!account) throw identityFault('INVALID_MFA_PENDING_CREDENTIAL')
    if (account.disabled) throw identityFault('USER_DISABLED')
    const factor = await findSecondFactor(tx, uid)
    if (factor?.factor_id !== factorId) throw identityFault('MFA_ENROLLMENT_NOT_FOUND')
    await spendCode(service, tx, account, factor, code, recovery)
    if (!(await takeChallenge(tx, challengeHash))) throw identityFault('INVALID_MFA_PENDING_CREDENTIAL')
    await service.throttle.clear(tx, ['secondFactor', uid])
    return createSession(tx, account, caller, service.now(), true)
  })
  return tokens(service, session)
}

/** POST mfaEnrollment:start: creates a secret for the app. It has no effect until a code of it is sent back. */
export const startEnrolment: Operation = async (service, body) => {
  const { account, claims } = await authenticate(service, body)
  await requireRecent(service, claims)
  getInnerBody(body, 'totpEnrollmentInfo')
  // Only staff have a screen for it: an intruder with a fresh session could lock a customer out for good.
  if (!(await service.isStaff(account.uid))) throw identityFault('OPERATION_NOT_ALLOWED')
  const secret = new Secret({ size: SECRET_BYTES }).base32
  const sessionInfo = randomSecret(32)
  const challenge_hash = fingerprint(sessionInfo)
  const expiresAt = new Date(service.now().getTime() + ENROLMENT_MS)
  await service.db.tx(async (tx) => {
    await lockFor(tx, claims)
    if (await findSecondFactor(tx, account.uid)) throw identityFault('SECOND_FACTOR_EXISTS')
    const sealed_secret = service.secrets.seal(secret, CHALLENGE_SECRETS, challenge_hash)
    await insertChallenge(tx, { challenge_hash, kind: 'enrolment', uid: account.uid, sealed_secret, createdAt: service.now(), expiresAt })
  })
  return {
    totpSessionInfo: {
      sharedSecretKey: secret,
      verificationCodeLength: DIGITS,
      hashingAlgorithm: ALGORITHM,
      periodSec: PERIOD_SECONDS,
      sessionInfo,
      finalizeEnrollmentTime: expiresAt.toISOString(),
    },
  }
}

/** POST mfaEnrollment:finalize: enrols the app with a code of it. Ends every other session, none of which proved the factor. */
export const finalizeEnrolment: Operation = async (service, body, caller) => {
  const { account, claims } = await authenticate(service, body)
  await requireRecent(service, claims)
  const info = getInnerBody(body, 'totpVerificationInfo')
  const sessionInfo = text(info, 'sessionInfo')
  if (!sessionInfo) throw identityFault('MISSING_SESSION_INFO')
  const digits = appCode(codeIn(body))
  const challengeHash = fingerprint(sessionInfo)
  const challenge = await findChallenge(service.db.read, challengeHash, 'enrolment', service.now())
  if (!challenge?.sealed_secret || challenge.uid !== account.uid) throw identityFault('INVALID_SESSION_INFO')
  const secret = service.secrets.open(challenge.sealed_secret, CHALLENGE_SECRETS, challengeHash)
  const step = digits ? stepOf(secret, digits, service.now()) : null
  if (step === null) throw identityFault('INVALID_CODE')
  const display_name = getDisplayText(body, 'displayName', 100) || null
  const session = await service.db.tx(async (tx) => {
    const now = service.now()
    const locked = await lockFor(tx, claims)
    if (!(await takeChallenge(tx, challengeHash))) throw identityFault('INVALID_SESSION_INFO')
    if (await findSecondFactor(tx, locked.uid)) throw identityFault('SECOND_FACTOR_EXISTS')
    const factor_id = randomUUID()
    const sealed_secret = service.secrets.seal(secret, FACTOR_SECRETS, factor_id)
    await insertSecondFactor(tx, { factor_id, uid: locked.uid, sealed_secret, display_name, enrolledAt: now, last_step: step })
    await queueSecurityAlert(tx, { kind: 'added', email: locked.email })
    return restart(service, tx, locked, { ...proofInToken(claims), secondFactor: true }, caller)
  })
  return { ...(await tokens(service, session)), totpAuthInfo: {} }
}

/** POST mfaEnrollment:withdraw: deletes the app and the recovery codes. The sign-in must be recent and have proved the factor itself. */
export const withdrawFactor: Operation = async (service, body, caller) => {
  const { account, claims } = await authenticate(service, body)
  await requireRecent(service, claims)
  if (!claims.secondFactor) throw identityFault('CREDENTIAL_TOO_OLD_LOGIN_AGAIN')
  const factorId = text(body, 'mfaEnrollmentId')
  if (!factorId) throw identityFault('MISSING_MFA_ENROLLMENT_ID')
  const session = await service.db.tx(async (tx) => {
    const locked = await lockFor(tx, claims)
    if ((await findSecondFactor(tx, account.uid))?.factor_id !== factorId) throw identityFault('MFA_ENROLLMENT_NOT_FOUND')
    await deleteSecondFactor(tx, account.uid)
    await queueSecurityAlert(tx, { kind: 'removed', email: locked.email })
    return restart(service, tx, locked, { ...proofInToken(claims), secondFactor: false }, caller)
  })
  return tokens(service, session)
}

/**
 * Deletes the second factor of a person who lost app and recovery codes, and ends all their sessions. False where there is none. The caller
 * checks the permission.
 */
export async function resetFactor(service: Service, uid: string): Promise<boolean> {
  return service.db.tx(async (tx) => {
    const account = await lockAccount(tx, uid)
    if (!account || !(await deleteSecondFactor(tx, uid))) return false
    await endSessions(service, tx, account)
    await queueSecurityAlert(tx, { kind: 'reset', email: account.email })
    return true
  })
}

/** Ends every session of an account, with their tokens. */
async function endSessions(service: Service, tx: Tx, account: Account): Promise<Account> {
  await deleteSessions(tx, account.uid)
  const after = await updateAccount(tx, account.uid, { validSince: nextValidSince(account, service.now()) })
  tx.notify({ topic: 'people', uid: account.uid })
  return after
}

/** Ends every session of an account whose factors changed, and opens a new one for the caller. */
async function restart(
  service: Service,
  tx: Tx,
  account: Account,
  proof: Parameters<typeof openSession>[2],
  caller: Parameters<typeof openSession>[3],
): Promise<OpenSession> {
  return openSession(tx, await endSessions(service, tx, account), proof, caller, service.now())
}

/** Without characters that are easily confused (Crockford's base32). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const GROUP = 4
const GROUPS = 3
const RECOVERY_CODES = 10

const group = () => Array.from({ length: GROUP }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** Parses a typed recovery code: its label, and the secret remainder of 40 bits. */
function parseRecoveryCode(typed: string): { label: string; rest: string } | null {
  const code = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  if (code.length !== GROUP * GROUPS || [...code].some((sign) => !ALPHABET.includes(sign))) return null
  return { label: code.slice(0, GROUP), rest: code.slice(GROUP) }
}

/** The unused recovery code that matches; null otherwise. */
async function matchRecoveryCode(service: Service, uid: string, typed: string): Promise<RecoveryCode | null> {
  const parsed = parseRecoveryCode(typed)
  const found = parsed && (await findRecoveryCode(service.db.read, uid, parsed.label))
  return found && (await service.hasher.verify(parsed.rest, found.code_hash)) ? found : null
}

/**
 * POST mfaRecoveryCodes:create, our own operation (Google has none). Creates ten new codes and voids the old ones; they exist in clear only
 * in the response `{ recoveryCodes }`. The sign-in must be recent and have proved the factor itself.
 */
export const createRecoveryCodes: Operation = async (service, body) => {
  const { account, claims } = await authenticate(service, body)
  await requireRecent(service, claims)
  if (!claims.secondFactor) throw identityFault('CREDENTIAL_TOO_OLD_LOGIN_AGAIN')
  const labels = new Set<string>()
  while (labels.size < RECOVERY_CODES) labels.add(group())
  const codes = await Promise.all(
    [...labels].map(async (label) => {
      const groups = Array.from({ length: GROUPS - 1 }, group)
      return { label, code_hash: await service.hasher.hash(groups.join('')), shown: [label, ...groups].join('-') }
    }),
  )
  await service.db.tx(async (tx) => {
    await lockFor(tx, claims)
    if (!(await findSecondFactor(tx, account.uid))) throw identityFault('MFA_ENROLLMENT_NOT_FOUND')
    const createdAt = service.now()
    await replaceRecoveryCodes(
      tx,
      account.uid,
      codes.map(({ label, code_hash }) => ({ uid: account.uid, label, code_hash, createdAt })),
    )
  })
  return { recoveryCodes: codes.map(({ shown }) => shown) }
}
