/** Google Identity Toolkit behind the port. Tokens are verified here with Google's keys; everything else is done by Google. */
import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose'
import { refuse } from '#contract/errors.ts'
import { assertNotInTransaction } from '#server/platform/db.ts'
import type { Log } from '#server/platform/log.ts'
import type { IdentityPort } from './port.ts'
import { refuseInvalidToken, TokenRefused, tokenReader } from './verify.ts'

export interface GoogleOptions {
  projectId: string
  apiKey: string
  now: () => Date
  log: Log
  /** Google's URLs; only tests change them. */
  endpoints?: { jwks: string; identity: string; issuer: string; algorithms: string[] }
}

const JWKS = 'https://www.googleapis.com/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com'
const IDENTITY = 'https://identitytoolkit.googleapis.com'
const TIMEOUT_MS = 8_000

/** A remote key set that distinguishes "keys unreachable" from "no key matches the token". */
function remoteKeys(url: string): JWTVerifyGetKey {
  const find = createRemoteJWKSet(new URL(url), { cacheMaxAge: 3_600_000, cooldownDuration: 30_000, timeoutDuration: TIMEOUT_MS })
  return async (header, token) => {
    try {
      return await find(header, token)
    } catch (error) {
      if (
        error instanceof errors.JWKSNoMatchingKey ||
        error instanceof errors.JWKSMultipleMatchingKeys ||
        error instanceof errors.JOSENotSupported
      )
        throw new TokenRefused('invalid', { cause: error })
      throw new TokenRefused('unavailable', { cause: error })
    }
  }
}

export function googleIdentity({ projectId, apiKey, now, log, endpoints }: GoogleOptions): IdentityPort {
  const identity = endpoints?.identity ?? IDENTITY
  const source = {
    issuer: endpoints?.issuer ?? `https://securetoken.google.com/${projectId}`,
    audience: projectId,
    algorithms: endpoints?.algorithms ?? ['RS256'],
    keys: remoteKeys(endpoints?.jwks ?? JWKS),
  }
  const read = tokenReader(source, now)

  async function post(operation: string, body: object): Promise<Record<string, unknown> | null> {
    assertNotInTransaction('The identity port')
    try {
      const answer = await fetch(`${identity}/v1/accounts:${operation}?key=${encodeURIComponent(apiKey)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      if (answer.ok) return (await answer.json()) as Record<string, unknown>
      log.warn({ operation, status: answer.status }, 'google.operation_refused')
    } catch (error) {
      log.warn({ operation, error }, 'google.operation_failed')
    }
    return null
  }
  const needsAdministrator = async () => false

  return {
    async verify(token) {
      const claims = await refuseInvalidToken(read(token))
      // An account without an e-mail address could not be contacted or recognised (phone and anonymous sign-in are off in this product).
      if (!claims.email) throw refuse('UNAUTHENTICATED')
      const { uid, email, emailVerified, issuer, authTime, expires, session, secondFactor } = claims
      return {
        uid,
        email,
        emailVerified,
        issuer,
        authTime: new Date(authTime * 1000),
        exp: new Date(expires * 1000),
        session,
        secondFactor,
      }
    },
    async createAccount() {
      throw new Error('In Google mode accounts are made by signing up, or in the console of Google.')
    },
    async removeAccount(_uid, token) {
      return token !== undefined && (await post('delete', { idToken: token })) !== null
    },
    accountStatus: async () => ({ isActive: true, validSince: null }),
    revokeSessions: needsAdministrator,
    setDisabled: needsAdministrator,
    listSessions: async () => [],
    endSession: needsAdministrator,
    endOtherSessions: async () => 0,
    createsAccounts: () => false,
    lastSignIns: async () => new Map(),
    withSecondFactor: async () => new Set(),
    resetSecondFactor: needsAdministrator,
    async sendPasswordLink(email) {
      return (await post('sendOobCode', { requestType: 'PASSWORD_RESET', email })) !== null
    },
    async passwordLink() {
      return null
    },
    async sendConfirmationLink(_uid, token) {
      return token !== undefined && (await post('sendOobCode', { requestType: 'VERIFY_EMAIL', idToken: token })) !== null
    },
    async tokenFor() {
      throw new Error('In Google mode only Google makes tokens.')
    },
    async register() {},
    jobs: () => [],
  }
}
