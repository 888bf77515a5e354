/**
 * The month of the accountant as a ZIP: two lists, and XML, PDF and cancellation receipt of each document, made while it is read (FA16).
 */
import type { Readable } from 'node:stream'
import type * as z from 'zod'
import { refuse } from '#contract/errors.ts'
import { MAX_MONTH_DOCUMENTS, type monthOfInvoices } from '#contract/fiscal.ts'
import { CANCEL_MOTIVES, IVA_RATES, PAYMENT_FORMS } from '#contract/sat-catalogues.ts'
import { capitalize } from '#contract/text.ts'
import { addMonths, startOfDay, wallClock } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { pesosCell, wallCell } from '#server/modules/list-export.ts'
import type { SheetCell, SheetColumn, writeSheet } from '#server/platform/spreadsheet.ts'
import { onWorkerThread } from '#server/platform/worker-thread.ts'
import { zipStream } from '#server/platform/zip.ts'
import { type ChargeRow, listUninvoiced } from './charge-store.ts'
import { fileName } from './fiscal.ts'
import { loadDocumentFiles } from './invoice-files.ts'
import { type DraftItem, formatFolio, sumTotals, whyNotInvoiceable } from './rules.ts'
import { findDocument, type ListedDocument, listMonthIds, listUuids, listWithoutXml, type MonthFilter } from './store.ts'

const drawSheet = onWorkerThread<typeof writeSheet>(new URL('../../platform/spreadsheet.ts', import.meta.url), 'writeSheet', 'files')

type MonthInput = z.output<typeof monthOfInvoices>

/** An archive takes minutes of the thread of files. */
const ARCHIVES = { max: 20, seconds: 3_600 }
/** Documents and charges that are read at once. A global invoice has up to 5,000 lines. */
const DOCUMENTS = 50
const CHARGES = 1_000

const KINDS = { income: 'Factura', global: 'Factura global', credit: 'Nota de crédito' } as const
const STATES: Readonly<Record<ListedDocument['state'], string>> = {
  stamping: 'Timbrando',
  valid: 'Vigente',
  cancelling: 'Cancelación pedida',
  cancelled: 'Cancelada',
  refused: 'Con error',
}

/** A column of a list: its header, what a row has there, and whether that is money. */
type Column<T> = readonly [header: string, cell: (row: T) => SheetCell, isMoney?: true]

interface Listed extends ListedDocument {
  /** UUID of the document that replaces it. */
  substitute: string | null
}

const sumOf = (lines: readonly DraftItem[], rate: number, of: 'base' | 'tax'): number =>
  lines.reduce((sum, line) => (line.rate === rate && !line.exempt ? sum + line[of] : sum), 0)

const byRate = (rate: number): Column<Listed>[] => [
  [`Base IVA ${rate / 100} %`, ({ draft }) => pesosCell(sumOf(draft.lines, rate, 'base')), true],
  ...(rate === 0 ? [] : [[`IVA ${rate / 100} %`, ({ draft }) => pesosCell(sumOf(draft.lines, rate, 'tax')), true] as Column<Listed>]),
]

const documentColumns = (zone: string): Column<Listed>[] => [
  ['Efecto', ({ draft }) => (draft.type === 'I' ? 'I · Ingreso' : 'E · Egreso')],
  ['Documento', ({ kind }) => KINDS[kind]],
  ['Serie', ({ series }) => series],
  ['Folio', ({ folio }) => folio],
  ['Folio fiscal (UUID)', ({ uuid }) => uuid],
  ['Expedida', ({ draft }) => ({ wall: draft.issuedAt })],
  ['Lugar de expedición', ({ draft }) => draft.placeOfIssue],
  ['RFC del emisor', ({ draft }) => draft.issuer.rfc],
  ['RFC del receptor', ({ draft }) => draft.receiver.rfc],
  ['Receptor', ({ draft }) => draft.receiver.name],
  ['C.P. del receptor', ({ draft }) => draft.receiver.postalCode],
  ['Régimen del receptor', ({ draft }) => draft.receiver.regime],
  ['Uso', ({ draft }) => draft.receiver.use],
  ['Forma de pago', ({ draft }) => `${draft.paymentForm} · ${PAYMENT_FORMS[draft.paymentForm]}`],
  ['Método de pago', () => 'PUE'],
  ['Moneda', () => 'MXN'],
  ['Subtotal', ({ draft }) => pesosCell(sumTotals(draft.lines).subtotal), true],
  ...IVA_RATES.toReversed().flatMap(byRate),
  ['Base exenta', ({ draft }) => pesosCell(draft.lines.reduce((sum, line) => (line.exempt ? sum + line.base : sum), 0)), true],
  ['IVA', ({ tax_centavos }) => pesosCell(tax_centavos), true],
  ['ISR retenido', ({ draft }) => pesosCell(sumTotals(draft.lines).withheld), true],
  ['Total', ({ total_centavos }) => pesosCell(total_centavos), true],
  ['Estado', ({ state }) => STATES[state]],
  ['Cancelada', ({ cancelledAt }) => cancelledAt && wallCell(wallClock(cancelledAt, zone))],
  ['Motivo', ({ cancel_motive }) => cancel_motive && motiveText(cancel_motive)],
  ['La sustituye', ({ substitute }) => substitute],
  ['Relación', ({ draft }) => draft.relation && `${draft.relation.type}: ${draft.relation.uuids.join(' ')}`],
  ['De prueba', ({ is_test }) => (is_test ? 'Sí: sin validez fiscal' : null)],
  ['Archivo', (row) => fileName(row)],
]

