/**
 * The last use of a discount when many want it at the same moment, through two processes of one studio (docs/domain.md D4, D5, V13). Each
 * race is first run without any guard, with a pause where the thinking happens: it must go wrong there, or the test proves nothing.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sweep } from '#server/modules/sales/jobs.ts'
import { findMatchingRows } from '#server/testing/invariants.ts'
import { outcomes as outcomesOf } from '#server/testing/outcomes.ts'
import { type Bare, racesWithoutLocks } from '#server/testing/races-without-guards.ts'
import { type SecondProcess, secondProcess } from '#server/testing/second-process.ts'
import { type Client, type Person, START, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let other: SecondProcess
beforeAll(async () => {
  s = await studio({ settings: { discounts_enabled: true, cash_checkout_enabled: true } })
  other = await secondProcess(s)
})
afterAll(async () => {
  await other.close()
  await s.close()
})

const at = (n: number, person: Person): Client => (n % 2 === 0 ? s.as(person, randomUUID()) : other.as(person, randomUUID()))
const people = (n: number) => Promise.all(Array.from({ length: n }, () => s.make.customer()))
const times = <T>(n: number, make: (n: number) => T): T[] => Array.from({ length: n }, (_, each) => make(each))

/** How often each status, or each code of a refusal. */
const outcomes = (calls: Promise<{ status: string }>[]) => outcomesOf(calls, ({ status }) => status)

/** Everything that must be so whatever happened: an empty answer each. */
const INVARIANTS = {
  'uses are counted exactly': `
    select d.discount_id, d.used, count(u.*) from discount d left join discount_use u on u.discount_id = d.discount_id and u.state <> 'released'
    group by d.discount_id having d.used <> count(u.*) or d.used > coalesce(d.max_uses, 1000000)`,
  'nobody has more uses than allowed': `
    select discount_id, customer_id from discount_use join discount using (discount_id) where state <> 'released' and max_uses_per_customer is not null
    group by discount_id, customer_id, max_uses_per_customer having count(*) > max_uses_per_customer`,
  'a use is held while its purchase waits, used once it is paid, released when it came to nothing': `
    select p.purchase_id, p.status, u.state from purchase p join discount_use u using (purchase_id)
    where u.state <> case when p.status = 'pending' then 'held' when p.status in ('active', 'completed') then 'used' else 'released' end`,
  'every discounted purchase has its use, and no other has': `
    select p.purchase_id from purchase p left join discount_use u using (purchase_id)
    where (p.discount_centavos > 0) <> (u.purchase_id is not null) or p.discount_id is distinct from u.discount_id`,
  'stock counts the live purchases': `
    select k.class_package_id, k.sold, count(p.*) from class_package k left join purchase p on p.class_package_id = k.class_package_id and p.status in ('pending', 'active', 'completed')
    group by k.class_package_id having k.sold <> count(p.*)`,
  'what was charged and kept is the discounted price of completed purchases': `
    select p.purchase_id, p.status, p.total_centavos, m.kept from purchase p
    left join lateral (select coalesce(sum(case kind when 'charge' then amount else -amount end), 0) as kept from sandbox_ledger l where l.purchase_id = p.purchase_id) m on true
    where m.kept <> case when p.status = 'completed' then p.total_centavos else 0 end and p.status <> 'pending'`,
}
afterEach(async () => {
  s.clock.set(START)
  expect(await findMatchingRows(s, INVARIANTS)).toEqual({})
})

