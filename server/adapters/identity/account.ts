/** Operations on the signed-in person's own account: reading, changing and deleting it. */
import { randomUUID } from 'node:crypto'
import { type Body, email, getDisplayText, hasField, readEmail, readFlag, text, texts } from './body.ts'
import { applyCode } from './codes.ts'
import { queueEmail } from './emails.ts'
import { identityFault } from './fault.ts'
import { checkNewPassword } from './password-policy.ts'
import { ACCOUNT_DELETED_JOB } from './port.ts'
import { serializeFactor } from './second-factor.ts'
import { findSecondFactor } from './second-factor-store.ts'
import {
  authenticate,
  type Caller,
  enforceLimits,
  lockFor,
  nextValidSince,
  type OpenSession,
  type Operation,
  openSession,
  proofInToken,
  requireOwnSession,
  requireRecent,
  type Service,
  tokens,
} from './service.ts'
import { type Account, deleteAccount, deleteSessions, findAccountByEmail, isEmailTaken, updateAccount, voidCodes } from './store.ts'
import type { TokenClaims } from './verify.ts'

/** Google returns this instead of a password hash: base64 of REDACTED. */
const REDACTED = 'UkVEQUNURUQ='

function providers(account: Account): object[] {
  return [
    {
      providerId: 'password',
      rawId: account.email,
      federatedId: account.email,
      email: account.email,
      displayName: account.display_name ?? undefined,
      photoUrl: account.photo_url ?? undefined,
    },
  ]
}

/** POST accounts:lookup. Milliseconds are sent as text: with a number the SDK loses its user. */
export const lookup: Operation = async (service, body) => {
  if (hasField(body, 'localId') || hasField(body, 'email')) throw identityFault('INSUFFICIENT_PERMISSION', undefined, 403)
  const { account } = await authenticate(service, body)
  const factor = await findSecondFactor(service.db.read, account.uid)
  return {
    kind: 'identitytoolkit#GetAccountInfoResponse',
    users: [
      {
        localId: account.uid,
        email: account.email,
        emailVerified: account.email_verified,
        displayName: account.display_name ?? undefined,
        photoUrl: account.photo_url ?? undefined,
        providerUserInfo: providers(account),
        disabled: account.disabled,
        createdAt: String(account.createdAt.getTime()),
        lastLoginAt: String(account.lastLoginAt.getTime()),
        validSince: String(Math.floor(account.validSince.getTime() / 1000)),
        lastRefreshAt: account.lastRefreshAt.toISOString(),
        mfaInfo: factor ? [serializeFactor(factor)] : [],
        ...(account.password_hash ? { passwordHash: REDACTED, passwordUpdatedAt: account.passwordUpdatedAt?.getTime() } : {}),
      },
    ],
  }
}

/** The response to an update. */
function changed(account: Account): object {
  return {
    kind: 'identitytoolkit#SetAccountInfoResponse',
    localId: account.uid,
    email: account.email,
    emailVerified: account.email_verified,
    displayName: account.display_name ?? '',
    photoUrl: account.photo_url ?? '',
    ...(account.password_hash ? { passwordHash: REDACTED } : {}),
    providerUserInfo: providers(account),
  }
}

/** Fields that only an administrator may set. */
const PRIVILEGED = [
  'customAttributes',
  'disableUser',
  'validSince',
  'createdAt',
  'lastLoginAt',
  'phoneNumber',
  'localId',
  'mfa',
  'linkProviderUserInfo',
]

/** POST accounts:update: profile, password or e-mail of the token's owner, or the effect of a mailed code. */
export const update: Operation = async (service, body, caller) => {
  if (hasField(body, 'oobCode')) return changed(await applyCode(service, body))
  if (!hasField(body, 'idToken')) throw identityFault('INVALID_REQ_TYPE', 'Unsupported request parameters.')
  const { account, claims } = await authenticate(service, body)
  if (PRIVILEGED.some((name) => hasField(body, name))) throw identityFault('INSUFFICIENT_PERMISSION', undefined, 403)
  // The password is the only sign-in method of the account, so it cannot be unlinked.
  if (texts(body, 'deleteProvider').length) throw identityFault('OPERATION_NOT_ALLOWED')

  const profile = profileOf(body)
  const credentials = {
    ...(hasField(body, 'email') ? { email: email(body) } : {}),
    ...(hasField(body, 'password') ? { password: text(body, 'password', 65_536) ?? '' } : {}),
  }
  if (credentials.email === account.email) delete credentials.email
  if (credentials.email !== undefined || credentials.password !== undefined) {
    const session = await changeCredentials(service, account, claims, credentials, caller, profile)
    return { ...changed(session.account), ...(await tokens(service, session)) }
  }
  if (Object.keys(profile).length) await requireOwnSession(service, claims)
  const after = await service.db.tx(async (tx) => {
    const locked = await lockFor(tx, claims)
    return Object.keys(profile).length ? updateAccount(tx, locked.uid, profile) : locked
  })
  return changed(after)
}

