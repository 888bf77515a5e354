import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'
import { patchedFiles, unusedParts } from './unused-parts.ts'

const modules = fileURLToPath(new URL('../node_modules', import.meta.url))
const context = { parse: (code: string) => parseSync('file.js', code).program }

function patch(code: string, id: string): string {
  const { transform } = unusedParts()
  if (typeof transform !== 'function') throw new Error('The plugin transforms nothing')
  const { code: patched } = transform.call(context as never, code, id, {} as never) as { code: string }
  return patched
}

test.each(patchedFiles)('%s is the version that was read, and stays a module without the parts', (file) => {
  const code = readFileSync(join(modules, file), 'utf8')
  const patched = patch(code, join(modules, file))
  expect(patched.length).toBeLessThan(code.length)
  expect(parseSync('file.js', patched).errors).toEqual([])
})

test('a file that is not the version that was read stops the build, even if its functions have their names', () => {
  const file = 'react/cjs/react.production.js'
  const code = `${readFileSync(join(modules, file), 'utf8')}\nexports.more = 1\n`
  const folder = mkdtempSync(join(tmpdir(), 'estudio-parts-'))
  try {
    const id = join(folder, 'node_modules', file)
    mkdirSync(dirname(id), { recursive: true })
    writeFileSync(id, code)
    expect(() => patch(code, id)).toThrow(
      /react\.production\.js is another version: read what changed, then write the new hash [0-9a-f]{12}/,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
