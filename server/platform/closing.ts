/** How a server goes: whoever already waits for an answer gets it. A new version that starts in the middle of a payment must not cut it off. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { errors, refuse } from '#contract/errors.ts'

/**
 * Before a server closes, what it is working on may end, for at most `patienceMs`; what comes meanwhile is told to come back. Register it
 * before any route. `endless`: paths whose answers never end by themselves. Identity answers are no JSON: the SDK would end the session.
 */
export function drainBeforeClose(app: FastifyInstance, { patienceMs, endless }: { patienceMs: number; endless: readonly string[] }): void {
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
    await Promise.race([allDone, sleep(patienceMs, undefined, { signal: waiting.signal }).catch(() => {})])
    waiting.abort()
  })
}
