import { setTimeout as sleep } from 'node:timers/promises'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { answerError } from './error-responses.ts'
import { drainBeforeClose } from './platform/closing.ts'
import { openLog } from './platform/log.ts'

async function server(timeoutMs: number) {
  const app = Fastify({ forceCloseConnections: true, return503OnClosing: false })
  app.setErrorHandler((error: Parameters<typeof answerError>[1], req, reply) => answerError(openLog('silent'), error, req, reply))
  drainBeforeClose(app, { timeoutMs, endless: ['/api/live'] })
  const begun: string[] = []
  app.get('/api/*', async (req) => {
    begun.push(req.url)
    await sleep(req.url.startsWith('/api/never') || req.url === '/api/live' ? 60_000 : 400, undefined, { ref: false })
    return { ok: true }
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const get = (path: string) =>
    fetch(`${url}${path}`).then(
      async (answer) => ({ status: answer.status, text: await answer.text() }),
      () => ({ status: 0, text: '' }),
    )
  const begins = async (path: string) => {
    const answer = get(path)
    while (!begun.includes(path)) await sleep(5)
    return answer
  }
  return { app, ask: get, begins: (path: string) => ({ answer: begins(path), ready: () => begun.includes(path) }) }
}
const until = async (ready: () => boolean) => {
  while (!ready()) await sleep(5)
}

test('on shutdown running requests are answered, and new ones get a response to retry', async () => {
  const { app, ask, begins } = await server(5_000)
  const [payment, stream] = [begins('/api/payment'), begins('/api/live')]
  await until(() => payment.ready() && stream.ready())
  const closed = app.close()
  await sleep(50)
  expect(await ask('/api/late')).toMatchObject({ status: 503, text: expect.stringContaining('"code":"BUSY"') })
  // The SDK takes any JSON of an error for a verdict about the session.
  const response = await ask('/identidad/v1/accounts:lookup')
  expect([response.status, response.text.startsWith('{')]).toEqual([503, false])
  expect(await payment.answer).toEqual({ status: 200, text: '{"ok":true}' })
  await closed
  expect((await stream.answer).status).toBe(0)
})

test('connections that do not end are closed after the grace period', async () => {
  const { app, begins } = await server(100)
  const never = begins('/api/never')
  await until(never.ready)
  await app.close()
  expect((await never.answer).status).toBe(0)
})
