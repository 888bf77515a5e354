/** Templates of the timetable: a week with a name, applied to other weeks (docs/domain.md L20, L21). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ClassChange } from '#contract/studio-schedule.ts'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let manager: Person
let type: number
let here: number
let coach: number
beforeAll(async () => {
  s = await studio()
  manager = await s.make.staff('manager')
})
afterAll(async () => {
  expect(await findBrokenInvariants(s)).toEqual({})
  await s.close()
})
beforeEach(async () => {
  await s.reset()
  await s.sql('delete from schedule_template')
  await s.sql('delete from holiday')
  await s.sql('delete from class_draft')
  // A type and a location of its own keep a test's classes apart from those of the others.
  type = (await s.make.classType({ name: `Barre ${randomUUID().slice(0, 6)}`, duration_minutes: 45 })).class_type_id
  here = (await s.make.location({ name: 'Roma Norte' })).location_id
  coach = (await s.make.instructor({ name: 'Renata' })).instructor_id
})

const as = (person = manager, key: string = randomUUID()) => s.as(person, key)
type Fields = NonNullable<ClassChange['fields']>
const add = async (class_date: string, more: Fields = {}) => {
  const fields = {
    class_type_id: type,
    location_id: here,
    class_date: `${class_date}:00.000Z`,
    capacity: 9,
    instructor_ids: [coach],
    ...more,
  }
  return (await as().studioSchedule.change({ changes: [{ op: 'create', fields }] })).classes[0]?.single_class_id ?? 0
}
const save = async (name = 'Normal', person = manager) =>
  (await as(person).scheduleTemplates.create({ name, from_week: '2026-11-25', location_ids: [here] })).template
const apply = (schedule_template_id: number, more: object = {}, person = manager) =>
  as(person).scheduleTemplates.apply({ schedule_template_id, to_weeks: ['2026-12-08'], as: 'publish', ...more })
const week = async (start_date = '2026-12-07') =>
  (await as().studioSchedule.read({ start_date, location_id: here })).days
    .flatMap(({ classes }) => classes)
    .filter(({ state }) => state !== 'cancelled')
const starts = async (start?: string) => (await week(start)).map(({ class_date }) => class_date.slice(5, 16))

test('saving a week stores its classes without their dates, without cancelled ones and drafts, and with the usual coach of a substituted one (L20)', async () => {
  const room = await as().rooms.create({ location_id: here, name: 'Sala A', capacity: 8 })
  await add('2026-11-24T20:30', { room_id: room.room.room_id, description: 'Con velas', price: '220.00' })
  const removedId = await add('2026-11-26T20:30')
  await as().studioSchedule.change({ changes: [{ op: 'cancel', single_class_id: removedId, reason: 'Fuga' }] })
  const lent = await add('2026-11-27T07:00')
  const other = (await s.make.instructor({ name: 'Diego' })).instructor_id
  await as().substitutions.open({ single_class_ids: [lent], reason: 'Viaje', assign: other })
  await as().studioSchedule.change({
    as: 'draft',
    changes: [
      {
        op: 'create',
        fields: { class_type_id: type, location_id: here, class_date: '2026-11-28T09:00:00.000Z', capacity: 5, instructor_ids: [] },
      },
    ],
  })
  const template = await save()
  expect(template.classes.map(({ weekday, hour, room, instructors }) => [weekday, hour, room, instructors])).toEqual([
    [2, '20:30', 'Sala A', ['Renata']],
    [5, '07:00', null, ['Renata']],
  ])
  const done = await apply(template.schedule_template_id)
  expect(done).toMatchObject({ placed: 2, same: 0, left: [], result: { created: 2 }, undo: { undo_id: expect.any(Number) } })
  expect(await week()).toMatchObject([
    { class_date: '2026-12-08T20:30:00.000Z', room: { name: 'Sala A' }, description: 'Con velas', price: '220.00', capacity: 9 },
    { class_date: '2026-12-11T07:00:00.000Z', substitutes_for: null, instructors: [{ name: 'Renata' }] },
  ])
})

test('an applied template is compared with the existing classes: equal ones are not added twice, others stay and are named (L21)', async () => {
  await add('2026-11-24T20:30')
  await add('2026-11-25T08:00')
  const { schedule_template_id } = await save()
  await add('2026-12-08T20:30', { capacity: 3 })
  await add('2026-12-12T10:00')
  const tried = await apply(schedule_template_id, { dry_run: true, to_weeks: ['2026-12-08', '2026-12-14'] })
  expect(tried).toMatchObject({ placed: 3, same: 1, left: [], others: [{ class_date: '2026-12-12T10:00:00.000Z' }] })
  expect(await starts()).toEqual(['12-08T20:30', '12-12T10:00'])
  await apply(schedule_template_id)
  expect(await starts()).toEqual(['12-08T20:30', '12-09T08:00', '12-12T10:00'])
  expect(await apply(schedule_template_id)).toMatchObject({ placed: 0, same: 2, undo: null })
  expect((await week()).find(({ class_date }) => class_date.startsWith('2026-12-08'))?.capacity).toBe(3)
})

test('leaves out, with the reason, what cannot be there, and marks what meets another class when asked to (L21)', async () => {
  await add('2026-11-24T20:30')
  await add('2026-11-25T08:00')
  await add('2026-11-26T08:00')
  const { schedule_template_id } = await save()
  await s.sql('insert into holiday (name, from_day, to_day, "createdAt", "updatedAt") values ($1, $2, $2, now(), now())', [
    'Mudanza',
    '2026-12-09',
  ])
  const elsewhere = (await s.make.location({ name: 'San Ángel' })).location_id
  await add('2026-12-08T20:45', { location_id: elsewhere })
  const { left, placed } = await apply(schedule_template_id, { dry_run: true })
  expect([placed, left.map(({ class_date, message }) => [class_date.slice(8, 16), message])]).toEqual([
    1,
    [
      ['08T20:30', expect.stringMatching(/^Renata da otra clase a esa hora/)],
      ['09T08:00', 'Es un día sin clases: Mudanza.'],
    ],
  ])
  expect(await apply(schedule_template_id, { dry_run: true, on_conflict: 'mark' })).toMatchObject({ placed: 2, left: [{}] })
  expect(await apply(schedule_template_id, { dry_run: true, with_coaches: false })).toMatchObject({ placed: 2 })
  expect((await apply(schedule_template_id, { dry_run: true, to_weeks: ['2026-11-16'] })).left.map(({ message }) => message)).toEqual(
    Array.from({ length: 3 }, () => 'Esa hora ya pasó.'),
  )
})

test('a removed coach is dropped, classes of a removed type are left out', async () => {
  await add('2026-11-24T20:30')
  const { schedule_template_id } = await save()
  await s.sql('update instructor set "deletedAt" = now() where instructor_id = $1', [coach])
  await apply(schedule_template_id)
  expect(await week()).toMatchObject([{ instructors: [] }])
  await s.sql('update class_type set "deletedAt" = now() where class_type_id = $1', [type])
  const late = await apply(schedule_template_id, { to_weeks: ['2026-12-14'] })
  expect([late.placed, late.left[0]?.message]).toEqual([0, 'Su tipo de clase o su estudio ya no existe.'])
  expect((await as().scheduleTemplates.list()).templates[0]?.classes[0]?.gone).toBe(true)
})

test('a template is renamed, takes another week, and is removed; names are unique, and a change from an older version is refused (L20)', async () => {
  await add('2026-11-24T20:30')
  await add('2026-12-01T07:00')
  const scheduleTemplate = await save('Verano')
  await save('Normal')
  expect(await codeOf(save('verano'))).toBe('ALREADY_EXISTS')
  const own = { schedule_template_id: scheduleTemplate.schedule_template_id, if_updatedAt: scheduleTemplate.updatedAt }
  expect(await codeOf(as().scheduleTemplates.update({ ...own, name: 'NORMAL' }))).toBe('ALREADY_EXISTS')
  expect(await codeOf(as().scheduleTemplates.update({ ...own, from_week: '2027-05-03', location_ids: [here] }))).toBe('TEMPLATE_EMPTY')
  s.clock.advance({ minutes: 1 })
  const { template } = await as().scheduleTemplates.update({ ...own, name: 'Invierno', from_week: '2026-12-02', location_ids: [here] })
  expect([template.name, template.classes.map(({ hour }) => hour)]).toEqual(['Invierno', ['07:00']])
  expect(await refusalOf(as().scheduleTemplates.update({ ...own, name: 'Otoño' }))).toMatchObject({
    code: 'CHANGED_MEANWHILE',
    data: { by: expect.any(String) },
  })
  await as().scheduleTemplates.remove({ schedule_template_id: scheduleTemplate.schedule_template_id })
  expect((await as().scheduleTemplates.list()).templates.map(({ name }) => name)).toEqual(['Normal'])
  expect(await codeOf(apply(scheduleTemplate.schedule_template_id))).toBe('NOT_FOUND')
})

test('staff of one location see and apply its classes only, and do not change a template with others (L20)', async () => {
  const there = (await s.make.location({ name: 'San Ángel' })).location_id
  await add('2026-11-24T20:30')
  await add('2026-11-24T07:00', { location_id: there })
  const { template } = await as().scheduleTemplates.create({ name: 'Todo', from_week: '2026-11-23', location_ids: [here, there] })
  const local = await s.make.staff('manager')
  await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [local.uid, there])
  const { schedule_template_id } = template
  const [seen] = (await as(local).scheduleTemplates.list()).templates
  expect(seen?.classes.map(({ location }) => location)).toEqual(['San Ángel'])
  expect(await codeOf(as(local).scheduleTemplates.remove({ schedule_template_id }))).toBe('FORBIDDEN')
  expect(await codeOf(as(local).scheduleTemplates.create({ name: 'Ajena', from_week: '2026-11-23', location_ids: [here] }))).toBe(
    'FORBIDDEN',
  )
  expect(await apply(schedule_template_id, {}, local)).toMatchObject({ placed: 1, result: { created: 1 } })
  expect(await starts()).toEqual([])
})
