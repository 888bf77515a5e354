import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { previewBytes } from './preview.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'preview-'))
})
afterAll(() => rm(folder, { recursive: true }))

const stored = async (bytes: Uint8Array): Promise<string> => {
  const path = join(folder, `${Math.random()}`)
  await writeFile(path, bytes)
  return path
}

const u32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, i * 4)
  return bytes
}
const box = (type: string, ...body: Buffer[]): Buffer => {
  const content = Buffer.concat(body)
  return Buffer.concat([u32(content.length + 8), Buffer.from(type, 'latin1'), content])
}

/** A track of one sample per second; `perChunk` of them are stored together, every chunk has 1000 bytes and begins at `first`. */
const track = (seconds: number, perChunk: number, first: number): Buffer =>
  box(
    'trak',
    box(
      'mdia',
      box('mdhd', u32(0, 0, 0, 90_000, seconds * 90_000, 0)),
      box(
        'minf',
        box(
          'stbl',
          box('stts', u32(0, 1, seconds, 90_000)),
          box('stsc', u32(0, 1, 1, perChunk, 1)),
          box(
            'stco',
            u32(0, Math.ceil(seconds / perChunk), ...Array.from({ length: Math.ceil(seconds / perChunk) }, (_, i) => first + i * 1_000)),
          ),
        ),
      ),
    ),
  )

const mp4 = (seconds: number, isIndexFirst = true): Buffer => {
  const index = box('moov', box('mvhd', u32(0, 0, 0, 1_000, seconds * 1_000, 0)), track(seconds, 2, 10_000), track(seconds, 5, 10_500))
  const frames = box('mdat', Buffer.alloc(80_000))
  return Buffer.concat([box('ftyp', Buffer.from('isom')), ...(isIndexFirst ? [index, frames] : [frames, index])])
}

describe('the bytes of a preview (O17)', () => {
  test('an MP4 ends after the chunk with its fifteenth second, of the longest track', async () => {
    // Second 15 is in the eighth chunk of the first track and in the fourth of the second.
    expect(await previewBytes(await stored(mp4(60)), 'video/mp4')).toBe(10_000 + 8 * 1_000)
  })

  test('a preview is at most half of the film', async () => {
    // Second 10 of 20: the sixth chunk of the first track.
    expect(await previewBytes(await stored(mp4(20)), 'video/mp4')).toBe(10_000 + 6 * 1_000)
  })

  test('none for an MP4 with its index at the end, and for malformed files', async () => {
    expect(await previewBytes(await stored(mp4(60, false)), 'video/mp4')).toBeNull()
    for (const cut of [9, 40, 200, 400]) expect(await previewBytes(await stored(mp4(60).subarray(0, cut)), 'video/mp4')).toBeNull()
    for (const bytes of [Buffer.alloc(64), Buffer.alloc(64, 0xff), Buffer.from('\x1a\x45\xdf\xa3webm', 'latin1')])
      for (const type of ['video/webm', 'video/mp4']) expect(await previewBytes(await stored(bytes), type)).toBeNull()
    expect(await previewBytes(await stored(mp4(60)), 'image/png')).toBeNull()
  })

  test('a WebM ends before the first cluster that begins after half of it', async () => {
    // A clip of 7 seconds whose second cluster begins at byte 22,659.
    const clip = fileURLToPath(new URL('../../demo/clips/barre.webm', import.meta.url))
    expect(await previewBytes(clip, 'video/webm')).toBe(22_659)
  })
})
