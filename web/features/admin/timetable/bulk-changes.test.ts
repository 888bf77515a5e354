import { expect, test } from 'vitest'
import type { PlannedClass } from '#contract/studio-schedule.ts'
import { type BulkDraft, type BulkKind, bulkClasses, bulkProblem, newBulkDraft, toBulkChanges } from './bulk-changes.ts'
import type { PlanRecords } from './plan-views.ts'

const coach = { instructor_id: 5, name: 'Sofía', last_name: '', nick_name: null }
const records: PlanRecords = {
  rooms: [
    { room_id: 3, location_id: 2, name: 'Sala B', archived: false },
    { room_id: 4, location_id: 1, name: 'Sala A', archived: false },
  ],
  locations: [
    { location_id: 1, name: 'Roma Norte' },
    { location_id: 2, name: 'San Ángel' },
  ],
  coaches: [coach],
  location_id: null,
}
const cls = (single_class_id: number, more: Partial<PlannedClass> = {}): PlannedClass => ({
  single_class_id,
  class_draft_id: null,
  class_series_id: null,
  own_changes: false,
  state: 'published',
  draft: null,
  class_date: '2026-11-24T20:30:00.000Z',
  starts_at: '',
  ends_at: '',
  timezone: 'America/Mexico_City',
  duration_minutes: 45,
  class_type: { class_type_id: 4, name: 'Ciclo 45', icon: null, color: null },
  location: { location_id: 1, name: 'Roma Norte' },
  room: null,
  instructors: [{ ...coach, file: null }],
  capacity: 12,
  taken: 0,
  held: 0,
  waiting: 0,
  arrived: 0,
  price: null,
  description: '',
  icon: null,
  tag_ids: [],
  class_category_id: null,
  class_package_id: null,
  spot_map: null,
  closed_spots: [],
  substitutes_for: null,
  cancel_reason: null,
  conflicts: [],
  updatedAt: '2026-11-01T00:00:00.000Z',
  ...more,
})
const MONDAY = '2026-11-23'
const context = { records, monday: MONDAY, today: '2026-11-24', map: null }
const draftOf = (change: Partial<BulkDraft>): BulkDraft => ({ ...newBulkDraft(MONDAY), ...change })
const problem = (kind: BulkKind, change: Partial<BulkDraft>, classes = [cls(1)]) =>
  bulkProblem(kind, draftOf(change), bulkClasses(kind, classes, draftOf(change), records))

test('each kind names what is still missing, and nothing once it is there', () => {
  expect(problem('hour', { minutes: '0' })).toBe('Escribe cuántos minutos.')
  expect(problem('hour', {})).toBeNull()
  expect([problem('coach', {}), problem('coach', { coach: '5' })]).toEqual(['Elige quién las da.', null])
  expect([problem('room', {}), problem('room', { room: '4' })]).toEqual(['Elige la sala.', null])
  expect([problem('capacity', {}), problem('capacity', { capacity: '1001' })]).toEqual([
    null,
    'Escribe cuántas personas caben, hasta 1000.',
  ])
  expect([problem('tags', {}), problem('tags', { tags: [8] })]).toEqual(['Elige al menos una etiqueta.', null])
  expect(problem('seats', { spots: ['1-1'] })).toBe('Ninguna de estas clases tiene mapa.')
  expect(problem('seats', {}, [cls(1, { spot_map: '4,4' })])).toBe('Elige al menos un lugar.')
  expect([problem('copy', { weeks: [] }), problem('copy', {})]).toEqual(['Elige al menos una semana.', null])
})

test('a room concerns the classes of its location, seats those with the same map, and cancelled classes are never concerned', () => {
  const classes = [
    cls(1),
    cls(2, { location: { location_id: 2, name: 'San Ángel' } }),
    cls(3, { spot_map: '4,4' }),
    cls(4, { spot_map: '5,5' }),
    cls(5, { state: 'cancelled' }),
  ]
  const ids = (kind: BulkKind, change: Partial<BulkDraft>) =>
    bulkClasses(kind, classes, draftOf(change), records).concerned.map(({ single_class_id }) => single_class_id)
  expect(ids('room', { room: '3' })).toEqual([2])
  expect(ids('room', { room: '0' })).toEqual([1, 2, 3, 4])
  expect(ids('seats', {})).toEqual([3])
  expect(ids('hour', {})).toEqual([1, 2, 3, 4])
  expect(problem('room', { room: '3' }, [cls(1)])).toBe('Ninguna de estas clases cambia.')
})

test('the changes of each kind name only the fields that change, with a text', () => {
  const sent = (kind: BulkKind, change: Partial<BulkDraft>, map: string | null = null, classes = [cls(1), cls(2)]) => {
    const { changes, text } = toBulkChanges(kind, draftOf(change), classes, { ...context, map })
    return { fields: changes.map((change) => ('fields' in change ? change.fields : change)), text }
  }
  expect(sent('coach', { coach: '0' })).toMatchObject({ text: '2 clases sin coach' })
  expect(sent('room', { room: '4' })).toMatchObject({ text: '2 clases en Sala A' })
  expect(sent('capacity', { capacity: '' })).toMatchObject({ text: '2 clases sin capacidad' })
  expect(sent('capacity', { capacity: '20' })).toMatchObject({ text: '2 clases con capacidad de 20' })
  expect(sent('tags', { tags: [8] })).toMatchObject({ text: '2 clases con esa etiqueta' })
  expect(sent('tags', { tags: [8], adds: false }).fields).toEqual([])
  const mapped = [cls(1, { spot_map: '4,4' })]
  expect(sent('seats', { spots: ['1-1', '1-2'] }, '4,4', mapped)).toMatchObject({ text: '1 clase con los lugares 1-1 y 1-2 cerrados' })
})

test('a class is copied into each chosen week, without the copies that would be in the past', () => {
  const past = { ...context, today: '2026-12-03' }
  expect(toBulkChanges('copy', draftOf({ weeks: ['2026-11-30', '2026-12-07'] }), [cls(1)], context)).toMatchObject({
    text: 'Se copiaron 2 clases',
    before: [],
  })
  expect(toBulkChanges('copy', draftOf({ weeks: ['2026-11-30', '2026-12-07'] }), [cls(1)], past).changes).toHaveLength(1)
})
