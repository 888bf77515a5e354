/**
 * Live updates of the calendar while a page is open: server-sent events of `/api/live`. A message carries the occupancy of one class;
 * listeners refetch anything else they need. After every gap in the connection they refetch everything.
 */
import { useEffect, useRef } from 'react'
import type { LocalDate } from '#contract/time.ts'

/** A class whose occupancy or state changed. The same for every viewer: it has nothing about the viewer's own reservation. */
export interface ClassEvent {
  single_class_id: number
  taken: number
  places_left: number
  cancelled: boolean
  /** The studio's wall clock written as UTC. */
  class_date: string
}

/** The days that a page shows, both inclusive. */
export interface LiveDays {
  start_date: LocalDate
  end_date: LocalDate
}

export interface LiveListeners {
  onClass: (change: ClassEvent) => void
  /** Events may have been missed: the connection was down or the page was hidden. */
  onResync: () => void
}

/** The part of `EventSource` that is used; tests pass a fake. */
export type OpenSource = (address: string) => Pick<EventSource, 'addEventListener' | 'close' | 'readyState'>

/** Delay before a source that closed for good (the server answered with an error) is reopened, doubled at each try up to a minute. */
const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 60_000
const CLOSED = 2

function parseEvent(data: unknown): ClassEvent | null {
  try {
    const event = JSON.parse(String(data)) as Partial<ClassEvent> | null
    const isComplete =
      typeof event?.single_class_id === 'number' &&
      typeof event.taken === 'number' &&
      typeof event.places_left === 'number' &&
      typeof event.cancelled === 'boolean' &&
      typeof event.class_date === 'string'
    return isComplete ? (event as ClassEvent) : null
  } catch {
    return null
  }
}

/** Opens one connection, closed while the page is hidden. Returns a function that ends it. */
export function listenLive(
  listeners: LiveListeners,
  address: string,
  open: OpenSource,
  page: Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>,
): () => void {
  let source: ReturnType<OpenSource> | null = null
  let gap = false
  let wait = FIRST_WAIT_MS
  let timer: ReturnType<typeof setTimeout> | undefined

  function connect() {
    clearTimeout(timer)
    const opened = open(address)
    source = opened
    opened.addEventListener('open', () => {
      wait = FIRST_WAIT_MS
      if (gap) listeners.onResync()
      gap = false
    })
    opened.addEventListener('class', (event) => {
      const change = parseEvent((event as MessageEvent).data)
      if (change) listeners.onClass(change)
    })
    opened.addEventListener('error', () => {
      gap = true
      if (opened !== source || opened.readyState !== CLOSED) return
      timer = setTimeout(connect, wait)
      wait = Math.min(wait * 2, LONGEST_WAIT_MS)
    })
  }

  function disconnect() {
    clearTimeout(timer)
    source?.close()
    source = null
  }

  function onVisibility() {
    if (page.hidden) {
      gap = true
      disconnect()
    } else if (!source) connect()
  }

  page.addEventListener('visibilitychange', onVisibility)
  if (!page.hidden) connect()
  return () => {
    page.removeEventListener('visibilitychange', onVisibility)
    disconnect()
  }
}

/** Listens while the component is mounted, for the given days or for all. The callbacks may change with each rendering. */
export function useLive(listeners: LiveListeners, days?: LiveDays): void {
  const latest = useRef(listeners)
  useEffect(() => {
    latest.current = listeners
  })
  const query = days ? `?start_date=${days.start_date}&end_date=${days.end_date}` : ''
  useEffect(
    () =>
      listenLive(
        { onClass: (change) => latest.current.onClass(change), onResync: () => latest.current.onResync() },
        `/api/live${query}`,
        (address) => new EventSource(address),
        document,
      ),
    [query],
  )
}
