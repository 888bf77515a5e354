/**
 * Reports answer the same whether the rollups are absent, there for some, or there for all, and what is out of date is never read: such
 * rows are made wrong here first. That the reports are right is in `server/modules/reports/generated.test.ts`.
 */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ReportKey } from '#contract/copy/reports.ts'
import { generateStudio } from '#server/testing/generated-studio.ts'
import { allReportRows } from '#server/testing/report-rows.ts'
import { type Person, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { checkRollups, rebuildRollups, refreshAllRollups, refreshRollups, wrongRollups } from './rollups.ts'

let s: TestStudio
let owner: Person
let there: number
beforeAll(async () => {
  s = await studio()
  s.clock.set(START)
  owner = await s.make.staff('owner')
  there = (await generateStudio(s, 'chaotic', 11)).locations[1]
  await s.sql(
    `insert into class_refusal (single_class_id, customer_id, "createdAt") select c.single_class_id, u.customer_id, c.starts_at from single_class c
     join customer u on (c.single_class_id + u.customer_id) % 11 = 0 where not u.is_anonymous`,
  )
  // Marked before the class begins: a future visit.
  await s.sql(
    `update class_reservation set attend = true where class_reservation_id = (select r.class_reservation_id from class_reservation r
    join single_class c using (single_class_id) where c.starts_at > $1 and r."deletedAt" is null and c."cancelledAt" is null limit 1)`,
    [s.clock.now()],
  )
})
afterAll(() => s.close())

const READING: readonly ReportKey[] = [
  'asistencia',
  'coaches',
  'primera-clase',
  'retencion',
  'clientes',
  'calificaciones',
  'espera',
  'ocupacion',
]

/** What the reports that read it answer. */
const everything = () => allReportRows(s, owner, READING, there)

const ALL = ['class_rollup', 'visit_month', 'visit_first']
/** Says that nothing is derived. */
async function forget() {
  for (const table of [...ALL, 'rollup_change']) await s.sql(`delete from ${table}`)
  await s.sql(`insert into rollup_change (customer_id) select customer_id from customer`)
  await s.sql(`insert into rollup_change (single_class_id) select single_class_id from single_class`)
}
/** Makes the rows of some classes and customers wrong. */
async function spoil(which: string) {
  await s.sql(`update class_rollup set attended = attended + 100, reservations = reservations + 100, low = low + 7, class_stars = class_stars + 9,
    waited = waited + 3, outside = outside || array[1, 2], refused = refused + 1, filled_at = '2026-01-01', first_at = '2025-12-31' where single_class_id % 2 ${which}`)
  await s.sql(`update visit_month set visits = visits + 50, month = month + interval '5 years' where customer_id % 2 ${which}`)
  await s.sql(`update visit_first set starts_at = starts_at - interval '70 days', next_at = null where customer_id % 2 ${which}`)
}

describe('what reports read', () => {
  let without: Record<string, unknown>
  beforeAll(async () => {
    await forget()
    without = await everything()
    expect(JSON.stringify(without).length).toBeGreaterThan(50_000)
  })

  test('without rollups, with all, with some and wrong ones that are out of date: the same', async () => {
    expect(await refreshAllRollups(s.system())).toBeGreaterThan(100)
    for (const table of ALL) expect(await s.sql(`select 1 from ${table} limit 1`)).toHaveLength(1)
    expect(await everything()).toEqual(without)
    await spoil('= 0')
    expect(await everything()).not.toEqual(without)
    await s.sql(`insert into rollup_change (customer_id) select customer_id from customer where customer_id % 2 = 0`)
    await s.sql(`insert into rollup_change (single_class_id) select single_class_id from single_class where single_class_id % 2 = 0`)
    expect(await everything()).toEqual(without)
    await refreshAllRollups(s.system())
    expect(await everything()).toEqual(without)
  })

  test('derived a few at a time', async () => {
    await forget()
    await refreshRollups(s.system(), 25)
    expect(await everything()).toEqual(without)
    await refreshAllRollups(s.system())
    expect(await wrongRollups(s.system())).toEqual({ classes: [], customers: [] })
  })

  test('stored by the months of another zone, they are not read', async () => {
    await s.sql(`update rollup_zone set zone = 'Asia/Tokyo'`)
    await s.sql(`update visit_month set month = month + interval '5 years'`)
    expect(await everything()).toEqual(without)
    await refreshAllRollups(s.system())
    expect(await everything()).toEqual(without)
    expect(await wrongRollups(s.system())).toEqual({ classes: [], customers: [] })
  })
})

test('the check of the night finds what is wrong, names it in its answer and repairs it; rebuilding repairs all', async () => {
  await refreshAllRollups(s.system())
  const right = await everything()
  const [cls] = await s.sql<{ single_class_id: number }>(`select single_class_id from class_rollup order by attended desc limit 1`)
  const [first, second] = await s.sql<{ customer_id: number }>(`select distinct customer_id from visit_first order by 1 limit 2`)
  await s.sql(`update class_rollup set attended = attended - 1, absent = absent + 1 where single_class_id = $1`, [cls?.single_class_id])
  await s.sql(`delete from visit_month where customer_id = $1`, [first?.customer_id])
  await s.sql(`update visit_first set next_at = starts_at + interval '400 days' where customer_id = $1`, [second?.customer_id])
  expect(await checkRollups(s.system())).toEqual({
    classes: [cls?.single_class_id],
    customers: [first?.customer_id, second?.customer_id],
  })
  expect(await everything()).toEqual(right)
  expect(await checkRollups(s.system())).toEqual({ classes: [], customers: [] })
  await spoil('>= 0')
  await rebuildRollups(s.system())
  expect(await everything()).toEqual(right)
})

describe('a change marks what it makes wrong', () => {
  const reservationIn = (
    where: string,
  ) => `(select r.class_reservation_id from class_reservation r join single_class c using (single_class_id)
    where r.attend and r."deletedAt" is null and c."cancelledAt" is null ${where} order by 1 limit 1)`
  const cls = `(select single_class_id from single_class c where "cancelledAt" is null and "settledAt" is not null
    and exists (select from class_reservation r where r.single_class_id = c.single_class_id and r.attend) order by 1 limit 1)`
  const wait = `(select waitlist_id from waitlist where status not in ('booked', 'waiting', 'offered') order by 1 limit 1)`
  test.each([
    ['a mark', `update class_reservation set attend = false where class_reservation_id = ${reservationIn('')}`],
    ['an excuse', `update class_reservation set attend = false, excuse = 'Enferma' where class_reservation_id = ${reservationIn('')}`],
    [
      'a cancellation',
      `update class_reservation set "deletedAt" = now(), cancelled_by = 'staff', cancelled_late = true where class_reservation_id = ${reservationIn('')}`,
    ],
    [
      'stars',
      `update class_reservation set coach_stars = 1, class_stars = 1 where class_reservation_id = ${reservationIn('and r.coach_stars is null')}`,
    ],
    [
      'stars of the class alone',
      `update class_reservation set class_stars = 2 where class_reservation_id = ${reservationIn('and r.class_stars is distinct from 2')}`,
    ],
    [
      'somebody who waits',
      `insert into waitlist (single_class_id, customer_id, status, "createdAt", "updatedAt") select ${cls}, max(customer_id), 'passed', now(), now() from customer`,
    ],
    ['who waited gets in', `update waitlist set status = 'booked' where waitlist_id = ${wait}`],
    [
      'who waits is another person',
      `update waitlist set customer_id = (select min(customer_id) from customer where is_anonymous is not true) where waitlist_id = (select max(waitlist_id) from waitlist)`,
    ],
    [
      'somebody who found the class full',
      `insert into class_refusal (single_class_id, customer_id, "createdAt") select ${cls}, max(customer_id), now() from customer`,
    ],
    [
      'a refusal of another person',
      `update class_refusal f set customer_id = (select min(u.customer_id) from customer u where not u.is_anonymous and not exists (
         select from class_refusal o where o.single_class_id = f.single_class_id and o.customer_id = u.customer_id))
       where single_class_id = ${cls} and customer_id = (select max(customer_id) from customer)`,
    ],
    ['a refusal that is gone', `delete from class_refusal`],
    ['a smaller class', `update single_class set capacity = taken where single_class_id = ${cls}`],
    [
      'an earlier reservation',
      `update class_reservation set "createdAt" = "createdAt" - interval '3 days' where class_reservation_id = ${reservationIn('')}`,
    ],
    ['a waitlist that is gone', `delete from waitlist where waitlist_id = (select max(waitlist_id) from waitlist)`],
    [
      'another customer',
      `update class_reservation set customer_id = (select min(customer_id) from customer where is_anonymous is not true) where class_reservation_id = ${reservationIn(
        'and r.customer_id > (select min(customer_id) + 3 from customer)',
      )} `,
    ],
    [
      'another hour',
      `update single_class set starts_at = starts_at - interval '40 days', ends_at = ends_at - interval '40 days' where single_class_id = ${cls}`,
    ],
    [
      'another place',
      `update single_class c set location_id = (select max(location_id) from location l where l.location_id <> c.location_id) where single_class_id = ${cls}`,
    ],
    ['a cancelled class', `update single_class set "cancelledAt" = now() where single_class_id = ${cls}`],
    ['a list that is open again', `update single_class set "settledAt" = null where "settledAt" is not null`],
  ])('%s', async (_, statement) => {
    await refreshAllRollups(s.system())
    await s.sql(statement)
    expect(await s.sql('select 1 from rollup_change limit 1')).toHaveLength(1)
    expect(await wrongRollups(s.system())).toEqual({ classes: [], customers: [] })
    await refreshAllRollups(s.system())
    expect(await wrongRollups(s.system())).toEqual({ classes: [], customers: [] })
  })

  test('a reservation that is gone', async () => {
    const [row] = await s.sql<{ id: number }>(
      `insert into class_reservation (single_class_id, customer_id, attend, "createdAt", "updatedAt") select (select min(single_class_id) from single_class),
       max(customer_id), true, now(), now() from customer returning class_reservation_id as id`,
    )
    await refreshAllRollups(s.system())
    await s.sql('delete from class_reservation where class_reservation_id = $1', [row?.id])
    expect(await s.sql('select distinct single_class_id, customer_id from rollup_change')).toHaveLength(1)
    expect(await wrongRollups(s.system())).toEqual({ classes: [], customers: [] })
    await refreshAllRollups(s.system())
    expect(await wrongRollups(s.system())).toEqual({ classes: [], customers: [] })
  })
})

test('a change that is committed while its class is derived is counted from then on', async () => {
  await refreshAllRollups(s.system())
  const [row] = await s.sql<{ class_reservation_id: number; single_class_id: number }>(
    `select r.class_reservation_id, r.single_class_id from class_reservation r join single_class c using (single_class_id)
     where r.attend and r."deletedAt" is null and c."cancelledAt" is null and c.starts_at between '2026-10-06' and '2026-10-24' limit 1`,
  )
  const came = async () => (await s.as(owner).reports.read({ key: 'asistencia', from: '2026-10-05', to: '2026-10-25' })).totals
  const before = await came()
  const held = new pg.Client({ connectionString: s.database })
  await held.connect()
  await held.query('begin')
  await held.query(`update class_reservation set attend = false where class_reservation_id = $1`, [row?.class_reservation_id])
  await s.sql(`insert into rollup_change (single_class_id) values ($1)`, [row?.single_class_id])
  await refreshAllRollups(s.system())
  expect(await came()).toEqual(before)
  await held.query('commit')
  await held.end()
  const after = await came()
  expect(after).not.toEqual(before)
  await refreshAllRollups(s.system())
  expect(await came()).toEqual(after)
  expect(await wrongRollups(s.system())).toEqual({ classes: [], customers: [] })
})
