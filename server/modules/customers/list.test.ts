/** The list of customers: its figures against a slow query, filters, order, search (docs/domain.md X3, X5, X6). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { refreshAllSummaries } from './summaries.ts'

let s: TestStudio
let desk: Person
beforeAll(async () => {
  s = await studio({ settings: { drop_in_price: '220.00', cash_checkout_enabled: true } })
  desk = await s.make.staff('reception')
})
afterAll(() => s.close())

const DAY = 86_400_000
const at = (days: number) => new Date(Date.parse(START) + days * DAY)
const list = (input: Parameters<ReturnType<TestStudio['as']>['customerList']['list']>[0] = {}) => s.as(desk).customerList.list(input)
const idsOf = async (input: Parameters<typeof list>[0]) => (await list(input)).customers.map((row) => row.customer_id)

async function visit(customer_id: number, days: number, attend: boolean | null = true, more: Record<string, unknown> = {}) {
  const cls = await s.make.class({ starts_at: at(days), ...more })
  if (days < 0) await s.sql(`update single_class set "settledAt" = starts_at where single_class_id = $1`, [cls.single_class_id])
  await s.sql(
    `insert into class_reservation (single_class_id, customer_id, attend, "createdAt", "updatedAt") values ($1, $2, $3, now(), now())`,
    [cls.single_class_id, customer_id, attend],
  )
  return cls
}

interface Slow {
  customer_id: number
  available: number
  has_unlimited: boolean
  next_expiration: Date | null
  last_class: Date | null
  next_class: Date | null
  visits: number
  visits_30: number
  spent: string
  owed: string
  penalised_until: Date | null
}

/** The figures again, from the tables, in one slow query for all customers. */
const slow = (now: Date) =>
  s.sql<Slow>(
    `select c.customer_id,
      (select coalesce(sum(balance), 0)::int from available_class a where a.customer_id = c.customer_id and not is_online and not unlimited
        and "revokedAt" is null and "frozenAt" is null and (expires_at is null or expires_at >= $1)) as available,
      exists (select from available_class a where a.customer_id = c.customer_id and not is_online and unlimited
        and "revokedAt" is null and "frozenAt" is null and (expires_at is null or expires_at >= $1)) as has_unlimited,
      (select min(expires_at) from available_class a where a.customer_id = c.customer_id and not is_online and (unlimited or balance > 0)
        and "revokedAt" is null and "frozenAt" is null and expires_at >= $1) as next_expiration,
      v.last_class, v.visits, v.visits_30,
      (select min(k.starts_at) from class_reservation r join single_class k using (single_class_id) where r.customer_id = c.customer_id
        and r."deletedAt" is null and r.host_reservation_id is null and k."cancelledAt" is null and k.starts_at > $1) as next_class,
      (select to_char(coalesce(sum(total_centavos - refunded_centavos - case when status = 'lost' then disputed_centavos else 0 end), 0) / 100.0, 'FM9999990.00') from invoice i
        where i.customer_id = c.customer_id and status in ('paid', 'refunded', 'partially_refunded', 'disputed', 'lost')) as spent,
      (select to_char(coalesce(sum(coalesce(r.price_centavos, k.price_centavos, t.price_centavos, 22000)), 0) / 100.0, 'FM9999990.00')
        from class_reservation r join single_class k using (single_class_id) join class_type t using (class_type_id)
        where r.customer_id = c.customer_id and r."deletedAt" is null and r.is_cash and not r.is_paid) as owed,
      (select max(ends_at) from class_reservation_penalty p where p.customer_id = c.customer_id and "forgivenAt" is null
        and starts_at <= $1 and ends_at > $1) as penalised_until
    from customer c, lateral (
      select max(k.starts_at) as last_class, count(*)::int as visits,
        (count(*) filter (where k.starts_at >= $1::timestamptz - interval '30 days'))::int as visits_30
      from class_reservation r join single_class k using (single_class_id)
      where r.customer_id = c.customer_id and r."deletedAt" is null and r.host_reservation_id is null and k."cancelledAt" is null
        and k.starts_at <= $1 and (r.attend or (r.attend is null and k."settledAt" is not null))) v
    where c."deletedAt" is null order by c.customer_id`,
    [now],
  )

