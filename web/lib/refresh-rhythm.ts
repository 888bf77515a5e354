/** When the identity token is renewed: after a successful answer, at most once every 15 seconds (S1-4.05). */

export const REFRESH_GAP_MS = 15_000

interface Rhythm {
  /** A call succeeded: renews the token unless that happened less than 15 seconds ago. A failure to renew changes nothing. */
  succeeded(): void
  /** The token was renewed by another way (sign-in, a 401). */
  renewed(): void
}

/** `clock` counts milliseconds and never goes back; `renew` fetches a new token. */
export function createRefreshRhythm(clock: () => number, renew: () => Promise<unknown>): Rhythm {
  let last = Number.NEGATIVE_INFINITY
  return {
    succeeded() {
      if (clock() - last < REFRESH_GAP_MS) return
      last = clock()
      renew().catch(() => {
        // The present token is good until it expires; the call that then gets a 401 renews it.
      })
    },
    renewed() {
      last = clock()
    },
  }
}
