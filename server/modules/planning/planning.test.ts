/** The timetable as the studio plans it: reading, changes of many classes, drafts, series, copies and taking back (docs/domain.md L1 to L8). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ClassChange, PlannedClass } from '#contract/studio-schedule.ts'
import { broken } from '#server/testing/invariants.ts'
import { codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'
import { extendSeries } from './jobs.ts'

let s: TestStudio
let manager: Person
let colleague: Person
let type: number
let locations: number[]
let coaches: number[]
beforeAll(async () => {
  s = await studio()
  manager = await s.make.staff('manager')
  colleague = await s.make.staff('manager')
  type = (await s.make.classType({ name: 'Ciclo 45', duration_minutes: 45 })).class_type_id
})
afterAll(async () => {
  expect(await broken(s)).toEqual({})
  await s.close()
})
beforeEach(async () => {
  await s.reset({ waitlist_enabled: true })
  await plan().discard({})
  // Locations and coaches of its own keep a test's classes apart from those of the others.
  locations = [(await s.make.location({ name: 'Roma Norte' })).location_id, (await s.make.location({ name: 'San Ángel' })).location_id]
  coaches = [
    (await s.make.instructor({ name: 'Íñigo', last_name: 'Larrea' })).instructor_id,
    (await s.make.instructor({ name: 'Renata' })).instructor_id,
  ]
})

/** Somebody of the staff who works at one location only. */
async function staffAt(role: 'manager' | 'reception', location_id: number): Promise<Person> {
  const person = await s.make.staff(role)
  await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [person.uid, location_id])
  return person
}
const plan = (person = manager, key: string = randomUUID()) => s.as(person, key).studioSchedule
type Fields = NonNullable<ClassChange['fields']>
const fields = (more: Fields = {}): Fields => ({
  ...{ class_type_id: type, location_id: locations[0] ?? 0, class_date: '2026-11-24T20:30:00.000Z', capacity: 12 },
  ...{ instructor_ids: [coaches[0] ?? 0], ...more },
})
const create = (more: Fields = {}, rest: Partial<Parameters<ReturnType<typeof plan>['change']>[0]['changes'][0]> = {}) =>
  plan().change({ changes: [{ op: 'create', fields: fields(more), ...rest }] })
const idOf = (cls: PlannedClass | undefined): number => cls?.single_class_id ?? 0
const own = (classes: PlannedClass[]) => classes.filter((cls) => locations.includes(cls.location.location_id) && cls.state !== 'cancelled')
const between = async (start_date: string, end_date: string) =>
  own((await plan().read({ start_date, end_date })).days.flatMap((day) => day.classes))
const week = async (person = manager, start_date = '2026-11-23') =>
  own((await plan(person).read({ start_date })).days.flatMap((day) => day.classes))
const living = (after: string) =>
  s.sql('select 1 from single_class where "cancelledAt" is null and starts_at > $1 and location_id = any($2)', [after, locations])
const starts = async (person = manager, start?: string) => (await week(person, start)).map((cls) => cls.class_date.slice(5, 16))

describe('reading the timetable (L1)', () => {
  test('answers every day of the week with figures, and totals without cancelled classes', async () => {
    const { classes } = await create()
    const buyer = await s.make.buyer()
    await s.as(buyer).bookings.reserve({ single_class_id: idOf(classes[0]) })
    const answer = await plan().read({ start_date: '2026-11-23', location_id: locations[0] ?? 0 })
    expect(answer.days.map((day) => day.date)).toEqual(['23', '24', '25', '26', '27', '28', '29'].map((day) => `2026-11-${day}`))
    expect(answer.days[1]?.classes.find((cls) => cls.state === 'published')).toMatchObject({
      ...{ single_class_id: idOf(classes[0]), taken: 1, waiting: 0, arrived: 0, capacity: 12, duration_minutes: 45 },
      ...{ class_type: { name: 'Ciclo 45' }, location: { name: 'Roma Norte' }, instructors: [{ name: 'Íñigo' }], conflicts: [] },
    })
    expect(answer.totals).toEqual({ classes: 1, coach_minutes: 45, conflicts: 0 })
    expect(await codeOf(plan().read({ start_date: '2026-11-23', end_date: '2027-03-23' }))).toBe('INVALID_INPUT')
  })

  test('shows staff of one location only its classes', async () => {
    const here = await staffAt('reception', locations[0] ?? 0)
    await create({ location_id: locations[0] })
    await create({ location_id: locations[1], class_date: '2026-11-25T07:00:00.000Z' })
    expect(await starts(here)).toEqual(['11-24T20:30'])
    expect(await starts()).toEqual(['11-24T20:30', '11-25T07:00'])
  })
})

