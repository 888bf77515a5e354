// The one door to every command: `npm start`, `npm test` and the others (package.json). Runs under any Node >= 20 with nothing
// installed; installs, builds what is stale, then works under the Node that the project pins.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { findBrowser } from './browser.mjs'
import { INSTANTS, instantsOfCommit, USUAL_INSTANT } from './instants.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const windows = process.platform === 'win32'
const modules = join(root, 'node_modules')
/** Never `.bin/node`: it is missing where install scripts are switched off. */
const pinned = join(modules, 'node', 'bin', windows ? 'node.exe' : 'node')
/** Packages are started by their real file; in `.bin` there is something else on Windows. */
const tool = {
  biome: join(modules, '@biomejs/biome/bin/biome'),
  drizzle: join(modules, 'drizzle-kit/bin.cjs'),
  knip: join(modules, 'knip/bin/knip.js'),
  playwright: join(modules, '@playwright/test/cli.js'),
  reactRouter: join(modules, '@react-router/dev/bin.cjs'),
  typescript: join(modules, 'typescript/bin/tsc'),
  vitest: join(modules, 'vitest/vitest.mjs'),
}
/** How many may fail by chance in one run of CI: they pass when they are tried again, and are named. One more, and the run has failed. */
const UNSTEADY = 2
const fastResolve = ['--import', './scripts/fast-resolve.mjs']

const [command = '', ...rest] = process.argv.slice(2)
const commands = {
  async start() {
    await build()
    // A small young generation keeps the process small; the limit is far above what a studio needs, and NODE_OPTIONS can raise it.
    const limit = process.env.NODE_OPTIONS?.includes('max-old-space-size') ? [] : ['--max-old-space-size=320']
    return await node(['--max-semi-space-size=2', ...limit, ...fastResolve, 'server/main.ts', ...rest], { NODE_ENV: 'production' })
  },
  dev: () => node(['--watch', '--watch-preserve-output', ...fastResolve, 'server/main.ts', '--dev', ...rest], { NODE_ENV: 'development' }),
  async build() {
    rmSync(join(root, 'build/.sources'), { force: true })
    await build()
    return 0
  },
  async test() {
    return summary([...(await check()), await vitest(rest), ...(await e2e([]))])
  },
  unit: async () => summary([await vitest(rest)]),
  races: async () => summary([await vitest(['.race.test.ts', ...rest])]),
  e2e: async () => summary(await e2e(rest)),
  instants: async () =>
    summary(
      await e2e(
        rest,
        Object.keys(INSTANTS).map((instant) => ({ instant, args: [] })),
      ),
    ),
  check: async () => summary(await check(rest.includes('--fix'))),
  async bench() {
    await build()
    if (rest[0] === 'phone' || rest[0] === 'calendar') {
      const browser = await findBrowser({ install: () => node([tool.playwright, 'install', 'chromium']) })
      if (!browser) stop('Para medir en un navegador hace falta Chromium: instálalo o di dónde está con CHROMIUM_PATH.')
      return await node([...fastResolve, `bench/${rest[0]}.ts`], { NODE_ENV: 'production', CHROMIUM_PATH: browser })
    }
    return await node([...fastResolve, 'bench/run.ts', ...rest], { NODE_ENV: 'production' })
  },
  'db:new': () => {
    const [name = ''] = rest
    if (!/^[a-z][a-z0-9_]{2,}$/.test(name)) stop('Name the migration by what it means: npm run db:new reservation_note')
    return node([tool.drizzle, 'generate', '--name', name])
  },
  'owner-link': () => node([...fastResolve, 'scripts/owner-link.ts', ...rest], { NODE_ENV: 'production' }),
  'db:reset': () => node([...fastResolve, 'scripts/db-reset.ts', ...rest]),
  'keys:reset': () => node([...fastResolve, 'scripts/keys-reset.ts', ...rest]),
}

if (Number(process.versions.node.split('.')[0]) < 20)
  stop(`Estudio necesita Node 20 o posterior; este es ${process.version}. Consíguelo en https://nodejs.org`)
const work = commands[command]
if (!work) stop(`Comandos: ${Object.keys(commands).join(', ')}`)

let interrupted = false
process.on('SIGINT', () => {
  interrupted = true
})
process.on('SIGTERM', () => {
  interrupted = true
})
await install()
process.exitCode = await work()

// ---------------------------------------------------------------- setting up

