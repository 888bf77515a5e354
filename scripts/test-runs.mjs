// Runs the checks and tests and counts them: each run returns { passed, failed, skipped, names?, flaky?, slowest? }.
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { findBrowser } from './browser.mjs'
import { INSTANTS, instantsOfCommit, USUAL_INSTANT } from './instants.mjs'
import { fastResolve } from './node-flags.mjs'
import { captured, freePort, isInterrupted, node, root, stop, tool } from './processes.mjs'
import { build, tryBuild } from './setup.mjs'
import { TURNS, turnOf } from './turns.mjs'

/** How many browser tests of one run in CI may pass on their second try; they are printed, and mended next. */
const FLAKY_LIMIT = 2

/** Formatting, lint, types, floors and the other static checks. Each counts as one test; returns a list of { passed, failed, skipped }. */
export async function check(fix = false) {
  if (fix)
    for (const args of [['scripts/floors.mjs', '--fix'], ['scripts/requirements.mjs'], [tool.biome, 'check', '--write', '.']])
      await captured(args)
  // The types take as long as everything before them.
  const types = step('types', [
    [tool.reactRouter, 'typegen'],
    [tool.typescript, '--noEmit'],
  ])
  return [
    await step('format', [[tool.biome, 'check', '--linter-enabled=false', '.']]),
    await step('lint', [[tool.biome, 'lint', '--error-on-warnings', '.']]),
    await types,
    await step('floors', [['scripts/floors.mjs']]),
    await step('requirements', [['scripts/requirements.mjs', '--check']]),
    await step('vocabulary', [['scripts/vocabulary.mjs']]),
    await step('dead code', [[tool.knip]]),
    await step('English texts', [[...fastResolve, 'scripts/english-texts.ts']]),
    await step('API fields', [[...fastResolve, 'scripts/api-fields.ts']]),
  ]
}

async function step(name, runs) {
  const began = performance.now()
  for (const args of runs) {
    const { code, output } = await captured(args)
    if (isInterrupted()) process.exit(130)
    if (code !== 0) {
      console.log(`${output.trimEnd()}\nfailed: ${name}${name === 'format' ? ' (npm run check -- --fix)' : ''}\n`)
      return { passed: 0, failed: 1, skipped: 0, names: [name] }
    }
  }
  console.log(`passed: ${name} (${((performance.now() - began) / 1000).toFixed(1)} s)`)
  return { passed: 1, failed: 0, skipped: 0 }
}

/** Builds the pages beside the checks: a build that fails counts as one failed step, one that succeeds as none. */
export async function buildStep() {
  const { failed, output } = await tryBuild()
  if (isInterrupted()) process.exit(130)
  if (!failed) return []
  console.log(`${output.trimEnd()}\nfailed: build\n`)
  return [{ passed: 0, failed: 1, skipped: 0, names: ['build'] }]
}