describe('conflicts (L3)', () => {
  test('a coach with two classes at once or too little time between two locations, equal classes, and classes that lack something', async () => {
    await create()
    await create({ location_id: locations[1], class_date: '2026-11-24T21:00:00.000Z', capacity: null })
    await create({ class_date: '2026-11-24T20:30:00.000Z', instructor_ids: [] })
    await create({ location_id: locations[1], class_date: '2026-11-24T22:00:00.000Z', spot_map: '2,2', capacity: 5 })
    const found = (await week()).map((cls) => [cls.class_date.slice(11, 16), cls.conflicts.map(({ kind }) => kind).sort()])
    expect(found).toEqual([
      ['20:30', ['coach_busy', 'duplicate']],
      ['20:30', ['duplicate', 'no_coach']],
      ['21:00', ['coach_busy', 'no_capacity']],
      ['22:00', ['capacity_above_map']],
    ])
    const [first] = await week()
    expect(first?.conflicts.map(({ message }) => message).sort()).toEqual([
      'Hay otra clase igual a esa hora en Roma Norte.',
      'Íñigo da otra clase a esa hora: Ciclo 45 en San Ángel, 21:00.',
    ])
    await s.having({ coach_travel_minutes: 60 }, async () => {
      const last = (await week()).at(-1)
      expect(last?.conflicts.map(({ kind }) => kind)).toEqual(['capacity_above_map', 'coach_travel'])
    })
    await create({ class_date: '2026-11-24T22:50:00.000Z' })
    expect((await week()).at(-1)?.conflicts.map(({ message }) => message)).toEqual(['Íñigo tiene 5 min para ir de San Ángel a Roma Norte.'])
  })

  test('warn and refuse nothing', async () => {
    await create()
    const { result } = await create({ location_id: locations[1] })
    expect(result).toMatchObject({ created: 1, conflicts: [{ kind: 'coach_busy' }] })
  })
})

describe('changes (L4)', () => {
  test('are written together or not at all; the refusal names its change', async () => {
    const before = await starts()
    const refusal = await refusalOf(
      plan().change({
        changes: [
          { op: 'create', fields: fields() },
          { op: 'cancel', single_class_id: 999_999 },
        ],
      }),
    )
    expect(refusal).toMatchObject({ code: 'CLASS_NOT_FOUND', data: { index: 1 } })
    expect(await starts()).toEqual(before)
    for (const field of ['class_type_id', 'location_id', 'class_date', 'capacity'] as const) {
      const { [field]: _, ...rest } = fields()
      expect(await refusalOf(plan().change({ changes: [{ op: 'create', fields: rest }] }))).toMatchObject({
        ...{ code: 'INVALID_INPUT', data: { field, index: 0 } },
      })
    }
  })

  test('a dry run answers people and credits that cancelling concerns, and writes nothing', async () => {
    const { classes } = await create()
    const single_class_id = idOf(classes[0])
    const buyer = await s.make.buyer()
    await s.as(buyer).bookings.reserve({ single_class_id })
    const { result, undo } = await plan().change({ changes: [{ op: 'cancel', single_class_id }], dry_run: true })
    expect([result, undo]).toMatchObject([{ cancelled: 1, told: 1, released: 1, credits_back: 1 }, null])
    expect((await week())[0]).toMatchObject({ state: 'published', taken: 1 })
    expect(await s.sql("select 1 from jobs.job where name = 'class-cancelled'")).toEqual([])
  })

  test('a change made from an older state is refused with the name of who changed it', async () => {
    const { classes } = await create()
    const [cls] = classes
    const single_class_id = idOf(cls)
    s.clock.advance({ minutes: 1 })
    await plan(colleague).change({ changes: [{ op: 'update', single_class_id, fields: { capacity: 14 } }] })
    const late = { op: 'update' as const, single_class_id, fields: { capacity: 10 }, if_updatedAt: cls?.updatedAt }
    const refusal = await refusalOf(plan().change({ changes: [late] }))
    expect(refusal).toMatchObject({ code: 'CHANGED_MEANWHILE', data: { by: expect.any(String) } })
    expect((await week())[0]?.capacity).toBe(14)
    const [{ updatedAt = null } = {}] = await week()
    await plan().change({ changes: [{ ...late, if_updatedAt: updatedAt }] })
    expect((await week())[0]?.capacity).toBe(10)
  })

  test('customers are told of another hour once, and of another coach unless it is silent', async () => {
    const { classes } = await create()
    const single_class_id = idOf(classes[0])
    const buyer = await s.make.buyer()
    await s.as(buyer).bookings.reserve({ single_class_id })
    await doJobs(s)
    const countMessages = async () =>
      (
        await s.sql<{ n: number }>(
          `select count(*)::int as n from message where customer_id = $1 and event = 'class_changed' and channel = 'app'`,
          [buyer.customer_id],
        )
      )[0]?.n
    const change = (fields: Fields, notify = true) => plan().change({ changes: [{ op: 'update', single_class_id, fields }], tell: notify })
    expect((await change({ instructor_ids: [coaches[1] ?? 0] }, false)).result.told).toBe(0)
    await doJobs(s)
    expect(await countMessages()).toBe(0)
    expect((await change({ class_date: '2026-11-24T20:45:00.000Z' }, false)).result.told).toBe(1)
    await doJobs(s)
    await doJobs(s)
    expect(await countMessages()).toBe(1)
  })

  test('a location of others is refused, also as a target', async () => {
    const here = await staffAt('manager', locations[0] ?? 0)
    const { classes } = await create({ location_id: locations[1] })
    const there = plan(here)
    expect(await codeOf(there.change({ changes: [{ op: 'create', fields: fields({ location_id: locations[1] }) }] }))).toBe('FORBIDDEN')
    expect(await codeOf(there.change({ changes: [{ op: 'cancel', single_class_id: idOf(classes[0]) }] }))).toBe('FORBIDDEN')
    const mine = await create()
    const moved = { op: 'update' as const, single_class_id: idOf(mine.classes[0]), fields: { location_id: locations[1] } }
    for (const as of ['draft', 'publish'] as const) expect(await codeOf(there.change({ changes: [moved], as }))).toBe('FORBIDDEN')
  })
})

