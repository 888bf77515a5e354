/**
 * Who is signed in, for the browser. The identity SDK stands behind one small port and is fetched when a page needs it;
 * public pages only read the hint that it left (session-hint.ts).
 */
import { useEffect, useState, useSyncExternalStore } from 'react'
import { dropDrafts } from './chosen.ts'
import type { Identity, IdentityUser } from './identity.ts'
import { keepNextClasses } from './offline.ts'
import { createRefreshRhythm } from './refresh-rhythm.ts'
import { useSessionHint, writeHint } from './session-hint.ts'

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
          void keepNextClasses([])
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

/** Ends the session here and in the other tabs; whoever shows a signed-in page goes to /entrar (S1-2.29). */
export async function endSession(): Promise<void> {
  writeHint(false)
  dropDrafts()
  // Before, because who hears of it leaves the page at once.
  await keepNextClasses([])
  await (await opening)?.signOut()
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
