import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { INSTANTS, instantsOfCommit } from './instants.mjs'
import { shiftClock } from './shift-clock.mjs'
import { FILES_BY_TURN } from './unit-turns.mjs'

const left: (() => void)[] = []
afterEach(() => {
  for (const step of left.splice(0).reverse()) step()
})

/** A project with the real scripts and stand-ins for its tools, whose output each test sets. */
function project() {
  const root = mkdtempSync(join(tmpdir(), 'estudio-run-'))
  left.push(() => rmSync(root, { recursive: true, force: true }))
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  mkdirSync(join(root, 'scripts'))
  for (const name of readdirSync(dirname(fileURLToPath(import.meta.url))).filter((file) => file.endsWith('.mjs')))
    copyFileSync(fileURLToPath(new URL(name, import.meta.url)), join(root, 'scripts', name))
  for (const file of ['api-fields', 'english-texts', 'english-build', 'interface-texts']) write(`scripts/${file}.ts`, '')
  write('docs/requirements.md', '')
  write('docs/glossary.md', '')
  write('package.json', JSON.stringify({ name: 'trial', type: 'module', scripts: { start: 'node scripts/run.mjs start' } }))
  write('package-lock.json', JSON.stringify({ packages: { '': {}, 'node_modules/a': { version: '1.0.0', integrity: 'x' } } }))
  write('node_modules/.package-lock.json', JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0', integrity: 'x' } } }))
  mkdirSync(join(root, 'node_modules/node/bin'), { recursive: true })
  symlinkSync(process.execPath, join(root, 'node_modules/node/bin/node'))
  for (const file of ['vite.config.ts', 'react-router.config.ts', 'web/root.tsx', 'web/old.tsx', 'contract/index.ts']) write(file, '')
  write(
    'node_modules/@react-router/dev/bin.cjs',
    `const fs = require('node:fs')
     const to = process.env.PAGES_LANGUAGE === 'en' ? 'build/english/server' : 'build/server'
     if (process.argv[2] === 'build' && process.env.BROKEN === 'build') { console.log('a part is missing'); process.exit(1) }
     if (process.argv[2] === 'build') { fs.mkdirSync(to, { recursive: true }); fs.writeFileSync(to + '/index.js', ''); if (to === 'build/server') fs.appendFileSync('builds', '.') }`,
  )
  for (const bin of ['@biomejs/biome/bin/biome', 'typescript/bin/tsc', 'knip/bin/knip.js'])
    write(`node_modules/${bin}`, `if ('${bin}'.includes(process.env.BROKEN ?? '-')) { console.log('told why'); process.exit(1) }`)
  const reporter = (json: string, file: string) =>
    `const report = process.env['${json}']; if (report) require('node:fs').writeFileSync(${file}, report); process.exit(Number(process.env['${json}_CODE'] ?? 0))`
  write('node_modules/vitest/package.json', '{"type":"commonjs"}')
  write(
    'node_modules/vitest/vitest.mjs',
    `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); console.log('run with', ...process.argv); ${reporter('VITEST_SAYS', `process.argv.find((one) => one.startsWith('--outputFile.json=')).slice(18)`)}`,
  )
  write(
    'node_modules/@playwright/test/cli.js',
    `console.log('specs of turn', process.env.E2E_TURN || 'all'); ${reporter('PLAYWRIGHT_SAYS', 'process.env.PLAYWRIGHT_JSON_OUTPUT_FILE')}`,
  )
  write(
    'server/main.ts',
    `console.log('ready', process.version, process.env.PATH?.split(':')[0], process.pid); setInterval(() => {}, 1000)`,
  )

  const launch = (program: string, args: string[], env: Record<string, string> = {}) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, CI: '', CI_TURN: '', CHROMIUM_PATH: process.execPath, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    const code = new Promise<number | null>((done) => child.once('close', done))
    left.push(() => child.kill('SIGKILL'))
    const until = async (pattern: RegExp) => {
      for (const began = performance.now(); performance.now() - began < 15_000; await sleep(20)) {
        const found = pattern.exec(output)
        if (found) return found
      }
      throw new Error(`never said ${pattern}: ${output}`)
    }
    return { child, code, until, said: () => output }
  }
  return {
    root,
    write,
    launch,
    async run(command: string, env: Record<string, string> = {}) {
      const { code, said } = launch(process.execPath, ['scripts/run.mjs', command], env)
      const ended = await code
      return { code: ended, said: said(), last: said().trim().split('\n').at(-1) }
    },
    builds: () => (existsSync(join(root, 'builds')) ? readFileSync(join(root, 'builds'), 'utf8').length : 0),
  }
}

