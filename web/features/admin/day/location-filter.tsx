import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { queries } from '#web/lib/api.ts'
import { Segmented } from '#web/ui/choice.tsx'

/** The query key of the place that a screen is filtered by: the same on every screen. */
const KEY = 'estudio'

/** The place in the address; null = all of them. */
export function useLocationFilter(): number | null {
  const [query] = useSearchParams()
  const id = Number(query.get(KEY))
  return Number.isInteger(id) && id > 0 ? id : null
}

/** One place or all; nothing where the studio has only one. */
export function LocationFilter() {
  const [, setQuery] = useSearchParams()
  const chosen = useLocationFilter()
  const { data } = useQuery(queries.catalogue.locations.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const locations = data?.locations ?? []
  if (locations.length < 2) return null
  return (
    <Segmented
      label="Estudio"
      options={[
        { value: '', label: 'Todos los Estudios' },
        ...locations.map((one) => ({ value: String(one.location_id), label: one.name })),
      ]}
      value={chosen === null ? '' : String(chosen)}
      onChange={(value) =>
        setQuery(
          (query) => {
            if (value) query.set(KEY, value)
            else query.delete(KEY)
            return query
          },
          { replace: true, preventScrollReset: true },
        )
      }
    />
  )
}
