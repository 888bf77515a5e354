/** The list of a class in the query cache: asked, heard of, and marked. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api, queries } from '#web/lib/api.ts'
import { alertFailure } from '#web/lib/errors.ts'
import { withMark } from './roster-entries.ts'

const optionsOf = (single_class_id: number) =>
  queries.attendance.roster.queryOptions({
    input: { single_class_id: String(single_class_id) },
    staleTime: 5_000,
    meta: { handled: true },
  })

/** Somebody books or gives up a place while one looks. */
const ASK_AGAIN_MS = 10_000

export function useRoster(single_class_id: number) {
  return useQuery({ ...optionsOf(single_class_id), refetchInterval: ASK_AGAIN_MS })
}

/** Everything that a change of places can have changed elsewhere is asked again. */
export function useRosterChanged() {
  const client = useQueryClient()
  return () =>
    Promise.all(
      [
        queries.attendance.roster.key(),
        queries.attendance.one.key(),
        queries.frontDesk.reservations.key(),
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

/** Marks somebody: shown at once, taken back when the server refuses. Marks of the same class are sent one after the other, in their order. */
export function useMark(single_class_id: number) {
  const client = useQueryClient()
  const { queryKey } = optionsOf(single_class_id)
  const underway = useRef(0)
  return useMutation({
    meta: { handled: true },
    scope: { id: `roster-${single_class_id}` },
    mutationFn: (mark: Mark) => api.attendance.mark(mark),
    async onMutate({ class_reservation_id, attend }) {
      underway.current++
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData(queryKey)
      client.setQueryData(
        queryKey,
        (old) => old && { ...old, class_reservations: withMark(old.class_reservations, class_reservation_id, attend) },
      )
      return before
    },
    onError: (error) => alertFailure(error),
    onSettled() {
      underway.current--
      // While more marks are on their way an answer would show the list as it was before them.
      if (underway.current === 0) void client.invalidateQueries({ queryKey })
    },
  })
}
