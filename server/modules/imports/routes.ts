/** HTTP of imports: the endpoints, and the upload outside of oRPC, whose bodies are JSON. */
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuse } from '#contract/errors.ts'
import { IMPORT_MAX_BYTES, IMPORT_MAX_FILES } from '#contract/imports.ts'
import { api } from '#server/modules/api.ts'
import { type Ctx, whyNotAllowed } from '#server/modules/ctx.ts'
import { isBrokenUpload } from '#server/platform/uploads.ts'
import { fixAlike } from './fix-alike.ts'
import { fixRow, importRows, rejectedRows } from './import-rows.ts'
import {
  createImport,
  importInvitations,
  importList,
  mapImport,
  readImport,
  readImportFiles,
  removeImport,
  runImport,
  undoImport,
} from './imports.ts'
import { exportFile, exportList, openExport, startExport } from './studio-export.ts'

const on = api.imports

/** An import changes what all locations have: who works at some of them only neither makes nor reads one. FORBIDDEN. */
function everywhere(ctx: Ctx): Ctx {
  ctx.requireEverywhere()
  return ctx
}

export const importRoutes = {
  list: on.list.handler(({ context }) => importList(everywhere(context.ctx))),
  create: on.create.handler(({ context, input }) => createImport(everywhere(context.ctx), input)),
  file: on.file.handler(async ({ context, input }) =>
    readImportFiles(everywhere(context.ctx), {
      import_id: input.import_id,
      files: await Promise.all(
        [input.file, ...(input.more ?? [])].map(async (file) => ({ bytes: new Uint8Array(await file.arrayBuffer()), name: file.name })),
      ),
    }),
  ),
  read: on.read.handler(({ context, input }) => readImport(everywhere(context.ctx), input)),
  map: on.map.handler(({ context, input }) => mapImport(everywhere(context.ctx), input)),
  rows: on.rows.handler(({ context, input }) => importRows(everywhere(context.ctx), input)),
  fix: on.fix.handler(({ context, input }) => fixRow(everywhere(context.ctx), input)),
  fixAlike: on.fixAlike.handler(({ context, input }) => fixAlike(everywhere(context.ctx), input)),
  run: on.run.handler(({ context, input }) => runImport(everywhere(context.ctx), input)),
  undo: on.undo.handler(({ context, input }) => undoImport(everywhere(context.ctx), input)),
  invitations: on.invitations.handler(({ context, input }) => importInvitations(everywhere(context.ctx), input)),
  rejected: on.rejected.handler(({ context, input }) => rejectedRows(everywhere(context.ctx), input)),
  remove: on.remove.handler(({ context, input }) => removeImport(everywhere(context.ctx), input)),
}

export const studioExportRoutes = {
  list: api.studioExport.list.handler(({ context }) => exportList(context.ctx)),
  start: api.studioExport.start.handler(({ context, input }) => startExport(context.ctx, input)),
  file: api.studioExport.file.handler(({ context, input }) => exportFile(context.ctx, input)),
}

/** `POST /api/admin/imports/{import_id}/file`. */
export async function registerImportUploads(app: FastifyInstance, open: (req: FastifyRequest) => Promise<Ctx>): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(multipart)
    scope.post<{ Params: { import_id: string } }>('/api/admin/imports/:import_id/file', async (req) => {
      const ctx = await open(req)
      const no = whyNotAllowed('staff:data.import', ctx.actor)
      if (no) throw no
      everywhere(ctx)
      if (!/^[1-9]\d{0,8}$/.test(req.params.import_id)) throw refuse('NOT_FOUND')
      if (!req.isMultipart()) throw refuse('UNSUPPORTED_BODY')
      return readImportFiles(ctx, { import_id: Number(req.params.import_id), files: await filesOf(req) })
    })
  })
}

/** `GET /api/admin/exports/{studio_export_id}/file`: an archive may be larger than memory, so it is streamed from its store. */
export function registerExportDownloads(app: FastifyInstance, open: (req: FastifyRequest) => Promise<Ctx>): void {
  app.get<{ Params: { studio_export_id: string } }>('/api/admin/exports/:studio_export_id/file', async (req, reply) => {
    const ctx = await open(req)
    const no = whyNotAllowed('staff:data.export', ctx.actor)
    if (no) throw no
    const issues = Object.keys(req.query as object).map((path) => ({ path, message: 'Este campo no existe.' }))
    if (issues.length > 0) throw refuse('INVALID_INPUT', { issues })
    if (!/^[1-9]\d{0,8}$/.test(req.params.studio_export_id)) throw refuse('NOT_FOUND')
    const { stream, size, name } = await openExport(ctx, { studio_export_id: Number(req.params.studio_export_id) })
    return reply
      .type('application/zip')
      .header('content-length', size)
      .header('content-disposition', `attachment; filename="${name}"`)
      .send(stream)
  })
}

/** The files of an upload, in their order. FILE_MISSING, FILE_TOO_LARGE for one or all of them, MALFORMED_BODY. */
async function filesOf(req: FastifyRequest): Promise<{ bytes: Uint8Array; name: string }[]> {
  const limits = { files: IMPORT_MAX_FILES, fields: 2, fileSize: IMPORT_MAX_BYTES, fieldSize: 1_000, headerPairs: 20 }
  const files: { bytes: Uint8Array; name: string }[] = []
  let size = 0
  try {
    for await (const part of req.files({ limits })) {
      const bytes = new Uint8Array(await part.toBuffer())
      size += bytes.length
      if (size > IMPORT_MAX_BYTES) throw refuse('FILE_TOO_LARGE', { limit: '10 MB' })
      files.push({ bytes, name: part.filename })
    }
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'FST_REQ_FILE_TOO_LARGE') throw refuse('FILE_TOO_LARGE', { limit: '10 MB' })
    if (code === 'FST_FILES_LIMIT') throw refuse('IMPORT_FILE', { why: `Caben ${IMPORT_MAX_FILES} archivos a la vez.` })
    throw isBrokenUpload(error) ? refuse('MALFORMED_BODY') : error
  }
  if (files.length === 0) throw refuse('FILE_MISSING')
  return files
}
