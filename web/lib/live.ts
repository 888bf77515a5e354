/**
 * News of the calendar while a page is open: server-sent events of `/api/live`. A message carries the places of one class;
 * everything else about it is asked again by whoever needs it. After every gap everything is asked again.
 */
import { useEffect, useRef } from 'react'
import type { LocalDate } from '#contract/time.ts'

/** A class whose places or state changed, the same for everybody: what is the viewer's own is not in it. */
export interface ClassEvent {
  single_class_id: number
  taken: number
  places_left: number
  cancelled: boolean
  /** The studio's wall clock written as UTC. */
  class_date: string
}

/** The days that a page shows, both included. */
export interface LiveDays {
  start_date: LocalDate
  end_date: LocalDate
}

export interface LiveListeners {
  onClass: (news: ClassEvent) => void
  /** News may have been missed: the connection was down, or the page out of sight. */
  onResync: () => void
}

/** What of `EventSource` is used; tests bring their own. */
export type OpenSource = (address: string) => Pick<EventSource, 'addEventListener' | 'close' | 'readyState'>

/** A closed source does not come back by itself (the server answered with an error): tried again after this, doubled up to a minute. */
const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 60_000
const CLOSED = 2

function newsOf(data: unknown): ClassEvent | null {
  try {
    const news = JSON.parse(String(data)) as Partial<ClassEvent> | null
    const whole =
      typeof news?.single_class_id === 'number' &&
      typeof news.taken === 'number' &&
      typeof news.places_left === 'number' &&
      typeof news.cancelled === 'boolean' &&
      typeof news.class_date === 'string'
    return whole ? (news as ClassEvent) : null
  } catch {
    return null
  }
}

/** One connection, closed while the page is out of sight. Returns the way to end it. */
export function listenLive(
  ear: LiveListeners,
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
    const mine = open(address)
    source = mine
    mine.addEventListener('open', () => {
      wait = FIRST_WAIT_MS
      if (gap) ear.onResync()
      gap = false
    })
    mine.addEventListener('class', (event) => {
      const news = newsOf((event as MessageEvent).data)
      if (news) ear.onClass(news)
    })
    mine.addEventListener('error', () => {
      gap = true
      if (mine !== source || mine.readyState !== CLOSED) return
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

/** Listens while the component is shown, to the given days or to all. The functions may change with each rendering. */
export function useLive(ear: LiveListeners, days?: LiveDays): void {
  const latest = useRef(ear)
  useEffect(() => {
    latest.current = ear
  })
  const asked = days ? `?start_date=${days.start_date}&end_date=${days.end_date}` : ''
  useEffect(
    () =>
      listenLive(
        { onClass: (news) => latest.current.onClass(news), onResync: () => latest.current.onResync() },
        `/api/live${asked}`,
        (address) => new EventSource(address),
        document,
      ),
    [asked],
  )
}