describe('series (L5, L6)', () => {
  const twice = { weekdays: [2, 4], every_weeks: 1, until: '2026-12-10', except: ['2026-12-01'] }

  test('repeat on several weekdays until a day, without the days left out', async () => {
    const { result } = await create({}, { series: twice })
    expect(result.created).toBe(5)
    const all = [...(await starts()), ...(await starts(manager, '2026-11-30')), ...(await starts(manager, '2026-12-07'))]
    expect(all).toEqual(['11-24T20:30', '11-26T20:30', '12-03T20:30', '12-08T20:30', '12-10T20:30'])
    expect(await codeOf(create({}, { series: { ...twice, weekdays: [1], until: '2026-11-25' } }))).toBe('SERIES_EMPTY')
    expect(await codeOf(create({}, { series: { ...twice, weekdays: [1, 2, 3, 4, 5, 6, 7], until: '2029-11-25' } }))).toBe(
      'TOO_MANY_CLASSES',
    )
  })

  test('every second week counts from the week of the first class', async () => {
    await create({}, { series: { weekdays: [1, 2], every_weeks: 2, until: '2026-12-31' } })
    const found = await between('2026-11-23', '2026-12-31')
    expect(found.map((cls) => cls.class_date.slice(5, 10))).toEqual(['11-24', '12-07', '12-08', '12-21', '12-22'])
  })

  test('are changed from one class on; a class that was changed alone keeps its own values and is named', async () => {
    const { classes } = await create({}, { series: { ...twice, except: [] } })
    const [, second, third] = classes
    await plan().change({ changes: [{ op: 'update', single_class_id: idOf(third), fields: { capacity: 5 } }] })
    const { result } = await plan().change({
      changes: [
        ...[{ op: 'update' as const, single_class_id: idOf(second), scope: 'following' as const }].map((one) => ({
          ...one,
          fields: { class_date: '2026-11-27T19:15:00.000Z', capacity: 20 },
        })),
      ],
    })
    expect(result).toMatchObject({ changed: 4, untouched: ['2026-12-01T20:30:00.000Z'] })
    const found = await between('2026-11-23', '2026-12-31')
    // Thursdays became Fridays; Tuesdays stay Tuesdays at the new hour; the first was before.
    expect(found.map((cls) => [cls.class_date.slice(5, 16), cls.capacity, cls.own_changes])).toEqual([
      ['11-24T20:30', 12, false],
      ['11-27T19:15', 20, false],
      ['12-01T20:30', 5, true],
      ['12-04T19:15', 20, false],
      ['12-08T19:15', 20, false],
      ['12-11T19:15', 20, false],
    ])
  })

  test('without end are kept some weeks ahead by a job, with the values of the last change, and end when they are cancelled', async () => {
    const { classes, result } = await create({}, { series: { weekdays: [2], until: null } })
    expect(result.created).toBe(8)
    const [first] = classes
    await plan().change({
      changes: [
        { op: 'update', single_class_id: idOf(first), scope: 'all', fields: { class_date: '2026-11-25T18:00:00.000Z', capacity: 9 } },
      ],
    })
    s.clock.advance({ days: 14 })
    await extendSeries(s.system())
    await extendSeries(s.system())
    const found = await between('2027-01-11', '2027-02-28')
    expect(found.map((cls) => [cls.class_date.slice(5, 16), cls.capacity])).toEqual([
      ['01-13T18:00', 9],
      ['01-20T18:00', 9],
      ['01-27T18:00', 9],
    ])
    await plan().change({ changes: [{ op: 'cancel', single_class_id: idOf(found[0]), scope: 'following', reason: 'Fin de temporada' }] })
    s.clock.advance({ days: 30 })
    await extendSeries(s.system())
    expect(await living('2027-01-12')).toEqual([])
  })

  test('keep their hour over a change of the clocks', async () => {
    const tijuana = (await s.make.location({ name: 'Tijuana', timezone: 'America/Tijuana' })).location_id
    await create({ location_id: tijuana, class_date: '2027-03-09T07:00:00.000Z' }, { series: { weekdays: [2], until: '2027-03-16' } })
    const rows = await s.sql<{ starts_at: Date }>('select starts_at from single_class where location_id = $1 order by 1', [tijuana])
    expect(rows.map((row) => row.starts_at.toISOString())).toEqual(['2027-03-09T15:00:00.000Z', '2027-03-16T14:00:00.000Z'])
  })
})

