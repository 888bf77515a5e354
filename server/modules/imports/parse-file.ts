/** Reads a CSV or Excel file into rows of text; on the worker thread. */
import Papa from 'papaparse'
import readXlsxFile from 'read-excel-file/node'
import type { ImportKind } from '#contract/imports.ts'
import { FORMULA } from '#server/platform/spreadsheet.ts'
import { readZip, ZipTooLarge } from '#server/platform/unzip.ts'
import { writeStoredZip } from '#server/platform/zip.ts'
import { headerScore, isEmailLike, isTotalsRow, TOO_LARGE } from './rules.ts'

export interface ParsedFile {
  header: string[]
  /** `n`: the row of the file, from 1. */
  rows: { n: number; cells: string[]; isTotal: boolean }[]
  /** How it was read, as people read it. */
  note: string
}

export type ParseResult = { file: ParsedFile } | { why: string }

/** Rows above the header that a report may have. */
const HEADER_WITHIN = 20

export const MOST_COLUMNS = 200
/** The last row in which a sheet may have a cell. */
const LAST_ROW = 200_000
/** The most bytes of a workbook once it is unpacked. */
const UNPACKED_BYTES = 100 * 1024 * 1024
export const tooWide = (columns: number) => `Trae ${columns} columnas; caben ${MOST_COLUMNS}. Quita las que no se importan.`

/** The table of a file, or why it cannot be read and how to save it again. */
export async function parseFile({
  bytes,
  maxRows,
  kind = 'customers',
}: {
  bytes: Uint8Array
  maxRows: number
  kind?: ImportKind
}): Promise<ParseResult> {
  const starts = (...codes: number[]) => codes.every((code, at) => bytes[at] === code)
  if (bytes.length === 0) return { why: 'El archivo está vacío.' }
  if (starts(0x25, 0x50, 0x44, 0x46)) return { why: 'Es un PDF. Expórtalo como CSV o Excel desde tu sistema.' }
  if (starts(0xd0, 0xcf, 0x11, 0xe0))
    return { why: 'Es un Excel con contraseña o de antes de 2007. Ábrelo, quítale la contraseña y guárdalo como .xlsx o CSV.' }
  const read = starts(0x50, 0x4b) ? await readWorkbook(bytes) : readText(bytes)
  if ('why' in read) return read
  return tableOf(read.lines, read.note, maxRows, kind)
}

type Lines = { lines: string[][]; note: string } | { why: string }

async function readWorkbook(bytes: Uint8Array): Promise<Lines> {
  try {
    const plain = await unpacked(bytes)
    if ('why' in plain) return plain
    const sheets = await readXlsxFile(plain.workbook)
    // Hidden sheets hold the lists and lookups of the file's author.
    const shown = sheets.filter((_, index) => !plain.hidden.has(index))
    const largest = (shown.length > 0 ? shown : sheets).toSorted((a, b) => b.data.length - a.data.length)[0]
    if (!largest) return { why: 'El archivo no tiene hojas.' }
    return { lines: largest.data.map((row) => row.map(textOf)), note: `Excel, hoja ${largest.sheet}` }
  } catch {
    return { why: 'No es un Excel que se pueda leer. Ábrelo y guárdalo otra vez como .xlsx o CSV.' }
  }
}

/**
 * A cell with a formula and no result, except a text, which may be empty; group 2 is its reference. Programs differ in the order of
 * attributes, their quotes and a prefix of the names. Lengths are limited: without limits, a tag that never ends would be read again for
 * each of its attributes.
 */
const EMPTY_FORMULA =
  /<(?:\w{1,20}:)?c\b(?![^<>]{0,400}\st=["']str["'])[^<>]{0,200}?\sr=(["'])([A-Z]{1,3}\d{1,7})\1[^<>]{0,200}>\s*<(?:\w{1,20}:)?f(?:>[^<]*<\/[\w:]+>|[^>]*\/>|\s[^>]*>[^<]*<\/[\w:]+>)\s*(?:<(?:\w{1,20}:)?v\s*\/>|<(?:\w{1,20}:)?v><\/[\w:]+>)?\s*<\/(?:\w{1,20}:)?c>/

