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
`

/** The output of the check over a tree with one file. */
function check(file: string, text: string): string {
  const root = mkdtempSync(join(tmpdir(), 'estudio-vocabulary-'))
  trees.push(root)
  for (const [path, content] of [
    ['docs/glossary.md', GLOSSARY],
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
])('%s with "%s" is refused', (file, text, reason) => {
  expect(check(file, text)).toContain(reason)
})

test.each([
  ['server/credit-lots.ts', 'export const lockCreditLots = 1'],
  ['server/a.ts', `const told = 1\nexport const message = told\nlog.info({ told }, 'message.sent')`],
])('%s with "%s" passes: only exported names, file names and log events are checked', (file, text) => {
  expect(check(file, text)).toContain('keep to 3 words')
})
