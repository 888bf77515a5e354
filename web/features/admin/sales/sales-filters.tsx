import { useQuery } from '@tanstack/react-query'
import { isLocalDate } from '#contract/time.ts'
import { useLocationFilter } from '#web/features/admin/frame/location-filter.tsx'
import { DayFilter } from '#web/features/admin/table/day-filter.tsx'
import { type TableQuery, useTableQuery } from '#web/features/admin/table/use-table-query.ts'
import { queries } from '#web/lib/api.ts'
import { idInText } from '#web/lib/id-in-text.ts'
import { ChipSelect } from '#web/ui/chip-select.tsx'

const KEYS = ['estado', 'paquete', 'forma', 'vendio', 'codigo', 'caja', 'suscripcion', 'desde', 'hasta', 'orden'] as const
export type SalesKey = (typeof KEYS)[number]
/** `location_id`: the location of the top bar; null: all. */
export type SalesTable = TableQuery<SalesKey> & { location_id: number | null }

/** The filters of the lists of sales in the address. The tab (`ver`) stays when they are cleared. */
export function useSalesTable(): SalesTable {
  const location_id = useLocationFilter()
  return { ...useTableQuery(KEYS), location_id }
}

const idIn = (text: string): number | undefined => idInText(text) ?? undefined
const withValues = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

/** The filters that all lists of sales have, as their endpoints take them. */
export const sharedInput = ({ q, page, filters, location_id }: SalesTable) =>
  withValues({
    page,
    query: q.slice(0, 120) || undefined,
    class_package_id: idIn(filters.paquete),
    payment_method_id: idIn(filters.forma),
    location_id: location_id ?? undefined,
    staff_id: idIn(filters.vendio),
    cash_session_id: idIn(filters.caja),
    from: isLocalDate(filters.desde) ? filters.desde : undefined,
    to: isLocalDate(filters.hasta) ? filters.hasta : undefined,
  })
export { idIn as idOfFilter }

/** The value of a filter among its options; undefined for one typed by hand that does not exist. */
export const optionIn = <V extends string>(options: readonly { value: V }[], text: string): V | undefined =>
  options.find(({ value }) => value === text)?.value

interface SalesFiltersProps {
  table: SalesTable
  states?: readonly { value: string; label: string }[]
  /** Whether the list can be narrowed by discount code. */
  codes?: boolean
  /** The possible sellers, from the response of the list. */
  people: readonly { staff_id: number; name: string }[]
}

/** The chips of the filters: only those for which the studio has something to choose. */
export function SalesFilters({ table, states, codes = false, people }: SalesFiltersProps) {
  const lists = { staleTime: 300_000, meta: { handled: true } }
  const methods = useQuery(queries.catalogue.paymentMethods.queryOptions(lists)).data?.payment_methods ?? []
  const packages = useQuery(queries.studioPackages.all.queryOptions({ input: {}, ...lists })).data?.class_packages ?? []
  const discounts = useQuery({ ...queries.discounts.all.queryOptions({ input: {}, ...lists }), enabled: codes }).data?.descuentos ?? []
  const filter = (key: SalesKey) => ({ value: table.filters[key], onChange: (value: string) => table.setFilter(key, value) })
  return (
    <>
      {states && <ChipSelect label="Estado" all="Todos los estados" options={states} {...filter('estado')} />}
      <ChipSelect
        label="Paquete"
        all="Todos los paquetes"
        options={packages.map(({ class_package_id, title }) => ({ value: String(class_package_id), label: title }))}
        {...filter('paquete')}
      />
      <ChipSelect
        label="Forma de pago"
        all="Todas las formas de pago"
        options={methods.map(({ payment_method_id, name }) => ({ value: String(payment_method_id), label: name }))}
        {...filter('forma')}
      />
      {people.length > 0 && (
        <ChipSelect
          label="Quién vendió"
          all="Todo el equipo"
          options={people.map(({ staff_id, name }) => ({ value: String(staff_id), label: name }))}
          {...filter('vendio')}
        />
      )}
      {discounts.length > 0 && (
        <ChipSelect
          label="Código"
          all="Con o sin código"
          options={discounts.map(({ discount_id, code }) => ({ value: String(discount_id), label: code }))}
          {...filter('codigo')}
        />
      )}
      <DayFilter label="Desde" {...filter('desde')} />
      <DayFilter label="Hasta" {...filter('hasta')} />
    </>
  )
}
