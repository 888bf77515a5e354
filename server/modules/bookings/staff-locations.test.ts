/** Staff of some locations: everything of a class elsewhere is refused, for every role (docs/domain.md, E4). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let on: TestStudio
let trainer: number
const location = { norte: 0, sur: 0 }
type Where = keyof typeof location
const people = {} as Record<'coach' | 'reception' | 'manager', Person>

beforeAll(async () => {
  on = await studio({ settings: { waitlist_enabled: true, cash_checkout_enabled: true, cash_session_required: false } })
  trainer = (await on.make.instructor()).instructor_id
  location.norte = (await on.make.location()).location_id
  location.sur = (await on.make.location()).location_id
  for (const role of ['coach', 'reception', 'manager'] as const) {
    people[role] = await on.make.staff(role, role === 'coach' ? { instructor_id: trainer } : {})
    await on.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [people[role].uid, location.norte])
  }
})
afterAll(() => on.close())

let hours = 0
const aClass = (where: Where, more: object = {}) =>
  on.make.class({
    location_id: location[where],
    instructor_id: trainer,
    starts_at: new Date(on.clock.now().getTime() + (30 + 2 * ++hours) * 3_600_000),
    ...more,
  })
async function aReservation(where: Where, more: object = {}) {
  const { single_class_id } = await aClass(where, more)
  const customer = await on.make.buyer()
  const { class_reservation } = await on.as(customer).bookings.reserve({ single_class_id })
  return { single_class_id, class_reservation_id: class_reservation.class_reservation_id }
}
async function anEntry(where: Where) {
  const { single_class_id } = await aReservation(where, { capacity: 1 })
  const { waitlist } = await on.as(await on.make.buyer()).waitlist.join({ single_class_id })
  return { single_class_id, waitlist_id: waitlist.waitlist_id }
}
const aCashReservation = async (where: Where) => {
  const { single_class_id } = await aClass(where, { price_centavos: 20_000 })
  const { customer_id } = await on.make.customer()
  const owner = on.as(await on.make.staff('owner'))
  const { class_reservation } = await owner.attendance.reserve({ customer_id, single_class_id, is_cash: true })
  return class_reservation.class_reservation_id
}
/** Each call is given what it is about, of a class at that location, and answers how to make it. */
const calls: Record<
  string,
  { needs: string; by: (keyof typeof people)[]; make: (where: Where) => Promise<(as: Client) => Promise<unknown>> }
