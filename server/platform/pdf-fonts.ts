/**
 * The fonts of receipts and invoices, unpacked and parsed once per thread: the library inflates a table of a WOFF file in JavaScript for
 * every glyph, and would parse the tables and lay out every word again in each document.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { inflateSync } from 'node:zlib'
import PDFDocument from 'pdfkit'

const require = createRequire(import.meta.url)

// The layout of both formats: the header, then an entry per table (WOFF 1.0, sections 3 and 4).
const WOFF = { header: 44, entry: 20 }
const SFNT = { header: 12, entry: 16 }

/** The font file that a WOFF file was made from. */
export function unpackWoff(woff: Buffer): Buffer {
  const tables = woff.readUInt16BE(12)
  const font = Buffer.alloc(woff.readUInt32BE(16))
  woff.copy(font, 0, 4, 8)
  font.writeUInt16BE(tables, 4)
  const power = Math.floor(Math.log2(tables))
  const searched = SFNT.entry * 2 ** power
  font.writeUInt16BE(searched, 6)
  font.writeUInt16BE(power, 8)
  font.writeUInt16BE(SFNT.entry * tables - searched, 10)
  let at = SFNT.header + SFNT.entry * tables
  for (let n = 0; n < tables; n++) {
    const packed = WOFF.header + WOFF.entry * n
    const [from, length, unpacked] = [woff.readUInt32BE(packed + 4), woff.readUInt32BE(packed + 8), woff.readUInt32BE(packed + 12)]
    const table = woff.subarray(from, from + length)
    const entry = SFNT.header + SFNT.entry * n
    woff.copy(font, entry, packed, packed + 4)
    woff.copy(font, entry + 4, packed + 16, packed + 20)
    font.writeUInt32BE(at, entry + 8)
    font.writeUInt32BE(unpacked, entry + 12)
    font.set(length < unpacked ? inflateSync(table) : table, at)
    // Tables begin at multiples of four.
    at += Math.ceil(unpacked / 4) * 4
  }
  return font
}

const FILES = {
  regular: () => require.resolve('@fontsource/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-400-normal.woff'),
  bold: () => require.resolve('@fontsource/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-700-normal.woff'),
}
const unpacked = new Map<keyof typeof FILES, Buffer>()

export function receiptFont(weight: keyof typeof FILES): Buffer {
  const known = unpacked.get(weight)
  if (known) return known
  const font = unpackWoff(readFileSync(FILES[weight]()))
  unpacked.set(weight, font)
  return font
}

/** What is used of a font of fontkit, the library's parser. */
interface ParsedFont {
  layout(text: string, features?: unknown): Run
  glyphForCodePoint(codePoint: number): unknown
}
interface Run {
  positions: object[]
}

/** The letters that documents may contain, in order: the codes of a glyph are those of its first code, also when another document used it before. */
const GLYPH_CODES = { first: 0x20, last: 0xff }
/** How many words are cached, to be set once: those of the forms, prices and names. */
const CACHED_WORDS = 2_000

/** Sets each word once. Each caller gets positions of its own, because a document scales those that it gets. */
function cachingWords(font: ParsedFont): ParsedFont {
  const layout = font.layout.bind(font)
  const cached = new Map<string, Run>()
  const copied = (run: Run): Run =>
    Object.assign(Object.create(Object.getPrototypeOf(run)), run, { positions: run.positions.map((one) => ({ ...one })) })
  font.layout = (text, features) => {
    if (features) return layout(text, features)
    let run = cached.get(text)
    if (!run) {
      run = layout(text)
      if (cached.size >= CACHED_WORDS) cached.clear()
      cached.set(text, run)
    }
    return copied(run)
  }
  return font
}

const parsed = new Map<keyof typeof FILES, ParsedFont>()

function parsedFont(weight: keyof typeof FILES): ParsedFont {
  const known = parsed.get(weight)
  if (known) return known
  // The library exports no parser: a document without pages has the parsed font.
  const reader = new PDFDocument({ font: '', autoFirstPage: false }).font(receiptFont(weight))
  const { font } = (reader as unknown as { _font: { font: ParsedFont } })._font
  for (let code = GLYPH_CODES.first; code <= GLYPH_CODES.last; code++) font.glyphForCodePoint(code)
  parsed.set(weight, cachingWords(font))
  return font
}

/** Gives a document the fonts `regular` and `bold`. */
export function registerReceiptFonts(doc: PDFKit.PDFDocument): void {
  // A parsed font is accepted, which the types of the library do not allow.
  for (const weight of ['regular', 'bold'] as const) doc.registerFont(weight, parsedFont(weight) as unknown as Uint8Array)
}
