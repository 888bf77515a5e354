/**
 * Entry of `program`: starts the program as main.ts does, with its own embedded database, its jobs and the real clock, without pages and
 * demo. Argument: data folder. Sends its address to the parent process and exits when the parent is gone.
 */
import { openServer } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'
import { openLog } from '#server/platform/log.ts'
import { migrate } from '#server/platform/migrate.ts'
import { openStudio } from '#server/studio.ts'
import { testMasterKeys } from './master-keys.ts'

const [, , dataDir = ''] = process.argv
const env = { NODE_ENV: 'test', PUBLIC_URL: 'http://localhost:3000', DATA_DIR: dataDir, PORT: '0', MASTER_KEYS_FILE: testMasterKeys() }
const config = readConfig(env, process.cwd())
const log = openLog('silent')
const database = await startEmbeddedPostgres({ dataDir, binDir: process.env.TEST_PG_BIN || undefined, log })
await migrate(database.url)
const studio = await openStudio({ connection: database.url, config, log })
await studio.work()
const app = await openServer(studio, config, { pages: false, requestsPerMinute: 0 })
process.send?.({ url: await app.listen({ host: '127.0.0.1', port: 0 }), database: database.url, folder: database.folder })

async function stop() {
  await app.close()
  await studio.close()
  await database.stop()
  process.exit(0)
}
process.once('SIGTERM', stop)
process.once('disconnect', stop)