describe('drafts (L2)', () => {
  test('only their author sees them; publishing writes all of them and tells people once', async () => {
    const { classes } = await create()
    const single_class_id = idOf(classes[0])
    const draft = (changes: Parameters<ReturnType<typeof plan>['change']>[0]['changes']) => plan().change({ changes, as: 'draft' })
    const made = await draft([{ op: 'create', fields: fields({ class_date: '2026-11-25T07:00:00.000Z' }) }])
    expect(made.classes).toMatchObject([{ single_class_id: null, state: 'draft', class_date: '2026-11-25T07:00:00.000Z' }])
    await draft([{ op: 'update', single_class_id, fields: { class_date: '2026-11-24T19:00:00.000Z' } }])
    const again = await draft([{ op: 'update', single_class_id, fields: { capacity: 8 } }])
    expect(again.drafts).toBe(2)
    expect((await week()).map((cls) => [cls.class_date.slice(11, 16), cls.state, cls.capacity])).toEqual([
      ['19:00', 'changed', 8],
      ['07:00', 'draft', 12],
    ])
    expect((await week())[0]?.draft).toEqual({ op: 'update', fields: ['capacity', 'class_date'], series: null })
    expect((await week(colleague)).map((cls) => [cls.class_date.slice(11, 16), cls.state, cls.capacity])).toEqual([
      ['20:30', 'published', 12],
    ])

    // The draft of a new class is edited by replacing it.
    const class_draft_id = made.classes[0]?.class_draft_id
    await draft([{ op: 'create', class_draft_id, fields: fields({ class_date: '2026-11-25T08:00:00.000Z' }) }])
    const tried = await plan().publish({ dry_run: true })
    expect([tried.result, tried.drafts]).toMatchObject([{ created: 1, changed: 1 }, 2])
    const done = await plan().publish({})
    expect([done.result, done.drafts]).toMatchObject([{ created: 1, changed: 1 }, 0])
    expect(await starts(colleague)).toEqual(['11-24T19:00', '11-25T08:00'])
  })

  test('a repeated publish has one effect', async () => {
    await plan().change({ changes: [{ op: 'create', fields: fields() }], as: 'draft' })
    const key = randomUUID()
    const [one, two] = [await plan(manager, key).publish({}), await plan(manager, key).publish({})]
    expect([one.result.created, two.result.created, two.undo?.undo_id]).toEqual([1, 1, one.undo?.undo_id])
    expect(await starts()).toHaveLength(1)
  })

  test('a kept change names what it meets, among published classes and other drafts (L3)', async () => {
    await create()
    const meets = await plan().change({ changes: [{ op: 'create', fields: fields({ location_id: locations[1] ?? 0 }) }], as: 'draft' })
    expect(meets.result.conflicts.map(({ kind }) => kind)).toEqual(['coach_busy'])
    const later = fields({ class_date: '2026-11-25T09:00:00.000Z' })
    await plan().change({ changes: [{ op: 'create', fields: later }], as: 'draft' })
    const twice = await plan().change({ changes: [{ op: 'create', fields: later }], as: 'draft' })
    expect(twice.result.conflicts.map(({ kind }) => kind).sort()).toEqual(['coach_busy', 'duplicate'])
  })

  test('the draft of a series says how it repeats, and several drafts are discarded at once', async () => {
    const series = { weekdays: [4, 2], every_weeks: 1, until: '2026-12-03', except: ['2026-12-01'] }
    const saved = await plan().change({
      as: 'draft',
      changes: [
        { op: 'create', fields: fields(), series },
        { op: 'create', fields: fields({ class_date: '2026-11-25T09:00:00.000Z' }) },
        { op: 'create', fields: fields({ class_date: '2026-11-26T09:00:00.000Z' }) },
      ],
    })
    const drafts = await between('2026-11-23', '2026-12-06')
    expect(drafts.map((cls) => [cls.class_date.slice(5, 16), cls.draft?.series?.weekdays ?? null])).toEqual([
      ['11-24T20:30', [2, 4]],
      ['11-25T09:00', null],
      ['11-26T09:00', null],
      ['11-26T20:30', [2, 4]],
      ['12-03T20:30', [2, 4]],
    ])
    expect(drafts[0]?.draft?.series).toMatchObject({ ...series, weekdays: [2, 4], first: '2026-11-24T20:30:00.000Z' })
    const ids = saved.classes.flatMap((cls) => (cls.draft?.series ? [] : (cls.class_draft_id ?? [])))
    expect((await plan().discard({ class_draft_id: ids })).discarded).toBe(2)
    expect((await plan().read({})).drafts).toBe(1)
  })

  test('a draft that no longer fits is refused on publishing, and all drafts stay', async () => {
    const { classes } = await create()
    const [cls] = classes
    const single_class_id = idOf(cls)
    await plan().change({
      as: 'draft',
      changes: [
        { op: 'create', fields: fields({ class_date: '2026-11-26T07:00:00.000Z' }) },
        { op: 'update', single_class_id, fields: { capacity: 3 }, if_updatedAt: cls?.updatedAt },
      ],
    })
    s.clock.advance({ minutes: 1 })
    await plan(colleague).change({ changes: [{ op: 'update', single_class_id, fields: { description: 'Con velas' } }] })
    expect(await refusalOf(plan().publish({}))).toMatchObject({ code: 'CHANGED_MEANWHILE', data: { index: 1 } })
    expect([(await plan().read({})).drafts, await starts(colleague)]).toEqual([2, ['11-24T20:30']])
    expect((await plan().discard({})).discarded).toBe(2)
    expect(await starts()).toEqual(['11-24T20:30'])
    expect((await plan(colleague).discard({})).discarded).toBe(0)
  })

  test('a draft whose class changed is published once its author changed it again, with both changes', async () => {
    const [cls] = (await create({ class_date: '2026-11-27T07:00:00.000Z' })).classes
    const single_class_id = idOf(cls)
    const draft = (change: object, if_updatedAt: string | null | undefined) =>
      plan().change({
        as: 'draft',
        changes: [{ op: 'update', single_class_id, fields: change, ...(if_updatedAt ? { if_updatedAt } : {}) }],
      })
    await draft({ capacity: 3 }, cls?.updatedAt)
    s.clock.advance({ minutes: 1 })
    const seen = await plan(colleague).change({ changes: [{ op: 'update', single_class_id, fields: { description: 'Con velas' } }] })
    expect(await codeOf(plan().publish({}))).toBe('CHANGED_MEANWHILE')
    await draft({ capacity: 4 }, seen.classes[0]?.updatedAt)
    expect((await plan().publish({})).result).toMatchObject({ changed: 1 })
    expect(await s.sql(`select capacity, description from single_class where single_class_id = $1`, [single_class_id])).toEqual([
      { capacity: 4, description: 'Con velas' },
    ])
  })
})

