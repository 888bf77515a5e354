/** Who found a class full is recorded once, after the refusal (docs/domain.md RE21). */
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
  const [one, other, third] = [await person(), await person(), await person()]
  const full = await fullClass()
  expect(await codeOf(s.as(one).bookings.reserve({ single_class_id: full }))).toBe('CLASS_FULL')
  expect(await codeOf(s.as(one).bookings.reserve({ single_class_id: full }))).toBe('CLASS_FULL')
  const { class_reservation } = await s.as(other).bookings.reserve({
    single_class_id: (await s.make.class({ starts_at: new Date(s.clock.now().getTime() + 90 * 3_600_000) })).single_class_id,
  })
  const { class_reservation_id } = class_reservation
  expect(await codeOf(s.as(other).bookings.move({ class_reservation_id, single_class_id: full }))).toBe('CLASS_FULL')
  expect((await s.as(third).bookings.repeat({ single_class_id: full, weeks: 2 })).booked).toBe(0)
  expect(await recorded()).toEqual([one, other, third].map(({ customer_id }) => [full, customer_id]))
  // Again after they were written.
  expect(await codeOf(s.as(one).bookings.reserve({ single_class_id: full }))).toBe('CLASS_FULL')
  expect(await recorded()).toHaveLength(3)
  await s.sql('delete from class_refusal')
})

test('other refusals, staff, who has a place in it, and classes without a capacity are not recorded', async () => {
  const [one, without] = [await person(), await s.make.customer()]
  const full = await fullClass()
  const open = (await s.make.class({ capacity: 1 })).single_class_id
  expect(await codeOf(s.as(without).bookings.reserve({ single_class_id: open }))).toBe('NO_CREDITS')
  await s.as(one).bookings.reserve({ single_class_id: open })
  expect(await codeOf(s.as(one).bookings.reserve({ single_class_id: open }))).toBe('ALREADY_RESERVED')
  const desk = s.as(await s.make.staff('reception'))
  expect(await codeOf(desk.attendance.reserve({ single_class_id: full, customer_id: one.customer_id }))).toBe('CLASS_FULL')
  const unplanned = (await s.make.class({ capacity: null })).single_class_id
  expect(await codeOf(s.as(await person()).bookings.reserve({ single_class_id: unplanned }))).toBe('CLASS_FULL')
  expect(await recorded()).toEqual([])
})

test('a person who is erased meanwhile leaves the others of the same half second', async () => {
  const [gone, other] = [await s.make.customer(), await person()]
  const full = await fullClass()
  expect(await codeOf(s.as(gone).bookings.reserve({ single_class_id: full }))).toBe('CLASS_FULL')
  expect(await codeOf(s.as(other).bookings.reserve({ single_class_id: full }))).toBe('CLASS_FULL')
  await s.sql('delete from customer where customer_id = $1', [gone.customer_id])
  expect(await recorded()).toEqual([[full, other.customer_id]])
})
