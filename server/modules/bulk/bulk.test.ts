/** Changes to many customers: dry run, job, refusals per row, resuming, undo (docs/domain.md LA4 to LA7). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { BULK_UNDO_MINUTES } from '#contract/bulk.ts'
import { PaymentError } from '#server/adapters/payments/port.ts'
import { type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { deliverPendingWebhooks, doJobs } from '#server/testing/work.ts'
import { runBulk } from './bulk.ts'

let s: TestStudio
let owner: Person
let desk: Person
beforeAll(async () => {
  s = await studio()
  owner = await s.make.staff('owner')
  desk = await s.make.staff('reception')
})
afterAll(() => s.close())

type Start = Parameters<ReturnType<TestStudio['as']>['bulk']['start']>[0]
const start = (input: Start, by = desk) => s.as(by, randomUUID()).bulk.start(input)
const jobOf = (job_id: number | null, by = desk) => s.as(by).bulk.job({ job_id: job_id ?? 0 })
async function tagNamed(name: string): Promise<number> {
  const rows = await s.sql<{ tag_id: number }>(`insert into tag (name, type) values ($1, 'customer') returning tag_id`, [name])
  return rows[0]?.tag_id ?? 0
}
async function people(n: number, name = `P${randomUUID().slice(0, 8)}`): Promise<{ name: string; ids: number[] }> {
  const ids: number[] = []
  for (let at = 0; at < n; at++) ids.push((await s.make.customer({ name, last_name: `${at}` })).customer_id)
  return { name, ids }
}
const tagged = async (tag_id: number) =>
  (await s.sql<{ customer_id: number }>('select customer_id from customer_tag where tag_id = $1 order by 1', [tag_id])).map(
    (row) => row.customer_id,
  )
async function complete(input: Start, by = desk) {
  const { job_id } = await start(input, by)
  await doJobs(s)
  return jobOf(job_id, by)
}

test('a dry run says how many change and which do not and why, and writes nothing (LA4)', async () => {
  const { name, ids } = await people(3)
  const tag_id = await tagNamed('Vecinos')
  await s.sql('insert into customer_tag (customer_id, tag_id) values ($1, $2)', [ids[0], tag_id])
  const dry = await start({ action: 'tags.add', filter: { query: name }, params: { tag_id }, dry_run: true })
  expect(dry).toMatchObject({ job_id: null, label: 'Agregar la etiqueta “Vecinos”', total: 3, affected: 2, refused_total: 1 })
  expect(dry.refused).toEqual([{ id: ids[0], name: `${name} 0`, code: 'TAG_PRESENT', message: 'Ya tiene la etiqueta.' }])
  const job = await start({ action: 'tags.add', ids: [...ids, 999_999], params: { tag_id }, dry_run: true })
  expect(job).toMatchObject({ total: 4, affected: 2, refused_total: 2 })
  expect(await tagged(tag_id)).toEqual([ids[0]])
})

test('customers who match a filter get a tag, with an entry each; undoing removes it only from those who got it (LA5, LA7)', async () => {
  const { name, ids } = await people(60)
  const others = await people(1)
  const tag_id = await tagNamed('Torneo')
  await s.sql('insert into customer_tag (customer_id, tag_id) values ($1, $2)', [ids[0], tag_id])
  const input: Start = { action: 'tags.add', filter: { query: name }, params: { tag_id } }
  const key = randomUUID()
  const { job_id } = await s.as(desk, key).bulk.start(input)
  expect((await s.as(desk, key).bulk.start(input)).job_id).toBe(job_id)
  expect(await jobOf(job_id)).toMatchObject({ state: 'waiting', done: 0, total: 60, undo_until: null })
  await doJobs(s)
  const done = await jobOf(job_id)
  expect(done).toMatchObject({ state: 'done', done: 60, changed: 59, refused_total: 1, refused: [{ id: ids[0], code: 'TAG_PRESENT' }] })
  expect(await tagged(tag_id)).toEqual(ids)
  expect(await tagged(tag_id)).not.toContain(others.ids[0])
  const { entries } = await s.as(owner).auditLog.list({ customer_id: ids[1] ?? 0 })
  expect(entries[0]).toMatchObject({ action: 'customer.tags', who: { kind: 'staff' } })
  const [started] = (await s.as(owner).auditLog.list({ entity: 'bulk_job' })).entries
  expect(started?.sentence).toMatch(/hizo un cambio a 60 clientes · Agregar la etiqueta “Torneo”$/)
  expect(done.undo_until).not.toBeNull()
  expect(await refusalOf(s.as(owner).bulk.undo({ job_id: job_id ?? 0 }))).toMatchObject({ code: 'NOT_FOUND' })
  expect(await s.as(desk).bulk.undo({ job_id: job_id ?? 0 })).toMatchObject({ state: 'undoing', changed: 59 })
  await doJobs(s)
  expect(await jobOf(job_id)).toMatchObject({ state: 'undone', done: 60, changed: 0, undo_until: null })
  expect(await tagged(tag_id)).toEqual([ids[0]])
  // A second click, or another tab: nothing is left to do.
  expect(await s.as(desk).bulk.undo({ job_id: job_id ?? 0 })).toMatchObject({ state: 'undone' })
})

test('a finished job can be undone from what its author did last: by its author, with the right, within the time (LA6, LA9)', async () => {
  const { ids } = await people(2)
  const person = await s.make.staff('reception')
  const tag_id = await tagNamed('Ajedrez')
  const { job_id } = await s.as(person, randomUUID()).bulk.start({ action: 'tags.add', ids, params: { tag_id } })
  const open = async (by: Person) => (await s.as(by).undos.list()).undos.filter(({ kind }) => kind === 'job')
  expect(await open(person)).toEqual([])
  await doJobs(s)
  expect(await open(person)).toEqual([
    { kind: 'job', id: job_id, label: 'Agregar la etiqueta “Ajedrez”', at: expect.any(String), until: expect.any(String) },
  ])
  expect(await open(desk)).not.toContainEqual(expect.objectContaining({ id: job_id }))
  const { staff_id } = (await s.as(person).team.me()).staff
  await s.as(owner).team.update({ staff_id, rights_removed: ['customers.edit'] })
  // Rights are cached until the event of their change arrives.
  await expect.poll(() => open(person)).toEqual([])

  const colleague = await s.make.staff('reception')
  const first = await s.as(colleague, randomUUID()).bulk.start({ action: 'tags.remove', ids, params: { tag_id } })
  await doJobs(s)
  expect((await open(colleague)).map(({ id }) => id)).toEqual([first.job_id])
  await s.as(colleague).bulk.undo({ job_id: first.job_id ?? 0 })
  expect(await open(colleague)).toEqual([])
  await doJobs(s)
  await s.as(colleague, randomUUID()).bulk.start({ action: 'tags.remove', ids, params: { tag_id } })
  await doJobs(s)
  expect(await open(colleague)).toHaveLength(1)
  s.clock.advance({ minutes: BULK_UNDO_MINUTES, seconds: 1 })
  expect(await open(colleague)).toEqual([])
})

test('an interrupted job resumes where it was, and two processes at once change no item twice (LA6)', async () => {
  const { ids } = await people(120)
  const { job_id } = await start({
    action: 'credits.give',
    ids,
    params: { amount: 2, expiration_date: '2026-12-31' },
    reason: 'Por la obra',
  })
  await s.sql(`delete from jobs.job where data->>'job' = 'bulk.run'`)
  const stop = new AbortController()
  const bulk_job_id = job_id ?? 0
  const first = runBulk(s.system('bulk.run'), { bulk_job_id }, { signal: stop.signal })
  while ((await jobOf(job_id)).done === 0) await new Promise((resume) => setTimeout(resume, 5))
  stop.abort(new Error('killed'))
  await expect(first).rejects.toThrow('killed')
  const half = await jobOf(job_id)
  expect(half).toMatchObject({ state: 'running' })
  expect(half.done).toBeLessThan(120)
  const { signal } = new AbortController()
  await Promise.all([1, 2].map(() => runBulk(s.system('bulk.run'), { bulk_job_id }, { signal })))
  expect(await jobOf(job_id)).toMatchObject({ state: 'done', done: 120, changed: 120, refused_total: 0 })
  const rows = await s.sql<{ n: number }>(
    'select count(*)::int as n from available_class where customer_id = any($1) group by customer_id having count(*) <> 1 or sum(balance) <> 2',
    [ids],
  )
  expect(rows).toEqual([])
})

test('credits are extended, frozen and thawed, and undone where they did not change since (C24, LA7)', async () => {
  const { ids } = await people(3)
  const [with1, spent, none] = ids as [number, number, number]
  const creditLotIds: number[] = []
  for (const customer_id of [with1, spent]) {
    const answer = await s.as(desk, randomUUID()).credits.create({
      available_class_id: 'nuevo',
      customer_id,
      available_classes: 3,
      expiration_date: '2026-12-10',
      reason: 'Prueba',
    } as never)
    creditLotIds.push(answer.available_classes[0]?.available_class_id ?? 0)
  }
  const last = async () =>
    (
      await s.sql<{ day: string; frozen: boolean }>(
        `select to_char(expires_at at time zone 'America/Mexico_City', 'YYYY-MM-DD HH24:MI:SS') as day, "frozenAt" is not null as frozen
         from available_class where available_class_id = any($1) order by available_class_id`,
        [creditLotIds],
      )
    ).map((row) => `${row.day}${row.frozen ? ' frozen' : ''}`)
  const extended = await complete({ action: 'credits.extend', ids, params: { days: 7 }, reason: 'Obra en la calle' })
  expect(extended).toMatchObject({ changed: 2, refused: [{ id: none, code: 'NO_CREDITS' }] })
  expect(await last()).toEqual(['2026-12-17 23:59:59', '2026-12-17 23:59:59'])
  // One of them is changed by hand before the undo: it stays.
  await s
    .as(desk, randomUUID())
    .credits.update({ available_class_id: creditLotIds[1] ?? 0, expiration_date: '2026-12-20', reason: 'Otra cosa' })
  await s.as(desk).bulk.undo({ job_id: extended.job_id })
  await doJobs(s)
  expect(await jobOf(extended.job_id)).toMatchObject({
    state: 'undone',
    changed: 1,
    refused_total: 2,
    refused: expect.arrayContaining([expect.objectContaining({ id: spent, code: 'CHANGED_MEANWHILE' })]),
  })
  expect(await last()).toEqual(['2026-12-10 23:59:59', '2026-12-20 23:59:59'])
  await complete({ action: 'credits.freeze', ids, params: {}, reason: 'Cierre' })
  expect(await last()).toEqual(['2026-12-10 23:59:59 frozen', '2026-12-20 23:59:59 frozen'])
  s.clock.advance({ days: 2 })
  const thawed = await complete({ action: 'credits.thaw', ids, params: {}, reason: 'Reabrimos' })
  expect(thawed).toMatchObject({ changed: 2, refused_total: 1 })
  expect(await last()).toEqual(['2026-12-12 23:59:59', '2026-12-22 23:59:59'])
})

describe('freezing a subscriber (C25)', () => {
  async function member() {
    const customer = await s.make.customer()
    const { class_package_id } = await s.make.package({
      price_centavos: 145_000,
      class_amount: 8,
      is_subscription: true,
      subscription_period: 'month',
      subscription_interval: 1,
    })
    const { purchase_id } = await s.as(customer, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })
    return { who: customer, purchase_id }
  }
  const isPaused = async (purchase_id: number) => (await s.as(owner).studioSales.purchase({ purchase_id })).purchase.paused
  const charges = async (purchase_id: number) => (await s.bank().ledger(purchase_id)).length
  /** The processor's clock moves and its webhooks arrive. */
  async function days(n: number) {
    s.clock.advance({ days: n })
    await s.bank().tick()
    await deliverPendingWebhooks(s)
    await doJobs(s)
  }
  const freeze = (ids: number[], action: 'credits.freeze' | 'credits.thaw' = 'credits.freeze') =>
    complete({ action, ids, params: {}, reason: 'Lesión' })

  test('a subscriber is not charged while frozen, and again after the thaw; undoing does the opposite', async () => {
    const { who, purchase_id } = await member()
    const ids = [who.customer_id]
    expect(await freeze(ids)).toMatchObject({ changed: 1, refused_total: 0 })
    expect(await isPaused(purchase_id)).toBe(true)
    await days(40)
    expect(await charges(purchase_id)).toBe(1)
    const thawed = await freeze(ids, 'credits.thaw')
    expect(thawed).toMatchObject({ changed: 1, refused_total: 0 })
    expect(await isPaused(purchase_id)).toBe(false)
    await s.as(desk).bulk.undo({ job_id: thawed.job_id })
    await doJobs(s)
    expect(await isPaused(purchase_id)).toBe(true)
    await freeze(ids, 'credits.thaw')
    await days(31)
    expect(await charges(purchase_id)).toBeGreaterThan(1)
    const trail = await s.sql<{ action: string; actor: string }>(
      `select action, actor from audit where entity = 'purchase' and entity_id = $1 and action like 'subscription.%' order by audit_id`,
      [String(purchase_id)],
    )
    expect(trail.map(({ action }) => action)).toEqual(['pause', 'resume', 'pause', 'resume'].map((verb) => `subscription.${verb}`))
    expect(new Set(trail.map(({ actor }) => actor))).toEqual(new Set(['staff:reception']))
  })

  test('what staff paused by hand stays paused after the thaw', async () => {
    const { who, purchase_id } = await member()
    await s.as(owner).studioSales.pause({ purchase_id, reason: 'De viaje' })
    expect(await freeze([who.customer_id])).toMatchObject({ changed: 1 })
    expect(await freeze([who.customer_id], 'credits.thaw')).toMatchObject({ changed: 1 })
    expect(await isPaused(purchase_id)).toBe(true)
  })

  test('a customer with an overdue charge, or whose processor does not answer, is not frozen', async () => {
    const { who, purchase_id } = await member()
    await s.sql(`update purchase set past_due_since = now() where purchase_id = $1`, [purchase_id])
    const dry = await start({ action: 'credits.freeze', ids: [who.customer_id], params: {}, reason: 'Lesión', dry_run: true })
    expect(dry).toMatchObject({ affected: 0, refused: [{ code: 'SUBSCRIPTION_NOT_PAUSABLE' }] })
    await s.sql(`update purchase set past_due_since = null where purchase_id = $1`, [purchase_id])
    const pause = vi
      .spyOn(s.bank(), 'pause')
      .mockRejectedValueOnce(new PaymentError({ kind: 'unavailable', code: 'PAYMENT_TRY_LATER', retry: 'later' }))
    expect(await freeze([who.customer_id])).toMatchObject({ changed: 0, refused: [{ code: 'PAYMENT_TRY_LATER' }] })
    expect(await s.sql(`select 1 from available_class where customer_id = $1 and "frozenAt" is not null`, [who.customer_id])).toEqual([])
    pause.mockRestore()
    expect(await freeze([who.customer_id])).toMatchObject({ changed: 1 })
  })
})

