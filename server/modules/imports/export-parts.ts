/**
 * Which files belong to each part of an export, and how their rows are written: CSV, Excel or JSON. Pure but for the sheets
 * (docs/domain.md IM7).
 */
import type { ExportFormat, ExportPart } from '#contract/export-parts.ts'
import type { SheetCell, writeSheet } from '#server/platform/spreadsheet.ts'
import { onWorkerThread } from '#server/platform/worker-thread.ts'

const drawSheet = onWorkerThread<typeof writeSheet>(new URL('../../platform/spreadsheet.ts', import.meta.url), 'writeSheet', 'files')

/** Files by their part; the settings and the pictures have none of these names. */
export const FILES_OF_PART: Readonly<Record<ExportPart, readonly string[]>> = {
  customers: [
    'clientes',
    'notas-y-etiquetas',
    'personas',
    'notas',
    'etiquetas-de-clientes',
    'creditos',
    'movimientos-de-creditos',
    'visitas-de-antes',
    'consentimientos',
    'direcciones',
    'penalizaciones',
    'clientes-combinados',
    'clientes-distintos',
    'borrados',
    'numeros-de-clientes-de-antes',
    'campos-propios',
    'documentos-aceptados',
  ],
  schedule: [
    'horario',
    'lugares',
    'clases',
    'coaches-de-clases',
    'reservaciones',
    'lista-de-espera',
    'clases-llenas',
    'dias-sin-clases',
    'series-de-clases',
    'etiquetas-de-clases',
    'horarios-guardados',
    'suplencias',
    'respuestas-a-suplencias',
    'ausencias',
    'numeros-de-antes',
  ],
  sales: [
    'historial-de-compras',
    'suscripciones-por-activar',
    'compras',
    'compras-de-antes',
    'suscripciones-por-activar-todas',
    'cargos',
    'facturas',
    'datos-fiscales',
    'devoluciones',
    'contracargos',
    'ventas',
    'renglones-de-ventas',
    'pagos-de-ventas',
    'cortes-de-caja',
    'movimientos-de-caja',
    'pagos-en-el-estudio',
    'devoluciones-en-el-estudio',
    'diferencias-de-dinero',
    'tarjetas-de-regalo',
    'movimientos-de-tarjetas-de-regalo',
    'tarjetas-de-regalo-en-linea',
    'cambios-de-plan',
    'usos-de-descuentos',
    'renglones-de-facturas',
    'series-de-facturas',
  ],
  catalogue: [
    'perfiles-de-coaches',
    'paquetes',
    'descuentos',
    'productos',
    'tipos-de-clase',
    'categorias',
    'etiquetas',
    'estudios',
    'salas',
    'coaches',
    'formas-de-pago',
    'existencias',
    'clases-de-paquetes',
  ],
  content: [
    'paginas',
    'avisos',
    'formularios',
    'respuestas',
    'preguntas-de-formularios',
    'versiones-de-paginas',
    'videos',
    'archivos',
    'programas',
    'categorias-de-videos',
    'etiquetas-de-videos',
    'favoritos',
    'reproducciones',
    'calificaciones-de-videos',
  ],
  messages: [
    'mensajes',
    'plantillas-de-mensajes',
    'segmentos',
    'envios',
    'destinatarios-de-envios',
    'mensajes-automaticos',
    'plantillas-de-whatsapp',
  ],
  team: [
    'equipo',
    'estudios-del-equipo',
    'permisos-del-equipo',
    'reglas-de-pago',
    'periodos-de-nomina',
    'renglones-de-nomina',
    'respuestas-de-nomina',
    'cuentas-de-coaches',
    'bitacora',
    'ajustes',
  ],
}

/** Whether a file is in an export of some parts; null: of everything. */
export const isChosen = (file: string, parts: readonly ExportPart[] | null): boolean =>
  parts === null || parts.some((part) => FILES_OF_PART[part].includes(file))

/** A column with its type in the database; without one, texts and numbers stay as they are. */
export interface FileColumn {
  name: string
  type?: string
}

/** Rows of one Excel file: a longer table is a CSV, since Excel opens no more than a million rows and the worker's memory holds fewer. */
export const SHEET_MAX_ROWS = 50_000

const NUMBERS = /^(smallint|integer|bigint|numeric|real|double precision)$/

/** A text of the database as the number that it is, for Excel and JSON. Numbers that lose digits stay texts. */
function typed(cell: SheetCell, type = ''): SheetCell {
  if (typeof cell !== 'string' || !NUMBERS.test(type)) return cell
  const number = Number(cell)
  return Number.isFinite(number) && Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : cell
}

/** Days are dates in Excel; an instant stays ISO 8601 with its zone, which the dates of Excel cannot say. */
const excelCell = (cell: SheetCell, type?: string): SheetCell =>
  type === 'date' && typeof cell === 'string' ? { wall: cell } : typed(cell, type)

const jsonValue = (cell: SheetCell, type = ''): unknown => {
  if (typeof cell !== 'string') return cell
  if (type === 'boolean') return cell === 'true' || cell === 't'
  return type.startsWith('json') ? JSON.parse(cell) : typed(cell, type)
}

async function* csvOf(title: string, columns: readonly FileColumn[], pages: AsyncIterable<SheetCell[][]>): AsyncGenerator<Uint8Array> {
  const headers = columns.map(({ name }) => ({ header: name }))
  let isContinued = false
  for await (const rows of pages) {
    if (isContinued && rows.length === 0) return
    yield await drawSheet({ format: 'csv', title, columns: headers, rows, isContinued })
    isContinued = true
  }
}

/** A list of objects by the names of the columns, one per line. */
async function* jsonOf(columns: readonly FileColumn[], pages: AsyncIterable<SheetCell[][]>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let before = '[\n'
  for await (const rows of pages) {
    if (rows.length === 0) continue
    const lines = rows.map((row) =>
      JSON.stringify(Object.fromEntries(columns.map(({ name, type }, at) => [name, jsonValue(row[at] ?? null, type)]))),
    )
    yield encoder.encode(before + lines.join(',\n'))
    before = ',\n'
  }
  yield encoder.encode(before === '[\n' ? '[]\n' : '\n]\n')
}

async function* all<T>(first: readonly T[], rest: AsyncIterator<T>): AsyncGenerator<T> {
  yield* first
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}

/** The name of a file and its bytes, of pages of rows in their order. A table that is too long for Excel is a CSV. */
export async function fileOf(
  format: ExportFormat,
  { file, columns, pages }: { file: string; columns: readonly FileColumn[]; pages: AsyncIterable<SheetCell[][]> },
): Promise<{ name: string; bytes: AsyncIterable<Uint8Array> }> {
  if (format === 'json') return { name: `${file}.json`, bytes: jsonOf(columns, pages) }
  if (format === 'csv') return { name: `${file}.csv`, bytes: csvOf(file, columns, pages) }
  const read: SheetCell[][][] = []
  const rest = pages[Symbol.asyncIterator]()
  for (let count = 0; count <= SHEET_MAX_ROWS; ) {
    const next = await rest.next()
    if (next.done) {
      const rows = read.flat().map((row) => row.map((cell, at) => excelCell(cell, columns[at]?.type)))
      const headers = columns.map(({ name }) => ({ header: name }))
      const bytes = await drawSheet({ format: 'xlsx', title: file.slice(0, 31), columns: headers, rows })
      return {
        name: `${file}.xlsx`,
        bytes: (async function* () {
          yield bytes
        })(),
      }
    }
    read.push(next.value)
    count += next.value.length
  }
  return { name: `${file}.csv`, bytes: csvOf(file, columns, all(read, rest)) }
}
