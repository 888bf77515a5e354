/** A month of a busy studio, published at once (docs/domain.md L2, L4). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ClassChange, MAX_CHANGES } from '#contract/studio-schedule.ts'
import { type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

const CLASSES = 620

let s: TestStudio
let manager: Person
beforeAll(async () => {
  s = await studio()
  manager = await s.make.staff('manager')
})
afterAll(() => s.close())

const plan = () => s.as(manager, randomUUID()).studioSchedule

/** Classes of forty minutes, twenty a day from six o'clock on. */
async function month(count: number): Promise<ClassChange[]> {
  const { class_type_id } = await s.make.classType()
  const { location_id } = await s.make.location()
  return Array.from({ length: count }, (_, n) => {
    const starts = Date.parse('2026-12-01T06:00:00Z') + Math.floor(n / 20) * 86_400_000 + (n % 20) * 2_400_000
    const class_date = new Date(starts).toISOString()
    return { op: 'create', scope: 'one', fields: { class_type_id, location_id, class_date, duration_minutes: 40, capacity: 20 } }
  })
}

const count = async () => (await s.sql<{ n: number }>('select count(*)::int as n from single_class'))[0]?.n

test('the drafts of a month are published in one transaction, and changed in one (L2, L4)', async () => {
  const changes = await month(CLASSES)
  expect((await plan().change({ changes, as: 'draft' })).drafts).toBe(CLASSES)
  expect(await count()).toBe(0)
  expect((await plan().publish({ dry_run: true })).result).toMatchObject({ created: CLASSES, told: 0 })
  expect(await count()).toBe(0)
  expect((await plan().publish({})).result).toMatchObject({ created: CLASSES })
  expect(await count()).toBe(CLASSES)
  const ids = await s.sql<{ single_class_id: number }>('select single_class_id from single_class')
  const renamed = await plan().change({
    changes: ids.map(({ single_class_id }) => ({
      op: 'update',
      scope: 'one',
      single_class_id,
      fields: { description: 'Con música en vivo' },
    })),
    as: 'publish',
  })
  expect(renamed).toMatchObject({ result: { changed: CLASSES }, undo: { label: `Se publicaron ${CLASSES} cambios del horario.` } })
})

test('a request carries a thousand changes at most; one that is refused undoes all of them (L4)', async () => {
  const before = await count()
  const tooMany = await month(MAX_CHANGES + 1)
  expect(await refusalOf(plan().change({ changes: tooMany, as: 'publish' }))).toMatchObject({ code: 'INVALID_INPUT' })
  const changes: ClassChange[] = [...tooMany.slice(0, 300), { op: 'cancel', scope: 'one', single_class_id: 999_999 }]
  expect(await refusalOf(plan().change({ changes, as: 'publish' }))).toMatchObject({ code: 'CLASS_NOT_FOUND', data: { index: 300 } })
  expect(await count()).toBe(before)
})
