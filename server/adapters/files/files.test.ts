import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { fileAddress } from '#contract/file-address.ts'
import { defaultSettings, filesBase } from '#contract/settings.ts'
import { loopbackS3 } from '#server/testing/loopback-s3.ts'
import { freshDatabase } from '#server/testing/postgres.ts'
import { chooseFiles } from './choose.ts'
import { diskFiles } from './disk.ts'
import { kindOf } from './kind.ts'
import { s3Files } from './s3.ts'
import { fileStoreSuite } from './suite.ts'

const account = { bucket: 'estudio-vaiven', region: 'us-east-1', accessKeyId: 'AKIDPRUEBA', secretAccessKey: 'secreto/de+prueba' }

fileStoreSuite('disk', freshDatabase, async () => {
  const root = await mkdtemp(join(tmpdir(), 'estudio-disco-'))
  return {
    store: diskFiles(root),
    lying: async () => (await readdir(root, { recursive: true })).sort(),
    async breakIt() {
      // A file in place of a folder: fails for root too, whom permissions do not stop.
      await rm(join(root, 'privado'), { recursive: true, force: true })
      await writeFile(join(root, 'privado'), '')
      await chmod(root, 0o500)
    },
    async close() {
      await chmod(root, 0o700)
      await rm(root, { recursive: true, force: true })
    },
  }
})

fileStoreSuite('S3', freshDatabase, async () => {
  const s3 = await loopbackS3(account)
  return {
    store: s3Files({ ...account, apiBase: s3.url }),
    lying: async () => [...s3.objects.keys()].sort(),
    async breakIt() {
      s3.failNext(503, 50)
    },
    async close() {
      expect(s3.refused).toEqual([])
      await s3.close()
    },
  }
})

describe('a bucket', () => {
  it('stores type, disposition and cache headers, and is retried when it is busy', async () => {
    const s3 = await loopbackS3(account)
    const store = s3Files({ ...account, apiBase: s3.url })
    const key = 'archivos/aaaaaaaaaaaaaaaaaaaaaa.pdf'
    s3.failNext(503, 1)
    const serving = {
      type: 'application/pdf',
      disposition: 'attachment; filename="a.pdf"',
      cacheControl: 'public, max-age=31536000, immutable',
    }
    await store.put(key, { bytes: Buffer.from('%PDF-1.7') }, serving)
    expect(s3.objects.get(key)).toEqual({ bytes: Buffer.from('%PDF-1.7'), ...serving })
    await s3.close()
  })

  it('refuses a wrong secret, and the error does not contain a secret', async () => {
    const s3 = await loopbackS3(account)
    const store = s3Files({ ...account, secretAccessKey: 'otro-secreto', apiBase: s3.url })
    const failure = await store
      .put(
        'archivos/aaaaaaaaaaaaaaaaaaaaaa.png',
        { bytes: Buffer.from('x') },
        { type: 'image/png', disposition: 'inline', cacheControl: '' },
      )
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(Error)
    expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain('otro-secreto')
    expect(s3.refused).toContain('The signature does not fit.')
    expect(s3.objects.size).toBe(0)
    await s3.close()
  })
})

