/** When the identity token is renewed: after a successful answer, at most once every 15 seconds (S1-4.05). */

export const REFRESH_GAP_MS = 15_000

/** Where the last renewal is noted: shared by the tabs and kept across full loads, when the browser lets us. */
export interface RenewalNote {
  read(): number | null
  write(at: number): void
}

interface Rhythm {
  /** A call succeeded: renews the token unless that happened less than 15 seconds ago. A failure to renew changes nothing. */
  succeeded(): void
  /** The token was renewed by another way (sign-in, a 401). */
  renewed(): void
}

/** `clock` gives milliseconds; `renew` fetches a new token. */
export function createRefreshRhythm(clock: () => number, renew: () => Promise<unknown>, note: RenewalNote): Rhythm {
  return {
    succeeded() {
      const now = clock()
      const last = note.read()
      // A note from the future is a clock that was set back.
      if (last !== null && last <= now && now - last < REFRESH_GAP_MS) return
      note.write(now)
      renew().catch(() => {
        // The present token is good until it expires; the call that then gets a 401 renews it.
      })
    },
    renewed() {
      note.write(clock())
    },
  }
}
