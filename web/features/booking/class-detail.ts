/** A class with the details that its dialogs need: seats, credit lots, cancellation policy. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ClassDetail } from '#contract/schedule.ts'
import { queries } from '#web/lib/api.ts'

/** Loads the class each time a dialog opens; null loads nothing. */
export function useClassDetail(
  single_class_id: number | null,
): { cls: ClassDetail | undefined } & Pick<UseQueryResult, 'error' | 'refetch'> {
  const { data, error, refetch } = useQuery({
    ...queries.schedule.one.queryOptions({ input: { single_class_id: single_class_id ?? 1 }, staleTime: 0, meta: { handled: true } }),
    enabled: single_class_id !== null,
  })
  return { cls: data?.single_class.single_class_id === single_class_id ? data?.single_class : undefined, error, refetch }
}
