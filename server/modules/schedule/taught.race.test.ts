/**
 * K8: what a class to come, or credits that still pay, point at is not removed at the same moment. First with the transaction of one side
 * held open where the race is, then both at once through two processes.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outcome } from '#server/testing/outcomes.ts'
import { type SecondProcess, secondProcess } from '#server/testing/second-process.ts'
import { type Client, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let other: SecondProcess
let owner: Person
beforeAll(async () => {
  s = await studio()
  other = await secondProcess(s)
  owner = await s.make.staff('owner')
})
afterAll(async () => {
  await other.close()
  await s.close()
})

async function pointed() {
  const [type, location, coach] = [await s.make.classType(), await s.make.location(), await s.make.instructor()]
  return { class_type_id: type.class_type_id, location_id: location.location_id, instructor_id: coach.instructor_id }
}
type Pointed = Awaited<ReturnType<typeof pointed>>
const create = (as: Client, at: Pointed) =>
  as.schedule.create({
    class_type_id: at.class_type_id,
    location_id: at.location_id,
    instructor_ids: [at.instructor_id],
    class_date: '2026-12-01T18:00:00.000Z',
    capacity: 5,
  })
const REMOVALS: Record<string, { table: string; id: keyof Pointed; field: string; remove: (as: Client, at: Pointed) => Promise<unknown> }> =
  {
    'a type of class': {
      table: 'class_type',
      id: 'class_type_id',
      field: 'class_type_id',
      remove: (as, { class_type_id }) => as.catalogue.admin.classTypes.remove({ class_type_id }),
    },
    'a studio': {
      table: 'location',
      id: 'location_id',
      field: 'location_id',
      remove: (as, { location_id }) => as.catalogue.admin.locations.remove({ location_id }),
    },
    'a coach': {
      table: 'instructor',
      id: 'instructor_id',
      field: 'instructor_ids',
      remove: (as, { instructor_id }) => as.catalogue.admin.instructors.remove({ instructor_id }),
    },
  }

/** Runs `during` while another transaction with these statements is still open. */
async function whileUncommitted<T>(
  texts: string[],
  values: unknown[],
  during: () => Promise<T>,
): Promise<{ waited: boolean; result: Promise<T> }> {
  const client = new pg.Client({ connectionString: s.database })
  await client.connect()
  await client.query('begin')
  for (const text of texts) await client.query(text, values)
  let done = false
  const finished = during().finally(() => {
    done = true
  })
  finished.catch(() => {})
  await sleep(150)
  const waited = !done
  await client.query('commit')
  await client.end()
  return { waited, result: finished }
}

/** The steps of a removal: lock the row, check for references, mark it as deleted. */
const removal = (table: string, id: string) => [
  `select 1 from ${table} where ${id} = $1 for update`,
  `update ${table} set "deletedAt" = now() where ${id} = $1`,
]

test.each(Object.entries(REMOVALS))(
  '%s being removed: a concurrent new class waits, and is refused',
  async (_what, { table, id, field }) => {
    const at = await pointed()
    const { waited, result } = await whileUncommitted(removal(table, id), [at[id]], () => create(s.as(owner), at))
    expect(await refusalOf(result)).toMatchObject({ code: 'NOT_FOUND', data: { field } })
    expect(waited).toBe(true)
    expect(await s.sql('select 1 from single_class where class_type_id = $1', [at.class_type_id])).toEqual([])
  },
)

test.each(Object.entries(REMOVALS))('%s getting a class: a concurrent removal waits, and is refused', async (_what, { id, remove }) => {
  const at = await pointed()
  const insert = `with c as (insert into single_class (class_type_id, location_id, starts_at, ends_at, capacity)
    values ($1, $2, '2026-12-01T18:00:00Z', '2026-12-01T19:00:00Z', 5) returning single_class_id)
    insert into class_instructor (single_class_id, instructor_id) select single_class_id, $3 from c`
  const { waited, result } = await whileUncommitted([insert], [at.class_type_id, at.location_id, at.instructor_id], () =>
    remove(other.as(owner), at),
  )
  expect(await refusalOf(result)).toMatchObject({ code: 'IN_USE', data: { uses: [{ kind: 'single_class', count: 1 }] } })
  expect([id, waited]).toEqual([id, true])
})

