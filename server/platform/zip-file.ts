/** ZIP archives on disk, entry by entry: neither an entry nor the archive is ever in memory as a whole. */
import { type FileHandle, open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

const DEFLATE = 8
/** PKZIP 2.0, the first with deflate. */
const VERSION = 20
/** 1980-01-01, the earliest date of the format. */
const DATE = 0x21
/** Names are UTF-8. */
const UTF8 = 0x800
const LOCAL_BYTES = 30
/** Without the ZIP64 extension. */
const MOST_BYTES = 0xffff_ffff
const MOST_ENTRIES = 0xffff

/** Writes an archive to a new file. Throws when it gets larger than 4 GB or 65,535 entries. */
export class ZipFile {
  private readonly directory: Buffer[] = []
  private offset = 0
  private entries = 0
  private readonly file: FileHandle

  private constructor(file: FileHandle) {
    this.file = file
  }

  static async create(path: string): Promise<ZipFile> {
    return new ZipFile(await open(path, 'w', 0o600))
  }

  /** Adds an entry; its bytes are compressed as they come. */
  async add(name: string, bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    const path = Buffer.from(name, 'utf8')
    const start = this.offset
    const counted = { checksum: 0, size: 0 }
    async function* counting() {
      for await (const chunk of bytes) {
        counted.checksum = crc32(chunk, counted.checksum)
        counted.size += chunk.length
        yield chunk
      }
    }
    let at = start + LOCAL_BYTES + path.length
    const begun = at
    const source = Readable.from(counting(), { objectMode: false })
    const deflating = createDeflateRaw()
    source.once('error', (error) => deflating.destroy(error))
    for await (const chunk of source.pipe(deflating)) {
      await this.file.write(chunk as Buffer, 0, (chunk as Buffer).length, at)
      at += (chunk as Buffer).length
    }
    if (at > MOST_BYTES || counted.size > MOST_BYTES || ++this.entries > MOST_ENTRIES) throw new Error('The archive is too large.')
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(VERSION, 0)
    facts.writeUInt16LE(UTF8, 2)
    facts.writeUInt16LE(DEFLATE, 4)
    facts.writeUInt16LE(DATE, 8)
    facts.writeUInt32LE(counted.checksum, 10)
    facts.writeUInt32LE(at - begun, 14)
    facts.writeUInt32LE(counted.size, 18)
    facts.writeUInt16LE(path.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), facts, path])
    await this.file.write(local, 0, local.length, start)
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(start, 10)
    this.directory.push(Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), Buffer.from([VERSION, 0]), facts, rest, path]))
    this.offset = at
  }

  /** Writes the directory and closes the file; its size. */
  async finish(): Promise<number> {
    const central = Buffer.concat(this.directory)
    const end = Buffer.alloc(22)
    end.write('PK\x05\x06', 'latin1')
    end.writeUInt16LE(this.entries, 8)
    end.writeUInt16LE(this.entries, 10)
    end.writeUInt32LE(central.length, 12)
    end.writeUInt32LE(this.offset, 16)
    const last = Buffer.concat([central, end])
    await this.file.write(last, 0, last.length, this.offset)
    await this.file.close()
    return this.offset + last.length
  }

  /** Closes the file of an archive that was given up. */
  async abandon(): Promise<void> {
    await this.file.close().catch(() => undefined)
  }
}
