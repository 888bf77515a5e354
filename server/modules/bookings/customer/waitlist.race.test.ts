/**
 * Promotion, direct booking and the studio's own changes at the same moment, through two processes. First the same race without the guards
 * of the tables, with a pause where the thinking happens: it must go wrong there, or the test proves nothing.
 */
import { ORPCError } from '@orpc/client'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Chance } from '#server/demo/chance.ts'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { outcomes } from '#server/testing/outcomes.ts'
import { freshDatabase } from '#server/testing/postgres.ts'
import { makeWorld, randomWalk, steps } from '#server/testing/random-walk.ts'
import { type SecondProcess, secondProcess } from '#server/testing/second-process.ts'
import { type Client, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'
import { sweepWaitlists } from './waitlist.ts'

let s: TestStudio
let other: SecondProcess
let manager: Person
beforeAll(async () => {
  s = await studio({ settings: { allow_class_guests: true, waitlist_enabled: true, waitlist_mode: 'oferta', undo_minutes: 5 } })
  other = await secondProcess(s)
  manager = await s.make.staff('manager')
})
afterAll(async () => {
  await other.close()
  await s.close()
})
afterEach(async () => {
  expect(await findBrokenInvariants(s)).toEqual({})
})

/** The same person at one process or the other, in turn. */
const at = (n: number, person: Person | null, key?: string): Client => (n % 2 === 0 ? s.as(person, key) : other.as(person, key))

/** People in bulk: a factory each would take longer than the race. */
async function crowd(n: number): Promise<Person[]> {
  const people: Person[] = []
  for (let i = 0; i < n; i++) {
    const customer = await s.make.customer()
    await s.make.lot(customer, { granted: 20 })
    people.push(customer)
  }
  return people
}
let day = 0
/** A class on a day of its own, full, with a line; and who sits in it. */
async function full(waiting: readonly Person[], capacity = 1) {
  const cls = await s.make.class({ capacity, starts_at: new Date(Date.parse('2026-11-25T16:00:00Z') + 24 * 3_600_000 * (day++ % 30)) })
  const inside = await crowd(capacity)
  const reservations: number[] = []
  for (const person of inside)
    reservations.push(
      (await s.as(person).bookings.reserve({ single_class_id: cls.single_class_id })).class_reservation.class_reservation_id,
    )
  for (const person of waiting) await s.as(person).waitlist.join({ single_class_id: cls.single_class_id })
  return { single_class_id: cls.single_class_id, inside, places: reservations }
}
const row = async (single_class_id: number) => {
  const [found] = await s.sql<{ capacity: number; taken: number; held: number }>(
    'select capacity, taken, held from single_class where single_class_id = $1',
    [single_class_id],
  )
  return found ?? { capacity: 0, taken: 0, held: 0 }
}
const tokens = async (single_class_id: number) => {
  const offers = await s.sql<{ waitlist_id: number; offers: number }>(
    `select waitlist_id, offers from waitlist where single_class_id = $1 and status = 'offered'`,
    [single_class_id],
  )
  return offers.map((offer) => s.studio.signer.sign('waitlist-offer', `${offer.waitlist_id}-${offer.offers}`))
}

describe('without locks', () => {
  /** Promoting and booking without locks: read, decide, write. */
  const NAIVE = `
    create function naive_promote(cls int) returns text language plpgsql as $$
    declare next int;
    begin
      if (select count(*) from class_reservation where single_class_id = cls and "deletedAt" is null) + (select count(*) from waitlist where single_class_id = cls and status = 'offered')
        >= (select capacity from single_class where single_class_id = cls) then return 'full'; end if;
      select waitlist_id into next from waitlist where single_class_id = cls and status = 'waiting' order by waitlist_id offset floor(random() * 5)::int limit 1;
      perform pg_sleep(0.3);
      update waitlist set status = 'offered', offer_until = now() + interval '1 hour' where waitlist_id = next;
      return 'ok';
    end $$;
    create function naive_book(cls int, who int) returns text language plpgsql as $$
    begin
      if (select count(*) from class_reservation where single_class_id = cls and "deletedAt" is null) + (select count(*) from waitlist where single_class_id = cls and status = 'offered')
        >= (select capacity from single_class where single_class_id = cls) then return 'full'; end if;
      perform pg_sleep(0.3);
      insert into class_reservation (single_class_id, customer_id, "createdAt", "updatedAt") values (cls, who, now(), now());
      return 'ok';
    end $$;
    create function make_line(people int) returns int language plpgsql as $$
    declare cls int;
    begin
      insert into class_type (name) values ('x'); insert into location (name) values ('x');
      insert into single_class (class_type_id, location_id, starts_at, ends_at, capacity)
        select max(t.class_type_id), max(l.location_id), now() + interval '1 day', now() + interval '25 hours', 1 from class_type t, location l returning single_class_id into cls;
      insert into customer (name, last_name, email) select 'x', 'x', gen_random_uuid() || '@ejemplo.mx' from generate_series(1, people);
      insert into waitlist (single_class_id, customer_id, "createdAt", "updatedAt") select cls, customer_id, now(), now() from customer;
      return cls;
    end $$;`
  const GUARDS_OFF =
    'alter table single_class drop constraint single_class_places; drop trigger count_hold on waitlist; drop trigger count_place on class_reservation;'

  /** Ten promotions and ten bookings at once for one free spot; returns how many succeeded. */
  async function race(guards: 'on' | 'off'): Promise<{ ok: number; refused: number; promised: number }> {
    const pool = new pg.Pool({ connectionString: await freshDatabase(), max: 20 })
    try {
      await pool.query(NAIVE)
      if (guards === 'off') await pool.query(GUARDS_OFF)
      const cls = (await pool.query('select make_line(30) as id')).rows[0].id
      const people = (await pool.query('select customer_id from customer order by customer_id desc limit 10')).rows
      // All connections are opened first: on a busy machine that takes longer than the pause of the race.
      await Promise.all(Array.from({ length: 20 }, () => pool.query('select pg_sleep(0.3)')))
      const results = await Promise.all(
        [
          ...Array.from({ length: 10 }, () => pool.query('select naive_promote($1) as said', [cls])),
          ...people.map(({ customer_id }) => pool.query('select naive_book($1, $2) as said', [cls, customer_id])),
        ].map((call) =>
          call.then(
            ({ rows }) => String(rows[0].said),
            (error) => String(error.constraint),
          ),
        ),
      )
      const promised = `select (select count(*) from class_reservation where "deletedAt" is null) + (select count(*) from waitlist where status = 'offered') as n`
      return {
        ok: results.filter((outcome) => outcome === 'ok').length,
        refused: results.filter((outcome) => outcome === 'single_class_places').length,
        promised: Number((await pool.query(promised)).rows[0].n),
      }
    } finally {
      await pool.end()
    }
  }

  test('and without constraints one free spot is promised to many', async () => {
    const { ok, promised } = await race('off')
    expect(ok).toBeGreaterThan(1)
    expect(promised).toBeGreaterThan(1)
  })

  test('the tables’ constraints refuse all but one', async () => {
    const { refused, promised } = await race('on')
    expect(promised).toBe(1)
    expect(refused).toBeGreaterThan(0)
  })
})

describe('through two processes', () => {
  test('500 customers for 20 spots: twenty get one, 480 are refused as full', async () => {
    const customers = await crowd(500)
    const cls = await s.make.class({ capacity: 20, starts_at: new Date('2026-12-28T16:00:00Z') })
    const send = (person: Person, n: number): Promise<unknown> =>
      at(n, person, `una-de-quinientas-${person.customer_id}`)
        .bookings.reserve({ single_class_id: cls.single_class_id })
        // On a busy machine some requests get 503 and are repeated, as a browser does.
        .catch(async (error: unknown) => {
          if (!(error instanceof ORPCError) || error.code !== 'BUSY') throw error
          await new Promise((resume) => setTimeout(resume, 200))
          return send(person, n + 1)
        })
    expect(await outcomes(customers.map(send))).toEqual({ ok: 20, CLASS_FULL: 480 })
    expect(await row(cls.single_class_id)).toEqual({ capacity: 20, taken: 20, held: 0 })
  })

  test('a freed spot is held for the first of the waitlist before any of fifty other customers gets it', async () => {
    const [strangers, waiting] = [await crowd(50), await crowd(3)]
    for (let round = 0; round < 4; round++) {
      const { single_class_id, inside, places } = await full(waiting)
      const cancelling = at(round, inside[0] as Person).bookings.cancel({ class_reservation_id: places[0] ?? 0 })
      const results = await outcomes(strangers.map((person, n) => at(n, person).bookings.reserve({ single_class_id })))
      await cancelling
      expect(results).toEqual({ CLASS_FULL: 50 })
      expect(await row(single_class_id)).toMatchObject({ taken: 0, held: 1 })
      const [token = ''] = await tokens(single_class_id)
      expect(await outcomes(Array.from({ length: 20 }, (_, n) => at(n, null).waitlist.answer({ token, accept: true })))).toEqual({ ok: 20 })
      expect(await row(single_class_id)).toMatchObject({ taken: 1, held: 0 })
    }
    expect((await s.as(waiting[0] as Person).credits.list()).summary.available).toBe(16)
  })

  test('accepting, passing, leaving, booking directly and sweeping concurrently: one of them takes effect', async () => {
    const [strangers, waiting] = [await crowd(4), await crowd(2)]
    for (let round = 0; round < 10; round++) {
      const { single_class_id, inside, places } = await full(waiting)
      await s.as(inside[0] as Person).bookings.cancel({ class_reservation_id: places[0] ?? 0 })
      const [token = ''] = await tokens(single_class_id)
      const [first] = waiting as [Person]
      const [mine] = (await s.as(first).waitlist.list()).waitlists.filter((waitlist) => waitlist.single_class_id === single_class_id)
      const calls: Promise<unknown>[] = [
        at(round, null).waitlist.answer({ token, accept: true }),
        at(round + 1, null).waitlist.answer({ token, accept: false }),
        at(round, first).bookings.reserve({ single_class_id }),
        at(round + 1, first).waitlist.leave({ waitlist_id: mine?.waitlist_id ?? 0 }),
        ...strangers.map((person, n) => at(n, person).bookings.reserve({ single_class_id })),
        sweepWaitlists(s.system()),
      ]
      const results = await Promise.allSettled(calls)
      const places_left = await row(single_class_id)
      expect(places_left.taken + places_left.held).toBeLessThanOrEqual(1)
      // Every successful answer has its reservation.
      const seated = (results[0]?.status === 'fulfilled' ? 1 : 0) + (results[2]?.status === 'fulfilled' ? 1 : 0)
      if (seated > 0) expect(places_left.taken).toBe(1)
      for (const person of waiting) {
        const placed = (await s.as(person).bookings.list({ filter: 'upcoming' })).class_reservations.filter(
          (classReservation) => classReservation.single_class_id === single_class_id,
        )
        for (const reservation of placed) await s.as(person).bookings.cancel({ class_reservation_id: reservation.class_reservation_id })
      }
    }
  })

  test('capacity changes while customers book, cancel and are promoted: never more than the capacity', async () => {
    await s.change({ waitlist_mode: 'auto' })
    const [waiting, strangers] = [await crowd(8), await crowd(12)]
    const { single_class_id, inside, places } = await full([], 3)
    for (const person of waiting) await s.as(person).waitlist.join({ single_class_id, auto: true })
    let most = 0
    let watching = true
    const watch = (async () => {
      while (watching) {
        const { capacity, taken, held } = await row(single_class_id)
        expect(taken + held).toBeLessThanOrEqual(capacity)
        most = Math.max(most, taken)
        await new Promise((resume) => setTimeout(resume, 2))
      }
    })()
    for (let round = 0; round < 6; round++) {
      const busy: Promise<unknown>[] = [
        ...[5, 3, 6, 4].map((capacity, n) => at(n, manager).schedule.update({ single_class_id, capacity })),
        ...strangers.map((person, n) => at(n, person).bookings.reserve({ single_class_id })),
        ...(round === 0 ? inside.map((person, n) => at(n, person).bookings.cancel({ class_reservation_id: places[n] ?? 0 })) : []),
        doJobs(s),
        sweepWaitlists(s.system()),
      ]
      const results = await Promise.allSettled(busy)
      for (const result of results)
        if (result.status === 'rejected') expect((await refusalOf(Promise.reject(result.reason))).status).toBeLessThan(500)
      for (const person of strangers.slice(0, 6)) {
        const [mine] = (await s.as(person).bookings.list({ filter: 'upcoming' })).class_reservations.filter(
          (classReservation) => classReservation.single_class_id === single_class_id,
        )
        if (mine) await at(round, person).bookings.cancel({ class_reservation_id: mine.class_reservation_id })
      }
      await doJobs(s)
    }
    watching = false
    await watch
    expect(most).toBeGreaterThan(3)
    const booked = await s.sql(`select 1 from waitlist where single_class_id = $1 and status = 'booked'`, [single_class_id])
    expect(booked.length).toBeGreaterThan(0)
    await s.change({ waitlist_mode: 'oferta' })
  })

  test('the studio cancels and restores a class while customers book and cancel: credits and spots stay consistent', async () => {
    const people = await crowd(10)
    const cls = await s.make.class({ capacity: 6, starts_at: new Date('2026-12-20T16:00:00Z') })
    const { single_class_id } = cls
    for (let round = 0; round < 6; round++) {
      const results = await Promise.allSettled([
        ...people.map((person, n) => at(n, person).bookings.reserve({ single_class_id })),
        at(round, manager).schedule.cancel({ single_class_id }),
        at(round + 1, manager).schedule.restore({ single_class_id }),
        ...people.slice(0, 4).map(async (person, n) => {
          const [mine] = (await s.as(person).bookings.list({ filter: 'upcoming' })).class_reservations
          if (mine) await at(n, person).bookings.cancel({ class_reservation_id: mine.class_reservation_id })
        }),
      ])
      for (const result of results)
        if (result.status === 'rejected') expect((await refusalOf(Promise.reject(result.reason))).status).toBeLessThan(500)
      await s
        .as(manager)
        .schedule.restore({ single_class_id })
        .catch(() => null)
    }
    for (const person of people) {
      const { class_reservations } = await s.as(person).bookings.list({ filter: 'upcoming' })
      expect((await s.as(person).credits.list()).summary.available).toBe(20 - class_reservations.length)
    }
  })

  test('a dozen random actions concurrently, forty times: every invariant holds', async () => {
    const world = await makeWorld(s, { people: 12, classes: 4 })
    const all = steps(s, world)
    const luck = new Chance(7)
    const names = new Set<string>()
    for (let round = 0; round < 40; round++) {
      const done = await Promise.all(
        Array.from({ length: 12 }, (_, n) =>
          randomWalk(
            all,
            world,
            luck,
            (person) => at(n, person),
            (step) => !step.clock,
          ),
        ),
      )
      for (const { name, outcome } of done) if (outcome === 'ok') names.add(name)
      if (round % 4 === 3) await doJobs(s, 'waitlist.sweep')
      expect({ round, ...(await findBrokenInvariants(s)) }).toEqual({ round })
    }
    for (const name of ['reserve', 'cancel', 'join', 'more or fewer places']) expect([...names]).toContain(name)
    expect(names.size).toBeGreaterThan(9)
  })
})
