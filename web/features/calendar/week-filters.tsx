import '#web/ui/chip.css'
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { instructorName } from '#contract/copy/instructor-names.ts'
import { addDays, type LocalDate } from '#contract/time.ts'
import type { CardClass, CardDay } from './class-facts.ts'
import { Choice, Step, type StepProps } from './week-steps.tsx'
import { DAY_PARTS, type DayPart, inWeek, onDay, type WeekView } from './week-view.ts'

const PART_KEYS = Object.keys(DAY_PARTS) as DayPart[]

interface WeekFiltersProps extends StepProps {
  view: WeekView
  /** null while loading */
  days: readonly CardDay<CardClass>[] | null
  /** shown until the choices are known */
  outline?: ReactNode
  /** categories of classes across types */
  categories: readonly { class_category_id: number; name: string }[]
}

/** The filters of a week: its class types (S2-2.03), and the others if there is something to choose. */
export function WeekFilters({ view, days, categories, outline, ...step }: WeekFiltersProps) {
  const week = days ?? []
  const types = known(week, ({ class_type }) => [{ id: class_type.class_type_id, name: class_type.name }], view.type, 'Otra clase')
  const coaches = known(
    week,
    (cls) => cls.class_instructors.map(({ instructor }) => ({ id: instructor.instructor_id, name: instructorName(instructor) })),
    view.coach,
    'Otro coach',
  )
  const kinds = classCategories(week, view, categories)
  return (
    <>
      {days === null && outline}
      {types.length > 0 && <OneOf {...step} label="Clase" name="tipo" every="Todas las clases" among={types} view={view} chosen="type" />}
      {coaches.length > 1 && (
        <OneOf {...step} label="Coach" name="coach" every="Todos los coaches" among={coaches} view={view} chosen="coach" />
      )}
      {kinds.length > 1 && (
        <OneOf {...step} label="Categoría" name="categoria" every="Todas las categorías" among={kinds} view={view} chosen="category" />
      )}
      <Choice
        {...step}
        label="Hora"
        name="hora"
        value={view.part ?? ''}
        rest={{ ...view, part: null }}
        options={[
          { value: '', label: 'Cualquier hora', view: { ...view, part: null } },
          ...PART_KEYS.map((part) => ({ value: part, label: DAY_PARTS[part], view: { ...view, part } })),
        ]}
      />
    </>
  )
}

/** Buttons for the most common filters: today, tomorrow, the evening, free spots. */
export function QuickFilters({ view, ...step }: StepProps & { view: WeekView }) {
  const { today } = step
  const day = (date: LocalDate): WeekView => (view.day === date ? inWeek(view, date) : onDay(view, date))
  const chips = [
    { label: 'Hoy', to: day(today), on: view.day === today },
    { label: 'Mañana', to: day(addDays(today, 1)), on: view.day === addDays(today, 1) },
    { label: 'Después de las 18:00', to: { ...view, part: view.part === 'noche' ? null : 'noche' }, on: view.part === 'noche' },
    { label: 'Con lugares', to: { ...view, free: !view.free }, on: view.free },
  ] as const
  return chips.map(({ label, to, on }) => (
    <Step key={label} {...step} to={to} className={`chip ${on ? 'chip-on' : ''}`} current={on}>
      {on && <IconCheck className="icon" aria-hidden="true" />}
      {label}
    </Step>
  ))
}

/** How many of the filters behind the button 'Filtros' are on. */
export const activeFilters = ({ location, type, coach, category, part }: WeekView): number =>
  [location, type, coach, category, part].filter(Boolean).length

interface Named {
  id: number
  name: string
}

interface OneOfProps extends StepProps {
  label: string
  /** query key in the address */
  name: string
  /** text for no choice */
  every: string
  among: readonly Named[]
  view: WeekView
  /** the field of the view that it sets */
  chosen: 'type' | 'coach' | 'category'
}

/** Filters by one of the week's values, or by none. */
function OneOf({ label, name, every, among, view, chosen, ...step }: OneOfProps) {
  const of = (id: number | null): WeekView => ({ ...view, [chosen]: id })
  return (
    <Choice
      {...step}
      label={label}
      name={name}
      value={String(view[chosen] ?? '')}
      rest={of(null)}
      options={[
        { value: '', label: every, view: of(null) },
        ...among.map(({ id, name }) => ({ value: String(id), label: name, view: of(id) })),
      ]}
    />
  )
}

/** What the week's classes have (types, coaches), and the filtered one, by name. */
function known(
  days: readonly CardDay<CardClass>[],
  of: (cls: CardClass) => readonly Named[],
  chosen: number | null,
  other: string,
): Named[] {
  const names = new Map<number, string>(chosen ? [[chosen, other]] : [])
  for (const { classes } of days) for (const cls of classes) for (const { id, name } of of(cls)) names.set(id, name)
  return [...names].map(([id, name]) => ({ id, name })).sort((a, b) => a.name.localeCompare(b.name, 'es'))
}

/** The categories of the week and the filtered one, in the studio's order. */
function classCategories(
  days: readonly CardDay<CardClass>[],
  view: WeekView,
  known: readonly { class_category_id: number; name: string }[],
): Named[] {
  const ids = new Set(days.flatMap(({ classes }) => classes.map((cls) => cls.class_category_id)))
  return known
    .filter(({ class_category_id }) => ids.has(class_category_id) || view.category === class_category_id)
    .map(({ class_category_id, name }) => ({ id: class_category_id, name }))
}
