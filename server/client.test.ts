/** The client for programs: the example of docs/examples runs unchanged, and it reads the messages of webhooks (I1, I7). */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openEstudio, readWebhook } from '#client/estudio.ts'
import { signatureOf } from './adapters/webhooks/http.ts'
import { codeOf, studio, type TestStudio } from './testing/studio.ts'

let on: TestStudio
let key: string
beforeAll(async () => {
  on = await studio()
  const owner = await on.make.staff('owner')
  key = (await on.as(owner).apiKeys.create({ name: 'Ejemplo', rights: ['customers.read', 'catalogue.edit'] })).secret
})
afterAll(() => on.close())

test('the example of the documentation writes every customer as CSV', async () => {
  for (let n = 0; n < 51; n++) await on.make.customer({ name: `Persona ${n}`, last_name: 'de "Prueba"' })
  const run = promisify(execFile)
  const args = ['--import', './scripts/fast-resolve.mjs', 'docs/examples/customers-to-csv.ts']
  const { stdout } = await run(process.execPath, args, { env: { ...process.env, ESTUDIO_URL: on.url, ESTUDIO_KEY: key } })
  const lines = stdout.trim().split('\n')
  expect(lines[0]).toBe('id,name,email,phone')
  expect(lines).toHaveLength(52)
  expect(stdout).toContain('"Persona 50 de ""Prueba"""')
  await expect(run(process.execPath, args, { env: { ...process.env, ESTUDIO_URL: on.url, ESTUDIO_KEY: 'est_otra' } })).rejects.toThrow(
    'UNAUTHENTICATED',
  )
})

test('a call is repeated with its idempotency key without a second effect', async () => {
  const estudio = openEstudio({ url: `${on.url}/`, key })
  const make = () => estudio.products.create({ name: 'Agua', price: '20.00' }, { context: { idempotencyKey: 'agua-1' } })
  const [first, second] = [await make(), await make()]
  expect(second.product.product_id).toBe(first.product.product_id)
  expect(await codeOf(estudio.auditLog.list({}))).toBe('FORBIDDEN')
})

test('a message is read with its secret only, and not when it is old or was changed', () => {
  const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`
  const body = '{"type":"customer.created","timestamp":"2026-11-19T16:00:00.000Z","data":{"customer_id":1}}'
  const now = new Date('2026-11-19T16:00:00Z')
  const timestamp = now.getTime() / 1000
  const headers = (more: object = {}) =>
    new Headers({
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,AAAA ${signatureOf(secret, { id: 'msg_1', timestamp, body })}`,
      ...more,
    })
  expect(readWebhook(secret, { headers: headers(), body, now })).toMatchObject({
    id: 'msg_1',
    type: 'customer.created',
    data: { customer_id: 1 },
  })
  expect(() => readWebhook(secret, { headers: headers(), body: `${body} `, now })).toThrow('signature')
  expect(() => readWebhook(secret, { headers: headers({ 'webhook-id': 'msg_2' }), body, now })).toThrow('signature')
  expect(() => readWebhook(`whsec_${Buffer.alloc(32, 6).toString('base64')}`, { headers: headers(), body, now })).toThrow('signature')
  expect(() => readWebhook(secret, { headers: headers(), body, now: new Date(now.getTime() + 301_000) })).toThrow('old')
  expect(() => readWebhook(secret, { headers: headers({ 'webhook-timestamp': 'x' }), body, now })).toThrow('old')
})