/** The workbook without what is not read, not packed: the library unpacks and fills a table of any size. */
async function unpacked(bytes: Uint8Array): Promise<{ workbook: Buffer; hidden: ReadonlySet<number> } | { why: string }> {
  try {
    const files = readZip(bytes, { most: UNPACKED_BYTES, needsFile: (name) => /\.(xml|rels)$/i.test(name) && !/^docProps/i.test(name) })
    for (const file of files.values()) {
      const sheet = Buffer.from(file.buffer, file.byteOffset, file.byteLength).toString('latin1')
      const { column, row } = lastCell(sheet)
      const formula = EMPTY_FORMULA.exec(sheet)
      if (formula)
        return { why: `La celda ${formula[2]} es una fórmula sin su resultado. Ábrelo en Excel, guárdalo otra vez y vuelve a subirlo.` }
      if (column > MOST_COLUMNS) return { why: tooWide(column) }
      if (row > LAST_ROW) return { why: `Tiene algo en el renglón ${row}. Borra lo que está debajo de la tabla y guárdalo otra vez.` }
    }
    const name = 'xl/workbook.xml'
    const book = Buffer.from(files.get(name) ?? []).toString('utf8')
    // The library knows one of the two forms of this attribute: days of the other one would be four years too early.
    if (files.has(name)) files.set(name, Buffer.from(book.replace(/(\sdate1904=)(?:"(?:true|1)"|'(?:true|1)')/i, '$1"1"')))
    // Up to the next "<" only: a name that begins again and again would be read to the end of the file each time.
    const tags = [...book.matchAll(/<(?:\w{1,20}:)?sheet\s[^<>]*>/g)]
    const hidden = new Set(tags.flatMap(([tag], index) => (/\sstate=["'](hidden|veryHidden)["']/.test(tag) ? [index] : [])))
    return { workbook: Buffer.from(await writeStoredZip(files)), hidden }
  } catch (error) {
    if (error instanceof ZipTooLarge) return { why: TOO_LARGE }
    throw error
  }
}

/** A reference of a cell or row, in either quotes: ` r="AB12"`. */
const REFERENCE = /\sr\s*=\s*(?:"([^"<]{1,200})"|'([^'<]{1,200})')/g

/** A character by its number, as XML may have any letter of a reference. */
const CHARACTER = /&#(?:x([\da-f]{1,6})|(\d{1,7}));/gi

/** The largest column and row of the cells of a sheet, by their references. */
function lastCell(sheet: string): { column: number; row: number } {
  const last = { column: 0, row: 0 }
  for (const [, double, single] of sheet.matchAll(REFERENCE)) {
    const written = (double ?? single ?? '').replace(CHARACTER, (_, hex, decimal) =>
      String.fromCharCode(hex ? Number.parseInt(hex, 16) : Number(decimal)),
    )
    const [, columnName = '', digits = ''] = /^\s*([A-Z]*)(\d+)\s*$/i.exec(written) ?? []
    last.column = Math.max(
      last.column,
      [...columnName.toUpperCase()].reduce((sum, char) => sum * 26 + char.charCodeAt(0) - 64, 0),
    )
    last.row = Math.max(last.row, Number(digits))
  }
  return last
}

/**
 * A cell as text; days as ISO days, with the hour where they have one; an hour alone as such. Cells that are merged into another one
 * are empty.
 */
function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return ''
  if (cell instanceof Date) {
    if (Number.isNaN(cell.getTime())) return ''
    const [day = '', hour = ''] = cell.toISOString().slice(0, 16).split('T')
    // Excel stores an hour as a part of its day zero.
    return day < '1900-01-02' ? hour : hour === '00:00' ? day : `${day} ${hour}`
  }
  return String(cell).trim()
}

/** The apostrophe with which exports keep a cell from being a formula is no part of its text. */
const withoutApostrophe = (cell: string) => (cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell)

function readText(bytes: Uint8Array): Lines {
  const { text, encoding } = decode(bytes)
  if (text.includes('\u0000')) return { why: 'No es un archivo de texto. Expórtalo como CSV o Excel.' }
  const { data, meta, errors } = Papa.parse<string[]>(text.replace(/\r\n?/g, '\n'), {
    delimitersToGuess: [',', ';', '\t', '|'],
    skipEmptyLines: false,
  })
  const open = errors.find(({ code }) => code === 'MissingQuotes')
  if (open)
    return { why: `Las comillas del renglón ${(open.row ?? 0) + 1} no se cierran: lo que sigue no se puede leer. Corrígelas o quítalas.` }
  const names: Readonly<Record<string, string>> = { ',': 'comas', ';': 'punto y coma', '\t': 'tabuladores', '|': 'barras' }
  return {
    lines: data.map((row) => row.map(textOfCell)),
    note: `CSV separado por ${names[meta.delimiter] ?? meta.delimiter}, ${encoding}`,
  }
}

/** Excel writes `="0155"` so that a number keeps its zero: that is no part of the text. */
const textOfCell = (cell: string): string => withoutApostrophe(cell.trim()).replace(/^="([^"]*)"$/, '$1')

function decode(bytes: Uint8Array): { text: string; encoding: string } {
  const [a, b, c, d] = bytes
  if (a === 0xff && b === 0xfe) return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'UTF-16' }
  if (a === 0xfe && b === 0xff) return { text: new TextDecoder('utf-16be').decode(bytes), encoding: 'UTF-16' }
  // Without a mark: the first two characters are of ASCII.
  if (a && c && b === 0 && d === 0) return { text: new TextDecoder('utf-16le').decode(bytes), encoding: 'UTF-16' }
  if (b && d && a === 0 && c === 0) return { text: new TextDecoder('utf-16be').decode(bytes), encoding: 'UTF-16' }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), encoding: 'UTF-8' }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'Windows-1252' }
  }
}

