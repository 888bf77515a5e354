/**
 * The session in the browser. The identity SDK is behind a small port and loaded when a page needs it; public pages only read the hint
 * that the session writes (session-hint.ts).
 */
import { useEffect, useState, useSyncExternalStore } from 'react'
import { LOGOUT_PATH } from '#contract/identity.ts'
import type { Identity, IdentityUser } from './identity.ts'
import { storeNextClasses } from './offline.ts'
import { readHint, useSessionHint, writeHint } from './session-hint.ts'
import { forgetTyped } from './typed-fields.ts'
import { resetDrafts } from './use-dialog-state.ts'

export type Session =
  | { state: 'starting' }
  /** The identity service could not be loaded; the session is unknown. */
  | { state: 'failed' }
  | { state: 'signed-out' }
  | ({ state: 'signed-in' } & IdentityUser)

const STARTING: Session = { state: 'starting' }

let session: Session = STARTING
let opening: Promise<Identity> | undefined
let opened: Identity | undefined
/** The studio's `firebaseConfig` for a session that was resumed before the SDK is loaded. */
let resumed: { google: Record<string, string> | null } | undefined
/** Whether the end of the session removes visitors' drafts too: not after a refused sign-up, which continues. */
let shouldResetVisitorsDrafts = true
const listeners = new Set<() => void>()

/** The key of the stored token in localStorage (stored-token.ts, which public pages do not load). */
export const STORED_TOKEN = 'estudio:token'
/** Set with the first token and kept after the sign-out: an account was used on this device. */
export const KNOWN_DEVICE = 'estudio:conocido'
/** Noted while a sign-out is not complete: the SDK is not loaded yet, or could not be, to forget its refresh token. */
export const LEAVING = 'estudio:saliendo'

/** Runs `use` on localStorage, which may be blocked (private windows, policies). */
function withStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(localStorage)
  } catch {
    return undefined
  }
}

function setSession(next: Session) {
  const isOther = session.state === 'signed-in' && next.state === 'signed-in' && next.uid !== session.uid
  if (next.state === 'signed-out' || isOther) withStorage((storage) => storage.removeItem(STORED_TOKEN))
  if (next.state === 'signed-in') forgetTyped()
  session = next
  for (const listener of listeners) listener()
}

export const currentSession = (): Session => session
/** The identity service once it is loaded. */
export const loadIdentity = (): Identity | undefined => opened

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

async function open(google: Record<string, string> | null): Promise<Identity> {
  const { openIdentity } = await import('./identity-firebase.ts')
  const identity = openIdentity(google)
  // An earlier sign-out that had no SDK is completed first.
  if (withStorage((storage) => storage.getItem(LEAVING))) {
    await endAtServer(identity)
    await leave(identity)
  }
  opened = identity
  identity.onChange((user) => {
    // After a reload only the hint shows that there was a session, which ended at the server.
    const wasSignedIn = session.state === 'signed-in' || readHint()
    writeHint(user !== null)
    // Drafts and offline classes belong to the signed-in user. Those of a visitor stay.
    if (!user) {
      resetDrafts(wasSignedIn && shouldResetVisitorsDrafts)
      void storeNextClasses([])
    }
    shouldResetVisitorsDrafts = true
    setSession(user ? { state: 'signed-in', ...user } : { state: 'signed-out' })
  })
  return identity
}

/** Opens the identity service, once. `google`: the studio's `firebaseConfig`, null for our own service. */
export function openSession(google: Record<string, string> | null): Promise<Identity> {
  opening ??= open(google).catch((error: unknown) => {
    opening = undefined
    // A resumed session keeps the stored token; the next renewal tries again.
    if (session.state !== 'signed-in') setSession({ state: 'failed' })
    throw error
  })
  return opening
}

/** Starts a session with the user of the stored token. The SDK, loaded at the first renewal, confirms or ends it. */
export function resumeSession(user: IdentityUser, google: Record<string, string> | null): void {
  resumed = { google }
  setSession({ state: 'signed-in', ...user })
}

/** A page without a session, known from the hint alone. The SDK, loaded when a form needs it, may still find one. */
export const startSignedOut = (): void => setSession({ state: 'signed-out' })

/** The identity service of the page's session: the open one, or for a resumed session a new one. Undefined if there is no session. */
export const identityOfSession = (): Promise<Identity> | undefined => opening ?? (resumed && openSession(resumed.google))

/** How long log-out waits for the token that identifies its session; a token that is still valid is available at once. */
const TOKEN_MS = 2_000

/**
 * Ends the session at the server too (P16): the SDK's sign-out only forgets the refresh token, which would stay valid in a copy. The
 * answer is not awaited; `keepalive` lets the request finish after the page is left. Without a connection the session ends when it
 * idles out.
 */
async function endAtServer(identity: Identity): Promise<void> {
  const timeout = new Promise<null>((resolve) => setTimeout(resolve, TOKEN_MS, null))
  const token = await Promise.race([identity.getToken().catch(() => null), timeout])
  if (!token) return
  const headers = { authorization: `Bearer ${token}` }
  void fetch(`${location.origin}/api${LOGOUT_PATH}`, { method: 'POST', headers, keepalive: true }).catch(() => {})
}

/** The SDK forgets the user; it waits for its own start. */
async function leave(identity: Identity): Promise<void> {
  await identity.signOut()
  withStorage((storage) => storage.removeItem(LEAVING))
}

/**
 * Ends the session here, in the other tabs and at the server; shells of signed-in pages then redirect to /entrar (S1-2.29).
 * `visitorsToo` false: visitors' drafts stay, because the session was only that of a refused sign-up.
 */
export async function endSession({ visitorsToo = true } = {}): Promise<void> {
  shouldResetVisitorsDrafts = visitorsToo
  writeHint(false)
  resetDrafts(visitorsToo)
  forgetTyped()
  withStorage((storage) => storage.setItem(LEAVING, '1'))
  // Before the sign-out, because its listeners leave the page at once.
  await storeNextClasses([])
  const identity = await identityOfSession()?.catch(() => null)
  if (identity) {
    await endAtServer(identity)
    await leave(identity)
  } else if (identity === null) setSession({ state: 'signed-out' })
}

/**
 * The session, kept up to date. Opens the identity service, so only areas that need it use this; while `needs` is false its 25 kB are not
 * loaded and the state is 'starting'.
 */
export function useSession(google: Record<string, string> | null, needs = true): Session {
  useEffect(() => {
    // The failure becomes the state 'failed'.
    if (needs) openSession(google).catch(() => {})
  }, [google, needs])
  return useSyncExternalStore(
    subscribe,
    () => session,
    () => STARTING,
  )
}

/** Calls `listener` at each change of the session. Returns a function that stops it. */
export function onSessionChange(listener: (session: Session) => void): () => void {
  return subscribe(() => listener(session))
}

/**
 * The session for a page with a log-in or sign-up form. With the hint of a session, the service is loaded at once;
 * otherwise when a field gets the focus.
 */
export function useSessionOfForm(google: Record<string, string> | null): Session {
  const hint = useSessionHint()
  const [focused, setFocused] = useState(false)
  useEffect(() => {
    // A field may have the focus before the page's scripts run.
    const onFocus = () => document.activeElement instanceof HTMLInputElement && setFocused(true)
    onFocus()
    document.addEventListener('focusin', onFocus)
    return () => document.removeEventListener('focusin', onFocus)
  }, [])
  return useSession(google, hint || focused)
}
