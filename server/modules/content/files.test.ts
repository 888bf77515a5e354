/**
 * Which files are accepted, under which name, and who sees them (docs/domain.md, "Files"; S2-7.01 to S2-7.06, S2-9.12; ASVS 5). After the
 * upload: files-life.test.ts.
 */
import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { dirname, join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FILE_KINDS } from '#contract/files.ts'
import { type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { plain as grey, storedFiles as keptBy, listFilesIn as lyingIn, png, type Sent, upload } from '#server/testing/uploads.ts'
import { sweepFiles } from './files.ts'

let on: TestStudio
let ana: Person
let beto: Person
let reception: Person
let owner: Person
beforeAll(async () => {
  on = await studio()
  ;[ana, beto] = [await on.make.customer(), await on.make.customer()]
  ;[reception, owner] = [await on.make.staff('reception'), await on.make.staff('owner')]
})
afterAll(() => on.close())

const send = (person: Person | null, bytes: Uint8Array | string, name?: string, more?: Record<string, unknown>) =>
  upload(on, person, bytes, name, more)
const storeFile = (person: Person, bytes: Uint8Array | string, name?: string, more?: Record<string, unknown>) =>
  keptBy(on, person, bytes, name, more)
const get = (src: string, headers: Record<string, string> = {}, method = 'GET') => fetch(`${on.url}${src}`, { headers, method })
const bytesOf = async (src: string) => Buffer.from(await (await get(src)).arrayBuffer())
const lying = () => lyingIn(on.dataDir)
const rows = () => on.sql<{ n: number }>('select count(*)::int as n from file').then(([row]) => row?.n)

describe('an uploaded image (U3)', () => {
  it('an uploaded image is rotated upright and loses its metadata: time, location and camera', async () => {
    const photo = await grey(400, 200)
      .jpeg()
      .withExif({ IFD0: { Make: 'CamaraDeAna', Copyright: 'Ana' }, IFD3: { GPSLatitude: '19/1 25/1 0/1', GPSLongitude: '99/1 9/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .toBuffer()
    expect((await sharp(photo).metadata()).exif).toBeDefined()
    const file = await storeFile(ana, photo, 'playa.jpg')
    expect(file).toMatchObject({
      name: 'playa.jpg',
      type: 'image/jpeg',
      width: 200,
      height: 400,
      is_public: false,
      customer_id: ana.customer_id,
    })
    const shown = await bytesOf(file.src)
    const about = await sharp(shown).metadata()
    expect(about).toMatchObject({ format: 'jpeg', width: 200, height: 400 })
    for (const left of ['exif', 'xmp', 'iptc', 'orientation'] as const) expect(about[left]).toBeUndefined()
    expect(shown.includes('CamaraDeAna')).toBe(false)
    expect(shown.length).toBe(file.size)
  })

  it('an uploaded image has a thumbnail of 100 x 100 (S2-9.12)', async () => {
    const file = await storeFile(ana, await png())
    expect(await sharp(await bytesOf(file.thumbnail ?? '')).metadata()).toMatchObject({ format: 'webp', width: 100, height: 100 })
  })

  it('keeps its type; AVIF becomes WebP, an animated GIF stays animated, and large ones are scaled down', async () => {
    for (const [bytes, type] of [
      [await png(), 'image/png'],
      [await grey(50, 50).webp().toBuffer(), 'image/webp'],
      [await grey(50, 50).avif().toBuffer(), 'image/webp'],
    ] as const)
      expect((await storeFile(ana, bytes)).type).toBe(type)
    const frames = await Promise.all(
      ['#f00', '#0f0', '#00f'].map((background) =>
        sharp({ create: { width: 40, height: 30, channels: 3, background } })
          .png()
          .toBuffer(),
      ),
    )
    const gif = await storeFile(
      ana,
      await sharp(frames, { join: { animated: true } })
        .gif()
        .toBuffer(),
      'baile.gif',
    )
    expect(gif).toMatchObject({ type: 'image/gif', width: 40, height: 30 })
    expect((await sharp(await bytesOf(gif.src), { animated: true }).metadata()).pages).toBe(3)
    expect(await storeFile(ana, await grey(5_000, 1_000).jpeg().toBuffer())).toMatchObject({ width: 2_560, height: 512 })
  })

  it('with appended data is only the image afterwards', async () => {
    const evil = '<script>alert(document.domain)</script>'
    const jpeg = await grey(20, 20).jpeg().toBuffer()
    const comment = Buffer.from(evil)
    const commented = Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, 0xfe, 0, comment.length + 2]), comment, jpeg.subarray(2)])
    const gifjs = Buffer.concat([await grey(20, 20).gif().toBuffer(), Buffer.from(`/*${evil}*/=1;alert(1)`)])
    const zipped = Buffer.concat([await png(), Buffer.from(`PK\x03\x04${evil}`)])
    for (const polyglot of [commented, gifjs, zipped]) {
      expect(polyglot.includes(evil)).toBe(true)
      expect((await bytesOf((await storeFile(ana, polyglot)).src)).includes('script')).toBe(false)
    }
  })
})

