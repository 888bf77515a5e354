// Checks the words of docs/glossary.md: exported names, file names and log events must not use those of its last table, and log events must
// read `subject.verb`. `node scripts/vocabulary.mjs [folder]`
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const [folder] = process.argv.slice(2)
const root = resolve(folder ?? fileURLToPath(new URL('..', import.meta.url)))
const GLOSSARY = 'docs/glossary.md'
const FOLDERS = ['contract', 'server', 'web', 'e2e', 'bench', 'scripts']

const problems = []
/** The replacement by refused word, and the exempt names or parts of names: `creditLot` also exempts `lockCreditLots`. */
const instead = new Map()
const exempt = []
readTable(readFileSync(join(root, GLOSSARY), 'utf8'))

for (const file of FOLDERS.flatMap(listFiles)) {
  const name = posix.basename(file).replace(/\.\w+$/, '')
  refuse(file, 'the file name', name, name.split(/[-.]/))
  const text = readFileSync(join(root, file), 'utf8')
  for (const [, exported] of text.matchAll(/^export (?:declare )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm))
    refuse(file, 'the exported name', exported, wordsOf(exported))
  for (const [, event] of text.matchAll(
    /\blog\.(?:debug|info|warn|error)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*?['"]([^'"\n]+)['"]\s*,?\s*\)/g,
  )) {
    if (!/^[a-z]+(_[a-z0-9]+)*\.[a-z]+(_[a-z0-9]+)*$/.test(event))
      problems.push(`${file}: write the log event '${event}' as subject.verb, with its facts as fields`)
    else refuse(file, 'the log event', event, event.split(/[._]/))
  }
}

if (problems.length) {
  console.error(`${[...new Set(problems)].sort().join('\n')}\n\n${problems.length} against the words of ${GLOSSARY}.`)
  process.exitCode = 1
} else console.log(`Names, files and log events keep to ${instead.size} words of ${GLOSSARY}.`)

function refuse(file, what, name, words) {
  const rest = exempt.reduce((text, phrase) => text.replaceAll(phrase, ' '), ` ${words.join(' ').toLowerCase()} `)
  const word = rest.split(' ').find((one) => instead.has(one))
  if (word) problems.push(`${file}: ${what} ${name} uses "${word}"; use ${instead.get(word)} (${GLOSSARY})`)
}

/** Splits a name: `NewPackage` and `NEW_PACKAGE` become new, package. */
function wordsOf(name) {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
}

function readTable(text) {
  const rows = text.slice(text.indexOf('\n| word | instead | exempt |')).matchAll(/^\| ([^|]+) \| ([^|]+) \| ?([^|]*)\|$/gm)
  for (const [, words, use, names] of rows) {
    if (words === 'word' || words.startsWith('-')) continue
    for (const word of words.split(',')) instead.set(word.trim(), use.trim())
    for (const name of names.split(','))
      if (name.trim())
        exempt.push(` ${wordsOf(name.trim().replaceAll('`', '')).join(' ')} `, ` ${wordsOf(name.trim().replaceAll('`', '')).join(' ')}s `)
  }
}

function listFiles(name) {
  const at = join(root, name)
  if (!existsSync(at)) return []
  return readdirSync(at, { recursive: true })
    .map((path) => posix.join(name, path.split(sep).join('/')))
    .filter((path) => /\.(tsx?|mjs|css)$/.test(path) && !path.startsWith('server/migrations/') && path !== 'scripts/vocabulary.test.ts')
}
