/**
 * Concurrent purchases through two processes of one studio, also when a process is killed in the middle. Each race is first run without any
 * guard, with a pause between read and write: it must fail there, or the test proves nothing.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { SIGNATURE_HEADER, signingKey, signWebhook } from '#server/adapters/payments/sandbox/webhooks.ts'
import { findMatchingRows } from '#server/testing/invariants.ts'
import { outcomes as outcomesOf } from '#server/testing/outcomes.ts'
import { type Bare, racesWithoutLocks } from '#server/testing/races-without-guards.ts'
import { type SecondProcess, secondProcess } from '#server/testing/second-process.ts'
import { type Client, type Person, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { handleEvent, sweep } from './jobs.ts'

let s: TestStudio
let other: SecondProcess
let bank: Sandbox
beforeAll(async () => {
  s = await studio()
  other = await secondProcess(s)
  bank = s.bank()
})
afterAll(async () => {
  await other.close()
  await s.close()
})

/** The same person at one process or the other, in turn. */
const at = (n: number, person: Person, key: string = randomUUID()): Client => (n % 2 === 0 ? s.as(person, key) : other.as(person, key))
const people = (n: number) => Promise.all(Array.from({ length: n }, () => s.make.customer()))

/** How often each status, or each code of a refusal. */
const outcomes = (calls: Promise<{ status: string }>[]) => outcomesOf(calls, ({ status }) => status)

/** Everything that must be so whatever happened: an empty answer each. */
const INVARIANTS = {
  'stock counts the live purchases': `
    select k.class_package_id, k.sold, count(p.*) from class_package k left join purchase p on p.class_package_id = k.class_package_id and p.status in ('pending', 'active', 'completed')
    group by k.class_package_id having k.sold <> count(p.*) or k.sold > coalesce(k.capacity, 1000000)`,
  'nobody has more than the limit': `
    select customer_id, class_package_id from purchase join class_package using (class_package_id)
    where status in ('pending', 'active', 'completed') and limit_per_customer is not null
    group by customer_id, class_package_id, limit_per_customer having count(*) > limit_per_customer`,
  'money that was taken and kept is exactly what completed purchases cost': `
    select p.purchase_id, p.status, p.total_centavos, m.kept from purchase p
    left join lateral (select coalesce(sum(case kind when 'charge' then amount else -amount end), 0) as kept from sandbox_ledger l where l.purchase_id = p.purchase_id) m on true
    where m.kept <> case when p.status = 'completed' then p.total_centavos else 0 end and p.status <> 'pending'`,
  'nothing is charged twice': `select purchase_id from sandbox_ledger where kind = 'charge' group by purchase_id having count(*) > 1`,
  'credits are granted once to completed purchases, and to no others': `
    select p.purchase_id, p.status, count(l.*) from purchase p left join available_class l using (purchase_id)
    group by p.purchase_id having count(l.*) <> case when p.status = 'completed' then 1 else 0 end`,
  'a balance is the sum of its movements': `
    select l.available_class_id from available_class l left join credit_movement m using (available_class_id)
    where not l.unlimited group by l.available_class_id having l.balance <> coalesce(sum(m.amount), 0)`,
  'every completed purchase has its invoice': `
    select p.purchase_id from purchase p left join invoice i on i.purchase_id = p.purchase_id and i.period = '0'
    where p.total_centavos > 0 group by p.purchase_id having count(i.*) <> case when p.status = 'completed' then 1 else 0 end`,
}
afterEach(async () => {
  s.clock.set(START)
  expect(await findMatchingRows(s, INVARIANTS)).toEqual({})
})

