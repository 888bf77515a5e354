/**
 * Marks on their way: kept on the device with the time at which they were made until the server has them, so that a list can be marked in a room
 * without a connection (docs/domain.md, A11). One queue for all classes; sending the same marks twice changes nothing.
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
/** How long after a failed try it is tried again; the browser's own "online" comes first where it does. */
const RETRY_MS = 10_000
/** Marks that are older are of no use to anybody: the list was closed long before. */
const OLDEST_MS = 12 * 3_600_000

/** What the server has now; the queue's marks of that class are in it. */
type Sent = (single_class_id: number, marks: readonly PendingMark[]) => void

let pending: readonly PendingMark[] = []
/** Whose marks they are. */
let owner: string | null = null
let sending = false
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()
const sentListeners = new Set<Sent>()

interface Stored {
  uid: string
  marks: PendingMark[]
}

/** What this person left on the device. */
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
    // Without storage the queue lives as long as the page.
  }
  for (const listener of listeners) listener()
}

/** Begins with what this person left on the device; marks belong to whoever made them, and nobody else sends them. */
export function openMarkQueue(uid: string): void {
  if (uid === owner) return
  owner = uid
  update(read(uid))
  void flush()
}
if (typeof window !== 'undefined') addEventListener('online', () => void flush())

/** Adds marks, in place of earlier ones of the same places, and sends them. */
export function enqueueMarks(single_class_id: number, marks: readonly Omit<PendingMark, 'single_class_id' | 'marked_at'>[]): void {
  const marked_at = currentInstant().toISOString()
  const ids = new Set(marks.map(({ class_reservation_id }) => class_reservation_id))
  update([
    ...pending.filter(({ class_reservation_id }) => !ids.has(class_reservation_id)),
    ...marks.map((mark) => ({ ...mark, single_class_id, marked_at })),
  ])
  void flush()
}

/** Sends what is there, class by class; one call at a time, so that marks arrive in their order. */
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
          ...{ class_reservation_id, attend, marked_at },
          ...(excuse === undefined ? {} : { excuse }),
        })),
      })
      for (const { message } of answer.refused.slice(0, 1)) showAlert('alert', message)
      for (const listener of sentListeners) listener(single_class_id, marks)
      // What was marked anew meanwhile stays.
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

/** Is called with marks that the server has. Answers how to stop. */
export function onMarksSent(listener: Sent): () => void {
  sentListeners.add(listener)
  return () => sentListeners.delete(listener)
}

const NONE: readonly PendingMark[] = []

/** The marks that the server does not have yet, of every class. */
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
