// Source texts are loaded with the characters beyond Latin 1 as escapes: they mean the same, and take one byte for each character.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

/** What a module exports as `seen`, loaded by a process of its own with or without the hooks. */
function exportsOf(source: string, hooks: boolean): unknown {
  const folder = mkdtempSync(join(tmpdir(), 'estudio-source-'))
  try {
    const file = join(folder, 'module.mjs')
    writeFileSync(file, source)
    const flags = hooks ? ['--import', './scripts/fast-resolve.mjs'] : []
    const script = `const { seen } = await import('${pathToFileURL(file).href}'); process.stdout.write(JSON.stringify(seen))`
    const printed = execFileSync(process.execPath, [...flags, '--input-type=module', '-e', script], { cwd: ROOT, encoding: 'utf8' })
    return JSON.parse(printed)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const CHARACTERS = `
// A comment… with “quotes” and 🧘.
const cooked = (strings, ...values) => strings.join('|') + values.join()
const ñandú = 'letters “of” Latin 1 stay: ñ'
const Ωmega = 'a name… of a variable'
export const seen = [
  'a text… with 🧘 and —', \`a template… \${1 + 1} “🧘”\`, cooked\`tagged… \${2} 🧘\`, ñandú, Ωmega,
  [...'x“y🧘z'.matchAll(/[“—…]|🧘/gu)].map((found) => found[0]), /^[^…]+…$/.test('uno…'), 'x–y'.replace(/–/, '-'),
  { '…': 1 }, '🧘'.length, '\\u2028'.length,
]
`

test('a module means the same with its characters escaped', () => {
  expect(exportsOf(CHARACTERS, true)).toEqual(exportsOf(CHARACTERS, false))
  const text = 'export const seen = [(() => "…🧘ñ").toString()]'
  expect(exportsOf(text, false)).toEqual(['() => "…🧘ñ"'])
  expect(exportsOf(text, true)).toEqual(['() => "\\u2026\\ud83e\\uddd8ñ"'])
})

test('a module in which an escape would mean something else is loaded as it is', () => {
  for (const text of [
    'export const seen = [String.raw`a…\\n`, "b…"]',
    'export const seen = ["a\\…", "b…"]',
    '\ufeffexport const seen = ["with a mark at the beginning…"]',
  ])
    expect(exportsOf(text, true), text).toEqual(exportsOf(text, false))
})
