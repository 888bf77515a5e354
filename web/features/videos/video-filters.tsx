import { IconCircleCheck, IconHeart, IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { ChipChecks } from '#web/ui/chip-checks.tsx'
import { ChipSelect } from '#web/ui/chip-select.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { everyVideo, isFiltered, SEARCH_LENGTH, toSearchText, VIDEO_LENGTHS, type VideoShow, type VideoView } from './video-view.ts'
import '#web/ui/field.css'
import './video-filters.css'

/** Pause in typing, in milliseconds, after which the search runs. */
const PAUSE_MS = 300

interface Named {
  id: number
  name: string
}

interface VideoFiltersProps {
  view: VideoView
  /** `change`: the changed fields of the view. `typing`: the same search continues, so the history entry is replaced */
  onView: (change: Partial<VideoView>, typing?: boolean) => void
  /** the options of the filters; null while loading */
  choices: { coaches: readonly Named[]; types: readonly Named[]; programs: readonly Named[]; tags: readonly Named[] } | null
}

const SHOWS: readonly { value: VideoShow; label: React.ReactNode }[] = [
  { value: 'todos', label: 'Todos' },
  {
    value: 'favoritos',
    label: (
      <>
        <IconHeart className="icon" aria-hidden="true" />
        Favoritos
      </>
    ),
  },
  {
    value: 'completados',
    label: (
      <>
        <IconCircleCheck className="icon" aria-hidden="true" />
        Completados
      </>
    ),
  },
]

/** Search, filters and views of the videos (S2-2.61, S2-2.62). Each change returns to the first page. */
export function VideoFilters({ view, onView, choices }: VideoFiltersProps) {
  const to = (next: Partial<VideoView>) => onView({ page: 1, ...next })
  const search = useRef<HTMLInputElement>(null)
  const choice = (all: readonly Named[], label: string, allLabel: string, key: 'coach' | 'type' | 'program') =>
    (all.length > 0 || view[key] !== null) && (
      <ChipSelect
        label={label}
        all={allLabel}
        options={withChosen(all, view[key]).map(({ id, name }) => ({ value: String(id), label: name }))}
        value={String(view[key] ?? '')}
        onChange={(value) => to({ [key]: value ? Number(value) : null })}
      />
    )
  return (
    <search className="video-filters" aria-label="Buscar videos">
      <Search view={view} onView={onView} input={search} />
      <div className="video-chips">
        {choices ? (
          <>
            {choice(choices.coaches, 'Coach', 'Todos los coaches', 'coach')}
            {choice(choices.types, 'Tipo', 'Todos los tipos', 'type')}
            <ChipSelect
              label="Duración"
              all="Cualquier duración"
              options={VIDEO_LENGTHS.map((length) => ({ value: String(length), label: `Menos de ${length} min` }))}
              value={String(view.under ?? '')}
              onChange={(value) => to({ under: VIDEO_LENGTHS.find((length) => String(length) === value) ?? null })}
            />
            {choice(choices.programs, 'Programa', 'Todos los programas', 'program')}
            {choices.tags.length > 0 && (
              <ChipChecks
                label="Etiquetas"
                options={choices.tags.map(({ id, name }) => ({ value: id, label: name }))}
                chosen={view.tags}
                onChange={(tags) => to({ tags })}
              />
            )}
          </>
        ) : (
          [96, 84, 112, 120].map((width) => <Skeleton key={width} shape="pill" width={`${width}px`} height="44px" />)
        )}
        {isFiltered(view) && (
          <button
            type="button"
            className="link video-clear"
            onClick={() => {
              onView({ ...everyVideo, show: view.show })
              // This button disappears with the filters: move the focus.
              search.current?.focus()
            }}
          >
            Limpiar filtros
          </button>
        )}
      </div>
      <Segmented label="Mostrar" options={SHOWS} value={view.show} onChange={(show) => to({ show })} />
    </search>
  )
}

/** The list including the chosen id, which the studio may have deleted. */
function withChosen(all: readonly Named[], chosen: number | null): readonly Named[] {
  return chosen === null || all.some(({ id }) => id === chosen) ? all : [...all, { id: chosen, name: 'Otro' }]
}

interface SearchProps extends Pick<VideoFiltersProps, 'view' | 'onView'> {
  input: React.RefObject<HTMLInputElement | null>
}

/** The search field. It follows the address (back button, 'Limpiar filtros'), and after a pause the address follows the field. */
function Search({ view, onView, input }: SearchProps) {
  const [typed, setTyped] = useState(view.text)
  const [shown, setShown] = useState(view.text)
  // One search is one history entry, however many pauses it had.
  const typing = useRef(false)
  if (shown !== view.text) {
    setShown(view.text)
    if (toSearchText(typed) !== view.text) setTyped(view.text)
  }
  const find = () => {
    if (toSearchText(typed) === view.text) return
    onView({ text: toSearchText(typed), page: 1 }, typing.current)
    typing.current = true
  }
  const latest = useRef(find)
  useEffect(() => {
    latest.current = find
  })
  useEffect(() => {
    if (toSearchText(typed) === view.text) return
    const timer = setTimeout(() => latest.current(), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed, view.text])
  return (
    <div className="video-search">
      <span className="control">
        <IconSearch className="icon" aria-hidden="true" />
        <input
          ref={input}
          type="search"
          enterKeyHint="search"
          aria-label="Busca por nombre"
          placeholder="Busca por nombre"
          autoComplete="off"
          maxLength={SEARCH_LENGTH}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && find()}
          onBlur={() => {
            find()
            typing.current = false
          }}
        />
      </span>
    </div>
  )
}