describe('refused uploads', () => {
  const html = '<!doctype html><script>alert(1)</script>'
  it.each([
    ['HTML called a photo', html, 'foto.jpg'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 'logo.svg'],
    ['SVG called PNG', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>', 'logo.png'],
    ['a program', 'MZ\x90\0', 'foto.png'],
    ['a text', 'hola', 'nota.txt'],
    ['a script', 'alert(1)', 'x.js'],
  ])('%s: FILE_TYPE, and nothing is left of it', async (_, text, name) => {
    const before = [await lying(), await rows()]
    expect(await send(ana, text, name)).toMatchObject({
      status: 415,
      code: 'FILE_TYPE',
      message: expect.stringMatching(/^Ese tipo de archivo no se acepta\./),
    })
    expect([await lying(), await rows()]).toEqual(before)
  })

  it('a HEIC photo, with a message about what to do', async () => {
    const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')
    expect(await send(ana, heic, 'IMG_0001.HEIC')).toMatchObject({
      status: 415,
      code: 'FILE_HEIC',
      message: 'Las fotos HEIC no se aceptan. Guárdala como JPG y vuelve a elegirla.',
    })
  })

  it('a truncated image, one with only a valid header, and one with too many pixels', async () => {
    const whole = await sharp({
      create: { width: 600, height: 600, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 60 }, background: '#000' },
    })
      .jpeg()
      .toBuffer()
    const bomb = await grey(12_000, 12_000).png({ compressionLevel: 9 }).toBuffer()
    expect(bomb.length).toBeLessThan(FILE_KINDS.image.bytes)
    const before = [await lying(), await rows()]
    for (const bytes of [whole.subarray(0, whole.length / 2), Buffer.from('\x89PNG\r\n\x1a\nhola', 'latin1'), bomb])
      expect(await send(ana, bytes)).toMatchObject({ status: 415, code: 'FILE_UNREADABLE' })
    expect([await lying(), await rows()]).toEqual(before)
  })

  it('an empty file, a body without a file, invalid JSON data, and a body that is not multipart', async () => {
    expect(await send(ana, '')).toMatchObject({ status: 400, code: 'FILE_MISSING', message: 'Debes cargar el archivo solicitado.' })
    const authorization = `Bearer ${ana.token}`
    const post = async (body: BodyInit, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${on.url}/api/files`, { method: 'POST', body, headers: { authorization, ...headers } })
      return [answer.status, ((await answer.json()) as Sent).code]
    }
    const form = new FormData()
    form.append('data', '{}')
    expect(await post(form)).toEqual([400, 'FILE_MISSING'])
    const wrong = new FormData()
    wrong.append('file', new File([new Uint8Array(await png())], 'a.png'))
    wrong.append('data', '{"name":')
    expect(await post(wrong)).toEqual([400, 'INVALID_INPUT'])
    expect(await post('{}', { 'content-type': 'application/json' })).toEqual([415, 'UNSUPPORTED_BODY'])
    expect(
      await post('--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\nhalf', {
        'content-type': 'multipart/form-data; boundary=x',
      }),
    ).toEqual([400, 'MALFORMED_BODY'])
    expect(await post('x', { 'content-type': 'multipart/form-data' })).toEqual([400, 'MALFORMED_BODY'])
    const two = new FormData()
    for (const name of ['a.png', 'b.png']) two.append('file', new File([new Uint8Array(await png())], name))
    expect(await post(two)).toEqual([400, 'MALFORMED_BODY'])
  })

  it('a file that is too large, with or without Content-Length', async () => {
    const before = [await lying(), await rows()]
    const big = Buffer.concat([await png(), Buffer.alloc(FILE_KINDS.image.bytes)])
    expect(await send(ana, big)).toMatchObject({
      status: 413,
      code: 'FILE_TOO_LARGE',
      message: 'El archivo es demasiado grande. El límite es de 10 MB.',
    })
    const answer = await new Promise<{ status: number; code: string }>((done, fail) => {
      // Without a length the server finds out while it reads.
      const req = request(
        `${on.url}/api/files`,
        {
          method: 'POST',
          headers: {
            authorization: `Bearer ${ana.token}`,
            'content-type': 'multipart/form-data; boundary=x',
            'transfer-encoding': 'chunked',
          },
        },
        (res) => {
          let text = ''
          res.on('data', (part) => {
            text += part
          })
          res.on('end', () => done({ status: res.statusCode ?? 0, code: (JSON.parse(text) as Sent).code ?? '' }))
        },
      )
      req.on('error', fail)
      req.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n')
      req.write(big)
      req.end('\r\n--x--\r\n')
    })
    expect(answer).toEqual({ status: 413, code: 'FILE_TOO_LARGE' })
    expect([await lying(), await rows()]).toEqual(before)
  })

  it('a video is accepted, except from reception; a too large video from no one', async () => {
    const video = Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isomiso2', 'latin1'), Buffer.alloc(5_000, 7)])
    expect(await send(ana, video, 'v.mp4')).toMatchObject({ status: 415, code: 'FILE_TYPE' })
    expect(await storeFile(reception, video, 'v.mp4', { is_public: true })).toMatchObject({
      type: 'video/mp4',
      size: video.length,
      thumbnail: null,
    })
    expect(await send(reception, Buffer.concat([video, Buffer.alloc(FILE_KINDS.video.bytes)]))).toMatchObject({
      status: 413,
      code: 'FILE_TOO_LARGE',
    })
  })

  it('an upload without a token, or with an invalid one, is refused', async () => {
    expect(await send(null, await png())).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
    expect(await send({ ...ana, token: 'a.b.c' }, await png())).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
  })
})

describe('names', () => {
  it.each([
    ['../../etc/passwd.png', 'passwd.png'],
    ['C:\\fotos\\yo.png', 'yo.png'],
    ['..png', 'archivo.png'],
    ['factura.exe', 'factura.png'],
    ['Mi año 2026 ☀.JPEG', 'Mi año 2026 ☀.png'],
    ['\u202egnp.exe', 'gnp.png'],
    [`${'a'.repeat(300)}.png`, `${'a'.repeat(110)}.png`],
  ])('%j is stored as %j, and lies under another name', async (typed, name) => {
    const file = await storeFile(ana, await png(), typed)
    expect(file.name).toBe(name)
    const [row] = await on.sql<{ key: string }>('select key from file where file_id = $1', [file.file_id])
    expect(row?.key).toMatch(/^privado\/[\w-]{22}\.png$/)
    expect(await lying()).toContain(row?.key)
  })
})

describe('access (U2, U5)', () => {
  it('customers list their own files, reception all (S2-7.01, U2)', async () => {
    const mine = await storeFile(ana, await png())
    const theirs = await storeFile(beto, await png())
    const account = await on.make.account()
    const nobodys = await storeFile(account, await png())
    const ids = async (person: Parameters<typeof on.as>[0], input: object = {}) =>
      (await on.as(person).files.list(input)).files.map(({ file_id }) => file_id)
    expect(await ids(ana)).toContain(mine.file_id)
    for (const input of [{}, { customer_id: beto.customer_id }, { kind: 'image' }]) {
      expect(await ids(ana, input)).not.toContain(theirs.file_id)
      expect(await ids(ana, input)).not.toContain(nobodys.file_id)
    }
    expect(await ids(account)).toEqual([nobodys.file_id])
    expect(await ids(ana, { kind: 'video' })).toEqual([])
    expect(await ids(await on.make.staff('coach'))).toEqual([])
    for (const { file_id } of [mine, theirs, nobodys]) expect(await ids(reception)).toContain(file_id)
    expect(await ids(reception, { customer_id: beto.customer_id })).not.toContain(mine.file_id)
    expect((await refusalOf(on.as(null).files.list({}))).code).toBe('UNAUTHENTICATED')
  })

  it('a customer’s file is visible to them and reception; to others it is not found', async () => {
    const { file_id, src, thumbnail } = await storeFile(ana, await png())
    for (const person of [ana, reception, owner]) expect((await on.as(person).files.one({ file_id })).file.file_id).toBe(file_id)
    const coach = await on.make.staff('coach')
    for (const person of [beto, coach, await on.make.account()]) {
      expect(await refusalOf(on.as(person).files.one({ file_id }))).toMatchObject({ code: 'NOT_FOUND', status: 404 })
      expect((await refusalOf(on.as(person).files.update({ file_id, name: 'mía.png' }))).code).toBe('NOT_FOUND')
      expect((await refusalOf(on.as(person).files.remove({ file_id }))).code).toBe('NOT_FOUND')
    }
    expect((await refusalOf(on.as(null).files.one({ file_id }))).code).toBe('UNAUTHENTICATED')
    const bare = src.split('?')[0] ?? ''
    for (const address of [bare, `${bare}?firma=`, `${bare}?firma=x.1.aaaa`, bare.replace('privado/', ''), thumbnail?.split('?')[0] ?? ''])
      expect([address, (await get(address)).status]).toEqual([address, 404])
    // A signature is for one file.
    const other = await storeFile(ana, await png())
    expect((await get(`${bare}?${other.src.split('?')[1]}`)).status).toBe(404)
  })

  it('a private link stays the same for a while, is valid for at least 15 minutes and then expires', async () => {
    const ownStudio = await studio()
    const [customer] = [await ownStudio.make.customer()]
    const file = await keptBy(ownStudio, customer, await png())
    const open = async () => (await fetch(ownStudio.url + file.src)).status
    expect((await ownStudio.as(customer).files.one({ file_id: file.file_id })).file.src).toBe(file.src)
    ownStudio.clock.advance({ minutes: 15 })
    expect(await open()).toBe(200)
    ownStudio.clock.advance({ minutes: 16 })
    expect(await open()).toBe(404)
    const { src } = (await ownStudio.as(customer).files.one({ file_id: file.file_id })).file
    expect((await fetch(ownStudio.url + src)).status).toBe(200)
    await ownStudio.close()
  })

  it('private bytes are cached by one browser only, public ones by all, and neither can run as a page (U7)', async () => {
    const mine = await get((await storeFile(ana, await png(), 'yo.png')).src)
    expect(Object.fromEntries(mine.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'private, max-age=900',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'content-disposition': `inline; filename="yo.png"; filename*=UTF-8''yo.png`,
    })
    const shown = await storeFile(owner, await png(), 'logo.png', { is_public: true })
    expect(shown).toMatchObject({ is_public: true, customer_id: null })
    expect(shown.src).toMatch(/^\/archivos\/[\w-]{22}\.png$/)
    const theirs = await get(shown.src)
    expect(Object.fromEntries(theirs.headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect((await get(shown.src, {}, 'HEAD')).headers.get('content-length')).toBe(String(shown.size))
  })

  it('a document is downloaded, not opened, under its own name', async () => {
    const pdf = await storeFile(ana, '%PDF-1.7\n<script>app.alert(1)</script>', 'identificación "oficial".pdf')
    const answer = await get(pdf.src)
    expect(answer.headers.get('content-type')).toBe('application/pdf')
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="identificacion oficial.pdf"; filename*=UTF-8''identificaci%C3%B3n%20oficial.pdf`,
    )
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
  })

  it('owner and visibility sent by a customer are ignored', async () => {
    expect(await storeFile(ana, await png(), 'a.png', { is_public: true, customer_id: beto.customer_id })).toMatchObject({
      is_public: false,
      customer_id: ana.customer_id,
    })
  })

  it('reception uploads for a customer or for the studio, but not for an unknown customer', async () => {
    const file = await storeFile(reception, await png(), 'a.png', { customer_id: beto.customer_id })
    expect(file).toMatchObject({ is_public: false, customer_id: beto.customer_id })
    expect((await on.as(beto).files.one({ file_id: file.file_id })).file.customer_id).toBe(beto.customer_id)
    expect((await refusalOf(on.as(ana).files.one({ file_id: file.file_id }))).code).toBe('NOT_FOUND')
    expect(await storeFile(reception, await png())).toMatchObject({ is_public: false, customer_id: null })
    expect(await send(reception, await png(), 'a.png', { customer_id: 2_000_000_000 })).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect(await on.sql(`select 1 from audit where action = 'file.upload' and entity_id = $1`, [String(file.file_id)])).toHaveLength(1)
  })

  it.each([
    '/archivos/..%2f..%2fetc%2fpasswd',
    '/archivos/%2e%2e/x.png',
    '/archivos/a.png',
    '/archivos/privado/..%2f..%2fx.png',
    `/archivos/${'a'.repeat(22)}.png`,
    '/archivos/',
    '/archivos',
  ])('%s leads nowhere', async (path) => {
    const answer = await get(path)
    expect(answer.status).toBe(404)
    expect(await answer.text()).not.toContain('root:')
  })
})