/** Buying and settling without locks: read, decide, write. */
const NAIVE = `
  create function naive_buy(pack int, who int, visit text) returns text language plpgsql as $$
  declare live int; mine int;
  begin
    select count(*) into live from purchase where class_package_id = pack and status in ('pending', 'completed');
    select count(*) into mine from purchase where class_package_id = pack and customer_id = who and status in ('pending', 'completed');
    if live >= (select coalesce(capacity, 1000) from class_package where class_package_id = pack) then return 'PACKAGE_SOLD_OUT'; end if;
    if mine >= (select coalesce(limit_per_customer, 1000) from class_package where class_package_id = pack) then return 'PURCHASE_LIMIT'; end if;
    if exists (select from purchase where customer_id = who and idempotency_key = visit) then return 'again'; end if;
    perform pg_sleep(0.3);
    insert into purchase (customer_id, class_package_id, title, amount_centavos, total_centavos, class_amount, expiration_days, gateway, status, hold_until, limit_slot, idempotency_key, request_hash, "createdAt", "updatedAt")
      select who, pack, 'x', 100, 100, 1, 1, 'x', 'pending', now(), case when limit_per_customer is null then null else mine + 1 end, visit, 'x', now(), now() from class_package where class_package_id = pack;
    update class_package set sold = sold + 1 where class_package_id = pack;
    return 'ok';
  end $$;
  create function naive_settle(bought int) returns text language plpgsql as $$
  begin
    if (select status from purchase where purchase_id = bought) <> 'pending' then return 'again'; end if;
    perform pg_sleep(0.3);
    update purchase set status = 'completed' where purchase_id = bought;
    insert into available_class (customer_id, purchase_id, period, title, unlimited, granted, balance, expires_at, "createdAt")
      select customer_id, bought, '0', 'x', false, 1, 1, now(), now() from purchase where purchase_id = bought;
    return 'ok';
  end $$;
  create function naive_charge(asked text) returns text language plpgsql as $$
  begin
    if exists (select from sandbox_payment where key = asked) then return 'again'; end if;
    perform pg_sleep(0.3);
    insert into sandbox_payment (id, key, request_hash, purchase_id, buyer, amount, title, state, "by", secret, return_url, "expiresAt", "createdAt", "updatedAt")
      values (gen_random_uuid()::text, asked, 'x', 1, 'x', 100, 'x', 'paid', 'card-token', 'x', 'x', now(), now(), now());
    return 'ok';
  end $$;
  create function make_package(size int, per int) returns int language sql as $$
    insert into class_package (title, price_centavos, class_amount, expiration_days, capacity, limit_per_customer) values ('x', 100, 1, 1, size, per) returning class_package_id $$;
  create function make_customer() returns int language sql as $$
    insert into customer (name, last_name, email) values ('x', 'x', gen_random_uuid() || '@ejemplo.mx') returning customer_id $$;`

const thePackage = (db: Bare, size: number | null, per: number | null) => db.value('select make_package($1, $2)', [size, per])
const customer = (db: Bare) => db.value('select make_customer()')
const BUY = 'select naive_buy($1, $2, $3)'

racesWithoutLocks({
  naive: NAIVE,
  guardsOff: `
    alter table class_package drop constraint class_package_stock; drop index purchase_limit; drop index purchase_key;
    drop index available_class_period; drop index sandbox_payment_key;`,
  races: {
    'the last unit': {
      refusedBy: 'class_package_stock',
      async run(db) {
        const last = await thePackage(db, 1, null)
        const customers = await Promise.all(Array.from({ length: 20 }, () => customer(db)))
        return db.together(customers.map((customer_id, n) => [BUY, [last, customer_id, `visit-${n}`]]))
      },
    },
    'one person over the limit': {
      refusedBy: 'purchase_limit',
      async run(db) {
        const [limited, customer_id] = [await thePackage(db, null, 1), await customer(db)]
        return db.together(Array.from({ length: 20 }, (_, n) => [BUY, [limited, customer_id, `visit-${n}`]]))
      },
    },
    'one visit twenty times': {
      refusedBy: 'purchase_key',
      async run(db) {
        const [any, customer_id] = [await thePackage(db, null, null), await customer(db)]
        return db.together(Array.from({ length: 20 }, () => [BUY, [any, customer_id, 'visit']]))
      },
    },
    'one payment settled from everywhere': {
      refusedBy: 'available_class_period',
      async run(db) {
        await db.together([[BUY, [await thePackage(db, null, null), await customer(db), 'visit']]])
        const bought = await db.value('select max(purchase_id) from purchase')
        return db.together(Array.from({ length: 20 }, () => ['select naive_settle($1)', [bought]]))
      },
    },
    'one charge asked twenty times': {
      refusedBy: 'sandbox_payment_key',
      run: (db) => db.together(Array.from({ length: 20 }, () => ['select naive_charge($1)', ['1:pay:1']])),
    },
  },
})

