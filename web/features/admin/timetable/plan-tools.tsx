import '#web/ui/chip.css'
import { IconAdjustmentsHorizontal, IconAlertTriangle, IconListCheck } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import { AppLink } from '#web/lib/link.tsx'
import { ChipSelect } from '#web/ui/chip-select.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import { type PlanFilters, type PlanView, usedFilters, VIEWS } from './plan-views.ts'

type Options = readonly { value: string; label: string }[]

/** The other screens of the timetable. */
export const PLAN_SCREENS = [
  { to: adminPaths.substitutions, label: 'Suplencias' },
  { to: adminPaths.holidays, label: 'Días sin clases' },
  { to: adminPaths.scheduleTemplates, label: 'Plantillas' },
] as const

interface PlanToolsProps {
  /** false: on a phone, where the filters are behind a button and the other screens in a menu of the head */
  wide: boolean
  canEdit: boolean
  view: PlanView
  onView: (view: PlanView) => void
  filters: PlanFilters
  onFilter: (key: keyof PlanFilters, value: string) => void
  coaches: Options
  types: Options
  rooms: Options
  selecting: boolean
  onSelecting: () => void
  onFind: () => void
  /** on a phone: the week and its arrows */
  children?: ReactNode
}

/** Above the timetable: how it is shown and filtered, the selection, and the screens next to it. */
export function PlanTools({ wide, canEdit, view, onView, filters, onFilter, selecting, onSelecting, onFind, ...lists }: PlanToolsProps) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  const used = usedFilters(view, filters)
  const selection = canEdit && (wide || selecting) && (
    <>
      <button type="button" className={`chip ${selecting ? 'chip-on' : ''}`} aria-pressed={selecting} onClick={onSelecting}>
        <IconListCheck className="icon" aria-hidden="true" /> Seleccionar
      </button>
      {selecting && (
        <button type="button" className="chip" onClick={onFind}>
          Todas las que…
        </button>
      )}
    </>
  )
  const choices = (
    <>
      <Segmented label="Vista" options={VIEWS} value={view} onChange={onView} />
      <ChipSelect
        label="Coach"
        all="Todos los coaches"
        options={lists.coaches}
        value={filters.coach}
        onChange={(value) => onFilter('coach', value)}
      />
      <ChipSelect
        label="Tipo de clase"
        all="Todos los tipos"
        options={lists.types}
        value={filters.tipo}
        onChange={(value) => onFilter('tipo', value)}
      />
      {lists.rooms.length > 0 && (
        <ChipSelect
          label="Sala"
          all="Todas las salas"
          options={lists.rooms}
          value={filters.sala}
          onChange={(value) => onFilter('sala', value)}
        />
      )}
      <button
        type="button"
        className={`chip ${filters.problemas ? 'chip-on' : ''}`}
        aria-pressed={filters.problemas}
        onClick={() => onFilter('problemas', filters.problemas ? '' : '1')}
      >
        <IconAlertTriangle className="icon" aria-hidden="true" /> Con problemas
      </button>
    </>
  )
  if (!wide)
    return (
      <>
        <div className="plan-tools">
          {lists.children}
          <button
            type="button"
            className={`chip ${used ? 'chip-on' : ''}`}
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setIsOpen(!isOpen)}
          >
            <IconAdjustmentsHorizontal className="icon" aria-hidden="true" /> {used ? `Filtros (${used})` : 'Filtros'}
          </button>
        </div>
        <div id={id} className="plan-filters" hidden={!isOpen}>
          {choices}
        </div>
        {selection && <div className="plan-filters">{selection}</div>}
      </>
    )
  return (
    <>
      <div className="plan-filters">
        {choices}
        {selection}
      </div>
      {canEdit && (
        <nav className="plan-more" aria-label="Más del horario">
          {PLAN_SCREENS.map(({ to, label }) => (
            <AppLink key={to} to={to} className="link">
              {label}
            </AppLink>
          ))}
        </nav>
      )}
    </>
  )
}
