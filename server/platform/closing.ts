/** Graceful shutdown: requests in progress are finished, so that a deployment does not cut off a payment. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { errors, refuse } from '#contract/errors.ts'

/**
 * Before the server closes, waits at most `timeoutMs` for requests in progress; requests that arrive meanwhile are refused with BUSY.
 * Register it before any route. `endless`: paths whose responses are streams and never end. Identity endpoints (outside /api) are refused
 * in plain text: given the JSON of a refusal, the Firebase SDK would end the session.
 */
export function drainBeforeClose(app: FastifyInstance, { timeoutMs, endless }: { timeoutMs: number; endless: readonly string[] }): void {
  const underway = new Set<unknown>()
  let closing = false
  let idle = () => {}
  app.addHook('onRequest', async (req, reply) => {
    const path = req.url.split('?')[0] ?? ''
    if (closing) {
      reply.header('connection', 'close')
      if (path.startsWith('/api/')) throw refuse('BUSY')
      return reply.code(errors.BUSY.status).type('text/plain; charset=utf-8').send(errors.BUSY.message)
    }
    if (endless.includes(path)) return
    underway.add(req)
    const over = () => {
      underway.delete(req)
      if (underway.size === 0) idle()
    }
    reply.raw.once('finish', over).once('close', over)
  })
  app.addHook('preClose', async () => {
    closing = true
    if (underway.size === 0) return
    const waiting = new AbortController()
    const allDone = new Promise<void>((done) => {
      idle = done
    })
    await Promise.race([allDone, sleep(timeoutMs, undefined, { signal: waiting.signal }).catch(() => {})])
    waiting.abort()
  })
}
