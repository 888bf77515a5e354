/** Tables as files: CSV for any program, XLSX for Excel. Runs on the worker thread (worker-thread.ts). */
import { escapeXml } from './escape.ts'
import { writeZip } from './zip.ts'

/** A day or a moment on a wall clock. */
export interface SheetDate {
  /** ISO 8601 without a zone, which spreadsheets read as a date: `2026-11-19` or `2026-11-19T12:00:00`. */
  wall: string
  /** The screen's text of it: of a cell that looks as on the screen. */
  text?: string
}

/** Text, a number, a date, or nothing. Money is a number of pesos. */
export type SheetCell = string | number | SheetDate | null

export interface SheetColumn {
  header: string
  /** Two decimals. */
  isMoney?: boolean
}

export interface SheetInput {
  format: 'csv' | 'xlsx'
  /** Name of the sheet in Excel: at most 31 characters, none of []:*?/\ */
  title: string
  columns: readonly SheetColumn[]
  /** More rows of a CSV whose beginning was written before: no byte order mark and no headers. */
  isContinued?: boolean
  rows: readonly (readonly SheetCell[])[]
}

/**
 * Excel, Sheets and Calc read such a cell of a CSV as a formula; some also where the sign has full width or is in the cell's second line.
 */
export const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

function csvCell(cell: SheetCell | undefined, { isMoney = false }: SheetColumn): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'number') return isMoney ? cell.toFixed(2) : String(cell)
  if (typeof cell === 'object') return csvCell(cell.text ?? cell.wall, { header: '' })
  const harmless = FORMULA.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** UTF-8 with a byte order mark, without which Excel misreads accents; rows end with CRLF (RFC 4180). */
function csvOf({ columns, rows, isContinued = false }: SheetInput): Uint8Array {
  const lines = [
    ...(isContinued ? [] : [columns.map(({ header }) => csvCell(header, { header }))]),
    ...rows.map((row) => columns.map((column, at) => csvCell(row[at], column))),
  ]
  return new TextEncoder().encode(`${isContinued ? '' : '\ufeff'}${lines.map((cells) => cells.join(',')).join('\r\n')}\r\n`)
}

