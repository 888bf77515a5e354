/** A stored filter of customers as texts and in words; apart from customer-filter.ts, which the list loads. */
import { customerStateLabels } from '#contract/copy/customer-list.ts'
import type { SegmentFilter } from '#contract/customer-list.ts'
import { formatWall } from '#contract/time.ts'
import { DAY_FILTERS, days, FIXED_FILTERS, type FilterValues } from './customer-filter.ts'

const text = (value: number | boolean | string | undefined): string =>
  value === undefined ? '' : value === true ? 'si' : value === false ? 'no' : String(value)

const range = (min: number | undefined, max: number | undefined): string =>
  min === undefined && max === undefined ? '' : `${min ?? ''}-${max ?? ''}`

/** The same filter as texts, so that a stored one can be changed or opened in the list. */
export const toFilterValues = (filter: SegmentFilter): FilterValues => ({
  q: filter.query ?? '',
  estado: filter.state?.join(',') ?? '',
  estudio: text(filter.location_id),
  etiqueta: text(filter.tag_id),
  paquete: text(filter.class_package_id),
  cumple: text(filter.birthday_month),
  adeudo: text(filter.owes),
  penal: text(filter.penalised),
  cuenta: text(filter.has_account),
  antes: text(filter.last_class_before),
  vence: text(filter.expires_before),
  ausente: text(filter.away_days),
  'vence-en': text(filter.expires_in_days),
  suscripcion: text(filter.subscription),
  whatsapp: text(filter.consent),
  documentos: text(filter.documents_missing),
  actividad: text(filter.active),
  'alta-desde': text(filter.created_from),
  'alta-hasta': text(filter.created_to),
  proxima: text(filter.has_next_class),
  visitas: range(filter.visits_30_min, filter.visits_30_max),
  gastado: range(filter.spent_min, filter.spent_max),
})

/** A value that is none of the choices: days, or both ends of a range. */
function otherText(value: string): string {
  const [min = '', max] = value.split('-')
  if (max === undefined) return days(Number(value))
  const number = (digits: string) => Number(digits).toLocaleString('es-MX')
  return max === '' ? `${number(min)} o más` : min === '' ? `hasta ${number(max)}` : `${number(min)} a ${number(max)}`
}

/** The names of the studio's own records that a filter may name. */
export interface FilterNames {
  tags: ReadonlyMap<number, string>
  packages: ReadonlyMap<number, string>
  locations: ReadonlyMap<number, string>
}

/** "En riesgo · Debe · Sin venir en 30 días": what a filter selects. */
export function filterText(filter: SegmentFilter, names: FilterNames): string {
  const values = toFilterValues(filter)
  const fixed = FIXED_FILTERS.flatMap(({ key, label, options }) =>
    values[key] === '' ? [] : [options.find(({ value }) => value === values[key])?.label ?? `${label}: ${otherText(values[key])}`],
  )
  const parts = [
    ...(filter.state?.length ? [filter.state.map((state) => customerStateLabels[state]).join(' o ')] : []),
    ...(filter.tag_id ? [`Etiqueta ${names.tags.get(filter.tag_id) ?? 'que ya no existe'}`] : []),
    ...(filter.class_package_id ? [`Tiene ${names.packages.get(filter.class_package_id) ?? 'un paquete'}`] : []),
    ...(filter.location_id ? [names.locations.get(filter.location_id) ?? 'Un estudio que ya no existe'] : []),
    ...fixed,
    ...DAY_FILTERS.flatMap(({ key, label }) => (values[key] ? [`${label} ${formatWall(`${values[key]}T00:00:00.000Z`, 'date')}`] : [])),
    ...(filter.query ? [`“${filter.query}”`] : []),
  ]
  return parts.join(' · ')
}
