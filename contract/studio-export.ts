/** Everything of the studio as files that any program reads, and that another studio imports (docs/domain.md IM7, IM8, IM12). */
import * as z from 'zod'
import { endpoint, id, instant, pathId, refusals } from './endpoint.ts'
import { EXPORT_FORMATS, EXPORT_PARTS } from './export-parts.ts'

/** How long an export can be downloaded. */
export const EXPORT_HOURS = 24
/** How long a scheduled one is stored. */
export const SCHEDULED_EXPORT_DAYS = 35

const parts = z.array(z.enum(EXPORT_PARTS))
/** What a request may choose. Stored lists are read without unknown parts, so one may be empty. */
const what = z.union([z.literal('todo'), parts.min(1).max(EXPORT_PARTS.length)])

const view = z.object({
  studio_export_id: id,
  state: z
    .enum(['waiting', 'running', 'done', 'failed'])
    .describe('En espera, en curso, lista o fallida: se vuelve a intentar sola, y mientras se puede pedir otra.'),
  with_files: z.boolean().describe('Si trae también las fotos y los documentos.'),
  what: z.union([z.literal('todo'), parts]).describe('Qué trae: `todo`, o solo estas partes.'),
  format: z.enum(EXPORT_FORMATS).describe('Cómo son sus archivos.'),
  done: z.int().describe('Cuántas partes van.'),
  total: z.int().describe('Cuántas partes son; 0: todavía no se sabe.'),
  bytes: z.number().nullable().describe('Tamaño del archivo; null: todavía no hay.'),
  created_by: z.string().nullable().describe('Quién la pidió; null: la semanal.'),
  createdAt: instant,
  until: instant.nullable().describe('Hasta cuándo se puede descargar; null: todavía no está.'),
})
export type StudioExport = z.infer<typeof view>

const ACCESS = 'staff:data.export'
const TAG = 'Exportar'

export const studioExport = {
  /** Exports that can be downloaded or are being made, newest first. */
  list: endpoint('GET', '/admin/exports', ACCESS, TAG, 'Exportaciones del estudio').output(
    z.object({ exports: z.array(view).describe('Las exportaciones.') }),
  ),
  /**
   * Begins an export: a ZIP of CSV files (UTF-8), Excel workbooks or JSON lists with a README of their columns, and with `with_files` the
   * pictures and documents. In Excel a table of more than 50,000 rows is a CSV. Customers, credits and their movements, classes,
   * reservations, purchases, charges, refunds, packages, discounts, the catalogue, pages, notices, messages, the audit trail, public
   * settings, all as of one instant; never cards, passwords, keys or log-ins. Seven of its files can be imported into another studio. While
   * one is being made, the answer is that one.
   */
  start: endpoint('POST', '/admin/exports', ACCESS, TAG, 'Exportar todo el estudio')
    .input(
      z.object({
        with_files: z.boolean().default(true).describe('Con fotos y documentos; los videos no van.'),
        what: what.default('todo').describe('Qué exportar: `todo`, o solo estas partes.'),
        format: z.enum(EXPORT_FORMATS).default('csv').describe('Cómo son sus archivos. Otro Estudio importa los CSV.'),
      }),
    )
    .output(view),
  /** The finished ZIP. */
  file: endpoint('GET', '/admin/exports/{studio_export_id}/file', ACCESS, TAG, 'Descargar una exportación')
    .input(z.object({ studio_export_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(z.file()),
}