describe('where files are stored (S1-3.08, S2-4.31)', () => {
  const folder = mkdtemp(join(tmpdir(), 'estudio-eleccion-'))
  afterAll(async () => rm(await folder, { recursive: true, force: true }))
  const keys = { S3_ACCESS_KEY_ID: account.accessKeyId, S3_SECRET_ACCESS_KEY: account.secretAccessKey }

  it('follows the setting while the studio runs, and still finds files stored before', async () => {
    const s3 = await loopbackS3(account)
    let settings = { ...defaultSettings, bucket: account.bucket, region: account.region }
    const files = chooseFiles({ dataDir: await folder, ...keys, S3_API_BASE: s3.url }, () => settings)
    const serving = { type: 'image/png', disposition: 'inline', cacheControl: '' }
    const [first, second] = [`archivos/${randomBytes(16).toString('hex')}.png`, `archivos/${randomBytes(16).toString('hex')}.png`]
    expect(files.forNew().place).toBe('server')
    await files.forNew().put(first, { bytes: Buffer.from('uno') }, serving)
    settings = { ...settings, files_location: 's3' }
    expect(files.forNew().place).toBe('s3')
    await files.forNew().put(second, { bytes: Buffer.from('dos') }, serving)
    expect([...s3.objects.keys()]).toEqual([second])
    for (const [location, key, text] of [
      ['server', first, 'uno'],
      ['s3', second, 'dos'],
    ] as const) {
      const found = await files.at(location).read(key)
      expect(found && (await buffer(found.stream)).toString()).toBe(text)
    }
    await s3.close()
  })

  it.each([
    [{ bucket: '' }, keys],
    [{ bucket: 'Mayúsculas' }, keys],
    [{ bucket: 'a/../b' }, keys],
    [{ region: 'evil.example/' }, keys],
    [{}, {}],
  ])('a bucket that is not set up says so instead of losing files: %j', async (change, env) => {
    const settings = { ...defaultSettings, files_location: 's3', bucket: account.bucket, region: account.region, ...change }
    const files = chooseFiles({ dataDir: await folder, ...env }, () => settings)
    expect(() => files.forNew()).toThrow(/bucket/)
    expect(files.at('server').place).toBe('server')
  })

  it('a file has the same path under the server and under the bucket (S1-3.07)', () => {
    const src = '/archivos/aaaaaaaaaaaaaaaaaaaaaa.png'
    const bucket = { ...defaultSettings, files_location: 's3', bucket: 'vaiven', region: 'us-east-1' }
    expect(fileAddress(src, filesBase(defaultSettings))).toBe(src)
    expect(fileAddress(src, filesBase(bucket))).toBe(`https://vaiven.s3.us-east-1.amazonaws.com${src}`)
    expect(fileAddress(src, filesBase({ ...bucket, S3_ENDPOINT: 'https://cdn.mx/' }))).toBe(`https://cdn.mx${src}`)
    for (const own of ['/arte/coach.svg', '/archivos/privado/a.png?firma=x']) expect(fileAddress(own, filesBase(bucket))).toBe(own)
    expect(fileAddress('logos/a.png', filesBase(bucket))).toBe('https://vaiven.s3.us-east-1.amazonaws.com/logos/a.png')
    expect(fileAddress('https://otra.mx/x.png', filesBase(bucket))).toBe('https://otra.mx/x.png')
  })
})

describe('file types (U3)', () => {
  const box = (brands: string) => Buffer.concat([Buffer.from([0, 0, 0, 8 + brands.length]), Buffer.from(`ftyp${brands}`, 'latin1')])
  it.each([
    ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
    ['image/png', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    ['image/gif', Buffer.from('GIF89a')],
    ['image/webp', Buffer.from('RIFF\x10\x00\x00\x00WEBPVP8X', 'latin1')],
    ['image/avif', box('avif\0\0\0\0avifmif1')],
    ['image/avif', box('mif1\0\0\0\0avifmif1')],
    ['application/pdf', Buffer.from('%PDF-1.4\n')],
    ['video/mp4', box('isom\0\0\x02\0isomiso2mp41')],
    ['video/webm', Buffer.from('\x1a\x45\xdf\xa3\x01\0\0\0\0\0\0\x1fB\x82\x84webm', 'latin1')],
  ])('a file is %s by its first bytes', (type, head) => {
    expect(kindOf(head)?.type).toBe(type)
  })

  it.each([
    ['nothing', ''],
    ['text', 'hola'],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['XML', '<?xml version="1.0"?><svg/>'],
    ['a PDF that does not begin with itself', '<html>%PDF-1.4'],
    ['a program', 'MZ\x90\0'],
    ['an ELF', '\x7fELF'],
    ['a zip', 'PK\x03\x04'],
    ['QuickTime', '\0\0\0\x14ftypqt  \0\0\0\0qt  '],
    ['HEIC', '\0\0\0\x18ftypheic\0\0\0\0mif1heic'],
    ['matroska', '\x1a\x45\xdf\xa3\x01\0\0\0matroska'],
    ['TIFF', 'II*\0'],
    ['BMP', 'BM'],
    ['half a PNG', '\x89PN'],
  ])('%s is not a stored file', (_, text) => {
    expect(kindOf(Buffer.from(text, 'latin1'))).toBeNull()
  })
})
