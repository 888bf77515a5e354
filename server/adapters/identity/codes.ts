/** Operations on the codes of mailed links: requesting, inspecting and using one. */
import type { Settings } from '#contract/settings.ts'
import { type Body, email, hasField, readFlag, text } from './body.ts'
import { queueEmail } from './emails.ts'
import { identityFault } from './fault.ts'
import { checkNewPassword } from './password-policy.ts'
import { deleteSecondFactor } from './second-factor-store.ts'
import { queueSecurityAlert } from './security-alerts.ts'
import { authenticate, enforceLimits, fingerprint, nextValidSince, type Operation, requireRecent, type Service } from './service.ts'
import {
  type Account,
  type Code,
  deleteNewerRecoveries,
  deleteSessions,
  findAccountByEmail,
  findCode,
  isEmailTaken,
  lockAccount,
  takeCode,
  updateAccount,
  voidCodes,
} from './store.ts'

/** An authenticator app enrolled this long before a change of address may be an intruder's. */
const INTRUSION_MS = 86_400_000

/** Hosts that a link may continue to: the studio's own and the one in its settings (`GET /v1/projects`). */
export function authorizedDomains(service: Pick<Service, 'publicUrl'>, settings: Pick<Settings, 'domain'>): string[] {
  const own = new URL(service.publicUrl).hostname
  const named =
    settings.domain && URL.parse(/^https?:\/\//i.test(settings.domain) ? settings.domain : `https://${settings.domain}`)?.hostname
  const loopback = own === '127.0.0.1' || own === 'localhost' ? ['localhost', '127.0.0.1'] : []
  return [...new Set([own, ...(named ? [named] : []), ...loopback])]
}

/** The URL to continue to after a link, or null; only http(s) on our own hosts, so that our mails cannot lead to other sites. */
function continueUrl(service: Service, body: Body): string | null {
  const typed = text(body, 'continueUrl', 2_048)
  if (typed === undefined || typed === '') return null
  const url = URL.parse(typed)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) throw identityFault('INVALID_CONTINUE_URI')
  if (!authorizedDomains(service, service.settings()).includes(url.hostname))
    throw identityFault('UNAUTHORIZED_DOMAIN', 'Domain not allowlisted by project')
  return url.href
}

/** POST accounts:sendOobCode. A job sends the mail, so the response takes equally long for unknown and known addresses. */
export const sendOobCode: Operation = async (service, body, caller) => {
  const kind = text(body, 'requestType')
  if (!kind) throw identityFault('MISSING_REQ_TYPE')
  if (readFlag(body, 'returnOobLink')) throw identityFault('INSUFFICIENT_PERMISSION', undefined, 403)
  if (text(body, 'linkDomain')) throw identityFault('INVALID_HOSTING_LINK_DOMAIN')
  const next = continueUrl(service, body)
  const hidden = service.settings().email_enumeration_protection
  const { language } = caller
  const counted = async (to: string) =>
    enforceLimits(service, [
      ['mailFrom', caller.address],
      ['mailTo', to],
    ])
  const answer = (address: string) => ({ kind: 'identitytoolkit#GetOobConfirmationCodeResponse', email: address })

  switch (kind) {
    case 'PASSWORD_RESET': {
      const address = email(body)
      await counted(address)
      if (!hidden) {
        const account = await findAccountByEmail(service.db.read, address)
        if (!account) throw identityFault('EMAIL_NOT_FOUND')
        if (account.disabled) throw identityFault('USER_DISABLED')
      }
      await service.db.tx((tx) => queueEmail(tx, { kind, email: address, continueUrl: next, language }))
      return answer(address)
    }
    case 'EMAIL_SIGNIN': {
      const address = email(body)
      if (!next) throw identityFault('MISSING_CONTINUE_URI')
      await counted(address)
      await service.db.tx((tx) => queueEmail(tx, { kind, email: address, continueUrl: next, language }))
      return answer(address)
    }
    case 'VERIFY_EMAIL': {
      const { account } = await authenticate(service, body)
      await counted(account.email)
      await service.db.tx((tx) => queueEmail(tx, { kind, uid: account.uid, email: account.email, continueUrl: next, language }))
      return answer(account.email)
    }
    case 'VERIFY_AND_CHANGE_EMAIL': {
      const { account, claims } = await authenticate(service, body)
      // The mail is sent only to the new address, so the owner must prove their identity here (P15).
      await requireRecent(service, claims)
      const newEmail = email(body, 'newEmail')
      await counted(newEmail)
      if (!hidden && (await findAccountByEmail(service.db.read, newEmail))) throw identityFault('EMAIL_EXISTS')
      await service.db.tx((tx) => queueEmail(tx, { kind, uid: account.uid, email: account.email, newEmail, continueUrl: next, language }))
      return answer(account.email)
    }
    default:
      throw identityFault('INVALID_REQ_TYPE', 'Unsupported request parameters.')
  }
}

