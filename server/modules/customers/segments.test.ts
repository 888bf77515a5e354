/** Segments: saved filters that select the customers who match now, and the filters that exist for them (docs/domain.md X6, X15). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MAX_SEGMENTS } from '#contract/segments.ts'
import { type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { customersOfSegment, isInSegment } from './customers.ts'

let s: TestStudio
let desk: Person
beforeAll(async () => {
  s = await studio()
  desk = await s.make.staff('reception')
})
afterAll(() => s.close())

const DAY = 86_400_000
const at = (days: number) => new Date(Date.parse(START) + days * DAY)
type Filter = Parameters<ReturnType<TestStudio['as']>['segments']['create']>[0]['filter']
const create = async (name: string, filter: Filter) => (await s.as(desk).segments.create({ name, filter })).segment
const countOf = async (segment_id: number) =>
  (await s.as(desk).segments.all({})).segments.find((segment) => segment.segment_id === segment_id)?.count
const idsOf = async (input: Parameters<ReturnType<TestStudio['as']>['customerList']['list']>[0]) =>
  (await s.as(desk).customerList.list(input)).customers.map((row) => row.customer_id)
const people = async (n: number, last_name: string) =>
  Promise.all(['Uma', 'Vera', 'Xenia', 'Yara'].slice(0, n).map((name) => s.make.customer({ name, last_name })))

async function visit(customer_id: number, days: number) {
  const { single_class_id } = await s.make.class({ starts_at: at(days) })
  await s.sql(`update single_class set "settledAt" = starts_at where single_class_id = $1`, [single_class_id])
  await s.sql(
    `insert into class_reservation (single_class_id, customer_id, attend, "createdAt", "updatedAt") values ($1, $2, true, now(), now())`,
    [single_class_id, customer_id],
  )
}

it('selects the customers who match now, for the list, its count and other modules (X15)', async () => {
  const [ana, eva] = await people(2, 'Alba')
  const { tag_id } = (await s.as(await s.make.staff('owner')).catalogue.admin.tags.create({ name: 'Torneo', type: 'customer' })).tag
  const segment = await create('Torneo de Alba', { query: 'alba', tag_id })
  expect(segment).toMatchObject({ name: 'Torneo de Alba', filter: { query: 'alba', tag_id }, count: 0 })
  await s.as(desk).customerFile.putTags({ customer_id: ana?.customer_id ?? 0, tag_ids: [tag_id] })
  const { segment_id } = segment
  expect(await countOf(segment_id)).toBe(1)
  expect(await idsOf({ segment_id })).toEqual([ana?.customer_id])
  const ctx = s.system('segments.test')
  expect(await customersOfSegment(ctx, segment_id, 10)).toEqual({ name: 'Torneo de Alba', ids: [ana?.customer_id], total: 1 })
  expect(await isInSegment(ctx, { segment_id, customer_id: ana?.customer_id ?? 0 }, ctx.db)).toBe(true)
  expect(await isInSegment(ctx, { segment_id, customer_id: eva?.customer_id ?? 0 }, ctx.db)).toBe(false)

  await s.as(desk).customerFile.putTags({ customer_id: eva?.customer_id ?? 0, tag_ids: [tag_id] })
  expect((await customersOfSegment(ctx, segment_id, 1)).total).toBe(2)
  expect(await idsOf({ segment_id, query: 'vera' })).toEqual([eva?.customer_id])
  // A change to many takes the segment as its filter.
  const dry = await s
    .as(desk, randomUUID())
    .bulk.start({ action: 'tags.remove', filter: { segment_id }, params: { tag_id }, dry_run: true })
  expect(dry).toMatchObject({ total: 2, affected: 2 })
})

it('days of a segment move with today (X15)', async () => {
  const [never, often, away] = (await people(3, 'Bruma')).map((person) => person.customer_id) as [number, number, number]
  await visit(often, -3)
  await visit(away, -31)
  const { segment_id } = await create('Bruma sin venir', { query: 'bruma', away_days: 30 })
  expect(await idsOf({ segment_id })).toEqual([away])
  s.clock.advance({ days: 28 })
  expect(new Set(await idsOf({ segment_id }))).toEqual(new Set([often, away]))
  expect(await idsOf({ query: 'bruma', away_days: 30 })).not.toContain(never)
  s.clock.set(at(0))

  const [soon, later] = await people(2, 'Cierzo')
  if (!soon || !later) throw new Error('No people.')
  await s.make.lot(soon, { expires_at: at(5) })
  await s.make.lot(later, { expires_at: at(20) })
  const expiring = await create('Cierzo vence', { query: 'cierzo', expires_in_days: 7 })
  expect(await idsOf({ segment_id: expiring.segment_id })).toEqual([soon.customer_id])
})

it('filters by consent, subscription and documents, and their opposites are all others (X6)', async () => {
  const all = (await people(4, 'Dafne')).map((person) => person.customer_id)
  const [first, second] = all as [number, number]
  const query = 'dafne'
  await s.sql(
    `insert into message_consent (customer_id, channel, allowed, "changedAt") values ($1, 'whatsapp', true, now()), ($2, 'whatsapp', false, now())`,
    [first, second],
  )
  expect(await idsOf({ query, consent: true })).toEqual([first])
  expect(await idsOf({ query, consent: false })).toEqual(all.filter((id) => id !== first))

  const { class_package_id } = await s.make.package()
  const subscribe = (customer_id: number, more: string) =>
    s.sql(
      `insert into purchase (customer_id, class_package_id, title, amount_centavos, total_centavos, class_amount, expiration_days, gateway, status,
         is_subscription, subscription_period, subscription_interval, request_hash, "createdAt", "updatedAt"${more && `, ${more}`})
       values ($1, $2, 'Mensual', 100, 100, 8, 30, 'stripe', 'active', true, 'month', 1, 'x', now(), now()${more && ', now()'})`,
      [customer_id, class_package_id],
    )
  await subscribe(first, '')
  await subscribe(second, 'past_due_since')
  expect(await idsOf({ query, subscription: 'active' })).toEqual([first])
  expect(await idsOf({ query, subscription: 'past_due' })).toEqual([second])
  expect(await idsOf({ query, subscription: 'paused' })).toEqual([])
  expect(await idsOf({ query, subscription: 'none' })).toEqual(all.slice(2))

  expect(await idsOf({ query, documents_missing: true })).toEqual([])
  expect(await idsOf({ query, documents_missing: false })).toEqual(all)
  const terms = await s.make.page({ title: 'Términos', required: true })
  const rules = await s.make.page({ title: 'Reglamento', required_signup: true })
  await s.make.page({ title: 'Blog' })
  for (const page of [terms, rules])
    await s.sql('insert into accepted_page (customer_id, page_id, version) values ($1, $2, 1)', [first, page.page_id])
  await s.sql('insert into accepted_page (customer_id, page_id, version) values ($1, $2, 1)', [second, terms.page_id])
  expect(await idsOf({ query, documents_missing: true })).toEqual(all.slice(1))
  expect(await idsOf({ query, documents_missing: false })).toEqual([first])
  await s.sql('update page set version = 2 where page_id = $1', [rules.page_id])
  expect(await idsOf({ query, documents_missing: true })).toEqual(all)
})

it('names are unique, an unknown filter and a segment that is gone are refused, and each change is an entry (X15, Y1)', async () => {
  const { segment_id } = await create('Deudores', { owes: true })
  expect(await refusalOf(create('deudores', { owes: true }))).toMatchObject({ code: 'ALREADY_EXISTS' })
  expect(await refusalOf(create('Todos', {}))).toMatchObject({ code: 'INVALID_INPUT' })
  expect(await refusalOf(create('Mal', { segment_id: 3 } as never))).toMatchObject({ code: 'INVALID_INPUT' })
  const changed = await s.as(desk).segments.update({ segment_id, filter: { owes: true, state: ['lost'] } })
  expect(changed.segment).toMatchObject({ name: 'Deudores', filter: { owes: true, state: ['lost'] } })
  const limited = await s.make.staff('reception')
  await s.sql(`insert into staff_right select staff_id, 'customers.edit', false from staff where uid = $1`, [limited.uid])
  expect((await s.as(limited).segments.all({})).segments.map((segment) => segment.name)).toContain('Deudores')
  expect(await refusalOf(s.as(limited).segments.remove({ segment_id }))).toMatchObject({ code: 'FORBIDDEN' })
  await s.as(desk).segments.remove({ segment_id })
  expect(await refusalOf(s.as(desk).customerList.list({ segment_id }))).toMatchObject({
    code: 'INVALID_INPUT',
    data: { issues: [{ path: 'segment_id', message: 'Ese segmento ya no existe.' }] },
  })
  const owner = await s.make.staff('owner')
  const { entries } = await s.as(owner).auditLog.list({ entity: 'segment', entity_id: String(segment_id) })
  expect(entries.map((entry) => entry.action)).toEqual(['segment.remove', 'segment.change', 'segment.create'])
  expect(entries[1]?.sentence).toContain('el filtro')
})

it('a studio has a limited number of segments, counted together', async () => {
  await s.sql('delete from segment')
  await s.sql(
    `insert into segment (name, filter, "updatedAt") select 'S' || n, '{"owes": false}', now() from generate_series(1, $1::int) n`,
    [MAX_SEGMENTS],
  )
  expect(await refusalOf(create('Uno más', { owes: true }))).toMatchObject({ code: 'INVALID_INPUT' })
  const { segments } = await s.as(desk).segments.all({})
  const total = (await s.as(desk).customerList.list({ owes: false })).total
  expect(new Set(segments.map((segment) => segment.count))).toEqual(new Set([total]))
})