describe('through two processes', () => {
  const buy = (client: Client, class_package_id: number, payment_method = 'tok_ok', again = false) =>
    client.sales.attempt({ class_package_id, payment_method, again })

  test('of 20 concurrent customers for the last unit one is charged, 19 are refused, ten times', async () => {
    const customers = await people(20)
    for (let round = 0; round < 10; round++) {
      const classPackage = await s.make.package({ capacity: 1 })
      expect(await outcomes(customers.map((person, n) => buy(at(n, person), classPackage.class_package_id)))).toEqual({
        completed: 1,
        PACKAGE_SOLD_OUT: 19,
      })
    }
    const wide = await s.make.package({ capacity: 7 })
    expect(await outcomes(customers.map((person, n) => buy(at(n, person), wide.class_package_id)))).toEqual({
      completed: 7,
      PACKAGE_SOLD_OUT: 13,
    })
  })

  test('the studio lowers the stock during sales: never more sold than there is', async () => {
    const [customers, owner] = [await people(16), await s.make.staff('owner')]
    for (let round = 0; round < 5; round++) {
      const { class_package_id } = await s.make.package({ capacity: 16 })
      const lowered = Promise.allSettled(
        Array.from({ length: 8 }, (_, n) => at(n, owner).studioPackages.update({ class_package_id, capacity: 4 + n })),
      )
      const results = await outcomes(customers.map((person, n) => buy(at(n, person), class_package_id)))
      const codes = (await lowered).flatMap((code) => (code.status === 'rejected' ? [code.reason.code] : []))
      expect(codes.every((code) => code === 'BELOW_USED')).toBe(true)
      expect((results.completed ?? 0) + (results.PACKAGE_SOLD_OUT ?? 0)).toBe(16)
      expect(await findMatchingRows(s, INVARIANTS)).toEqual({})
    }
  })

  test('one customer in twenty concurrent visits buys at most the limit', async () => {
    const [ana, eva] = (await people(2)) as [Person, Person]
    const [classPackage, three] = [await s.make.package({ limit_per_customer: 1 }), await s.make.package({ limit_per_customer: 3 })]
    const visits = Array.from({ length: 20 }, (_, n) => n)
    const bought = (person: Person, class_package_id: number) =>
      s.sql('select 1 from purchase where customer_id = $1 and class_package_id = $2', [person.customer_id, class_package_id])
    // Some requests arrive during the charge, and are answered with that purchase.
    const { completed = 0, PURCHASE_LIMIT = 0 } = await outcomes(visits.map((n) => buy(at(n, ana), classPackage.class_package_id)))
    expect([completed + PURCHASE_LIMIT, (await bought(ana, classPackage.class_package_id)).length]).toEqual([20, 1])
    // A further purchase of the same package needs the flag `true`.
    for (let n = 0; n < 4; n++)
      await Promise.allSettled(visits.slice(0, 5).map((m) => buy(at(m, eva), three.class_package_id, 'tok_ok', true)))
    expect((await bought(eva, three.class_package_id)).length).toBe(3)
    const free = await s.make.package({ price_centavos: 0, limit_per_customer: 1 })
    expect(await outcomes(visits.map((n) => at(n, ana).sales.checkout({ class_package_id: free.class_package_id })))).toEqual({
      completed: 1,
      PURCHASE_LIMIT: 19,
    })
  })

  test('the same visit twenty times, at both processes: one purchase, one charge, one response', async () => {
    for (const token of ['tok_ok', 'tok_timeout_paid', 'tok_3ds']) {
      const [[ana], classPackage, key] = [await people(1), await s.make.package(), randomUUID()]
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => buy(at(n, ana as Person, key), classPackage.class_package_id, token)),
      )
      expect(new Set(answers.map(({ purchase_id }) => purchase_id)).size, token).toBe(1)
      expect(new Set(answers.map(({ clientSecret }) => clientSecret)).size, token).toBe(1)
      const [{ purchase_id, clientSecret } = { purchase_id: 0, clientSecret: null }] = answers
      if (clientSecret) await bank.authorize(clientSecret.split('_secret_')[0] ?? '', true)
      s.clock.advance({ minutes: 3 })
      await sweep(s.system())
      expect((await s.as(ana as Person).sales.one({ id: purchase_id })).purchase.status, token).toBe('completed')
    }
  })

  test('two cards concurrently in one visit: one is charged, the other is pending or the next attempt', async () => {
    for (let round = 0; round < 10; round++) {
      const [[ana], classPackage, key] = [await people(1), await s.make.package(), randomUUID()]
      const results = await outcomes(
        ['tok_ok~visa~4242~122030~a', 'tok_ok~visa~1881~122030~b'].map((token, n) =>
          buy(at(n, ana as Person, key), classPackage.class_package_id, token),
        ),
      )
      expect((results.completed ?? 0) + (results.PAYMENT_IN_PROGRESS ?? 0)).toBe(2)
      expect(results.completed).toBeGreaterThan(0)
    }
  })

  test('browser, webhook events, sweeper and giving up concurrently: completed or nothing', async () => {
    const key = await signingKey(s.studio.db)
    const [ana] = (await people(1)) as [Person]
    const classPackage = await s.make.package({ capacity: 1 })
    const ends: string[] = []
    for (let round = 0; round < 20; round++) {
      await s.sql(`update class_package set capacity = sold + 1 where class_package_id = $1`, [classPackage.class_package_id])
      const payment = await buy(at(round, ana), classPackage.class_package_id, 'tok_3ds', true)
      const id = payment.clientSecret?.split('_secret_')[0] ?? ''
      const body = JSON.stringify({ id: `evt_race_${round}`, type: 'payment.paid', at: START, about: [{ kind: 'payment', id }] })
      const deliver = async (url: string) => {
        const headers = { 'content-type': 'application/json', [SIGNATURE_HEADER]: signWebhook(key, body, s.clock.now()) }
        await fetch(`${url}/api/webhooks/sandbox`, { method: 'POST', headers, body })
        for (const { id: event } of await s.sql<{ id: number }>('select provider_event_id as id from provider_event where event_id = $1', [
          `evt_race_${round}`,
        ]))
          await handleEvent(s.system(), event)
      }
      if (round % 2) s.clock.advance({ minutes: 31 })
      await Promise.allSettled([
        bank.authorize(id, true),
        deliver(s.url),
        deliver(other.url),
        s.as(ana).sales.one({ id: payment.purchase_id }),
        other.as(ana).sales.one({ id: payment.purchase_id }),
        sweep(s.system()),
        sweep(s.system()),
        ...(round % 3 ? [] : [other.as(ana).sales.giveUp({ purchase_id: payment.purchase_id })]),
      ])
      s.clock.advance({ minutes: 40 })
      await sweep(s.system())
      const [end] = await s.sql<{ status: string }>('select status from purchase where purchase_id = $1', [payment.purchase_id])
      ends.push(end?.status ?? '')
      s.clock.set(START)
      expect(await findMatchingRows(s, INVARIANTS)).toEqual({})
    }
    expect(ends).not.toContain('pending')
  })
})