/** The most characters of a cell in Excel. */
const CELL_LENGTH = 32_767
/** Style of a cell: the position in `cellXfs` of STYLES. */
const [BOLD, MONEY, MOMENT, DAY, SHOWN_MOMENT, SHOWN_DAY] = [1, 2, 3, 4, 5, 6]
/** Formats of dates, in the order of their styles: ISO 8601, and as on the screen (es-MX). */
const DATE_FORMATS = ['yyyy\\-mm\\-dd\\ hh:mm', 'yyyy\\-mm\\-dd', '[$-80A]ddd\\ dd\\ mmm\\ yyyy,\\ hh:mm', '[$-80A]dd\\ mmm\\ yyyy']
/** Number of the first format that is not built in. */
const FIRST_FORMAT = 164
/** Rows per piece of the XML. */
const PIECE = 500

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const SHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const CONTENT_TYPES = `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${SHEET_TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SHEET_TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${SHEET_TYPE}.styles+xml"/></Types>`
const relations = (...targets: readonly [type: string, target: string][]) =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${targets
    .map(([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${RELATIONS}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`
/** Number format 4 is `#,##0.00`. */
const STYLES = `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="${DATE_FORMATS.length}">${DATE_FORMATS.map(
  (code, at) => `<numFmt numFmtId="${FIRST_FORMAT + at}" formatCode="${code}"/>`,
).join(
  '',
)}</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="${3 + DATE_FORMATS.length}"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="4" applyNumberFormat="1"/>${DATE_FORMATS.map(
  (_, at) => `<xf numFmtId="${FIRST_FORMAT + at}" applyNumberFormat="1"/>`,
).join('')}</cellXfs></styleSheet>`

/** Text of a cell: without characters that XML forbids, and `_x0041_`, which Excel reads as a character, written literally. */
function xmlText(text: string): string {
  return escapeXml(
    text
      .slice(0, CELL_LENGTH)
      .toWellFormed()
      .replace(/\r\n?/g, '\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML forbids.
      .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
      .replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_'),
  )
}

/** A, B, ... Z, AA, AB: the name of a column, from 0. */
function columnName(at: number): string {
  const last = String.fromCharCode(65 + (at % 26))
  return at < 26 ? last : columnName(Math.floor(at / 26) - 1) + last
}

const DAY_MS = 86_400_000
/** Day 0 of the calendar of Excel from March 1900 on; earlier days are text. */
const DAY_ZERO = Date.UTC(1899, 11, 30)
const FIRST_DAY = '1900-03-01'

/** Text is written with its type, so no cell is read as a formula. */
function xlsxCell(at: string, cell: SheetCell | undefined, style: number): string {
  if (cell === null || cell === undefined || cell === '') return ''
  if (typeof cell === 'object') {
    const { wall, text } = cell
    const isDay = wall.length === 10
    const serial = (Date.parse(isDay ? wall : `${wall.slice(0, 19)}Z`) - DAY_ZERO) / DAY_MS
    if (Number.isNaN(serial) || wall < FIRST_DAY) return xlsxCell(at, text ?? wall, 0)
    return xlsxCell(at, serial, isDay ? (text === undefined ? DAY : SHOWN_DAY) : text === undefined ? MOMENT : SHOWN_MOMENT)
  }
  const styled = style ? ` s="${style}"` : ''
  return typeof cell === 'number'
    ? `<c r="${at}"${styled}><v>${cell}</v></c>`
    : `<c r="${at}"${styled} t="inlineStr"><is><t xml:space="preserve">${xmlText(cell)}</t></is></c>`
}

function* sheetXml({ columns, rows }: SheetInput): Generator<string> {
  const widths = columns.map(
    ({ header }, at) => `<col min="${at + 1}" max="${at + 1}" width="${Math.max(20, header.length + 2)}" customWidth="1"/>`,
  )
  const names = columns.map((_, at) => columnName(at))
  const rowXml = (number: number, cells: readonly (SheetCell | undefined)[], style: (at: number) => number) =>
    `<row r="${number}">${names.map((name, at) => xlsxCell(`${name}${number}`, cells[at], style(at))).join('')}</row>`
  const heads = columns.map(({ header }) => header)
  yield `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>${rowXml(1, heads, () => BOLD)}`
  const styleOf = columns.map(({ isMoney = false }) => (isMoney ? MONEY : 0))
  for (let from = 0; from < rows.length; from += PIECE)
    yield rows
      .slice(from, from + PIECE)
      .map((cells, at) => rowXml(from + at + 2, cells, (column) => (typeof cells[column] === 'number' ? (styleOf[column] ?? 0) : 0)))
      .join('')
  yield '</sheetData></worksheet>'
}

function xlsxOf(input: SheetInput): Promise<Uint8Array> {
  const workbook = `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="${xmlText(input.title)}" sheetId="1" r:id="rId1"/></sheets></workbook>`
  return writeZip([
    { name: '[Content_Types].xml', text: [CONTENT_TYPES] },
    { name: '_rels/.rels', text: [relations(['officeDocument', 'xl/workbook.xml'])] },
    { name: 'xl/workbook.xml', text: [workbook] },
    { name: 'xl/_rels/workbook.xml.rels', text: [relations(['worksheet', 'worksheets/sheet1.xml'], ['styles', 'styles.xml'])] },
    { name: 'xl/styles.xml', text: [STYLES] },
    { name: 'xl/worksheets/sheet1.xml', text: sheetXml(input) },
  ])
}

/** The file of a table. */
export async function writeSheet(input: SheetInput): Promise<Uint8Array> {
  return input.format === 'csv' ? csvOf(input) : xlsxOf(input)
}
