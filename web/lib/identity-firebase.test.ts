/** Constants that belong to the identity SDK are met by using it as it was published (decision 46). */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const require = createRequire(import.meta.resolve('firebase/auth'))
const home = dirname(require.resolve('@firebase/auth/package.json'))
const esm = join(home, 'dist/esm')
const source = readdirSync(esm)
  .filter((name) => /^index-.*\.js$/.test(name))
  .map((name) => readFileSync(join(esm, name), 'utf8'))
  .join('\n')

test('S1-9.05 to S1-9.08: the SDK in use says 5 minutes, 500 x 600, 8 seconds and 1000 ms', () => {
  expect(source).toMatch(/const DEFAULT_ID_TOKEN_MAX_AGE = 5 \* 60;/)
  expect(source).toMatch(/const DEFAULT_WIDTH = 500;\s*const DEFAULT_HEIGHT = 600;/)
  expect(source).toMatch(/\}, 8000 \/\* _Timeout\.AUTH_EVENT \*\/\);/)
  expect(source).toMatch(/class BrowserLocalPersistence[\s\S]+?setInterval\([\s\S]+?, _POLLING_INTERVAL_MS\$1\);/)
  expect(source).toMatch(/const _POLLING_INTERVAL_MS\$1 = 1000;/)
})

test('decision 8: it is the published package, at one exact version, with nothing put in its place', () => {
  const root = join(import.meta.dirname, '../..')
  const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8'))
  const { dependencies, overrides = {} } = read('package.json') as Record<string, Record<string, string>>
  expect(dependencies?.firebase).toMatch(/^\d+\.\d+\.\d+$/)
  expect(Object.keys(overrides).filter((name) => /firebase/.test(name))).toEqual([])
  const locked = Object.entries(
    (read('package-lock.json') as { packages: Record<string, { version: string; integrity?: string }> }).packages,
  )
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string }
  const auth = locked.filter(([path]) => path.endsWith('/@firebase/auth'))
  expect(auth.length).toBeGreaterThan(0)
  for (const [path, entry] of auth)
    expect([path, entry.version, Boolean(entry.integrity?.startsWith('sha512-'))]).toEqual([path, version, true])
  expect(readFileSync(join(root, 'vite.config.ts'), 'utf8')).not.toMatch(/firebase/)
})
