/**
 * A list of the administration as a file (docs/domain.md, "Lists as files"): rows are read in chunks, written by the worker thread, and the
 * export is an entry of the audit trail.
 */
import { refuse } from '#contract/errors.ts'
import { formatPhone } from '#contract/phone.ts'
import { formatWall, localDate, wallClock } from '#contract/time.ts'
import type { SheetCell, SheetColumn, SheetDate, writeSheet } from '#server/platform/spreadsheet.ts'
import { onWorkerThread } from '#server/platform/worker-thread.ts'
import type { Ctx } from './ctx.ts'

/**
 * Rows of one file; a longer list has to be narrowed. So many of 14 columns take four seconds of the worker thread and fit in its memory.
 */
export const EXPORT_MAX_ROWS = 50_000
/** Rows read at a time: a row has several kilobytes in memory until it is a row of the file. */
const CHUNK = 1_000

const drawSheet = onWorkerThread<typeof writeSheet>(new URL('../platform/spreadsheet.ts', import.meta.url), 'writeSheet', 'files')

export interface ExportColumn<T> extends SheetColumn {
  cell: (row: T) => SheetCell
}

/** Chunks of rows in the order of the file. */
type Chunks<T> = AsyncIterable<readonly T[]>

interface ListExport<T> {
  /** Name of the file before its day, and of the list in the audit trail: `compras`. */
  name: string
  /** Name of the list as people read it, and of the sheet: at most 31 characters, none of []:*?/\ */
  title: string
  /** The format, and what the caller filtered by: recorded in the audit trail. Undefined values are left out. */
  input: { format: 'csv' | 'xlsx' } & Readonly<Record<string, unknown>>
  columns: readonly ExportColumn<T>[]
  rows: Chunks<T>
}

/** Writes the file and its entry of the audit trail. EXPORT_TOO_LARGE with `total` and `max`. */
export async function exportList<T>(ctx: Ctx, { name, title, input, columns, rows }: ListExport<T>): Promise<File> {
  const { format, sort: _, ...filter } = input
  const cells: SheetCell[][] = []
  for await (const chunk of rows) for (const row of chunk) cells.push(columns.map(({ cell }) => cell(row)))
  const heads = columns.map(({ header, isMoney = false }) => ({ header, isMoney }))
  const content = await drawSheet({ format, title, columns: heads, rows: cells })
  const after = { title, format: format === 'csv' ? 'CSV' : 'Excel', rows: cells.length, ...filter }
  await ctx.tx((tx) => ctx.audit(tx, { action: 'list.export', entity: 'export', entity_id: name, after }))
  const type = format === 'csv' ? 'text/csv;charset=utf-8' : 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  return new File([new Uint8Array(content)], `${name}-${localDate(ctx.now, ctx.zone)}.${format}`, { type })
}

function requireExportable(total: number): void {
  if (total > EXPORT_MAX_ROWS) throw refuse('EXPORT_TOO_LARGE', { total, max: EXPORT_MAX_ROWS })
}

/** Rows of a list that is read page by page. Rows that new ones move to the next page meanwhile are taken once. */
export async function* rowsByPage<T>(
  idOf: (row: T) => number,
  read: (page: { number: number; size: number }) => Promise<{ rows: readonly T[]; total: number }>,
): Chunks<T> {
  const seen = new Set<number>()
  for (let number = 1; ; number++) {
    const { rows, total } = await read({ number, size: CHUNK })
    requireExportable(total)
    yield rows.filter((row) => !seen.has(idOf(row)))
    for (const row of rows) seen.add(idOf(row))
    if (rows.length < CHUNK) return
  }
}

/**
 * Rows of a list whose ids are read at once: exactly those that matched at that moment. `readIds` returns at most `limit` ids and the
 * number of all; `read` returns the rows of the ids in their order.
 */
export async function* rowsByIds<T>(
  readIds: (limit: number) => Promise<{ ids: readonly number[]; total: number }>,
  read: (ids: number[]) => Promise<readonly T[]>,
): Chunks<T> {
  const { ids, total } = await readIds(EXPORT_MAX_ROWS + 1)
  requireExportable(total)
  for (let from = 0; from < ids.length; from += CHUNK) yield await read(ids.slice(from, from + CHUNK))
}

/** A moment on a wall clock, as a date. */
export const wallCell = (wall: Date): SheetDate => ({ wall: wall.toISOString().slice(0, 19) })

/** A moment as the screen shows it, and in ISO 8601; both on the clock of the zone, and dates in Excel. */
export const momentColumns = <T>(
  header: string,
  at: (row: T) => Date | null,
  zone: string | ((row: T) => string),
): [ExportColumn<T>, ExportColumn<T>] => {
  const cell = (row: T): SheetDate | null => {
    const instant = at(row)
    return instant && wallCell(wallClock(instant, typeof zone === 'string' ? zone : zone(row)))
  }
  return [
    {
      header,
      cell(row) {
        const date = cell(row)
        return date && { ...date, text: formatWall(`${date.wall}Z`, 'class') }
      },
    },
    { header: `${header} (ISO)`, cell },
  ]
}

/** Amounts of centavos as pesos, the number of a cell. */
export const pesosCell = (centavos: number): number => centavos / 100

/** A telephone as the screen shows it: a spreadsheet reads its digits alone in a CSV as a number. */
const phoneCell = (phone: string | null | undefined): string | null => (phone ? formatPhone(phone) : null)

/** E-mail and telephone, for those who may see them (`customers.read`). */
export const contactColumns = <T>(
  ctx: Ctx,
  of: (row: T) => { email?: string | null; phone?: string | null },
  fields: readonly ('email' | 'phone')[] = ['email', 'phone'],
): ExportColumn<T>[] =>
  ctx.may('customers.read')
    ? fields.map((field) =>
        field === 'email'
          ? { header: 'Correo', cell: (row) => of(row).email ?? null }
          : { header: 'Teléfono', cell: (row) => phoneCell(of(row).phone) },
      )
    : []