async function isGone(pid: number) {
  for (const began = performance.now(); performance.now() - began < 5_000; await sleep(20))
    try {
      process.kill(pid, 0)
    } catch {
      return true
    }
  return false
}

const vitestOutput = (passed: number, failed: number, more: object = {}) =>
  JSON.stringify({ numPassedTests: passed, numFailedTests: failed, numPendingTests: 0, numTodoTests: 0, testResults: [], ...more })
const playwrightOutput = (expected: number, unexpected = 0, flaky = 0, skipped = 0) =>
  JSON.stringify({ stats: { expected, unexpected, flaky, skipped } })

test('a build keeps the files of the builds before it for two weeks after they were replaced', async () => {
  const { root, write, run } = project()
  const earlier = () => readdirSync(join(root, 'build/earlier')).sort()
  await run('build')
  write('build/client/assets/entry-1.js', 'first')
  await run('build')
  rmSync(join(root, 'build/client/assets/entry-1.js'))
  write('build/client/assets/entry-2.js', 'second')
  await run('build')
  expect(earlier()).toEqual(['entry-1.js', 'entry-2.js'])
  expect(readFileSync(join(root, 'build/earlier/entry-1.js'), 'utf8')).toBe('first')
  const old = new Date(Date.now() - 15 * 86_400_000)
  for (const name of earlier()) utimesSync(join(root, 'build/earlier', name), old, old)
  await run('build')
  // The second is still the current one: it was replaced by no build yet.
  expect(earlier()).toEqual(['entry-2.js'])
})

test('start builds the pages when their sources changed, and only then', async () => {
  const { launch, builds, write, root } = project()
  const start = async () => {
    const { child, code, until } = launch(process.execPath, ['scripts/run.mjs', 'start'])
    await until(/ready/)
    child.kill('SIGTERM')
    await code
  }
  await start()
  await start()
  expect(builds()).toBe(1)
  write('web/root.tsx', 'export {}')
  await start()
  expect(builds()).toBe(2)
  rmSync(join(root, 'web/old.tsx'))
  await start()
  expect(builds()).toBe(3)
  // What the configuration imports of scripts/, directly or not, is a source too.
  write('vite.config.ts', "import { a } from './scripts/plugin.ts'")
  write('scripts/plugin.ts', "import { b } from './parts.ts'")
  write('scripts/parts.ts', '')
  await start()
  expect(builds()).toBe(4)
  write('scripts/parts.ts', 'export const b = 2')
  await start()
  expect(builds()).toBe(5)
  write('scripts/unrelated.ts', 'export {}')
  await start()
  expect(builds()).toBe(5)
})

test("the program runs under the project's Node with the project's tools before the system's", async () => {
  const { launch, root } = project()
  const { child, code, until } = launch(process.execPath, ['scripts/run.mjs', 'start'])
  const [, version, first] = await until(/ready (\S+) (\S+)/)
  expect(version).toBe(process.version)
  expect(first).toBe(join(root, 'node_modules/.bin'))
  child.kill('SIGTERM')
  await code
})

test('the program ends when npm is stopped', async () => {
  const { launch } = project()
  const npm = launch('npm', ['start'])
  const pid = Number((await npm.until(/ready \S+ \S+ (\d+)/))[1])
  npm.child.kill('SIGTERM')
  expect(await isGone(pid)).toBe(true)
})

test('the last line counts the steps of the check, the tests and the journeys together', async () => {
  const { run } = project()
  const all = { VITEST_SAYS: vitestOutput(10, 0), PLAYWRIGHT_SAYS: playwrightOutput(4) }
  expect(await run('test', all)).toMatchObject({ code: 0, last: '23 passed, 0 failed' })
  expect(await run('check')).toMatchObject({ code: 0, last: '9 passed, 0 failed' })
  expect(await run('unit', all)).toMatchObject({ code: 0, last: '10 passed, 0 failed' })
  expect(await run('e2e', all)).toMatchObject({ code: 0, last: '4 passed, 0 failed' })
})

