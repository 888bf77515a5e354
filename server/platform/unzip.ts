/** The files of an uploaded ZIP archive, in memory: never more bytes than the caller allows, whatever sizes the archive declares. */
import { inflateRawSync } from 'node:zlib'

export class ZipTooLarge extends Error {}

/** The records of the format: the end of its directory, an entry of it, and the beginning of a file. */
const [END, ENTRY, LOCAL] = [0x06054b50, 0x02014b50, 0x04034b50]
const END_BYTES = 22
const LONGEST_COMMENT = 65_535
/** Marks a field whose value is among the extra ones, with 64 bits. */
const ELSEWHERE = 0xffff_ffff
const SIZES_64 = 1

interface Wanted {
  /** The most bytes of all files together. */
  most: number
  /** Whether a file of this path is read; the others take neither time nor memory. */
  needsFile: (name: string) => boolean
}

/** Throws ZipTooLarge, and other errors for a file that is no archive, is encrypted or is compressed by another method than deflate. */
export function readZip(bytes: Uint8Array, { most, needsFile }: Wanted): Map<string, Uint8Array> {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const files = new Map<string, Uint8Array>()
  const end = endOf(zip)
  let at = zip.readUInt32LE(end + 16)
  let left = most
  for (let entries = zip.readUInt16LE(end + 10); entries > 0; entries--) {
    if (zip.readUInt32LE(at) !== ENTRY) throw new Error('The directory of the archive is broken.')
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field)) as [number, number, number]
    const name = zip.toString('utf8', at + 46, at + 46 + nameBytes)
    if (needsFile(name)) {
      if (zip.readUInt16LE(at + 8) & 1) throw new Error('The archive is encrypted.')
      const { packed, local } = entryPosition(zip, at, zip.subarray(at + 46 + nameBytes, at + 46 + nameBytes + extraBytes))
      const file = unpack(dataAt(zip, local, packed), zip.readUInt16LE(at + 10), left)
      left -= file.length
      files.set(name, file)
    }
    at += 46 + nameBytes + extraBytes + commentBytes
  }
  return files
}

function endOf(zip: Buffer): number {
  for (let at = zip.length - END_BYTES; at >= Math.max(0, zip.length - END_BYTES - LONGEST_COMMENT); at--)
    if (zip.readUInt32LE(at) === END) return at
  throw new Error('This is no archive.')
}

/** How many bytes a file has in the archive, and where it begins. */
function entryPosition(zip: Buffer, at: number, extra: Buffer): { packed: number; local: number } {
  const written = { size: zip.readUInt32LE(at + 24), packed: zip.readUInt32LE(at + 20), local: zip.readUInt32LE(at + 42) }
  for (let field = 0; field + 4 <= extra.length; field += 4 + extra.readUInt16LE(field + 2)) {
    if (extra.readUInt16LE(field) !== SIZES_64) continue
    let value = field + 4
    for (const name of ['size', 'packed', 'local'] as const)
      if (written[name] === ELSEWHERE) {
        written[name] = Number(extra.readBigUInt64LE(value))
        value += 8
      }
  }
  return written
}

function dataAt(zip: Buffer, local: number, packed: number): Buffer {
  if (zip.readUInt32LE(local) !== LOCAL) throw new Error('A file of the archive is broken.')
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
  return zip.subarray(start, start + packed)
}

function unpack(data: Buffer, method: number, left: number): Uint8Array {
  if (method === 0) {
    if (data.length > left) throw new ZipTooLarge()
    return data
  }
  if (method !== 8) throw new Error('A file of the archive is packed in an unknown way.')
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(1, left) })
  } catch (error) {
    throw (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? new ZipTooLarge() : error
  }
}
