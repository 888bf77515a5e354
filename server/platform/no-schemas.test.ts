/** Fastify's schemas are not used: a route that has one fails when the server starts, instead of being served unchecked. */
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { NO_SCHEMAS } from './no-schemas.ts'

test('a route with a schema fails at the start', async () => {
  for (const schema of [{ body: { type: 'object' } }, { response: { 200: { type: 'object' } } }]) {
    const app = Fastify({ schemaController: NO_SCHEMAS })
    app.post('/', { schema }, async () => ({}))
    await expect(Promise.resolve(app.ready()), JSON.stringify(schema)).rejects.toThrow('A route has a schema of Fastify')
    await app.close()
  }
})

test('a route without one answers what it returns', async () => {
  const app = Fastify({ schemaController: NO_SCHEMAS })
  app.post('/', async (req) => ({ body: req.body }))
  const { statusCode, body } = await app.inject({ method: 'POST', url: '/', payload: { a: 'ñ…' } })
  expect([statusCode, body]).toEqual([200, '{"body":{"a":"ñ…"}}'])
  await app.close()
})
