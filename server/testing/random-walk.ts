/**
 * Random steps through a studio's life, reproducible by seed: customers book, bring guests, wait, cancel and move; staff change capacities,
 * cancel classes and undo that; the clock jumps. Refusals are expected; any other error is a bug.
 */
import { ORPCError } from '@orpc/client'
import type { Chance } from '#server/demo/chance.ts'
import type { Client, Person, TestStudio } from './studio.ts'
import { doJobs } from './work.ts'

const ROOM = { spot_map: '2,3', closed_spots: ['2-3'] }
/** Number of classes at a time, few so that customers compete for spots. */
const MOST = 5

export interface World {
  people: Person[]
  manager: Person
  classes: number[]
}

/** Small classes and more customers than spots, with credits of every kind. */
export async function makeWorld(s: TestStudio, size: { people: number; classes: number }): Promise<World> {
  const people: Person[] = []
  for (let n = 0; n < size.people; n++) {
    const customer = await s.make.customer()
    await s.make.lot(
      customer,
      n % 2 === 0
        ? { unlimited: true, expires_at: new Date('2027-06-01T05:59:59Z') }
        : { granted: 4 + (n % 9), expires_at: new Date('2027-06-01T05:59:59Z') },
    )
    people.push(customer)
  }
  const classes: number[] = []
  for (let n = 0; n < size.classes; n++) {
    const starts_at = new Date(s.clock.now().getTime() + (26 + 9 * n) * 3_600_000)
    classes.push((await s.make.class({ starts_at, capacity: 2 + (n % 3), ...(n % 3 === 0 ? ROOM : {}) })).single_class_id)
  }
  return { people, manager: await s.make.staff('manager'), classes }
}

type Step = (at: {
  as: (person: Person | null) => Client
  person: Person
  cls: number
  pick: <T>(from: readonly T[]) => T | undefined
  roll: () => number
}) => Promise<unknown>

