import { useQuery } from '@tanstack/react-query'
import { queries } from '#web/lib/api.ts'

/** The waitlist of a class, polled every half minute, because offers last minutes. */
export function useWaitingList(single_class_id: number) {
  const list = useQuery({
    ...queries.waitlist.ofClass.queryOptions({ input: { single_class_id: String(single_class_id) }, meta: { handled: true } }),
    refetchInterval: 30_000,
  })
  const waiting = (list.data?.waitlists ?? []).filter(({ status }) => status === 'waiting' || status === 'offered')
  return { list, waiting }
}
