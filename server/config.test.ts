/** The configuration from the environment, read before anything is opened. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readConfig, VARIABLES } from './config.ts'

const read = (env: Record<string, string>) => readConfig({ NODE_ENV: 'test', ...env }, process.cwd())

test('PUBLIC_URL must not have a path', () => {
  for (const name of ['PUBLIC_URL', 'SANDBOX_URL'] as const) {
    for (const good of ['https://estudio.mx', 'https://Estudio.mx:8443', 'http://[::1]:3000', 'http://localhost:3000'])
      expect(read({ [name]: `${good}/` })[name]).toBe(good)
    for (const bad of [
      'https://estudio.mx/reservas',
      'https://estudio.mx/?a=1',
      'https://estudio.mx#a',
      'https://ana:clave@estudio.mx',
      'x',
    ])
      expect(() => read({ [name]: bad }), bad).toThrow(`  ${name}: `)
  }
})

test('the maker of the platform has a link where VENDOR_URL gives one; only a demo links to an example', () => {
  const production = { NODE_ENV: 'production', DEMO: 'off' }
  expect(read(production).vendor).toEqual({ name: 'Estudio', url: null })
  expect(read({ ...production, VENDOR_NAME: 'Marea Software', VENDOR_URL: 'https://marea.mx/estudios' }).vendor).toEqual({
    name: 'Marea Software',
    url: 'https://marea.mx/estudios',
  })
  expect(read({ ...production, DEMO: 'fragua' }).vendor.url).toBe('https://estudio.example/')
  for (const bad of ['http://marea.mx', 'javascript:alert(1)', 'marea.mx'])
    expect(() => read({ ...production, VENDOR_URL: bad }), bad).toThrow('  VENDOR_URL: ')
})

test('docs/operations.md lists exactly the variables that are read', () => {
  const text = readFileSync('docs/operations.md', 'utf8')
  const rows = text.slice(text.indexOf('## Environment'), text.indexOf('## The first owner')).matchAll(/^\| (`[^|]*`) \|/gm)
  const listed = [...rows].flatMap(([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name))
  expect(listed.sort()).toEqual([...VARIABLES].sort())
})

test('without PAYMENTS the sandbox charges where it may; a studio in production that is no demo has no processor', () => {
  const production = { NODE_ENV: 'production', DEMO: 'off' }
  expect(read({})).toMatchObject({ PAYMENTS: 'sandbox', paymentsFixed: false })
  expect(read(production)).toMatchObject({ PAYMENTS: 'ninguno', paymentsFixed: false })
  expect(read({ ...production, DEMO: 'vaiven' }).PAYMENTS).toBe('sandbox')
  expect(read({ ...production, ALLOW_SANDBOX: '1' }).PAYMENTS).toBe('sandbox')
  expect(read({ ...production, PAYMENTS: 'sandbox' })).toMatchObject({ PAYMENTS: 'sandbox', paymentsFixed: true })
})
