/** Sentences about days without classes. */
import { formatWall, type LocalDate } from '#contract/time.ts'

const day = (date: LocalDate): string => formatWall(`${date}T00:00:00Z`, 'date')

/** "25 de diciembre de 2027", or both ends. */
export const daysText = ({ from, to }: { from: LocalDate; to: LocalDate }): string =>
  from === to ? day(from) : `${day(from)} – ${day(to)}`

/** The locations by name; "Todos los estudios" where it holds everywhere. */
export const locationsText = (ids: readonly number[] | null, locations: readonly { location_id: number; name: string }[]): string =>
  ids === null
    ? 'Todos los estudios'
    : new Intl.ListFormat('es-MX').format(
        ids.map((id) => locations.find((location) => location.location_id === id)?.name ?? 'Otro estudio'),
      )
