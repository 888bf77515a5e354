/**
 * News of the calendar while a page is open: one connection per page to `/api/live` (server-sent events). A message says
 * which class changed, never how: whoever listens asks again. After every gap everything is asked again.
 */
import { useEffect, useRef } from 'react'

/** A class whose places, state or facts changed. `class_date` as on the wire: the studio's wall clock written as UTC. */
export interface ClassNews {
  single_class_id: number
  class_date: string
}

export interface LiveEars {
  onClass: (news: ClassNews) => void
  /** News may have been missed: the connection was down, or the page out of sight. */
  onResync: () => void
}

/** What of `EventSource` is used; tests bring their own. */
export type OpenSource = (address: string) => Pick<EventSource, 'addEventListener' | 'close' | 'readyState'>

const ADDRESS = '/api/live'
/** A closed source does not come back by itself (the server answered with an error): tried again after this, doubled up to a minute. */
const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 60_000
const CLOSED = 2

function newsOf(data: unknown): ClassNews | null {
  try {
    const news: unknown = JSON.parse(String(data))
    if (typeof news !== 'object' || news === null) return null
    const { single_class_id, class_date } = news as Partial<ClassNews>
    return typeof single_class_id === 'number' && typeof class_date === 'string' ? { single_class_id, class_date } : null
  } catch {
    return null
  }
}

/** One connection for all who listen on a page; closed while nobody does or the page is out of sight. */
export function createLive(open: OpenSource, page: Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>) {
  const ears = new Set<LiveEars>()
  let source: ReturnType<OpenSource> | null = null
  let gap = false
  let wait = FIRST_WAIT_MS
  let timer: ReturnType<typeof setTimeout> | undefined

  function connect() {
    clearTimeout(timer)
    const mine = open(ADDRESS)
    source = mine
    mine.addEventListener('open', () => {
      wait = FIRST_WAIT_MS
      if (gap) for (const ear of ears) ear.onResync()
      gap = false
    })
    mine.addEventListener('class', (event) => {
      const news = newsOf((event as MessageEvent).data)
      if (news) for (const ear of ears) ear.onClass(news)
    })
    mine.addEventListener('resync', () => {
      for (const ear of ears) ear.onResync()
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

  return function listen(ear: LiveEars): () => void {
    ears.add(ear)
    if (ears.size === 1) {
      gap = false
      page.addEventListener('visibilitychange', onVisibility)
      if (!page.hidden) connect()
    }
    return () => {
      if (!ears.delete(ear) || ears.size) return
      page.removeEventListener('visibilitychange', onVisibility)
      disconnect()
    }
  }
}

let listen: ReturnType<typeof createLive> | undefined

/** Listens while the component is shown. The functions may change with each rendering. */
export function useLive(ear: LiveEars): void {
  const latest = useRef(ear)
  useEffect(() => {
    latest.current = ear
  })
  useEffect(() => {
    listen ??= createLive((address) => new EventSource(address), document)
    return listen({ onClass: (news) => latest.current.onClass(news), onResync: () => latest.current.onResync() })
  }, [])
}
