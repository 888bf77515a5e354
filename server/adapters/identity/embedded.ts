/** Our own identity service behind the port: the default of a studio. */
import { refuse } from '#contract/errors.ts'
import type { JobHandler } from '#server/platform/job-types.ts'
import { type AccountCache, openAccountCache } from './account-cache.ts'
import { readEmail } from './body.ts'
import { deliverEmail, IDENTITY_EMAIL_JOB, makeLink, queueEmail } from './emails.ts'
import { registerIdentity } from './http.ts'
import type { IdentityPort, Verified } from './port.ts'
import { resetFactor } from './second-factor.ts'
import { listWithSecondFactor, sweepChallenges } from './second-factor-store.ts'
import { deliverSecurityAlert, SECURITY_ALERT_JOB } from './security-alerts.ts'
import { type IdentityDeps, idToken, isRevoked, newUid, nextValidSince, openService, type Service, signInLife } from './service.ts'
import {
  deleteAccount,
  deleteOtherSessions,
  deleteSession,
  deleteSessions,
  findAccount,
  findAccountByEmail,
  insertAccount,
  listLastSignIns,
  listSessions,
  lockAccount,
  sweepIdentity,
  updateAccount,
  voidCodes,
} from './store.ts'
import { refuseInvalidToken, type TokenClaims } from './verify.ts'

type SessionVerbs = Pick<
  IdentityPort,
  'verify' | 'accountStatus' | 'revokeSessions' | 'listSessions' | 'endSession' | 'endOtherSessions' | 'tokenFor'
>
type AccountVerbs = Pick<
  IdentityPort,
  'createAccount' | 'removeAccount' | 'setDisabled' | 'createsAccounts' | 'lastSignIns' | 'withSecondFactor' | 'resetSecondFactor'
>
type LinkVerbs = Pick<IdentityPort, 'sendPasswordLink' | 'passwordLink' | 'sendConfirmationLink'>

/** Checking tokens, and ending the sessions that they belong to. */
function sessionVerbs(service: Service, { readSignedIn, readAccount }: AccountCache): SessionVerbs {
  const { db, now } = service
  return {
    async verify(token): Promise<Verified> {
      const claims: TokenClaims = await refuseInvalidToken(service.readToken(token))
      const account = await readAccount(claims)
      if (!account || account.disabled || isRevoked(account, claims)) throw refuse('TOKEN_EXPIRED')
      return {
        uid: account.uid,
        // Newer than the token's: a confirmed address counts before the token is refreshed.
        email: account.email,
        emailVerified: account.email_verified,
        issuer: claims.issuer,
        authTime: new Date(claims.authTime * 1000),
        exp: new Date(claims.expires * 1000),
        session: claims.session,
        secondFactor: claims.secondFactor,
      }
    },

    async accountStatus(uid) {
      const account = (await readSignedIn(uid))?.account
      return { isActive: account !== undefined && !account.disabled, validSince: account?.validSince ?? null }
    },

    async revokeSessions(uid) {
      return db.tx(async (tx) => {
        const account = await lockAccount(tx, uid)
        if (!account) return false
        await deleteSessions(tx, uid)
        await updateAccount(tx, uid, { validSince: nextValidSince(account, now()) })
        tx.notify({ topic: 'people', uid })
        return true
      })
    },

    async listSessions(uid) {
      const rows = await listSessions(db.read, uid, now())
      const life = await signInLife(service, uid)
      const open = rows.filter(({ authAt }) => authAt.getTime() + life > now().getTime())
      return open.map(({ session_id, user_agent, createdAt, lastUsedAt }) => ({
        session: String(session_id),
        userAgent: user_agent,
        createdAt,
        lastUsedAt,
      }))
    },

    async endSession(uid, session) {
      return db.tx(async (tx) => {
        tx.notify({ topic: 'people', uid })
        return deleteSession(tx, uid, session)
      })
    },

    async endOtherSessions(uid, currentSession) {
      return db.tx(async (tx) => {
        tx.notify({ topic: 'people', uid })
        return deleteOtherSessions(tx, uid, currentSession)
      })
    },

    async tokenFor(uid, seconds) {
      const account = await findAccount(db.read, uid)
      if (!account) throw new Error(`There is no account ${uid}.`)
      return idToken(service, account, { authAt: now() }, seconds)
    },
  }
}