test('each action needs its right, also while the job runs; a limit, a reason and its data (E6, LA4)', async () => {
  const { ids } = await people(2)
  const tag_id = await tagNamed('Prensa')
  const limited = await s.make.staff('reception')
  await s.sql(`insert into staff_right select staff_id, unnest(array['customers.edit', 'credits.edit']), false from staff where uid = $1`, [
    limited.uid,
  ])
  for (const input of [
    { action: 'tags.add', ids, params: { tag_id } },
    { action: 'credits.freeze', ids, reason: 'Cierre', dry_run: true },
  ] as const)
    expect(await refusalOf(start({ ...input, ids: [...ids] }, limited))).toMatchObject({ code: 'FORBIDDEN' })
  const invalid = { code: 'INVALID_INPUT' }
  expect(await refusalOf(start({ action: 'credits.extend', ids, params: { days: 3 } }))).toMatchObject(invalid)
  expect(await refusalOf(start({ action: 'tags.add', ids, params: {} }))).toMatchObject(invalid)
  expect(await refusalOf(start({ action: 'tags.add', ids, params: { tag_id, days: 3 } }))).toMatchObject(invalid)
  expect(await refusalOf(start({ action: 'tags.add', ids, params: { tag_id: 999_999 } }))).toMatchObject(invalid)
  expect(await refusalOf(start({ action: 'tags.add', params: { tag_id } }))).toMatchObject(invalid)
  const past = { amount: 1, expiration_date: '2020-01-01' }
  expect(await refusalOf(start({ action: 'credits.give', ids, params: past, reason: 'Regalo' }))).toMatchObject(invalid)

  const { job_id } = await start({ action: 'tags.add', ids, params: { tag_id } })
  await s.sql(`insert into staff_right select staff_id, 'customers.edit', false from staff where uid = $1`, [desk.uid])
  await doJobs(s)
  await s.sql(`delete from staff_right where staff_id = (select staff_id from staff where uid = $1)`, [desk.uid])
  expect(await jobOf(job_id)).toMatchObject({
    state: 'done',
    changed: 0,
    refused_total: 2,
    refused: [{ code: 'FORBIDDEN' }, { code: 'FORBIDDEN' }],
  })
  expect(await tagged(tag_id)).toEqual([])
  await s.sql(
    `insert into customer (name, last_name, email) select 'Muchos', n::text, 'muchos' || n || '@x.example' from generate_series(1, 5001) n`,
  )
  await s.sql(`insert into customer_summary (customer_id, search, sort_name, state, stale_at, has_account, has_unlimited, available, titles, class_package_ids,
      renewal_refused, visits, visits_30, spent_centavos, owed_centavos, "createdAt")
    select customer_id, 'muchos', 'muchos', 'new', null, false, false, 0, '{}', '{}', false, 0, 0, 0, 0, now() from customer where name = 'Muchos'
    on conflict do nothing`)
  expect(await refusalOf(start({ action: 'tags.add', filter: { query: 'muchos' }, params: { tag_id } }))).toMatchObject({
    code: 'BULK_TOO_LARGE',
    data: { total: 5_001, max: 5_000 },
  })
})