> = {
  roster: {
    needs: 'classes.own',
    by: ['coach', 'reception', 'manager'],
    make: async (where) => {
      const { single_class_id } = await aReservation(where)
      return (as) => as.attendance.roster({ single_class_id })
    },
  },
  'one reservation': {
    needs: 'classes.own',
    by: ['coach', 'reception'],
    make: async (where) => {
      const { class_reservation_id } = await aReservation(where)
      return (as) => as.attendance.one({ class_reservation_id })
    },
  },
  mark: {
    needs: 'classes.own',
    by: ['coach', 'reception'],
    make: async (where) => {
      const starts_at = new Date(on.clock.now().getTime() + 60_000 * ++hours)
      const { class_reservation_id } = await aReservation(where, { starts_at })
      return (as) => as.attendance.mark({ class_reservation_id, attend: true })
    },
  },
  waitlist: {
    needs: 'classes.own',
    by: ['coach', 'reception'],
    make: async (where) => {
      const { single_class_id } = await anEntry(where)
      return (as) => as.waitlist.ofClass({ single_class_id })
    },
  },
  prioritise: {
    needs: 'roster.all',
    by: ['reception'],
    make: async (where) => {
      const { waitlist_id } = await anEntry(where)
      return (as) => as.waitlist.prioritise({ waitlist_id, priority: 5, reason: 'Es su cumpleaños' })
    },
  },
  reserve: {
    needs: 'roster.all',
    by: ['reception', 'manager'],
    make: async (where) => {
      const { single_class_id } = await aClass(where)
      const { customer_id } = await on.make.buyer()
      return (as) => as.attendance.reserve({ customer_id, single_class_id })
    },
  },
  'cancel a reservation': {
    needs: 'roster.all',
    by: ['reception'],
    make: async (where) => {
      const { class_reservation_id } = await aReservation(where)
      return (as) => as.attendance.cancel({ class_reservation_id, reason: 'Avisó tarde' })
    },
  },
  'receive money': {
    needs: 'sales.sell',
    by: ['reception'],
    make: async (where) => {
      const class_reservation_id = await aCashReservation(where)
      return (as) => as.attendance.paid({ class_reservation_id })
    },
  },
  'create a class': {
    needs: 'schedule.edit',
    by: ['manager'],
    make: async (where) => {
      const { class_type_id } = await on.make.classType()
      const input = {
        class_type_id,
        location_id: location[where],
        instructor_ids: [trainer],
        class_date: '2026-12-01T18:00:00Z',
        capacity: 5,
      }
      return (as) => as.schedule.create(input)
    },
  },
  'change a class': {
    needs: 'schedule.edit',
    by: ['manager'],
    make: async (where) => {
      const { single_class_id } = await aClass(where)
      return (as) => as.schedule.update({ single_class_id, description: 'Con velas' })
    },
  },
  'move a class': {
    needs: 'schedule.edit',
    by: ['manager'],
    make: async (where) => {
      const { single_class_id } = await aClass('norte')
      return (as) => as.schedule.update({ single_class_id, location_id: location[where] })
    },
  },
  'cancel a class': {
    needs: 'schedule.edit',
    by: ['manager'],
    make: async (where) => {
      const { single_class_id } = await aClass(where)
      return (as) => as.schedule.cancel({ single_class_id })
    },
  },
  'restore a class': {
    needs: 'schedule.edit',
    by: ['manager'],
    make: async (where) => {
      const { single_class_id } = await aClass(where)
      await on.as(await on.make.staff('owner')).schedule.cancel({ single_class_id })
      return (as) => as.schedule.restore({ single_class_id })
    },
  },
  'delete a class': {
    needs: 'schedule.edit',
    by: ['manager'],
    make: async (where) => {
      const { single_class_id } = await aClass(where)
      return (as) => as.schedule.erase({ single_class_id })
    },
  },
}

const rows = Object.entries(calls).flatMap(([name, { by, ...call }]) => by.map((role) => ({ name, role, ...call })))

describe('staff of one location', () => {
  test.each(rows)('$name by $role: allowed there, refused elsewhere', async ({ role, needs, make }) => {
    const elsewhere = await make('sur')
    expect(await refusalOf(elsewhere(on.as(people[role])))).toMatchObject({
      code: 'FORBIDDEN',
      status: 403,
      data: { needs, location_id: location.sur },
    })
    await (await make('norte'))(on.as(people[role]))
    // At their locations nothing differs: staff of all locations get the same.
    await elsewhere(on.as(await on.make.staff(role === 'coach' ? 'owner' : role)))
  })

  test('the calendar has figures of classes there only', async () => {
    const [here, there] = [await aClass('norte'), await aClass('sur')]
    const read = async (person: Person, single_class_id: number) => (await on.as(person).schedule.one({ single_class_id })).single_class
    for (const person of [people.reception, people.manager]) {
      expect((await read(person, here.single_class_id)).figures).not.toBeNull()
      expect((await read(person, there.single_class_id)).figures ?? null).toBeNull()
    }
  })

  test('a removed location leaves its staff with no location, not with all', async () => {
    const desk = await on.make.staff('reception')
    await on.sql('insert into staff_location select staff_id, 2000000000 from staff where uid = $1', [desk.uid])
    const { single_class_id } = await aClass('norte')
    expect(await codeOf(on.as(desk).attendance.roster({ single_class_id }))).toBe('FORBIDDEN')
  })

  test('taking money with a booking requires the right to sell', async () => {
    const desk = await on.make.staff('reception')
    await on.sql(`insert into staff_right select staff_id, 'sales.sell', false from staff where uid = $1`, [desk.uid])
    const { single_class_id } = await aClass('norte', { price_centavos: 20_000 })
    const { customer_id } = await on.make.customer()
    const paying = on.as(desk).attendance.reserve({ customer_id, single_class_id, is_cash: true, is_paid: true })
    expect(await refusalOf(paying)).toMatchObject({ code: 'FORBIDDEN', data: { needs: 'sales.sell' } })
  })
})