describe('taking back (L7)', () => {
  test('new classes go, changed ones get their values back, cancelled ones their reservations, deleted ones return', async () => {
    const [moved, cancelled, deleted] = [
      idOf((await create()).classes[0]),
      idOf((await create({ class_date: '2026-11-25T07:00:00.000Z' })).classes[0]),
      idOf((await create({ class_date: '2026-11-26T07:00:00.000Z' })).classes[0]),
    ]
    const buyer = await s.make.buyer()
    await s.as(buyer).bookings.reserve({ single_class_id: cancelled })
    const before = await starts()
    const balance = await s.balance(buyer)
    const { undo, result } = await plan().change({
      changes: [
        { op: 'create', fields: fields({ class_date: '2026-11-27T07:00:00.000Z' }) },
        { op: 'update', single_class_id: moved, fields: { class_date: '2026-11-24T18:00:00.000Z' } },
        { op: 'cancel', single_class_id: cancelled },
        { op: 'delete', single_class_id: deleted },
      ],
    })
    expect(result).toMatchObject({ created: 1, changed: 1, cancelled: 1, deleted: 1, credits_back: 1 })
    expect(undo?.label).toBe('Se publicaron 4 cambios del horario.')
    expect(await s.balance(buyer)).toBe(balance + 1)
    const undo_id = undo?.undo_id ?? 0
    expect(await codeOf(plan(colleague).undo({ undo_id }))).toBe('NOT_FOUND')
    expect(await plan().undo({ undo_id })).toEqual({ undone: 4, refused: [] })
    expect([await starts(), await s.balance(buyer)]).toEqual([before, balance])
    expect(await codeOf(plan().undo({ undo_id }))).toBe('UNDO_TOO_LATE')
  })

  test('a class that somebody booked meanwhile stays, and says why; after ten minutes it is too late', async () => {
    const { classes, undo } = await plan().change({
      changes: [
        { op: 'create', fields: fields() },
        { op: 'create', fields: fields({ class_date: '2026-11-25T07:00:00.000Z' }) },
      ],
    })
    await s.as(await s.make.buyer()).bookings.reserve({ single_class_id: idOf(classes[0]) })
    const late = await create({ class_date: '2026-11-28T07:00:00.000Z' })
    expect(await plan().undo({ undo_id: undo?.undo_id ?? 0 })).toEqual({
      undone: 1,
      refused: [{ class_date: '2026-11-24T20:30:00.000Z', name: 'Ciclo 45', code: 'CLASS_HAS_HISTORY', message: expect.any(String) }],
    })
    s.clock.advance({ minutes: 11 })
    expect(await codeOf(plan().undo({ undo_id: late.undo?.undo_id ?? 0 }))).toBe('UNDO_TOO_LATE')
  })

  test('a new series without end does not go on', async () => {
    const { undo } = await create({}, { series: { weekdays: [2], until: null } })
    await plan().undo({ undo_id: undo?.undo_id ?? 0 })
    s.clock.advance({ days: 30 })
    await extendSeries(s.system())
    expect(await living('2026-11-23')).toEqual([])
  })
})

