/** Reservations that tests begin with. */
import type { Person, TestStudio } from './studio.ts'

type ClassValues = Parameters<TestStudio['make']['class']>[0]

/** A class, and a person's reservation in it. `input`: what else the call of the reservation has. */
export async function reserveNewClass(s: TestStudio, person: Person, values: ClassValues = {}, input: object = {}) {
  const cls = await s.make.class(values)
  const { class_reservation } = await s.as(person).bookings.reserve({ single_class_id: cls.single_class_id, ...input })
  return { cls, id: class_reservation.class_reservation_id }
}

/** How many spots of a class are taken. */
export async function countTaken(s: TestStudio, single_class_id: number): Promise<number | undefined> {
  const [row] = await s.sql<{ taken: number }>('select taken from single_class where single_class_id = $1', [single_class_id])
  return row?.taken
}

/** The spots of a class as its row counts them, and as its reservations do. */
export async function countSpots(s: TestStudio, single_class_id: number): Promise<{ taken: number; places: number } | undefined> {
  const [row] = await s.sql<{ taken: number; places: number }>(
    `select taken, (select count(*)::int from class_reservation r where r.single_class_id = c.single_class_id and r."deletedAt" is null) as places
     from single_class c where single_class_id = $1`,
    [single_class_id],
  )
  return row
}
