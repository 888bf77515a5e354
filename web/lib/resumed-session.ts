/** The session of a page that starts with the stored token (stored-token.ts): the identity SDK is loaded later, or never for a visitor. */
import { useEffect } from 'react'
import {
  currentSession,
  loadIdentity,
  openSession,
  resumeSession,
  type Session,
  STORED_TOKEN,
  startSignedOut,
  useSession,
} from './session.ts'
import { readHint } from './session-hint.ts'
import { validStoredToken } from './stored-token.ts'

type Google = Parameters<typeof openSession>[0]

/**
 * The session of a page that needs nothing of the SDK at first: resumed from the stored token, or opened if there is no valid one.
 * `forVisitors`: the page has contents without a session, which is then opened only where one existed.
 */
export function useResumedSession(google: Google, { forVisitors = false } = {}): Session {
  useEffect(() => {
    if (currentSession().state !== 'starting') return
    const stored = validStoredToken()
    if (stored) resumeSession(stored.user, google)
    else if (forVisitors && !readHint()) startSignedOut()
    // The failure becomes the state 'failed'.
    else openSession(google).catch(() => {})
  }, [google, forVisitors])
  // Other tabs remove the token when they sign out, or replace it when they renew it or sign in.
  useEffect(() => {
    const onStorage = ({ key, newValue }: StorageEvent) => {
      if (key !== STORED_TOKEN || loadIdentity()) return
      const { state } = currentSession()
      const stored = state === 'signed-out' ? validStoredToken() : null
      if (stored) resumeSession(stored.user, google)
      else if (newValue === null && state === 'signed-in') openSession(google).catch(() => {})
    }
    addEventListener('storage', onStorage)
    return () => removeEventListener('storage', onStorage)
  }, [google])
  return useSession(google, false)
}
