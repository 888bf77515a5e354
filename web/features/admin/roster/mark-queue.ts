/**
 * Queue of attendance marks: stored on the device with the time of the mark until the server has them, so that a roster can be marked in a
 * room without a connection (docs/domain.md, A11). One queue for all classes; sending the same marks twice changes nothing.
 */
import { useSyncExternalStore } from 'react'
import { showAlert } from '#web/lib/alerts.ts'
import { api } from '#web/lib/api.ts'
import { currentInstant } from '#web/lib/clock.ts'
import { alertFailure, isPassing } from '#web/lib/errors.ts'

export interface PendingMark {
  single_class_id: number
  class_reservation_id: number
  attend: boolean | null
  excuse?: string
  marked_at: string
}

const KEY = 'estudio:marcas'
/** Delay before a retry; the browser's "online" event triggers one earlier. */
const RETRY_MS = 10_000
/** Older marks are dropped: their roster was closed long ago. */
const OLDEST_MS = 12 * 3_600_000

/** Called with marks of a class that the server has accepted. */
type Sent = (single_class_id: number, marks: readonly PendingMark[]) => void

let pending: readonly PendingMark[] = []
/** uid of the staff member whose marks they are. */
let owner: string | null = null
let sending = false
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()
const sentListeners = new Set<Sent>()

interface Stored {
  uid: string
  marks: PendingMark[]
}

/** The marks that this staff member left on the device. */
function read(uid: string): readonly PendingMark[] {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Stored | null
    const oldest = currentInstant().getTime() - OLDEST_MS
    return stored?.uid === uid ? stored.marks.filter(({ marked_at }) => Date.parse(marked_at) > oldest) : []
  } catch {
    return []
  }
}

function update(next: readonly PendingMark[]) {
  pending = next
  try {
    if (next.length > 0 && owner !== null) localStorage.setItem(KEY, JSON.stringify({ uid: owner, marks: [...next] } satisfies Stored))
    else localStorage.removeItem(KEY)
  } catch {
    // Without storage the queue lasts as long as the page.
  }
  for (const listener of listeners) listener()
}

/** Loads the marks that this staff member left on the device. Marks are sent only in the session of the staff member who made them. */
export function openMarkQueue(uid: string): void {
  if (uid === owner) return
  owner = uid
  update(read(uid))
  void flush()
}
if (typeof window !== 'undefined') addEventListener('online', () => void flush())

/** Adds marks, replacing earlier ones of the same reservations, and sends them. */
export function enqueueMarks(single_class_id: number, marks: readonly Omit<PendingMark, 'single_class_id' | 'marked_at'>[]): void {
  const marked_at = currentInstant().toISOString()
  const ids = new Set(marks.map(({ class_reservation_id }) => class_reservation_id))
  update([
    ...pending.filter(({ class_reservation_id }) => !ids.has(class_reservation_id)),
    ...marks.map((mark) => ({ ...mark, single_class_id, marked_at })),
  ])
  void flush()
}

/** Sends the queue class by class, one call at a time, so that marks arrive in order. */
export async function flush(): Promise<void> {
  if (sending) return
  sending = true
  clearTimeout(timer)
  try {
    while (pending[0]) {
      const { single_class_id } = pending[0]
      const marks = pending.filter((mark) => mark.single_class_id === single_class_id)
      const answer = await api.frontDesk.mark({
        single_class_id: String(single_class_id),
        marks: marks.map(({ class_reservation_id, attend, excuse, marked_at }) => ({
          class_reservation_id,
          attend,
          marked_at,
          ...(excuse === undefined ? {} : { excuse }),
        })),
      })
      for (const { message } of answer.refused.slice(0, 1)) showAlert('alert', message)
      for (const listener of sentListeners) listener(single_class_id, marks)
      // Keeps marks that were made during the call.
      update(pending.filter((mark) => !marks.includes(mark)))
    }
  } catch (error) {
    if (isPassing(error)) timer = setTimeout(() => void flush(), RETRY_MS)
    else {
      const { single_class_id } = pending[0] ?? {}
      update(pending.filter((mark) => mark.single_class_id !== single_class_id))
      alertFailure(error)
    }
  } finally {
    sending = false
  }
}

/** Calls `listener` with marks that the server has accepted. Returns a function that stops it. */
export function onMarksSent(listener: Sent): () => void {
  sentListeners.add(listener)
  return () => sentListeners.delete(listener)
}

const NONE: readonly PendingMark[] = []

/** The unsent marks of all classes. */
export function usePendingMarks(): readonly PendingMark[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => pending,
    () => NONE,
  )
}
