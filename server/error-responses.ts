/** Responses to requests that fail outside of oRPC: limits, formats, routes outside of the contract, and unexpected errors. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionError, FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorCode, type Refusal, refuse } from '#contract/errors.ts'
import { refusalIn } from './modules/failures.ts'
import { needsOperator } from './platform/db.ts'
import type { Log } from './platform/log.ts'

const FASTIFY_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'BODY_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_BODY',
  FST_ERR_CTP_INVALID_JSON_BODY: 'MALFORMED_BODY',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'MALFORMED_BODY',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'MALFORMED_BODY',
  FST_ERR_BAD_URL: 'NOT_FOUND',
  FST_ERR_NOT_FOUND: 'NOT_FOUND',
}

const NODE_CODES: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
}

/** A refusal in oRPC's format, so that clients parse one format. The HTTP status may be more specific than the refusal's own. */
function envelope({ code, message, data }: Refusal, status: number) {
  return { defined: true, code, status, message, data }
}

/** Responds to an error thrown by a route, or by Fastify before any route. */
export function answerError(log: Log, error: FastifyError, req: FastifyRequest, reply: FastifyReply) {
  const leave = (refusal: Refusal, status = refusal.status) =>
    reply.code(status).header('cache-control', 'no-store').send(envelope(refusal, status))
  if (needsOperator(error)) log.error({ error, requestId: req.id }, 'database.failed')
  const refusal = refusalIn(error)
  if (refusal) return leave(refusal)
  // The static file server returns 403 for a path that leaves its folder: treated as not found.
  const code = error.statusCode === 403 ? 'NOT_FOUND' : FASTIFY_CODES[error.code]
  if (code) return leave(refuse(code))
  if (error.statusCode && error.statusCode < 500) return leave(refuse('INVALID_INPUT'), error.statusCode)
  log.error({ error, requestId: req.id, path: req.url.split('?')[0] }, 'request.failed_outside_endpoint')
  return leave(refuse('INTERNAL', { request_id: req.id }))
}

/** Whether a request has more than one Host header, which a server has to refuse (RFC 9112 section 3.2); Node silently uses the first. */
export function hasSecondHost({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') hosts++
  return hosts > 1
}

/** Responds to a request that must not be routed. */
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

/** Bytes that are not an HTTP request cannot be routed, so the refusal is written to the socket. */
export function answerBrokenRequest(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const refusal = refuse(NODE_CODES[error.code] ?? 'MALFORMED_BODY')
  const { status } = refusal
  const body = JSON.stringify(envelope(refusal, status))
  if (socket.writable)
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\ncache-control: no-store\r\nx-content-type-options: nosniff\r\nconnection: close\r\n\r\n${body}`,
    )
  socket.destroy(error)
}
