/** The lists that the customer object carries (docs/domain.md P18; S2-3.05). */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'

let on: TestStudio
let ana: Person
beforeAll(async () => {
  on = await studio()
  await on.change({ allow_class_guests: true })
  ana = await on.make.buyer()
})
afterAll(() => on.close())

const me = async () => (await on.as(ana).people.me()).customer
const day = (days: number) => new Date(on.clock.now().getTime() + days * 86_400_000)

it('lists the credits and the upcoming reservations with guests, and none that is over or cancelled', async () => {
  expect(await me()).toMatchObject({ class_reservations: [], invoices: [], customer_milestone: [] })
  const { available_classes } = await on.as(ana).credits.list()
  expect((await me()).available_classes).toEqual(
    available_classes.map(({ available_class_id, title, available_classes, is_online, expires_at, expiration_date }) => ({
      available_class_id,
      title,
      available_classes,
      is_online,
      expires_at,
      expiration_date,
    })),
  )

  const [later, next, past] = await Promise.all(
    [3, 2, -2].map((days) => on.make.class({ starts_at: day(days), ends_at: day(days + 0.05), capacity: 5 })),
  )
  if (!later || !next || !past) throw new Error('A class is missing.')
  await on.as(ana).bookings.reserve({ single_class_id: later.single_class_id })
  const { class_reservation } = await on.as(ana).bookings.reserve({ single_class_id: next.single_class_id, guest: 'Eva' })
  await on.sql(`insert into class_reservation (single_class_id, customer_id, "createdAt", "updatedAt") values ($1, $2, now(), now())`, [
    past.single_class_id,
    ana.customer_id,
  ])
  const { class_reservations } = await me()
  expect(class_reservations.map(({ single_class_id, guest }) => [single_class_id, guest])).toEqual([
    [next.single_class_id, 'Eva'],
    [later.single_class_id, null],
  ])
  expect(class_reservations[0]).toMatchObject({
    class_reservation_id: class_reservation.class_reservation_id,
    starts_at: next.starts_at.toISOString(),
  })
  await on.as(ana).bookings.cancel({ class_reservation_id: class_reservation.class_reservation_id })
  expect((await me()).class_reservations.map(({ single_class_id }) => single_class_id)).toEqual([later.single_class_id])
})

it('lists the latest twelve charges of this customer only', async () => {
  const beto = await on.make.customer()
  const sold = await on.make.package()
  for (const { customer_id } of [ana, beto])
    await on.sql(
      `with bought as (
         insert into purchase (customer_id, class_package_id, title, amount_centavos, total_centavos, class_amount, expiration_days, gateway, status, request_hash, "createdAt", "updatedAt")
         select $1, $2, 'Diez', 100, 100, 10, 30, 'efectivo', 'failed', 'x', now(), now() returning purchase_id)
       insert into invoice (purchase_id, customer_id, gateway, provider_payment, period, total_centavos, net_centavos, tax_rate, tax_centavos, status, "createdAt")
       select purchase_id, $1, 'efectivo', $1 || '-' || n, n, n * 100, n * 100, 0, 0, 'paid', now() - n * interval '1 day' from bought, generate_series(1, 15) n`,
      [customer_id, sold.class_package_id],
    )
  const { invoices } = await me()
  expect(invoices.map(({ total_payment }) => total_payment)).toEqual(Array.from({ length: 12 }, (_, at) => `${at + 1}.00`))
  const own = await on.sql<{ invoice_id: number }>('select invoice_id from invoice where customer_id = $1', [ana.customer_id])
  for (const { invoice_id } of invoices) expect(own.map((row) => row.invoice_id)).toContain(invoice_id)
})

it('lists milestones of attended classes: the 1st, 10th, 25th, 50th and every 100th', async () => {
  const location = await on.make.location()
  const type = await on.make.classType()
  await on.sql(
    `with held as (
       insert into single_class (class_type_id, location_id, starts_at, ends_at, capacity)
       select $1, $2, $3::timestamptz + n * interval '1 hour', $3::timestamptz + n * interval '1 hour' + interval '50 minutes', 5 from generate_series(1, 230) n
       returning single_class_id, starts_at)
     insert into class_reservation (single_class_id, customer_id, attend, "createdAt", "updatedAt")
     select single_class_id, $4, row_number() over (order by starts_at) <> 2, now(), now() from held`,
    [type.class_type_id, location.location_id, day(-30), ana.customer_id],
  )
  const { customer_milestone } = await me()
  expect(customer_milestone.map(({ classes }) => classes)).toEqual([1, 10, 25, 50, 100, 200])
  // The second class was missed, so the tenth that counts is the eleventh.
  expect(customer_milestone.slice(0, 2).map(({ reached_at }) => reached_at)).toEqual(
    [1, 11].map((hours) => new Date(day(-30).getTime() + hours * 3_600_000).toISOString()),
  )
})
