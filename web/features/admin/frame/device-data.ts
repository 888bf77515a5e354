/** What the administration leaves on the device for when there is no connection; names of customers do not stay after signing out. */
export const ROSTER_PREFIX = 'estudio:lista:'

/** Forgets the lists that were seen here. A browser may have no storage: then there is nothing to forget. */
export function dropStoredRosters(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(ROSTER_PREFIX)) localStorage.removeItem(key)
  } catch {
    // Nothing was stored either.
  }
}