/** Tests without a browser: rules, verbs over the API, adapters and races. Failed tests are not retried. */
export async function runUnitTests(args) {
  return await withReport(async (file) => {
    const code = await node([tool.vitest, ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`])
    const report = readReport(file)
    if (!report) return { passed: 0, failed: 1, skipped: 0 }
    // A file that cannot be loaded reports no failed tests, so it is counted here.
    const unloadable = report.testResults.filter(
      (result) => result.status === 'failed' && !result.assertionResults.some(({ status }) => status === 'failed'),
    )
    const tests = report.testResults.flatMap((result) =>
      result.assertionResults.map((test) => ({ ...test, name: `${relative(root, result.name ?? '')} > ${test.fullName}` })),
    )
    const failed = report.numFailedTests + unloadable.length
    return {
      passed: report.numPassedTests,
      failed: code !== 0 && failed === 0 ? 1 : failed,
      skipped: report.numPendingTests + report.numTodoTests,
      names: [
        ...unloadable.map((result) => `${relative(root, result.name ?? '')}: ${firstLine(result.message)}`),
        ...tests.filter(({ status }) => status === 'failed').map((test) => `${test.name}: ${firstLine(test.failureMessages[0])}`),
      ],
      slowest: tests.map((test) => ({ name: test.name, ms: test.duration ?? 0 })),
    }
  })
}

/** The browser of the browser tests; null when there is none and none can be installed. */
export const testBrowser = () => findBrowser({ install: () => node([tool.playwright, 'install', 'chromium']) })

/**
 * The browser tests, against the built program on its own embedded database. Each run has one clock for server, browser and tests
 * (scripts/shift-clock.mjs) that starts at a fixed instant, so that results do not depend on the day.
 */
export async function runBrowserTests(args, runs = browserRuns(args)) {
  const browser = await testBrowser()
  if (browser) await build()
  const parts = []
  for (const run of runs) {
    if (browser)
      console.log(`== browser tests at ${run.instant} (${INSTANTS[run.instant]})${run.turn ? `, turn ${run.turn} of ${TURNS}` : ''}`)
    parts.push(await runPlaywright(browser, [...run.args, ...args], run))
    if (!browser) break
  }
  return parts
}

/**
 * CI splits the suite over the two instants of its commit and runs the specs of its turn (spec-sizes.mjs); elsewhere everything runs at one
 * instant, set by BROWSER_INSTANT.
 */
function browserRuns(args) {
  const wanted = process.env.BROWSER_INSTANT
  if (wanted && !(wanted in INSTANTS)) stop(`BROWSER_INSTANT: ${Object.keys(INSTANTS).join(', ')}`)
  const turn = args.some((arg) => /^--project|\.spec\b/.test(arg)) ? null : currentTurn()
  const commit = turn && currentCommit()
  const [phone, desktop] = commit && !wanted ? instantsOfCommit(commit) : [wanted ?? USUAL_INSTANT, wanted ?? USUAL_INSTANT]
  if (!turn) return [{ instant: phone, args: [] }]
  return [
    { instant: phone, args: ['--project=phone'], turn },
    { instant: desktop, args: ['--project=desktop'], turn },
  ]
}

/** The commit that is checked out; null outside a repository. */
const currentCommit = () => git('rev-parse', 'HEAD')

/**
 * The turn of this run (turns.mjs): in CI that of the commit, elsewhere null, where everything runs. The environment variable CI_TURN sets
 * another one: 1 to TURNS, to repeat what a CI run had, or `all`.
 */
export function currentTurn() {
  const wanted = process.env.CI_TURN || (process.env.CI ? '' : 'all')
  if (wanted === 'all') return null
  if (wanted && !(/^\d$/.test(wanted) && Number(wanted) >= 1 && Number(wanted) <= TURNS)) stop(`CI_TURN: 1 to ${TURNS}, or all`)
  if (wanted) return Number(wanted)
  const commit = currentCommit()
  const complete = git('rev-parse', '--is-shallow-repository') === 'false'
  return commit && turnOf(commit, complete ? Number(git('rev-list', '--count', 'HEAD')) : null)
}

function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

async function runPlaywright(browser, args, { instant, turn = null }) {
  const dataDir = mkdtempSync(join(tmpdir(), `estudio-test-${process.pid}-`))
  // As root the database runs as another user, which needs access.
  chmodSync(dataDir, 0o755)
  const env = {
    E2E_PORT: String(await freePort()),
    E2E_DATA_DIR: dataDir,
    E2E_TURN: turn ? String(turn) : '',
    CHROMIUM_PATH: browser ?? '',
    NODE_ENV: 'test',
    CLOCK_SHIFT_MS: String(Date.parse(INSTANTS[instant]) - Date.now()),
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${pathToFileURL(join(root, 'scripts/shift-clock.mjs'))}`.trim(),
  }
  try {
    return await withReport(async (report) => {
      if (!browser) {
        await captured([tool.playwright, 'test', '--list', '--reporter=json', ...args], { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report })
        return warnSkipped(countTests(readReport(report)))
      }
      const code = await node([tool.playwright, 'test', '--reporter=list,json', ...args], { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report })
      const result = readReport(report)
      if (!result?.stats) return { passed: 0, failed: 1, skipped: 0 }
      const { expected, unexpected, flaky, skipped } = result.stats
      // Only CI retries (playwright.config.ts), so flaky tests exist only there.
      const tooFlaky = flaky > FLAKY_LIMIT
      const failed = unexpected + (tooFlaky ? flaky : 0)
      const named = (status) => (result.suites ?? []).flatMap((suite) => listTests(suite, status)).map((name) => `${name} [${instant}]`)
      return {
        passed: expected + (tooFlaky ? 0 : flaky),
        failed: code !== 0 && failed === 0 ? 1 : failed,
        skipped,
        names: named('unexpected'),
        flaky: named('flaky'),
      }
    })
  } finally {
    // With the folders that own studios copy (e2e/own-studio.ts).
    for (const folder of [dataDir, ...['vaiven', 'fragua'].flatMap((demo) => [`${dataDir}-${demo}`, `${dataDir}-${demo}.ready`])])
      rmSync(folder, { recursive: true, force: true })
  }
}

function warnSkipped(skipped) {
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

/** The tests of a browser report with this status, with file, project and the first line of the error. */
function listTests(suite, status) {
  const own = (suite.specs ?? []).flatMap((spec) =>
    spec.tests
      .filter((test) => test.status === status)
      .map((test) => {
        const why = test.results.find((result) => result.error)?.error?.message
        return `${spec.file}:${spec.line} (${test.projectName}) > ${spec.title}: ${firstLine(why)}`
      }),
  )
  return [...own, ...(suite.suites ?? []).flatMap((inner) => listTests(inner, status))]
}

function firstLine(text = '') {
  return stripVTControlCharacters(text).split('\n', 1)[0].slice(0, 300)
}

/**
 * Prints the slowest tests, then the failed ones (at the end, so that a shortened log still has them), then one summary line. Returns the
 * exit code.
 */
export function summary(parts) {
  const slowest = parts
    .flatMap((part) => part.slowest ?? [])
    .sort((first, other) => other.ms - first.ms)
    .slice(0, 20)
  if (slowest.length === 20)
    console.log(`\nSlowest 20 tests:\n${slowest.map(({ name, ms }) => `  ${(ms / 1000).toFixed(1)} s  ${name}`).join('\n')}`)
  const sum = (key) => parts.reduce((total, part) => total + part[key], 0)
  for (const [title, key] of [
    ['Failed once, passed on the second try', 'flaky'],
    ['Failed', 'names'],
  ]) {
    const names = parts.flatMap((part) => part[key] ?? [])
    if (names.length > 0) console.log(`\n${title}:\n${names.map((name) => `  ${name}`).join('\n')}\n`)
  }
  const skipped = sum('skipped')
  console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped ? `, ${skipped} skipped` : ''}`)
  return sum('failed') > 0 || isInterrupted() ? 1 : 0
}

/** Calls `use` with the path of a report in a temporary folder that is deleted afterwards. */
async function withReport(use) {
  const folder = mkdtempSync(join(tmpdir(), 'estudio-report-'))
  try {
    const result = await use(join(folder, 'report.json'))
    if (isInterrupted()) process.exit(130)
    return result
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
