/** The unpacked fonts of receipts: every table is at the offset of its entry, with the contents of its checksum. */
import PDFDocument from 'pdfkit'
import { expect, test } from 'vitest'
import { objectsOf, pdfText } from '#server/testing/pdf-text.ts'
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

/** The bytes of a page with these lines, each in both weights. */
async function pageOf(lines: readonly string[], { compress = true } = {}): Promise<Buffer> {
  const doc = new PDFDocument({ font: '', compress, info: { CreationDate: new Date(0) } })
  registerReceiptFonts(doc)
  const chunks: Uint8Array[] = []
  doc.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const ended = new Promise((resolve) => doc.on('end', resolve))
  for (const line of lines) doc.font('regular').text(line).font('bold').text(line)
  doc.end()
  await ended
  return Buffer.concat(chunks)
}

const drawn = async (...lines: string[]): Promise<string> => (await pageOf(lines, { compress: false })).toString('latin1')

test('a document is the same whatever was drawn before with the same parsed fonts', async () => {
  // No-break space and space are one glyph of the font, fi is another than f and i.
  const other = ['1\u00a0000\u00a0MXN', 'Total', 'oficina']
  const alone = await drawn('Total 290.00 MXN', 'Afiche')
  const before = await drawn(...other)
  expect(await drawn('Total 290.00 MXN', 'Afiche')).toBe(alone)
  expect(await drawn(...other)).toBe(before)
})

/** The font files of a page, by the name of their font. */
function fontFilesOf(page: Buffer): Record<string, string> {
  const objects = objectsOf(page)
  const files = [...objects.values()].flatMap((body) => {
    const [, name, file] = /\/FontName \/\w+\+(\S+)[\s\S]*\/FontFile2 (\d+) 0 R/.exec(body) ?? []
    return name && file ? [[name, objects.get(file) ?? '']] : []
  })
  return Object.fromEntries(files)
}

test('pages with other words in common letters have the same font files, one with another letter has its glyph too', async () => {
  const common = [['Total $290.00 MXN', 'Peña Güereca, ¿año? ¡Sí!'], ['Comprobante “Vaivén” – 1 clase…']] as const
  const [first, other] = await Promise.all(common.map((lines) => pageOf(lines)))
  const files = fontFilesOf(first as Buffer)
  expect(Object.keys(files)).toHaveLength(2)
  expect(Math.min(...Object.values(files).map((file) => file.length))).toBeGreaterThan(5_000)
  expect(fontFilesOf(other as Buffer)).toEqual(files)
  expect(pdfText(first as Buffer)).toBe(common[0].flatMap((line) => [line, line]).join('\n'))

  const odd = await pageOf(['Françoise Œuvre', 'Total'])
  expect(pdfText(odd)).toBe('Françoise Œuvre\nFrançoise Œuvre\nTotal\nTotal')
  for (const [name, file] of Object.entries(fontFilesOf(odd))) expect(file.length).toBeGreaterThan(files[name]?.length ?? 0)
  // The page after it has the common letters alone again.
  expect(fontFilesOf(await pageOf(['Total']))).toEqual(files)
})
