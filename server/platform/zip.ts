/** ZIP archives, written entry by entry: an entry is compressed while it is produced, so its text is never in memory as a whole. */
import { Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

export interface ZipEntry {
  /** Path in the archive, in ASCII. */
  name: string
  text: Iterable<string>
}

const DEFLATE = 8
/** PKZIP 2.0, the first with deflate. */
const VERSION = 20
/** 1980-01-01, the earliest date of the format: archives of the same contents are the same bytes. */
const DATE = 0x21

/** The bytes of an archive without the ZIP64 extension: below 4 GB and 65,536 entries. */
export async function writeZip(entries: readonly ZipEntry[]): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const { name, text } of entries) {
    const { content, checksum, size } = await deflate(text)
    const path = Buffer.from(name, 'latin1')
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(VERSION, 0)
    facts.writeUInt16LE(DEFLATE, 4)
    facts.writeUInt16LE(DATE, 8)
    facts.writeUInt32LE(checksum, 10)
    facts.writeUInt32LE(content.length, 14)
    facts.writeUInt32LE(size, 18)
    facts.writeUInt16LE(path.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), facts, path])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    const version = Buffer.from([VERSION, 0])
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), version, facts, rest, path]))
    parts.push(local, content)
    offset += local.length + content.length
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(offset, 16)
  return new Uint8Array(Buffer.concat([...parts, central, end]))
}

async function deflate(text: Iterable<string>): Promise<{ content: Buffer; checksum: number; size: number }> {
  let checksum = 0
  let size = 0
  function* chunks() {
    for (const one of text) {
      const bytes = Buffer.from(one)
      checksum = crc32(bytes, checksum)
      size += bytes.length
      yield bytes
    }
  }
  const compressed: Buffer[] = []
  const deflating = Readable.from(chunks()).pipe(createDeflateRaw())
  for await (const bytes of deflating) compressed.push(bytes as Buffer)
  return { content: Buffer.concat(compressed), checksum, size }
}
