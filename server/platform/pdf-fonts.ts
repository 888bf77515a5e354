/** The fonts of receipts and invoices, unpacked once per thread: the library inflates a table of a WOFF file in JavaScript for every glyph that it looks at. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { inflateSync } from 'node:zlib'

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