describe('copying a week (L8)', () => {
  test('copies what is not cancelled; leaves out what would meet another class of its coach, an equal one or lie in the past', async () => {
    await create()
    const gone = await create({ class_date: '2026-11-25T07:00:00.000Z' })
    await plan().change({ changes: [{ op: 'cancel', single_class_id: idOf(gone.classes[0]) }] })
    await create({ class_date: '2026-11-26T07:00:00.000Z', instructor_ids: [coaches[1] ?? 0] })
    await create({ class_date: '2026-12-03T07:00:00.000Z', location_id: locations[1], instructor_ids: [coaches[1] ?? 0] })
    const copy = (more = {}) =>
      plan().copy({ from_week: '2026-11-26', to_weeks: ['2026-11-30', '2026-12-07'], location_ids: locations, ...more })
    const tried = await copy({ as: 'publish', dry_run: true })
    expect([tried.result.created, tried.skipped]).toEqual([3, ['2026-12-03T07:00:00.000Z']])
    expect(await starts(manager, '2026-12-07')).toEqual([])
    const drafted = await copy({ on_conflict: 'mark', with_coaches: false })
    expect([drafted.drafts, drafted.skipped]).toEqual([4, []])
    expect((await week(manager, '2026-12-07')).map((cls) => [cls.state, cls.instructors])).toEqual([
      ['draft', []],
      ['draft', []],
    ])
    expect(
      (await plan().copy({ from_week: '2026-11-26', to_weeks: ['2026-11-16'], location_ids: locations, as: 'publish' })).skipped,
    ).toHaveLength(2)
  })

  test('leaves out what would meet a copy of the same run, and refuses more classes than one change may have', async () => {
    await create({ class_date: '2027-01-05T07:00:00.000Z' })
    await create({ class_date: '2027-01-05T07:30:00.000Z' })
    const copied = await plan().copy({
      from_week: '2027-01-05',
      to_weeks: ['2027-01-11'],
      location_ids: locations,
      as: 'publish',
      dry_run: true,
    })
    expect([copied.result.created, copied.skipped]).toEqual([1, ['2027-01-12T07:30:00.000Z']])
    await s.sql(
      `insert into single_class (class_type_id, location_id, starts_at, ends_at, capacity, "createdAt", "updatedAt")
       select class_type_id, location_id, starts_at + n * interval '1 minute', starts_at + (n + 10) * interval '1 minute', 10, now(), now()
       from single_class, generate_series(120, 219) n where starts_at = '2027-01-05T13:00:00Z'`,
    )
    const weeks = Array.from({ length: 12 }, (_, n) => new Date(Date.parse('2027-02-01') + n * 7 * 86_400_000).toISOString().slice(0, 10))
    expect(
      await codeOf(
        plan().copy({ from_week: '2027-01-05', to_weeks: weeks, location_ids: locations, on_conflict: 'mark', as: 'draft', dry_run: true }),
      ),
    ).toBe('TOO_MANY_CLASSES')
  })
})

