/** Archives on disk and in memory, read by another program. */
import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeZip, ZipFile, zipStream } from './zip.ts'

const run = promisify(execFile)
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'estudio-zip-'))
})
afterAll(() => rm(folder, { recursive: true }))

const NAMES = ['clientes.csv', 'imágenes/Peña & “Núñez” 🧘.png', 'vacío.txt']
const contentOf = (path: string, name: string) => run('unzip', ['-p', path, name], { encoding: 'buffer', maxBuffer: 1e9 })

test('writes entries in order, with names in UTF-8, to a file for its user only', async () => {
  const path = join(folder, 'a.zip')
  const zip = new ZipFile(path)
  const big = Buffer.alloc(3_000_000, 'áé')
  await zip.add(NAMES[0] ?? '', [Buffer.from('uno\n'), Buffer.from('dos\n')])
  await zip.add(
    NAMES[1] ?? '',
    (async function* () {
      for (let at = 0; at < big.length; at += 100_000) yield big.subarray(at, at + 100_000)
    })(),
  )
  await zip.add(NAMES[2] ?? '', [])
  const bytes = await zip.finish()
  const about = await stat(path)
  expect([about.size, about.mode & (constants.S_IRWXG | constants.S_IRWXO)]).toEqual([bytes, 0])
  expect((await run('zipinfo', ['-1', path], { env: { ...process.env, LC_ALL: 'C.UTF-8' } })).stdout.trim().split('\n')).toEqual(NAMES)
  await run('unzip', ['-tq', path])
  expect((await contentOf(path, 'clientes.csv')).stdout.toString()).toBe('uno\ndos\n')
  expect((await contentOf(path, 'im*')).stdout.equals(big)).toBe(true)
})

test('of the same contents are the same bytes', async () => {
  const build = () => writeZip([{ name: 'a.xml', text: ['<a>', 'á', '</a>'] }])
  const uint8Array = await build()
  expect(Buffer.from(uint8Array).equals(await build())).toBe(true)
  const path = join(folder, 'b.zip')
  await writeFile(path, uint8Array)
  expect((await contentOf(path, 'a.xml')).stdout.toString()).toBe('<a>á</a>')
})

test('an entry that cannot be read, or a file that cannot be written, fails the archive', async () => {
  const broken = () =>
    (function* () {
      yield 'a'
      throw new Error('no more rows')
    })()
  await expect(writeZip([{ name: 'a', text: broken() }])).rejects.toThrow('no more rows')
  const zip = new ZipFile(join(folder, 'c.zip'))
  await expect(
    zip.add(
      'a',
      (async function* () {
        yield* [Buffer.from('a')]
        throw new Error('no more rows')
      })(),
    ),
  ).rejects.toThrow('no more rows')
  await expect(zip.finish()).rejects.toThrow()
  await zip.abandon()
  const nowhere = new ZipFile(join(folder, 'nowhere', 'd.zip'))
  await expect(nowhere.add('a', [Buffer.alloc(1_000_000)]).then(() => nowhere.finish())).rejects.toThrow('ENOENT')
})

test('a streamed archive is whole; entries are made as it is read, and none once the reader left', async () => {
  const texts: string[] = []
  async function* entries(count: number) {
    for (let n = 0; n < count; n++) {
      texts.push(`${n}`)
      yield { name: `${n}.txt`, bytes: [Buffer.alloc(400_000, `${n}${Math.random()}`)] }
    }
  }
  const path = join(folder, 'e.zip')
  await writeFile(path, await buffer(zipStream(entries(3))))
  await run('unzip', ['-tq', path])
  expect((await run('zipinfo', ['-1', path])).stdout.trim().split('\n')).toEqual(['0.txt', '1.txt', '2.txt'])
  texts.length = 0
  const left = zipStream(
    (async function* () {
      for (let n = 0; ; n++) {
        texts.push(`${n}`)
        // Not compressible, so that an unread stream is full soon.
        yield { name: `${n}.bin`, bytes: [crypto.getRandomValues(new Uint8Array(60_000))] }
      }
    })(),
  )
  await new Promise((resolve) => left.once('readable', resolve))
  await new Promise((resolve) => setTimeout(resolve, 50))
  const before = texts.length
  expect(before).toBeLessThan(10)
  left.destroy()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(texts.length).toBeLessThanOrEqual(before + 1)
})

test('a streamed archive of which an entry cannot be made fails', async () => {
  async function* entries() {
    yield { name: 'a.txt', bytes: [Buffer.from('a')] }
    throw new Error('no more rows')
  }
  await expect(buffer(zipStream(entries()))).rejects.toThrow('no more rows')
})