async function install() {
  if (!isInstalled()) {
    console.log('Instalando lo que falta (una sola vez, cerca de un minuto)...')
    const npm = process.env.npm_execpath
    const [program, before] = npm && /npm-cli\.c?js$/.test(basename(npm)) ? [process.execPath, [npm]] : ['npm', []]
    // NODE_ENV=production or a saved `omit` would leave out what building and testing need.
    const args = [...before, 'ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error']
    if ((await run(program, args, { shell: windows && before.length === 0 })) !== 0)
      stop('No se pudo instalar: arriba está la razón. Vuelve a intentarlo con conexión a internet.')
  }
  // npm may be told not to run install scripts; the package of Node is empty without its own.
  if (!existsSync(pinned)) await run(process.execPath, ['installArchSpecificPackage.js'], { cwd: join(modules, 'node') })
  if (!existsSync(pinned)) stop(`Falta ${pinned}. Borra node_modules y vuelve a intentarlo.`)
}

/** Compares npm's own list of what it installed with the lockfile, so that an `npm install` by hand counts too. */
function isInstalled() {
  let have
  try {
    have = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')).packages
  } catch {
    return false
  }
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries(packages).every(([path, wanted]) => {
    if (path === '') return true
    const found = have[path]
    if (found) return found.version === wanted.version && found.integrity === wanted.integrity
    // An optional package may be for another machine. One that is for this machine must be there.
    const ours = wanted.os?.includes(process.platform) && wanted.cpu?.includes(process.arch) && !wanted.libc
    return wanted.optional === true && !ours
  })
}

/** Builds the web part unless `build/` was made from exactly these sources. */
async function build() {
  const mark = join(root, 'build/.sources')
  const now = sources()
  if (existsSync(join(root, 'build/server/index.js')) && existsSync(mark) && readFileSync(mark, 'utf8') === now) return
  console.log('Construyendo las páginas...')
  const { code, output } = await captured([tool.reactRouter, 'build'], { NODE_ENV: 'production' })
  if (code !== 0) stop(`${output}\nNo se pudieron construir las páginas.`)
  writeFileSync(mark, now)
}

function sources() {
  const hash = createHash('sha256')
  const add = (path) =>
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0')
  for (const file of ['package-lock.json', 'vite.config.ts', 'react-router.config.ts']) add(file)
  for (const folder of ['contract', 'public', 'web']) {
    if (!existsSync(join(root, folder))) continue
    for (const name of readdirSync(join(root, folder), { recursive: true }).sort())
      if (/\.\w+$/.test(name) && !/\.test\.\w+$/.test(name)) add(join(folder, name))
  }
  return hash.digest('hex')
}

// ---------------------------------------------------------------- checking and testing

/** Each step counts as one test. Answers a list of { passed, failed, skipped }. */
async function check(fix = false) {
  if (fix)
    for (const args of [
      ['scripts/floors.mjs', '--fix'],
      [tool.biome, 'check', '--write', '.'],
    ])
      await captured(args)
  return [
    await step('format', [[tool.biome, 'check', '--linter-enabled=false', '.']]),
    await step('lint', [[tool.biome, 'lint', '--error-on-warnings', '.']]),
    await step('types', [
      [tool.reactRouter, 'typegen'],
      [tool.typescript, '--noEmit'],
    ]),
    await step('floors', [['scripts/floors.mjs']]),
    await step('dead code', [[tool.knip]]),
    await step('API fields', [[...fastResolve, 'scripts/api-fields.ts']]),
  ]
}

async function step(name, runs) {
  const began = performance.now()
  for (const args of runs) {
    const { code, output } = await captured(args)
    if (interrupted) process.exit(130)
    if (code !== 0) {
      console.log(`${output.trimEnd()}\nfailed: ${name}${name === 'format' ? ' (npm run check -- --fix)' : ''}\n`)
      return { passed: 0, failed: 1, skipped: 0, names: [name] }
    }
  }
  console.log(`passed: ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`)
  return { passed: 1, failed: 0, skipped: 0 }
}

/** Rules, verbs over the API, adapters and races: everything that needs no browser. */
async function vitest(args) {
  const first = await vitestOnce(args)
  const again = [...first.files].filter(([, { failed }]) => failed > 0).map(([file]) => file)
  if (!process.env.CI || first.failed > UNSTEADY || again.length === 0) return first
  console.log(`\nOnce more, by themselves: ${again.join(', ')}`)
  const second = await vitestOnce(again)
  const before = again.reduce((sum, file) => sum + first.files.get(file).passed, 0)
  return { ...second, passed: first.passed - before + second.passed, unsteady: second.failed > 0 ? [] : first.names }
}

