/**
 * The token of the calls. A page starts with the stored one (stored-token.ts): the identity SDK is loaded when the token has to be renewed,
 * by the rule of 15 seconds at the latest.
 */
import { createRefreshRhythm } from './refresh-rhythm.ts'
import { currentSession, identityOfSession, loadIdentity } from './session.ts'
import { storeToken, validStoredToken } from './stored-token.ts'

/** How long the renewal of a resumed session waits, so that the SDK does not compete with the contents of the page. */
const RENEWAL_DELAY_MS = 2_000

const RENEWED = 'estudio:renovado'
let renewedHere: number | null = null

const rhythm = createRefreshRhythm(
  () => Date.now(),
  async () => {
    if (!loadIdentity()) await new Promise((resolve) => setTimeout(resolve, RENEWAL_DELAY_MS))
    const token = await (await identityOfSession())?.getToken(true)
    if (token) storeToken(token)
  },
  {
    read() {
      try {
        const noted = Number(localStorage.getItem(RENEWED))
        return noted || renewedHere
      } catch {
        return renewedHere
      }
    },
    write(at) {
      renewedHere = at
      try {
        localStorage.setItem(RENEWED, String(at))
      } catch {
        // Without storage each page has its own interval.
      }
    },
  },
)

/** The stored token while the SDK of a resumed session is not loaded; null if it ended or belongs to another user. */
function tokenOfResumed(): string | null {
  const session = currentSession()
  if (loadIdentity() || session.state !== 'signed-in') return null
  const stored = validStoredToken()
  return stored?.user.uid === session.uid ? stored.token : null
}

/** The bearer token for a call, or null when signed out. `renew`: fetch a new one even if the current one is valid. */
export async function bearer(renew = false): Promise<string | null> {
  const stored = renew ? null : tokenOfResumed()
  if (stored) return stored
  const identity = await identityOfSession()
  if (!identity) return null
  const token = await identity.getToken(renew)
  if (token) storeToken(token)
  if (renew) rhythm.renewed()
  return token
}

/** A call with a token succeeded (the 15-second rule). */
export const callSucceeded = () => rhythm.succeeded()