/** An email, or a telephone: ten digits or more, which a date does not have. */
const isContact = (cell: string): boolean =>
  isEmailLike(cell) || (/^\+?[\d\s().-]{10,20}$/.test(cell) && cell.replace(/\D/g, '').length >= 10)

function tableOf(lines: string[][], note: string, maxRows: number, kind: ImportKind): ParseResult {
  const near = lines.slice(0, HEADER_WITHIN)
  // A row with an email or a telephone is a person, also when a cell of it is a word that is a header elsewhere, such as "Membresía".
  const firstPerson = near.findIndex((row) => row.some(isContact))
  const scores = near.map((row, index) => {
    const score = row.some(isContact) ? 0 : headerScore(row, kind)
    // Below a contact, which may be that of the studio in a title, one such word may be of a person without contact.
    return firstPerson >= 0 && index > firstPerson && score === 1 ? 0 : score
  })
  const best = Math.max(0, ...scores)
  // Without a header that we know, the first row with two texts is taken for it; if it is a person, the file has no header.
  const first = best > 0 ? scores.indexOf(best) : near.findIndex((row) => row.filter(Boolean).length > 1)
  const isHeaded = best > 0 || !(lines[first] ?? []).some(isContact)
  const at = isHeaded ? first : first - 1
  const head = isHeaded ? lines[first] : []
  if (!head || first < 0) return { why: 'No encontramos los encabezados de las columnas.' }
  const width = Math.max(head.length, ...lines.slice(at + 1, at + 200).map((row) => row.length))
  if (width > MOST_COLUMNS) return { why: tooWide(width) }
  const tooMany = (rows: number) => ({ why: `Trae ${rows} renglones; caben ${maxRows}. Divídelo en varios.` })
  const written = lines.reduce((sum, row, index) => sum + Number(index > at && row.some((cell) => cell !== '')), 0)
  // Repeated headers are not counted later, and are never as many as the rows.
  if (written > 2 * maxRows) return tooMany(written)
  const header = Array.from({ length: width }, (_, index) => head[index] || `Columna ${index + 1}`)
  const rows = lines.flatMap((row, index) => {
    if (index <= at || row.every((cell) => cell === '')) return []
    const cells = Array.from({ length: width }, (_, column) => (row[column] ?? '').slice(0, 2_500).replaceAll('\u0000', ''))
    // A report repeats its header on every page.
    if (headerScore(row, kind) >= 3 && row.every((cell, column) => cell === (head[column] ?? ''))) return []
    return [{ n: index + 1, cells, isTotal: isTotalsRow(row) }]
  })
  if (rows.length === 0) return { why: 'El archivo no tiene renglones.' }
  if (rows.length > maxRows) return tooMany(rows.length)
  return { file: { header, rows, note: `${note}. ${isHeaded ? `El encabezado está en el renglón ${at + 1}.` : 'No trae encabezados.'}` } }
}