async function vitestOnce(args) {
  return await withReport(async (report) => {
    const code = await node([tool.vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args])
    const told = readReport(report)
    if (!told) return { passed: 0, failed: 1, skipped: 0, files: new Map() }
    // A file that cannot be loaded has no tests that could fail.
    const broken = told.testResults.filter(
      (file) => file.status === 'failed' && !file.assertionResults.some((one) => one.status === 'failed'),
    )
    const failed = told.numFailedTests + broken.length
    const count = (file, status) => file.assertionResults.filter((one) => one.status === status).length
    return {
      passed: told.numPassedTests,
      failed: code !== 0 && failed === 0 ? 1 : failed,
      skipped: told.numPendingTests + told.numTodoTests,
      names: told.testResults.flatMap((file) => [
        ...(broken.includes(file) ? [`${relative(root, file.name ?? '')}: ${firstLine(file.message)}`] : []),
        ...file.assertionResults
          .filter((one) => one.status === 'failed')
          .map((one) => `${relative(root, file.name)} > ${one.fullName}: ${firstLine(one.failureMessages[0])}`),
      ]),
      files: new Map(
        told.testResults.map((file) => [
          relative(root, file.name ?? ''),
          { passed: count(file, 'passed'), failed: count(file, 'failed') + (broken.includes(file) ? 1 : 0) },
        ]),
      ),
    }
  })
}

/**
 * The journeys in a real browser, against the built program on an embedded database of its own. Each run has one clock for server, browser
 * and tests (scripts/shift-clock.mjs), which starts at a fixed instant: what passes today passes on every day.
 */
async function e2e(args, runs = browserRuns(args)) {
  const browser = await findBrowser({ install: () => node([tool.playwright, 'install', 'chromium']) })
  if (browser) await build()
  const parts = []
  for (const run of runs) {
    if (browser) console.log(`== browser tests at ${run.instant} (${INSTANTS[run.instant]})`)
    parts.push(await playwright(browser, [...run.args, ...args], run.instant))
    if (!browser) break
  }
  return parts
}

/** CI splits the suite over the two instants of its commit; elsewhere everything runs at one, which BROWSER_INSTANT names. */
function browserRuns(args) {
  const wanted = process.env.BROWSER_INSTANT
  if (wanted && !(wanted in INSTANTS)) stop(`BROWSER_INSTANT: ${Object.keys(INSTANTS).join(', ')}`)
  const commit = process.env.CI && !wanted && !args.some((arg) => arg.startsWith('--project')) ? currentCommit() : null
  if (!commit) return [{ instant: wanted ?? USUAL_INSTANT, args: [] }]
  const [phone, desktop] = instantsOfCommit(commit)
  return [
    { instant: phone, args: ['--project=phone'] },
    { instant: desktop, args: ['--project=desktop'] },
  ]
}

