import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'

const script = fileURLToPath(new URL('./vocabulary.mjs', import.meta.url))
const trees: string[] = []
afterEach(() => {
  for (const tree of trees.splice(0)) rmSync(tree, { recursive: true, force: true })
})

const GLOSSARY = `
| word | instead | exempt |
|---|---|---|
| told | notify | |
| lot, lots | creditLot | \`creditLot\` |
| word, words | text | \`searchWords\` |
| one, taken | the noun that the value is | |
`

/** The output of the check over a tree with one file, beside a contract and tables that give `wasTold` and `lotNumber`. */
function check(file: string, text: string): string {
  const root = mkdtempSync(join(tmpdir(), 'estudio-vocabulary-'))
  trees.push(root)
  for (const [path, content] of [
    ['docs/glossary.md', GLOSSARY],
    ['contract/z.ts', 'export const wire = { wasTold: 1 }'],
    ['server/tables.ts', 'export const row = { lotNumber: 1 }'],
    [file, text],
  ] as const) {
    mkdirSync(join(root, dirname(path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  const { stdout, stderr } = spawnSync(process.execPath, [script, root], { encoding: 'utf8' })
  return stdout + stderr
}

test.each([
  ['server/a.ts', 'export function wasTold() {}', 'the exported name wasTold uses "told"; use notify'],
  ['server/a.ts', 'export const LOT_LIMIT = 1', 'the exported name LOT_LIMIT uses "lot"; use creditLot'],
  ['web/told-twice.ts', '', 'the file name told-twice uses "told"'],
  ['server/a.ts', `log.warn({ error: text(error) }, 'nobody was told')`, `write the log event 'nobody was told' as subject.verb`],
  ['server/a.ts', `ctx.log.error({ id }, 'customer.told')`, 'the log event customer.told uses "told"'],
  ['contract/a.ts', 'const wasTold = 1', 'the local name wasTold uses "told"; use notify'],
  ['web/a.tsx', 'const A = () => <p onClick={(told) => told} />', 'the local name told uses "told"'],
  ['scripts/a.mjs', 'const wasTold = 1', 'the local name wasTold uses "told"'],
  ['e2e/a.ts', 'list.map(({ id: lot }) => lot)', 'the local name lot uses "lot"; use creditLot'],
  ['bench/a.ts', 'const [first, ...told] = list', 'the local name told uses "told"'],
  ['server/a.ts', 'function work() { type Told = string }', 'the local name Told uses "told"'],
  ['server/a.ts', 'interface Facts { told: Date }', 'the property told uses "told"; use notify'],
  ['server/a.ts', 'class Bus { #told = 1; tell() {} toldTwice() {} }', 'the property toldTwice uses "told"'],
  ['web/a.tsx', 'const A = ({ lots }: { lots: number[] }) => lots', 'the property lots uses "lots"'],
  ['web/a.ts', 'rows.find((one) => one.id === id)', 'the local name one uses "one"; use the noun that the value is'],
  ['server/a.ts', 'const { spots: taken } = cls', 'the local name taken uses "taken"'],
  ['web/a.tsx', 'const inWords = 1', 'the local name inWords uses "words"; use text'],
  ['web/a.tsx', 'interface Row { words: string }', 'the property words uses "words"; use text'],
])('%s with "%s" is refused', (file, text, reason) => {
  expect(check(file, text)).toContain(reason)
})

test.each([
  ['server/credit-lots.ts', 'export const lockCreditLots = 1'],
  ['server/a.ts', `export const message = { told: 1 }\nlog.info({ told }, 'message.sent')`],
  ['server/a.ts', 'interface Row { wasTold: boolean; lotNumber: number; lot_id: number }'],
  ['server/modules/sales/a.ts', 'const { told, lot_id } = facts\nsend({ told: 1 })\nconst creditLot = lot_id'],
  ['server/a.ts', 'const { taken } = cls\nconst takenSpots = cls.taken\nexport const ONE_OFF = { one: 1 }'],
  ['server/a.ts', 'const words = searchWords(text)\nconst found = words.filter((word) => word)'],
])('%s with "%s" passes: names that another place gives are not checked', (file, text) => {
  expect(check(file, text)).toContain('keep to 7 words')
})
