/**
 * Who is signed in, for the browser. The identity SDK stands behind one small port and is fetched when a page needs it;
 * public pages only read the hint that it left (session-hint.ts).
 */
import { useEffect, useState, useSyncExternalStore } from 'react'
import { LOGOUT_PATH } from '#contract/identity.ts'
import type { Identity, IdentityUser } from './identity.ts'
import { storeNextClasses } from './offline.ts'
import { createRefreshRhythm } from './refresh-rhythm.ts'
import { useSessionHint, writeHint } from './session-hint.ts'
import { dropDrafts } from './use-dialog-state.ts'

export type Session =
  | { state: 'starting' }
  /** The identity service could not be loaded; nothing is known. */
  | { state: 'failed' }
  | { state: 'signed-out' }
  | ({ state: 'signed-in' } & IdentityUser)

const STARTING: Session = { state: 'starting' }

let session: Session = STARTING
let opening: Promise<Identity> | undefined
const ears = new Set<() => void>()

function become(next: Session) {
  session = next
  for (const hear of ears) hear()
}

function subscribe(hear: () => void) {
  ears.add(hear)
  return () => ears.delete(hear)
}

/** The identity service, opened once. `google`: the studio's `firebaseConfig`, null for our own service. */
export function openSession(google: Record<string, string> | null): Promise<Identity> {
  opening ??= import('./identity-firebase.ts').then(
    ({ openIdentity }) => {
      const identity = openIdentity(google)
      identity.onChange((user) => {
        writeHint(user !== null)
        // What this device shows without a connection belongs to whoever is signed in.
        if (!user) {
          dropDrafts()
          void storeNextClasses([])
        }
        become(user ? { state: 'signed-in', ...user } : { state: 'signed-out' })
      })
      return identity
    },
    (error: unknown) => {
      opening = undefined
      become({ state: 'failed' })
      throw error
    },
  )
  return opening
}

const RENEWED = 'estudio:renovado'
let renewedHere: number | null = null

const rhythm = createRefreshRhythm(
  () => Date.now(),
  async () => (await opening)?.getToken(true),
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
        // Then each page counts for itself.
      }
    },
  },
)

/** The bearer token for a call, or null when nobody is signed in. */
export async function bearer(renew = false): Promise<string | null> {
  const identity = await opening
  if (!identity) return null
  const token = await identity.getToken(renew)
  if (renew) rhythm.renewed()
  return token
}

/** A call with a token succeeded (the 15-second rule). */
export const callSucceeded = () => rhythm.succeeded()

/** How long log-out waits for the token that names its session; a token that is still good is there at once. */
const TOKEN_MS = 2_000

/**
 * Ends the session at the server too (P16): the SDK's sign-out only forgets the refresh token, which would stay good for whoever copied it.
 * Nobody waits for the answer, and it is sent to its end while the page goes. Without a connection the session ends when it idles out.
 */
async function endAtServer(identity: Identity): Promise<void> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, TOKEN_MS, null))
  const token = await Promise.race([identity.getToken().catch(() => null), late])
  if (!token) return
  const headers = { authorization: `Bearer ${token}` }
  void fetch(`${location.origin}/api${LOGOUT_PATH}`, { method: 'POST', headers, keepalive: true }).catch(() => {})
}

/** Ends the session here, in the other tabs and at the server; whoever shows a signed-in page goes to /entrar (S1-2.29). */
export async function endSession(): Promise<void> {
  writeHint(false)
  dropDrafts()
  // Before, because who hears of it leaves the page at once.
  await storeNextClasses([])
  const identity = await opening
  if (!identity) return
  await endAtServer(identity)
  await identity.signOut()
}

/**
 * The session, kept up to date. Opens the identity service, so it belongs to the areas that need one; while nobody `needs` it
 * yet, its 25 kB wait and the session is starting.
 */
export function useSession(google: Record<string, string> | null, needs = true): Session {
  useEffect(() => {
    // The failure is in the session's state.
    if (needs) openSession(google).catch(() => {})
  }, [google, needs])
  return useSyncExternalStore(
    subscribe,
    () => session,
    () => STARTING,
  )
}

/** Hears each change of who is signed in. */
export function onSessionChange(hear: (session: Session) => void): () => void {
  return subscribe(() => hear(session))
}

/**
 * The session of a page with a form to get in: whoever seems to be signed in, here or in another tab, is known at once; for
 * everybody else the service is fetched when they turn to a field.
 */
export function useSessionOfForm(google: Record<string, string> | null): Session {
  const hint = useSessionHint()
  const [turned, setTurned] = useState(false)
  useEffect(() => {
    // Somebody quick is in a field before the page's scripts are there.
    const look = () => document.activeElement instanceof HTMLInputElement && setTurned(true)
    look()
    document.addEventListener('focusin', look)
    return () => document.removeEventListener('focusin', look)
  }, [])
  return useSession(google, hint || turned)
}
