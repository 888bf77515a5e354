/** What `secondProcess` starts: the whole app on a database that is there, until its parent goes away. Arguments: database, instant. */
import { openServer, openStudio } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { openLog } from '#server/platform/log.ts'

const [, , database = '', at = ''] = process.argv
const config = readConfig({ NODE_ENV: 'test', PUBLIC_URL: 'http://localhost:3000', DATABASE_URL: database, PORT: '0' }, process.cwd())
const studio = await openStudio({ connection: database, config, log: openLog('error'), clock: () => new Date(at), poolSize: 20 })
const app = await openServer(studio, config, { pages: false, requestsPerMinute: 0 })
process.send?.(await app.listen({ host: '127.0.0.1', port: 0 }))

async function stop() {
  await app.close()
  await studio.close()
  process.exit(0)
}
process.once('SIGTERM', stop)
process.once('disconnect', stop)