/** Accounts: made, removed, locked, and what is known of them. */
function accountVerbs(service: Service): AccountVerbs {
  const { db, now } = service
  return {
    async createAccount({ email: typed, password, name, emailVerified = false }) {
      const email = readEmail(typed)
      if (!email) throw refuse('INVALID_INPUT', { field: 'email' })
      const known = await findAccountByEmail(db.read, email)
      if (known) return { uid: known.uid, created: false }
      const hash = password === undefined ? null : await service.hasher.hash(password)
      const at = now()
      const created = await db.tx((tx) =>
        insertAccount(tx, {
          uid: newUid(),
          email,
          email_verified: emailVerified,
          display_name: name ?? null,
          password_hash: hash,
          validSince: at,
          createdAt: at,
          lastLoginAt: at,
          lastRefreshAt: at,
          passwordUpdatedAt: hash === null ? null : at,
        }),
      )
      if (created) return { uid: created.uid, created: true }
      const other = await findAccountByEmail(db.read, email)
      if (!other) throw new Error('An account was taken and vanished at the same moment.')
      return { uid: other.uid, created: false }
    },

    async removeAccount(uid) {
      return db.tx(async (tx) => {
        tx.notify({ topic: 'people', uid })
        return deleteAccount(tx, uid)
      })
    },

    async setDisabled(uid, disabled) {
      return db.tx(async (tx) => {
        const account = await lockAccount(tx, uid)
        if (!account) return false
        // The sessions of a locked account stay until it is unlocked, so that a refresh returns USER_DISABLED and not TOKEN_EXPIRED.
        if (disabled) await voidCodes(tx, account)
        else await deleteSessions(tx, uid)
        await updateAccount(tx, uid, { disabled, ...(disabled ? { validSince: nextValidSince(account, now()) } : {}) })
        tx.notify({ topic: 'people', uid })
        return true
      })
    },

    createsAccounts: () => true,

    async lastSignIns(uids) {
      return new Map(uids.length ? await listLastSignIns(db.read, uids) : [])
    },

    async withSecondFactor(uids) {
      return new Set(uids.length ? await listWithSecondFactor(db.read, uids) : [])
    },

    resetSecondFactor: (uid) => resetFactor(service, uid),
  }
}

/** Links by mail: a new password and the confirmation of an address. */
function linkVerbs(service: Service): LinkVerbs {
  const { db, now } = service
  return {
    async sendPasswordLink(typed, next) {
      const email = readEmail(typed)
      if (!email) return false
      return db.tx(async (tx) => {
        if (!(await service.throttle.take(tx, [['mailTo', email]], now()))) return false
        await queueEmail(tx, { kind: 'PASSWORD_RESET', email, continueUrl: next && service.publicUrl + next })
        return true
      })
    },

    async passwordLink(uid, milliseconds, next) {
      const account = await findAccount(db.read, uid)
      if (!account || account.disabled) return null
      return makeLink(service, {
        kind: 'PASSWORD_RESET',
        uid,
        email: account.email,
        milliseconds,
        continueUrl: next && service.publicUrl + next,
      })
    },

    async sendConfirmationLink(uid, _token, language) {
      const account = await findAccount(db.read, uid)
      if (!account || account.disabled || account.email_verified) return false
      await db.tx(async (tx) => {
        if (!(await service.throttle.take(tx, [['mailTo', account.email]], now()))) throw refuse('TOO_MANY_REQUESTS')
        await queueEmail(tx, { kind: 'VERIFY_EMAIL', uid, email: account.email, language })
      })
      return true
    },
  }
}

/** Mails, alerts and the hourly sweep with the rotation of the signing keys. */
const identityJobs = (service: Service): JobHandler[] => [
  { name: IDENTITY_EMAIL_JOB, queue: 'mail', work: (data) => deliverEmail(service, data) },
  { name: SECURITY_ALERT_JOB, queue: 'mail', work: (data) => deliverSecurityAlert(service, data) },
  {
    name: 'identity-sweep',
    queue: 'upkeep',
    every: '17 * * * *',
    async work() {
      await service.db.tx(async (tx) => {
        await sweepIdentity(tx, service.now())
        await sweepChallenges(tx, service.now())
      })
      await service.keys.rotate(service.now())
    },
  },
]

/** `isOn`: whether this service is in use; otherwise its endpoints refuse. */
export function embeddedIdentity(deps: IdentityDeps, isOn: () => boolean): IdentityPort {
  const service = openService(deps)
  return {
    ...sessionVerbs(service, openAccountCache(deps)),
    ...accountVerbs(service),
    ...linkVerbs(service),
    register: (app) => registerIdentity(app, service, isOn),
    jobs: () => identityJobs(service),
  }
}