test('a category that a class is being given: its deletion waits, and names the class with its count', async () => {
  const { class_category } = await s.as(owner).catalogue.admin.classCategories.create({ name: 'Fuerza' })
  const { class_category_id } = class_category
  const cls = await s.make.class()
  const update = 'update single_class set class_category_id = $1 where single_class_id = $2'
  const { waited, result } = await whileUncommitted([update], [class_category_id, cls.single_class_id], () =>
    other.as(owner).catalogue.admin.classCategories.remove({ class_category_id }),
  )
  expect(await refusalOf(result)).toMatchObject({ code: 'IN_USE', data: { uses: [{ kind: 'single_class', count: 1 }] } })
  expect(waited).toBe(true)
})

test('a reference that the count does not see is refused by the database, in the same shape', async () => {
  const { class_category } = await s.as(owner).catalogue.admin.classCategories.create({ name: 'Movilidad' })
  const { class_category_id } = class_category
  // As a class that is written between the count and the deletion: the first statement after the count adds it.
  const cls = await s.make.class()
  await s.sql(`create function gives_category() returns trigger language plpgsql as $$ begin
    update single_class set class_category_id = old.class_category_id where single_class_id = ${cls.single_class_id}; return old; end $$`)
  await s.sql('create trigger gives_category before delete on class_category for each row execute function gives_category()')
  const removing = s.as(owner).catalogue.admin.classCategories.remove({ class_category_id })
  // The transaction that added it is undone with it, so that nothing is left to count.
  expect(await refusalOf(removing)).toMatchObject({ code: 'IN_USE', data: { uses: [] } })
  await s.sql('drop trigger gives_category on class_category')
  expect(await s.as(owner).catalogue.admin.classCategories.remove({ class_category_id })).toEqual({ ok: true })
})

test('creating a class and removing its references at both processes, thirty times: never a class of a removed record', async () => {
  const seen = new Set<string>()
  for (let round = 0; round < 30; round++) {
    const at = await pointed()
    const [first, two] = round % 2 ? [s.as(owner), other.as(owner)] : [other.as(owner), s.as(owner)]
    const [what, { remove }] = Object.entries(REMOVALS)[round % 3] as [string, (typeof REMOVALS)[string]]
    const outcomes = await Promise.all([create(first, at), remove(two, at)].map((call) => outcome(call)))
    seen.add(outcomes.join())
    expect([what, outcomes.filter((outcome) => outcome === 'ok').length]).toEqual([what, 1])
  }
  for (const outcome of seen) expect(['ok,IN_USE', 'NOT_FOUND,ok']).toContain(outcome)
  const wrong = `select c.single_class_id from single_class c join class_type t using (class_type_id) join location l using (location_id)
    join class_instructor i using (single_class_id) join instructor k using (instructor_id)
    where t."deletedAt" is not null or l."deletedAt" is not null or k."deletedAt" is not null`
  expect(await s.sql(wrong)).toEqual([])
})

test('changing a class’s type, and credits restricted to a type, wait for a removal too', async () => {
  const [at, next, ana] = [await pointed(), await pointed(), await s.make.customer()]
  const { single_class_ids } = await create(s.as(owner), at)
  const change = await whileUncommitted(removal('class_type', 'class_type_id'), [next.class_type_id], () =>
    s.as(owner).schedule.update({ single_class_id: single_class_ids[0] ?? 0, class_type_id: next.class_type_id }),
  )
  expect(await refusalOf(change.result)).toMatchObject({ code: 'NOT_FOUND', data: { field: 'class_type_id' } })
  const third = await pointed()
  const give = await whileUncommitted(removal('location', 'location_id'), [third.location_id], () =>
    s.as(owner).credits.create({
      customer_id: ana.customer_id,
      available_classes: 2,
      expiration_date: '2026-12-31',
      reason: 'De prueba',
      location_ids: [third.location_id],
    }),
  )
  expect(await refusalOf(give.result)).toMatchObject({ code: 'NOT_FOUND', data: { field: 'location_ids' } })
  expect([change.waited, give.waited]).toEqual([true, true])
  expect((await s.as(ana).credits.list()).available_classes).toEqual([])
})