describe('ranges of a file', () => {
  it('ranges of a file are sent to players that request them', async () => {
    const bytes = Buffer.concat([
      Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isomiso2', 'latin1'),
      Buffer.from(Array.from({ length: 2_000 }, (_, i) => i % 251)),
    ])
    const { src } = await storeFile(reception, bytes, 'v.mp4', { is_public: true })
    const part = async (range: string) => {
      const answer = await get(src, { range })
      return [answer.status, answer.headers.get('content-range'), Buffer.from(await answer.arrayBuffer())] as const
    }
    expect(await part('bytes=0-99')).toEqual([206, `bytes 0-99/${bytes.length}`, bytes.subarray(0, 100)])
    expect(await part('bytes=2000-')).toEqual([206, `bytes 2000-${bytes.length - 1}/${bytes.length}`, bytes.subarray(2_000)])
    expect(await part('bytes=-10')).toEqual([206, `bytes ${bytes.length - 10}-${bytes.length - 1}/${bytes.length}`, bytes.subarray(-10)])
    expect((await part('bytes=5000-'))[0]).toBe(416)
    for (const odd of ['bytes=a-b', 'items=0-1', 'bytes=-', 'bytes=0-1,5-6']) expect((await part(odd))[0]).toBe(200)
  })
})

it('what killed processes left on the disk is deleted after a day, and nothing else', async () => {
  const old = new Date(on.clock.now().getTime() - 25 * 3_600_000)
  const half = 'bbbbbbbbbbbbbbbbbbbbbb.png.11111111-2222-4333-8444-555555555555'
  const leftovers = {
    left: 'archivos-en-camino/x.zip',
    going: 'archivos-en-camino/y',
    half: `privado/${half}`,
    stored: 'privado/cccccccccccccccccccccc.png',
  }
  for (const [what, name] of Object.entries(leftovers)) {
    mkdirSync(dirname(join(on.dataDir, name)), { recursive: true })
    writeFileSync(join(on.dataDir, name), what)
    const at = what === 'going' ? on.clock.now() : old
    utimesSync(join(on.dataDir, name), at, at)
  }
  await sweepFiles(on.system())
  const left = Object.entries(leftovers).flatMap(([what, name]) => (existsSync(join(on.dataDir, name)) ? [what] : []))
  expect(left).toEqual(['going', 'stored'])
  for (const name of [leftovers.going, leftovers.stored]) rmSync(join(on.dataDir, name))
})

it('no temporary file of an upload remains', async () => {
  expect(await readdir(join(on.dataDir, 'archivos-en-camino'))).toEqual([])
})
