/**
 * Importing a studio: people with a credit lot each, classes, one reservation per person and notes, by a process that is killed three times
 * on the way; then the same files again, and the same studio without a kill for comparison. `npm run bench -- imports` (`BENCH_PEOPLE=1000`
 * for a smaller one)
 */
import { deepStrictEqual } from 'node:assert'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { migrate } from '#server/platform/migrate.ts'
import { generatedFiles, importedContents, importInProcess, startImport } from '#server/testing/imported-studio.ts'
import { studio } from '#server/testing/studio.ts'
import { cpuOf, cpuOfTree } from './processes.ts'

const PEOPLE = Number(process.env.BENCH_PEOPLE ?? 10_000)
const files = generatedFiles(PEOPLE)

/** A studio of its own, with its own database server. */
async function openStudio() {
  const folder = mkdtempSync(join(tmpdir(), 'estudio-bench-'))
  chmodSync(folder, 0o755)
  const server = await startEmbeddedPostgres({ dataDir: folder })
  await migrate(server.url)
  const s = await studio({ database: server.url })
  const owner = await s.make.staff('owner')
  const close = async () => {
    await s.close()
    await server.stop()
    rmSync(folder, { recursive: true })
  }
  return { s, owner, close }
}

async function measured(kills: Parameters<typeof importInProcess>[3]) {
  const { s, owner, close } = await openStudio()
  // The server process of a connection is a child of the database's own.
  const [{ pid } = { pid: 0 }] = await s.sql<{ pid: number }>('select pg_backend_pid() as pid')
  const database = Number(/^\d+ \(.*\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.[1])
  const spent = () => (cpuOf(process.pid) + cpuOfTree(database)) / 1000
  const [before, from] = [spent(), performance.now()]
  const cut = await importInProcess(s, owner, files, kills)
  const seconds = (performance.now() - from) / 1000
  const contents = await importedContents(s)
  const sizes = Object.entries(contents).map(([name, rows]) => `${rows.length} ${name}`)
  // On a machine that is busy with other things the time is longer, the work is not.
  console.log(
    `${PEOPLE} people, killed ${cut} times: ${seconds.toFixed(1)} s, of processor ${(spent() - before).toFixed(1)} s (${sizes.join(', ')})`,
  )
  return { s, owner, contents, close }
}

const killed = await measured({ customers: [0.3, 0.7], reservations: [0.5] })
const from = performance.now()
for (const kind of ['customers', 'classes', 'reservations', 'notes'] as const) {
  const { counts } = await startImport(killed.s, killed.owner, kind, files[kind])
  console.log(`${kind} again: ${JSON.stringify(counts)}`)
}
console.log(`a second look at the same files: ${((performance.now() - from) / 1000).toFixed(1)} s`)
deepStrictEqual(await importedContents(killed.s), killed.contents)
await killed.close()
const whole = await measured({})
deepStrictEqual(killed.contents, whole.contents)
console.log('the killed import and the whole one have the same rows; the second import changed nothing')
await whole.close()
