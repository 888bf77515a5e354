/** The location that the screens show: in the address (`?estudio=`), the same on every screen, carried by the links of the frame. */
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { queries } from '#web/lib/api.ts'
import { idInText } from '#web/lib/id-in-text.ts'
import { useQueryChange } from '#web/lib/query-change.ts'
import '#web/ui/field.css'

const KEY = 'estudio'

/** The location in the address; null: all. */
export function useLocationFilter(): number | null {
  const [query] = useSearchParams()
  return idInText(query.get(KEY))
}

/** An address with the location, so that the next screen shows the same one. */
export function withLocation(path: string, location_id: number | null): string {
  if (location_id === null) return path
  return `${path}${path.includes('?') ? '&' : '?'}${KEY}=${location_id}`
}

/** The ids of the locations where the person works; null: all. */
export function useOwnLocations(): readonly number[] | null {
  const me = useQuery(queries.team.me.queryOptions({ staleTime: 60_000, meta: { handled: true } }))
  return me.data?.staff.location_ids ?? null
}

/** The locations where the person works. */
export function useLocationChoices(): { location_id: number; name: string }[] {
  const own = useOwnLocations()
  const { data } = useQuery(queries.catalogue.locations.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  return (data?.locations ?? []).filter(({ location_id }) => own?.includes(location_id) ?? true)
}

/** Chooses one of the person's locations or all; renders nothing for staff of a single location. */
export function LocationFilter() {
  const changeQuery = useQueryChange()
  const chosen = useLocationFilter()
  const choices = useLocationChoices()
  if (choices.length < 2) return null
  return (
    <select
      className="control location-filter"
      aria-label="Estudio que se muestra"
      value={chosen ?? ''}
      onChange={(event) => changeQuery({ [KEY]: event.currentTarget.value, pagina: null }, { replace: true })}
    >
      <option value="">Todos los Estudios</option>
      {choices.map(({ location_id, name }) => (
        <option key={location_id} value={location_id}>
          {name}
        </option>
      ))}
    </select>
  )
}
