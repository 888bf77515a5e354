/** Visits in the previous system, beside rosters that were not closed (IM16, A4). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listCustomersToMove } from '#server/modules/imports/studio-export-store.ts'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'

let on: TestStudio
let owner: Person
beforeAll(async () => {
  on = await studio()
  owner = await on.make.staff('owner')
})
afterAll(() => on.close())

test('an open roster reduces no visits; once it is closed its visit is part of the file’s number (IM16)', async () => {
  const account = await on.make.customer()
  const { customer_id } = account
  await on.sql(
    `insert into past_visit (customer_id, source, visits, last_at, until_at) values ($1, 'fitco', 9, null, '2026-11-18T05:59:59Z')`,
    [customer_id],
  )
  const booked = async (starts_at: string) => {
    const { single_class_id } = await on.make.class({ starts_at: new Date(starts_at) })
    await on.sql(
      `insert into class_reservation (single_class_id, customer_id, attend, "createdAt", "updatedAt") values ($1, $2, null, now(), now())`,
      [single_class_id, customer_id],
    )
    return single_class_id
  }
  const counted = await booked('2026-11-17T16:00:00Z')
  const later = await booked('2026-11-18T16:00:00Z')
  const last = await on.make.class({ starts_at: new Date('2026-11-19T22:00:00Z') })
  await on.make.lot(account, { granted: 3 })
  await on.as(account).bookings.reserve({ single_class_id: last.single_class_id })

  const visits = async () => {
    const { figures } = await on.as(owner).customerFile.one({ customer_id })
    const { class_reservations } = await on.as(owner).attendance.roster({ single_class_id: last.single_class_id })
    const files = await listCustomersToMove(on.studio.db.read, on.clock.now(), 'America/Mexico_City')
    return {
      file: figures.visits,
      roster: class_reservations.find((row) => row.customer_id === customer_id)?.visits,
      export: files.find((row) => row.customer_id === customer_id)?.visits,
    }
  }
  expect(await visits()).toEqual({ file: 9, roster: 9, export: 9 })
  await on.sql(`update single_class set "settledAt" = $2 where single_class_id = $1`, [counted, on.clock.now()])
  expect(await visits()).toEqual({ file: 9, roster: 9, export: 9 })
  await on.sql(`update single_class set "settledAt" = $2 where single_class_id = $1`, [later, on.clock.now()])
  expect(await visits()).toEqual({ file: 10, roster: 10, export: 10 })
})
