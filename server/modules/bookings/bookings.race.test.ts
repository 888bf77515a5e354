/**
 * Invariants under concurrent requests, through two processes of one studio. Each race is first run without any guard, on tables whose
 * constraints and triggers are off, with a pause between read and write: it must fail there, or the test proves nothing.
 */
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { outcome, outcomes } from '#server/testing/outcomes.ts'
import { type Bare, racesWithoutLocks } from '#server/testing/races-without-guards.ts'
import { type SecondProcess, secondProcess } from '#server/testing/second-process.ts'
import { type Client, type Person, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let other: SecondProcess
beforeAll(async () => {
  s = await studio({ settings: { allow_class_guests: true } })
  other = await secondProcess(s)
})
afterAll(async () => {
  await other.close()
  await s.close()
})

/** The same person at one process or the other, in turn. */
const at = (n: number, person: Person, key?: string): Client => (n % 2 === 0 ? s.as(person, key) : other.as(person, key))

async function people(n: number, creditLot: Parameters<TestStudio['make']['lot']>[1] = {}): Promise<Person[]> {
  const people: Person[] = []
  for (let i = 0; i < n; i++) {
    const customer = await s.make.customer()
    await s.make.lot(customer, creditLot)
    people.push(customer)
  }
  return people
}

afterEach(async () => {
  expect(await findBrokenInvariants(s)).toEqual({})
})

/** Booking and cancelling without locks: read, decide, write. */
const NAIVE = `
  create function naive_book(cls int, who int, lot int, seat text) returns text language plpgsql as $$
  declare made int;
  begin
    if (select count(*) from class_reservation where single_class_id = cls and "deletedAt" is null) >= (select capacity from single_class where single_class_id = cls) then return 'CLASS_FULL'; end if;
    if exists (select from class_reservation where single_class_id = cls and customer_id = who and "deletedAt" is null) then return 'ALREADY_RESERVED'; end if;
    if exists (select from class_reservation where single_class_id = cls and spot = seat and "deletedAt" is null) then return 'SPOT_TAKEN'; end if;
    if (select sum(amount) from credit_movement where available_class_id = lot) < 1 then return 'NO_CREDITS'; end if;
    perform pg_sleep(0.3);
    insert into class_reservation (single_class_id, customer_id, spot, available_class_id, "createdAt", "updatedAt") values (cls, who, seat, lot, now(), now()) returning class_reservation_id into made;
    insert into credit_movement (available_class_id, customer_id, kind, amount, class_reservation_id, actor, "createdAt") values (lot, who, 'spend', -1, made, 'naive', now());
    return 'ok';
  end $$;
  create function naive_cancel(place int) returns text language plpgsql as $$
  begin
    if (select "deletedAt" from class_reservation where class_reservation_id = place) is not null then return 'RESERVATION_CANCELLED'; end if;
    perform pg_sleep(0.3);
    update class_reservation set "deletedAt" = now(), cancelled_by = 'customer' where class_reservation_id = place;
    insert into credit_movement (available_class_id, customer_id, kind, amount, class_reservation_id, actor, "createdAt")
      select available_class_id, customer_id, 'give_back', 1, place, 'naive', now() from class_reservation where class_reservation_id = place;
    return 'ok';
  end $$;
  create function make_class(size int) returns int language sql as $$
    with t as (insert into class_type (name) values ('x') returning class_type_id), l as (insert into location (name) values ('x') returning location_id)
    insert into single_class (class_type_id, location_id, starts_at, ends_at, capacity, spot_map)
      select class_type_id, location_id, now() + interval '1 day', now() + interval '25 hours', size, '10,10' from t, l returning single_class_id $$;
  create function make_customer(credits int) returns table (who int, lot int) language sql as $$
    with c as (insert into customer (name, last_name, email) values ('x', 'x', gen_random_uuid() || '@ejemplo.mx') returning customer_id),
    l as (insert into available_class (customer_id, title, unlimited, granted, balance, expires_at, "createdAt") select customer_id, 'x', false, credits, 0, now() + interval '9 days', now() from c returning *),
    m as (insert into credit_movement (available_class_id, customer_id, kind, amount, actor, "createdAt") select available_class_id, customer_id, 'grant', credits, 'x', now() from l returning 1)
    select customer_id, available_class_id from l $$;`

const klass = (db: Bare, size: number) => db.value('select make_class($1)', [size])
const customer = (db: Bare, credits: number) => db.row<{ who: number; lot: number }>('select * from make_customer($1)', [credits])
const BOOK = 'select naive_book($1, $2, $3, $4)'

racesWithoutLocks({
  naive: NAIVE,
  guardsOff: `
    alter table single_class drop constraint single_class_places;
    alter table available_class drop constraint available_class_balance;
    drop index class_reservation_customer; drop index class_reservation_spot; drop index credit_movement_once;
    drop trigger count_place on class_reservation; drop trigger apply_movement on credit_movement;`,
  races: {
    'the last place': {
      refusedBy: 'single_class_places',
      async run(db) {
        const cls = await klass(db, 1)
        const customers = await Promise.all(Array.from({ length: 20 }, () => customer(db, 1)))
        return db.together(customers.map(({ who, lot }) => [BOOK, [cls, who, lot, null]]))
      },
    },
    'one person twenty times': {
      refusedBy: 'class_reservation_customer',
      async run(db) {
        const [cls, { who, lot }] = [await klass(db, 100), await customer(db, 100)]
        return db.together(Array.from({ length: 20 }, () => [BOOK, [cls, who, lot, null]]))
      },
    },
    'one seat': {
      refusedBy: 'class_reservation_spot',
      async run(db) {
        const cls = await klass(db, 20)
        const two = [await customer(db, 1), await customer(db, 1)]
        return db.together(two.map(({ who, lot }) => [BOOK, [cls, who, lot, '1-1']]))
      },
    },
    'the last credit': {
      refusedBy: 'available_class_balance',
      async run(db) {
        const { who, lot } = await customer(db, 1)
        const classes = await Promise.all(Array.from({ length: 20 }, () => klass(db, 5)))
        return db.together(classes.map((cls) => [BOOK, [cls, who, lot, null]]))
      },
    },
    'one cancel twenty times': {
      refusedBy: 'credit_movement_once',
      async run(db) {
        const [cls, { who, lot }] = [await klass(db, 5), await customer(db, 1)]
        await db.together([[BOOK, [cls, who, lot, null]]])
        const reservation = await db.value('select class_reservation_id from class_reservation where customer_id = $1', [who])
        return db.together(Array.from({ length: 20 }, () => ['select naive_cancel($1)', [reservation]]))
      },
    },
  },
})

describe('through two processes', () => {
  test('of 200 concurrent customers for the last spot one gets it, 199 are refused as full', async () => {
    const customers = await people(200)
    for (let round = 0; round < 3; round++) {
      const cls = await s.make.class({ capacity: 1, starts_at: new Date(Date.parse('2026-11-25T16:00:00Z') + round * 7_200_000) })
      expect(
        await outcomes(customers.map((person, n) => at(n, person).bookings.reserve({ single_class_id: cls.single_class_id }))),
      ).toEqual({
        ok: 1,
        CLASS_FULL: 199,
      })
    }
    const wide = await s.make.class({ capacity: 17, starts_at: new Date('2026-11-26T16:00:00Z') })
    expect(await outcomes(customers.map((person, n) => at(n, person).bookings.reserve({ single_class_id: wide.single_class_id })))).toEqual(
      {
        ok: 17,
        CLASS_FULL: 183,
      },
    )
  })

  test('the same customer twenty times gets one spot for one credit', async () => {
    const [ana] = await people(1)
    const cls = await s.make.class()
    const person = ana as Person
    expect(
      await outcomes(Array.from({ length: 20 }, (_, n) => at(n, person).bookings.reserve({ single_class_id: cls.single_class_id }))),
    ).toEqual({ ok: 1, ALREADY_RESERVED: 19 })
    expect((await s.as(person).credits.list()).summary.available).toBe(9)
  })

  test('the same key twenty times at both processes gives one reservation and one response', async () => {
    const [ana] = await people(1)
    const cls = await s.make.class()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => at(n, ana as Person, 'una-sola-vez').bookings.reserve({ single_class_id: cls.single_class_id })),
    )
    expect(new Set(answers.map((answer) => answer.class_reservation.class_reservation_id)).size).toBe(1)
    expect((await s.as(ana as Person).credits.list()).summary.available).toBe(9)
  })

  test('of two customers for one spot one gets it, thirty times', async () => {
    const [ana, eva] = (await people(2, { granted: 30 })) as [Person, Person]
    for (let round = 0; round < 30; round++) {
      const cls = await s.make.class({ spot_map: '3,4', starts_at: new Date(Date.parse('2026-11-25T16:00:00Z') + round * 3_600_000) })
      const input = { single_class_id: cls.single_class_id, spot: '2-2' }
      expect(await outcomes([at(round, ana).bookings.reserve(input), at(round + 1, eva).bookings.reserve(input)])).toEqual({
        ok: 1,
        SPOT_TAKEN: 1,
      })
    }
  })

  test('the last credit on twenty classes pays one', async () => {
    const [ana] = await people(1, { granted: 1 })
    const classes = []
    for (let hour = 0; hour < 20; hour++)
      classes.push(await s.make.class({ starts_at: new Date(Date.parse('2026-11-25T16:00:00Z') + hour * 3_600_000) }))
    expect(
      await outcomes(classes.map((cls, n) => at(n, ana as Person).bookings.reserve({ single_class_id: cls.single_class_id }))),
    ).toEqual({ ok: 1, NO_CREDITS: 19 })
  })

  test('of ten overlapping classes one is booked', async () => {
    const [ana] = await people(1)
    const classes = []
    for (let n = 0; n < 10; n++) classes.push(await s.make.class())
    expect(
      await outcomes(classes.map((cls, n) => at(n, ana as Person).bookings.reserve({ single_class_id: cls.single_class_id }))),
    ).toEqual({ ok: 1, OVERLAPPING_RESERVATION: 9 })
  })

  test('with guests a booking gets two spots or none', async () => {
    const customers = await people(12)
    const cls = await s.make.class({ capacity: 7 })
    const results = await outcomes(
      customers.map((person, n) => at(n, person).bookings.reserve({ single_class_id: cls.single_class_id, guest: 'Jimena' })),
    )
    expect(results).toEqual({ ok: 3, CLASS_FULL: 9 })
    const [row] = await s.sql<{ taken: number }>('select taken from single_class where single_class_id = $1', [cls.single_class_id])
    expect(row?.taken).toBe(6)
  })

  test('adding a guest twenty times adds one', async () => {
    const [ana] = await people(1)
    const cls = await s.make.class()
    const { class_reservation } = await s.as(ana as Person).bookings.reserve({ single_class_id: cls.single_class_id })
    const { class_reservation_id } = class_reservation
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => at(n, ana as Person).bookings.update({ class_reservation_id, guest: `Jimena ${n}` })),
    )
    expect((await s.as(ana as Person).credits.list()).summary.available).toBe(8)
  })

  test('cancelling twenty times returns one credit', async () => {
    const [ana] = await people(1)
    const cls = await s.make.class()
    const { class_reservation } = await s.as(ana as Person).bookings.reserve({ single_class_id: cls.single_class_id, guest: 'Jimena' })
    const { class_reservation_id } = class_reservation
    expect(await outcomes(Array.from({ length: 20 }, (_, n) => at(n, ana as Person).bookings.cancel({ class_reservation_id })))).toEqual({
      ok: 1,
      RESERVATION_CANCELLED: 19,
    })
    expect((await s.as(ana as Person).credits.list()).summary.available).toBe(10)
  })

  test('credits revoked at the moment of cancelling do not come back (C9)', async () => {
    for (let round = 0; round < 4; round++) {
      const [ana] = (await people(1)) as [Person]
      const cls = await s.make.class()
      const { class_reservation } = await s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id })
      const [creditLot] = (await s.as(ana).credits.list()).available_classes
      const available_class_id = creditLot?.available_class_id ?? 0
      // A second connection that locks the credit lot, and revokes it once the cancellation waits for the lock.
      const blocker = new pg.Client({ connectionString: s.database })
      await blocker.connect()
      await blocker.query('begin')
      await blocker.query('select 1 from available_class where available_class_id = $1 for update', [available_class_id])
      const cancelling = at(round, ana).bookings.cancel({ class_reservation_id: class_reservation.class_reservation_id })
      await new Promise((resume) => setTimeout(resume, 60))
      await blocker.query(`update available_class set "revokedAt" = $2 where available_class_id = $1`, [
        available_class_id,
        s.clock.now().toISOString(),
      ])
      await blocker.query('commit')
      await blocker.end()
      expect((await cancelling).credit).toBe('none')
      expect((await s.as(ana).credits.one({ available_class_id })).available_class).toMatchObject({
        state: 'revoked',
        available_classes: 9,
      })
    }
  })

  test('concurrent booking, cancelling and rebooking: every response is true and nothing is lost', async () => {
    const customers = await people(30, { granted: 2 })
    const classes = [await s.make.class({ capacity: 5 }), await s.make.class({ capacity: 5, starts_at: new Date('2026-11-25T16:00:00Z') })]
    const codes = new Set<string>()
    const note = async (call: Promise<unknown>) => void codes.add(await outcome(call))
    await Promise.all(
      customers.map(async (person, n) => {
        for (let turn = 0; turn < 6; turn++) {
          const cls = classes[(n + turn) % 2]
          const call = at(n + turn, person).bookings.reserve({
            single_class_id: cls?.single_class_id ?? 0,
            ...(turn % 3 === 0 ? { guest: 'Jimena' } : {}),
          })
          await note(call)
          const answer = await call.catch(() => null)
          if (answer)
            await note(at(n + turn + 1, person).bookings.cancel({ class_reservation_id: answer.class_reservation.class_reservation_id }))
        }
      }),
    )
    expect([...codes].sort()).toEqual(['CLASS_FULL', 'ok'])
    for (const person of customers) expect((await s.as(person).credits.list()).summary.available).toBe(2)
    for (const cls of classes) {
      const results = await outcomes(customers.map((person, n) => at(n, person).bookings.reserve({ single_class_id: cls.single_class_id })))
      expect(results).toEqual({ ok: 5, CLASS_FULL: 25 })
    }
  })
})
