/** The roster of a class: from the server or, without a connection, the one stored on this device, with unsent marks applied. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, queries } from '#web/lib/api.ts'
import { isPassing } from '#web/lib/errors.ts'
import { useResumedSession } from '#web/lib/resumed-session.ts'
import { useSite } from '#web/lib/settings.tsx'
import { enqueueMarks, onMarksSent, openMarkQueue, usePendingMarks } from './mark-queue.ts'
import { withMark } from './roster-entries.ts'
import { findStoredRoster, storeRoster } from './stored-rosters.ts'

/** Polling interval: reservations change while the roster is open. */
const REFETCH_MS = 10_000

const optionsOf = (single_class_id: number, uid: string) => {
  const input = { single_class_id: String(single_class_id) }
  return {
    ...queries.attendance.roster.queryOptions({ input, staleTime: 5_000, meta: { handled: true } }),
    async queryFn() {
      try {
        const roster = await api.attendance.roster(input)
        if (uid) storeRoster(uid, single_class_id, roster)
        return roster
      } catch (error) {
        const stored = isPassing(error) ? findStoredRoster(uid, single_class_id) : null
        if (stored) return { ...stored.roster, stored_at: stored.at }
        throw error
      }
    },
    // `navigator.onLine` may be false although the studio's own network works, and the stored roster can be read anyway.
    networkMode: 'always' as const,
  }
}

/**
 * The cancelled reservations of a class, without those that moved to another class; empty until they are loaded, and without a connection.
 */
export function useCancelled(single_class_id: number) {
  const input = { single_class_id: String(single_class_id), with: 'cancelled' as const }
  const query = useQuery({ ...queries.attendance.roster.queryOptions({ input, staleTime: 30_000, meta: { handled: true } }) })
  return (query.data?.class_reservations ?? []).filter((row) => row.deletedAt !== null && row.cancelled?.by !== 'move')
}

/** The roster with unsent marks applied. `stored_at`: when it was loaded, if it is a stored one. */
export function useRoster(single_class_id: number) {
  const client = useQueryClient()
  const session = useResumedSession(useSite().firebaseConfig)
  const uid = session.state === 'signed-in' ? session.uid : ''
  const pending = usePendingMarks().filter((mark) => mark.single_class_id === single_class_id)
  const query = useQuery({ ...optionsOf(single_class_id, uid), refetchInterval: REFETCH_MS })
  useEffect(() => {
    if (uid) openMarkQueue(uid)
  }, [uid])
  useEffect(
    () =>
      onMarksSent((sent_class_id, marks) => {
        const { queryKey } = optionsOf(sent_class_id, uid)
        client.setQueryData(
          queryKey,
          (old) =>
            old && {
              ...old,
              class_reservations: marks.reduce(
                (rows, mark) => withMark(rows, mark.class_reservation_id, mark.attend),
                old.class_reservations,
              ),
            },
        )
        void client.invalidateQueries({ queryKey })
      }),
    [client, uid],
  )
  const roster = query.data && {
    ...query.data,
    class_reservations: pending.reduce(
      (rows, mark) => withMark(rows, mark.class_reservation_id, mark.attend, mark.excuse),
      query.data.class_reservations,
    ),
  }
  const stored_at = query.data && 'stored_at' in query.data ? (query.data.stored_at as number) : null
  return { query, roster, stored_at }
}

/** Reloads everything that a change of reservations can affect. */
export function useRosterChanged() {
  const client = useQueryClient()
  return () =>
    Promise.all(
      [
        queries.attendance.roster.key(),
        queries.attendance.one.key(),
        queries.frontDesk.reservations.key(),
        queries.frontDesk.history.key(),
        queries.waitlist.ofClass.key(),
        queries.schedule.week.key(),
      ].map((queryKey) => client.invalidateQueries({ queryKey })),
    )
}

interface Mark {
  class_reservation_id: number
  attend: boolean | null
  excuse?: string
}

/** Marks one or several entries: shown at once, sent as soon as there is a connection. */
export const useMarks = (single_class_id: number) => (marks: readonly Mark[]) => enqueueMarks(single_class_id, marks)