/** Using a code without a lock: read, decide, write. */
const NAIVE = `
  create function naive_use(wanted int, who int) returns text language plpgsql as $$
  declare mine int; bought int;
  begin
    select count(*) into mine from discount_use where discount_id = wanted and customer_id = who and state <> 'released';
    if (select used >= coalesce(max_uses, 1000) from discount where discount_id = wanted) then return 'DISCOUNT_EXHAUSTED'; end if;
    if mine >= (select coalesce(max_uses_per_customer, 1000) from discount where discount_id = wanted) then return 'DISCOUNT_EXHAUSTED'; end if;
    perform pg_sleep(0.3);
    update discount set used = used + 1 where discount_id = wanted;
    insert into purchase (customer_id, class_package_id, title, amount_centavos, total_centavos, class_amount, expiration_days, gateway, status, hold_until, request_hash, discount_id, "createdAt", "updatedAt")
      select who, max(class_package_id), 'x', 100, 100, 1, 1, 'x', 'pending', now(), 'x', wanted, now(), now() from class_package returning purchase_id into bought;
    insert into discount_use (purchase_id, discount_id, customer_id, slot, state, "createdAt", "updatedAt")
      select bought, wanted, who, case when max_uses_per_customer is null then null else mine + 1 end, 'held', now(), now() from discount where discount_id = wanted;
    return 'ok';
  end $$;
  create function make_discount(total int, per int) returns int language sql as $$
    insert into discount (code, amount, is_percent, max_uses, max_uses_per_customer, "createdAt", "updatedAt")
      values (upper(substr(gen_random_uuid()::text, 1, 12)), 1000, true, total, per, now(), now()) returning discount_id $$;
  create function make_customer() returns int language sql as $$
    insert into customer (name, last_name, email) values ('x', 'x', gen_random_uuid() || '@ejemplo.mx') returning customer_id $$;
  insert into class_package (title, price_centavos, class_amount, expiration_days) values ('x', 100, 1, 1);`

const discount = (db: Bare, total: number | null, per: number | null) => db.value('select make_discount($1, $2)', [total, per])
const customer = (db: Bare) => db.value('select make_customer()')
const USE = 'select naive_use($1, $2)'

racesWithoutLocks({
  naive: NAIVE,
  guardsOff: 'alter table discount drop constraint discount_uses; drop index discount_use_slot;',
  races: {
    'the last use': {
      refusedBy: 'discount_uses',
      async run(db) {
        const code = await discount(db, 1, null)
        const customers = await Promise.all(times(20, () => customer(db)))
        return db.together(customers.map((customer_id) => [USE, [code, customer_id]]))
      },
    },
    'one person over their uses': {
      refusedBy: 'discount_use_slot',
      async run(db) {
        const [code, customer_id] = [await discount(db, null, 1), await customer(db)]
        return db.together(times(20, () => [USE, [code, customer_id]]))
      },
    },
  },
})