describe('a set of which some changes are refused (L4)', () => {
  test('deletes the classes that nobody booked and names the others, when asked to', async () => {
    const { classes } = await plan().change({
      changes: [7, 8, 9].map((hour) => ({ op: 'create' as const, fields: fields({ class_date: `2026-11-27T0${hour}:00:00.000Z` }) })),
    })
    const ids = classes.map(idOf)
    const guest = await s.make.customer()
    await s.make.lot(guest, { granted: 5 })
    await s.as(guest).bookings.reserve({ single_class_id: ids[1] ?? 0 })
    const changes = ids.map((single_class_id) => ({ op: 'delete' as const, single_class_id }))
    expect(await refusalOf(plan().change({ changes }))).toMatchObject({ code: 'CLASS_HAS_HISTORY', data: { index: 1 } })
    const tried = await plan().change({ changes, partial: true, dry_run: true })
    expect(tried.result).toMatchObject({ deleted: 2, refused: [{ index: 1, code: 'CLASS_HAS_HISTORY', message: expect.any(String) }] })
    const done = await plan().change({ changes, partial: true })
    expect(done.result).toMatchObject({ deleted: 2, refused: [{ index: 1 }] })
    expect(await starts()).toEqual(['11-27T08:00'])
    await plan().undo({ undo_id: done.undo?.undo_id ?? 0 })
    expect(await starts()).toEqual(['11-27T07:00', '11-27T08:00', '11-27T09:00'])
  })

  test('a dry run of a cancellation shows the message that the first person would get (B1)', async () => {
    const single_class_id = idOf((await create({ class_date: '2026-11-27T20:30:00.000Z' })).classes[0])
    const cancel = { changes: [{ op: 'cancel' as const, single_class_id, reason: 'Fuga de agua' }] }
    expect((await plan().change({ ...cancel, dry_run: true })).result.message).toBeNull()
    const guest = await s.make.customer({ name: 'Elena' })
    await s.make.lot(guest, { granted: 5 })
    await s.as(guest).bookings.reserve({ single_class_id })
    const { message } = (await plan().change({ ...cancel, dry_run: true })).result
    expect(message).toMatchObject({ name: 'Elena', subject: 'Se canceló Ciclo 45, vie 27 nov, 20:30' })
    expect(message?.text).toContain('Fuga de agua')
    expect(message?.text).toContain('Tu crédito regresó')
    await doJobs(s)
    expect((await plan().change(cancel)).result).toMatchObject({ cancelled: 1, told: 1, message: null })
    await doJobs(s)
    const [sent] = await s.sql<{ words: { subject: string; lines: string[] } }>(
      `select words from message where event = 'class_cancelled' and channel = 'mail' and customer_id is not null order by message_id desc limit 1`,
    )
    expect([sent?.words.subject, sent?.words.lines.join('\n')]).toEqual([message?.subject, message?.text])
  })

  test('a dry run of a cancellation names what its messages offer, without what is cancelled with it (B4)', async () => {
    const at = async (hour: string, more: Fields = {}) =>
      idOf((await create({ class_date: `2026-11-27T${hour}:00.000Z`, ...more })).classes[0])
    const [early, late] = [await at('19:00'), await at('20:30')]
    const near = await at('21:30')
    const full = await at('18:00', { capacity: null })
    const guest = await s.make.customer({ name: 'Elena' })
    await s.make.lot(guest, { granted: 5 })
    await s.as(guest).bookings.reserve({ single_class_id: late })
    const dryRun = async (ids: number[]) =>
      (await plan().change({ changes: ids.map((single_class_id) => ({ op: 'cancel' as const, single_class_id })), dry_run: true })).result
    const [alone] = (await dryRun([late])).alternatives
    expect(alone).toMatchObject({ single_class_id: late, name: 'Ciclo 45', class_date: '2026-11-27T20:30:00.000Z' })
    expect(alone?.others.slice(0, 2)).toEqual([
      { single_class_id: near, class_date: '2026-11-27T21:30:00.000Z', location: 'Roma Norte', places_left: 12 },
      { single_class_id: early, class_date: '2026-11-27T19:00:00.000Z', location: 'Roma Norte', places_left: 12 },
    ])
    expect(alone?.others.map(({ single_class_id }) => single_class_id)).not.toContain(full)
    // Nobody has a place in the second one, and it is offered to nobody.
    const both = await dryRun([late, near])
    expect(both.alternatives.map(({ single_class_id }) => single_class_id)).toEqual([late])
    expect(both.alternatives[0]?.others.map(({ single_class_id }) => single_class_id)).not.toContain(near)
    expect(both.message?.text).not.toContain('21:30')
    expect((await dryRun([early])).alternatives).toEqual([])
    const published = await plan().change({ changes: [{ op: 'cancel', single_class_id: late }] })
    expect(published.result.alternatives).toEqual([])
  })

  test('a coach who does not teach the type is a conflict; who teaches what is read by planners (L23)', async () => {
    const other = (await s.make.classType({ name: 'Barre' })).class_type_id
    const owner = await s.make.staff('owner')
    const [coach = 0, free = 0] = coaches
    const save = (class_type_ids: number[] | null) =>
      s.as(owner).catalogue.admin.instructors.update({ instructor_id: coach, class_type_ids })
    expect((await save([other, other])).instructor.class_type_ids).toEqual([other])
    expect(await refusalOf(save([other, 999_999]))).toMatchObject({ code: 'NOT_FOUND', data: { field: 'class_type_ids' } })
    const kinds = async (instructor_ids: number[]) =>
      (await create({ class_date: '2026-11-25T09:00:00.000Z', instructor_ids })).result.conflicts.map(({ kind, message }) => [
        kind,
        message,
      ])
    expect(await kinds([coach])).toEqual([['coach_type', 'Íñigo no da Ciclo 45.']])
    const own = async () => (await plan().coaches()).coaches.filter(({ instructor_id }) => [coach, free].includes(instructor_id))
    expect(await own()).toEqual([{ instructor_id: coach, class_type_ids: [other] }])
    expect(await codeOf(plan(await s.make.staff('reception')).coaches())).toBe('FORBIDDEN')
    // None is all, as for a new coach; the public profile does not say it.
    expect((await save([])).instructor.class_type_ids).toBeNull()
    expect(await own()).toEqual([])
    const shown = await s.as(null).catalogue.instructor({ instructor_id: coach })
    expect(Object.keys(shown.instructor)).not.toContain('class_type_ids')
  })

  test('changes of hours, drafts and series are never left out', async () => {
    const single_class_id = idOf((await create()).classes[0])
    for (const input of [
      { changes: [{ op: 'update' as const, single_class_id, fields: { capacity: 3 } }] },
      { changes: [{ op: 'cancel' as const, single_class_id, scope: 'all' as const }] },
      { changes: [{ op: 'delete' as const, single_class_id }], as: 'draft' as const },
    ])
      expect(await refusalOf(plan().change({ ...input, partial: true }))).toMatchObject({
        code: 'INVALID_INPUT',
        data: { field: 'partial' },
      })
  })
})
