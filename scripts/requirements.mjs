// Traceability between specification and tests. `node scripts/requirements.mjs` writes the test files that cite each requirement into
// docs/requirements.md; `--check` fails when that list is out of date, when a file cites an unknown id, or when a requirement has neither a
// test nor a reason under "Without a test". The statements themselves are written by hand. [--check] [folder]
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, posix, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const [folder] = process.argv.slice(2).filter((arg) => arg !== '--check')
const root = resolve(folder ?? fileURLToPath(new URL('..', import.meta.url)))
const DOCUMENT = 'docs/requirements.md'
const FOLDERS = ['contract', 'server', 'web', 'e2e', 'bench', 'scripts', 'docs']
const ID = 'S[12]-[1-9]\\.\\d{2,3}'

const file = join(root, DOCUMENT)
const before = readFileSync(file, 'utf8')
const lines = before.split('\n').filter((line) => !line.startsWith('  Tests: '))
const known = new Set(lines.map((line) => new RegExp(`^- \\*\\*(${ID})\\*\\* `).exec(line)?.[1]).filter(Boolean))
const untested = readReasons(lines)

const problems = []
/** Test files by the id of the requirement that they cite. */
const tests = new Map()
for (const path of FOLDERS.flatMap(listFiles)) {
  for (const id of citedIds(readFileSync(join(root, path), 'utf8'))) {
    if (!known.has(id)) problems.push(`${path}: cites ${id}, which ${DOCUMENT} does not have`)
    else if (/\.(test|spec)\.tsx?$/.test(path)) tests.set(id, [...(tests.get(id) ?? []), path])
  }
}
for (const id of known) {
  if (tests.has(id) && untested.has(id)) problems.push(`${DOCUMENT}: ${id} stands under "Without a test", but ${tests.get(id)[0]} cites it`)
  if (!tests.has(id) && !untested.has(id))
    problems.push(`${DOCUMENT}: no test cites ${id}. Cite it at the end of a test's title, or give the reason under "Without a test"`)
}
for (const [id, reason] of untested)
  if (!known.has(id) || !reason) problems.push(`${DOCUMENT}: "Without a test" names ${id} without a statement or a reason`)

const after = lines
  .flatMap((line) => {
    const id = new RegExp(`^- \\*\\*(${ID})\\*\\* `).exec(line)?.[1]
    const paths = id && tests.get(id)
    return paths
      ? [
          line,
          `  Tests: ${[...new Set(paths)]
            .sort()
            .map((path) => `\`${path}\``)
            .join(', ')}`,
        ]
      : [line]
  })
  .join('\n')

if (process.argv.includes('--check')) {
  if (after !== before) problems.push(`${DOCUMENT}: the list of tests is out of date (npm run requirements)`)
} else if (after !== before) writeFileSync(file, after)

if (problems.length) {
  console.error(`${problems.sort().join('\n')}\n\n${problems.length} problems with the requirements.`)
  process.exitCode = 1
} else console.log(`${known.size} requirements, ${untested.size} of them without a test for a reason that is given.`)

/** The ids in a text, with ranges ("A to B" within one section) expanded. */
function citedIds(text) {
  const ids = new Set(text.match(new RegExp(`\\b${ID}\\b`, 'g')))
  for (const [, section, first, last] of text.matchAll(/\b(S[12]-[1-9])\.(\d{2,3}) to \1\.(\d{2,3})\b/g))
    for (let at = Number(first); at <= Number(last); at++) ids.add(`${section}.${String(at).padStart(2, '0')}`)
  return ids
}

/** Lines `- id: reason` of the section "Without a test". */
function readReasons(all) {
  const from = all.findIndex((line) => /^## Without a test/.test(line))
  if (from < 0) return new Map()
  const to = all.findIndex((line, at) => at > from && line.startsWith('## '))
  return new Map(
    all
      .slice(from, to < 0 ? undefined : to)
      .map((line) => new RegExp(`^- (${ID}): (.*)$`).exec(line))
      .filter(Boolean)
      .map(([, id, reason]) => [id, reason.trim()]),
  )
}

function listFiles(name) {
  const at = join(root, name)
  if (!existsSync(at)) return []
  return readdirSync(at, { recursive: true })
    .map((path) => posix.join(name, path.split(sep).join('/')))
    .filter((path) => /\.(tsx?|mjs|css|md)$/.test(path) && path !== DOCUMENT)
    .sort()
}