test('whatever fails is counted, shown and ends in an exit code', async () => {
  const { run } = project()
  expect(await run('check', { BROKEN: 'tsc' })).toMatchObject({
    code: 1,
    last: '8 passed, 1 failed',
    said: expect.stringContaining('told why\nfailed: types'),
  })
  expect(await run('unit', { VITEST_SAYS: vitestOutput(9, 2), VITEST_SAYS_CODE: '1' })).toMatchObject({
    code: 1,
    last: '9 passed, 2 failed',
  })
  expect(await run('e2e', { PLAYWRIGHT_SAYS: playwrightOutput(3, 2, 0, 2), PLAYWRIGHT_SAYS_CODE: '1' })).toMatchObject({
    code: 1,
    last: '3 passed, 2 failed, 2 skipped',
  })
})

test('a build that fails counts as one failed step, beside the results of all others but the browser tests', async () => {
  const { run } = project()
  const { code, last, said } = await run('test', {
    BROKEN: 'build',
    VITEST_SAYS: vitestOutput(10, 0),
    PLAYWRIGHT_SAYS: playwrightOutput(4),
  })
  expect({ code, last }).toEqual({ code: 1, last: '19 passed, 1 failed' })
  expect(said).toContain('a part is missing\n\nNo se pudieron construir las páginas.\nfailed: build')
  expect(said).toContain('Browser tests were not run')
})

test('what failed is named at the end, where a shortened log still has it', async () => {
  const { run } = project()
  const unit = vitestOutput(1, 1, {
    testResults: [
      {
        name: 'server/a.test.ts',
        status: 'failed',
        assertionResults: [
          { status: 'passed', fullName: 'well' },
          { status: 'failed', fullName: 'credits once', failureMessages: ['\u001b[31mtwo were given\u001b[39m\n  at a stack'] },
        ],
      },
      { name: 'server/b.test.ts', status: 'failed', message: 'Cannot find module', assertionResults: [] },
    ],
  })
  const spec = (title: string, status: string, message?: string) => ({
    title,
    file: 'journey.spec.ts',
    line: 7,
    tests: [{ projectName: 'phone', status, results: [{ error: message && { message } }] }],
  })
  const e2e = JSON.stringify({
    stats: { expected: 1, unexpected: 1, flaky: 0, skipped: 0 },
    suites: [{ specs: [spec('lands', 'expected')], suites: [{ specs: [spec('books', 'unexpected', 'no spot\nCall log')] }] }],
  })
  const { said, last } = await run('test', { VITEST_SAYS: unit, VITEST_SAYS_CODE: '1', PLAYWRIGHT_SAYS: e2e, PLAYWRIGHT_SAYS_CODE: '1' })
  expect(last).toBe('11 passed, 3 failed')
  expect(said.slice(said.indexOf('Failed:')).trim().split('\n').slice(0, -2)).toEqual([
    'Failed:',
    expect.stringMatching(/server\/b\.test\.ts: Cannot find module$/),
    expect.stringMatching(/server\/a\.test\.ts > credits once: two were given$/),
    '  journey.spec.ts:7 (phone) > books: no spot [wednesday]',
  ])
})

test('a failed unit test is never tried again; in CI two browser tests may pass on their second try, and are named', async () => {
  const { run } = project()
  const env = { VITEST_SAYS: vitestOutput(3, 1), VITEST_SAYS_CODE: '1', CI: 'true' }
  expect(await run('unit', env)).toMatchObject({ code: 1, last: '3 passed, 1 failed' })
  expect(await run('e2e', { PLAYWRIGHT_SAYS: playwrightOutput(3, 0, 2) })).toMatchObject({ code: 0, last: '5 passed, 0 failed' })
  expect(await run('e2e', { PLAYWRIGHT_SAYS: playwrightOutput(3, 0, 3) })).toMatchObject({ code: 1, last: '3 passed, 3 failed' })
  expect(await run('e2e', { PLAYWRIGHT_SAYS: playwrightOutput(197, 0, 3) })).toMatchObject({ code: 1, last: '197 passed, 3 failed' })
})

