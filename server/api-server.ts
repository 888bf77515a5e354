/** The API on HTTP: its limits and headers, what a body may be, the addresses that are no endpoints, and every endpoint of the contract. */
import { promisify } from 'node:util'
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync, zstdCompress, zstdCompressSync } from 'node:zlib'
import rateLimit from '@fastify/rate-limit'
import underPressure from '@fastify/under-pressure'
import { FastifyHandler } from '@orpc/server/fastify'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { UNKEPT_TEXT } from '#contract/endpoint.ts'
import { answerInEnglish } from '#contract/english/answers.ts'
import { Refusal, refuse } from '#contract/errors.ts'
import { LANGUAGE_HEADER, offersEnglish } from '#contract/language.ts'
import type { Call } from '#server/modules/api.ts'
import { registerCalendars } from '#server/modules/bookings/calendar.ts'
import { registerPasses } from '#server/modules/bookings/wallet-passes.ts'
import { registerOneClick } from '#server/modules/broadcasts/one-click.ts'
import { registerUploads } from '#server/modules/content/file-routes.ts'
import type { Studio } from '#server/modules/ctx.ts'
import { registerInvoiceArchives } from '#server/modules/fiscal/routes.ts'
import { registerExportDownloads, registerImportUploads } from '#server/modules/imports/routes.ts'
import { registerWhatsAppWebhook } from '#server/modules/messages/webhooks.ts'
import { openApiReference } from '#server/openapi.ts'
import { type ApiHandler, allowedMethods } from '#server/platform/api-handler.ts'
import { parseJson } from '#server/platform/json.ts'
import { type AnswerEncoding, chooseAnswerEncoding } from '#server/platform/page-cache.ts'
import { addressGroup } from '#server/platform/throttle.ts'
import type { Callers } from './authentication.ts'
import { registerLive } from './modules/bookings/timetable/live.ts'
import { registerAdminLive } from './modules/live/stream.ts'
import { registerWebhooks } from './modules/sales/settlement/webhooks.ts'
import { deviceCookie } from './modules/team/shared-device.ts'
import { API_HEADERS, type ResponseCache } from './platform/response-cache.ts'

/** Brotli's usual window is megabytes of fresh memory for every answer: 3 ms for a week of classes, where 64 kB take 0.2. */
const BROTLI = { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: 16 }

const ZSTD = { [constants.ZSTD_c_compressionLevel]: 1 }
/** Shorter answers are not worth it. */
const COMPRESSED_FROM = 2_048

/** The plugin that watches the load makes its error itself. */
class Overloaded extends Refusal {
  constructor() {
    super('BUSY')
  }
}

interface ApiParts {
  studio: Studio
  endpoints: ApiHandler<Call>
  answers: ResponseCache
  callers: Callers
  /** per address; 0 = no limit */
  requestsPerMinute: number
}

/** Everything under `/api`, in a scope of its own: nothing of it touches documents and files. */
export async function registerApi(
  app: FastifyInstance,
  { studio, endpoints, answers, callers, requestsPerMinute }: ApiParts,
): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(underPressure, { maxEventLoopDelay: 2_000, customError: Overloaded })
    if (requestsPerMinute)
      await scope.register(rateLimit, {
        max: requestsPerMinute,
        timeWindow: 60_000,
        keyGenerator: (req) => addressGroup(req.ip),
        errorResponseBuilder: () => refuse('TOO_MANY_REQUESTS'),
      })
    const written = sendWrittenAnswers(scope)
    answerInLanguage(scope, studio)
    compressAnswers(scope)
    scope.addHook('onRequest', async (_req, reply) => {
      for (const [name, value] of API_HEADERS) reply.raw.setHeader(name, value)
      reply.raw.setHeader('cache-control', 'no-store')
    })
    readJsonBodies(scope)
    const allowed = allowedMethods(scope, endpoints)
    await registerUploads(scope, (req) => callers.open('identity', req))
    await registerImportUploads(scope, (req) => callers.open('staff:data.import', req))
    registerExportDownloads(scope, (req) => callers.open('staff:data.export', req))
    registerInvoiceArchives(scope, (req) => callers.open('staff:sales.invoice', req))
    await registerWebhooks(scope, studio)
    await registerWhatsAppWebhook(scope, studio)
    await registerOneClick(scope, studio)
    registerLive(scope, studio)
    registerAdminLive(scope, studio)
    registerCalendars(scope, studio)
    registerPasses(scope, studio)
    await openApiReference(scope, studio.publicUrl)

    const handler = new FastifyHandler(endpoints)
    scope.all('/api/*', async (req, reply) => {
      if (await answers.serve(req.raw, reply)) return reply
      const uncheckedQuery = req.method === 'GET' || req.method === 'HEAD' ? [] : Object.keys(req.query as object)
      const context: Call = {
        open: (access) => callers.open(access, req),
        uncheckedQuery,
        giveDeviceKey: (key) => void reply.raw.setHeader('set-cookie', deviceCookie(key, studio.publicUrl.startsWith('https:'))),
        answerWith: (text) => void written.set(req, text),
      }
      const { matched } = await handler.handle(req, reply, { prefix: '/api', context })
      if (matched) return reply
      const methods = await allowed(req.url.split('?')[0] ?? '')
      if (!methods) throw refuse('NOT_FOUND')
      reply.header('allow', methods)
      throw refuse('METHOD_NOT_ALLOWED')
    })
  })
}

