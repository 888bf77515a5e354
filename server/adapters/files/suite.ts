/** What every place for files keeps. Each implementation's test calls this. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb } from '#server/platform/db.ts'
import type { FileStore } from './port.ts'

export interface StoreUnderTest {
  store: FileStore
  /** Names of everything that lies there, also of what should not. */
  lying(): Promise<string[]>
  /** Makes the place refuse what comes next. */
  breakIt(): Promise<void>
  close(): Promise<void>
}

const PICTURE = { type: 'image/png', disposition: 'inline', cacheControl: 'public, max-age=31536000, immutable' }
const name = (beginning = 'archivos', ending = 'png') => `${beginning}/${randomBytes(16).toString('base64url')}.${ending}`
const all = (stream: Readable) => buffer(stream)

/** `database`: any database, for the rule that nothing outside happens within a transaction. */
export function fileStoreSuite(title: string, database: () => Promise<string>, open: () => Promise<StoreUnderTest>): void {
  let at: StoreUnderTest
  let folder: string
  beforeAll(async () => {
    at = await open()
    folder = await mkdtemp(join(tmpdir(), 'estudio-subida-'))
  })
  afterAll(async () => {
    await at.close()
    await rm(folder, { recursive: true, force: true })
  })

  test(`${title}: bytes from memory come back as they were`, async () => {
    const [key, bytes] = [name(), randomBytes(70_000)]
    await at.store.put(key, { bytes }, PICTURE)
    const found = await at.store.read(key)
    expect(found?.size).toBe(70_000)
    expect((await all(found?.stream as Readable)).equals(bytes)).toBe(true)
  })

  test(`${title}: a file of three megabytes is taken from disk, where it stays`, async () => {
    const [key, bytes, path] = [name('privado', 'mp4'), randomBytes(3_000_000), join(folder, 'video')]
    await writeFile(path, bytes)
    await at.store.put(key, { path }, { ...PICTURE, type: 'video/mp4' })
    const found = await at.store.read(key)
    expect((await all(found?.stream as Readable)).equals(bytes)).toBe(true)
    expect((await readFile(path)).equals(bytes)).toBe(true)
  })

  test(`${title}: a range of bytes can be read, with the size of the whole file`, async () => {
    const [key, bytes] = [name(), randomBytes(10_000)]
    await at.store.put(key, { bytes }, PICTURE)
    for (const range of [
      { start: 0, end: 0 },
      { start: 100, end: 2_099 },
      { start: 9_999, end: 9_999 },
    ]) {
      const found = await at.store.read(key, range)
      expect(found?.size).toBe(10_000)
      expect((await all(found?.stream as Readable)).equals(bytes.subarray(range.start, range.end + 1))).toBe(true)
    }
  })

  test(`${title}: what is put again replaces what was there`, async () => {
    const key = name()
    await at.store.put(key, { bytes: Buffer.from('uno') }, PICTURE)
    await at.store.put(key, { bytes: Buffer.from('dos, más largo') }, PICTURE)
    expect((await all((await at.store.read(key))?.stream as Readable)).toString()).toBe('dos, más largo')
  })

  test(`${title}: a removed file is gone, and removing it again is no failure`, async () => {
    const key = name()
    await at.store.put(key, { bytes: Buffer.from('x') }, PICTURE)
    await at.store.remove(key)
    await at.store.remove(key)
    expect(await at.store.read(key)).toBeNull()
  })

  test(`${title}: what was never put is not there`, async () => {
    expect(await at.store.read(name())).toBeNull()
  })

  test.each([
    '../etc/passwd',
    'archivos/../privado/aaaaaaaaaaaaaaaaaaaaaa.png',
    '/etc/passwd',
    'archivos/corto.png',
    'archivos/aaaaaaaaaaaaaaaaaaaaaa',
    'archivos/aaaaaaaaaaaaaaaaaaaaaa.p/g',
    'otros/aaaaaaaaaaaaaaaaaaaaaa.png',
    'archivos/aaaaaaaaaaaaaaaaaaaaaa.png\u0000',
    '',
  ])(`${title}: the name %j is refused before anything is touched`, async (key) => {
    await expect(at.store.put(key, { bytes: Buffer.from('x') }, PICTURE)).rejects.toThrow('not the name')
    await expect(at.store.read(key)).rejects.toThrow('not the name')
    await expect(at.store.remove(key)).rejects.toThrow('not the name')
  })

  test(`${title}: nothing happens inside a transaction`, async () => {
    const db = openDb({ connection: await database() })
    const key = name()
    await expect(db.tx(() => at.store.put(key, { bytes: Buffer.from('x') }, PICTURE))).rejects.toThrow('inside a transaction')
    expect(await at.store.read(key)).toBeNull()
    await db.close()
  })

  test(`${title}: a file that cannot be read leaves nothing behind`, async () => {
    const before = await at.lying()
    await expect(at.store.put(name(), { path: join(folder, 'no-existe') }, PICTURE)).rejects.toThrow()
    expect(await at.lying()).toEqual(before)
  })

  test(`${title}: a place that is out of order says so`, async () => {
    await at.breakIt()
    const before = await at.lying()
    await expect(at.store.put(name('privado'), { bytes: Buffer.from('x') }, PICTURE)).rejects.toThrow()
    expect(await at.lying()).toEqual(before)
  })
}
