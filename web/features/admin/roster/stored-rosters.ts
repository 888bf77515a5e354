/** Rosters stored on this device, readable for some hours without a connection by the staff member who loaded them. */
import { findStored, MAX_AGE_MS, ROSTER_PREFIX, withStorage } from '#web/features/admin/frame/device-data.ts'
import type { api } from '#web/lib/api.ts'
import { currentInstant } from '#web/lib/clock.ts'

export type RosterAnswer = Awaited<ReturnType<typeof api.attendance.roster>>

/** Maximum number of stored rosters: a day of a large studio. */
const MAX_ROSTERS = 40

interface Stored {
  uid: string
  at: number
  roster: RosterAnswer
}

function isExpired(text: string | null, now: number): boolean {
  const stored = JSON.parse(text ?? 'null') as Stored | null
  return stored === null || now - stored.at >= MAX_AGE_MS
}

/** Stores a roster for the staff member who loaded it; removes expired ones. */
export function storeRoster(uid: string, single_class_id: number, roster: RosterAnswer): void {
  const at = currentInstant().getTime()
  withStorage((storage) => {
    const storedKeys = Object.keys(storage).filter((key) => key.startsWith(ROSTER_PREFIX))
    for (const key of storedKeys) if (storedKeys.length > MAX_ROSTERS || isExpired(storage.getItem(key), at)) storage.removeItem(key)
    storage.setItem(`${ROSTER_PREFIX}${single_class_id}`, JSON.stringify({ uid, at, roster } satisfies Stored))
  }, undefined)
}

/** The roster as this staff member last loaded it here, and when; null if it is too old. */
export const findStoredRoster = (uid: string, single_class_id: number): Stored | null =>
  findStored<Stored>(uid, `${ROSTER_PREFIX}${single_class_id}`)