describe('when a process dies', () => {
  const rows = (purchase: string) =>
    s.sql<{ purchase_id: number; status: string }>('select purchase_id, status from purchase where idempotency_key = $1', [purchase])
  const charged = async (key: string) =>
    (await s.sql('select 1 from sandbox_ledger join purchase using (purchase_id) where idempotency_key = $1', [key])).length

  async function until(what: () => Promise<boolean>) {
    for (let n = 0; n < 400; n++) {
      if (await what()) return
      await new Promise((resume) => setTimeout(resume, 10))
    }
    throw new Error('It did not happen in time.')
  }

  test('between the processor’s charge and our commit: the same visit, and the sweeper, find one charge and grant once', async () => {
    for (const how of ['again', 'sweeper', 'look'] as const) {
      const doomed = await secondProcess(s)
      const [[ana], classPackage, key] = [await people(1), await s.make.package({ limit_per_customer: 1 }), randomUUID()]
      const lost = doomed
        .as(ana as Person, key)
        .sales.attempt({ class_package_id: classPackage.class_package_id, payment_method: 'tok_slow' })
        .then(
          () => 'answered',
          () => 'lost',
        )
      await until(async () => (await charged(key)) === 1)
      process.kill(doomed.pid, 'SIGKILL')
      expect(await lost).toBe('lost')
      expect(await rows(key)).toMatchObject([{ status: 'pending' }])
      expect((await s.as(ana as Person).credits.list()).summary.available).toBe(0)

      const reborn = await secondProcess(s)
      const [{ purchase_id } = { purchase_id: 0 }] = await rows(key)
      if (how === 'again')
        for (let n = 0; n < 2; n++)
          await reborn.as(ana as Person, key).sales.attempt({ class_package_id: classPackage.class_package_id, payment_method: 'tok_slow' })
      if (how === 'look') await reborn.as(ana as Person).sales.one({ id: purchase_id })
      if (how === 'sweeper') {
        s.clock.advance({ minutes: 3 })
        await sweep(s.system())
        await sweep(s.system())
      }
      expect(await rows(key), how).toMatchObject([{ status: 'completed' }])
      expect(await charged(key), how).toBe(1)
      expect((await s.as(ana as Person).credits.list()).summary.available, how).toBe(10)
      await reborn.close()
    }
  })

  test('anywhere in twelve concurrent purchases, three times: after a repeat each is charged and granted once', async () => {
    for (let round = 0; round < 3; round++) {
      const doomed = await secondProcess(s)
      const classPackage = await s.make.package({ capacity: 12, limit_per_customer: 1 })
      const visits = (await people(12)).map((person) => ({ who: person, key: randomUUID() }))
      const input = { class_package_id: classPackage.class_package_id, payment_method: 'tok_ok' }
      const first = visits.map(({ who, key }) =>
        doomed
          .as(who, key)
          .sales.attempt(input)
          .then(
            ({ purchase_id, status }) => ({ purchase_id, status }),
            () => null,
          ),
      )
      await new Promise((resume) => setTimeout(resume, 15 + 40 * round))
      process.kill(doomed.pid, 'SIGKILL')
      const answered = await Promise.all(first)
      const reborn = await secondProcess(s)
      for (const [n, { who, key }] of visits.entries()) {
        const again = await reborn.as(who, key).sales.attempt(input)
        expect(again.status).toBe('completed')
        // What was acknowledged is what is there.
        if (answered[n]) expect(again).toMatchObject(answered[n])
      }
      expect(await s.sql('select sold from class_package where class_package_id = $1', [classPackage.class_package_id])).toEqual([
        { sold: 12 },
      ])
      expect(await findMatchingRows(s, INVARIANTS)).toEqual({})
      await reborn.close()
    }
  })
})
