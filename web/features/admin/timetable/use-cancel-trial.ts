/** What a cancellation would do, computed by the server before it is sent. */
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ClassChange } from '#contract/studio-schedule.ts'
import { api } from '#web/lib/api.ts'

/** Again whenever the classes or their scope change. `partial`: what cannot be cancelled is left out. */
export function useCancelTrial(ids: readonly number[], scope: ClassChange['scope'], partial: boolean) {
  const { mutate, ...trial } = useMutation({
    meta: { handled: true },
    mutationFn: () =>
      api.studioSchedule.change({
        changes: ids.map((single_class_id) => ({ op: 'cancel' as const, scope, single_class_id, reason: '' })),
        as: 'publish' as const,
        partial,
        dry_run: true,
      }),
  })
  const key = ids.join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the request depends on `scope`
  useEffect(() => {
    if (key !== '') mutate()
  }, [key, scope, mutate])
  return trial
}
