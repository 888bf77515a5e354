import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { wallClock } from '#contract/time.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { PartNotLoaded } from '#web/features/site/not-loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { currentInstant, todayIn } from '#web/lib/clock.ts'
import { endSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'
import { CloseButton } from '#web/ui/close-button.tsx'
import { BareDialog } from '#web/ui/dialog.tsx'
import {
  accessItem,
  cancelItem,
  classItem,
  customerItem,
  GOALS,
  type Goal,
  isItemNamed,
  listVerbs,
  newClassItem,
  type PaletteItem,
  parseGoal,
  purchaseItem,
  recentItems,
  rememberItem,
  SHORTCUTS_ITEM,
  SIGN_OUT_ITEM,
  screenItems,
  selectionItem,
  settingItem,
  typedGoal,
} from './palette-items.ts'
import { mayBeClass, parseClass } from './parse-class.ts'
import { mayBeSelection, parseSelection } from './parse-selection.ts'
import '#web/ui/chip.css'
import './palette.css'

/** Pause in typing, in ms, after which the server searches; with its 80 ms a result is there within 150 to 200. */
const PAUSE_MS = 90

interface Section {
  title: string
  items: readonly PaletteItem[]
}

interface PaletteProps {
  onClose: () => void
  /** opens the list of keyboard shortcuts */
  onShortcuts: () => void
}

/** The command palette: finds customers, classes, purchases, screens and verbs, and opens the chosen one. */
export default function Palette({ onClose, onShortcuts }: PaletteProps) {
  const id = useId()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const [goal, setGoal] = useState<Goal | null>(null)
  const { sections, search, isSettled } = useSections(typed, goal)
  const items = sections.flatMap((section) => section.items)
  const current = items[Math.min(active, items.length - 1)]
  const list = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)

  function choose(item: PaletteItem) {
    const next = parseGoal(item.id)
    if (next) return begin(next)
    onClose()
    rememberItem(item)
    if (item.id === SHORTCUTS_ITEM) onShortcuts()
    else if (item.id === SIGN_OUT_ITEM) void endSession()
    else if (item.to?.startsWith('/admin')) void navigate(item.to)
    else if (item.to) location.assign(item.to)
  }
  /** The palette stays and finds what the verb is about; null: everything again. */
  function begin(next: Goal | null) {
    setGoal(next)
    setTyped('')
    setActive(0)
    field.current?.focus()
  }
  const setIsWaiting = useEarlyEnter(isSettled, () => items[0] && choose(items[0]))

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const by = event.key === 'ArrowDown' ? 1 : -1
      const next = items.length === 0 ? 0 : (Math.min(active, items.length - 1) + by + items.length) % items.length
      setActive(next)
      list.current?.querySelectorAll('[role="option"]')[next]?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Backspace' && goal && typed === '') {
      event.preventDefault()
      begin(null)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      const isLocal = current && /^(?:screen|verb)-/.test(current.id)
      if (current && (isSettled || isLocal || active > 0)) choose(current)
      else if (!isSettled) setIsWaiting(true)
    }
  }

  const optionId = (item: PaletteItem) => `${id}-${item.id}`
  const words = typed.trim()
  return (
    <BareDialog open onClose={onClose} labelledBy={`${id}-title`} width="middle">
      <div className="palette">
        <h2 id={`${id}-title`} className="sr-only">
          Buscar en la administración
        </h2>
        <div className="palette-head">
          <IconSearch className="icon muted" aria-hidden="true" />
          {goal && (
            <button type="button" className="chip chip-on" aria-label={`${GOALS[goal].label} Quitar`} onClick={() => begin(null)}>
              {GOALS[goal].label}
            </button>
          )}
          <input
            ref={field}
            data-focus-first
            type="text"
            role="combobox"
            className="palette-field"
            aria-label="Buscar clientes, clases, compras o pantallas"
            aria-autocomplete="list"
            aria-expanded={items.length > 0}
            aria-controls={`${id}-list`}
            aria-activedescendant={current && optionId(current)}
            placeholder={goal ? GOALS[goal].placeholder : 'Busca clientes, compras o clases'}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            enterKeyHint="go"
            maxLength={100}
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value)
              setActive(0)
              setIsWaiting(false)
            }}
            onKeyDown={onKeyDown}
          />
          <CloseButton onClose={onClose} label="Cerrar búsqueda" />
        </div>
        <Results id={id} list={list} sections={sections} current={current} optionId={optionId} onChoose={choose} onKeyDown={onKeyDown} />
        {search.isError && (
          <div className="palette-note">
            <PartNotLoaded query={search}>No pudimos buscar.</PartNotLoaded>
          </div>
        )}
        <p role="status" className={items.length === 0 && isSettled ? 'palette-note muted' : 'sr-only'}>
          {words !== '' &&
            isSettled &&
            !search.isError &&
            (items.length === 0 ? 'Nada coincide con tu búsqueda.' : countText(items.length))}
        </p>
        <p className="palette-foot small muted not-touch" aria-hidden="true">
          <kbd>↑</kbd> <kbd>↓</kbd> para elegir <kbd>Enter</kbd> para abrir <kbd>Esc</kbd> para cerrar
        </p>
      </div>
    </BareDialog>
  )
}

