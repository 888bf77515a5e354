/** Series of classes, copying a week, and taking back (docs/domain.md L5 to L8). */
import { describe, expect, test } from 'vitest'
import { type Fields, PlannedStudio } from '#server/testing/planned-studio.ts'
import { codeOf } from '#server/testing/studio.ts'
import { extendSeries } from './jobs.ts'

const planned = new PlannedStudio()
const { plan, fields, create, idOf, between, week, starts } = planned

const living = (after: string) =>
  planned.s.sql('select 1 from single_class where "cancelledAt" is null and starts_at > $1 and location_id = any($2)', [
    after,
    planned.locations,
  ])

describe('how a series repeats (L24)', () => {
  const days = async () =>
    (await between('2026-11-23', '2026-12-31')).filter((cls) => cls.state !== 'cancelled').map((cls) => cls.class_date.slice(5, 10))
  const seriesOf = (cls: { class_series_id: number | null } | undefined) => cls?.class_series_id ?? 0
  const change = (class_series_id: number, more: object) =>
    planned.s.as(planned.manager, crypto.randomUUID()).classSeries.update({ class_series_id, ...more })

  test('other weekdays create and remove classes, a dry run says so first, and it can be taken back', async () => {
    const { classes } = await create({}, { series: { weekdays: [2, 4], every_weeks: 1, until: '2026-12-10' } })
    const id = seriesOf(classes[0])
    const before = await days()
    expect(before).toEqual(['11-24', '11-26', '12-01', '12-03', '12-08', '12-10'])
    // One that was cancelled alone does not come back, one that was changed alone stays.
    await plan().change({ changes: [{ op: 'cancel', single_class_id: idOf(classes[2]), reason: 'Fuga de agua' }] })
    await plan().change({ changes: [{ op: 'update', single_class_id: idOf(classes[5]), fields: { capacity: 5 } }] })
    const trial = await change(id, { weekdays: [2, 5], dry_run: true })
    expect(trial.result).toMatchObject({ created: 2, deleted: 2, cancelled: 0, untouched: ['2026-12-10T20:30:00.000Z'] })
    expect(await days()).toEqual(['11-24', '11-26', '12-03', '12-08', '12-10'])
    const { result, undo } = await change(id, { weekdays: [2, 5] })
    expect(result).toMatchObject({ created: 2, deleted: 2 })
    expect(await days()).toEqual(['11-24', '11-27', '12-04', '12-08', '12-10'])
    const { series } = await planned.s.as(planned.manager).classSeries.read({ class_series_id: id })
    expect(series).toMatchObject({ weekdays: [2, 5], every_weeks: 1, until: '2026-12-10' })
    await planned.s.as(planned.manager).studioSchedule.undo({ undo_id: undo?.undo_id ?? 0 })
    expect(await days()).toEqual(['11-24', '11-26', '12-03', '12-08', '12-10'])
    expect((await planned.s.as(planned.manager).classSeries.read({ class_series_id: id })).series.weekdays).toEqual([2, 4])
  })

  test('another number of weeks and other days left out; a class with a place in it is cancelled with its credit', async () => {
    const { classes } = await create({}, { series: { weekdays: [2], every_weeks: 1, until: '2026-12-22' } })
    const id = seriesOf(classes[0])
    const buyer = await planned.s.make.buyer()
    await planned.s.as(buyer).bookings.reserve({ single_class_id: idOf(classes[1]) })
    const { result } = await change(id, { every_weeks: 2, except: ['2026-12-08'], reason: 'Menos fechas' })
    expect(result).toMatchObject({ created: 0, cancelled: 1, credits_back: 1, told: 1 })
    expect(await days()).toEqual(['11-24', '12-22'])
    await change(id, { except: [] })
    expect(await days()).toEqual(['11-24', '12-08', '12-22'])
  })
})

