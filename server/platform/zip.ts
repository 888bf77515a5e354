/** ZIP archives, in memory, on disk or as a stream: entries are compressed as they come, so none of them is in memory as a whole. */
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { finished, pipeline } from 'node:stream/promises'
import yazl from 'yazl'

/** The earliest date of the format: archives of the same contents are the same bytes. */
const DATE = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true }

/** Adds an entry whose failure fails the archive. */
function addEntry(zip: yazl.ZipFile, name: string, source: Readable): void {
  source.once('error', (error) => (zip.outputStream as Readable).destroy(error))
  zip.addReadStream(source, name, DATE)
}

interface ZipEntry {
  /** Path in the archive. */
  name: string
  text: Iterable<string>
}

function* bytesOf(text: Iterable<string>): Iterable<Buffer> {
  for (const chunk of text) yield Buffer.from(chunk)
}

/** The bytes of an archive. */
export async function writeZip(entries: readonly ZipEntry[]): Promise<Uint8Array> {
  const zip = new yazl.ZipFile()
  for (const { name, text } of entries) addEntry(zip, name, Readable.from(bytesOf(text)))
  zip.end()
  return new Uint8Array(await buffer(zip.outputStream))
}

/** The bytes of an archive whose files are not compressed. */
export async function writeStoredZip(files: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array> {
  const zip = new yazl.ZipFile()
  for (const [name, bytes] of files) zip.addBuffer(Buffer.from(bytes), name, { ...DATE, compress: false })
  zip.end()
  return new Uint8Array(await buffer(zip.outputStream))
}

/** Writes an archive to a new file that only this user may read. */
export class ZipFile {
  private readonly zip = new yazl.ZipFile()
  private readonly written: Promise<void>
  private readonly file

  constructor(path: string) {
    this.file = createWriteStream(path, { mode: 0o600 })
    this.written = pipeline(this.zip.outputStream, this.file)
    // The failure is thrown by whichever of the methods below waits for it.
    this.written.catch(() => undefined)
  }

  /** Adds an entry, and waits until its bytes are read. */
  async add(name: string, bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
    const source = Readable.from(bytes, { objectMode: false })
    addEntry(this.zip, name, source)
    await Promise.race([finished(source), this.written])
  }

  /** Writes the directory and closes the file; its size. */
  async finish(): Promise<number> {
    this.zip.end()
    await this.written
    return this.file.bytesWritten
  }

  /** Closes the file of an archive that was given up. */
  async abandon(): Promise<void> {
    ;(this.zip.outputStream as Readable).destroy()
    await this.written.catch(() => undefined)
  }
}

interface StreamedEntry {
  /** Path in the archive. */
  name: string
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/**
 * An archive whose entries are made as fast as it is read. When one cannot be made the stream fails, so that an incomplete archive is not
 * taken for a whole one; when the reader disconnects, no further entry is made.
 */
export function zipStream(entries: AsyncIterable<StreamedEntry>): Readable {
  const zip = new yazl.ZipFile()
  const output = zip.outputStream as Readable
  const ended = finished(output).catch(() => undefined)
  const fill = async () => {
    for await (const { name, bytes } of entries) {
      if (output.destroyed) return
      const source = Readable.from(bytes, { objectMode: false })
      addEntry(zip, name, source)
      await Promise.race([finished(source), ended])
    }
    zip.end()
  }
  fill().catch((error: Error) => output.destroy(error))
  return output
}