/** Enter before the results of what is typed have come: opens the first of them once they are there. The result sets whether it waits. */
function useEarlyEnter(hasResults: boolean, chooseFirst: () => void) {
  const [isWaiting, setIsWaiting] = useState(false)
  const chooseNow = useRef(() => {})
  chooseNow.current = () => {
    setIsWaiting(false)
    chooseFirst()
  }
  useEffect(() => {
    if (isWaiting && hasResults) chooseNow.current()
  }, [isWaiting, hasResults])
  return setIsWaiting
}

interface ResultsProps {
  id: string
  list: RefObject<HTMLDivElement | null>
  sections: readonly Section[]
  current: PaletteItem | undefined
  optionId: (item: PaletteItem) => string
  onChoose: (item: PaletteItem) => void
  onKeyDown: (event: KeyboardEvent) => void
}

/** The list of the combobox, in sections. */
function Results({ id, list, sections, current, optionId, onChoose, onKeyDown }: ResultsProps) {
  return (
    <div ref={list} id={`${id}-list`} role="listbox" aria-label="Resultados" className="palette-list">
      {sections.map(({ title, items }) => (
        // biome-ignore lint/a11y/useSemanticElements: a listbox has groups, and a fieldset is none of its children
        <div key={title} role="group" aria-label={title}>
          <p className="palette-group" aria-hidden="true">
            {title}
          </p>
          {items.map((item) => (
            <div
              key={item.id}
              id={optionId(item)}
              role="option"
              tabIndex={-1}
              aria-selected={item === current}
              className="palette-item"
              onClick={() => onChoose(item)}
              onKeyDown={onKeyDown}
            >
              <item.Icon className="icon" aria-hidden="true" />
              <span className="palette-text">
                <span className="strong ellipsis">{item.label}</span>
                {item.detail && <span className="small muted ellipsis">{item.detail}</span>}
              </span>
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

/**
 * The class, or the selection of classes, that the words describe, for planners; its records are loaded with the first words that can be
 * one.
 */
function useProposed(words: string): PaletteItem[] {
  const staff = useStaff()
  const site = useSite()
  const isClass = may(staff, 'schedule.edit') && (mayBeClass(words) || mayBeSelection(words))
  const [wasClass, setWasClass] = useState(false)
  if (isClass && !wasClass) setWasClass(true)
  const options = { staleTime: 300_000, meta: { handled: true }, enabled: wasClass }
  const types = useQuery(queries.catalogue.classTypes.queryOptions(options)).data?.class_types
  const coaches = useQuery(queries.catalogue.instructors.queryOptions(options)).data?.instructors
  const locations = useQuery(queries.catalogue.locations.queryOptions(options)).data?.locations
  const rooms = useQuery(queries.rooms.list.queryOptions(options)).data?.rooms.filter(({ archived }) => !archived)
  if (!isClass || !types || !coaches || !locations || !rooms) return []
  const now = wallClock(currentInstant(), site.zone).toISOString()
  const records = { types, coaches, locations, rooms }
  const selection = parseSelection(words, records, now.slice(0, 10))
  if (selection) return [selectionItem(selection)]
  const cls = mayBeClass(words) ? parseClass(words, records, now) : null
  return cls ? [newClassItem(cls)] : []
}

const countText = (n: number) => (n === 1 ? '1 resultado' : `${n} resultados`)

/** The sections for a text, or for the object of a verb; without one, what was last opened, verbs and screens. */
function useSections(typed: string, chosenGoal: Goal | null) {
  const staff = useStaff()
  const site = useSite()
  const verbs = listVerbs(staff, todayIn(site.zone))
  const now = wallClock(currentInstant(), site.zone).toISOString()
  const withVerb = chosenGoal ? { goal: chosenGoal, rest: typed.trim() } : typedGoal(typed, verbs)
  const goal = withVerb?.goal ?? null
  const words = withVerb?.rest ?? typed.trim()
  const [query, setQuery] = useState('')
  useEffect(() => {
    const timer = setTimeout(setQuery, PAUSE_MS, words)
    return () => clearTimeout(timer)
  }, [words])
  const search = useQuery({
    ...queries.search.find.queryOptions({ input: { query: query || '?' }, staleTime: 10_000, meta: { handled: true } }),
    enabled: query !== '',
    placeholderData: keepPreviousData,
  })
  const [recent] = useState(() => recentItems(staff))
  const isNamed = (item: PaletteItem) => isItemNamed(item, words)
  const proposed = useProposed(words)
  const own: Section[] = [
    { title: 'Acciones', items: verbs.filter(isNamed) },
    { title: 'Pantallas', items: screenItems(staff).filter(isNamed) },
  ]
  const found = words === '' ? undefined : search.data
  const sections: Section[] = goal
    ? goal === 'access'
      ? [{ title: 'Clientes', items: (found?.customers ?? []).map(accessItem) }]
      : [{ title: 'Clases', items: (found?.classes ?? []).filter((cls) => !cls.cancelled && cls.class_date > now).map(cancelItem) }]
    : found
      ? [
          ...own,
          { title: 'Clientes', items: found.customers.map(customerItem) },
          { title: 'Clases', items: found.classes.map(classItem) },
          { title: 'Horario', items: proposed },
          { title: 'Compras', items: found.purchases.map(purchaseItem) },
          { title: 'Ajustes', items: found.settings.map(settingItem) },
        ]
      : words === ''
        ? [{ title: 'Recientes', items: recent }, ...own]
        : [...own, { title: 'Horario', items: proposed }]
  return {
    sections: sections.filter(({ items }) => items.length > 0),
    search,
    isSettled: words === '' || (query === words && !search.isFetching && !search.isPlaceholderData) || search.isError,
  }
}