/** Looks up the code of a request without using it. */
export async function openCode(service: Service, body: Body): Promise<{ code: Code; codeHash: string }> {
  const oobCode = text(body, 'oobCode')
  if (!oobCode) throw identityFault('MISSING_OOB_CODE')
  const codeHash = fingerprint(oobCode)
  const code = await findCode(service.db.read, codeHash)
  if (!code) throw identityFault('INVALID_OOB_CODE')
  if (code.expiresAt <= service.now()) throw identityFault('EXPIRED_OOB_CODE')
  return { code, codeHash }
}

/**
 * POST accounts:resetPassword: without `newPassword` it only describes the code; with it the code is used, unless the password is too weak.
 */
export const resetPassword: Operation = async (service, body, caller) => {
  const { code, codeHash } = await openCode(service, body)
  const kind = 'identitytoolkit#ResetPasswordResponse'
  if (!hasField(body, 'newPassword'))
    return {
      kind,
      requestType: code.kind,
      ...(code.kind === 'EMAIL_SIGNIN' ? {} : { email: code.email }),
      ...(code.new_email ? { newEmail: code.new_email } : {}),
    }

  if (code.kind !== 'PASSWORD_RESET' || !code.uid) throw identityFault('INVALID_OOB_CODE')
  const { uid } = code
  const password = text(body, 'newPassword', 65_536)
  if (!password) throw identityFault('MISSING_PASSWORD')
  checkNewPassword(password, code.email, service.settings(), await service.isStaff(uid))
  const hash = await service.hasher.hash(password)
  await service.db.tx(async (tx) => {
    const now = service.now()
    const account = await claim(tx, uid, codeHash)
    if (account.email !== code.email) throw identityFault('INVALID_OOB_CODE')
    await deleteSessions(tx, uid)
    await voidCodes(tx, account)
    await updateAccount(tx, uid, {
      password_hash: hash,
      passwordUpdatedAt: now,
      email_verified: true,
      validSince: nextValidSince(account, now),
    })
    // The owner has proved access: reset the counter, so that an attacker's guesses cannot lock them out.
    await service.throttle.clear(tx, ['signInAccount', account.email])
    await service.throttle.clear(tx, ['signInHere', `${account.email} ${caller.address}`])
    tx.notify({ topic: 'people', uid })
  })
  return { kind, requestType: code.kind, email: code.email }
}

/** Locks the account, then takes the code: of two requests with the same code only one succeeds. */
async function claim(tx: Parameters<typeof takeCode>[0], uid: string, codeHash: string): Promise<Account> {
  const account = await lockAccount(tx, uid)
  if (!account || !(await takeCode(tx, codeHash))) throw identityFault('INVALID_OOB_CODE')
  if (account.disabled) throw identityFault('USER_DISABLED')
  return account
}

/** Applies a code in accounts:update: confirms an address, changes to a new one, or reverts to an old one. */
export async function applyCode(service: Service, body: Body): Promise<Account> {
  const { code, codeHash } = await openCode(service, body)
  const { uid } = code
  if (!uid) throw identityFault('INVALID_OOB_CODE')
  try {
    return await service.db.tx(async (tx) => {
      const now = service.now()
      const account = await claim(tx, uid, codeHash)
      const moved = { email_verified: true, validSince: nextValidSince(account, now) }
      tx.notify({ topic: 'people', uid })
      switch (code.kind) {
        case 'VERIFY_EMAIL':
          if (account.email !== code.email) throw identityFault('INVALID_OOB_CODE')
          return updateAccount(tx, uid, { email_verified: true })
        case 'VERIFY_AND_CHANGE_EMAIL':
          if (account.email !== code.email) throw identityFault('INVALID_OOB_CODE')
          await deleteSessions(tx, uid)
          await voidCodes(tx, account)
          await queueEmail(tx, { kind: 'RECOVER_EMAIL', uid, email: account.email, newEmail: code.new_email ?? '', at: now.toISOString() })
          return updateAccount(tx, uid, { ...moved, email: code.new_email ?? '' })
        case 'RECOVER_EMAIL':
          await deleteSessions(tx, uid)
          await voidCodes(tx, account)
          await deleteNewerRecoveries(tx, code)
          // An app enrolled shortly before the address changed, or since, is taken for the intruder's. An older one stays: access to a
          // mailbox alone must not remove it.
          if (await deleteSecondFactor(tx, uid, new Date(code.createdAt.getTime() - INTRUSION_MS)))
            await queueSecurityAlert(tx, { kind: 'removed', email: code.email })
          // The password may be the intruder's: it is deleted, and the owner chooses one by mail.
          return updateAccount(tx, uid, { ...moved, email: code.email, password_hash: null })
        default:
          throw identityFault('INVALID_OOB_CODE')
      }
    })
  } catch (error) {
    throw isEmailTaken(error) ? identityFault('EMAIL_EXISTS') : error
  }
}
