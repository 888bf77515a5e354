/**
 * The current ID token on this device, so that a page of a signed-in user calls the API at once and loads the identity SDK later. The SDK
 * stores the same token and the refresh token itself, in a format that is private to it. An ID token is valid for an hour at most.
 */
import type { IdentityUser } from './identity.ts'
import { KNOWN_DEVICE, LEAVING, STORED_TOKEN } from './session.ts'

/** A token that ends within this time is not used, as in the SDK: the call may arrive after its end. */
const SPARE_MS = 30_000

interface Claims {
  sub: string
  email?: string
  email_verified?: boolean
  /** seconds since 1970, by the server's clock */
  exp: number
}

/** The claims of a JWT, unverified: the server verifies the token of every call. Null if the text is no JWT. */
function claimsOf(token: string): Claims | null {
  try {
    const [, payload = ''] = token.split('.')
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
    const claims: Claims = JSON.parse(new TextDecoder().decode(bytes))
    return typeof claims.sub === 'string' && typeof claims.exp === 'number' ? claims : null
  } catch {
    return null
  }
}

/** Stores the token of the signed-in user. Without storage the next page loads the SDK first. */
export function storeToken(token: string): void {
  try {
    localStorage.setItem(STORED_TOKEN, token)
    localStorage.setItem(KNOWN_DEVICE, '1')
  } catch {
    // Storing is optional.
  }
}

function read(): string {
  try {
    // A page that is opened while a sign-out is not complete must not resume its session.
    return (!localStorage.getItem(LEAVING) && localStorage.getItem(STORED_TOKEN)) || ''
  } catch {
    return ''
  }
}

/** The stored token and its user; null if there is none, or if it ends at `now` (ms) or within 30 s after. */
export function validStoredToken(now = Date.now()): { token: string; user: IdentityUser } | null {
  const token = read()
  const claims = claimsOf(token)
  if (!claims || claims.exp * 1_000 - now < SPARE_MS) return null
  return { token, user: { uid: claims.sub, email: claims.email ?? '', emailVerified: claims.email_verified === true } }
}
