/**
 * Verification of ID tokens: one function for our own service and Google, which differ only in a `TokenSource`.
 * A token's own hints about keys (`jku`, `jwk`, `x5u`) are ignored; the algorithm comes from our list.
 */
import { hash } from 'node:crypto'
import { errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { refuse } from '#contract/errors.ts'

/** An issuer whose tokens are accepted. */
export interface TokenSource {
  issuer: string
  audience: string
  algorithms: string[]
  /** Finds the public key by the header's `kid`. */
  keys: JWTVerifyGetKey
}

/** Claims of a verified token. Times in seconds since 1970. */
export interface TokenClaims {
  uid: string
  email: string | null
  emailVerified: boolean
  issuer: string
  authTime: number
  issuedAt: number
  expires: number
  /** The session that it was issued in; null where the issuer does not include it (Google). */
  session: string | null
  /** Whether the sign-in included a second factor. */
  secondFactor: boolean
}

export type TokenProblem = 'expired' | 'invalid' | 'unavailable'

/** Why a token was refused; `unavailable`: the keys could not be fetched, so it could not be verified. */
export class TokenRefused extends Error {
  readonly problem: TokenProblem
  constructor(problem: TokenProblem, options?: ErrorOptions) {
    super(`The ID token was refused: ${problem}.`, options)
    this.name = 'TokenRefused'
    this.problem = problem
  }
}

/** Turns TokenRefused into the studio's refusal. */
export async function refuseInvalidToken<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch (error) {
    if (!(error instanceof TokenRefused)) throw error
    throw refuse(error.problem === 'expired' ? 'TOKEN_EXPIRED' : error.problem === 'unavailable' ? 'BUSY' : 'UNAUTHENTICATED')
  }
}

/** Google's tokens with every custom claim stay below this. */
const MAX_LENGTH = 8_192
/** More people than sign in within a minute, so that a studio's rush verifies each token once. */
const REMEMBERED = 5_000

/** Creates the verifier of one issuer. It caches verified tokens by their hash, so that a page with many calls verifies one signature. */
export function tokenReader(source: TokenSource, now: () => Date): (token: string) => Promise<TokenClaims> {
  const known = new Map<string, TokenClaims>()

  return async (token) => {
    if (token.length > MAX_LENGTH) throw new TokenRefused('invalid')
    const key = hash('sha256', token, 'base64url')
    const remembered = known.get(key)
    if (remembered) {
      if (remembered.expires * 1000 <= now().getTime()) throw new TokenRefused('expired')
      // Most recently used last, so that the first one is evicted.
      known.delete(key)
      known.set(key, remembered)
      return remembered
    }
    const claims = await verify(token, source, now())
    known.set(key, claims)
    for (const oldest of known.keys()) {
      if (known.size <= REMEMBERED) break
      known.delete(oldest)
    }
    return claims
  }
}

async function verify(token: string, source: TokenSource, at: Date): Promise<TokenClaims> {
  try {
    const { payload } = await jwtVerify(token, source.keys, {
      issuer: source.issuer,
      audience: source.audience,
      algorithms: source.algorithms,
      typ: 'JWT',
      currentDate: at,
      requiredClaims: ['sub', 'iat', 'exp', 'auth_time'],
    })
    const { sub, iat, exp, auth_time: authTime, email, email_verified: emailVerified, sid, firebase } = payload
    if (
      typeof sub !== 'string' ||
      sub.length < 1 ||
      sub.length > 128 ||
      typeof authTime !== 'number' ||
      iat === undefined ||
      exp === undefined
    )
      throw new TokenRefused('invalid')
    return {
      uid: sub,
      email: typeof email === 'string' ? email.toLowerCase() : null,
      emailVerified: emailVerified === true,
      issuer: source.issuer,
      authTime,
      issuedAt: iat,
      expires: exp,
      session: typeof sid === 'string' ? sid : null,
      secondFactor: typeof (firebase as { sign_in_second_factor?: unknown } | undefined)?.sign_in_second_factor === 'string',
    }
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw new TokenRefused('expired', { cause: error })
    if (error instanceof errors.JOSEError) throw new TokenRefused('invalid', { cause: error })
    throw error
  }
}
