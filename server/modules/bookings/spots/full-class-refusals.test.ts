/** Who found a class full is recorded once, after the refusal (docs/domain.md RE21). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeOf, type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { writeClassRefusals } from './full-class-refusals.ts'

let s: TestStudio
beforeAll(async () => {
  s = await studio()
})
afterAll(() => s.close())

const person = async (): Promise<Person> => {
  const customer = await s.make.customer()
  await s.make.lot(customer)
  return customer
}
async function fullClass(more: object = {}): Promise<number> {
  const { single_class_id } = await s.make.class({ capacity: 1, ...more })
  await s.as(await person()).bookings.reserve({ single_class_id })
  return single_class_id
}
/** Whom the database knows to have been refused, by class. */
async function recorded(): Promise<[number, number][]> {
  await writeClassRefusals(s.studio)
  const rows = await s.sql<{ single_class_id: number; customer_id: number }>(
    'select single_class_id, customer_id from class_refusal order by 1, 2',
  )
  return rows.map((row) => [row.single_class_id, row.customer_id])
}

test('a booking, a move and a weekly repeat that find a class full are recorded, each class and person once', async () => {
  const [first, other, third] = [await person(), await person(), await person()]
  const full = await fullClass()
  expect(await codeOf(s.as(first).bookings.reserve({ single_class_id: full }))).toBe('CLASS_FULL')
  expect(await codeOf(s.as(first).bookings.reserve({ single_class_id: full }))).toBe('CLASS_FULL')
  const { class_reservation } = await s.as(other).bookings.reserve({
    single_class_id: (await s.make.class({ starts_at: new Date(s.clock.now().getTime() + 90 * 3_600_000) })).single_class_id,
  })
  const { class_reservation_id } = class_reservation
  expect(await codeOf(s.as(other).bookings.move({ class_reservation_id, single_class_id: full }))).toBe('CLASS_FULL')
  expect((await s.as(third).bookings.repeat({ single_class_id: full, weeks: 2 })).booked).toBe(0)
  expect(await recorded()).toEqual([first, other, third].map(({ customer_id }) => [full, customer_id]))
  // Again after they were written.
  expect(await codeOf(s.as(first).bookings.reserve({ single_class_id: full }))).toBe('CLASS_FULL')
  expect(await recorded()).toHaveLength(3)
  await s.sql('delete from class_refusal')
})

test('a booking, a move, a weekly repeat and a sale by the desk that find a class full are recorded for the person, each once', async () => {
  const [first, other, third, fourth] = [await person(), await person(), await person(), await person()]
  const full = await fullClass({ price_centavos: 22_000 })
  const staff = await s.make.staff('reception')
  // Each with a key of its own: the same key would answer with what it was answered before.
  const desk = () => s.as(staff, randomUUID())
  for (const { customer_id } of [first, first])
    expect(await codeOf(desk().attendance.reserve({ single_class_id: full, customer_id }))).toBe('CLASS_FULL')
  const starts_at = new Date(s.clock.now().getTime() + 90 * 3_600_000)
  const { class_reservation } = await desk().attendance.reserve({
    customer_id: other.customer_id,
    single_class_id: (await s.make.class({ starts_at })).single_class_id,
  })
  const { class_reservation_id } = class_reservation
  expect(await codeOf(desk().frontDesk.move({ class_reservation_id, single_class_id: full }))).toBe('CLASS_FULL')
  expect((await desk().frontDesk.repeat({ single_class_id: full, weeks: 1, customer_id: third.customer_id })).booked).toBe(0)
  const { location_id } = await s.make.location()
  const sale = {
    customer_id: fourth.customer_id,
    location_id,
    shown: { total: '220' },
    lines: [{ kind: 'class' as const, single_class_id: full }],
    payments: [{ payment_method_id: (await s.make.paymentMethod({ name: 'Terminal bancaria' })).payment_method_id, amount: '220' }],
  }
  // What a sale would be is not a sale.
  expect(await codeOf(desk().counterSales.sell({ ...sale, dry_run: true }))).toBe('CLASS_FULL')
  expect(await recorded()).toHaveLength(3)
  expect(await codeOf(desk().counterSales.sell(sale))).toBe('CLASS_FULL')
  expect(await recorded()).toEqual([first, other, third, fourth].map(({ customer_id }) => [full, customer_id]))
  await s.sql('delete from class_refusal')
})

test('other refusals, who has a place in it, staff who do not work there, and classes without a capacity are not recorded', async () => {
  const [single, without] = [await person(), await s.make.customer()]
  const full = await fullClass()
  const open = (await s.make.class({ capacity: 1 })).single_class_id
  expect(await codeOf(s.as(without).bookings.reserve({ single_class_id: open }))).toBe('NO_CREDITS')
  await s.as(single).bookings.reserve({ single_class_id: open })
  expect(await codeOf(s.as(single).bookings.reserve({ single_class_id: open }))).toBe('ALREADY_RESERVED')
  const [desk, elsewhere] = [await s.make.staff('reception'), await s.make.staff('reception')]
  const { location_id } = await s.make.location()
  await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [elsewhere.uid, location_id])
  const about = { single_class_id: full, customer_id: (await person()).customer_id }
  expect(await codeOf(s.as(elsewhere, randomUUID()).attendance.reserve(about))).toBe('FORBIDDEN')
  expect(await codeOf(s.as(desk, randomUUID()).attendance.reserve({ single_class_id: open, customer_id: single.customer_id }))).toBe(
    'ALREADY_RESERVED',
  )
  const unplanned = (await s.make.class({ capacity: null })).single_class_id
  expect(await codeOf(s.as(await person()).bookings.reserve({ single_class_id: unplanned }))).toBe('CLASS_FULL')
  expect(await recorded()).toEqual([])
})

test('a person who is erased meanwhile leaves the others of the same half second', async () => {
  const [leaver, other] = [await s.make.customer(), await person()]
  const full = await fullClass()
  expect(await codeOf(s.as(leaver).bookings.reserve({ single_class_id: full }))).toBe('CLASS_FULL')
  expect(await codeOf(s.as(other).bookings.reserve({ single_class_id: full }))).toBe('CLASS_FULL')
  await s.sql('delete from customer where customer_id = $1', [leaver.customer_id])
  expect(await recorded()).toEqual([[full, other.customer_id]])
})
