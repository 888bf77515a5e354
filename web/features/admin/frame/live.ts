/**
 * Live updates of the administration: one stream of events per open tab, closed while the tab is hidden. An event names what changed, and
 * the queries that show it are read again; after every gap all queries on screen are. The screens' own polling does not depend on
 * the stream.
 */
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { LiveEventName, LiveEvents } from '#contract/live.ts'
import { api, queries } from '#web/lib/api.ts'

/** Pause before the stream is opened again, doubled at each failure up to the longest; ms. */
const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 60_000
/** Events are gathered this long, so that a rush of bookings reads each query once; ms. */
const GATHER_MS = 1_000
/** How often a screen reports that its person is still on it; less than PRESENCE_SECONDS. */
const PRESENCE_MS = 25_000

/** The queries that show what an event is about. */
const SHOWN_BY: { [Name in LiveEventName]?: () => readonly unknown[][] } = {
  class: () => [
    queries.myClasses.key(),
    queries.attendance.key(),
    queries.schedule.key(),
    queries.studioSchedule.key(),
    queries.waitlist.key(),
    queries.today.key(),
  ],
  roster: () => [queries.attendance.key(), queries.myClasses.key(), queries.frontDesk.key(), queries.today.key()],
  schedule: () => [
    queries.schedule.key(),
    queries.myClasses.key(),
    queries.studioSchedule.key(),
    queries.substitutions.key(),
    queries.today.key(),
  ],
  purchase: () => [
    queries.studioSales.key(),
    queries.studioSubscriptions.key(),
    queries.pendingSubscriptions.key(),
    queries.customerFile.key(),
    queries.today.key(),
  ],
  sale: () => [queries.counterSales.key(), queries.studioSales.key(), queries.cashSessions.key(), queries.today.key()],
  cash_session: () => [queries.cashSessions.key()],
  customer: () => [queries.customerFile.key(), queries.pendingSubscriptions.key(), queries.customerList.key(), queries.credits.key()],
  task: () => [queries.today.key()],
  catalogue: () => [queries.catalogue.key(), queries.studioPackages.key(), queries.discounts.key(), queries.products.key()],
  job: () => [queries.bulk.key()],
  settings: () => [
    queries.content.settings.key(),
    queries.content.settingHistory.key(),
    queries.processorStates.key(),
    queries.walletPasses.key(),
  ],
  reload: () => [[]],
}
const NAMES = Object.keys(SHOWN_BY) as LiveEventName[]

/** The other people on a screen, by its address. */
const staffByLink = new Map<string, readonly string[]>()
const presenceListeners = new Set<() => void>()
/**
 * Report the screens that are open. A stream that ended took its person from them, so that nothing of them would be sent until the
 * next report.
 */
const presenceReports = new Set<() => void>()
function setPresence({ link, names }: LiveEvents['presence']): void {
  staffByLink.set(link, names)
  for (const onChange of presenceListeners) onChange()
}

function subscribePresence(onChange: () => void): () => void {
  presenceListeners.add(onChange)
  return () => presenceListeners.delete(onChange)
}

/** The functions of the browser that are used; tests pass their own. */
export interface LiveBrowser {
  ticket(): Promise<{ ticket: string }>
  open(address: string): Pick<EventSource, 'addEventListener' | 'close'>
  page: Pick<Document, 'hidden' | 'addEventListener' | 'removeEventListener'>
}

export interface LiveHandlers {
  onEvent: (name: LiveEventName, data: unknown) => void
  onState: (isOpen: boolean) => void
}

/** Keeps one stream open while the page is visible. Returns the function that ends it. */
export function openLive({ ticket, open, page }: LiveBrowser, { onEvent, onState }: LiveHandlers): () => void {
  let source: ReturnType<LiveBrowser['open']> | null = null
  let wait = FIRST_WAIT_MS
  let hadGap = false
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Counts openings, so that a ticket that arrives after the stream was closed opens nothing. */
  let attempt = 0

  function close() {
    attempt++
    clearTimeout(timer)
    source?.close()
    source = null
    onState(false)
  }
  function retry() {
    close()
    hadGap = true
    timer = setTimeout(() => void connect(), wait)
    wait = Math.min(wait * 2, LONGEST_WAIT_MS)
  }
  async function connect() {
    const mine = ++attempt
    const issued = await ticket().catch(() => null)
    if (mine !== attempt) return
    if (!issued) return retry()
    const opened = open(`/api/admin/live?ticket=${encodeURIComponent(issued.ticket)}`)
    source = opened
    opened.addEventListener('open', () => {
      wait = FIRST_WAIT_MS
      onState(true)
      if (hadGap) onEvent('reload', {})
      hadGap = false
    })
    // A ticket is valid once: the browser's own reconnection would be refused.
    opened.addEventListener('error', () => opened === source && retry())
    for (const name of [...NAMES, 'presence'] as const)
      opened.addEventListener(name, (event) => onEvent(name, JSON.parse(String((event as MessageEvent).data))))
  }
  function onVisibility() {
    if (page.hidden) {
      close()
      hadGap = true
    } else if (!source) void connect()
  }

  page.addEventListener('visibilitychange', onVisibility)
  if (!page.hidden) void connect()
  return () => {
    page.removeEventListener('visibilitychange', onVisibility)
    close()
  }
}

/** Reads the queries of the events again, once per moment. */
function gatherInvalidations(client: QueryClient) {
  const names = new Set<LiveEventName>()
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    add(name: LiveEventName) {
      names.add(name)
      timer ??= setTimeout(() => {
        timer = undefined
        const keys = new Map([...names].flatMap((name) => SHOWN_BY[name]?.() ?? []).map((key) => [JSON.stringify(key), key]))
        names.clear()
        for (const queryKey of keys.values()) void client.invalidateQueries({ queryKey })
      }, GATHER_MS)
    },
    stop: () => clearTimeout(timer),
  }
}

const browser: LiveBrowser | null =
  typeof document === 'undefined' ? null : { ticket: () => api.live.ticket(), open: (address) => new EventSource(address), page: document }

/** Opens the stream while the administration is open. Whether it is open now. */
export function useLiveUpdates(): boolean {
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (!browser) return
    const gathered = gatherInvalidations(client)
    const end = openLive(browser, {
      onState: setOpen,
      onEvent: (name, data) => {
        if (name === 'presence') return setPresence(data as LiveEvents['presence'])
        if (name === 'reload') for (const report of presenceReports) report()
        gathered.add(name)
      },
    })
    return () => {
      end()
      gathered.stop()
    }
  }, [client])
  return isOpen
}

/**
 * Reports that this person is on a screen of one record, and returns the names of the others who are. Null: a screen without a record
 * to edit.
 */
export function usePresence(link: string | null): readonly string[] {
  useEffect(() => {
    if (link === null) return
    const report = () =>
      document.hidden
        ? undefined
        : void api.live.presence({ link, here: true }).then(
            ({ names }) => setPresence({ link, names }),
            // Only a hint: the next report tries again.
            () => {},
          )
    report()
    presenceReports.add(report)
    const timer = setInterval(report, PRESENCE_MS)
    document.addEventListener('visibilitychange', report)
    return () => {
      clearInterval(timer)
      presenceReports.delete(report)
      document.removeEventListener('visibilitychange', report)
      staffByLink.delete(link)
      void api.live.presence({ link, here: false }).catch(() => {})
    }
  }, [link])
  const names = useSyncExternalStore(
    subscribePresence,
    () => (link === null ? undefined : staffByLink.get(link)),
    () => undefined,
  )
  return names ?? []
}
