/** Configuration -> database -> migrations -> studio -> listen. No logic. */
import { flushCompileCache } from 'node:module'
import { resolve } from 'node:path'
import { Sandbox } from './adapters/payments/sandbox/sandbox.ts'
import { openCardFrames } from './adapters/payments/sandbox/site.ts'
import { openServer, openStudio } from './app.ts'
import { type Config, isBuilt, readConfig } from './config.ts'
import { firstOwner, seedDemo } from './demo/demo.ts'
import { startEmbeddedPostgres } from './platform/embedded-postgres.ts'
import { openLog } from './platform/log.ts'
import { migrate } from './platform/migrate.ts'

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

process.on('unhandledRejection', (error) => log.error({ error }, 'a promise failed and nobody was told'))

/** What stops a start is a sentence for whoever started it, not a stack. */
async function orExplain<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return process.exit(1)
  }
}

const database = config.DATABASE_URL ? null : await orExplain(startEmbeddedPostgres({ dataDir: config.dataDir, log }))
const connection = config.DATABASE_URL ?? database?.url ?? ''
if (database) log.info({ address: database.url, folder: database.folder }, 'the embedded database is up')
await orExplain(migrate(connection))
const studio = await openStudio({ connection, config, log, cacheSeconds: config.CACHE_SECONDS })
const logins = config.demo ? await seedDemo(studio, config.demo) : await firstOwner(studio, config)
await studio.work()
const sandbox = studio.ports.gateways.get('sandbox')
const frames =
  sandbox instanceof Sandbox
    ? await openCardFrames(
        { sandbox, publicUrl: studio.publicUrl, settings: studio.settings, log },
        { host: config.HOST, port: config.SANDBOX_PORT ?? (config.PORT ? config.PORT + 1 : 0), publicSite: config.SANDBOX_URL },
      )
    : null
const app = await openServer(studio, config, { dev, requestsPerMinute: config.REQUESTS_PER_MINUTE, cardFrames: frames?.origins ?? [] })
await app.listen({ port: config.PORT, host: config.HOST })
// For the next start, even if this process is killed.
flushCompileCache()

console.log(`
  ${studio.settings().business_name} está en ${studio.publicUrl}
${logins.map((login) => `  ${login.role.padEnd(12)} ${login.email.padEnd(28)} ${login.password}`).join('\n')}
`)

let stopping = false
async function stop() {
  if (stopping) return
  stopping = true
  // Whatever hangs must not keep the machine from shutting down.
  setTimeout(() => process.exit(1), 10_000).unref()
  await app.close()
  await frames?.close()
  await studio.close()
  await database?.stop()
  process.exit(0)
}
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