describe('through two processes', () => {
  const buy = (client: Client, class_package_id: number, discountCode: string, payment_method = 'tok_ok') =>
    client.sales.attempt({ class_package_id, discountCode, payment_method, again: true })

  test('of 20 concurrent customers for the last use one is charged the discounted price, 19 are refused, five times', async () => {
    const customers = await people(20)
    for (let round = 0; round < 5; round++) {
      const [classPackage, { code }] = [await s.make.package(), await s.make.discount({ max_uses: 1 })]
      const calls = customers.map((person, n) => buy(at(n, person), classPackage.class_package_id, code))
      expect(await outcomes(calls)).toEqual({ completed: 1, DISCOUNT_EXHAUSTED: 19 })
    }
    const [thePackage, wide] = [await s.make.package(), await s.make.discount({ max_uses: 7 })]
    const calls = customers.map((person, n) => buy(at(n, person), thePackage.class_package_id, wide.code))
    expect(await outcomes(calls)).toEqual({ completed: 7, DISCOUNT_EXHAUSTED: 13 })
  })

  test('the last use and the last unit concurrently: a customer with only one of them returns it', async () => {
    const customers = await people(20)
    const classPackage = await s.make.package({ capacity: 5 })
    const { code } = await s.make.discount({ max_uses: 5 })
    const whole = await s.make.discount({ amount: 10_000, max_uses: 3 })
    const results = await outcomes(
      customers.map((person, n) =>
        n < 14
          ? buy(at(n, person), classPackage.class_package_id, code)
          : at(n, person).sales.checkout({ class_package_id: classPackage.class_package_id, discountCode: whole.code }),
      ),
    )
    expect(results.completed).toBe(5)
    expect((results.DISCOUNT_EXHAUSTED ?? 0) + (results.PACKAGE_SOLD_OUT ?? 0)).toBe(15)
  })

  test('one customer in twenty visits for different packages uses the code at most as often as allowed', async () => {
    const [ana, eva] = (await people(2)) as [Person, Person]
    const classPackages = await Promise.all(times(20, () => s.make.package()))
    const [discount, three] = [await s.make.discount({ max_uses_per_customer: 1 }), await s.make.discount({ max_uses_per_customer: 3 })]
    const visits = (person: Person, code: string) =>
      outcomes(classPackages.map((classPackage, n) => buy(at(n, person), classPackage.class_package_id, code)))
    expect(await visits(ana, discount.code)).toEqual({ completed: 1, DISCOUNT_EXHAUSTED: 19 })
    expect(await visits(eva, three.code)).toEqual({ completed: 3, DISCOUNT_EXHAUSTED: 17 })
  })

  test('given up, expired and requested concurrently: the use is never lost and never duplicated', async () => {
    const [customers, classPackage] = [await people(12), await s.make.package()]
    for (let round = 0; round < 8; round++) {
      const { code, discount_id } = await s.make.discount({ max_uses: 3 })
      const opened = await Promise.all(
        customers.slice(0, 3).map((person, n) => buy(at(n, person), classPackage.class_package_id, code, 'tok_3ds')),
      )
      if (round % 2) s.clock.advance({ minutes: 31 })
      await Promise.allSettled([
        ...opened.map(({ purchase_id }, n) => at(n + round, customers[n] as Person).sales.giveUp({ purchase_id })),
        sweep(s.system()),
        sweep(s.system()),
        ...customers.slice(3).map((person, n) => buy(at(n, person), classPackage.class_package_id, code)),
      ])
      await sweep(s.system())
      expect(await findMatchingRows(s, INVARIANTS)).toEqual({})
      await Promise.allSettled(opened.map(({ purchase_id }, n) => at(n, customers[n] as Person).sales.giveUp({ purchase_id })))
      const [{ used } = { used: -1 }] = await s.sql<{ used: number }>('select used from discount where discount_id = $1', [discount_id])
      const rest = await outcomes(customers.slice(3).map((person, n) => buy(at(n, person), classPackage.class_package_id, code)))
      expect(rest.completed ?? 0).toBe(3 - used)
      s.clock.set(START)
    }
  })

  test('a segment that is removed while a code begins to name it: one of the two is refused', async () => {
    const owner = await s.make.staff('owner')
    for (let round = 0; round < 8; round++) {
      const { segment_id } = (await s.as(owner).segments.create({ name: `Segmento ${round}`, filter: { spent_min: 1 } })).segment
      const code = `CARRERA${round}`
      const [removed, created] = await Promise.allSettled([
        at(round, owner).segments.remove({ segment_id }),
        at(round + 1, owner).discounts.create({ code, amount: '10', is_percent: true, segment_id }),
      ])
      const ends = [removed, created].map((result) => (result.status === 'rejected' ? result.reason.code : 'ok'))
      expect([
        ['ok', 'SEGMENT_NOT_FOUND'],
        ['IN_USE', 'ok'],
      ]).toContainEqual(ends)
      const left = await s.sql('select 1 from segment where segment_id = $1', [segment_id])
      expect(left).toHaveLength(ends[1] === 'ok' ? 1 : 0)
    }
  })

  test('the studio lowers the limit during use: never more used than allowed', async () => {
    const owner = await s.make.staff('owner')
    const [customers, classPackage] = [await people(16), await s.make.package()]
    for (let round = 0; round < 5; round++) {
      const { code, discount_id } = await s.make.discount({ max_uses: 16 })
      const lowered = Promise.allSettled(times(8, (n) => at(n, owner).discounts.update({ discount_id, max_uses: 4 + n })))
      const results = await outcomes(customers.map((person, n) => buy(at(n, person), classPackage.class_package_id, code)))
      const codes = (await lowered).flatMap((code) => (code.status === 'rejected' ? [code.reason.code] : []))
      expect(codes.every((why) => why === 'BELOW_USED')).toBe(true)
      expect((results.completed ?? 0) + (results.DISCOUNT_EXHAUSTED ?? 0)).toBe(16)
      expect(await findMatchingRows(s, INVARIANTS)).toEqual({})
    }
  })
})
