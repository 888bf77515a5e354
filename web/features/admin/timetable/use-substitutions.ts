/** Substitutions on the screen, read again after each answer. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { queries } from '#web/lib/api.ts'
import { useTimetableRefresh } from './use-timetable.ts'

/** Polling interval: other people answer while the screen is open. */
const REFETCH_MS = 30_000

export const useSubstitutions = (state: 'open' | 'past') =>
  useQuery({ ...queries.substitutions.list.queryOptions({ input: { state }, meta: { handled: true } }), refetchInterval: REFETCH_MS })

/** Reads substitutions, the timetable and the tasks of Hoy again. */
export function useSubstitutionRefresh(): () => Promise<unknown> {
  const client = useQueryClient()
  const timetable = useTimetableRefresh()
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: queries.substitutions.key() }),
      client.invalidateQueries({ queryKey: queries.today.key() }),
      timetable(),
    ])
}
