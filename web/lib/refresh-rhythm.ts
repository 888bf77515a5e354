/** When the identity token is renewed: after a successful answer, at most once every 15 seconds (S1-4.05). */

/** Minimum time between two renewals, in ms. */
export const REFRESH_GAP_MS = 15_000

/** Stores the time of the last renewal: shared by the tabs and across full loads if the browser allows storage. */
export interface RenewalNote {
  read(): number | null
  write(at: number): void
}

interface Rhythm {
  /** A call succeeded: renews the token unless that happened less than 15 seconds ago. A failed renewal has no effect. */
  succeeded(): void
  /** The token was renewed elsewhere (sign-in, a 401). */
  renewed(): void
}

/** `clock` returns milliseconds; `renew` fetches a new token. */
export function createRefreshRhythm(clock: () => number, renew: () => Promise<unknown>, note: RenewalNote): Rhythm {
  return {
    succeeded() {
      const now = clock()
      const last = note.read()
      // A time in the future means that the clock was set back: ignore it.
      if (last !== null && last <= now && now - last < REFRESH_GAP_MS) return
      note.write(now)
      renew().catch(() => {
        // The current token is valid until it expires; the call that then gets a 401 renews it.
      })
    },
    renewed() {
      note.write(clock())
    },
  }
}
