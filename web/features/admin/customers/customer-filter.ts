/** The filters of the list of customers: as the address has them and as the API takes them. In words: stored-filter.ts. */
import { CUSTOMER_STATES, type CustomerState, SUBSCRIPTION_STATES, type SubscriptionState } from '#contract/copy/customer-list.ts'
import type { SegmentFilter } from '#contract/customer-list.ts'
import { isLocalDate } from '#contract/time.ts'
import { idInText } from '#web/lib/id-in-text.ts'

/** The keys of the filters in the address. */
export const FILTER_KEYS = [
  ...(['estado', 'etiqueta', 'paquete', 'cumple', 'adeudo', 'penal', 'cuenta', 'antes', 'vence'] as const),
  ...(['ausente', 'vence-en', 'suscripcion', 'whatsapp', 'documentos', 'actividad'] as const),
  ...(['alta-desde', 'alta-hasta', 'proxima', 'visitas', 'gastado'] as const),
] as const
export type FilterKey = (typeof FILTER_KEYS)[number]
/** The filters as texts; '': not filtered. */
export type FilterValues = Readonly<Record<FilterKey | 'q' | 'estudio', string>>

export interface Option {
  value: string
  label: string
}

const yesNo = (yes: string, no: string): Option[] => [
  { value: 'si', label: yes },
  { value: 'no', label: no },
]
const SUBSCRIPTION_LABELS: Readonly<Record<SubscriptionState, string>> = {
  active: 'Suscripción al corriente',
  past_due: 'Suscripción atrasada',
  paused: 'Suscripción en pausa',
  none: 'Sin suscripción',
}
const MONTHS = ['enero', 'febrero', 'marzo', 'abril', 'mayo', 'junio', 'julio', 'agosto', 'septiembre', 'octubre', 'noviembre', 'diciembre']
/** Choices of a number between two ends, both included; the last one has no end. */
const ranges = (all: readonly (readonly [min: number, max: number | null, label: string])[]): Option[] =>
  all.map(([min, max, label]) => ({ value: `${min}-${max ?? ''}`, label }))
export const days = (n: number) => (n === 1 ? '1 día' : `${n} días`)

/** Filters with a fixed list of choices. `label`: the filter; `all`: no filter. */
export const FIXED_FILTERS: readonly { key: FilterKey; label: string; all: string; options: readonly Option[] }[] = [
  {
    key: 'ausente',
    label: 'Sin venir',
    all: 'Vengan o no',
    options: [7, 14, 30, 60, 90].map((n) => ({ value: String(n), label: `Sin venir en ${days(n)}` })),
  },
  {
    key: 'vence-en',
    label: 'Por vencer',
    all: 'Venza o no',
    options: [3, 7, 15, 30].map((n) => ({ value: String(n), label: `Le vence en ${days(n)}` })),
  },
  {
    key: 'suscripcion',
    label: 'Suscripción',
    all: 'Con o sin suscripción',
    options: SUBSCRIPTION_STATES.map((value) => ({ value, label: SUBSCRIPTION_LABELS[value] })),
  },
  {
    key: 'cumple',
    label: 'Cumpleaños',
    all: 'Cualquier mes',
    options: MONTHS.map((month, n) => ({ value: String(n + 1), label: `Cumple en ${month}` })),
  },
  { key: 'adeudo', label: 'Adeudo', all: 'Deba o no', options: yesNo('Debe', 'No debe') },
  {
    key: 'penal',
    label: 'Penalización',
    all: 'Con o sin penalización',
    options: yesNo('Con penalización', 'Sin penalización'),
  },
  { key: 'cuenta', label: 'Cuenta', all: 'Con o sin cuenta', options: yesNo('Con cuenta', 'Sin cuenta') },
  { key: 'whatsapp', label: 'WhatsApp', all: 'Acepte o no WhatsApp', options: yesNo('Acepta WhatsApp', 'No acepta WhatsApp') },
  { key: 'actividad', label: 'Actividad', all: 'Activos o no', options: yesNo('Activos', 'No activos') },
  {
    key: 'proxima',
    label: 'Próxima clase',
    all: 'Con o sin próxima clase',
    options: yesNo('Tiene próxima clase', 'Sin próxima clase'),
  },
  {
    key: 'visitas',
    label: 'Clases en 30 días',
    all: 'Cualquier número de clases',
    options: ranges([
      [0, 0, 'Ninguna clase en 30 días'],
      [1, 3, '1 a 3 clases en 30 días'],
      [4, 7, '4 a 7 clases en 30 días'],
      [8, null, '8 o más clases en 30 días'],
    ]),
  },
  {
    key: 'gastado',
    label: 'Gastado',
    all: 'Cualquier gasto',
    options: ranges([
      [0, 0, 'No ha gastado'],
      [1, 1_999, 'Gastó menos de $2,000'],
      [2_000, 9_999, 'Gastó de $2,000 a $9,999'],
      [10_000, null, 'Gastó $10,000 o más'],
    ]),
  },
  { key: 'documentos', label: 'Documentos', all: 'Con o sin documentos', options: yesNo('Le falta firmar', 'Ya firmó todo') },
]
export const DAY_FILTERS = [
  { key: 'antes', label: 'Última clase antes del' },
  { key: 'vence', label: 'Vence antes del' },
  { key: 'alta-desde', label: 'Alta desde el' },
  { key: 'alta-hasta', label: 'Alta hasta el' },
] as const satisfies readonly { key: FilterKey; label: string }[]

