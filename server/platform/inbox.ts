/** Where providers post their notices: signed over the bytes as they came, as many as there are. */
import type { FastifyInstance, FastifyRequest } from 'fastify'

const BODY_LIMIT = 256 * 1024

/** For each route of an inbox: providers send in bursts, from few addresses. */
export const INBOX = { config: { rateLimit: false }, bodyLimit: BODY_LIMIT } as const

/** The routes of this scope get bodies of any type unread. */
export function takeBytes(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_req, body, done) => done(null, body))
}

/** The body of a request to an inbox; nothing when it had none. */
export const bytesOf = (req: FastifyRequest): Buffer => (Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0))