test('the slowest twenty tests are listed', async () => {
  const { run } = project()
  const assertionResults = Array.from({ length: 30 }, (_, n) => ({ status: 'passed', fullName: `case ${n}`, duration: n * 100 }))
  const { said } = await run('unit', {
    VITEST_SAYS: vitestOutput(30, 0, { testResults: [{ name: 'a.test.ts', status: 'passed', assertionResults }] }),
  })
  const listed = said.slice(said.indexOf('Slowest 20 tests:')).split('\n').slice(1, 21)
  expect(listed[0]).toMatch(/^ {2}2\.9 s {2}\S*a\.test\.ts > case 29$/)
  expect(listed[19]).toContain('case 10')
})

test('CI splits the browser tests over the two instants of its commit; elsewhere they run at the usual one, or at the one that is named', async () => {
  const { run } = project()
  const at = (output: string) => [...output.matchAll(/== browser tests at (\S+)/g)].map(([, name]) => name)
  const env = { PLAYWRIGHT_SAYS: playwrightOutput(4) }
  const inCi = await run('e2e', { ...env, CI: 'true', GIT_DIR: join(process.cwd(), '.git') })
  expect(inCi.last).toBe('8 passed, 0 failed')
  expect(new Set(at(inCi.said)).size).toBe(2)
  const turns = [...inCi.said.matchAll(/specs of turn (\S+)/g)].map(([, turn]) => turn)
  expect(turns).toEqual([expect.stringMatching(/^[1-6]$/), turns[0]])
  const { said } = await run('e2e', env)
  expect(at(said)).toEqual(['wednesday'])
  expect(said).toContain('specs of turn all')
  expect(at((await run('e2e', { ...env, BROWSER_INSTANT: 'month-end' })).said)).toEqual(['month-end'])
  expect(await run('e2e', { ...env, BROWSER_INSTANT: 'doomsday' })).toMatchObject({
    code: 1,
    said: expect.stringContaining('tijuana-clocks'),
  })
  const all = await run('instants', env)
  expect(at(all.said)).toEqual(Object.keys(INSTANTS))
  expect(all.last).toBe(`${4 * Object.keys(INSTANTS).length} passed, 0 failed`)
})

test('the instants of commits reach every pair, and never one instant twice', () => {
  const commits = Array.from({ length: 400 }, (_, n) => createHash('sha1').update(String(n)).digest('hex'))
  const pairs = commits.map(instantsOfCommit)
  expect(pairs.every(([first, other]) => first !== other && first in INSTANTS && other in INSTANTS)).toBe(true)
  const names = Object.keys(INSTANTS).length
  expect(new Set(pairs.map((pair) => pair.join())).size).toBe(names * (names - 1))
})

test('CI leaves out the unit test files of other turns and runs a part on the oldest PostgreSQL; elsewhere, and with CI_TURN=all, everything runs', async () => {
  const { run } = project()
  const reports = { VITEST_SAYS: vitestOutput(4, 0), PLAYWRIGHT_SAYS: playwrightOutput(4) }
  const second = await run('unit', { ...reports, CI_TURN: '2' })
  expect(second).toMatchObject({ code: 0, said: expect.stringContaining('turn 2 of 6') })
  for (const [n, files] of FILES_BY_TURN.entries())
    for (const file of files) expect([file, second.said.includes(`--exclude ${file}`)]).toEqual([file, n !== 1])
  expect((await run('sql', { ...reports, CI_TURN: '2' })).said).toContain('--shard=2/6')
  expect((await run('e2e', { ...reports, CI_TURN: '2' })).said.match(/specs of turn 2/g)).toHaveLength(2)
  for (const env of [reports, { ...reports, CI: 'true', CI_TURN: 'all' }]) {
    expect((await run('unit', env)).said).not.toContain('--exclude')
    expect((await run('sql', env)).said).not.toContain('--shard')
    expect((await run('e2e', env)).said.match(/specs of turn \w+/g)).toEqual(['specs of turn all'])
  }
  const inCi = { ...reports, CI: 'true', GIT_DIR: join(process.cwd(), '.git') }
  const [, turn] = /unit tests, turn ([1-6]) of 6/.exec((await run('unit', inCi)).said) ?? []
  expect((await run('sql', inCi)).said).toContain(`--shard=${turn}/6`)
  for (const CI_TURN of ['0', '7', 'first'])
    expect(await run('unit', { ...reports, CI_TURN })).toMatchObject({ code: 1, said: expect.stringContaining('CI_TURN: 1 to 6, or all') })
})