function currentCommit() {
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

async function playwright(browser, args, instant) {
  const dataDir = mkdtempSync(join(tmpdir(), `estudio-test-${process.pid}-`))
  // As root the database runs as another user, who must be able to enter.
  chmodSync(dataDir, 0o755)
  const env = {
    E2E_PORT: String(await freePort()),
    E2E_DATA_DIR: dataDir,
    CHROMIUM_PATH: browser ?? '',
    NODE_ENV: 'test',
    CLOCK_SHIFT_MS: String(Date.parse(INSTANTS[instant]) - Date.now()),
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${pathToFileURL(join(root, 'scripts/shift-clock.mjs'))}`.trim(),
  }
  try {
    return await withReport(async (report) => {
      if (!browser) {
        await captured([tool.playwright, 'test', '--list', '--reporter=json', ...args], { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report })
        return loudly(countTests(readReport(report)))
      }
      const code = await node([tool.playwright, 'test', '--reporter=list,json', ...args], { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report })
      const result = readReport(report)
      if (!result?.stats) return { passed: 0, failed: 1, skipped: 0 }
      const { expected, unexpected, flaky, skipped } = result.stats
      // Only CI tries again (playwright.config.ts), so only there anything can be flaky.
      const failed = unexpected + (flaky > UNSTEADY ? flaky : 0)
      const named = (status) => (result.suites ?? []).flatMap((suite) => failures(suite, status)).map((name) => `${name} [${instant}]`)
      return {
        passed: expected + (flaky > UNSTEADY ? 0 : flaky),
        failed: code !== 0 && failed === 0 ? 1 : failed,
        skipped,
        names: named('unexpected'),
        unsteady: named('flaky'),
      }
    })
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function loudly(skipped) {
  const line = '!'.repeat(72)
  console.log(
    `\n${line}\n!!  SKIPPED: ${skipped} browser tests. No Chromium or Chrome was found on this machine, and none\n!!  could be installed. Install one, or set CHROMIUM_PATH to its program.\n${line}\n`,
  )
  return { passed: 0, failed: 0, skipped }
}

function countTests(list) {
  const count = (suite) =>
    (suite.specs ?? []).reduce((sum, spec) => sum + spec.tests.length, 0) +
    (suite.suites ?? []).reduce((sum, inner) => sum + count(inner), 0)
  return Math.max(1, list ? count(list) : 1)
}

/** The tests of a browser report that ended so, each with its file, its screen and the first line of why. */
function failures(suite, status) {
  const own = (suite.specs ?? []).flatMap((spec) =>
    spec.tests
      .filter((test) => test.status === status)
      .map((test) => {
        const why = test.results.find((result) => result.error)?.error?.message
        return `${spec.file}:${spec.line} (${test.projectName}) > ${spec.title}: ${firstLine(why)}`
      }),
  )
  return [...own, ...(suite.suites ?? []).flatMap((inner) => failures(inner, status))]
}

function firstLine(text = '') {
  return stripVTControlCharacters(text).split('\n', 1)[0].slice(0, 300)
}

/** What failed by name, at the very end where a shortened log still has it; then one plain line for people and machines, and the exit code. */
function summary(parts) {
  const sum = (key) => parts.reduce((total, part) => total + part[key], 0)
  for (const [title, key] of [
    ['Failed the first time, passed by themselves', 'unsteady'],
    ['Failed', 'names'],
  ]) {
    const names = parts.flatMap((part) => part[key] ?? [])
    if (names.length > 0) console.log(`\n${title}:\n${names.map((name) => `  ${name}`).join('\n')}\n`)
  }
  const skipped = sum('skipped')
  console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped ? `, ${skipped} skipped` : ''}`)
  return sum('failed') > 0 || interrupted ? 1 : 0
}

async function withReport(use) {
  const folder = mkdtempSync(join(tmpdir(), 'estudio-report-'))
  try {
    const counted = await use(join(folder, 'report.json'))
    if (interrupted) process.exit(130)
    return counted
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

// ---------------------------------------------------------------- processes

/** The tools of the project and its Node come first: a program with `#!/usr/bin/env node` must not find an older one. */
function environment(more = {}) {
  const key = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  return { ...process.env, [key]: [join(modules, '.bin'), dirname(pinned), process.env[key]].join(delimiter), ...more }
}

function node(args, env) {
  return run(pinned, args, { env: environment(env) })
}

/** Runs a program to its end with our terminal as its own and answers its exit code. */
function run(program, args, options = {}) {
  const child = spawn(program, args, { cwd: root, stdio: 'inherit', ...options })
  // Ctrl-C reaches the whole group of a terminal by itself; told twice, the server would think that somebody is in a hurry.
  const onInt = () => process.stdin.isTTY || child.kill('SIGINT')
  const onTerm = () => child.kill('SIGTERM')
  process.on('SIGINT', onInt).on('SIGTERM', onTerm).on('SIGHUP', onTerm)
  // npm ends on SIGTERM without a word to us: notice that our parent is gone.
  const parent = process.ppid
  const orphaned = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(orphaned)
    interrupted = true
    child.kill('SIGTERM')
  }, 500)
  return new Promise((done) => {
    child.once('error', (error) => {
      console.error(error.message)
      done(1)
    })
    child.once('exit', (code, signal) => done(code ?? (signal === 'SIGINT' ? 130 : 143)))
  }).finally(() => {
    clearInterval(orphaned)
    process.off('SIGINT', onInt).off('SIGTERM', onTerm).off('SIGHUP', onTerm)
  })
}

/** Runs one of the project's tools and keeps what it says. */
function captured(args, env) {
  const child = spawn(pinned, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: environment(env) })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  return new Promise((done) => {
    child.once('error', (error) => done({ code: 1, output: error.message }))
    child.once('close', (code) => done({ code: code ?? 1, output }))
  })
}

function freePort() {
  return new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => done(port))
    })
  })
}

function stop(text) {
  console.error(text)
  process.exit(1)
}
