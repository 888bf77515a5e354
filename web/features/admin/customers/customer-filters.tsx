import { IconFilterPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CUSTOMER_STATES, customerStateLabels } from '#contract/copy/customer-list.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { DayFilter } from '#web/features/admin/table/day-filter.tsx'
import { queries } from '#web/lib/api.ts'
import { ChipChecks } from '#web/ui/chip-checks.tsx'
import { ChipSelect } from '#web/ui/chip-select.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { DAY_FILTERS, FIXED_FILTERS, type FilterKey, type FilterValues, type Option, statesIn } from './customer-filter.ts'
import type { FilterNames } from './stored-filter.ts'

/** Filters that are always shown; the others are added from a menu, and shown while they hold. */
const ALWAYS: readonly FilterKey[] = ['etiqueta', 'adeudo', 'ausente']

const LISTS = { staleTime: 300_000, meta: { handled: true } }

/** The studio's own records that filters name. */
function useRecords() {
  const staff = useStaff()
  const tags = useQuery(queries.customerFile.tags.queryOptions(LISTS)).data?.tags ?? []
  const packages =
    useQuery({ ...queries.studioPackages.all.queryOptions({ input: {}, ...LISTS }), enabled: may(staff, 'sales.sell') }).data
      ?.class_packages ?? []
  const locations = useQuery(queries.catalogue.locations.queryOptions(LISTS)).data?.locations ?? []
  return { tags, packages, locations }
}

export function useFilterNames(): FilterNames {
  const { tags, packages, locations } = useRecords()
  return {
    tags: new Map(tags.map(({ tag_id, name }) => [tag_id, name])),
    packages: new Map(packages.map(({ class_package_id, title }) => [class_package_id, title])),
    locations: new Map(locations.map(({ location_id, name }) => [location_id, name])),
  }
}

interface CustomerFiltersProps {
  values: FilterValues
  onChange: (key: keyof FilterValues, value: string) => void
  /** with states and location, which the list has in its tabs and in the top bar */
  isComplete?: boolean
}

/** The filters of the list of customers as chips. */
export function CustomerFilters({ values, onChange, isComplete = false }: CustomerFiltersProps) {
  const { tags, packages, locations } = useRecords()
  const [added, setAdded] = useState<readonly FilterKey[]>([])
  const options = <T,>(rows: readonly T[], of: (row: T) => [number, string]): Option[] =>
    rows.map((row) => ({ value: String(of(row)[0]), label: of(row)[1] }))
  const selects = [
    ...(tags.length
      ? [
          {
            key: 'etiqueta' as const,
            label: 'Etiqueta',
            all: 'Con o sin etiqueta',
            options: options(tags, ({ tag_id, name }) => [tag_id, name]),
          },
        ]
      : []),
    ...FIXED_FILTERS,
    ...(packages.length
      ? [
          {
            key: 'paquete' as const,
            label: 'Paquete',
            all: 'Todos los paquetes',
            options: options(packages, ({ class_package_id, title }) => [class_package_id, title]),
          },
        ]
      : []),
  ]
  const isShown = ({ key }: { key: FilterKey }) => ALWAYS.includes(key) || added.includes(key) || values[key] !== ''
  const hidden = [...selects, ...DAY_FILTERS].filter((select) => !isShown(select))
  const states = statesIn(values.estado)
  return (
    <>
      {isComplete && (
        <>
          <ChipChecks
            label="Estado"
            options={CUSTOMER_STATES.map((state, value) => ({ value, label: customerStateLabels[state] }))}
            chosen={states.map((state) => CUSTOMER_STATES.indexOf(state))}
            onChange={(chosen) => onChange('estado', chosen.map((at) => CUSTOMER_STATES[at]).join(','))}
          />
          {locations.length > 1 && (
            <ChipSelect
              label="Estudio habitual"
              all="Todos los estudios"
              options={options(locations, ({ location_id, name }) => [location_id, name])}
              value={values.estudio}
              onChange={(value) => onChange('estudio', value)}
            />
          )}
        </>
      )}
      {selects.filter(isShown).map(({ key, ...select }) => (
        <ChipSelect key={key} {...select} value={values[key]} onChange={(value) => onChange(key, value)} />
      ))}
      {DAY_FILTERS.filter(isShown).map(({ key, label }) => (
        <DayFilter key={key} label={label} value={values[key]} onChange={(value) => onChange(key, value)} />
      ))}
      {hidden.length > 0 && (
        <Menu
          label="Agregar un filtro"
          buttonClass="chip"
          button={
            <>
              <IconFilterPlus className="icon" aria-hidden="true" /> Filtro
            </>
          }
        >
          {hidden.map(({ key, label }) => (
            <MenuItem key={key} onClick={() => setAdded((before) => [...before, key])}>
              {label.replace(/ (antes|desde|hasta) (del|el)$/, (_, when, article) => ` ${when} ${article === 'del' ? 'de ' : ''}un día`)}
            </MenuItem>
          ))}
        </Menu>
      )}
    </>
  )
}
