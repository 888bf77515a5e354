// Checks the words of docs/glossary.md: file names, exported and local names (variables, parameters, functions, types), names of properties
// and methods and log events must not use those of its last table, and log events must read `subject.verb`.
// `node scripts/vocabulary.mjs [folder]`
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const [folder] = process.argv.slice(2)
const root = resolve(folder ?? fileURLToPath(new URL('..', import.meta.url)))
const GLOSSARY = 'docs/glossary.md'
const FOLDERS = ['contract', 'server', 'client', 'web', 'e2e', 'bench', 'scripts']
/** Local names only: a line of text is a `line`, and `held` may stand before its noun (`heldSpots`). */
const FINE_IN_LOCAL_NAMES = new Set(['line', 'lines', 'held'])
/** Whole local names only: what is split at blanks has `words`, each of them a `word`; a text that is shown is none. */
const FINE_AS_LOCAL_NAMES = new Set(['word', 'words'])
/** Refused as whole local names only: a value is named after what it is, but the word may stand before its noun (`takenSpots`). */
const REFUSED_ALONE = new Set(['one', 'made', 'given', 'gone', 'taken'])

const problems = []
/** The replacement by refused word, and the exempt names or parts of names: `creditLot` also exempts `lockCreditLots`. */
const instead = new Map()
const exempt = []
readTable(readFileSync(join(root, GLOSSARY), 'utf8'))
const anyRefused = new RegExp([...instead.keys()].join('|') || '(?!)', 'i')
/** The parser, once a file contains a refused word: a folder without them needs no installed packages. */
let parse = null

const files = FOLDERS.flatMap(listFiles)
/** Names of the wire and of columns, which properties may have. */
const wireNames = new Set()
for (const file of files.filter((file) => /^contract\/.*\.ts$|tables\.ts$/.test(file)))
  for (const [, name] of readFileSync(join(root, file), 'utf8').matchAll(/(?<![\w$.])(\w+)\??:/g)) wireNames.add(name)

for (const file of files) {
  const name = posix.basename(file).replace(/\.\w+$/, '')
  refuse(file, 'the file name', name, name.split(/[-.]/))
  const text = readFileSync(join(root, file), 'utf8')
  for (const [, exported] of text.matchAll(/^export (?:declare )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm))
    refuse(file, 'the exported name', exported, splitWords(exported))
  for (const [, event] of text.matchAll(
    /\blog\.(?:debug|info|warn|error)\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*?['"]([^'"\n]+)['"]\s*,?\s*\)/g,
  )) {
    if (!/^[a-z]+(_[a-z0-9]+)*\.[a-z]+(_[a-z0-9]+)*$/.test(event))
      problems.push(`${file}: write the log event '${event}' as subject.verb, with its facts as fields`)
    else refuse(file, 'the log event', event, event.split(/[._]/))
  }
  if (!file.endsWith('.css') && anyRefused.test(text)) {
    parse ??= (await import('vite')).parseSync
    const { locals, members } = namesIn(file, text)
    for (const [what, names] of [
      ['the local name', locals],
      ['the property', members],
    ])
      for (const local of names)
        refuse(
          file,
          what,
          local,
          what === 'the local name' && FINE_AS_LOCAL_NAMES.has(local)
            ? []
            : splitWords(local).filter((word) => !FINE_IN_LOCAL_NAMES.has(word)),
        )
  }
}

if (problems.length) {
  console.error(`${[...new Set(problems)].sort().join('\n')}\n\n${problems.length} against the words of ${GLOSSARY}.`)
  process.exitCode = 1
} else console.log(`Names, files and log events keep to ${instead.size} words of ${GLOSSARY}.`)

function refuse(file, what, name, words) {
  const rest = exempt.reduce((text, phrase) => text.replaceAll(phrase, ' '), ` ${words.join(' ').toLowerCase()} `)
  const word = rest
    .split(' ')
    .find((word) => instead.has(word) && (!REFUSED_ALONE.has(word) || (what === 'the local name' && name === word)))
  if (word) problems.push(`${file}: ${what} ${name} uses "${word}"; use ${instead.get(word)} (${GLOSSARY})`)
}

/**
 * The names that a file declares, without those that another place gives: properties that are destructured under their own name, and names
 * with an underscore, which are of the wire or of a column. `members`: properties and methods that types, classes and objects declare.
 */
function namesIn(file, text) {
  const { program } = parse(file, text, { lang: file.endsWith('x') ? 'tsx' : 'ts' })
  const locals = new Set()
  const members = new Set()
  const addPattern = (node) => {
    if (node?.type === 'Identifier') locals.add(node.name)
    else if (node?.type === 'AssignmentPattern') addPattern(node.left)
    else if (node?.type === 'RestElement') addPattern(node.argument)
    else if (node?.type === 'ArrayPattern') node.elements.forEach(addPattern)
    else if (node?.type === 'ObjectPattern')
      for (const property of node.properties) if (!property.shorthand) addPattern(property.value ?? property.argument)
  }
  const visit = (node) => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (!node || typeof node.type !== 'string') return
    if (node.type === 'VariableDeclarator') addPattern(node.id)
    if (/Function|TSType.*Declaration|TSInterfaceDeclaration|ClassDeclaration/.test(node.type) && node.id) addPattern(node.id)
    if (/^(TSPropertySignature|TSMethodSignature|PropertyDefinition|MethodDefinition)$/.test(node.type) && !node.computed)
      if (typeof node.key?.name === 'string') members.add(node.key.name)
    if (Array.isArray(node.params)) node.params.forEach(addPattern)
    for (const value of Object.values(node)) if (typeof value === 'object') visit(value)
  }
  visit(program.body)
  const ownNames = (names) => [...names].filter((name) => !/[a-z]_[a-z]/.test(name))
  return { locals: ownNames(locals), members: ownNames(members).filter((name) => !wireNames.has(name)) }
}

/** Splits a name: `NewPackage` and `NEW_PACKAGE` become new, package. */
function splitWords(name) {
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
        exempt.push(
          ` ${splitWords(name.trim().replaceAll('`', '')).join(' ')} `,
          ` ${splitWords(name.trim().replaceAll('`', '')).join(' ')}s `,
        )
  }
}

function listFiles(name) {
  const at = join(root, name)
  if (!existsSync(at)) return []
  return readdirSync(at, { recursive: true })
    .map((path) => posix.join(name, path.split(sep).join('/')))
    .filter((path) => /\.(tsx?|mjs|css)$/.test(path) && !path.startsWith('server/migrations/') && path !== 'scripts/vocabulary.test.ts')
}
