/** Two customers become one and two again (docs/domain.md X8 to X11). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'
import { moveStragglers } from './merge.ts'
import { movedTables, unmovedTables } from './merge-store.ts'
import { differByOneSign } from './rules.ts'

let s: TestStudio
let owner: Person
let desk: Person
beforeAll(async () => {
  s = await studio({ settings: { cash_session_required: false } })
  owner = await s.make.staff('owner', { name: 'Mónica' })
  desk = await s.make.staff('reception')
})
afterAll(() => s.close())

const merges = () => s.as(owner).customerMerge
const pair = async (remaining = {}, merge = {}) => {
  const [first, other] = [await s.make.customer(remaining), await s.make.customer(merge)]
  return { first, other, ids: { keep_id: first.customer_id, merge_id: other.customer_id } }
}
const undone = async (ids: { keep_id: number; merge_id: number }) => {
  const { customer_merge_id } = await merges().merge(ids)
  return merges().undo({ customer_merge_id: customer_merge_id ?? 0 })
}
const rowOf = async (customer_id: number) =>
  (
    await s.sql<Record<string, unknown>>(
      `select uid, name, last_name, email, phone, birthdate::text, instagram, "deletedAt", merged_into from customer where customer_id = $1`,
      [customer_id],
    )
  )[0]

/** Every row that belongs to a customer, by table. */
const ownedRows = async (customer_id: number) => {
  const owned: Record<string, unknown[]> = {}
  for (const { table, key } of movedTables)
    owned[table] = await s.sql(
      `select ${key} as key, to_jsonb(t) - 'updatedAt' as row from "${table}" t where customer_id = $1 order by 1`,
      [customer_id],
    )
  return owned
}

/** A customer with something of most kinds. */
async function busy(values: Parameters<TestStudio['make']['customer']>[0] = {}) {
  const customer = await s.make.customer(values)
  const { customer_id } = customer
  const { class_package_id } = await s.make.package({ limit_per_customer: 2 })
  await s.as(desk, randomUUID()).studioSales.giveAccess({ customer_id, class_package_id, is_gift: true })
  await s.make.lot(customer, { title: 'Suelta' })
  const cls = await s.make.class()
  await s.as(customer, randomUUID()).bookings.reserve({ single_class_id: cls.single_class_id })
  await s.as(desk).customerFile.addNote({ customer_id, text: 'Viene con su hija' })
  const { tag } = await s.as(owner).catalogue.admin.tags.create({ name: `Etiqueta ${randomUUID().slice(0, 8)}`, type: 'customer' })
  await s.as(desk).customerFile.putTags({ customer_id, tag_ids: [tag.tag_id] })
  return { ...customer, class_package_id, single_class_id: cls.single_class_id }
}

