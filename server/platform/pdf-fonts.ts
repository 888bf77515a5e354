/**
 * The fonts of receipts and invoices, unpacked and parsed once per thread: the library inflates a table of a WOFF file in JavaScript for
 * every glyph, and would parse the tables and lay out every word again in each document.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { deflateSync, inflateSync } from 'node:zlib'
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
  glyphForCodePoint(codePoint: number): Glyph
  createSubset(): Subset
}
interface Run {
  positions: object[]
}
interface Glyph {
  id: number
  advanceWidth: number
  codePoints: number[]
}
/** The glyphs of one document, and the font file with them alone. */
interface Subset {
  glyphs: number[]
  includeGlyph(id: number): number
  encode(): Uint8Array
}

/** What is used of a font in a document: its glyphs and, by their number, widths and letters. */
interface DocumentFont {
  scale: number
  subset: Subset
  widths: number[]
  unicode: number[][]
}

/** What is used of a part of a document: its bytes, which are deflated when it ends. */
interface Part {
  data: { Filter?: string }
  compress: boolean
  end(chunk?: Uint8Array | string): void
}

/**
 * The letters that documents may contain, in order: the codes of a glyph are those of its first code, also when another document used
 * it before.
 */
const GLYPH_CODES = { first: 0x20, last: 0xff }
/** How many words are cached, to be set once: those of the forms, prices and names. */
const CACHED_WORDS = 2_000

/** Sets each word once. Each caller gets positions of its own, because a document scales those that it gets. */
function cachingWords(font: ParsedFont): ParsedFont {
  const layout = font.layout.bind(font)
  const cached = new Map<string, Run>()
  const copied = (run: Run): Run =>
    Object.assign(Object.create(Object.getPrototypeOf(run)), run, { positions: run.positions.map((position) => ({ ...position })) })
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

/**
 * The letters that every document embeds, whether it has them or not: those of Spanish, of English, and of amounts. The file of a font with
 * these glyphs is made and deflated once per thread, which was three quarters of the time of a receipt, for 7 kB more in each; a document
 * with other letters makes its own.
 */
const EMBEDDED_CHARACTERS = ` !"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_\`abcdefghijklmnopqrstuvwxyz{|}~\u00a0áéíóúüñÁÉÍÓÚÜÑ¿¡ªº°«»·–—‘’“”•…€`

/** A font, parsed, with its file for the embedded letters. */
interface ReceiptFont {
  font: ParsedFont
  characters: readonly Glyph[]
  /** The number of glyphs of those letters, with the one for a missing letter. */
  glyphs: number
  file: Uint8Array
}

const parsed = new Map<keyof typeof FILES, ReceiptFont>()

function parsedFont(weight: keyof typeof FILES): ReceiptFont {
  const known = parsed.get(weight)
  if (known) return known
  // The library exports no parser: a document without pages has the parsed font.
  const reader = new PDFDocument({ font: '', autoFirstPage: false }).font(receiptFont(weight))
  const { font } = documentFont(reader) as DocumentFont & { font: ParsedFont }
  for (let code = GLYPH_CODES.first; code <= GLYPH_CODES.last; code++) font.glyphForCodePoint(code)
  const characters = Array.from(EMBEDDED_CHARACTERS, (character) => font.glyphForCodePoint(character.codePointAt(0) ?? 0))
  const subset = font.createSubset()
  for (const { id } of characters) subset.includeGlyph(id)
  const glyphs = subset.glyphs.length
  const found = { font: cachingWords(font), characters, glyphs, file: subset.encode() }
  parsed.set(weight, found)
  return found
}

const documentFont = (doc: PDFKit.PDFDocument): DocumentFont => (doc as unknown as { _font: DocumentFont })._font

/**
 * The deflated bytes of what is the same in every document: the files of fonts and the letters of their glyphs. Few: each document adds two
 * of its own at most.
 */
const deflated = new Map<Uint8Array | string, Uint8Array>()
const CACHED_PARTS = 16

function deflatedOnce(chunk: Uint8Array | string): Uint8Array {
  let bytes = deflated.get(chunk)
  if (!bytes) {
    // As the library writes a text: each character is a byte, and a line ends it.
    bytes = deflateSync(typeof chunk === 'string' ? Buffer.from(`${chunk}\n`, 'latin1') : chunk)
    if (deflated.size >= CACHED_PARTS) deflated.clear()
    deflated.set(chunk, bytes)
  }
  return bytes
}

/** Deflates the parts of a document that are written as a whole once: those of its fonts. Contents of pages are written line by line. */
function deflatingOnce(doc: PDFKit.PDFDocument): void {
  const internals = doc as unknown as { ref(data?: object): Part }
  const ref = internals.ref.bind(doc)
  internals.ref = (data) => {
    const part = ref(data)
    const end = part.end.bind(part)
    part.end = (chunk) => {
      if (chunk === undefined || !part.compress) return end(chunk)
      part.compress = false
      part.data.Filter = 'FlateDecode'
      end(deflatedOnce(chunk))
    }
    return part
  }
}

/** Gives a document the fonts `regular` and `bold`. */
export function registerReceiptFonts(doc: PDFKit.PDFDocument): void {
  deflatingOnce(doc)
  for (const weight of ['regular', 'bold'] as const) {
    const { font, characters, glyphs, file } = parsedFont(weight)
    // A parsed font is accepted, which the types of the library do not allow.
    doc.registerFont(weight, font as unknown as Uint8Array).font(weight)
    const { scale, subset, widths, unicode } = documentFont(doc)
    const encode = subset.encode.bind(subset)
    subset.encode = () => (subset.glyphs.length === glyphs ? file : encode())
    for (const { id, advanceWidth, codePoints } of characters) {
      const number = subset.includeGlyph(id)
      widths[number] ??= advanceWidth * scale
      unicode[number] ??= codePoints
    }
  }
}
