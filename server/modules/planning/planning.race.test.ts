/**
 * Two people plan the same week at the same moment, through two processes: no change is lost, and the later one gets both versions (L22).
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ClassChange } from '#contract/studio-schedule.ts'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { type SecondProcess, secondProcess } from '#server/testing/second-process.ts'
import { type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let other: SecondProcess
let sofia: Person
let diego: Person
beforeAll(async () => {
  s = await studio()
  other = await secondProcess(s)
  sofia = await s.make.staff('manager', { name: 'Sofía' })
  diego = await s.make.staff('manager', { name: 'Diego' })
})
afterAll(async () => {
  await other.close()
  await s.close()
})

const here = () => s.as(sofia, randomUUID()).studioSchedule
const there = () => other.as(diego, randomUUID()).studioSchedule
const dayOf = (round: number) => new Date(Date.parse('2026-11-26T18:00:00Z') + round * 86_400_000)
const stored = (single_class_id: number) =>
  s.sql<{ capacity: number; description: string }>('select capacity, description from single_class where single_class_id = $1', [
    single_class_id,
  ])

// Ten rounds: which of them is first differs.
test('of two concurrent changes of one class the second to publish is refused with both versions, keeps its draft and can be published after all (L2, L22)', {
  timeout: 120_000,
}, async () => {
  for (let round = 0; round < 10; round++) {
    const { single_class_id } = await s.make.class({ starts_at: dayOf(round), capacity: 10 })
    const [{ updatedAt } = { updatedAt: null }] = (await here().read({ start_date: dayOf(round).toISOString().slice(0, 10) })).days
      .flatMap(({ classes }) => classes)
      .filter((cls) => cls.single_class_id === single_class_id)
    // The version of a change must be newer than that of its class; the clock of tests does not advance by itself.
    s.clock.advance({ seconds: 1 })
    const draft = (client: ReturnType<typeof here>, fields: ClassChange['fields']) =>
      client.change({ as: 'draft', changes: [{ op: 'update', single_class_id, fields, if_updatedAt: updatedAt }] })
    await draft(here(), { capacity: 14, description: 'De Sofía' })
    await draft(there(), { capacity: 8 })
    const answers = await Promise.all(
      [here(), there()].map((client) =>
        client.publish({}).then(
          () => null,
          (error: unknown) => refusalOf(Promise.reject(error)),
        ),
      ),
    )
    const late = answers.findIndex((answer) => answer !== null)
    expect(answers.filter((answer) => answer === null)).toHaveLength(1)
    const [mine, theirs] = late === 0 ? [14, 8] : [8, 14]
    expect(answers[late]).toMatchObject({
      code: 'CHANGED_MEANWHILE',
      data: { single_class_id, by: late === 0 ? 'Diego' : 'Sofía', op: 'update', scope: 'one', class_draft_id: expect.any(Number) },
    })
    const refused = (answers[late]?.data ?? {}) as { class_draft_id: number; updatedAt: string; conflicts: unknown[] }
    expect(refused.conflicts).toContainEqual({
      field: 'capacity',
      label: 'Capacidad',
      stored: String(theirs),
      yours: String(mine),
    })
    expect(await stored(single_class_id)).toMatchObject([{ capacity: theirs }])
    // The draft is still there: based on the class as it is now, it is published, and other values of the first one stay.
    const again = late === 0 ? here : there
    expect((await again().read({})).drafts).toBe(1)
    const { class_draft_id, updatedAt: now } = refused
    await again().change({ as: 'draft', changes: [{ op: 'update', single_class_id, class_draft_id, fields: {}, if_updatedAt: now }] })
    expect((await again().publish({})).result).toMatchObject({ changed: 1 })
    expect(await stored(single_class_id)).toEqual([{ capacity: mine, description: 'De Sofía' }])
  }
})

// Five rounds of two publications of thirty classes, after each of which all invariants are read.
test('two whole weeks that are published at once in opposite orders both arrive (L4)', { timeout: 120_000 }, async () => {
  const ids: number[] = []
  for (let n = 0; n < 30; n++) ids.push((await s.make.class({ starts_at: dayOf(20 + n), capacity: 10 })).single_class_id)
  const change =
    (fields: NonNullable<ClassChange['fields']>) =>
    (single_class_id: number): ClassChange => {
      return { op: 'update', scope: 'one', single_class_id, fields }
    }
  for (let round = 0; round < 5; round++) {
    const [capacity, description] = [11 + round, `Semana ${round}`]
    const results = await Promise.all([
      here().change({ as: 'publish', changes: ids.map(change({ capacity })) }),
      there().change({ as: 'publish', changes: ids.toReversed().map(change({ description })) }),
    ])
    expect(results.map(({ result }) => result.changed)).toEqual([30, 30])
    expect(
      await s.sql('select distinct capacity, description from single_class where single_class_id = any($1)', [ids]),
      `round ${round}`,
    ).toEqual([{ capacity, description }])
    expect(await findBrokenInvariants(s)).toEqual({})
  }
})
