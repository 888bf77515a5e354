/** Entry of `secondProcess`: the whole app on an existing database, until its parent exits. Arguments: database, instant, options. */
import { openServer } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { openLog } from '#server/platform/log.ts'
import { openStudio } from '#server/studio.ts'
import { testMasterKeys } from './master-keys.ts'

const [, , database = '', at = '', optionsJson = '{}'] = process.argv
const how: { work?: boolean; env?: Record<string, string> } = JSON.parse(optionsJson)
const env = {
  NODE_ENV: 'test',
  PUBLIC_URL: 'http://localhost:3000',
  DATABASE_URL: database,
  MASTER_KEYS_FILE: testMasterKeys(),
  PORT: '0',
  ...how.env,
}
const config = readConfig(env, process.cwd())
const studio = await openStudio({ connection: database, config, log: openLog('error'), clock: () => new Date(at), poolSize: 20 })
if (how.work) await studio.work()
const app = await openServer(studio, config, { pages: false, requestsPerMinute: 0 })
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }))

async function stop() {
  await app.close()
  await studio.close()
  process.exit(0)
}
process.once('SIGTERM', stop)
process.once('disconnect', stop)
