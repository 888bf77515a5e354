/** Two conflicting changes of one class, in words: the stored values beside those of the refused change (L22). */
import type { ClassFieldConflict } from '#contract/errors.ts'
import { formatPesos } from '#contract/money.ts'
import type { ClassChange } from '#contract/studio-schedule.ts'
import { formatWall } from '#contract/time.ts'
import { classFields, type PlannedFacts } from './rules.ts'
import type { Names } from './timetable-view.ts'

type Fields = NonNullable<ClassChange['fields']>

const NONE = '—'
const text = (value: unknown): string => (value === null || value === undefined || value === '' ? NONE : String(value))

/** The fields that people read, with their labels and values; others are compared by the program only. */
const FIELDS: readonly { field: keyof Fields; label: string; read: (fields: Fields, names: Names) => string }[] = [
  { field: 'class_type_id', label: 'Tipo de clase', read: ({ class_type_id }, names) => text(class_type_id && names.type(class_type_id)) },
  { field: 'class_date', label: 'Fecha y hora', read: ({ class_date }) => (class_date ? formatWall(class_date, 'class') : NONE) },
  { field: 'duration_minutes', label: 'Duración', read: ({ duration_minutes }) => `${text(duration_minutes)} min` },
  {
    field: 'instructor_ids',
    label: 'Coach',
    read: ({ instructor_ids = [] }, names) => text(instructor_ids.map((instructorId) => names.coach(instructorId)).join(' y ')),
  },
  { field: 'location_id', label: 'Estudio', read: ({ location_id }, names) => text(location_id && names.location(location_id)) },
  { field: 'room_id', label: 'Sala', read: ({ room_id }, names) => text(room_id && names.room(room_id)?.name) },
  { field: 'capacity', label: 'Capacidad', read: ({ capacity }) => text(capacity) },
  { field: 'price', label: 'Precio suelto', read: ({ price }) => (price ? formatPesos(price) : NONE) },
  { field: 'spot_map', label: 'Lugares por fila', read: ({ spot_map }) => text(spot_map) },
  { field: 'description', label: 'Nota para quien reserva', read: ({ description }) => text(description) },
]

/** The fields that a change sets to something else than what is stored. */
export function listFieldConflicts(stored: PlannedFacts, change: ClassChange, names: Names): ClassFieldConflict[] {
  const [theirs, sent] = [classFields(stored) as Fields, change.fields ?? {}]
  return FIELDS.filter(({ field }) => sent[field] !== undefined)
    .map(({ field, label, read }) => ({ field, label, stored: read(theirs, names), yours: read(sent, names) }))
    .filter((field) => field.stored !== field.yours)
}