describe('merging', () => {
  test('every table that names a customer moves, or is listed with the reason why not (X8)', async () => {
    const named = await s.sql<{ table_name: string }>(
      `select table_name from information_schema.columns where table_schema = 'public' and column_name = 'customer_id' and table_name <> 'customer' order by 1`,
    )
    const listed = [...movedTables.map(({ table }) => table), ...Object.keys(unmovedTables)]
    expect(listed.sort()).toEqual(named.map(({ table_name }) => table_name))
  })

  test('everything of one belongs to the other, who can use it; the other record is gone from lists (X8)', async () => {
    const other = await busy({ name: 'Lupita', phone: null })
    const customer = await s.make.customer({ name: 'Guadalupe', phone: '5587654321' })
    const ids = { keep_id: customer.customer_id, merge_id: other.customer_id }
    const dry = await merges().merge({ ...ids, dry_run: true })
    expect(dry).toMatchObject({
      customer_merge_id: null,
      undo_until: null,
      obstacles: [],
      profile: { name: 'Guadalupe', phone: '5587654321' },
    })
    expect(dry.moves).toEqual(
      expect.arrayContaining([
        { kind: 'reservations', count: 1 },
        { kind: 'credits', count: 2 },
        { kind: 'purchases', count: 1 },
        { kind: 'notes', count: 1 },
        { kind: 'tags', count: 1 },
      ]),
    )
    expect(await rowOf(other.customer_id)).toMatchObject({ merged_into: null, deletedAt: null })

    const { moves } = await merges().merge(ids)
    expect(moves).toEqual(dry.moves)
    const file = await s.as(owner).customerFile.one({ customer_id: customer.customer_id })
    expect([file.notes.length, file.tags.length]).toEqual([1, 1])
    expect(await codeOf(s.as(owner).customerFile.one({ customer_id: other.customer_id }))).toBe('NOT_FOUND')
    expect((await merges().state({ customer_id: other.customer_id })).merged_into).toBe(customer.customer_id)
    expect((await merges().state({ customer_id: customer.customer_id })).undoable).toMatchObject({ name: 'Lupita Treviño' })
    expect((await s.as(customer).bookings.list({})).class_reservations).toHaveLength(1)
    const next = await s.make.class({ starts_at: new Date('2026-11-21T16:00:00Z') })
    expect(await s.as(customer, randomUUID()).bookings.reserve({ single_class_id: next.single_class_id })).toBeTruthy()
    expect(await wrongMoney(s, true)).toEqual({})
    const entries = await s.sql(
      `select action, customer_id from audit where action like 'customer.merge%' and customer_id in ($1, $2) order by 1`,
      [ids.keep_id, ids.merge_id],
    )
    expect(entries).toEqual([
      { action: 'customer.merge', customer_id: ids.keep_id },
      { action: 'customer.merged_into', customer_id: ids.merge_id },
    ])
  })

  test('values are chosen per field; a field that only one has is never lost (X8)', async () => {
    const { ids } = await pair(
      { name: 'Ana', last_name: 'Paz', birthdate: null, phone: '5512340001', uid: null },
      { name: 'Ana María', last_name: 'Paz Ruiz', birthdate: '1990-05-04', phone: '5512340002', uid: null, email: 'ana.maria@ejemplo.mx' },
    )
    const { profile } = await merges().merge({ ...ids, values: { last_name: 'merge', phone: 'merge', email: 'merge' } })
    expect(profile).toMatchObject({
      name: 'Ana',
      last_name: 'Paz Ruiz',
      birthdate: '1990-05-04',
      phone: '5512340002',
      email: 'ana.maria@ejemplo.mx',
    })
    expect(await rowOf(ids.keep_id)).toMatchObject(profile)
  })

  test('the language of the merged record is taken where the other has none, and returns with it (G13, X8, X10)', async () => {
    const languageOf = async (id: number) =>
      (await s.sql<{ language: string | null }>('select language from customer where customer_id = $1', [id]))[0]?.language
    const { ids } = await pair({ language: null }, { language: 'en' })
    const { customer_merge_id } = await merges().merge(ids)
    expect(await languageOf(ids.keep_id)).toBe('en')
    await merges().undo({ customer_merge_id: customer_merge_id ?? 0 })
    expect([await languageOf(ids.keep_id), await languageOf(ids.merge_id)]).toEqual([null, 'en'])
    const both = await pair({ language: 'es-MX' }, { language: 'en' })
    await merges().merge(both.ids)
    expect(await languageOf(both.ids.keep_id)).toBe('es-MX')
  })

  test('both accounts open the remaining record, and no request changes its email (X9)', async () => {
    const { first, other, ids } = await pair()
    const before = await rowOf(first.customer_id)
    await merges().merge(ids)
    expect((await s.as(other).people.me()).customer).toMatchObject({ customer_id: first.customer_id })
    expect((await s.as(first).people.me()).customer).toMatchObject({ customer_id: first.customer_id })
    expect(await rowOf(first.customer_id)).toMatchObject({ uid: before?.uid, email: before?.email })
    const { customer } = await s.as(other).people.signup({
      uid: other.uid,
      name: 'Otra',
      last_name: 'Vez',
      phone: '5599887766',
      accepted_pages: [],
    })
    expect(customer.customer_id).toBe(first.customer_id)
  })

  test('when only the merged record has an account, its account and email go to the remaining one (X9)', async () => {
    const { other, ids } = await pair({ uid: null, email: null })
    await merges().merge(ids)
    expect(await rowOf(ids.keep_id)).toMatchObject({ uid: other.uid, email: other.email })
    expect((await s.as(other).people.me()).customer).toMatchObject({ customer_id: ids.keep_id })
  })

  test('a merge of a merged record leads all accounts to the last one (X9)', async () => {
    const { other: first, ids } = await pair()
    await merges().merge(ids)
    const last = await s.make.customer()
    await merges().merge({ keep_id: last.customer_id, merge_id: ids.keep_id })
    expect((await s.as(first).people.me()).customer).toMatchObject({ customer_id: last.customer_id })
    expect((await merges().state({ customer_id: first.customer_id })).merged_into).toBe(last.customer_id)
  })

  test('purchases of a limited package are counted together, also when both had bought it (X8)', async () => {
    const other = await busy()
    const customer = await s.make.customer()
    await s
      .as(desk, randomUUID())
      .studioSales.giveAccess({ customer_id: customer.customer_id, class_package_id: other.class_package_id, is_gift: true })
    const ids = { keep_id: customer.customer_id, merge_id: other.customer_id }
    await undone(ids)
    await merges().merge(ids)
    expect(
      await codeOf(
        s
          .as(desk, randomUUID())
          .studioSales.giveAccess({ customer_id: customer.customer_id, class_package_id: other.class_package_id, is_gift: true }),
      ),
    ).toBe('OVER_LIMIT_REASON')
  })

  test('conflicts in one class or one open purchase are named, and nothing is written (X10)', async () => {
    const { first, other, ids } = await pair()
    const cls = await s.make.class()
    for (const person of [first, other]) {
      await s.make.lot(person)
      await s.as(person, randomUUID()).bookings.reserve({ single_class_id: cls.single_class_id })
    }
    const before = await ownedRows(other.customer_id)
    expect((await merges().merge({ ...ids, dry_run: true })).obstacles).toMatchObject([{ kind: 'same_class' }])
    expect(await refusalOf(merges().merge(ids))).toMatchObject({
      code: 'MERGE_REFUSED',
      message: expect.stringContaining('tienen lugar en'),
    })
    expect(await ownedRows(other.customer_id)).toEqual(before)
    expect(await rowOf(other.customer_id)).toMatchObject({ deletedAt: null })
  })

  test('an opt-out of either stays one, and a subscription whose card cannot move keeps its record (X10)', async () => {
    const { first, other, ids } = await pair()
    await s.sql(
      `insert into message_consent (customer_id, channel, allowed, "changedAt") values ($1, 'whatsapp', true, now()), ($2, 'whatsapp', false, now())`,
      [first.customer_id, other.customer_id],
    )
    const allowed = () => s.sql(`select allowed from message_consent where customer_id = $1`, [first.customer_id])
    const { customer_merge_id } = await merges().merge(ids)
    expect(await allowed()).toEqual([{ allowed: false }])
    await merges().undo({ customer_merge_id: customer_merge_id ?? 0 })
    expect(await allowed()).toEqual([{ allowed: true }])

    await s.sql(
      `insert into purchase (customer_id, class_package_id, title, amount_centavos, total_centavos, class_amount, expiration_days, gateway, status,
         is_subscription, subscription_period, subscription_interval, request_hash, "createdAt", "updatedAt")
       values ($1, $2, 'Mensual', 100, 100, 8, 30, 'stripe', 'active', true, 'month', 1, 'x', now(), now())`,
      [other.customer_id, (await s.make.package()).class_package_id],
    )
    await s.sql(
      `insert into provider_customer (customer_id, gateway, provider_id) values ($1, 'stripe', 'cus_a'), ($2, 'stripe', 'cus_b')`,
      [first.customer_id, other.customer_id],
    )
    expect((await merges().merge({ ...ids, dry_run: true })).obstacles).toMatchObject([{ kind: 'subscription' }])
    expect((await merges().merge({ keep_id: ids.merge_id, merge_id: ids.keep_id, dry_run: true })).obstacles).toEqual([])
  })

  test('rows that an earlier request still wrote for the merged record move a minute later (X8)', async () => {
    const { first, other, ids } = await pair()
    const { customer_merge_id } = await merges().merge(ids)
    await s.make.lot(other, { title: 'Tarde' })
    await moveStragglers(s.system(), { customer_merge_id: customer_merge_id ?? 0 })
    expect(await s.sql(`select title from available_class where customer_id = $1`, [first.customer_id])).toEqual([{ title: 'Tarde' }])
    expect(
      await s.sql(
        `select distinct m.customer_id from credit_movement m join available_class a using (available_class_id) where a.title = 'Tarde'`,
      ),
    ).toHaveLength(1)
    await doJobs(s)
  })

  test('reception may not merge, and no record with itself (X8)', async () => {
    const { ids } = await pair()
    expect(await codeOf(s.as(desk).customerMerge.merge(ids))).toBe('FORBIDDEN')
    expect(await codeOf(merges().merge({ keep_id: ids.keep_id, merge_id: ids.keep_id }))).toBe('INVALID_INPUT')
  })
})

