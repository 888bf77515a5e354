/** Drafts of the timetable (docs/domain.md L2). */
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { PlannedStudio } from '#server/testing/planned-studio.ts'
import { codeOf, refusalOf } from '#server/testing/studio.ts'

const planned = new PlannedStudio()
const { plan, fields, create, idOf, between, week, starts } = planned

describe('drafts (L2)', () => {
  test('drafts are visible to their author only; publishing writes all of them and notifies customers once', async () => {
    const { classes } = await create()
    const single_class_id = idOf(classes[0])
    const draft = (changes: Parameters<ReturnType<typeof plan>['change']>[0]['changes']) => plan().change({ changes, as: 'draft' })
    const answer = await draft([{ op: 'create', fields: fields({ class_date: '2026-11-25T07:00:00.000Z' }) }])
    expect(answer.classes).toMatchObject([{ single_class_id: null, state: 'draft', class_date: '2026-11-25T07:00:00.000Z' }])
    await draft([{ op: 'update', single_class_id, fields: { class_date: '2026-11-24T19:00:00.000Z' } }])
    const again = await draft([{ op: 'update', single_class_id, fields: { capacity: 8 } }])
    expect(again.drafts).toBe(2)
    expect((await week()).map((cls) => [cls.class_date.slice(11, 16), cls.state, cls.capacity])).toEqual([
      ['19:00', 'changed', 8],
      ['07:00', 'draft', 12],
    ])
    expect((await week())[0]?.draft).toEqual({ op: 'update', fields: ['capacity', 'class_date'], series: null })
    expect((await week(planned.colleague)).map((cls) => [cls.class_date.slice(11, 16), cls.state, cls.capacity])).toEqual([
      ['20:30', 'published', 12],
    ])

    // The draft of a new class is edited by replacing it.
    const class_draft_id = answer.classes[0]?.class_draft_id
    await draft([{ op: 'create', class_draft_id, fields: fields({ class_date: '2026-11-25T08:00:00.000Z' }) }])
    const tried = await plan().publish({ dry_run: true })
    expect([tried.result, tried.drafts]).toMatchObject([{ created: 1, changed: 1 }, 2])
    const done = await plan().publish({})
    expect([done.result, done.drafts]).toMatchObject([{ created: 1, changed: 1 }, 0])
    expect(await starts(planned.colleague)).toEqual(['11-24T19:00', '11-25T08:00'])
  })

  test('a repeated publish has one effect', async () => {
    await plan().change({ changes: [{ op: 'create', fields: fields() }], as: 'draft' })
    const key = randomUUID()
    const [first, two] = [await plan(planned.manager, key).publish({}), await plan(planned.manager, key).publish({})]
    expect([first.result.created, two.result.created, two.undo?.undo_id]).toEqual([1, 1, first.undo?.undo_id])
    expect(await starts()).toHaveLength(1)
  })

  test('a stored draft names its conflicts with published classes and other drafts (L3)', async () => {
    await create()
    const meets = await plan().change({
      changes: [{ op: 'create', fields: fields({ location_id: planned.locations[1] ?? 0 }) }],
      as: 'draft',
    })
    expect(meets.result.conflicts.map(({ kind }) => kind)).toEqual(['coach_busy'])
    const later = fields({ class_date: '2026-11-25T09:00:00.000Z' })
    await plan().change({ changes: [{ op: 'create', fields: later }], as: 'draft' })
    const twice = await plan().change({ changes: [{ op: 'create', fields: later }], as: 'draft' })
    expect(twice.result.conflicts.map(({ kind }) => kind).sort()).toEqual(['coach_busy', 'duplicate'])
  })

  test('the draft of a series shows how it repeats, and several drafts are discarded at once', async () => {
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
    planned.s.clock.advance({ minutes: 1 })
    await plan(planned.colleague).change({ changes: [{ op: 'update', single_class_id, fields: { description: 'Con velas' } }] })
    expect(await refusalOf(plan().publish({}))).toMatchObject({ code: 'CHANGED_MEANWHILE', data: { index: 1 } })
    expect([(await plan().read({})).drafts, await starts(planned.colleague)]).toEqual([2, ['11-24T20:30']])
    expect((await plan().discard({})).discarded).toBe(2)
    expect(await starts()).toEqual(['11-24T20:30'])
    expect((await plan(planned.colleague).discard({})).discarded).toBe(0)
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
    planned.s.clock.advance({ minutes: 1 })
    const seen = await plan(planned.colleague).change({
      changes: [{ op: 'update', single_class_id, fields: { description: 'Con velas' } }],
    })
    expect(await codeOf(plan().publish({}))).toBe('CHANGED_MEANWHILE')
    await draft({ capacity: 4 }, seen.classes[0]?.updatedAt)
    expect((await plan().publish({})).result).toMatchObject({ changed: 1 })
    expect(await planned.s.sql(`select capacity, description from single_class where single_class_id = $1`, [single_class_id])).toEqual([
      { capacity: 4, description: 'Con velas' },
    ])
  })
})
