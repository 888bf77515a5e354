/** What the environment says, read before anything is opened. */
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const read = (env: Record<string, string>) => readConfig({ NODE_ENV: 'test', ...env }, process.cwd())

test('a studio is reached at the root of an address', () => {
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
