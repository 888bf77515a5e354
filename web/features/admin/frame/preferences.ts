/** What a staff member left chosen in the administration, stored per person on the server (docs/domain.md E12). */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, queries } from '#web/lib/api.ts'

/** A yes or no that is stored for the person. Shown at once, before the server has saved it. */
function useSwitch(key: string, unset: boolean): [isOn: boolean, turn: (on: boolean) => void] {
  const client = useQueryClient()
  const me = useQuery(queries.team.me.queryOptions({ staleTime: 60_000, meta: { handled: true } }))
  const saving = useMutation({
    mutationFn: (on: boolean) => api.team.updateMe({ preferences: { [key]: on === unset ? null : on } }),
    onSuccess: (saved) => client.setQueryData(queries.team.me.queryKey(), saved),
  })
  const stored = me.data?.preferences[key]
  return [saving.isPending ? saving.variables : typeof stored === 'boolean' ? stored : unset, saving.mutate]
}

type PreferenceValue = Parameters<typeof api.team.updateMe>[0]['preferences'] extends Record<string, infer V> | undefined ? V : never

/** Stores one preference of the person, a list; `onSaved` is called afterwards. The calling component shows the failures. */
export function useSavePreference(key: string, onSaved?: () => void) {
  const client = useQueryClient()
  return useMutation({
    meta: { handled: true },
    mutationFn: (value: PreferenceValue) => api.team.updateMe({ preferences: { [key]: value } }),
    onSuccess: (me) => {
      client.setQueryData(queries.team.me.queryKey(), me)
      onSaved?.()
    },
  })
}

/** Whether single-character shortcuts act. */
export function useSingleKeys(): { isOn: boolean; turn: (on: boolean) => void } {
  const [isOn, turn] = useSwitch('atajos.letras', true)
  return { isOn, turn }
}

/** Whether the menu at the side shows icons only. */
export function useFoldedMenu(): { isFolded: boolean; turn: (folded: boolean) => void } {
  const [isFolded, turn] = useSwitch('menu.plegado', false)
  return { isFolded, turn }
}
