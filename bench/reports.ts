/**
 * Every report for a year, and the index of all, in a studio with 100,000 customers and 1,000,000 reservations: time at the server, without
 * rollups and with them, and how long it takes to derive them. `npm run bench -- reports`; `BENCH_CUSTOMERS=20000` for a smaller studio,
 * `BENCH_KEEP=<folder>` keeps its database there and uses it again, `BENCH_WITHOUT=1` measures without rollups too,
 * `BENCH_REPORTS=ganancia,valor` measures only these reports.
 */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { REPORT_KEYS } from '#contract/copy/reports.ts'
import { refreshAllSummaries } from '#server/modules/customers/summaries.ts'
import { rebuildIncome, refreshAllIncome, wrongIncome } from '#server/modules/income/income.ts'
import { rebuildRollups, refreshAllRollups, wrongRollups } from '#server/modules/rollups/rollups.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { migrate } from '#server/platform/migrate.ts'
import { fillLargeStudio } from '#server/testing/large-studio.ts'
import { studio } from '#server/testing/studio.ts'

const CUSTOMERS = Number(process.env.BENCH_CUSTOMERS ?? 100_000)
const OUTPUT_FOLDER = process.env.BENCH_KEEP
/** `BENCH_REPORTS=ganancia,valor`: only these, and not the index. */
const KEYS = process.env.BENCH_REPORTS ? REPORT_KEYS.filter((key) => process.env.BENCH_REPORTS?.split(',').includes(key)) : REPORT_KEYS
const ROUNDS = 7

if (OUTPUT_FOLDER) mkdirSync(OUTPUT_FOLDER, { recursive: true })
const folder = OUTPUT_FOLDER ?? mkdtempSync(join(tmpdir(), 'estudio-bench-'))
chmodSync(folder, 0o755)
const isThere = existsSync(join(folder, 'filled'))
const server = await startEmbeddedPostgres({ dataDir: folder })
await migrate(server.url)
const s = await studio({ at: '2026-11-19T10:00:00-06:00', database: server.url })
const client = new pg.Client({ connectionString: s.database })
await client.connect()
const seconds = (from: number) => `${((performance.now() - from) / 1000).toFixed(1)} s`
if (!isThere) {
  const from = performance.now()
  const { location_id } = await s.make.location()
  const cls = await s.make.class({ location_id })
  const { class_package_id } = await s.make.package()
  const [carga] = await s.sql<{ staff_id: number }>(
    `insert into staff (name, email, role) values ('Carga', 'carga@ejemplo.mx', 'reception') returning staff_id`,
  )
  const world = { customers: CUSTOMERS, class_type_id: cls.class_type_id, location_id, class_package_id, staff_id: carga?.staff_id ?? 0 }
  await fillLargeStudio(client, world)
  // A rule whose amount depends on what each class brought in.
  const terms = {
    base: 20_000,
    per_person: 1_000,
    per_person_from: 5,
    steps: [],
    full_bonus: 0,
    percent: 10,
    minimum: 0,
    private: null,
    substitute: 'own',
    late_cancel_hours: 0,
    late_cancel_percent: 0,
  }
  await client.query(`insert into pay_rule (from_day, terms) values ('2020-01-01', $1)`, [terms])
  await client.query('vacuum analyze')
  mkdirSync(join(folder, 'filled'))
  console.log(`generated in ${seconds(from)}`)
}
const owner = await s.make.staff('owner')
// As the job of every minute leaves them: otherwise the report of customers at risk would derive them.
await refreshAllSummaries(s.system())
const year = { from: '2025-11-20', to: '2026-11-19' }
async function measure(what: string, call: () => Promise<unknown>) {
  const times: number[] = []
  for (let n = 0; n < ROUNDS; n++) {
    const start = performance.now()
    const failed = await call().then(
      () => false,
      () => true,
    )
    if (failed) return console.log(`${what.padEnd(28)} refused after ${(performance.now() - start).toFixed(0)} ms`)
    times.push(performance.now() - start)
  }
  times.sort((a, b) => a - b)
  console.log(
    `${what.padEnd(28)} median ${times[Math.floor(ROUNDS / 2)]?.toFixed(0)} ms, worst of ${ROUNDS} ${times.at(-1)?.toFixed(0)} ms`,
  )
}
async function measureAll() {
  console.log(`load ${loadavg()[0]?.toFixed(1)}`)
  for (const key of KEYS) await measure(key, () => s.as(owner).reports.read({ key, ...year }))
  if (KEYS !== REPORT_KEYS) return
  await measure('index of the year', () => s.as(owner).reports.list({ period: 'year' }))
  await measure('index of the week', () => s.as(owner).reports.list({ period: 'week' }))
}
if (process.env.BENCH_WITHOUT) {
  await s.sql('truncate class_rollup, visit_month, visit_first, rollup_change')
  await s.sql('insert into rollup_change (customer_id) select customer_id from customer')
  await s.sql('insert into rollup_change (single_class_id) select single_class_id from single_class')
  await s.sql('truncate income_unit, income_day, income_total, income_zone, income_change')
  await s.sql('insert into income_change (purchase_id) select distinct purchase_id from invoice')
  await client.query('vacuum analyze')
  console.log('\nwithout rollups')
  await measureAll()
}
let from = performance.now()
console.log(`\n${await refreshAllRollups(s.system())} entries derived in ${seconds(from)}`)
from = performance.now()
console.log(`${await refreshAllIncome(s.system())} purchases derived in ${seconds(from)}`)
await client.query('vacuum analyze')
await measureAll()
from = performance.now()
const { classes, customers } = await wrongRollups(s.system())
console.log(`\nall compared in ${seconds(from)}: ${classes.length} classes and ${customers.length} customers differ`)
from = performance.now()
await rebuildRollups(s.system())
console.log(`all derived again in ${seconds(from)}, load ${loadavg()[0]?.toFixed(1)}`)
from = performance.now()
const income = await wrongIncome(s.system())
console.log(
  `income compared in ${seconds(from)}: ${income.purchases.length} purchases, ${income.days.length} days and ${income.classes.length} classes differ`,
)
from = performance.now()
await rebuildIncome(s.system())
console.log(`income derived again in ${seconds(from)}`)
await client.end()
await s.close()
await server.stop()
if (!OUTPUT_FOLDER) rmSync(folder, { recursive: true, force: true })
