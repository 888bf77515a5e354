import { expect, test } from 'vitest'
import type { PlannedClass } from '#contract/studio-schedule.ts'
import { coachRows, dayColumns, type PlanRecords, roomRows, usedFilters } from './plan-views.ts'

const coach = (instructor_id: number, name: string) => ({ instructor_id, name, last_name: 'R', nick_name: null })
const records: PlanRecords = {
  rooms: [
    { room_id: 1, location_id: 1, name: 'Sala A', archived: false },
    { room_id: 2, location_id: 1, name: 'Sala B', archived: false },
  ],
  locations: [
    { location_id: 1, name: 'Roma Norte' },
    { location_id: 2, name: 'San Ángel' },
  ],
  coaches: [coach(1, 'Sofía'), coach(2, 'Diego')],
  location_id: null,
}
const cls = (id: number, change: { location_id?: number; room?: number; coaches?: number[]; state?: PlannedClass['state'] }) =>
  ({
    single_class_id: id,
    state: change.state ?? 'published',
    draft: null,
    duration_minutes: 45,
    location: { location_id: change.location_id ?? 1, name: '' },
    room: change.room ? { room_id: change.room, name: 'Sala vieja', exclusive: false } : null,
    instructors: (change.coaches ?? []).map((id) => coach(id, `C${id}`)),
  }) as unknown as PlannedClass
const day = (...classes: PlannedClass[]) => ({ date: '2026-11-24', holiday: null, classes })
const ids = (classes: readonly PlannedClass[]) => classes.map((cls) => cls.single_class_id)

test('a day has a column per room, one for what is in no room, and one for a location without rooms', () => {
  const columns = dayColumns(day(cls(1, { room: 1 }), cls(2, {}), cls(3, { location_id: 2 }), cls(4, { room: 9 })), records)
  expect(columns.map(({ name, detail, venue, classes }) => [name, detail, venue?.room_id, ids(classes)])).toEqual([
    ['Sala A', 'Roma Norte', 1, [1]],
    ['Sala B', 'Roma Norte', 2, []],
    ['Sala vieja', 'Roma Norte', 9, [4]],
    ['Sin sala', 'Roma Norte', null, [2]],
    ['San Ángel', '', null, [3]],
  ])
})

test('an archived room has a column on a day with classes in it only (K14)', () => {
  const archived = { ...records, location_id: 1, rooms: records.rooms.map((room) => ({ ...room, archived: room.room_id === 1 })) }
  const names = (...classes: PlannedClass[]) => dayColumns(day(...classes), archived).map(({ name }) => name)
  expect(names(cls(1, { room: 2 }))).toEqual(['Sala B'])
  expect(names(cls(1, { room: 2 }), cls(2, { room: 1 }))).toEqual(['Sala B', 'Sala vieja'])
})

test('the rows of one location are its rooms alone', () => {
  const rows = roomRows([day(cls(1, { room: 2 })), day(cls(2, { room: 2, state: 'cancelled' }))], { ...records, location_id: 1 })
  expect(rows.map(({ name, detail, count, minutes }) => [name, detail, count, minutes])).toEqual([
    ['Sala A', '', 0, 0],
    ['Sala B', '', 1, 45],
  ])
})

test('a class of two coaches is in both rows, one without a coach in a row of its own, and an archived coach has a row while they teach', () => {
  const days = [day(cls(1, { coaches: [1, 2] }), cls(2, {}), cls(3, { coaches: [7] }))]
  expect(coachRows(days, records, null).map(({ name, days: [classes = []] }) => [name, ids(classes)])).toEqual([
    ['Sin coach', [2]],
    ['Sofía', [1]],
    ['Diego', [1]],
    ['C7', [3]],
  ])
  expect(coachRows(days, records, 2).map(({ name }) => name)).toEqual(['Diego'])
})

test('the button of the filters counts what differs from the plain week', () => {
  const plain = { coach: '', tipo: '', sala: '', problemas: false }
  expect(usedFilters('semana', plain)).toBe(0)
  expect(usedFilters('dia', plain)).toBe(1)
  expect(usedFilters('coach', { coach: '3', tipo: '1', sala: '', problemas: true })).toBe(4)
})
