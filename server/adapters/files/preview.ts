/**
 * How many bytes from the start of a video file show its first seconds, so that a preview can be sent without the rest of the film. Only
 * containers that can be played from their start: WebM, and MP4 with its index (`moov`) before the frames.
 */
import { type FileHandle, open } from 'node:fs/promises'

/** The longest preview in seconds. */
export const PREVIEW_SECONDS = 15
/** A preview is at most this share of the film. */
const MOST_OF_FILM = 1 / 2
/** Limits of what is read of a malformed file: elements of a WebM, and bytes of an MP4's index. */
const MOST_ELEMENTS = 100_000
const LARGEST_INDEX = 32 * 1_048_576

/** The bytes of a preview; null when there is none: another container, an index at the end, or a malformed file. */
export async function previewBytes(path: string, type: string): Promise<number | null> {
  await using file = await open(path, 'r')
  const { size } = await file.stat()
  try {
    const bytes = type === 'video/webm' ? await inWebm(file, size) : type === 'video/mp4' ? await inMp4(file, size) : null
    return bytes !== null && bytes > 0 && bytes < size ? bytes : null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

async function read(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at)
  return buffer.subarray(0, bytesRead)
}

const secondsOf = (whole: number): number => Math.min(PREVIEW_SECONDS, whole * MOST_OF_FILM)

const SEGMENT = 0x18538067
const INFO = 0x1549a966
const CLUSTER = 0x1f43b675
const TIMESTAMP = 0xe7
const TIMESTAMP_SCALE = 0x2ad7b1
const DURATION = 0x4489
/** Elements whose children are read in sequence with their siblings. */
const ENTERED = new Set([SEGMENT, INFO, CLUSTER])

/** The offset of the first cluster that begins after the preview. */
async function inWebm(file: FileHandle, size: number): Promise<number | null> {
  let [at, cluster, scale, limit] = [0, 0, 1_000_000, PREVIEW_SECONDS]
  for (let count = 0; count < MOST_ELEMENTS && at < size; count++) {
    const head = await read(file, at, 12)
    const id = variableInt(head, 0, true)
    const length = variableInt(head, id.bytes, false)
    const body = at + id.bytes + length.bytes
    if (id.value === CLUSTER) cluster = at
    if (ENTERED.has(id.value)) {
      at = body
      continue
    }
    if (length.isUnknown) return null
    if (id.value === TIMESTAMP_SCALE) scale = unsigned(await read(file, body, length.value))
    if (id.value === DURATION) limit = secondsOf((float(await read(file, body, length.value)) * scale) / 1e9)
    if (id.value === TIMESTAMP && (unsigned(await read(file, body, length.value)) * scale) / 1e9 >= limit) return cluster
    at = body + length.value
  }
  return null
}

/** An EBML integer of variable length; `marked`: with its length marker, as ids are written. */
function variableInt(bytes: Buffer, at: number, marked: boolean): { value: number; bytes: number; isUnknown: boolean } {
  const first = bytes.readUInt8(at)
  const length = Math.clz32(first) - 23
  if (length > 8) throw new RangeError('Not an EBML integer.')
  let value = marked ? first : first & ((1 << (8 - length)) - 1)
  let isUnknown = !marked && value === (1 << (8 - length)) - 1
  for (let i = 1; i < length; i++) {
    const byte = bytes.readUInt8(at + i)
    value = value * 256 + byte
    isUnknown &&= byte === 0xff
  }
  return { value, bytes: length, isUnknown }
}

function unsigned(bytes: Buffer): number {
  if (bytes.length === 0 || bytes.length > 6) throw new RangeError('Not a number.')
  return bytes.readUIntBE(0, bytes.length)
}

const float = (bytes: Buffer): number => (bytes.length === 4 ? bytes.readFloatBE(0) : bytes.readDoubleBE(0))

/** The offset behind the last chunk that the preview needs, of all tracks. */
async function inMp4(file: FileHandle, size: number): Promise<number | null> {
  for (let at = 0; at + 8 <= size; ) {
    const head = await read(file, at, 16)
    const short = head.readUInt32BE(0)
    const length = short === 1 ? Number(head.readBigUInt64BE(8)) : short
    const type = head.toString('latin1', 4, 8)
    if (length < 8 || type === 'mdat') return null
    if (type === 'moov') {
      if (length > LARGEST_INDEX) return null
      const index = (await read(file, at, length)).subarray(8)
      const movie = only(index, 'mvhd')
      const limit = secondsOf(durationOf(movie))
      const ends = children(index)
        .filter((box) => box.type === 'trak')
        .map(({ body }) => endInTrack(body, limit))
      return ends.length > 0 && ends.every((end) => end !== null) ? Math.max(...ends) : null
    }
    at += length
  }
  return null
}

interface Box {
  type: string
  body: Buffer
}

function children(parent: Buffer): Box[] {
  const boxes: Box[] = []
  for (let at = 0; at + 8 <= parent.length; ) {
    const length = parent.readUInt32BE(at)
    if (length < 8) throw new RangeError('Not a box.')
    boxes.push({ type: parent.toString('latin1', at + 4, at + 8), body: parent.subarray(at + 8, at + length) })
    at += length
  }
  return boxes
}

function only(parent: Buffer, ...path: string[]): Buffer {
  let body = parent
  for (const type of path) {
    const found = children(body).find((box) => box.type === type)
    if (!found) throw new RangeError(`No ${type}.`)
    body = found.body
  }
  return body
}

/** Seconds of a header box (`mvhd`), or units per second when only the scale is needed. */
function timesOf(header: Buffer): { scale: number; duration: number } {
  return header.readUInt8(0) === 1
    ? { scale: header.readUInt32BE(20), duration: Number(header.readBigUInt64BE(24)) }
    : { scale: header.readUInt32BE(12), duration: header.readUInt32BE(16) }
}

const durationOf = (header: Buffer): number => {
  const { scale, duration } = timesOf(header)
  return duration / scale
}

/** The offset of the chunk after the one with the last sample of the preview; null when the track ends before it. */
function endInTrack(track: Buffer, limit: number): number | null {
  const media = only(track, 'mdia')
  const { scale } = timesOf(only(media, 'mdhd'))
  const table = only(media, 'minf', 'stbl')
  const sample = sampleAt(only(table, 'stts'), limit * scale)
  if (sample === null) return null
  const chunk = chunkOf(only(table, 'stsc'), sample) + 1
  const long = children(table).find(({ type }) => type === 'co64')?.body
  const offsets = long ?? only(table, 'stco')
  if (chunk >= offsets.readUInt32BE(4)) return null
  return long ? Number(long.readBigUInt64BE(8 + chunk * 8)) : offsets.readUInt32BE(8 + chunk * 4)
}

/** The number of the first sample that begins at `time` or later, counted from 0; null when there is none. */
function sampleAt(durations: Buffer, time: number): number | null {
  let [sample, now] = [0, 0]
  for (let i = 0; i < durations.readUInt32BE(4); i++) {
    const count = durations.readUInt32BE(8 + i * 8)
    const each = durations.readUInt32BE(12 + i * 8)
    if (now + count * each > time) return sample + (each === 0 ? 0 : Math.ceil((time - now) / each))
    sample += count
    now += count * each
  }
  return null
}

/** The number of the chunk with a sample, both counted from 0. */
function chunkOf(runs: Buffer, sample: number): number {
  const count = runs.readUInt32BE(4)
  let left = sample
  for (let i = 0; i < count; i++) {
    const first = runs.readUInt32BE(8 + i * 12) - 1
    const perChunk = runs.readUInt32BE(12 + i * 12)
    if (perChunk === 0) throw new RangeError('An empty chunk.')
    const next = i + 1 < count ? runs.readUInt32BE(8 + (i + 1) * 12) - 1 : Number.POSITIVE_INFINITY
    if (left < (next - first) * perChunk) return first + Math.floor(left / perChunk)
    left -= (next - first) * perChunk
  }
  throw new RangeError('No such sample.')
}