test('a shifted clock runs from its instant, and leaves given dates unchanged', () => {
  const scope = { Date } as typeof globalThis
  shiftClock(86_400_000, scope)
  const ahead = scope.Date.now() - Date.now()
  expect(Math.abs(ahead - 86_400_000)).toBeLessThan(60_000)
  expect(Math.abs(new scope.Date().getTime() - Date.now() - 86_400_000)).toBeLessThan(60_000)
  expect(new scope.Date(0).getTime()).toBe(0)
  expect(new Date() instanceof scope.Date).toBe(true)
  expect(scope.Date()).not.toBe(Date())
  expect(scope.Date.UTC(2031, 0, 1)).toBe(Date.UTC(2031, 0, 1))
})

test('a test runner that dies, a file that cannot be loaded and an error outside every test count as failures', async () => {
  const { run } = project()
  expect(await run('unit')).toMatchObject({ code: 1, last: '0 passed, 1 failed' })
  const broken = vitestOutput(3, 0, { testResults: [{ status: 'failed', assertionResults: [] }] })
  expect(await run('unit', { VITEST_SAYS: broken, VITEST_SAYS_CODE: '1' })).toMatchObject({ code: 1, last: '3 passed, 1 failed' })
  expect(await run('unit', { VITEST_SAYS: vitestOutput(3, 0), VITEST_SAYS_CODE: '1' })).toMatchObject({
    code: 1,
    last: '3 passed, 1 failed',
  })
})

test('without a browser the journeys are skipped loudly, each of them', async () => {
  const { run, builds } = project()
  const listed = JSON.stringify({ suites: [{ specs: [{ tests: [1, 2] }], suites: [{ specs: [{ tests: [1, 2] }] }] }] })
  const { code, said, last } = await run('e2e', { CHROMIUM_PATH: '/nowhere/chromium', PLAYWRIGHT_SAYS: listed })
  expect(said).toContain('SKIPPED: 4 browser tests')
  expect(last).toBe('0 passed, 0 failed, 4 skipped')
  expect(code).toBe(0)
  expect(builds()).toBe(0)
})

test('what npm installed is compared with the lockfile, package by package', async () => {
  const { run, write } = project()
  // The stand-in for npm prints its argument.
  write('npm-cli.js', `console.log('asked:', process.argv[2]); process.exit(1)`)
  const env = { npm_execpath: 'npm-cli.js' }
  expect((await run('check', env)).said).not.toContain('asked:')
  write('package-lock.json', JSON.stringify({ packages: { '': {}, 'node_modules/a': { version: '1.0.1', integrity: 'y' } } }))
  expect(await run('check', env)).toMatchObject({ code: 1, said: expect.stringContaining('asked: ci') })
  const foreign = { version: '1.0.0', optional: true, os: ['plan9'], cpu: ['x64'] }
  write('package-lock.json', JSON.stringify({ packages: { '': {}, 'node_modules/b': foreign } }))
  expect((await run('check', env)).said).not.toContain('asked:')
  write(
    'package-lock.json',
    JSON.stringify({ packages: { '': {}, 'node_modules/b': { ...foreign, os: [process.platform], cpu: [process.arch] } } }),
  )
  expect((await run('check', env)).said).toContain('asked: ci')
})

test('an unknown command lists the known ones, and a migration wants a name with a meaning', async () => {
  const { run, launch } = project()
  expect(await run('fly')).toMatchObject({ code: 1, said: expect.stringContaining('db:new') })
  const { code, said } = launch(process.execPath, ['scripts/run.mjs', 'db:new', '--'])
  expect(await code).toBe(1)
  expect(said()).toContain('Name the migration')
})
