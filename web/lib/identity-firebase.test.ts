/** Constants of the specification that the identity SDK implements: checked in the published SDK, which is used unmodified (settled 46). */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'))
const { packages } = read('package-lock.json') as { packages: Record<string, { version: string; integrity?: string }> }
/** The installed copies; more than one when two packages depend on different versions. */
const copies = Object.keys(packages).filter((path) => path.endsWith('/@firebase/auth'))

test('the SDK has one exact version and nothing in its place (settled 8)', () => {
  const { dependencies, overrides = {} } = read('package.json') as Record<string, Record<string, string>>
  expect(dependencies?.firebase).toMatch(/^\d+\.\d+\.\d+$/)
  expect(Object.keys(overrides).filter((name) => /firebase/.test(name))).toEqual([])
  expect(readFileSync(join(root, 'vite.config.ts'), 'utf8')).not.toMatch(/firebase/)
  expect(copies.length).toBeGreaterThan(0)
})

describe.each(copies)('%s', (path) => {
  test('the identity SDK has the version of the lockfile', () => {
    expect(read(`${path}/package.json`).version).toBe(packages[path]?.version)
    expect(packages[path]?.integrity).toMatch(/^sha512-/)
  })

  test('the identity SDK has 5 minutes, 500 x 600, 8 seconds and 1000 ms (S1-9.05, S1-9.06, S1-9.07, S1-9.08)', () => {
    const folder = join(root, path, 'dist/esm')
    const files = readdirSync(folder).filter((name) => /^index-.*\.js$/.test(name))
    const source = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n')
    expect(source).toMatch(/const DEFAULT_ID_TOKEN_MAX_AGE = 5 \* 60;/)
    expect(source).toMatch(/const DEFAULT_WIDTH = 500;\s*const DEFAULT_HEIGHT = 600;/)
    expect(source).toMatch(/\}, 8000 \/\* _Timeout\.AUTH_EVENT \*\/\);/)
    expect(source).toMatch(/class BrowserLocalPersistence[\s\S]+?setInterval\([\s\S]+?, _POLLING_INTERVAL_MS\$1\);/)
    expect(source).toMatch(/const _POLLING_INTERVAL_MS\$1 = 1000;/)
  })
})
