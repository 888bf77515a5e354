import { instructorName } from '#contract/copy/instructor-names.ts'
import { daysBetween } from '#contract/day-count.ts'
import type { PlannedClass } from '#contract/studio-schedule.ts'
import { addDays, type LocalDate } from '#contract/time.ts'
import {
  applyPlanEdit,
  changesOfEdit,
  changesOfFields,
  copiesOf,
  editText,
  isEditable,
  NO_EDIT,
  seatFields,
  tagFields,
} from './plan-edits.ts'
import type { PlanRecords } from './plan-views.ts'
import type { PlanSave } from './use-plan-save.ts'

/** What can be changed of many classes at once. */
export type BulkKind = 'hour' | 'coach' | 'room' | 'capacity' | 'tags' | 'seats' | 'copy'

/** The fields of the dialog as they are typed and chosen; each kind reads its own. */
export interface BulkDraft {
  minutes: string
  isLater: boolean
  /** an id, "0" for none, empty: not chosen yet */
  coach: string
  room: string
  /** empty: without a capacity */
  capacity: string
  /** whether tags are added and seats are closed; otherwise removed and opened */
  adds: boolean
  tags: number[]
  spots: string[]
  /** the Mondays of the weeks that get copies */
  weeks: LocalDate[]
}

/** The draft of the dialog when it opens for classes of the week of `monday`. */
export const newBulkDraft = (monday: LocalDate): BulkDraft => ({
  minutes: '15',
  isLater: true,
  coach: '',
  room: '',
  capacity: '',
  adds: true,
  tags: [],
  spots: [],
  weeks: [addDays(monday, 7)],
})

export const countText = (count: number): string => (count === 1 ? '1 clase' : `${count} clases`)
export const plural = (count: number, singular: string, many: string) => (count === 1 ? singular : many)

/**
 * The classes that a change concerns: those that can still change, of the room's location, or with the same seats. `map`: the seats to
 * choose from.
 */
export function bulkClasses(kind: BulkKind, classes: readonly PlannedClass[], draft: BulkDraft, { rooms }: PlanRecords) {
  const open = kind === 'copy' ? classes.filter(({ state }) => state !== 'cancelled') : classes.filter(isEditable)
  const room = rooms.find(({ room_id }) => String(room_id) === draft.room)
  const map = open.find(({ spot_map }) => spot_map !== null)?.spot_map ?? null
  const isConcerned = (cls: PlannedClass) =>
    kind === 'room' && room ? cls.location.location_id === room.location_id : kind !== 'seats' || (map !== null && cls.spot_map === map)
  return { map, locations: new Set(open.map((cls) => cls.location.location_id)), concerned: open.filter(isConcerned) }
}

/** Why the change cannot be sent yet, in a sentence; null: it can. */
export function bulkProblem(kind: BulkKind, draft: BulkDraft, { concerned, map }: ReturnType<typeof bulkClasses>): string | null {
  if (kind === 'seats' && map === null) return 'Ninguna de estas clases tiene mapa.'
  if (concerned.length === 0) return 'Ninguna de estas clases cambia.'
  switch (kind) {
    case 'tags':
      return draft.tags.length === 0 ? 'Elige al menos una etiqueta.' : null
    case 'seats':
      return draft.spots.length === 0 ? 'Elige al menos un lugar.' : null
    case 'hour':
      return /^\d{1,3}$/.test(draft.minutes) && Number(draft.minutes) > 0 ? null : 'Escribe cuántos minutos.'
    case 'coach':
      return draft.coach === '' ? 'Elige quién las da.' : null
    case 'room':
      return draft.room === '' ? 'Elige la sala.' : null
    case 'capacity':
      return draft.capacity === '' || (/^\d{1,4}$/.test(draft.capacity) && Number(draft.capacity) <= 1000)
        ? null
        : 'Escribe cuántas personas caben, hasta 1000.'
    case 'copy':
      return draft.weeks.length === 0 ? 'Elige al menos una semana.' : null
  }
}

interface BulkContext {
  records: PlanRecords
  /** of the week whose classes are copied */
  monday: LocalDate
  today: LocalDate
  map: string | null
}

/** The changes of all classes and the text that the bar shows of them. Copies that would be in the past are left out. */
export function toBulkChanges(kind: BulkKind, draft: BulkDraft, classes: readonly PlannedClass[], context: BulkContext): PlanSave {
  const { records, monday, today, map } = context
  const before = [...classes]
  const count = countText(before.length)
  switch (kind) {
    case 'hour': {
      const edit = { ...NO_EDIT, minutes: draft.isLater ? Number(draft.minutes) : -Number(draft.minutes) }
      return { changes: changesOfEdit(before, edit, 'one'), text: editText(before, edit, records), before }
    }
    case 'copy': {
      const edits = draft.weeks.map((week) => ({ ...NO_EDIT, days: daysBetween(monday, week) }))
      const changes = edits.flatMap((edit) =>
        copiesOf(
          before.filter((cls) => applyPlanEdit(cls, edit, records).class_date.slice(0, 10) >= today),
          edit,
        ),
      )
      return { changes, text: plural(changes.length, 'Se copió 1 clase', `Se copiaron ${changes.length} clases`), before: [] }
    }
    case 'coach': {
      const coach = records.coaches.find(({ instructor_id }) => String(instructor_id) === draft.coach)
      const changes = changesOfFields(before, () => ({ instructor_ids: coach ? [coach.instructor_id] : [] }))
      return { changes, text: coach ? `${count} con ${instructorName(coach)}` : `${count} sin coach`, before }
    }
    case 'room': {
      const room = records.rooms.find(({ room_id }) => String(room_id) === draft.room)
      const changes = changesOfFields(before, () => ({ room_id: room?.room_id ?? null }))
      return { changes, text: room ? `${count} en ${room.name}` : `${count} sin sala`, before }
    }
    case 'tags': {
      const changes = changesOfFields(before, (cls) => tagFields(cls, draft.tags, draft.adds))
      const tags = plural(draft.tags.length, 'esa etiqueta', 'esas etiquetas')
      return { changes, text: `${count} ${draft.adds ? 'con' : 'sin'} ${tags}`, before }
    }
    case 'seats': {
      const changes = map === null ? [] : changesOfFields(before, (cls) => seatFields(cls, map, draft.spots, draft.adds))
      const seats = plural(draft.spots.length, 'el lugar', 'los lugares')
      const names = new Intl.ListFormat('es-MX').format(draft.spots)
      return { changes, text: `${count} con ${seats} ${names} ${draft.adds ? 'cerrados' : 'abiertos'}`, before }
    }
    case 'capacity': {
      const capacity = draft.capacity === '' ? null : Number(draft.capacity)
      const changes = changesOfFields(before, () => ({ capacity }))
      return { changes, text: capacity === null ? `${count} sin capacidad` : `${count} con capacidad de ${draft.capacity}`, before }
    }
  }
}
