/** Webhook routes: with the raw bytes of the body, which providers sign. */
import type { FastifyInstance, FastifyRequest } from 'fastify'

const BODY_LIMIT = 256 * 1024

/** Options of each webhook route: exempt from the per-address rate limit, since providers send bursts from few addresses. */
export const INBOX = { config: { rateLimit: false }, bodyLimit: BODY_LIMIT } as const

/** Makes the routes of this scope receive bodies of any type as an unparsed buffer. */
export function takeBytes(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_req, body, done) => done(null, body))
}

/** The body of a webhook request; an empty buffer when it had none. */
export const rawBody = (req: FastifyRequest): Buffer => (Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0))
