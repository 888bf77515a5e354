/** The unpacked fonts of receipts: every table is at the offset of its entry, with the contents of its checksum. */
import PDFDocument from 'pdfkit'
import { expect, test } from 'vitest'
import { receiptFont, registerReceiptFonts } from './pdf-fonts.ts'

const sumOf = (table: Buffer) => {
  const whole = Buffer.concat([table, Buffer.alloc((4 - (table.length % 4)) % 4)])
  let sum = 0
  for (let at = 0; at < whole.length; at += 4) sum = (sum + whole.readUInt32BE(at)) >>> 0
  return sum
}

test.each(['regular', 'bold'] as const)('the %s font has the tables of its WOFF file, whole', (weight) => {
  const font = receiptFont(weight)
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, n) => {
    const at = 12 + 16 * n
    const [checksum, from, length] = [font.readUInt32BE(at + 4), font.readUInt32BE(at + 8), font.readUInt32BE(at + 12)]
    return { tag: font.toString('latin1', at, at + 4), checksum, from, table: Buffer.from(font.subarray(from, from + length)) }
  })
  expect(tables.map(({ tag }) => tag)).toEqual(expect.arrayContaining(['cmap', 'glyf', 'head', 'hmtx', 'loca', 'name']))
  for (const { tag, checksum, from, table } of tables) {
    expect(from % 4, tag).toBe(0)
    // The font's own sum is not part of the sum of its head.
    if (tag === 'head') table.writeUInt32BE(0, 8)
    expect(sumOf(table), tag).toBe(checksum)
  }
  expect(receiptFont(weight)).toBe(font)
})

/** The bytes of a page with these lines. */
async function drawn(...lines: string[]): Promise<string> {
  const doc = new PDFDocument({ font: '', compress: false, info: { CreationDate: new Date(0) } })
  registerReceiptFonts(doc)
  const chunks: Uint8Array[] = []
  doc.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const ended = new Promise((resolve) => doc.on('end', resolve))
  for (const line of lines) doc.font('regular').text(line).font('bold').text(line)
  doc.end()
  await ended
  return Buffer.concat(chunks).toString('latin1')
}

test('a document is the same whatever was drawn before with the same parsed fonts', async () => {
  // No-break space and space are one glyph of the font, fi is another than f and i.
  const other = ['1\u00a0000\u00a0MXN', 'Total', 'oficina']
  const alone = await drawn('Total 290.00 MXN', 'Afiche')
  const before = await drawn(...other)
  expect(await drawn('Total 290.00 MXN', 'Afiche')).toBe(alone)
  expect(await drawn(...other)).toBe(before)
})