const chargeColumns = (zone: string): Column<ChargeRow>[] => [
  ['Cargo', (row) => formatFolio(row)],
  ['Pagado', ({ paidAt }) => wallCell(wallClock(paidAt, zone))],
  ['Concepto', ({ title }) => title],
  ['Cobrado', ({ total }) => pesosCell(total), true],
  ['Por facturar', ({ kept }) => pesosCell(kept), true],
  ['Forma de pago', ({ form }) => `${form} · ${PAYMENT_FORMS[form]}`],
  ['Por qué no tiene factura', (row) => reasonOf(row)],
]

const motiveText = (code: string): string =>
  code in CANCEL_MOTIVES ? `${code} · ${CANCEL_MOTIVES[code as keyof typeof CANCEL_MOTIVES]}` : code

/** "Todavía no está confirmado." */
function reasonOf(row: ChargeRow): string {
  const why = whyNotInvoiceable(row) ?? 'nadie la ha pedido.'
  return capitalize(why)
}

/** Pages of rows as the bytes of one CSV. */
async function* csvOf<T>(title: string, columns: readonly Column<T>[], pages: AsyncIterable<readonly T[]>): AsyncGenerator<Uint8Array> {
  const heads = columns.map(([header, , isMoney = false]): SheetColumn => ({ header, isMoney }))
  let isContinued = false
  for await (const rows of pages) {
    if (isContinued && rows.length === 0) return
    const cells = rows.map((row) => columns.map(([, cell]) => cell(row)))
    yield await drawSheet({ format: 'csv', title, columns: heads, rows: cells, isContinued })
    isContinued = true
  }
}

async function* documentPages({ db }: Ctx, ids: readonly number[]): AsyncGenerator<Listed[]> {
  if (ids.length === 0) yield []
  for (let at = 0; at < ids.length; at += DOCUMENTS) {
    const rows = await listWithoutXml(db, ids.slice(at, at + DOCUMENTS))
    const substitutes = await listUuids(
      db,
      rows.flatMap(({ substitute_id }) => substitute_id ?? []),
    )
    yield rows.map((row) => ({ ...row, substitute: (row.substitute_id && substitutes.get(row.substitute_id)) || null }))
  }
}

async function* chargePages({ db, settings }: Ctx, filter: MonthFilter): AsyncGenerator<ChargeRow[]> {
  for (let after = 0, size = CHARGES; size === CHARGES; ) {
    const rows = await listUninvoiced(db, settings, { ...filter, after, limit: CHARGES })
    size = rows.length
    after = rows.at(-1)?.invoice_id ?? after
    yield rows
  }
}

async function* entriesOf(ctx: Ctx, ids: readonly number[], filter: MonthFilter) {
  yield { name: 'facturas.csv', bytes: csvOf('Facturas', documentColumns(ctx.zone), documentPages(ctx, ids)) }
  yield { name: 'cargos-sin-factura.csv', bytes: csvOf('Cargos sin factura', chargeColumns(ctx.zone), chargePages(ctx, filter)) }
  for (const id of ids) {
    const row = await findDocument(ctx.db, id)
    if (!row) continue
    const { xml, pdf, receipt } = await loadDocumentFiles(ctx, row, { many: true })
    const name = fileName(row)
    yield { name: `xml/${name}.xml`, bytes: [xml] }
    yield { name: `pdf/${name}.pdf`, bytes: [pdf] }
    if (receipt) yield { name: `acuses/${name}.xml`, bytes: [receipt] }
  }
}

/**
 * The archive of a month, of the caller's locations or one of them; made while it is read, so that its size is not in memory. FORBIDDEN for
 * another location, EXPORT_TOO_LARGE, TOO_MANY_REQUESTS.
 */
export async function openMonth(ctx: Ctx, { month, location_id }: MonthInput): Promise<{ stream: Readable; name: string }> {
  if (location_id !== undefined) ctx.requireLocation('sales.invoice', location_id)
  const from = startOfDay(`${month}-01`, ctx.zone)
  const until = startOfDay(addMonths(`${month}-01`, 1), ctx.zone)
  const filter: MonthFilter = { month, from, until, location_id, location_ids: ctx.locationIds }
  const { ids, total } = await listMonthIds(ctx.db, filter, MAX_MONTH_DOCUMENTS)
  if (total > MAX_MONTH_DOCUMENTS) throw refuse('EXPORT_TOO_LARGE', { total, max: MAX_MONTH_DOCUMENTS })
  await ctx.throttle({ name: 'invoice-archive', subject: String(ctx.staff?.staff_id), ...ARCHIVES })
  const after = { title: 'Facturas del mes', format: 'ZIP', rows: ids.length, month, ...(location_id === undefined ? {} : { location_id }) }
  await ctx.tx((tx) => ctx.audit(tx, { action: 'list.export', entity: 'export', entity_id: 'facturas', after }))
  return { stream: zipStream(entriesOf(ctx, ids, filter)), name: `facturas-${month}.zip` }
}

/** GET /admin/exports/fiscal_documents, for callers of the typed API in the same process. */
export async function monthFile(ctx: Ctx, input: MonthInput): Promise<File> {
  const { stream, name } = await openMonth(ctx, input)
  return new File(await stream.toArray(), name, { type: 'application/zip' })
}
