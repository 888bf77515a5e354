/**
 * `npm run rollups:rebuild`: derives the rollups of the reports again from reservations, charges and credits, and compares them. Works
 * while the program runs; needs the same environment (DATA_DIR, DATABASE_URL).
 */
import { resolve } from 'node:path'
import { readConfig } from '#server/config.ts'
import { Ctx } from '#server/modules/ctx.ts'
import { rebuildIncome, wrongIncome } from '#server/modules/income/income.ts'
import { rebuildRollups, wrongRollups } from '#server/modules/rollups/rollups.ts'
import { rebuildTotals } from '#server/modules/sales/sales.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { openLog } from '#server/platform/log.ts'
import { startFailure } from '#server/platform/start-failure.ts'
import { openStudio } from '#server/studio.ts'

const config = readConfig(process.env, resolve(import.meta.dirname, '..'))
const log = openLog('error')
/** Open resources, in the order in which they have to be closed. */
const open: { close(): Promise<unknown> }[] = []
try {
  const database = config.DATABASE_URL ? null : await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  if (database) open.unshift({ close: () => database.stop() })
  const studio = await openStudio({ connection: config.DATABASE_URL ?? database?.url ?? '', config, log, poolSize: 3 })
  open.unshift(studio)
  const ctx = new Ctx(studio, { actor: { kind: 'system', job: 'rollups:rebuild' } })
  const from = performance.now()
  await rebuildRollups(ctx)
  const { classes, customers } = await wrongRollups(ctx)
  if (classes.length + customers.length > 0)
    throw new Error(`No coinciden ${classes.length} clases y ${customers.length} clientes con sus reservaciones.`)
  await rebuildIncome(ctx)
  await rebuildTotals(ctx)
  const income = await wrongIncome(ctx)
  if (income.purchases.length + income.days.length + income.classes.length > 0)
    throw new Error(
      `No coinciden ${income.purchases.length} compras, ${income.days.length} días y ${income.classes.length} clases con sus cargos y créditos.`,
    )
  console.log(`Los resúmenes de los reportes se contaron de nuevo en ${((performance.now() - from) / 1_000).toFixed(1)} s.`)
} catch (error) {
  console.error(startFailure(error, config) ?? (error instanceof Error ? error.message : error))
  process.exitCode = 1
}
for (const part of open) await part.close()
