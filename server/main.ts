/** Configuration -> database -> migrations -> studio -> listen. No logic. */
import { flushCompileCache } from 'node:module'
import { resolve } from 'node:path'
import { Sandbox } from './adapters/payments/sandbox/sandbox.ts'
import { openCardFrames } from './adapters/payments/sandbox/site.ts'
import { openServer } from './app.ts'
import { type Config, internalPort, isBuilt, readConfig } from './config.ts'
import { firstOwner, newStudioLink, ownerLink, seedDemo } from './demo/demo.ts'
import { type Health, openHealth } from './health.ts'
import { startEmbeddedPostgres } from './platform/embedded-postgres.ts'
import { openLog } from './platform/log.ts'
import { migrate } from './platform/migrate.ts'
import { startFailure } from './platform/start-failure.ts'
import { collectStartGarbage } from './platform/start-memory.ts'
import { openStudio } from './studio.ts'

const root = resolve(import.meta.dirname, '..')
const dev = process.argv.includes('--dev')

function configuration(): Config {
  try {
    return readConfig({ ...process.env, ...(dev ? { NODE_ENV: 'development' } : {}) }, root)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}

const config = configuration()
const log = openLog(config.LOG_LEVEL)
if (!dev && !isBuilt(config)) {
  console.error('Falta construir la parte web: ejecuta "npm run build" (npm start lo hace por ti).')
  process.exit(1)
}

process.on('unhandledRejection', (error) => log.error({ error }, 'process.unhandled_rejection'))

/** The parts opened so far, in the order in which they must be closed. */
const open: { close(): Promise<unknown> }[] = []
let health: Health | undefined

async function start() {
  health = await openHealth({ host: config.INTERNAL_HOST, port: internalPort(config) })
  open.unshift(health)
  const database = config.DATABASE_URL ? null : await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  const connection = config.DATABASE_URL ?? database?.url ?? ''
  if (database) {
    open.unshift({ close: () => database.stop() })
    log.info({ address: database.url, folder: database.folder }, 'postgres.started')
  }
  await migrate(connection)
  const studio = await openStudio({ connection, config, log, cacheSeconds: config.CACHE_SECONDS })
  open.unshift(studio)
  const logins = config.demo ? await seedDemo(studio, config.demo, { history: config.DEMO_HISTORY }) : []
  const owned = !config.demo && (await firstOwner(studio, config))
  await studio.work()
  const sandbox = studio.ports.gateways.get('sandbox')
  const frames =
    sandbox instanceof Sandbox
      ? await openCardFrames(
          { sandbox, publicUrl: studio.publicUrl, settings: studio.settings, log },
          { host: config.HOST, port: config.SANDBOX_PORT ?? (config.PORT ? config.PORT + 1 : 0), publicSite: config.SANDBOX_URL },
        )
      : null
  if (frames) open.unshift(frames)
  const app = await openServer(studio, config, { dev, requestsPerMinute: config.REQUESTS_PER_MINUTE, cardFrames: frames?.origins ?? [] })
  open.unshift(app)
  await app.listen({ port: config.PORT, host: config.HOST })
  // Write the compile cache now: the next start uses it even if this process is killed.
  flushCompileCache()
  collectStartGarbage()
  health.ready(studio)

  console.log(`
  ${studio.settings().business_name} está en ${studio.publicUrl}
${logins.map((login) => `  ${login.role.padEnd(12)} ${login.email.padEnd(28)} ${login.password}`).join('\n')}
`)
  const link = config.demo ? null : await ownerLink(studio, config, owned)
  if (link)
    console.log(
      `  La contraseña de ${config.OWNER_EMAIL} se elige aquí, durante una hora:\n  ${link}\n  Otro enlace, bueno por 24 horas: npm run owner-link\n`,
    )
  const claim = config.demo ? null : await newStudioLink(studio)
  if (claim) console.log(`  Este estudio es nuevo. Quien abra este enlace queda a cargo de él, durante 24 horas:\n  ${claim}\n`)
}

let stopping = false
async function stop(code: number) {
  if (stopping) return
  stopping = true
  // Exit with an error after ten seconds if closing hangs, so that the machine can shut down.
  setTimeout(() => process.exit(1), 10_000).unref()
  health?.closing()
  // A part that fails to close does not stop the others; the embedded database is closed last.
  for (const part of open) await part.close().catch((error: unknown) => log.error({ error }, 'shutdown.failed'))
  process.exit(code)
}
process.on('SIGTERM', () => stop(0))
process.on('SIGINT', () => stop(0))

try {
  await start()
} catch (error) {
  // Known start failures print one sentence; all others print their stack.
  console.error(startFailure(error, config) ?? error)
  await stop(1)
}