const numberIn = (text: string): number | undefined => idInText(text) ?? undefined
const within = (text: string, most: number): number | undefined => {
  const number = numberIn(text)
  return number !== undefined && number <= most ? number : undefined
}
/** The ends of "4-7" and "8-", as the API takes them. */
function endsIn(text: string, most: number): { min?: number; max?: number } {
  const [, min, max] = /^(\d{1,8})?-(\d{1,8})?$/.exec(text) ?? []
  const end = (digits: string | undefined) => (digits !== undefined && Number(digits) <= most ? Number(digits) : undefined)
  return filled({ min: end(min), max: end(max) }) as { min?: number; max?: number }
}
const yesIn = (text: string): boolean | undefined => (text === 'si' ? true : text === 'no' ? false : undefined)
const dayIn = (text: string): string | undefined => (isLocalDate(text) ? text : undefined)
const filled = <T extends object>(values: T): T =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T

/** The states of a text of several, separated by commas. */
export function statesIn(text: string): CustomerState[] {
  const wanted = text.split(',')
  return CUSTOMER_STATES.filter((state) => wanted.includes(state))
}

/** What the API takes; values of the address that are none are left out. */
export function toFilter(values: FilterValues): SegmentFilter {
  const state = statesIn(values.estado)
  const [visits, spent] = [endsIn(values.visitas, 1_000), endsIn(values.gastado, 10_000_000)]
  return filled({
    query: values.q.slice(0, 100) || undefined,
    state: state.length ? state : undefined,
    location_id: numberIn(values.estudio),
    tag_id: numberIn(values.etiqueta),
    class_package_id: numberIn(values.paquete),
    birthday_month: within(values.cumple, 12),
    owes: yesIn(values.adeudo),
    penalised: yesIn(values.penal),
    has_account: yesIn(values.cuenta),
    last_class_before: dayIn(values.antes),
    expires_before: dayIn(values.vence),
    away_days: within(values.ausente, 365),
    expires_in_days: within(values['vence-en'], 365),
    subscription: SUBSCRIPTION_STATES.find((subscriptionState) => subscriptionState === values.suscripcion),
    consent: yesIn(values.whatsapp),
    documents_missing: yesIn(values.documentos),
    active: yesIn(values.actividad),
    created_from: dayIn(values['alta-desde']),
    created_to: dayIn(values['alta-hasta']),
    has_next_class: yesIn(values.proxima),
    visits_30_min: visits.min,
    visits_30_max: visits.max,
    spent_min: spent.min,
    spent_max: spent.max,
  })
}
