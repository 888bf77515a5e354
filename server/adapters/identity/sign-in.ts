/** Sign-in operations: sign-up, password, mailed link, refresh token. */
import { changeCredentials } from './account.ts'
import { type Body, email, hasField, text } from './body.ts'
import { openCode } from './codes.ts'
import { identityFault } from './fault.ts'
import { TOKEN_SECONDS } from './keys.ts'
import { checkNewPassword, SHORTEST_OF_STAFF } from './password-policy.ts'
import { challengeSignIn } from './second-factor.ts'
import {
  authenticate,
  createSession,
  enforceLimits,
  fingerprint,
  idToken,
  lockFor,
  newUid,
  nextValidSince,
  type Operation,
  openSession,
  requireRecent,
  signInLife,
  tokens,
} from './service.ts'
import {
  deleteSessions,
  findAccountByEmail,
  findSession,
  IDLE_DAYS,
  insertAccount,
  lockAccount,
  lockAccountByEmail,
  takeCode,
  touchSession,
  updateAccount,
  voidCodes,
} from './store.ts'
import type { Bucket } from './throttle.ts'

function newPassword(body: Body): string {
  const password = text(body, 'password', 65_536)
  if (!password) throw identityFault('MISSING_PASSWORD')
  return password
}

/** POST accounts:signUp. With an idToken it gives that account a password (linkWithCredential). */
export const signUp: Operation = async (service, body, caller) => {
  if (hasField(body, 'localId')) throw identityFault('UNEXPECTED_PARAMETER', 'User ID')
  if (!hasField(body, 'email') && !hasField(body, 'password')) throw identityFault('ADMIN_ONLY_OPERATION')
  const address = email(body)
  const password = newPassword(body)
  const kind = 'identitytoolkit#SignupNewUserResponse'
  if (hasField(body, 'idToken')) {
    const { account, claims } = await authenticate(service, body)
    const linked = await changeCredentials(service, account, claims, { email: address, password }, caller)
    return { kind, localId: account.uid, email: address, ...(await tokens(service, linked)) }
  }

  checkNewPassword(password, address, service.settings())
  await enforceLimits(service, [['signUp', caller.address]])
  // Sign-up reveals in any case that an e-mail is taken; checking first saves the hash.
  if (await findAccountByEmail(service.db.read, address)) throw identityFault('EMAIL_EXISTS')
  const hash = await service.hasher.hash(password)
  const session = await service.db.tx(async (tx) => {
    const now = service.now()
    const account = await insertAccount(tx, {
      uid: newUid(),
      email: address,
      password_hash: hash,
      validSince: now,
      createdAt: now,
      lastLoginAt: now,
      lastRefreshAt: now,
      passwordUpdatedAt: now,
    })
    if (!account) throw identityFault('EMAIL_EXISTS')
    return openSession(tx, account, { authAt: now, secondFactor: false }, caller, now)
  })
  return { kind, localId: session.account.uid, email: session.account.email, ...(await tokens(service, session)) }
}

/**
 * POST accounts:signInWithPassword. A wrong password counts against the address, the account at this address, and the account everywhere.
 */
export const signInWithPassword: Operation = async (service, body, caller) => {
  const address = email(body)
  const password = newPassword(body)
  const here: Bucket = ['signInHere', `${address} ${caller.address}`]
  const others: Bucket[] = [
    ['signInAddress', caller.address],
    ['signInAccount', address],
  ]
  // Counted before the password is checked, so that simultaneous attempts count like successive ones.
  await enforceLimits(service, [['signInAddress', caller.address], here, ['signInAccount', address]])

  const found = await findAccountByEmail(service.db.read, address)
  const right = password.length <= 4_096 && (await service.hasher.verify(password, found?.password_hash ?? null))
  if (!found || !right) {
    service.log.info({ known: found !== null }, 'auth.sign_in_failed')
    if (service.settings().email_enumeration_protection) throw identityFault('INVALID_LOGIN_CREDENTIALS')
    throw identityFault(found ? 'INVALID_PASSWORD' : 'EMAIL_NOT_FOUND')
  }
  // The password dates from before the account belonged to staff: they choose a longer one by mail.
  if (password.length < SHORTEST_OF_STAFF && (await service.isStaff(found.uid)))
    throw identityFault(
      'PASSWORD_DOES_NOT_MEET_REQUIREMENTS',
      `Missing password requirements: [Password must contain at least ${SHORTEST_OF_STAFF} characters]`,
    )
  const better = found.password_hash && service.hasher.outdated(found.password_hash) ? await service.hasher.hash(password) : null
  const { account, challenge, opened } = await service.db.tx(async (tx) => {
    const account = await lockAccount(tx, found.uid)
    // The password may have been changed while it was being checked.
    if (!account || account.password_hash !== found.password_hash) throw identityFault('INVALID_PASSWORD')
    if (account.disabled) throw identityFault('USER_DISABLED')
    if (better) await updateAccount(tx, account.uid, { password_hash: better })
    const challenge = await challengeSignIn(service, tx, account)
    const opened = challenge ? null : await createSession(tx, account, caller, service.now())
    await service.throttle.giveBack(tx, others)
    await service.throttle.clear(tx, here)
    return { account, challenge, opened }
  })
  return {
    kind: 'identitytoolkit#VerifyPasswordResponse',
    localId: account.uid,
    email: account.email,
    displayName: account.display_name ?? '',
    registered: true,
    ...(opened ? await tokens(service, opened) : challenge),
  }
}