/** The possible steps and their relative frequency. `clock`: requires exclusive use of the studio's clock and jobs. */
export function steps(s: TestStudio, world: World): Record<string, { weight: number; clock?: true; step: Step }> {
  // Ordered by id: a run is reproducible only if its choices are.
  const ids = (text: string, values: unknown[] = []) =>
    s.sql<{ id: number }>(`${text} order by id`, values).then((rows) => rows.map((row) => row.id))
  /** Mostly reservations of upcoming classes: with past ones little can be done. */
  const mine = (person: Person, roll: () => number) =>
    ids(
      `select class_reservation_id as id from class_reservation join single_class c using (single_class_id)
       where customer_id = $1 and "deletedAt" is null and host_reservation_id is null and c.starts_at > $2`,
      [person.customer_id, roll() < 0.8 ? s.clock.now().toISOString() : '-infinity'],
    )
  const anyReservation = () =>
    ids(`select class_reservation_id as id from class_reservation where "deletedAt" is null and host_reservation_id is null`)
  /** Mostly a spot that exists. */
  const spot = (roll: () => number) => ['1-1', '1-2', '2-1', '2-2', '2-3', '3-1'][Math.floor(roll() * 4.6)] ?? '1-1'
  /** A spot, where the class has a map. */
  const seat = async (cls: number, roll: () => number) => {
    const [row] = await s.sql<{ map: string | null }>('select spot_map as map from single_class where single_class_id = $1', [cls])
    return row?.map ? { spot: spot(roll), guest_spot: spot(roll) } : {}
  }
  const need = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Skipped()
    return value
  }
  const staff = (as: (person: Person) => Client) => as(world.manager)
  return {
    reserve: {
      weight: 60,
      step: async ({ as, person, cls, roll }) => {
        const { spot, guest_spot } = await seat(cls, roll)
        const guest = roll() < 0.3
        return as(person).bookings.reserve({
          single_class_id: cls,
          ...(spot ? { spot } : {}),
          ...(guest ? { guest: 'Jimena', ...(guest_spot ? { guest_spot } : {}) } : {}),
        })
      },
    },
    cancel: {
      weight: 22,
      step: async ({ as, person, pick, roll }) =>
        as(person).bookings.cancel({ class_reservation_id: need(pick(await mine(person, roll))) }),
    },
    'bring a guest': {
      weight: 16,
      step: async ({ as, person, pick, roll }) => {
        const alone = await s.sql<{ id: number; cls: number }>(
          `select r.class_reservation_id as id, c.single_class_id as cls from class_reservation r join single_class c using (single_class_id)
           where r.customer_id = $1 and r."deletedAt" is null and r.host_reservation_id is null and c.starts_at > $2
             and not exists (select 1 from class_reservation g where g.host_reservation_id = r.class_reservation_id and g."deletedAt" is null)
           order by id`,
          [person.customer_id, s.clock.now().toISOString()],
        )
        const host = need(pick(alone))
        const { guest_spot } = await seat(host.cls, roll)
        return as(person).bookings.guest({ class_reservation_id: host.id, name: 'Sofía', ...(guest_spot ? { guest_spot } : {}) })
      },
    },
    'leave the guest': {
      weight: 10,
      // Selects reservations with a guest directly: few have one.
      step: async ({ as, pick }) => {
        const hosts = await s.sql<{ id: number; customer_id: number }>(
          `select h.class_reservation_id as id, h.customer_id from class_reservation g
           join class_reservation h on h.class_reservation_id = g.host_reservation_id join single_class c on c.single_class_id = h.single_class_id
           where g."deletedAt" is null and c.starts_at > $1 order by id`,
          [s.clock.now().toISOString()],
        )
        const host = need(pick(hosts))
        const person = world.people.find((person) => person.customer_id === host.customer_id)
        return as(need(person)).bookings.removeGuest({ class_reservation_id: host.id })
      },
    },
    move: {
      weight: 10,
      step: async ({ as, person, cls, pick, roll }) =>
        as(person).bookings.move({
          class_reservation_id: need(pick(await mine(person, roll))),
          single_class_id: cls,
          ...(await seat(cls, roll)),
        }),
    },
    'change the seat': {
      weight: 6,
      step: async ({ as, person, pick, roll }) =>
        as(person).bookings.update({
          class_reservation_id: need(
            pick(
              await ids(
                `select class_reservation_id as id from class_reservation where customer_id = $1 and "deletedAt" is null and spot is not null and host_reservation_id is null`,
                [person.customer_id],
              ),
            ),
          ),
          spot: spot(roll),
        }),
    },
    'every week': { weight: 2, step: ({ as, person, cls }) => as(person).bookings.repeat({ single_class_id: cls, weeks: 2 }) },
    join: { weight: 45, step: ({ as, person, cls, roll }) => as(person).waitlist.join({ single_class_id: cls, auto: roll() < 0.5 }) },
    'leave the line': {
      weight: 6,
      step: async ({ as, person, pick }) => {
        const { waitlists } = await as(person).waitlist.list()
        return as(person).waitlist.leave({ waitlist_id: need(pick(waitlists)).waitlist_id })
      },
    },
    'answer an offer': {
      weight: 25,
      step: async ({ as, pick, roll }) => {
        const offers = await s.sql<{ waitlist_id: number; offers: number }>(
          `select waitlist_id, offers from waitlist where status = 'offered' order by waitlist_id`,
        )
        const { waitlist_id, offers: n } = need(pick(offers))
        const token = s.studio.signer.sign('waitlist-offer', `${waitlist_id}-${n}`)
        return as(null).waitlist.answer({ token, accept: roll() < 0.6 })
      },
    },
    'more or fewer places': {
      weight: 12,
      step: ({ as, cls, roll }) => staff(as).schedule.update({ single_class_id: cls, capacity: Math.floor(roll() * 4) }),
    },
    'seats break and are mended': {
      weight: 8,
      step: async ({ as, pick, roll }) => {
        const rooms = await ids(
          `select single_class_id as id from single_class where single_class_id = any($1) and spot_map is not null and "cancelledAt" is null and starts_at > $2`,
          [world.classes, s.clock.now().toISOString()],
        )
        const closed_spots = ['1-1', '1-2', '2-1', '2-2', '2-3'].filter(() => roll() < 0.25)
        return staff(as).schedule.update({ single_class_id: need(pick(rooms)), closed_spots })
      },
    },
    'a room gets or loses its map': {
      weight: 3,
      step: ({ as, cls, roll }) => staff(as).schedule.update({ single_class_id: cls, spot_map: roll() < 0.5 ? '2,3' : null }),
    },
    'another hour': {
      weight: 5,
      step: async ({ as, cls, roll }) => {
        const at = new Date(s.clock.now().getTime() + (roll() < 0.4 ? 1 + roll() * 3 : 20 + roll() * 60) * 3_600_000 - 6 * 3_600_000)
        return staff(as).schedule.update({ single_class_id: cls, class_date: at.toISOString() })
      },
    },
    'cancel the class': { weight: 3, step: ({ as, cls }) => staff(as).schedule.cancel({ single_class_id: cls, reason: 'Llueve' }) },
    'restore the class': {
      weight: 12,
      // Mostly within the ten minutes in which it is possible.
      step: async ({ as, pick, roll }) =>
        staff(as).schedule.restore({
          single_class_id: need(
            pick(
              await ids('select single_class_id as id from single_class where "cancelledAt" >= $1', [
                roll() < 0.8 ? new Date(s.clock.now().getTime() - 600_000).toISOString() : '-infinity',
              ]),
            ),
          ),
        }),
    },
    'staff book': {
      weight: 7,
      step: async ({ as, person, cls, roll }) => {
        const { spot } = await seat(cls, roll)
        const input = { customer_id: person.customer_id, single_class_id: cls, is_cash: roll() < 0.6, ...(spot ? { spot } : {}) }
        return staff(as).attendance.reserve(input)
      },
    },
    'staff cancel': {
      weight: 4,
      step: async ({ as, pick, roll }) =>
        staff(as).attendance.cancel({
          class_reservation_id: need(pick(await anyReservation())),
          reason: 'Lo pidió',
          credit: roll() < 0.5 ? 'return' : 'keep',
        }),
    },
    'somebody goes ahead in the line': {
      weight: 4,
      step: async ({ as, pick, roll }) => {
        const waiting = await ids(`select waitlist_id as id from waitlist where status in ('waiting', 'offered')`)
        return staff(as).waitlist.prioritise({ waitlist_id: need(pick(waiting)), priority: Math.floor(roll() * 3), reason: 'Lo pidió' })
      },
    },
    'cash comes': {
      weight: 6,
      step: async ({ as, pick }) =>
        staff(as).attendance.paid({
          class_reservation_id: need(
            pick(
              await ids(
                `select class_reservation_id as id from class_reservation where is_cash and not is_paid and "deletedAt" is null and host_reservation_id is null`,
              ),
            ),
          ),
        }),
    },
    'who came': {
      weight: 16,
      step: async ({ as, pick, roll }) => {
        const soon = new Date(s.clock.now().getTime() + 2 * 3_600_000).toISOString()
        const open = await ids(
          `select r.class_reservation_id as id from class_reservation r join single_class c using (single_class_id)
           where r."deletedAt" is null and c."cancelledAt" is null and c.starts_at <= $1 and r.attend is null`,
          [soon],
        )
        return staff(as).attendance.mark({ class_reservation_id: need(pick(open)), attend: roll() < 0.25 })
      },
    },
    'more credits': {
      weight: 3,
      step: ({ as, person }) =>
        staff(as).credits.create({
          customer_id: person.customer_id,
          available_classes: 3,
          expiration_date: '2027-05-01',
          reason: 'Para seguir',
        }),
    },
    'credits rest, work again, or are fewer': {
      weight: 5,
      step: async ({ as, person, pick, roll }) => {
        const creditLots = await ids(
          'select available_class_id as id from available_class where customer_id = $1 and "revokedAt" is null',
          [person.customer_id],
        )
        const change = roll() < 0.3 ? { add: -1 } : { frozen: roll() < 0.4 }
        return staff(as).credits.update({ available_class_id: need(pick(creditLots)), ...change, reason: 'De viaje' })
      },
    },
    'credits are taken away': {
      weight: 1,
      step: async ({ as, person, pick }) => {
        const creditLots = await ids(
          'select available_class_id as id from available_class where customer_id = $1 and "revokedAt" is null and not unlimited',
          [person.customer_id],
        )
        return staff(as).credits.revoke({ available_class_id: need(pick(creditLots)), reason: 'Se devolvió el dinero' })
      },
    },
    'a penalty by hand': {
      weight: 1,
      step: ({ as, person }) => staff(as).penalties.create({ customer_id: person.customer_id, reason: 'Llegó tarde' }),
    },
    'stars are given': {
      weight: 5,
      step: async ({ as, roll }) => {
        const [row] = await s.sql<{ id: number; customer_id: number }>(
          `select class_reservation_id as id, customer_id from class_reservation
           where attend and coach_stars is null and "deletedAt" is null and host_reservation_id is null order by id limit 1`,
        )
        const person = world.people.find((person) => person.customer_id === row?.customer_id)
        return as(need(person)).bookings.rate({
          class_reservation_id: need(row).id,
          coach_stars: 1 + Math.floor(roll() * 5),
          class_stars: roll() < 0.5 ? null : 4,
        })
      },
    },
    'somebody forgives': {
      weight: 3,
      step: async ({ as, pick }) =>
        staff(as).penalties.forgive({
          class_reservation_penalty_id: need(
            pick(
              await ids(
                `select class_reservation_penalty_id as id from class_reservation_penalty where "forgivenAt" is null and ends_at > $1`,
                [s.clock.now().toISOString()],
              ),
            ),
          ),
          reason: 'Está bien',
        }),
    },
    'minutes pass': { weight: 10, clock: true, step: async ({ roll }) => s.clock.advance({ minutes: 1 + Math.floor(roll() * 25) }) },
    'hours pass': { weight: 8, clock: true, step: async ({ roll }) => s.clock.advance({ hours: 1 + Math.floor(roll() * 7) }) },
    'the jobs run': {
      weight: 14,
      clock: true,
      step: () => doJobs(s, 'waitlist.sweep', 'bookings.unpaid', 'bookings.settle', 'bookings.reminders', 'messages.sweep'),
    },
    'a new class': {
      weight: 16,
      clock: true,
      step: async ({ roll }) => {
        const starts_at = new Date(s.clock.now().getTime() + (6 + Math.floor(roll() * 40)) * 3_600_000)
        const answer = await s.make.class({ starts_at, capacity: 1 + Math.floor(roll() * 2), ...(roll() < 0.3 ? ROOM : {}) })
        world.classes.push(answer.single_class_id)
        // Mostly upcoming classes, sometimes past ones.
        const over = await ids(
          `select single_class_id as id from single_class where single_class_id = any($1) and (starts_at < $2 or "cancelledAt" < $2::timestamptz - interval '1 hour')`,
          [world.classes, s.clock.now().toISOString()],
        )
        for (const id of over.slice(1)) world.classes.splice(world.classes.indexOf(id), 1)
        if (world.classes.length > MOST) world.classes.shift()
      },
    },
    'another way of waiting': {
      weight: 3,
      clock: true,
      step: ({ pick }) => s.change({ waitlist_mode: pick(['todos', 'oferta', 'oferta', 'auto']) ?? 'oferta' }),
    },
  }
}

/** There was no record for the step. */
export class Skipped extends Error {}

/** Runs one random step; returns its name and result: "ok", "skipped" or the error code. Throws errors that are not refusals. */
export async function randomWalk(
  all: ReturnType<typeof steps>,
  world: World,
  luck: Chance,
  as: (person: Person | null) => Client,
  only: (step: { clock?: true }) => boolean = () => true,
): Promise<{ name: string; outcome: string }> {
  const open = Object.entries(all).filter(([, step]) => only(step))
  const creditLots = open.flatMap(([name, { weight }]) => Array.from({ length: weight }, () => name))
  const name = luck.one(creditLots)
  const roll = () => luck.next()
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(roll() * from.length)]
  const [person, cls] = [pick(world.people) as Person, pick(world.classes) as number]
  try {
    await all[name]?.step({ as, person, cls, pick, roll })
    return { name, outcome: 'ok' }
  } catch (error) {
    if (error instanceof Skipped) return { name, outcome: 'skipped' }
    // BUSY is expected on a loaded machine; every other status of 500 or above is a bug.
    if (error instanceof ORPCError && (error.status < 500 || error.code === 'BUSY')) return { name, outcome: error.code }
    throw error
  }
}
