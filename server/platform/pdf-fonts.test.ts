/** The unpacked fonts of receipts: every table is where its entry says, with the contents that its checksum was made of. */
import { expect, test } from 'vitest'
import { receiptFont } from './pdf-fonts.ts'

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
