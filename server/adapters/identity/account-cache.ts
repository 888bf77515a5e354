/** The accounts and sessions that tokens are checked against, cached in this process. */
import type { IdentityDeps } from './service.ts'
import { type Account, findSignedIn } from './store.ts'
import type { TokenClaims } from './verify.ts'

/** How long this process caches an account's state. Changes invalidate it at once here and within milliseconds elsewhere (events). */
const ACCOUNT_CACHE_MS = 10_000
/** Above this number of cached accounts the cache is emptied. */
const MAX_CACHED_ACCOUNTS = 5_000

type SignedIn = NonNullable<Awaited<ReturnType<typeof findSignedIn>>>

export interface AccountCache {
  /** The account with its open sessions; null when there is none. */
  readSignedIn(uid: string): Promise<SignedIn | null>
  /** The account of a token's session; null when the session has ended. */
  readAccount(claims: TokenClaims): Promise<Account | null>
}

export function openAccountCache({ db, events }: Pick<IdentityDeps, 'db' | 'events'>): AccountCache {
  const signedIn = new Map<string, { until: number; found: Promise<SignedIn | null> }>()
  events.listen((event) => {
    if (event.topic === 'people' && event.uid) signedIn.delete(event.uid)
    else if (event.topic === 'people' || event.topic === 'missed') signedIn.clear()
  })
  function readSignedIn(uid: string): Promise<SignedIn | null> {
    const cached = signedIn.get(uid)
    if (cached && cached.until > performance.now()) return cached.found
    if (signedIn.size >= MAX_CACHED_ACCOUNTS) signedIn.clear()
    const found = findSignedIn(db.read, uid)
    const entry = { until: performance.now() + ACCOUNT_CACHE_MS, found }
    signedIn.set(uid, entry)
    found.catch(() => {
      if (signedIn.get(uid) === entry) signedIn.delete(uid)
    })
    return found
  }
  /** A session missing in the cached copy may have been opened since, so the account is read again. */
  async function readAccount({ uid, session }: TokenClaims): Promise<Account | null> {
    const cached = signedIn.get(uid)
    let found = await readSignedIn(uid)
    if (found && session !== null && !found.sessions.has(session)) {
      if (signedIn.get(uid) === cached) signedIn.delete(uid)
      found = await readSignedIn(uid)
    }
    return found && (session === null || found.sessions.has(session)) ? found.account : null
  }

  return { readSignedIn, readAccount }
}