/** Sends the texts that endpoints made themselves, by request, in place of the answers that they returned. */
function sendWrittenAnswers(scope: FastifyInstance): WeakMap<FastifyRequest, string> {
  const written = new WeakMap<FastifyRequest, string>()
  scope.addHook('onSend', async (req, reply, payload) => (reply.statusCode === 200 ? (written.get(req) ?? payload) : payload))
  return written
}

/** Says the server's words in English to pages in English, where the studio offers them. */
function answerInLanguage(scope: FastifyInstance, { settings }: Pick<Studio, 'settings'>): void {
  scope.addHook('onSend', async (req, reply, payload) => {
    if (req.headers[LANGUAGE_HEADER] !== 'en' || typeof payload !== 'string' || !offersEnglish(settings())) return payload
    if (!String(reply.getHeader('content-type')).startsWith('application/json')) return payload
    reply.removeHeader('content-length')
    return JSON.stringify(answerInEnglish(JSON.parse(payload)))
  })
}

/** Longer texts are compressed on another thread, which costs more but holds up no other answer. */
const COMPRESSED_AT_ONCE = 262_144

type Encoder = (text: string) => Buffer | Promise<Buffer>

const AT_ONCE: Record<AnswerEncoding, Encoder> = {
  zstd: (text) => zstdCompressSync(text, { params: ZSTD }),
  br: (text) => brotliCompressSync(text, { params: BROTLI }),
  gzip: (text) => gzipSync(text),
}
const [zstd, brotli, gzipped] = [promisify(zstdCompress), promisify(brotliCompress), promisify(gzip)]
const ELSEWHERE: Record<AnswerEncoding, Encoder> = {
  zstd: (text) => zstd(text, { params: ZSTD }),
  br: (text) => brotli(text, { params: BROTLI }),
  gzip: (text) => gzipped(text),
}

/**
 * Answers are whole before they leave, so they are compressed in one go: the detour of a stream was a sixth of what a week of classes
 * costs. Zstandard takes a third of the time of Brotli for 3 % more bytes.
 */
function compressAnswers(scope: FastifyInstance): void {
  scope.addHook('onSend', async (req, reply, payload) => {
    if (typeof payload !== 'string' || payload.length < COMPRESSED_FROM) return payload
    reply.header('vary', 'accept-encoding')
    const encoding = chooseAnswerEncoding(req.headers['accept-encoding'] as string | undefined)
    if (encoding === 'identity') return payload
    reply.header('content-encoding', encoding).removeHeader('content-length')
    return (payload.length > COMPRESSED_AT_ONCE ? ELSEWHERE : AT_ONCE)[encoding](payload)
  })
}

/** Bodies are JSON objects; routes with other bodies (uploads, webhooks) register their own parser. */
function readJsonBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  // Without a body the Content-Type is ignored, which some client libraries send nevertheless.
  scope.addHook('onRequest', async ({ headers }) => {
    const empty = Number(headers['content-length'] ?? 0) === 0 && headers['transfer-encoding'] === undefined
    if (empty && !headers['content-type']?.startsWith('multipart/')) delete headers['content-type']
  })
  scope.addContentTypeParser('application/json', { parseAs: 'string' }, (_req, text, done) => {
    try {
      const { value: body, unkept } = text === '' ? { value: undefined, unkept: null } : parseJson(text as string)
      // Every body of ours is an object; anything else would be taken for an empty one where all fields are optional.
      if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) done(refuse('MALFORMED_BODY'))
      else if (unkept !== null) done(refuse('INVALID_INPUT', { issues: [{ path: unkept, message: UNKEPT_TEXT }] }))
      else done(null, body)
    } catch {
      done(refuse('MALFORMED_BODY'))
    }
  })
}
