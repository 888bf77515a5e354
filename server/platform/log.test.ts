import { DrizzleQueryError } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { openLog } from './log.ts'

function logged(details: object, level: Parameters<typeof openLog>[0] = 'debug'): string {
  let text = ''
  openLog(level, (line) => {
    text += line
  }).warn(details, 'algo pasó')
  return text
}

test('a line is JSON with time, level and event', () => {
  expect(JSON.parse(logged({ purchase_id: 7 }))).toMatchObject({ level: 'warn', text: 'algo pasó', purchase_id: 7 })
  expect(logged({}, 'error')).toBe('')
})

test('redacts secrets at any depth', () => {
  const secrets = {
    headers: { Authorization: 'Bearer abc.def.ghi' },
    body: [{ password: 'olas-y-montes-7', oobCode: 'x1', card: { number: '4242' } }],
  }
  expect(logged(secrets)).not.toMatch(/abc\.def|olas|x1|4242/)
  expect(logged({ phone: '5512345678', refresh_token: 'r-1' })).not.toMatch(/5512345678|r-1/)
})

test('truncates tokens and emails inside texts', () => {
  const why = new Error('550 <ana.trevino+1@correo.ejemplo.mx>: no such user, eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln')
  const text = logged({ error: why })
  expect(text).toContain('a***@correo.ejemplo.mx')
  expect(text).not.toMatch(/trevino|eyJ/)
})

test('a long text without an email or a token is written as it is, and soon', () => {
  // Read again from each letter, these would take minutes.
  for (const text of ['a'.repeat(300_000), 'eyJ-'.repeat(25_000), `a@${'a-'.repeat(150_000)}`])
    expect(JSON.parse(logged({ path: text }))).toMatchObject({ path: text })
  expect(logged({ path: `${'a'.repeat(99)} y-ana@correo.mx` })).toContain(' y***@correo.mx')
})

test('logs a failed statement without its parameters', () => {
  const failed = new DrizzleQueryError(
    'insert into "customer" ("phone") values ($1)',
    ['5512345678', 'una nota\nen dos líneas'],
    new Error('connection lost'),
  )
  const text = logged({ error: new Error('outer', { cause: failed }) })
  expect(text).toContain('insert into')
  expect(text).toContain('connection lost')
  expect(text).toContain('log.test.ts')
  expect(text).not.toMatch(/5512345678|una nota/)
})
