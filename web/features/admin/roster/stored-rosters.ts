/** The lists that were last seen on this device, readable for some hours without a connection by whoever saw them. */
import { ROSTER_PREFIX } from '#web/features/admin/frame/device-data.ts'
import type { api } from '#web/lib/api.ts'
import { currentInstant } from '#web/lib/clock.ts'

export type RosterAnswer = Awaited<ReturnType<typeof api.attendance.roster>>

const LONGEST_MS = 12 * 3_600_000
/** The day's lists of a large studio. */
const MOST = 40

interface Stored {
  uid: string
  at: number
  roster: RosterAnswer
}

/** A browser may have no storage, or none left: then there is nothing to read later. */
function withStorage<T>(use: (storage: Storage) => T, otherwise: T): T {
  try {
    return use(localStorage)
  } catch {
    return otherwise
  }
}

function parse(text: string | null): Stored | null {
  const stored = text === null ? null : (JSON.parse(text) as Stored)
  return stored && currentInstant().getTime() - stored.at < LONGEST_MS ? stored : null
}

/** Keeps a list for the person who saw it; those that are too old go. */
export function storeRoster(uid: string, single_class_id: number, roster: RosterAnswer): void {
  withStorage((storage) => {
    const present = Object.keys(storage).filter((key) => key.startsWith(ROSTER_PREFIX))
    for (const key of present) if (present.length > MOST || parse(storage.getItem(key)) === null) storage.removeItem(key)
    storage.setItem(`${ROSTER_PREFIX}${single_class_id}`, JSON.stringify({ uid, at: currentInstant().getTime(), roster } satisfies Stored))
  }, undefined)
}

/** The list as this person last saw it here, and when; null when that is too long ago. */
export function findStoredRoster(uid: string, single_class_id: number): Stored | null {
  const stored = withStorage((storage) => parse(storage.getItem(`${ROSTER_PREFIX}${single_class_id}`)), null)
  return stored?.uid === uid ? stored : null
}
