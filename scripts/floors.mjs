// Architecture rules that types and lint cannot check (docs/architecture.md): imports go to lower floors only, modules import each other's
// front doors, server and web share only the contract, no cycles, one clock, and no unknown paths in the docs. `node scripts/floors.mjs
// [--fix] [folder]`
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const [folder] = process.argv.slice(2).filter((arg) => arg !== '--fix')
/** Rewrites `../x.ts` as `#room/x.ts`; other errors have to be fixed by hand. */
const fixing = process.argv.includes('--fix')
const root = resolve(folder ?? fileURLToPath(new URL('..', import.meta.url)))

/** Floors from the bottom up: a file may import its own floor and lower ones. The first matching pattern decides. */
const SERVER = [
  ['contract', /^contract\//],
  ['server/config.ts', /^server\/config\.ts$/],
  ['server/platform', /^server\/platform\//],
  ['server/adapters', /^server\/adapters\//],
  ['server/modules', /^server\/modules\//],
  ['server/documents', /^server\/documents\//],
  ['server/app.ts', /^server\/(router|studio|authentication|error-responses|api-server|openapi|openapi-task|health|providers|app)\.ts$/],
  ['server/demo', /^server\/demo\//],
  ['server/main.ts', /^server\/main\.ts$/],
]
const WEB = [
  ['contract', /^contract\//],
  ['web/english', /^web\/english\//],
  ['web/ui', /^web\/ui\//],
  ['web/lib', /^web\/lib\//],
  ['web/features', /^web\/features\//],
  ['web/areas', /^web\/areas\//],
  ['the top of web', /^web\/[^/]+$/],
]
const MODULES = [
  'settings',
  'people',
  'messages',
  'content',
  'catalogue',
  'credits',
  'sales',
  'schedule',
  'bookings',
  'rollups',
  'planning',
  'counter',
  'income',
  'fiscal',
  'payroll',
  'videos',
  'account',
  'customers',
  'bulk',
  'broadcasts',
  'onboarding',
  'team',
  'integrations',
  'imports',
  'operations',
  'today',
  'reports',
  'search',
  'live',
]

/**
 * Rooms of the large folders, from the bottom up: a file imports its own room and earlier ones, and of the folder's own files only tables
 * and rules. The folder's other files (front door, jobs, routes) may import all rooms.
 */
const ROOMS = {
  'server/modules/sales': ['store', 'views', 'settlement', 'checkout', 'aftersales', 'till', 'notifications'],
  'server/modules/bookings': ['store', 'timetable', 'spots', 'studio', 'customer', 'notifications'],
  'web/features': ['site', 'account', 'calendar', 'checkout', 'booking', 'videos', 'admin'],
  'web/features/admin': [
    'frame',
    'table',
    'till',
    'people',
    'day',
    'bulk',
    'timetable',
    'roster',
    'checkin',
    'sales',
    'counter',
    'audit',
    'messages',
    'customers',
    'today',
    'reports',
    'team',
    'catalogue',
    'payroll',
    'packages',
    'videos',
    'forms',
    'content',
    'settings',
    'integrations',
    'imports',
    'onboarding',
    'palette',
  ],
}
const GROUND = /^(?:[a-z-]+-)?(?:tables|rules|days)\.ts$/

/** All that the platform, which knows nothing about studios, may use of the contract: how an endpoint is declared and how one refuses, and what a record of JSON is. */
const PLATFORM_CONTRACT = /^contract\/(endpoint|errors|record)\.ts$/

/** Packages that a floor must not import. */
const STRANGERS = [
  [
    /^contract\//,
    /^(node:|react|drizzle-orm|pg$|fastify|@mantine\/)/,
    'the contract is plain TypeScript and Zod, read by server and browser',
  ],
  [
    /^web\/ui\//,
    /^(react-router|@tanstack\/react-query|@orpc\/)/,
    'parts in web/ui know no router, no queries and no studio; web/features may',
  ],
  [/^web\//, /^(node:|drizzle-orm|pg$|fastify)/, 'the browser has no Node and no database'],
]

/** Files that may read the clock. All others use ctx.now, which is fixed during a request and set by tests. */
const CLOCKS =
  /^(server\/(main|studio)\.ts|server\/platform\/(log|clock)\.ts|server\/testing\/.*|web\/lib\/.*|.*\/jobs\.ts|.*\.browser\.ts|(scripts|bench|e2e)\/.*)$/
const READS_CLOCK = /\bnew Date\(\s*\)|\bDate\.now\(|\bdayjs(\.utc)?\(\s*\)|\bTemporal\.Now\b/

const NAMELESS = /(^|\/)(utils?|helpers?|common|types|misc|shared)(\.tsx?$|\/)/

/**
 * What the browser's React, router and query cache do not have: `scripts/unused-parts.ts` leaves its code out. Imports of it are
 * in biome.json.
 */
const LEFT_OUT = [
  [/\bthrowOnError\b/, 'throwOnError'],
  [/\bsuspense:\s*true\b/, 'suspense: true'],
  [/\binfinite(?:Query)?Options\b/, 'infiniteOptions'],
  [/\b(?:fetch|prefetch|ensure|use)\w*InfiniteQuery\w*/, 'infinite queries'],
  [/\sonBeforeInput=/, 'onBeforeInput'],
  [/<form\b[^>]*\saction=\{/, 'an action of a form'],
  [/\sformAction=/, 'formAction'],
  [/\bformMethod\b/, 'formMethod'],
  [/\sprecedence=/, 'precedence'],
  [/<Fragment\b[^>]*\sref\b/, 'a reference to a fragment'],
  [/\sprefetch=/, 'prefetch'],
  [/\bcreateRoot\b/, 'createRoot'],
]

const problems = []
const report = (file, text) => problems.push(`${file}: ${text}`)

/**
 * An address of the administration as a text: its screens have Spanish names, its endpoints English ones. The frame has patterns of them.
 */
const TYPED_ADDRESS =
  /['"`]\/admin\/(?:ajustes|caja|catalogo|clases|clientes|contenido|descuentos|escanear|horario|hoy|inicio|mensajes|mi-pago|mis-clases|nomina|paquetes|productos|reportes|reservaciones|tarjetas-regalo|ventas)\b/

const isTest = (file) => /\.(test|spec)\.tsx?$/.test(file)
const floorOf = (floors, file) => floors.findIndex(([, pattern]) => pattern.test(file))
const moduleOf = (file) => /^server\/modules\/([^/]+)\//.exec(file)?.[1]
const nameOf = (file) => posix.basename(file).replace(/\.tsx?$/, '')
/** Further files of a kind have the kind in their name: `store-series.ts`, `series-store.ts`. */
const isKind = (file, ...kinds) =>
  nameOf(file)
    .split('-')
    .some((part) => kinds.includes(part))

const files = ['contract', 'server', 'web']
  .flatMap((room) => listFiles(room))
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
const graph = new Map()

for (const [file, text] of texts) {
  const code = withoutComments(text)
  if (NAMELESS.test(file)) report(file, 'name a file after what it holds: everything and nothing fits into utils, helpers, common or types')
  if (/(^|\/)index\.tsx?$/.test(file) && file !== 'contract/index.ts')
    report(file, 'is a barrel by its name: import what you need from the file that holds it')
  if (!isTest(file) && !CLOCKS.test(file) && READS_CLOCK.test(code))
    report(file, 'asks the clock itself. Take ctx.now (or a `now` argument), so that a request has one moment and a test can choose it')
  if (TYPED_ADDRESS.test(code) && !isTest(file) && !/^(?:contract\/admin-|server\/testing\/|web\/features\/admin\/frame\/)/.test(file))
    report(file, 'spells an address of the administration. Take it from contract/admin-paths.ts')
  if (file.startsWith('web/') && !isTest(file))
    for (const [pattern, what] of LEFT_OUT)
      if (pattern.test(code)) report(file, `uses ${what}, whose code the build leaves out: see scripts/unused-parts.ts`)
  const edges = []
  for (const found of importsOf(code)) {
    const target = targetOf(file, found.from)
    if (target === null) foreign(file, found)
    else {
      judge(file, target, found)
      if (!found.lazy && !isTest(file) && !file.startsWith('server/testing/')) edges.push(target)
    }
  }
  graph.set(file, edges)
}
cycles()
documents()

if (problems.length) {
  console.error(`${problems.sort().join('\n')}\n\n${problems.length} against the floors (docs/architecture.md).`)
  process.exitCode = 1
} else console.log(`${files.length} files keep to their floors.`)

/** The imported file, relative to the project's folder; null for a package. */
function targetOf(file, from) {
  if (from.startsWith('#')) return from.slice(1)
  if (from.startsWith('.')) return posix.join(posix.dirname(file), from)
  return null
}

function foreign(file, { from }) {
  if (isTest(file)) return
  for (const [where, what, why] of STRANGERS) {
    // A page's loader runs on the server; React Router keeps files named *.server.ts out of the browser.
    if (where.test(file) && what.test(from) && !/\.server\.tsx?$|^web\/routes\.ts$/.test(file)) report(file, `imports ${from}, but ${why}`)
  }
}

function judge(file, target, { from }) {
  if (from.includes('/+types/')) return
  if (!/\.[a-z]+(?:\?raw)?$/.test(target))
    report(file, `imports ${from} without its ending: Node runs these files as they are, write ${from}.ts`)
  if (from.startsWith('../')) {
    if (fixing) rewrite(file, from, target)
    else
      report(file, `imports ${from}: write #${target}, so that the line says where it leads and survives a move (npm run check -- --fix)`)
  }
  if (!/\.tsx?$/.test(target)) return

  const server = file.startsWith('server/')
  const room = server ? 'server' : file.startsWith('web/') ? 'web' : 'contract'
  const other = target.startsWith('server/') ? 'server' : target.startsWith('web/') ? 'web' : 'contract'
  if (room === 'contract' && other !== 'contract')
    return report(file, `imports ${target}, but the contract is the ground: it imports nothing above it`)
  if (other !== 'contract' && room !== other) {
    return report(file, `imports ${target}, but server and web meet only in contract/`)
  }
  if (isTest(file) || file.startsWith('server/testing/')) return
  if (target.startsWith('server/testing/')) return report(file, `imports ${target}, which is for tests only`)

  const floors = server ? SERVER : WEB
  const [mine, theirs] = [floorOf(floors, file), floorOf(floors, target)]
  if (mine < 0) return report(file, `stands on no floor. The floors are ${floors.map(([name]) => name).join(' < ')}`)
  if (theirs > mine)
    return report(
      file,
      `imports ${target}, a floor above it: ${floors[mine][0]} < ${floors[theirs][0]}. Move the code down, or hand it in as an argument`,
    )
  if (file.startsWith('server/platform/') && other === 'contract' && !PLATFORM_CONTRACT.test(target))
    return report(file, `imports ${target}, but server/platform knows nothing about studios: hand it in from server/app.ts`)
  judgeRooms(file, target)
  if (server) judgeModules(file, target)
  else judgeAreas(file, target)
}

function rewrite(file, from, target) {
  const path = join(root, file)
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll(`'${from}'`, `'#${target}'`))
}

/** Modules have a strict order and import each other's front doors; a store or a tables file may also import a lower module's tables. */
function judgeModules(file, target) {
  const [mine, theirs] = [moduleOf(file), moduleOf(target)]
  if (/^server\/[^/]+\.ts$/.test(file) && theirs && isKind(target, 'store', 'tables', 'rules'))
    return report(file, `imports ${target}: a store, its tables and its rules are private to modules/${theirs}`)
  if (!mine && theirs && file.startsWith('server/modules/'))
    return report(file, `imports ${target}, but what lies in server/modules/ itself is under all modules`)
  if (!mine || !theirs || mine === theirs) return
  const [low, high] = [MODULES.indexOf(theirs), MODULES.indexOf(mine)]
  for (const [name, at] of [
    [mine, high],
    [theirs, low],
  ])
    if (at < 0) return report(file, `module ${name} has no place in the order ${MODULES.join(' < ')}`)
  if (low > high)
    return report(
      file,
      `imports ${target}, but ${mine} < ${theirs}. A verb lives in the highest module that it touches: move it to modules/${theirs}`,
    )
  if (target === `server/modules/${theirs}/${theirs}.ts`) return
  if (isKind(target, 'tables') && isKind(file, 'store', 'tables')) return
  report(
    file,
    isKind(target, 'tables')
      ? `imports ${target}: only a store (or tables) may name another module's tables, to join and never to write`
      : `imports ${target}, a private file. The front door is modules/${theirs}/${theirs}.ts: use or add a verb there`,
  )
}

/** The order of rooms inside a large folder. */
function judgeRooms(file, target) {
  for (const [folder, rooms] of Object.entries(ROOMS)) {
    if (!file.startsWith(`${folder}/`)) continue
    const inside = (path) => path.slice(folder.length + 1).split('/')
    const [mine, ...rest] = inside(file)
    if (rest.length === 0) return
    const order = rooms.join(' < ')
    if (!rooms.includes(mine)) return report(file, `${folder}/${mine} has no place in the order ${order}`)
    if (!target.startsWith(`${folder}/`)) return
    const [theirs, ...beyond] = inside(target)
    if (beyond.length > 0 ? rooms.indexOf(theirs) > rooms.indexOf(mine) : !GROUND.test(theirs))
      return report(file, `imports ${target}, which stands above ${folder}/${mine}: ${order} < ${folder}/*.ts`)
  }
}

/** Each area is its own chunk: code that two of them need is a feature. */
function judgeAreas(file, target) {
  const areaOf = (path) => /^web\/areas\/([^/]+)\//.exec(path)?.[1]
  const [mine, theirs] = [areaOf(file), areaOf(target)]
  if (mine && theirs && mine !== theirs) report(file, `imports ${target}, another area. What two areas need belongs in web/features`)
}

function cycles() {
  const state = new Map()
  const path = []
  const visit = (file) => {
    state.set(file, 'open')
    path.push(file)
    for (const next of graph.get(file) ?? []) {
      if (state.get(next) === 'open')
        report(
          next,
          `imports itself in a circle: ${[...path.slice(path.indexOf(next)), next].join(' -> ')}. Put what both need into a third file below`,
        )
      else if (!state.has(next) && graph.has(next)) visit(next)
    }
    path.pop()
    state.set(file, 'done')
  }
  for (const file of graph.keys()) if (!state.has(file)) visit(file)
}

function documents() {
  const documents = ['README.md', ...listFiles('docs').filter((file) => file.endsWith('.md'))].filter((file) =>
    existsSync(join(root, file)),
  )
  for (const file of documents) {
    const text = readFileSync(join(root, file), 'utf8').replace(/^```[\s\S]*?^```/gm, '')
    const code = [...text.matchAll(/`((?:contract|server|web|e2e|bench|scripts|docs|\.ci)\/[^\s`]*)`/g)].map(([, path]) => path)
    const links = [...text.matchAll(/\]\((?!\w+:|#)([^)\s#]+)/g)].map(([, path]) => posix.join(posix.dirname(file), path))
    // A pattern such as `modules/*/store.ts` or `<module>.test.ts` is not a single file.
    for (const path of [...code, ...links])
      if (!/[*<>{}…]|NNN/.test(path) && !existsSync(join(root, path.replace(/:\d+$/, ''))))
        report(file, `names ${path}, which does not exist`)
  }
}

function importsOf(code) {
  const found = []
  for (const [, word, names = '', from] of code.matchAll(
    /(?:^|[;\n])\s*(import|export)\s+((?:type\s)?[\w*{}\s,$]*?\bfrom\s*)?['"]([^'"\n]+)['"]/g,
  ))
    if (word === 'import' || names) found.push({ from, lazy: false })
  // Inline type imports (`import('x').T`) have the form of lazy imports and are checked like them.
  for (const [, from] of code.matchAll(/\bimport\(\s*['"]([^'"\n]+)['"]\s*\)/g)) found.push({ from, lazy: true })
  return found
}

/** Removes comments, which may contain anything; keeps strings, since imports are strings. */
function withoutComments(text) {
  return text.replace(
    /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)|\/\*[\s\S]*?\*\/|(?<![:\\/])\/\/[^\n]*/g,
    (_all, string) => string ?? '',
  )
}

function listFiles(folder) {
  const at = join(root, folder)
  if (!existsSync(at)) return []
  return readdirSync(at, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      relative(root, join(entry.parentPath ?? entry.path ?? dirname(at), entry.name))
        .split(sep)
        .join('/'),
    )
    .filter((file) => !file.startsWith('server/migrations/'))
}