describe('separating', () => {
  test('separating puts every row, both profiles and both accounts back as they were (X10)', async () => {
    const other = await busy({ birthdate: '1991-01-01' })
    const customer = await busy({ birthdate: null })
    const ids = { keep_id: customer.customer_id, merge_id: other.customer_id }
    const before = [
      await ownedRows(customer.customer_id),
      await ownedRows(other.customer_id),
      await rowOf(customer.customer_id),
      await rowOf(other.customer_id),
    ]
    expect(await undone(ids)).toEqual({ merge_id: other.customer_id })
    expect([
      await ownedRows(customer.customer_id),
      await ownedRows(other.customer_id),
      await rowOf(customer.customer_id),
      await rowOf(other.customer_id),
    ]).toEqual(before)
    expect((await s.as(other).people.me()).customer).toMatchObject({ customer_id: other.customer_id })
  })

  test('separating is refused after new activity, after 24 hours, and the second time (X10)', async () => {
    const { first, ids } = await pair()
    const { customer_merge_id } = await merges().merge(ids)
    s.clock.advance({ seconds: 1 })
    await s.make.lot(first)
    expect(await codeOf(merges().undo({ customer_merge_id: customer_merge_id ?? 0 }))).toBe('MERGE_CHANGED')
    const again = await pair()
    const { customer_merge_id: second } = await merges().merge(again.ids)
    await merges().undo({ customer_merge_id: second ?? 0 })
    expect(await codeOf(merges().undo({ customer_merge_id: second ?? 0 }))).toBe('NOT_FOUND')
  })

  test('merging and separating give the first answer again to a repeated request (X8, X10)', async () => {
    const { ids } = await pair()
    const merging = s.as(owner, randomUUID()).customerMerge
    const first = await merging.merge(ids)
    expect(await merging.merge(ids)).toEqual(first)
    const customer_merge_id = first.customer_merge_id ?? 0
    const separating = s.as(owner, randomUUID()).customerMerge
    const answers = [await separating.undo({ customer_merge_id }), await separating.undo({ customer_merge_id })]
    expect(answers).toEqual([{ merge_id: ids.merge_id }, { merge_id: ids.merge_id }])
    expect(await codeOf(merges().undo({ customer_merge_id }))).toBe('NOT_FOUND')
  })
})

