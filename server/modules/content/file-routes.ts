/** HTTP of files: the oRPC endpoints, uploads streamed to disk outside of oRPC, and the URLs that serve files. */
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '#contract/errors.ts'
import { FILES_PATH } from '#contract/file-address.ts'
import { api } from '#server/modules/api.ts'
import { Ctx, type Studio, whyNotAllowed } from '#server/modules/ctx.ts'
import { isBrokenUpload } from '#server/platform/uploads.ts'
import { parseRange, tooLarge } from './file-rules.ts'
import {
  type FileLink,
  largestUpload,
  listedFiles,
  oneFile,
  openFile,
  readUploadData,
  renameFile,
  storeBlob,
  storeFile,
  withTemporaryFile,
} from './files.ts'

const on = api.files

/** `remove` checks everything that may reference a file, so it is registered in account/routes.ts. */
export const fileRoutes = {
  list: on.list.handler(({ context, input }) => listedFiles(context.ctx, input)),
  one: on.one.handler(({ context, input }) => oneFile(context.ctx, input)),
  upload: on.upload.handler(({ context, input }) => storeBlob(context.ctx, input)),
  uploadS3: on.uploadS3.handler(({ context, input }) => storeBlob(context.ctx, input)),
  update: on.update.handler(({ context, input }) => renameFile(context.ctx, input)),
}

/** Bytes of a multipart body besides the file itself. */
const ENVELOPE = 8 * 1024

/** `POST /api/files` and `/api/files/s3`: streams the body to disk, so that memory does not grow with it. */
export async function registerUploads(app: FastifyInstance, open: (req: FastifyRequest) => Promise<Ctx>): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(multipart)
    for (const path of ['/api/files', '/api/files/s3'])
      scope.post(path, async (req) => {
        try {
          const ctx = await open(req)
          const no = whyNotAllowed('identity', ctx.actor)
          if (no) throw no
          return await upload(ctx, req)
        } catch (error) {
          throw asRefusal(error)
        }
      })
  })
}

async function upload(ctx: Ctx, req: FastifyRequest) {
  if (!req.isMultipart()) throw refuse('UNSUPPORTED_BODY')
  const most = largestUpload(ctx)
  if (Number(req.headers['content-length'] ?? 0) > most + ENVELOPE) throw tooLarge(most)
  const staff = ctx.staff !== null
  await ctx.throttle({
    name: 'upload',
    subject: ctx.actor.kind === 'identity' ? ctx.actor.uid : ctx.ip,
    max: staff ? 600 : 60,
    seconds: 3_600,
  })
  return withTemporaryFile(ctx, async (path) => {
    let filename: string | null = null
    let data: string | undefined
    for await (const part of req.parts({ limits: { files: 1, fields: 4, parts: 5, fileSize: most, fieldSize: 2_000, headerPairs: 20 } })) {
      if (part.type === 'field') {
        if (part.fieldname === 'data' && typeof part.value === 'string') data = part.value
        continue
      }
      await pipeline(part.file, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
      if (part.file.truncated) throw tooLarge(most)
      if (part.fieldname === 'file') filename = part.filename
    }
    if (filename === null) throw refuse('FILE_MISSING')
    return storeFile(ctx, { path, filename }, readUploadData(data))
  })
}

/** Maps errors of a body that is not multipart, or was cut off, to a refusal. */
const asRefusal = (error: unknown): unknown => (isBrokenUpload(error) ? refuse('MALFORMED_BODY') : error)

/** `/archivos/...`: served with a fixed content type (nosniff), never as a page, with cache headers by visibility (U5, U7). */
export function registerFileAddresses(app: FastifyInstance, studio: Studio): void {
  const visitor = (req: FastifyRequest) => new Ctx(studio, { actor: { kind: 'visitor' }, requestId: req.id, ip: req.ip })
  app.get<{ Params: { name: string } }>(`${FILES_PATH}/:name`, (req, reply) =>
    show(visitor(req), req, reply, { name: req.params.name, signature: null, preview: null, isPrivate: false }),
  )
  app.get<{ Params: { name: string }; Querystring: { firma?: unknown; muestra?: unknown } }>(
    `${FILES_PATH}/privado/:name`,
    (req, reply) => {
      const { firma, muestra } = req.query
      const signed = (value: unknown) => (typeof value === 'string' ? value : null)
      return show(visitor(req), req, reply, { name: req.params.name, signature: signed(firma), preview: signed(muestra), isPrivate: true })
    },
  )
}

const NAME = /^[A-Za-z0-9_-]{16,64}\.[a-z0-9]{2,5}$/

async function show(ctx: Ctx, req: FastifyRequest, reply: FastifyReply, input: FileLink): Promise<FastifyReply> {
  reply.headers({
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  })
  if (!NAME.test(input.name)) throw refuse('NOT_FOUND')
  const found = await openFile(ctx, input)
  const range = found.size === null ? null : parseRange(req.headers.range, found.size)
  if (range === 'none') return reply.code(416).header('content-range', `bytes */${found.size}`).send()
  const stored = await found.read(range ?? undefined)
  if (!stored) throw refuse('NOT_FOUND')
  reply.headers({
    'content-type': found.type,
    'content-disposition': found.disposition,
    'cross-origin-resource-policy': found.is_public ? 'cross-origin' : 'same-origin',
    'cache-control': found.is_public ? 'public, max-age=31536000, immutable' : 'private, max-age=900',
    'content-length': range ? range.end - range.start + 1 : stored.size,
    ...(found.size === null ? {} : { 'accept-ranges': 'bytes' }),
    ...(range ? { 'content-range': `bytes ${range.start}-${range.end}/${found.size}` } : {}),
  })
  return reply.code(range ? 206 : 200).send(stored.stream)
}
