// Entry point of every command: `npm start`, `npm test` and the others (package.json). Runs under any Node >= 20 with nothing installed;
// installs and builds what is out of date, then runs under the pinned Node version.
import { findBrowser } from './browser.mjs'
import { INSTANTS } from './instants.mjs'
import { fastResolve, serverEnv, serverFlags } from './node-flags.mjs'
import { node, stop, tool } from './processes.mjs'
import { build, install } from './setup.mjs'
import { deleteOlderSnapshots } from './snapshots.mjs'
import { buildStep, check, currentTurn, runBrowserTests, runUnitTests, summary, testBrowser } from './test-runs.mjs'
import { TURNS } from './turns.mjs'
import { filesNotAt } from './unit-turns.mjs'

/** Tests that need a database but test processes, sockets or the embedded server: the PostgreSQL version does not matter. */
const SAME_ON_EVERY_VERSION = [
  '**/*crash.test.ts',
  '**/killed.test.ts',
  ...[
    'authorisation',
    'embedded-postgres',
    'fuzz',
    'hanging-services',
    'hostile-values',
    'http',
    'random-walk',
    'random-walk-money',
    'recent-sign-in',
    'refused-bodies',
    'tills-random-walk',
  ].map((name) => `**/${name}.test.ts`),
]

const [command = '', ...rest] = process.argv.slice(2)

const excluded = (patterns) => patterns.flatMap((pattern) => ['--exclude', pattern])

/** The tests without a browser: all of them, or those that the arguments name; in CI without the files of other turns (unit-turns.mjs). */
async function unitTests() {
  const turn = rest.length === 0 ? currentTurn() : null
  if (turn) console.log(`== unit tests, turn ${turn} of ${TURNS}`)
  return await runUnitTests(['run', ...(turn ? excluded(filesNotAt(turn)) : []), ...rest])
}

const commands = {
  async start() {
    await build()
    return await node([...serverFlags, 'server/main.ts', ...rest], serverEnv)
  },
  dev: () => node(['--watch', '--watch-preserve-output', ...fastResolve, 'server/main.ts', '--dev', ...rest], { NODE_ENV: 'development' }),
  async build() {
    await build({ force: true })
    return 0
  },
  async test() {
    // The checks leave half of the processor to the build, which the browser tests need.
    const browser = await testBrowser()
    const [checks, built] = await Promise.all([check(), browser ? buildStep() : []])
    const unit = await unitTests()
    if (built.length > 0) console.log('\nBrowser tests were not run: the pages could not be built.\n')
    return summary([...checks, ...built, unit, ...(built.length > 0 ? [] : await runBrowserTests([]))])
  },
  unit: async () => summary([await unitTests()]),
  /** Runs the tests whose imports reach a database, for other versions of PostgreSQL: all of them, in CI the part of its turn. */
  async sql() {
    const turn = rest.length === 0 ? currentTurn() : null
    if (turn) console.log(`part ${turn} of ${TURNS}`)
    return summary([
      await runUnitTests([
        'related',
        '--run',
        'server/testing/postgres.ts',
        'server/platform/embedded-postgres.ts',
        ...excluded(SAME_ON_EVERY_VERSION),
        ...(turn ? [`--shard=${turn}/${TURNS}`] : []),
        ...rest,
      ]),
    ])
  },
  races: async () => summary([await runUnitTests(['run', '.race.test.ts', ...rest])]),
  e2e: async () => summary(await runBrowserTests(rest)),
  instants: async () =>
    summary(
      await runBrowserTests(
        rest,
        Object.keys(INSTANTS).map((instant) => ({ instant, args: [] })),
      ),
    ),
  check: async () => summary(await check(rest.includes('--fix'))),
  requirements: () => node(['scripts/requirements.mjs', ...rest]),
  async bench() {
    if (['customers', 'imports', 'reports', 'webhooks'].includes(rest[0])) return await node([...fastResolve, `bench/${rest[0]}.ts`])
    await build()
    if (['phone', 'calendar', 'schedule'].includes(rest[0])) {
      const browser = await findBrowser({ install: () => node([tool.playwright, 'install', 'chromium']) })
      if (!browser) stop('Para medir en un navegador hace falta Chromium: instálalo o di dónde está con CHROMIUM_PATH.')
      return await node([...fastResolve, `bench/${rest[0]}.ts`], { NODE_ENV: 'production', CHROMIUM_PATH: browser })
    }
    const alone = { rush: 'rush', growth: 'growth', soak: 'soak', processes: 'two-processes' }[rest[0]]
    return await node([...fastResolve, ...(alone ? [`bench/${alone}.ts`] : ['bench/run.ts', ...rest])], { NODE_ENV: 'production' })
  },
  async 'db:new'() {
    const [name = ''] = rest
    if (!/^[a-z][a-z0-9_]{2,}$/.test(name)) stop('Name the migration by what it means: npm run db:new reservation_note')
    const code = await node([tool.drizzle, 'generate', '--name', name])
    if (code === 0) deleteOlderSnapshots('server/migrations/meta')
    return code
  },
  'owner-link': () => node([...fastResolve, 'scripts/owner-link.ts', ...rest], { NODE_ENV: 'production' }),
  'db:reset': () => node([...fastResolve, 'scripts/db-reset.ts', ...rest]),
  'rollups:rebuild': () => node([...fastResolve, 'scripts/rollups-rebuild.ts', ...rest], { NODE_ENV: 'production' }),
  'keys:reset': () => node([...fastResolve, 'scripts/keys-reset.ts', ...rest]),
}

if (Number(process.versions.node.split('.')[0]) < 20)
  stop(`Estudio necesita Node 20 o posterior; este es ${process.version}. Consíguelo en https://nodejs.org`)
const work = commands[command]
if (!work) stop(`Comandos: ${Object.keys(commands).join(', ')}`)

await install()
process.exitCode = await work()