/** A generator of numbers between 0 and 1 that repeats. */
function random(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

describe('the list of customers', () => {
  it('shows what a slow query finds, after random changes and as time goes by (X5, X6)', async () => {
    const next = random(20_261_119)
    const pick = <T>(of: readonly T[]) => of[Math.floor(next() * of.length)] as T
    const people = await Promise.all(Array.from({ length: 8 }, (_, n) => s.make.customer({ createdAt: at(-20 * n) })))
    const { class_package_id } = await s.make.package({ price_centavos: 90_000 })
    const id = () => pick(people).customer_id
    const changes = [
      async () => void (await visit(id(), -Math.ceil(next() * 100), pick([true, true, false, null]))),
      async () => void (await visit(id(), Math.ceil(next() * 20), null)),
      async () =>
        void (await s.make.lot(pick(people), {
          unlimited: next() < 0.2,
          expires_at: pick([null, at(-5), at(3), at(12), at(40)]),
          ...(next() < 0.2 ? { is_online: true } : {}),
          days_from_first_class: 30,
        } as never)),
      async () => void (await s.sql(`update available_class set "frozenAt" = now() where customer_id = $1 and expires_at > now()`, [id()])),
      async () => void (await s.sql(`update class_reservation set attend = not coalesce(attend, false) where customer_id = $1`, [id()])),
      async () =>
        void (await s.sql(
          `update class_reservation set is_cash = true, is_paid = false where class_reservation_id = (select max(class_reservation_id) from class_reservation where customer_id = $1)`,
          [id()],
        )),
      async () => {
        const { customer_id } = pick(people)
        const { purchase } = await s
          .as(await s.make.staff('owner'))
          .studioSales.giveAccess({ customer_id, class_package_id, is_gift: true })
        await s.sql(
          `insert into invoice (purchase_id, customer_id, gateway, provider_payment, period, total_centavos, refunded_centavos, status, disputed_centavos, tax_rate, net_centavos, tax_centavos, "paidAt", "createdAt")
           values ($1, $2, 'sandbox', gen_random_uuid()::text, 'once', 100000, 25000, $3, $4, 1600, 86207, 13793, now(), now())`,
          [
            purchase.purchase_id,
            customer_id,
            ...pick([['partially_refunded', 0] as const, ['lost', 75_000] as const, ['lost', 40_000] as const]),
          ],
        )
      },
      async () =>
        void (await s.sql(
          `insert into class_reservation_penalty (customer_id, reason, starts_at, ends_at, "createdAt") values ($1, 'Faltó', $2, $3, now())`,
          [id(), at(-1), at(Math.ceil(next() * 10))],
        )),
      async () =>
        void (await s.sql(
          `update single_class set "cancelledAt" = now() where single_class_id = (select max(single_class_id) from single_class)`,
        )),
      async () => void (await s.change({ drop_in_price: '220.00' })),
    ]
    for (let round = 0; round < 12; round++) {
      for (let n = 0; n < 6; n++) await pick(changes)()
      s.clock.advance({ days: Math.floor(next() * 9), hours: Math.floor(next() * 24) })
      const { customers } = await list({ per_page: 200 })
      const expected = await slow(s.clock.now())
      const shown = customers
        .map((row) => ({
          customer_id: row.customer_id,
          available: row.has.available,
          has_unlimited: row.has.has_unlimited,
          next_expiration: row.has.next_expiration,
          last_class: row.last_class,
          next_class: row.next_class,
          visits: row.visits,
          visits_30: row.visits_30,
          spent: row.spent,
          owed: row.owed,
          penalised_until: row.penalised_until,
        }))
        .sort((a, b) => a.customer_id - b.customer_id)
      expect(shown).toEqual(JSON.parse(JSON.stringify(expected)))
      for (const row of customers) {
        const file = await s.as(desk).customerFile.one({ customer_id: row.customer_id })
        expect([row.customer_id, row.state, row.spent, row.owed]).toEqual([
          row.customer_id,
          file.state,
          file.figures.spent,
          file.figures.owed,
        ])
      }
    }
    s.clock.set(START)
    await s.sql(`insert into customer_change (customer_id) select customer_id from customer`)
    expect(await refreshAllSummaries(s.system())).toBeGreaterThan(7)
    // Twelve rounds, each of which reads the file of every customer.
  }, 120_000)

  it('finds by words of name, address and telephone, without accents, and sorts either way (X6)', async () => {
    const mark = `Zz${Math.random().toString(36).slice(2, 8)}`
    const first = await s.make.customer({ name: `${mark} Ángela`, last_name: 'Núñez', phone: '5533114455' })
    const second = await s.make.customer({ name: `${mark} Beto`, last_name: 'Ñandú' })
    const third = await s.make.customer({ name: `${mark} Carla`, last_name: 'Álvarez' })
    const [a, b, c] = [first.customer_id, second.customer_id, third.customer_id]
    expect(await idsOf({ query: mark })).toEqual([a, b, c])
    expect(await idsOf({ query: mark, sort: '-name' })).toEqual([c, b, a])
    expect(await idsOf({ query: `nunez ${mark.toLowerCase()}` })).toEqual([a])
    expect(await idsOf({ query: '55 3311 4455' })).toEqual([a])
    expect(await idsOf({ query: mark, per_page: 2, page: 2 })).toEqual([c])
    await visit(b, -3)
    await visit(c, -9)
    expect(await idsOf({ query: mark, sort: 'last_class' })).toEqual([c, b, a])
    expect(await idsOf({ query: mark, sort: '-last_class' })).toEqual([b, c, a])
    await s.sql(`update customer set "deletedAt" = now(), uid = null where customer_id = $1`, [c])
    expect(await idsOf({ query: mark })).toEqual([a, b])
  })

  it('narrows by state, tag, location, package, days, month, debt, penalty and account, all together (X6)', async () => {
    const mark = `Yy${Math.random().toString(36).slice(2, 8)}`
    const make = async (more: object = {}) => (await s.make.customer({ name: mark, ...more })).customer_id
    const [plain, rich, old] = [await make({ uid: null }), await make({ birthdate: '1990-02-14' }), await make({ createdAt: at(-300) })]
    const only = (input: Parameters<typeof list>[0]) => idsOf({ query: mark, sort: 'created', ...input })
    const location = await s.make.location()
    await visit(rich, -2, true, { location_id: location.location_id })
    const { class_package_id } = await s.make.package()
    await s.make.lot({ customer_id: rich } as never, { class_package_id, expires_at: at(3) })
    const { rows } = await s.studio.db.pool.query(`insert into tag (name, type) values ($1, 'customer') returning tag_id`, [mark])
    await s.as(desk).customerFile.putTags({ customer_id: rich, tag_ids: [rows[0].tag_id] })
    await s.sql(
      `insert into class_reservation_penalty (customer_id, reason, starts_at, ends_at, "createdAt") values ($1, 'Faltó', $2, $3, now())`,
      [rich, at(-1), at(2)],
    )
    const owing = await visit(rich, 5, null)
    await s.sql(`update class_reservation set is_cash = true, is_paid = false where single_class_id = $1`, [owing.single_class_id])
    for (const input of [
      { state: ['expiring' as const] },
      { tag_id: rows[0].tag_id as number },
      { location_id: location.location_id },
      { class_package_id },
      { last_class_before: '2026-11-18' },
      { expires_before: '2026-11-23' },
      { birthday_month: 2 },
      { owes: true },
      { penalised: true },
    ])
      expect([input, await only(input)]).toEqual([input, [rich]])
    expect(await only({ last_class_before: '2026-11-17' })).toEqual([])
    expect(await only({ expires_before: '2026-11-22' })).toEqual([])
    expect((await only({ has_account: false })).sort()).toEqual([plain])
    expect((await only({ owes: false, penalised: false })).sort()).toEqual([plain, old].sort())
    expect(await only({ state: ['lost', 'expiring'], owes: false })).toEqual([old])
    expect(await only({ created_to: '2026-06-30' })).toEqual([old])
    expect((await only({ created_from: '2026-06-30' })).sort()).toEqual([plain, rich].sort())
    const [{ day } = { day: '' }] = await s.sql<{ day: string }>(
      `select to_char("createdAt" at time zone 'America/Mexico_City', 'YYYY-MM-DD') as day from customer where customer_id = $1`,
      [old],
    )
    expect(await only({ created_from: day, created_to: day })).toEqual([old])
    expect([await only({ has_next_class: true }), (await only({ has_next_class: false })).sort()]).toEqual([[rich], [plain, old].sort()])
    expect([await only({ visits_30_min: 1, visits_30_max: 1 }), await only({ visits_30_min: 2 })]).toEqual([[rich], []])
    expect((await only({ visits_30_max: 0 })).sort()).toEqual([plain, old].sort())
    await s.sql('update customer_summary set spent_centavos = 50001 where customer_id = $1', [rich])
    expect([await only({ spent_min: 500 }), await only({ spent_min: 500, spent_max: 500 })]).toEqual([[rich], []])
    expect((await only({ spent_max: 0 })).sort()).toEqual([plain, old].sort())
    const { total, owed, states, customers } = await list({ query: mark })
    expect({ total, owed, lost: states.lost >= 1 }).toEqual({ total: 3, owed: '220.00', lost: true })
    expect(customers.find((row) => row.customer_id === rich)?.tags.map(({ name }) => name)).toEqual([mark])
    expect(customers.find((row) => row.customer_id === rich)?.home_location?.location_id).toBe(location.location_id)
  })

  it('finds who changed last although more wait than it derives by itself (X6)', async () => {
    await list()
    await s.sql(
      `insert into customer (name, last_name, email) select 'Nadie', n::text, 'nadie' || n || '@ejemplo.mx' from generate_series(1, 4500) n`,
    )
    const { customer_id } = await s.make.customer({ name: 'Última Llegada' })
    expect(await idsOf({ query: 'ultima llegada' })).toEqual([customer_id])
    expect((await list({ query: 'nadie' })).total).toBeLessThan(4500)
    await refreshAllSummaries(s.system())
    expect((await list({ query: 'nadie' })).total).toBe(4500)
  })

  it('adds up what was paid for those who see the money of the studio', async () => {
    const sums = async (role: 'manager' | 'reception') => (await s.as(await s.make.staff(role)).customerList.list({})).spent
    expect(await sums('manager')).toMatch(/^\d+\.\d\d$/)
    expect(await sums('reception')).toBeNull()
  })

  it('refuses a filter that it does not know', async () => {
    const answer = await fetch(`${s.url}/api/admin/customers?stat=new`, { headers: { authorization: `Bearer ${desk.token}` } })
    expect(answer.status).toBe(400)
  })
})

it('keeps the totals of the states as the summaries change (X6)', async () => {
  const totals = () =>
    s.sql<{ state: string; n: number; spent: number; owed: number }>(
      `select state, customers as n, spent_centavos::float8 as spent, owed_centavos::float8 as owed from customer_state_total where customers > 0 order by 1`,
    )
  const counted = () =>
    s.sql<{ state: string; n: number; spent: number; owed: number }>(
      `select state, count(*)::int as n, sum(spent_centavos)::float8 as spent, sum(owed_centavos)::float8 as owed from customer_summary group by 1 order by 1`,
    )
  const person = await s.make.customer()
  const desk = await s.make.staff('reception')
  await s.as(desk).customerList.list({})
  expect(await totals()).toEqual(await counted())
  await s.make.lot(person)
  await s.as(desk).customerRecords.archive({ customer_id: (await s.make.customer()).customer_id, reason: 'Se mudó' })
  await s.sql('update customer set "deletedAt" = now() where customer_id = $1', [person.customer_id])
  const { states, total } = await s.as(desk).customerList.list({})
  expect(await totals()).toEqual(await counted())
  expect(Object.values(states).reduce((sum, n) => sum + n, 0)).toBe(total)
})
