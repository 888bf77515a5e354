/** Foreign archives: read within a limit, whatever sizes they declare. */
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import yazl from 'yazl'
import { readZip, ZipTooLarge } from './unzip.ts'
import { writeStoredZip, writeZip } from './zip.ts'

const all = { most: 1_000_000, needsFile: () => true }
const texts = (files: Map<string, Uint8Array>) => [...files].map(([name, bytes]) => [name, Buffer.from(bytes).toString()])

test('packed and stored files are read, also with sizes of 64 bits; unwanted ones are skipped', async () => {
  const packed = await writeZip([
    { name: 'a.xml', text: ['<a>', 'ñ</a>'] },
    { name: 'foto.png', text: ['x'] },
  ])
  expect(texts(readZip(packed, { ...all, needsFile: (name) => name.endsWith('.xml') }))).toEqual([['a.xml', '<a>ñ</a>']])
  const stored = await writeStoredZip(new Map([['b.txt', Buffer.from('hola')]]))
  expect(texts(readZip(stored, all))).toEqual([['b.txt', 'hola']])
  const wide = new yazl.ZipFile()
  wide.addReadStream(Readable.from([Buffer.from('lejos')]), 'c.txt', { forceZip64Format: true })
  wide.end({ forceZip64Format: true, comment: '' })
  const bytes = await buffer(wide.outputStream)
  // The directory of such an archive names its beginning in a record of 64 bits; the plain one is what this reads.
  const start = bytes.indexOf(Buffer.from('PK\u0001\u0002', 'latin1'))
  bytes.writeUInt32LE(start, bytes.length - 6)
  bytes.writeUInt16LE(1, bytes.length - 12)
  expect(texts(readZip(bytes, all))).toEqual([['c.txt', 'lejos']])
})

test('an archive that grows beyond the limit is refused, with one large file or many', async () => {
  const nulls = '\u0000'.repeat(600_000)
  const uint8Array = await writeZip([{ name: 'bomba.xml', text: [nulls, nulls] }])
  expect(uint8Array.length).toBeLessThan(5_000)
  expect(() => readZip(uint8Array, all)).toThrow(ZipTooLarge)
  const two = await writeZip(['a', 'b'].map((name) => ({ name, text: [nulls] })))
  expect(() => readZip(two, all)).toThrow(ZipTooLarge)
  // Its directory declares a small size.
  const lying = Buffer.from(uint8Array)
  lying.writeUInt32LE(10, lying.indexOf(Buffer.from('PK\u0001\u0002', 'latin1')) + 24)
  expect(() => readZip(lying, all)).toThrow(ZipTooLarge)
})

test('what is cut off, is no archive or points outside of it throws', async () => {
  const good = Buffer.from(await writeZip([{ name: 'a.xml', text: ['<a/>'] }]))
  expect(() => readZip(good.subarray(0, -30), all)).toThrow()
  expect(() => readZip(Buffer.from('PK nada'), all)).toThrow()
  const outside = Buffer.from(good)
  outside.writeUInt32LE(4_000_000, outside.indexOf(Buffer.from('PK\u0001\u0002', 'latin1')) + 42)
  expect(() => readZip(outside, all)).toThrow()
})
