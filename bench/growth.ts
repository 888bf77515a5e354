/**
 * npm run bench -- growth: the same requests in a small studio and in one with 1,000,000 reservations of 100,000 customers; their p99 as a
 * ratio. `BENCH_CUSTOMERS=10000` for a smaller one.
 */
import pg from 'pg'
import { fillLargeStudio } from '#server/testing/large-studio.ts'
import { bookingRequest } from './bookings.ts'
import { n, print } from './figures.ts'
import { type Load, load, request } from './load.ts'
import { drain } from './queue.ts'
import { addClasses, addCustomers, openWorld, tokensOf } from './world.ts'

const CUSTOMERS = Number(process.env.BENCH_CUSTOMERS ?? 100_000)
const BOOKERS = 200
const CLASSES = 60
const CLIENTS = 4
const SECONDS = 6
const GOAL = 1.2

const world = await openWorld()
try {
  const { sql, product, studio, url } = world
  await addCustomers(sql, BOOKERS)
  const tokens = await tokensOf(world, BOOKERS)
  const [owner] = await sql<{ uid: string; staff_id: number }>(
    `select uid, staff_id from staff where role = 'owner' and uid is not null limit 1`,
  )
  if (!owner) throw new Error('The demo studio has no owner.')
  const staff = { authorization: `Bearer ${await studio.ports.identity.tokenFor(owner.uid)}` }
  const [customer] = tokens
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const firstClass = await addClasses(sql, { count: CLASSES, capacity: BOOKERS })

  async function measure(label: string): Promise<Record<string, Load>> {
    const fresh = await addClasses(sql, { count: CLASSES, capacity: BOOKERS })
    const plan = { firstClass: fresh, classes: CLASSES, tokens, label }
    let pair = 0
    const same = (path: string, headers: Record<string, string>) => {
      const bytes = request('GET', path, headers)
      return () => bytes
    }
    const requests: Record<string, () => Buffer | null> = {
      'a booking': () => bookingRequest(plan, pair++),
      'the week, signed in': same(`/api/single_class?start_date=${day(0)}&end_date=${day(6)}`, { authorization: `Bearer ${customer}` }),
      'a roster': same(`/api/admin/single_class/${firstClass}/class_reservations`, staff),
      'the search': same('/api/admin/search?query=carga%20prueba', staff),
      'Reservaciones, page 2': same('/api/admin/class_reservations?page=2', staff),
    }
    const found: Record<string, Load> = {}
    for (const [name, next] of Object.entries(requests)) {
      await load(product.port, CLIENTS, 1, next)
      found[name] = await load(product.port, CLIENTS, SECONDS, next)
      const { statuses } = found[name]
      if (Object.keys(statuses).some((status) => status !== '200')) console.log('    unexpected answers', name, statuses)
      await drain(sql)
    }
    return found
  }

  const small = await measure('small')
  const [row] = await sql<{ class_type_id: number; location_id: number; class_package_id: number }>(
    'select (select min(class_type_id) from class_type) as class_type_id, (select min(location_id) from location) as location_id, (select min(class_package_id) from class_package) as class_package_id',
  )
  if (!row) throw new Error('The demo studio is empty.')
  // The marks of this load are those of the filled rows too.
  await sql(`update single_class set description = 'antes' where description = 'carga'`)
  const began = performance.now()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await fillLargeStudio(client, { ...row, customers: CUSTOMERS, staff_id: owner.staff_id })
  await client.query('truncate customer_change, rollup_change, income_change')
  await client.query('vacuum analyze')
  await client.end()
  console.log(`${CUSTOMERS} clientes y ${CUSTOMERS * 10} reservaciones en ${n((performance.now() - began) / 1000, 0)} s.\n`)
  const large = await measure('large')
  for (const [name, { p50, p99 }] of Object.entries(large)) {
    const before = small[name]
    if (before)
      print(
        name,
        `p99 ${n(p99 / before.p99)} of the small studio's   (${n(p99, 1)} / ${n(before.p99, 1)} ms, p50 ${n(p50, 1)} / ${n(before.p50, 1)})   goal <= ${n(GOAL, 1)}`,
      )
  }
} finally {
  await world.close()
}
