import { describe, expect, test } from 'vitest'
import type { PlannedClass } from '#contract/studio-schedule.ts'
import { filteredClasses } from './class-filter.ts'
import {
  changeOfFields,
  changesOfEdit,
  combineEdits,
  copiesOf,
  editText,
  fieldsOfEdit,
  NO_EDIT,
  pasteEdit,
  seatFields,
  tagFields,
  withEdit,
} from './plan-edits.ts'
import type { PlanRecords } from './plan-views.ts'

const coach = (instructor_id: number, name: string) => ({ instructor_id, name, last_name: '', nick_name: null })
const records: PlanRecords = {
  rooms: [{ room_id: 3, location_id: 2, name: 'Sala B', archived: false }],
  locations: [
    { location_id: 1, name: 'Roma Norte' },
    { location_id: 2, name: 'San Ángel' },
  ],
  coaches: [coach(5, 'Sofía'), coach(6, 'Diego')],
  location_id: null,
}
const cls = (more: Partial<PlannedClass> = {}): PlannedClass => ({
  single_class_id: 9,
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
  instructors: [{ ...coach(5, 'Sofía'), file: null }],
  capacity: 12,
  taken: 0,
  held: 0,
  waiting: 0,
  arrived: 0,
  price: null,
  description: 'Con velas',
  icon: null,
  tag_ids: [8],
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
const later = { ...NO_EDIT, minutes: 15, days: 1 }

describe('tags and closed seats of many classes', () => {
  test('tags and closed seats of many classes change only where something changes, and keep what else the class has', () => {
    expect(tagFields(cls(), [3, 8], true)).toEqual({ tag_ids: [3, 8] })
    expect([tagFields(cls(), [8], true), tagFields(cls(), [3], false)]).toEqual([{}, {}])
    expect(tagFields(cls(), [8], false)).toEqual({ tag_ids: [] })
    const mapped = cls({ spot_map: '4,4', closed_spots: ['1-1'] })
    expect(seatFields(mapped, '4,4', ['1-1', '2-3'], true)).toEqual({ closed_spots: ['1-1', '2-3'] })
    expect(seatFields(mapped, '4,4', ['1-1'], false)).toEqual({ closed_spots: [] })
    expect([seatFields(mapped, '4,4', ['1-1'], true), seatFields(mapped, '5,5', ['2-3'], true)]).toEqual([{}, {}])
  })
})

describe('classes that a filter selects', () => {
  test('classes that a filter selects are those of some weekdays and hours that can still change, in order', () => {
    const classes = [
      cls({ single_class_id: 1, class_date: '2026-12-03T19:00:00.000Z' }),
      cls({ single_class_id: 2, class_date: '2026-12-01T07:00:00.000Z' }),
      cls({ single_class_id: 3, class_date: '2026-12-01T19:00:00.000Z' }),
      cls({ single_class_id: 4, class_date: '2026-12-02T19:00:00.000Z' }),
      cls({ single_class_id: 5, class_date: '2026-12-01T18:00:00.000Z', state: 'cancelled' }),
    ]
    const ids = (filter: Parameters<typeof filteredClasses>[1]) => filteredClasses(classes, filter).map((cls) => cls.single_class_id)
    expect(ids({ weekdays: [2, 4], since: '', until: '' })).toEqual([2, 3, 1])
    expect(ids({ weekdays: [2, 4], since: '18:00', until: '19:00' })).toEqual([3, 1])
    expect(ids({ weekdays: [], since: '', until: '' })).toEqual([])
  })
})

describe('an edit on the grid', () => {
  test('an edit on the grid is the change of what differs, with the version that it was made from', () => {
    expect(changesOfEdit([cls()], later, 'one')).toEqual([
      {
        op: 'update',
        scope: 'one',
        single_class_id: 9,
        if_updatedAt: '2026-11-01T00:00:00.000Z',
        fields: { class_date: '2026-11-25T20:45:00.000Z' },
      },
    ])
    expect(changesOfEdit([cls()], { ...NO_EDIT, venue: { location_id: 1, room_id: null } }, 'one')).toEqual([])
  })

  test('takes a class to a room of another location, and from one coach to another', () => {
    expect(fieldsOfEdit(cls(), { ...NO_EDIT, venue: { location_id: 2, room_id: 3 } })).toEqual({ location_id: 2, room_id: 3 })
    expect(fieldsOfEdit(cls(), { ...NO_EDIT, coach: { from: 5, to: 6 } })).toEqual({ instructor_ids: [6] })
    expect(fieldsOfEdit(cls(), { ...NO_EDIT, coach: { from: 5, to: null } })).toEqual({ instructor_ids: [] })
    const there = combineEdits({ ...NO_EDIT, coach: { from: 5, to: 6 } }, { coach: { from: 6, to: 5 } })
    expect(there).toEqual(NO_EDIT)
  })

  test('never makes a class shorter than a quarter of an hour', () => {
    expect(fieldsOfEdit(cls(), { ...NO_EDIT, length: -90 })).toEqual({ duration_minutes: 15 })
    expect(fieldsOfEdit(cls({ duration_minutes: 10 }), { ...NO_EDIT, length: -15 })).toEqual({})
  })

  test('of a draft sends the whole class again, with what the panel does not show', () => {
    const draft = cls({ single_class_id: null, class_draft_id: 31, draft: { op: 'create', fields: [], series: null } })
    expect(changeOfFields(draft, { capacity: 3 })).toMatchObject({
      op: 'create',
      class_draft_id: 31,
      fields: { class_type_id: 4, class_date: '2026-11-24T20:30:00.000Z', capacity: 3, description: 'Con velas', tag_ids: [8] },
    })
  })

  test('of one class of a series that is a draft moves its weekday, the hour of all, and is sent once', () => {
    // Tuesdays and Thursdays from Tuesday the 24th; Thursday the 26th goes to Friday, an hour later.
    const series = { weekdays: [2, 4], every_weeks: 1, until: '2026-12-20', except: [], first: '2026-11-24T20:30:00.000Z' }
    const edit = { single_class_id: null, class_draft_id: 31, draft: { op: 'create' as const, fields: [], series } }
    const classes = [cls({ ...edit, class_date: '2026-11-26T20:30:00.000Z' }), cls({ ...edit, class_date: '2026-12-03T20:30:00.000Z' })]
    const changes = changesOfEdit(classes, { ...NO_EDIT, days: 1, minutes: 60 }, 'one')
    expect(changes).toMatchObject([
      { class_draft_id: 31, fields: { class_date: '2026-11-24T21:30:00.000Z' }, series: { weekdays: [2, 5], until: '2026-12-20' } },
    ])
    expect(changes[0]?.series).not.toHaveProperty('first')
  })

  test('an edit on the grid is shown on its new day before it is saved, under the key that it had', () => {
    const days = ['2026-11-24', '2026-11-25'].map((date) => ({ date, holiday: null, classes: [] as PlannedClass[] }))
    days[0]?.classes.push(cls())
    const after = withEdit(days, new Set(['c9']), later, records)
    expect(after.map(({ classes }) => classes.map((cls) => cls.class_date))).toEqual([[], ['2026-11-25T20:45:00.000Z']])
    expect(editText([cls()], { ...later, length: 15, coach: { from: 5, to: 6 } }, records)).toBe(
      'Ciclo 45, mié 25 nov, 20:45, 60 min, con Diego',
    )
    expect(editText([cls(), cls()], later, records)).toBe('2 clases: 1 día después y 15 min más tarde')
  })
})

describe('copied classes', () => {
  const two = [cls(), cls({ class_date: '2026-11-26T07:00:00.000Z' })]
  test('copied classes go to the day in focus, behind themselves on their own day, or to the same days of another week', () => {
    expect(pasteEdit(two, { day: '2026-11-27', monday: '2026-11-23' })).toMatchObject({ days: 3, minutes: 0 })
    expect(pasteEdit([cls()], { day: '2026-11-24', monday: '2026-11-23' })).toMatchObject({ days: 0, minutes: 45 })
    expect(pasteEdit(two, { day: null, monday: '2026-12-07' })).toMatchObject({ days: 14 })
    expect(pasteEdit(two, { day: null, monday: '2026-11-23' })).toBeNull()
    expect(pasteEdit([], { day: null, monday: '2026-11-23' })).toBeNull()
  })

  test('copied classes are new classes with everything that the old ones have', () => {
    expect(copiesOf([cls({ closed_spots: ['1-1'], spot_map: '3' })], later)).toMatchObject([
      { op: 'create', fields: { class_date: '2026-11-25T20:45:00.000Z', instructor_ids: [5], tag_ids: [8], closed_spots: ['1-1'] } },
    ])
    const inRoom = cls({ room: { room_id: 3, name: 'Sala B', exclusive: false }, closed_spots: ['1-1'] })
    expect(copiesOf([inRoom], later)[0]?.fields).not.toHaveProperty('closed_spots')
  })
})
