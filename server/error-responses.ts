/** What leaves when a request fails outside oRPC: sizes, formats, limits, routes beside the contract, and bugs of the plumbing. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionError, FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorCode, type Refusal, refuse } from '#contract/errors.ts'
import { refusalIn } from './modules/failures.ts'
import type { Log } from './platform/log.ts'

const FASTIFY_SAYS: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_BODY',
  FST_ERR_CTP_INVALID_JSON_BODY: 'MALFORMED_BODY',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'MALFORMED_BODY',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'MALFORMED_BODY',
  FST_ERR_BAD_URL: 'NOT_FOUND',
  FST_ERR_NOT_FOUND: 'NOT_FOUND',
}

/**
 * A refusal as oRPC writes it, so that every client reads one shape. HTTP may have a closer
 * status than the refusal's own.
 */
function envelope({ code, message, data }: Refusal, status: number) {
  return { defined: true, code, status, message, data }
}

/** Answers an error that a route threw, or that Fastify met before any route. */
export function answerError(log: Log, error: FastifyError, req: FastifyRequest, reply: FastifyReply) {
  const leave = (refusal: Refusal, status = refusal.status) => reply.code(status).send(envelope(refusal, status))
  const refusal = refusalIn(error)
  if (refusal) return leave(refusal)
  // 403 is what the server of files says of a path that leads out of its folder: there is nothing there.
  const code = error.statusCode === 403 ? 'NOT_FOUND' : FASTIFY_SAYS[error.code]
  if (code) return leave(refuse(code))
  if (error.statusCode && error.statusCode < 500) return leave(refuse('INVALID_INPUT'), error.statusCode)
  log.error({ error, requestId: req.id, path: req.url.split('?')[0] }, 'request.failed_outside_endpoint')
  return leave(refuse('INTERNAL', { request_id: req.id }))
}

/** Whether a request names its host more than once, which no recipient may accept (RFC 9112 section 3.2). Node keeps the first one silently. */
export function hasSecondHost({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts++
  return hosts > 1
}

/** Answers a request that must not be routed. */
export function answerMalformed(res: ServerResponse): void {
  const body = JSON.stringify(envelope(refuse('MALFORMED_BODY'), 400))
  res.writeHead(400, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    connection: 'close',
  })
  res.end(body)
}

/** Bytes that are no request: there is nobody to route, so the refusal goes to the socket itself. */
export function answerBrokenRequest(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400
  const body = JSON.stringify(envelope(refuse('MALFORMED_BODY'), status))
  if (socket.writable)
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    )
  socket.destroy(error)
}