describe('duplicates', () => {
  test('duplicates are the same name, the same birthday, or an email that differs by one character; not those marked as different (X11)', async () => {
    const a = await s.make.customer({ name: 'Ximena', last_name: 'Órnelas', birthdate: null, email: 'ximena.ornelas@correo.example' })
    const b = await s.make.customer({ name: 'ximena', last_name: 'ornelas', birthdate: '1990-01-01', email: 'otra@correo.example' })
    const c = await s.make.customer({ name: 'Ximena', last_name: 'Rivas', birthdate: null, email: 'ximena.ornela@correo.example' })
    const d = await s.make.customer({ name: 'Ximena', last_name: 'Ornelas', birthdate: '1985-02-02', email: 'lejos@correo.example' })
    const found = async () =>
      (await merges().duplicates()).duplicates
        .map(({ customers, reasons }) => [...customers.map(({ customer_id }) => customer_id), ...reasons])
        .filter(([first]) => [a, b, c, d].some(({ customer_id }) => customer_id === first))
    expect(await found()).toEqual(
      expect.arrayContaining([
        [a.customer_id, b.customer_id, 'name'],
        [a.customer_id, c.customer_id, 'email'],
        [a.customer_id, d.customer_id, 'name'],
      ]),
    )
    expect(await found()).toHaveLength(3)
    await merges().distinct({ customer_ids: [b.customer_id, a.customer_id] })
    expect(await found()).not.toContainEqual([a.customer_id, b.customer_id, 'name'])
  })

  test('one sign is changed, missing or swapped', () => {
    for (const other of ['ana@correo.mx', 'anna@correo.mxx', 'nana@correo.mx', 'anan@correo.mx', 'anna@corroe.mx', 'anma@correo.mx'])
      expect([other, differByOneSign('anna@correo.mx', other)]).toEqual([other, true])
    for (const other of ['anna@correo.mx', 'ana@correo.m', 'eva@correo.mx', 'anna@correo.com'])
      expect(differByOneSign('anna@correo.mx', other)).toBe(false)
  })
})