type Profile = { display_name?: string | null; photo_url?: string | null }

/** "" clears a field; null or absent leaves it unchanged. */
function profileOf(body: Body): Profile {
  readFlag(body, 'returnSecureToken')
  const cleared = texts(body, 'deleteAttribute')
  const name = cleared.includes('DISPLAY_NAME') ? '' : getDisplayText(body, 'displayName', 256)
  const photo = cleared.includes('PHOTO_URL') ? '' : getDisplayText(body, 'photoUrl', 2_048)
  if (photo && !/^https?:\/\//i.test(photo)) throw identityFault('INVALID_ARGUMENT', "Invalid value at 'photoUrl' (TYPE_STRING)")
  return {
    ...(name === undefined ? {} : { display_name: name || null }),
    ...(photo === undefined ? {} : { photo_url: photo || null }),
  }
}

/**
 * Changes e-mail or password. Requires a recent sign-in; ends every other session and voids every pending link.
 * A changed address gets a mail at the old one with a link to revert, whether or not the old one was ever confirmed (P15).
 */
export async function changeCredentials(
  service: Service,
  account: Account,
  claims: TokenClaims,
  change: { email?: string; password?: string },
  caller: Caller,
  profile: Profile = {},
): Promise<OpenSession> {
  await requireRecent(service, claims)
  const moves = change.email !== undefined && change.email !== account.email
  if (moves && service.settings().email_enumeration_protection)
    throw identityFault('OPERATION_NOT_ALLOWED', 'Please verify the new email before changing email.')
  if (change.password !== undefined) {
    if (change.password === '') throw identityFault('MISSING_PASSWORD')
    checkNewPassword(change.password, change.email ?? account.email, service.settings(), await service.isStaff(account.uid))
  }
  if (moves) await enforceLimits(service, [['probe', caller.address]])
  const hash = change.password === undefined ? undefined : await service.hasher.hash(change.password)
  try {
    return await service.db.tx(async (tx) => {
      const now = service.now()
      const locked = await lockFor(tx, claims)
      if (moves && (await findAccountByEmail(tx, change.email ?? ''))) throw identityFault('EMAIL_EXISTS')
      await deleteSessions(tx, locked.uid)
      await voidCodes(tx, locked)
      const after = await updateAccount(tx, locked.uid, {
        ...profile,
        ...(moves ? { email: change.email, email_verified: false } : {}),
        ...(hash === undefined ? {} : { password_hash: hash, passwordUpdatedAt: now }),
        validSince: nextValidSince(locked, now),
      })
      if (moves)
        await queueEmail(tx, {
          kind: 'RECOVER_EMAIL',
          uid: locked.uid,
          email: locked.email,
          newEmail: after.email,
          at: now.toISOString(),
          language: caller.language,
        })
      tx.notify({ topic: 'people', uid: locked.uid })
      return openSession(tx, after, proofInToken(claims), caller, now)
    })
  } catch (error) {
    throw isEmailTaken(error) ? identityFault('EMAIL_EXISTS') : error
  }
}

/** POST accounts:delete. */
export const remove: Operation = async (service, body) => {
  if (hasField(body, 'localId')) throw identityFault('INSUFFICIENT_PERMISSION', undefined, 403)
  const { claims } = await authenticate(service, body)
  await requireRecent(service, claims)
  await service.db.tx(async (tx) => {
    const account = await lockFor(tx, claims)
    await deleteAccount(tx, account.uid)
    await tx.send({ name: ACCOUNT_DELETED_JOB, data: { uid: account.uid } })
    tx.notify({ topic: 'people', uid: account.uid })
  })
  return { kind: 'identitytoolkit#DeleteAccountResponse' }
}

/**
 * POST accounts:createAuthUri (fetchSignInMethodsForEmail): sign-in methods of an address. Reveals nothing while addresses are protected.
 */
export const createAuthUri: Operation = async (service, body, caller) => {
  if (!hasField(body, 'identifier')) throw identityFault('MISSING_IDENTIFIER')
  if (!hasField(body, 'continueUri')) throw identityFault('MISSING_CONTINUE_URI')
  text(body, 'continueUri')
  const address = readEmail(text(body, 'identifier') ?? '')
  if (!address) throw identityFault('INVALID_IDENTIFIER')
  const answer = { kind: 'identitytoolkit#CreateAuthUriResponse', sessionId: randomUUID() }
  if (service.settings().email_enumeration_protection) return answer
  await enforceLimits(service, [['probe', caller.address]])
  const account = await findAccountByEmail(service.db.read, address)
  if (!account) return { ...answer, registered: false }
  const method = account.password_hash ? 'password' : 'emailLink'
  return { ...answer, registered: true, allProviders: ['password'], signinMethods: [method] }
}
