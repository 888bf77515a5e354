/**
 * Makes a refusal reach a client that is still sending its body. Closing the connection with unread bytes would reset it, and the client
 * would see a network error instead of the response (RFC 9112, 9.6). So the response is sent, our side is closed, and the remaining body is
 * read and discarded, within limits.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Limits of the discarded body: more bytes than the largest upload by staff (60 MB), and as long as nginx's `lingering_time`. */
const LINGER = { bytes: 66 * 1_048_576, ms: 30_000 }
const CHECK_MS = 50

/** Register it before any route: it applies to every response that is sent before its request has arrived completely. */
export function lingerBeforeClose(app: FastifyInstance, limits: { bytes: number; ms: number } = LINGER): void {
  app.addHook('onSend', async (req, reply) => {
    const { headers } = req.raw
    if (req.raw.complete || (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)) return
    reply.header('connection', 'close')
    linger(req.raw, limits)
  })
}

/** Replaces how Node closes the connection of a request once its answer is written. */
function linger(req: IncomingMessage, { bytes, ms }: { bytes: number; ms: number }): void {
  const { socket } = req
  const destroy = () => socket.destroy()
  socket.destroySoon = () => {
    const until = socket.bytesRead + bytes
    // The consumer of the body has stopped: disconnect it and discard what still arrives.
    req.unpipe()
    req.resume()
    socket.end()
    const timeout = setTimeout(destroy, ms)
    const check = setInterval(() => {
      if (req.complete || socket.bytesRead > until) destroy()
    }, CHECK_MS)
    socket.once('close', () => {
      clearTimeout(timeout)
      clearInterval(check)
    })
  }
}
