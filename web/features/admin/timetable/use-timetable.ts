/** The week on the screen, its filters and the open panel: all in the URL, so that a reload, a link and the back button restore them. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { addDays, isLocalDate, type LocalDate, mondayOf } from '#contract/time.ts'
import { queries } from '#web/lib/api.ts'
import { type QueryChanges, useQueryChange } from '#web/lib/query-change.ts'
import { NO_FIND, readFindLink } from './find-link.ts'
import { type NewClassLink, NO_NEW_CLASS, newClassOf, newClassQuery } from './new-class-link.ts'
import { type PlanView, VIEWS } from './plan-views.ts'
import { NO_PROPOSED_CHANGE, proposedChangeOf } from './proposed-change.ts'

/** Polling interval: other people plan and book while the screen is open. */
const REFETCH_MS = 30_000

/** A new class with what is known of it already. */
export interface NewSubject extends NewClassLink {
  kind: 'new'
  day: LocalDate
  hour: string
}

/** What the panel shows: a class, a draft of a new one, or a new one at an hour ("2026-11-24T20:30"). */
export type PanelSubject = { kind: 'class' | 'draft'; id: number } | NewSubject

const KEYS = { class: 'clase', draft: 'borrador', new: 'nueva' } as const
/** What the panel of a class begins with, for links of the palette. */
const STEP = 'hacer'

function subjectOf(query: URLSearchParams): PanelSubject | null {
  for (const kind of ['class', 'draft'] as const) {
    const id = Number(query.get(KEYS[kind]))
    if (Number.isInteger(id) && id > 0) return { kind, id }
  }
  const [day = '', hour = ''] = (query.get(KEYS.new) ?? '').split('T')
  return isLocalDate(day) && /^\d{2}:\d{2}$/.test(hour) ? { kind: 'new', day, hour, ...newClassOf(query) } : null
}

export function useTimetable({ today, location_id }: { today: LocalDate; location_id: number | null }) {
  const [query] = useSearchParams()
  const changeQuery = useQueryChange()
  const requestedWeek = query.get('semana') ?? ''
  const monday = mondayOf(isLocalDate(requestedWeek) ? requestedWeek : today)
  const day = query.get('dia') ?? ''
  const isHere = isLocalDate(day) && day >= monday && day <= addDays(monday, 6)
  const chosenDay = isHere ? day : today >= monday && today <= addDays(monday, 6) ? today : monday
  const view = VIEWS.find(({ value }) => value === query.get('vista'))?.value ?? 'semana'
  const filters = {
    coach: query.get('coach') ?? '',
    tipo: query.get('tipo') ?? '',
    sala: query.get('sala') ?? '',
    problemas: query.get('problemas') === '1',
  }
  const input = {
    start_date: monday,
    end_date: addDays(monday, 6),
    ...(location_id === null ? {} : { location_id }),
    ...(/^\d{1,9}$/.test(filters.coach) ? { instructor_id: Number(filters.coach) } : {}),
    ...(/^\d{1,9}$/.test(filters.tipo) ? { class_type_id: Number(filters.tipo) } : {}),
    ...(/^\d{1,9}$/.test(filters.sala) ? { room_id: Number(filters.sala) } : {}),
  }
  const week = useQuery({
    ...queries.studioSchedule.read.queryOptions({ input, meta: { handled: true } }),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_MS,
  })
  const set = (changes: QueryChanges, replace = true) => changeQuery(changes, { replace })
  const none = { [KEYS.class]: null, [KEYS.draft]: null, [KEYS.new]: null, [STEP]: null, ...NO_NEW_CLASS, ...NO_PROPOSED_CHANGE }
  return {
    week,
    monday,
    chosenDay,
    view,
    filters,
    subject: subjectOf(query),
    /** Whether the panel begins with the dialog that cancels its class. */
    cancels: query.get(STEP) === 'cancelar',
    /** What a link proposes for the class of the panel. */
    proposed: proposedChangeOf(query, query.get(STEP)),
    /** What the selection of classes begins with; null: it is not open by its address. */
    find: readFindLink(query),
    closeFind: () => set(NO_FIND),
    setView: (view: PlanView) => set({ vista: view === 'semana' ? null : view }),
    setFilter: (key: 'coach' | 'tipo' | 'sala' | 'problemas', value: string) => set({ [key]: value }),
    setDay: (date: LocalDate) => set({ dia: date }),
    goTo: (date: LocalDate) => set({ semana: mondayOf(date), dia: date, ...none }),
    open(subject: PanelSubject) {
      const value = subject.kind === 'new' ? `${subject.day}T${subject.hour}` : String(subject.id)
      set({ ...none, [KEYS[subject.kind]]: value, ...(subject.kind === 'new' ? newClassQuery(subject) : {}) }, false)
    },
    close: () => set(none),
  }
}

/** Reads everything about the timetable again, on this screen and the others. */
export function useTimetableRefresh(): () => Promise<unknown> {
  const client = useQueryClient()
  return () =>
    Promise.all([
      client.invalidateQueries({ queryKey: queries.studioSchedule.key() }),
      client.invalidateQueries({ queryKey: queries.classSeries.key() }),
      client.invalidateQueries({ queryKey: queries.schedule.key() }),
    ])
}
