/** The whole studio as a ZIP of CSV files with its pictures, made by a job (docs/domain.md IM7, IM8 and IM12). */

import { randomBytes, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { adminPaths } from '#contract/admin-paths.ts'
import { refuse } from '#contract/errors.ts'
import { type ExportFormat, type ExportPart, exportParts } from '#contract/export-parts.ts'
import { settingKeys } from '#contract/settings.ts'
import { EXPORT_HOURS, SCHEDULED_EXPORT_DAYS, type StudioExport } from '#contract/studio-export.ts'
import { formatInstant, localDate } from '#contract/time.ts'
import { type FileStore, isFileKey } from '#server/adapters/files/port.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { enqueueMessages, type OutgoingMessage } from '#server/modules/messages/messages.ts'
import type { JobRun } from '#server/platform/job-types.ts'
import { readInPages } from '#server/platform/snapshot.ts'
import type { SheetCell } from '#server/platform/spreadsheet.ts'
import { ZipFile } from '#server/platform/zip.ts'
import { type FileColumn, fileOf, isChosen, SHEET_MAX_ROWS } from './export-parts.ts'
import { EXPORTED } from './exported-tables.ts'
import {
  countErasures,
  deleteExport,
  failExport,
  findUnfinishedExport,
  insertExport,
  listColumns,
  listCustomersToMove,
  listEndedExports,
  listExports,
  listFilesToExport,
  listKeyColumns,
  lockExports,
  MOVABLE,
  type StudioExportRow,
  streamRows,
  updateExport,
} from './studio-export-store.ts'

export const EXPORT_JOB = 'exports.run'
const HOUR_MS = 3_600_000
/** Rows that are read and written at once. */
const PAGE = 10_000
/** An unfinished export counts as failed after two days. */
const STUCK_MS = 48 * HOUR_MS
/** One without progress for as long as its job may take is not being made: its process was killed too often. */
const STALLED_MS = HOUR_MS
/** How often the progress is written at most. */
const PROGRESS_MS = 1_000

/** The headers of `clientes.csv`, which an import recognises. */
const CUSTOMER_HEADERS = [
  'ID cliente',
  'Nombre',
  'Apellidos',
  'Correo',
  'Teléfono',
  'Fecha de nacimiento',
  'Aceptó promociones el',
  'Aceptó WhatsApp el',
  'Alta',
  'Visitas',
  'Última visita',
  'Paquete',
  'Clases por usar',
  'Vencimiento',
  'Congelado desde',
]

const serialize = (row: StudioExportRow & { created_by?: string | null }): StudioExport => {
  const { studio_export_id, state, with_files, parts, format, done, total, bytes, createdAt, expiresAt, created_by = null } = row
  const until = state === 'done' ? (expiresAt?.toISOString() ?? null) : null
  return {
    studio_export_id,
    state,
    with_files,
    what: parts ?? ('todo' as const),
    format,
    done,
    total,
    bytes,
    created_by,
    createdAt: createdAt.toISOString(),
    until,
  }
}

/** GET /admin/exports. FORBIDDEN for staff of some locations only, like all endpoints about exports of the whole studio. */
export async function exportList(ctx: Ctx): Promise<{ exports: StudioExport[] }> {
  ctx.requireEverywhere()
  const rows = await listExports(ctx.db)
  return { exports: rows.filter(({ expiresAt }) => expiresAt === null || expiresAt > ctx.now).map(serialize) }
}

interface Chosen {
  with_files: boolean
  what: 'todo' | readonly ExportPart[]
  format: ExportFormat
}

/** POST /admin/exports. */
export async function startExport(ctx: Ctx, chosen: Chosen): Promise<StudioExport> {
  const { staff } = ctx
  if (!staff) throw refuse('FORBIDDEN')
  ctx.requireEverywhere()
  const studio_export_id = await begin(ctx, { ...chosen, staff_id: staff.staff_id })
  const [row] = await listExports(ctx.db, studio_export_id)
  if (!row) throw refuse('NOT_FOUND')
  return serialize(row)
}

const stalledBefore = (ctx: Ctx) => new Date(ctx.studio.clock().getTime() - STALLED_MS)

async function begin(ctx: Ctx, { with_files, what, format, staff_id }: Chosen & { staff_id: number | null }): Promise<number> {
  return ctx.tx(async (tx) => {
    await lockExports(tx)
    const going = await findUnfinishedExport(tx, stalledBefore(ctx))
    if (going) return going.studio_export_id
    const parts = what === 'todo' ? null : [...new Set(what)]
    const key = `privado/${randomBytes(24).toString('base64url')}.zip`
    const { studio_export_id } = await insertExport(tx, { staff_id, with_files, parts, format, key, createdAt: ctx.now })
    await ctx.audit(tx, {
      action: 'export.start',
      entity: 'export',
      entity_id: 'estudio',
      after: { with_files, format, ...(parts ? { parts } : {}) },
    })
    await tx.send({ name: EXPORT_JOB, data: { studio_export_id } })
    return studio_export_id
  })
}

/** Scheduled job: the weekly export, where the owner wants it (`weekly_export`). */
export async function exportWeekly(ctx: Ctx): Promise<void> {
  if (ctx.settings.weekly_export) await begin(ctx, { with_files: true, what: 'todo', format: 'csv', staff_id: null })
}

/** The archive of a finished export. NOT_FOUND. */
export async function openExport(ctx: Ctx, { studio_export_id }: { studio_export_id: number }) {
  ctx.requireEverywhere()
  const [row] = await listExports(ctx.db, studio_export_id)
  if (row?.state !== 'done' || row.place === null || !isFileKey(row.key) || (row.expiresAt !== null && row.expiresAt <= ctx.now))
    throw refuse('NOT_FOUND')
  const stored = await ctx.ports.files.at(row.place).read(row.key)
  if (!stored) throw refuse('NOT_FOUND')
  return { ...stored, name: `estudio-${localDate(row.createdAt, ctx.zone)}.zip` }
}

/** GET /admin/exports/{id}/file, for callers of the typed API in the same process. */
export async function exportFile(ctx: Ctx, input: { studio_export_id: number }): Promise<File> {
  const { stream, name } = await openExport(ctx, input)
  return new File(await stream.toArray(), name, { type: 'application/zip' })
}

/** Begins an attempt; null: it is done, or another export took its place after it failed. */
async function claimExport(ctx: Ctx, studio_export_id: number): Promise<StudioExportRow | null> {
  return ctx.tx(async (tx) => {
    await lockExports(tx)
    const [row] = await listExports(tx, studio_export_id)
    if (!row || row.state === 'done') return null
    const isReplaced = (await findUnfinishedExport(tx, stalledBefore(ctx), studio_export_id)) !== null
    const progressAt = ctx.studio.clock()
    await updateExport(tx, studio_export_id, isReplaced ? { state: 'failed' } : { state: 'running', done: 0, progressAt })
    return isReplaced ? null : row
  })
}

/**
 * The store of an archive, written to its row before the archive is stored: if the attempt fails after that, the clean-up finds the archive
 * and deletes it. What an earlier attempt stored elsewhere is deleted.
 */
async function chooseStore(ctx: Ctx, { studio_export_id, place, key }: StudioExportRow): Promise<FileStore> {
  const store = ctx.ports.files.forNew()
  if (place !== null && place !== store.place && isFileKey(key)) await ctx.ports.files.at(place).remove(key)
  await ctx.tx((tx) => updateExport(tx, studio_export_id, { place: store.place }))
  return store
}

/** Job: makes an export from the beginning; a killed one begins again and replaces what it had written. */
export async function makeExport(ctx: Ctx, { studio_export_id }: { studio_export_id: number }, { signal }: JobRun): Promise<void> {
  const row = await claimExport(ctx, studio_export_id)
  if (!row) return
  const path = join(await ctx.ports.files.folder(), `${randomUUID()}.zip`)
  const zip = new ZipFile(path)
  try {
    const { rows, erasures } = await writeStudio(ctx, row, zip, signal)
    const bytes = await zip.finish()
    const store = await chooseStore(ctx, row)
    await store.put(row.key, { path }, { type: 'application/zip', disposition: 'attachment', cacheControl: 'private, no-store' })
    const hours = row.staff_id === null ? SCHEDULED_EXPORT_DAYS * 24 : EXPORT_HOURS
    const expiresAt = new Date(ctx.studio.clock().getTime() + hours * HOUR_MS)
    await ctx.tx(async (tx) => {
      await lockExports(tx)
      // The archive still has the data of a customer who was erased meanwhile (X13).
      if ((await countErasures(tx)) !== erasures) throw new Error('A person was erased meanwhile: the export begins again.')
      await updateExport(tx, studio_export_id, { state: 'done', bytes, expiresAt })
      const after = { title: row.parts ? 'Una parte del estudio' : 'Todo el estudio', format: 'ZIP', rows }
      await ctx.audit(tx, { action: 'list.export', entity: 'export', entity_id: 'estudio', after })
      if (row.staff_id !== null) await enqueueMessages(tx, ctx, [readyMessage(ctx, { ...row, staff_id: row.staff_id }, expiresAt)])
    })
  } catch (error) {
    // A failed one holds up no other; the next attempt claims it again. A shutdown begins it again at once.
    // The error may also be that the answer to the commit was lost: a finished one stays finished.
    if (!signal.aborted)
      await ctx
        .tx((tx) => failExport(tx, studio_export_id))
        .catch((failed: unknown) => ctx.studio.log.error({ error: failed, studio_export_id }, 'export.fail_failed'))
    throw error
  } finally {
    await zip.abandon()
    await rm(path, { force: true })
  }
}

/** The mail to the staff member who started an export. It links to the screen, where the download requires their session and right. */
function readyMessage(
  ctx: Ctx,
  { studio_export_id, staff_id }: { studio_export_id: number; staff_id: number },
  expiresAt: Date,
): OutgoingMessage {
  const { business_name } = ctx.settings
  const title = `La exportación de ${business_name} está lista`
  const until = formatInstant(expiresAt, ctx.zone, 'class')
  return {
    event: 'export_ready',
    about: `export:${studio_export_id}`,
    to: { staff_id },
    before: expiresAt,
    texts: (name) => ({
      subject: title,
      title,
      lines: [`Se puede descargar hasta el ${until}. Después se borra, y se puede hacer otra.`],
      notes: [],
      action: { label: 'Descargar', path: adminPaths.exports },
      blanks: [name, business_name, until],
    }),
  }
}

/** Scheduled job: removes archives whose time is over, and exports that were never finished. */
export async function sweepExports(ctx: Ctx): Promise<void> {
  for (const { studio_export_id, place, key } of await listEndedExports(ctx.db, ctx.now, new Date(ctx.now.getTime() - STUCK_MS))) {
    if (place && isFileKey(key)) await ctx.ports.files.at(place).remove(key)
    await ctx.tx((tx) => deleteExport(tx, studio_export_id))
  }
}

async function* once<T>(rows: T): AsyncGenerator<T> {
  yield rows
}

/**
 * Writes every file. All rows are as of one instant, so that each names only what is in the archive too; returns how many they are, and how
 * many people had been erased by then.
 */
async function writeStudio(ctx: Ctx, row: StudioExportRow, zip: ZipFile, signal: AbortSignal): Promise<{ rows: number; erasures: number }> {
  const { studio_export_id, with_files, parts, format } = row
  let [done, rows, total, wroteAt] = [0, 0, 0, 0]
  const progress = async () => {
    if (signal.aborted) throw new Error('The export begins again in the next attempt.')
    if (performance.now() - wroteAt < PROGRESS_MS && done < total) return
    wroteAt = performance.now()
    await ctx.tx((tx) => updateExport(tx, studio_export_id, { done, total, progressAt: ctx.studio.clock() }))
  }
  const step = async () => {
    done += 1
    await progress()
  }
  const tables = EXPORTED.filter(({ file }) => isChosen(file, parts))
  const movable = MOVABLE.filter(({ file }) => isChosen(file, parts))
  const readme = readmeHead(ctx, row)
  const write = async (file: string, columns: readonly FileColumn[], pages: AsyncIterable<SheetCell[][]>): Promise<string> => {
    const { name, bytes } = await fileOf(format, { file, columns, pages })
    await zip.add(name, bytes)
    return name
  }
  const named = (names: readonly string[]): FileColumn[] => names.map((name) => ({ name }))
  async function* counted(pages: AsyncIterable<{ cells: SheetCell[] }[]>): AsyncGenerator<SheetCell[][]> {
    for await (const page of pages) {
      rows += page.length
      yield page.map(({ cells }) => cells)
      await progress()
    }
  }
  const { files, erasures } = await ctx.studio.db.snapshot(async (on) => {
    const erasures = await countErasures(on)
    const files = with_files ? await listFilesToExport(on) : []
    // One part for the customers, one for the settings and the README.
    total = 2 + movable.length + tables.length + files.length
    await progress()
    const people = isChosen('clientes', parts) ? await listCustomersToMove(on, ctx.now, ctx.zone) : []
    const lines = people.map((person) => ({
      cells: [
        person.customer_id,
        person.name,
        person.last_name,
        person.email,
        person.phone,
        person.birthdate,
        person.promotions_on,
        person.whatsapp_on,
        person.created_on,
        person.visits,
        person.last_visit,
        person.package,
        person.credits === -1 ? 'Ilimitado' : person.credits,
        person.expires_on,
        person.frozen_on,
      ],
    }))
    if (isChosen('clientes', parts)) {
      const name = await write('clientes', named(CUSTOMER_HEADERS), counted(once(lines)))
      readme.push(
        '',
        `${name}: clientes con sus clases por usar, un renglón por paquete y vencimiento.${movesTo(format)}`,
        `  ${CUSTOMER_HEADERS.join(', ')}`,
      )
    }
    await step()
    for (const { file, about, headers, rows: query } of movable) {
      const pages = readInPages<{ cells: SheetCell[] }>(on, query(ctx.now, ctx.zone), PAGE)
      const name = await write(file, named(headers), counted(pages))
      readme.push('', `${name}: ${about}.${movesTo(format, ' después de clientes.csv')}`, `  ${headers.join(', ')}`)
      await step()
    }
    for (const table of tables) {
      const columns = await listColumns(on, table)
      const pages = readInPages<{ cells: SheetCell[] }>(on, streamRows(table, { columns, key: await listKeyColumns(on, table) }), PAGE)
      const written = await write(table.file, columns, counted(pages))
      readme.push('', `${written}: ${table.about}.`, ...columns.map(({ name, type }) => `  ${name} (${type})`))
      await step()
    }
    return { files, erasures }
  })
  const missing: number[] = []
  for (const { file_id, key, place } of files) {
    const stored = await ctx.ports.files.at(place).read(key)
    if (stored) await zip.add(`archivos/${file_id}${key.slice(key.lastIndexOf('.'))}`, stored.stream as Readable)
    else missing.push(file_id)
    await step()
  }
  if (isChosen('ajustes', parts)) {
    const settings = settingKeys.map((name) => [name, JSON.stringify(ctx.settings[name])])
    const name = await write('ajustes', named(['clave', 'valor']), once(settings))
    readme.push('', `${name}: los ajustes.`, '  clave, valor (JSON)')
  }
  if (with_files) readme.push('', 'archivos/: fotos y documentos, con el file_id de la tabla archivos por nombre.')
  if (missing.length > 0) readme.push(`  Faltan, porque ya no están guardados: ${missing.join(', ')}`)
  await zip.add('LEEME.txt', [Buffer.from(`${readme.join('\r\n')}\r\n`)])
  await step()
  return { rows, erasures }
}

/** Only CSV files are imported by another studio. */
const movesTo = (format: ExportFormat, after = ' en Ajustes › Importar'): string =>
  format === 'csv' ? ` Se importa en otro Estudio${after}.` : ''

const FORMATS: Readonly<Record<ExportFormat, string>> = {
  csv: 'Archivos CSV en UTF-8, separados por comas.',
  xlsx: `Libros de Excel; una tabla de más de ${SHEET_MAX_ROWS.toLocaleString('es-MX')} renglones es un CSV en UTF-8.`,
  json: 'Listas JSON en UTF-8, un objeto por renglón.',
}

const readmeHead = (ctx: Ctx, { format, parts }: Pick<StudioExportRow, 'format' | 'parts'>): string[] => [
  `${ctx.settings.business_name}: exportación del ${formatInstant(ctx.now, ctx.zone, 'class')}`,
  ...(parts ? ['', `Solo: ${parts.map((part) => exportParts[part]).join('; ')}.`] : []),
  '',
  `${FORMATS[format]} Las horas terminan en Z y son UTC. Las columnas que terminan en _centavos son centavos.`,
  'Todos los renglones son de un mismo instante. No van tarjetas, contraseñas, llaves ni videos.',
]