/** POST accounts:signInWithEmailLink: signs in to the account of an address whose mailbox the person can read, or creates it. */
export const signInWithEmailLink: Operation = async (service, body, caller) => {
  const address = email(body)
  const { code, codeHash } = await openCode(service, body)
  if (code.kind !== 'EMAIL_SIGNIN') throw identityFault('INVALID_OOB_CODE')
  if (code.email !== address) throw identityFault('INVALID_EMAIL', 'The email provided does not match the sign-in email address.')
  const linking = hasField(body, 'idToken') ? await authenticate(service, body) : null
  if (linking) {
    await requireRecent(service, linking.claims)
    // Another address would be a change of e-mail, which has its own operation.
    if (linking.account.email !== address) throw identityFault('EMAIL_EXISTS')
  }

  const { account, challenge, opened, isNewUser } = await service.db.tx(async (tx) => {
    const now = service.now()
    let account = linking ? await lockFor(tx, linking.claims) : await lockAccountByEmail(tx, address)
    if (account?.disabled) throw identityFault('USER_DISABLED')
    if (!(await takeCode(tx, codeHash))) throw identityFault('INVALID_OOB_CODE')
    const isNewUser = !account
    if (!account) {
      account = await insertAccount(tx, {
        uid: newUid(),
        email: address,
        email_verified: true,
        validSince: now,
        createdAt: now,
        lastLoginAt: now,
        lastRefreshAt: now,
      })
      if (!account) throw identityFault('INVALID_OOB_CODE')
    } else if (!account.email_verified) {
      // An attacker may have signed up with this address first: their password and sessions end here (pre-hijacking).
      await deleteSessions(tx, account.uid)
      await voidCodes(tx, account)
      account = await updateAccount(tx, account.uid, {
        email_verified: true,
        password_hash: null,
        validSince: nextValidSince(account, now),
      })
      tx.notify({ topic: 'people', uid: account.uid })
    }
    const challenge = await challengeSignIn(service, tx, account)
    return { account, challenge, opened: challenge ? null : await createSession(tx, account, caller, now), isNewUser }
  })
  return {
    kind: 'identitytoolkit#EmailLinkSigninResponse',
    localId: account.uid,
    email: address,
    isNewUser,
    ...(opened ? await tokens(service, opened) : challenge),
  }
}

const TOKEN = /^[\w-]{64}$/
const DAY = 86_400_000
/** The last use of a session is stored at most this often, so that a refresh is usually a single read. */
const TOUCH_MS = 600_000

/** POST token: a new ID token for a refresh token, which stays valid (parallel tabs use the same one at once). */
export const refresh: Operation = async (service, body) => {
  const grant = text(body, 'grant_type')
  if (!grant) throw identityFault('MISSING_GRANT_TYPE')
  if (grant !== 'refresh_token') throw identityFault('INVALID_GRANT_TYPE')
  const token = text(body, 'refresh_token')
  if (!token) throw identityFault('MISSING_REFRESH_TOKEN')
  if (!TOKEN.test(token)) throw identityFault('INVALID_REFRESH_TOKEN')
  const now = service.now()
  const found = await findSession(service.db.read, fingerprint(token))
  // Revoked, or of a deleted account: neither has a row, and both must sign the SDK out.
  if (!found) throw identityFault('TOKEN_EXPIRED')
  const { session, account } = found
  if (account.disabled) throw identityFault('USER_DISABLED')
  if (session.expiresAt <= now || session.lastUsedAt.getTime() + IDLE_DAYS * DAY <= now.getTime()) throw identityFault('TOKEN_EXPIRED')
  const left = session.authAt.getTime() + (await signInLife(service, session.uid)) - now.getTime()
  // An ID token does not outlive the sign-in.
  const life = Math.min(TOKEN_SECONDS, Math.floor(left / 1000))
  if (life <= 0) throw identityFault('TOKEN_EXPIRED')
  if (session.lastUsedAt.getTime() + TOUCH_MS <= now.getTime()) await service.db.tx((tx) => touchSession(tx, session, now))
  const signedToken = await idToken(service, account, session, life)
  return {
    access_token: signedToken,
    id_token: signedToken,
    expires_in: String(life),
    refresh_token: token,
    token_type: 'Bearer',
    user_id: account.uid,
    project_id: service.source.audience,
  }
}