describe('series (L5, L6)', () => {
  const twice = { weekdays: [2, 4], every_weeks: 1, until: '2026-12-10', except: ['2026-12-01'] }

  test('series repeat on several weekdays until a day, without the days left out', async () => {
    const { result } = await create({}, { series: twice })
    expect(result.created).toBe(5)
    const all = [...(await starts()), ...(await starts(planned.manager, '2026-11-30')), ...(await starts(planned.manager, '2026-12-07'))]
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

  test('a series is changed from one class on; a class that was changed alone keeps its own values and is named', async () => {
    const { classes } = await create({}, { series: { ...twice, except: [] } })
    const [, second, third] = classes
    await plan().change({ changes: [{ op: 'update', single_class_id: idOf(third), fields: { capacity: 5 } }] })
    const { result } = await plan().change({
      changes: [
        ...[{ op: 'update' as const, single_class_id: idOf(second), scope: 'following' as const }].map((cls) => ({
          ...cls,
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

  test('a series without end is created some weeks ahead by a job, with the values of the last change, and ends when it is cancelled', async () => {
    const { classes, result } = await create({}, { series: { weekdays: [2], until: null } })
    expect(result.created).toBe(8)
    const [first] = classes
    await plan().change({
      changes: [
        { op: 'update', single_class_id: idOf(first), scope: 'all', fields: { class_date: '2026-11-25T18:00:00.000Z', capacity: 9 } },
      ],
    })
    planned.s.clock.advance({ days: 14 })
    await extendSeries(planned.s.system())
    await extendSeries(planned.s.system())
    const found = await between('2027-01-11', '2027-02-28')
    expect(found.map((cls) => [cls.class_date.slice(5, 16), cls.capacity])).toEqual([
      ['01-13T18:00', 9],
      ['01-20T18:00', 9],
      ['01-27T18:00', 9],
    ])
    await plan().change({ changes: [{ op: 'cancel', single_class_id: idOf(found[0]), scope: 'following', reason: 'Fin de temporada' }] })
    planned.s.clock.advance({ days: 30 })
    await extendSeries(planned.s.system())
    expect(await living('2027-01-12')).toEqual([])
  })

  test('series keep their hour over a change of the clocks', async () => {
    const tijuana = (await planned.s.make.location({ name: 'Tijuana', timezone: 'America/Tijuana' })).location_id
    await create({ location_id: tijuana, class_date: '2027-03-09T07:00:00.000Z' }, { series: { weekdays: [2], until: '2027-03-16' } })
    const rows = await planned.s.sql<{ starts_at: Date }>('select starts_at from single_class where location_id = $1 order by 1', [tijuana])
    expect(rows.map((row) => row.starts_at.toISOString())).toEqual(['2027-03-09T15:00:00.000Z', '2027-03-16T14:00:00.000Z'])
  })
})

describe('the end of a series (L24)', () => {
  const end = (class_series_id: number, until: string | null, more: { dry_run?: boolean; reason?: string } = {}) =>
    planned.s.as(planned.manager).classSeries.update({ class_series_id, until, ...more })
  const read = async (class_series_id: number) => (await planned.s.as(planned.manager).classSeries.read({ class_series_id })).series
  const days = async () => (await between('2026-11-23', '2027-01-31')).map((cls) => cls.class_date.slice(5, 10))
  const weekly = async (until: string | null) => {
    const { classes } = await create({}, { series: { weekdays: [2], until, except: ['2026-12-15'] } })
    return { id: classes[0]?.class_series_id ?? 0, classes }
  }

  test('moves later: the missing classes are created, without the days left out and holidays; a dry run writes nothing', async () => {
    const { id } = await weekly('2026-12-01')
    const { holidays } = await planned.s
      .as(planned.manager)
      .holidays.add({ holidays: [{ name: 'Vacaciones', from: '2026-12-22', to: '2026-12-22', location_ids: planned.locations }] })
    expect((await end(id, '2026-12-29', { dry_run: true })).result).toMatchObject({ created: 2 })
    expect(await days()).toEqual(['11-24', '12-01'])
    const { result, undo } = await end(id, '2026-12-29')
    expect(result).toMatchObject({ created: 2, deleted: 0, cancelled: 0 })
    expect(await days()).toEqual(['11-24', '12-01', '12-08', '12-29'])
    expect(await read(id)).toMatchObject({ weekdays: [2], until: '2026-12-29', except: ['2026-12-15'], coming: 4 })
    await plan().undo({ undo_id: undo?.undo_id ?? 0 })
    expect([await days(), (await read(id)).until]).toEqual([['11-24', '12-01'], '2026-12-01'])
    await planned.s.as(planned.manager).holidays.remove({ holiday_id: holidays[0]?.holiday_id ?? 0 })
  })

  test('removing the end lets the job continue the series; the same again creates nothing twice', async () => {
    const { id } = await weekly('2026-12-01')
    expect((await end(id, null)).result.created).toBe(5)
    expect((await end(id, null)).result.created).toBe(0)
    planned.s.clock.advance({ days: 7 })
    await extendSeries(planned.s.system())
    expect(await days()).toEqual(['11-24', '12-01', '12-08', '12-22', '12-29', '01-05', '01-12', '01-19'])
  })

  test('moves earlier: unbooked classes go, booked ones are cancelled, those changed alone stay; taking it back restores all', async () => {
    const { id, classes } = await weekly(null)
    const buyer = await planned.s.make.buyer()
    await planned.s.as(buyer).bookings.reserve({ single_class_id: idOf(classes[2]) })
    await plan().change({ changes: [{ op: 'update', single_class_id: idOf(classes[4]), fields: { capacity: 5 } }] })
    const before = await days()
    const { result, undo } = await end(id, '2026-12-01', { reason: 'Fin de temporada' })
    expect(result).toMatchObject({
      created: 0,
      cancelled: 1,
      deleted: 3,
      told: 1,
      credits_back: 1,
      untouched: ['2026-12-29T20:30:00.000Z'],
    })
    expect(await days()).toEqual(['11-24', '12-01', '12-29'])
    expect((await plan().undo({ undo_id: undo?.undo_id ?? 0 })).refused).toEqual([])
    expect(await days()).toEqual(before)
    // The job does not add the restored classes once more.
    await extendSeries(planned.s.system())
    expect(await days()).toEqual(before)
  })

  test('of classes that were created together makes none again that was cancelled, deleted or moved alone', async () => {
    const { single_class_ids, class_series_id } = await planned.s.as(planned.manager).schedule.create({
      ...fields({ class_date: '2026-11-24T18:00:00.000Z' }),
      repeat_until: '2026-12-29',
    } as never)
    const [, cancelled = 0, moved = 0, deleted = 0] = single_class_ids
    await planned.s.as(planned.manager).schedule.cancel({ single_class_id: cancelled, reason: 'Gira' })
    await planned.s.as(planned.manager).schedule.update({ single_class_id: moved, class_date: '2026-12-09T18:00:00.000Z' })
    await plan().change({ changes: [{ op: 'delete', single_class_id: deleted }] })
    const left = ['11-24', '12-09', '12-22', '12-29']
    expect((await end(class_series_id ?? 0, '2026-12-29')).result.created).toBe(0)
    expect(await days()).toEqual(left)
    expect((await end(class_series_id ?? 0, '2027-01-05')).result.created).toBe(1)
    expect(await days()).toEqual([...left, '01-05'])
  })

  test('a series that was cancelled from one class on is taken up again from there', async () => {
    const { id, classes } = await weekly('2026-12-29')
    await plan().change({ changes: [{ op: 'cancel', single_class_id: idOf(classes[1]), scope: 'following', reason: 'Obras' }] })
    expect((await end(id, '2026-12-08')).result.created).toBe(2)
    expect(await days()).toEqual(['11-24', '12-01', '12-08'])
  })

  test('without end: the job makes no second class on a day that has one of it already', async () => {
    const { id } = await weekly(null)
    const all = await days()
    await planned.s.sql(`update class_series set created_until = '2026-12-10' where class_series_id = $1`, [id])
    await extendSeries(planned.s.system())
    expect(await days()).toEqual(all)
  })

  test('refuses a day that is over, too many classes, an unknown series and one whose pattern is not recorded', async () => {
    const { id } = await weekly('2026-12-01')
    expect(await codeOf(end(id, '2026-11-01'))).toBe('INVALID_INPUT')
    expect(await codeOf(end(id, '2099-01-01'))).toBe('TOO_MANY_CLASSES')
    expect(await codeOf(end(999_999, null))).toBe('NOT_FOUND')
    await planned.s.sql('update class_series set fields = null where class_series_id = $1', [id])
    expect(await codeOf(end(id, null))).toBe('SERIES_EMPTY')
    expect((await end(id, '2026-11-24')).result.deleted).toBe(1)
  })
})

describe('copying a week (L8)', () => {
  test('copies what is not cancelled; leaves out what would meet another class of its coach, an equal one or lie in the past', async () => {
    await create()
    const answer = await create({ class_date: '2026-11-25T07:00:00.000Z' })
    await plan().change({ changes: [{ op: 'cancel', single_class_id: idOf(answer.classes[0]) }] })
    await create({ class_date: '2026-11-26T07:00:00.000Z', instructor_ids: [planned.coaches[1] ?? 0] })
    await create({ class_date: '2026-12-03T07:00:00.000Z', location_id: planned.locations[1], instructor_ids: [planned.coaches[1] ?? 0] })
    const copy = (more = {}) =>
      plan().copy({ from_week: '2026-11-26', to_weeks: ['2026-11-30', '2026-12-07'], location_ids: planned.locations, ...more })
    const tried = await copy({ as: 'publish', dry_run: true })
    expect([tried.result.created, tried.skipped]).toEqual([3, ['2026-12-03T07:00:00.000Z']])
    expect(await starts(planned.manager, '2026-12-07')).toEqual([])
    const drafted = await copy({ on_conflict: 'mark', with_coaches: false })
    expect([drafted.drafts, drafted.skipped]).toEqual([4, []])
    expect((await week(planned.manager, '2026-12-07')).map((cls) => [cls.state, cls.instructors])).toEqual([
      ['draft', []],
      ['draft', []],
    ])
    expect(
      (await plan().copy({ from_week: '2026-11-26', to_weeks: ['2026-11-16'], location_ids: planned.locations, as: 'publish' })).skipped,
    ).toHaveLength(2)
  })

  test('leaves out what would meet a copy of the same run, and refuses more classes than one change may have', async () => {
    await create({ class_date: '2027-01-05T07:00:00.000Z' })
    await create({ class_date: '2027-01-05T07:30:00.000Z' })
    const copied = await plan().copy({
      from_week: '2027-01-05',
      to_weeks: ['2027-01-11'],
      location_ids: planned.locations,
      as: 'publish',
      dry_run: true,
    })
    expect([copied.result.created, copied.skipped]).toEqual([1, ['2027-01-12T07:30:00.000Z']])
    await planned.s.sql(
      `insert into single_class (class_type_id, location_id, starts_at, ends_at, capacity, "createdAt", "updatedAt")
       select class_type_id, location_id, starts_at + n * interval '1 minute', starts_at + (n + 10) * interval '1 minute', 10, now(), now()
       from single_class, generate_series(120, 219) n where starts_at = '2027-01-05T13:00:00Z'`,
    )
    const weeks = Array.from({ length: 12 }, (_, n) => new Date(Date.parse('2027-02-01') + n * 7 * 86_400_000).toISOString().slice(0, 10))
    expect(
      await codeOf(
        plan().copy({
          from_week: '2027-01-05',
          to_weeks: weeks,
          location_ids: planned.locations,
          on_conflict: 'mark',
          as: 'draft',
          dry_run: true,
        }),
      ),
    ).toBe('TOO_MANY_CLASSES')
  })
})

describe('taking back (L7)', () => {
  test('new classes go, changed ones get their values back, cancelled ones their reservations, deleted ones return', async () => {
    const [moved, cancelled, deleted] = [
      idOf((await create()).classes[0]),
      idOf((await create({ class_date: '2026-11-25T07:00:00.000Z' })).classes[0]),
      idOf((await create({ class_date: '2026-11-26T07:00:00.000Z' })).classes[0]),
    ]
    const buyer = await planned.s.make.buyer()
    await planned.s.as(buyer).bookings.reserve({ single_class_id: cancelled })
    const before = await starts()
    const balance = await planned.s.balance(buyer)
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
    expect(await planned.s.balance(buyer)).toBe(balance + 1)
    const undo_id = undo?.undo_id ?? 0
    expect(await codeOf(plan(planned.colleague).undo({ undo_id }))).toBe('NOT_FOUND')
    expect(await plan().undo({ undo_id })).toEqual({ undone: 4, refused: [] })
    expect([await starts(), await planned.s.balance(buyer)]).toEqual([before, balance])
    // A second click, or another tab: nothing is left to do.
    expect(await plan().undo({ undo_id })).toEqual({ undone: 0, refused: [] })
    expect([await starts(), await planned.s.balance(buyer)]).toEqual([before, balance])
  })

  test('what a colleague changed of a series since stays, and is named; the end that only one of them changed comes back', async () => {
    const { classes } = await create({}, { series: { weekdays: [2], until: '2026-12-15' } })
    const [first] = classes
    const class_series_id = first?.class_series_id ?? 0
    const following = (more: Fields) =>
      plan().change({ changes: [{ op: 'update', single_class_id: idOf(first), scope: 'all', fields: more }] })
    const stored = async () =>
      (
        await planned.s.sql<{ fields: Fields; until: string }>(
          'select fields, repeat_until::text as until from class_series where class_series_id = $1',
          [class_series_id],
        )
      )[0]
    const later = await following({ class_date: '2026-11-24T19:00:00.000Z' })
    const ended = await planned.s.as(planned.manager).classSeries.update({ class_series_id, until: '2026-12-08' })
    planned.s.clock.advance({ seconds: 5 })
    const other = await following({ capacity: 30 })
    const undo = ({ undo }: { undo: { undo_id: number } | null }) => plan().undo({ undo_id: undo?.undo_id ?? 0 })
    const { undone, refused } = await undo(later)
    expect([undone, new Set(refused.map(({ code }) => code))]).toEqual([0, new Set(['CHANGED_MEANWHILE'])])
    expect(refused).toContainEqual(expect.objectContaining({ class_date: '2026-11-24T19:00:00.000Z' }))
    expect(await stored()).toMatchObject({ fields: { capacity: 30, class_date: expect.stringContaining('T19:00') }, until: '2026-12-08' })
    expect((await undo(ended)).refused).toEqual([])
    expect(await stored()).toMatchObject({ fields: { capacity: 30 }, until: '2026-12-15' })
    await undo(other)
    expect(await stored()).toMatchObject({ fields: { capacity: 12, class_date: expect.stringContaining('T19:00') } })
  })

  test('a class that was booked meanwhile stays, with the reason; after ten minutes it is too late', async () => {
    const { classes, undo } = await plan().change({
      changes: [
        { op: 'create', fields: fields() },
        { op: 'create', fields: fields({ class_date: '2026-11-25T07:00:00.000Z' }) },
      ],
    })
    await planned.s.as(await planned.s.make.buyer()).bookings.reserve({ single_class_id: idOf(classes[0]) })
    const late = await create({ class_date: '2026-11-28T07:00:00.000Z' })
    expect(await plan().undo({ undo_id: undo?.undo_id ?? 0 })).toEqual({
      undone: 1,
      refused: [{ class_date: '2026-11-24T20:30:00.000Z', name: 'Ciclo 45', code: 'CLASS_HAS_HISTORY', message: expect.any(String) }],
    })
    planned.s.clock.advance({ minutes: 11 })
    expect(await codeOf(plan().undo({ undo_id: late.undo?.undo_id ?? 0 }))).toBe('UNDO_TOO_LATE')
  })

  test('undoing a new series without end creates no more classes', async () => {
    const { undo } = await create({}, { series: { weekdays: [2], until: null } })
    await plan().undo({ undo_id: undo?.undo_id ?? 0 })
    planned.s.clock.advance({ days: 30 })
    await extendSeries(planned.s.system())
    expect(await living('2026-11-23')).toEqual([])
  })
})
