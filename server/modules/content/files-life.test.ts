/** Files after their upload: quota, removal, names, lists, buckets (docs/domain.md, U1, U4 to U6; S2-4.30, S2-4.31, S2-7.01 to S2-7.06). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loopbackS3 } from '#server/testing/loopback-s3.ts'
import { type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { storedFiles as keptBy, listFilesIn, png, upload } from '#server/testing/uploads.ts'
import { sweepFiles } from './files.ts'

let on: TestStudio
let ana: Person
let reception: Person
let owner: Person
beforeAll(async () => {
  on = await studio()
  ;[ana, reception, owner] = [await on.make.customer(), await on.make.staff('reception'), await on.make.staff('owner')]
})
afterAll(() => on.close())

const send = (person: Person, bytes: Uint8Array) => upload(on, person, bytes)
const storeFile = (person: Person, bytes: Uint8Array | string, name?: string) => keptBy(on, person, bytes, name)
const get = (src: string) => fetch(on.url + src)
/** So many megabytes that begin like a PDF. */
const pdf = (megabytes: number) => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(megabytes * 1_048_576 - 9)])
const rows = (s: TestStudio) => s.sql<{ n: number }>('select count(*)::int as n from file').then(([row]) => row?.n)

describe('quotas (U4)', () => {
  it('quotas are enforced, also against two concurrent uploads; staff have none', async () => {
    const cara = await on.make.customer()
    await on.sql(
      `insert into file (key, name, kind, type, size, is_public, place, status, uid, customer_id, "createdAt")
       select 'privado/lleno-' || i, 'x', 'document', 'application/pdf', 10, false, 'server', 'ready', $1, $2, now() from generate_series(1, 39) i`,
      [cara.uid, cara.customer_id],
    )
    const answers = await Promise.all(Array.from({ length: 4 }, async () => send(cara, await png())))
    expect(answers.map((answer) => answer.code ?? 'kept').sort()).toEqual(['FILE_QUOTA', 'FILE_QUOTA', 'FILE_QUOTA', 'kept'])
    await on.sql(`delete from file where key like 'privado/lleno-%'`)
    expect((await send(cara, await png())).status).toBe(200)
  })

  it('quotas are much smaller for an account without a customer; staff are not such accounts', async () => {
    const ownStudio = await studio()
    const [prospect, coach] = [await ownStudio.make.account(), await ownStudio.make.staff('coach')]
    const codes = async (person: Person, bytes: Uint8Array, times: number) => {
      const sent: string[] = []
      for (let n = 0; n < times; n++) sent.push((await upload(ownStudio, person, bytes, 'a.pdf')).code ?? 'kept')
      return sent
    }
    expect(await codes(prospect, await png(), 7)).toEqual([...Array(6).fill('kept'), 'FILE_QUOTA'])
    expect(await codes(coach, await png(), 7)).toEqual(Array(7).fill('kept'))
    expect(await codes(await ownStudio.make.account(), pdf(8), 2)).toEqual(['kept', 'FILE_QUOTA'])
    await ownStudio.close()
  })

  it('quotas limit all accounts without a customer at one address together', async () => {
    const ownStudio = await studio()
    const codes: string[] = []
    for (let n = 0; n < 9; n++) codes.push((await upload(ownStudio, await ownStudio.make.account(), pdf(9), 'a.pdf')).code ?? 'kept')
    expect(codes).toEqual([...Array(6).fill('kept'), ...Array(3).fill('TOO_MANY_REQUESTS')])
    const customer = await ownStudio.make.customer()
    expect((await upload(ownStudio, customer, pdf(9), 'a.pdf')).status).toBe(200)
    ownStudio.clock.advance({ hours: 7 })
    expect((await upload(ownStudio, await ownStudio.make.account(), pdf(9), 'a.pdf')).status).toBe(200)
    await sweepFiles(ownStudio.system())
    expect(await rows(ownStudio)).toBe(2)
    await ownStudio.close()
  })
})

describe('removing (U6)', () => {
  it('hides it at once, and deletes its bytes a moment later', async () => {
    const ownStudio = await studio({ work: true })
    const [customer, boss] = [await ownStudio.make.customer(), await ownStudio.make.staff('owner')]
    const up = async (by: Person, more = {}) => keptBy(ownStudio, by, await png(), 'a.png', more)
    const [mine, logo] = [await up(customer), await up(boss, { is_public: true })]
    expect(await listFilesIn(ownStudio.dataDir)).toHaveLength(4)
    await ownStudio.as(customer).files.remove({ file_id: mine.file_id })
    expect((await fetch(ownStudio.url + mine.src)).status).toBe(404)
    expect((await refusalOf(ownStudio.as(customer).files.one({ file_id: mine.file_id }))).code).toBe('NOT_FOUND')
    await expect.poll(() => listFilesIn(ownStudio.dataDir), { timeout: 10_000 }).toHaveLength(2)
    await expect.poll(() => rows(ownStudio), { timeout: 5_000 }).toBe(1)

    await ownStudio.sql(`insert into page (slug, title, content) values ('nosotros', 'Nosotros', $1)`, [`<p><img src="${logo.src}"></p>`])
    expect(await refusalOf(ownStudio.as(boss).files.remove({ file_id: logo.file_id }))).toMatchObject({
      code: 'IN_USE',
      status: 409,
      data: { uses: [{ kind: 'page', count: 1 }] },
    })
    await ownStudio.sql(`delete from page`)
    const { single_class_id } = await ownStudio.make.class()
    await ownStudio.sql('update single_class set icon = $1 where single_class_id = $2', [logo.src, single_class_id])
    expect((await refusalOf(ownStudio.as(boss).files.remove({ file_id: logo.file_id }))).data).toEqual({
      uses: [{ kind: 'single_class', count: 1 }],
    })
    await ownStudio.sql('update single_class set icon = null')
    await ownStudio.change({ navbar_logo: logo.src })
    expect((await refusalOf(ownStudio.as(boss).files.remove({ file_id: logo.file_id }))).code).toBe('IN_USE')
    await ownStudio.change({ navbar_logo: '' })
    await ownStudio.as(boss).files.remove({ file_id: logo.file_id })
    expect(await ownStudio.sql(`select 1 from audit where action = 'file.remove'`)).toHaveLength(1)
    await expect.poll(() => listFilesIn(ownStudio.dataDir), { timeout: 10_000 }).toEqual([])
    await ownStudio.close()
  })

  it('the sweeper deletes unfinished uploads and files of accounts that never became a customer, and nothing else', async () => {
    const ownStudio = await studio()
    const [customer, account] = [await ownStudio.make.customer(), await ownStudio.make.account()]
    const row = (key: string, uid: string, status: string, age: string) =>
      ownStudio.sql(
        `insert into file (key, name, kind, type, size, is_public, place, status, uid, "createdAt") values ($1, 'x', 'document', 'application/pdf', 1, false, 'server', $3, $2, $4::timestamptz - $5::interval)`,
        [key, uid, status, ownStudio.clock.now(), age],
      )
    const key = (char: string) => `privado/${char.repeat(22)}.pdf`
    await row(key('a'), customer.uid, 'pending', '2 hours')
    await row(key('b'), customer.uid, 'pending', '30 minutes')
    await row(key('c'), customer.uid, 'ready', '90 days')
    await row(key('d'), account.uid, 'ready', '7 hours')
    await row(key('e'), account.uid, 'ready', '1 hour')
    await sweepFiles(ownStudio.system())
    expect((await ownStudio.sql<{ key: string }>('select key from file order by key')).map((left) => left.key)).toEqual([
      key('b'),
      key('c'),
      key('e'),
    ])
    await ownStudio.close()
  })
})

describe('an upload that is interrupted between its steps (U1)', () => {
  it('leaves no bytes without a row, is not visible, and is deleted by the sweeper', async () => {
    const ownStudio = await studio()
    const [customer, boss] = [await ownStudio.make.customer(), await ownStudio.make.staff('owner')]
    await ownStudio.sql(`create function broken() returns trigger language plpgsql as $$ begin raise 'the last step fails'; end $$`)
    await ownStudio.sql(`create trigger broken before update on file for each row when (new.status = 'ready') execute function broken()`)
    expect((await upload(ownStudio, customer, await png())).status).toBe(500)
    const [row, ...more] = await ownStudio.sql<{ file_id: number; key: string; thumbnail_key: string; status: string }>(
      'select * from file',
    )
    expect([row?.status, more]).toEqual(['pending', []])
    if (!row) throw new Error('No row came first.')
    const bytes = (await listFilesIn(ownStudio.dataDir)).map((path) => path.replace(/^.*(?=privado)/, ''))
    expect(bytes).toEqual([row.key, row.thumbnail_key].sort())

    const naming = ownStudio.as(customer).people.update({ file: { photo: { file_id: row.file_id } } })
    expect((await refusalOf(naming)).code).toBe('NOT_FOUND')
    expect((await ownStudio.as(boss).files.list({})).files).toEqual([])

    await ownStudio.sql('drop trigger broken on file')
    ownStudio.clock.advance({ hours: 2 })
    await sweepFiles(ownStudio.system())
    expect([await listFilesIn(ownStudio.dataDir), await rows(ownStudio)]).toEqual([[], 0])
    await ownStudio.close()
  })
})

describe('the name of a file', () => {
  it('the name of a file can be changed by its owner, but not its extension', async () => {
    const { file_id } = await storeFile(ana, await png())
    expect((await on.as(ana).files.update({ file_id, name: '../nueva.exe' })).file.name).toBe('nueva.png')
    expect((await on.as(reception).files.update({ file_id, name: 'credencial' })).file.name).toBe('credencial.png')
    expect(await on.sql(`select before, after from audit where action = 'file.change'`)).toEqual([
      {
        before: { customer_id: ana.customer_id, name: 'nueva.png' },
        after: { customer_id: ana.customer_id, name: 'credencial.png' },
      },
    ])
  })
})

describe('lists and clients', () => {
  it('reception lists all, newest first, by kind and by customer', async () => {
    const cara = await on.make.customer()
    const [first, second] = [await storeFile(cara, await png()), await storeFile(cara, '%PDF-1.4\n', 'a.pdf')]
    const list = await on.as(reception).files.list({ customer_id: cara.customer_id })
    expect(list.files.map((file) => file.file_id)).toEqual([second.file_id, first.file_id])
    expect([list.total, list.pages]).toEqual([2, 1])
    expect((await on.as(owner).files.list({ customer_id: cara.customer_id, kind: 'document' })).files.map((file) => file.name)).toEqual([
      'a.pdf',
    ])
    expect((await on.as(owner).files.list({ page: 9_999 })).files).toEqual([])
  })

  it('the typed client can upload at both endpoints (S2-7.03, S2-7.04)', async () => {
    const file = new File([new Uint8Array(await png())], 'cliente.png', { type: 'text/html' })
    for (const answer of [await on.as(ana).files.upload({ file }), await on.as(ana).files.uploadS3({ file, data: '{"name":"Mi foto"}' })]) {
      expect(answer.file_id).toBe(answer.file.file_id)
      expect(answer.file.type).toBe('image/png')
    }
  })

  it('the endpoints are in the OpenAPI document', async () => {
    const doc = (await (await get('/api/openapi.json')).json()) as {
      paths: Record<string, Record<string, { requestBody?: { content: object } }>>
    }
    expect(Object.keys(doc.paths['/files'] ?? {}).sort()).toEqual(['get', 'post', 'put'])
    expect(Object.keys(doc.paths['/files/s3']?.post?.requestBody?.content ?? {})).toContain('multipart/form-data')
    expect(doc.paths['/files/{file_id}']).toHaveProperty('delete')
  })
})

describe('in a bucket (S2-4.31)', () => {
  it('public files are reachable directly, private ones are not; both open through the studio', async () => {
    const account = { bucket: 'vaiven', region: 'us-east-1', accessKeyId: 'AKIDPRUEBA', secretAccessKey: 'secreto' }
    const s3 = await loopbackS3(account)
    const ownStudio = await studio({
      env: { S3_API_BASE: s3.url, S3_ACCESS_KEY_ID: account.accessKeyId, S3_SECRET_ACCESS_KEY: account.secretAccessKey },
      settings: { files_location: 's3', bucket: account.bucket, region: account.region },
    })
    const [customer, boss] = [await ownStudio.make.customer(), await ownStudio.make.staff('owner')]
    const up = async (by: Person, more = {}) => upload(ownStudio, by, await png(), 'a.png', more, '/api/files/s3')
    const [mine, logo] = [(await up(customer)).file, (await up(boss, { is_public: true })).file]
    if (!mine || !logo) throw new Error('The bucket took nothing.')
    expect([...s3.objects.keys()].map((key) => key.split('/')[0]).sort()).toEqual(['archivos', 'archivos', 'privado', 'privado'])
    expect(s3.objects.get(logo.src.slice(1))).toMatchObject({ type: 'image/png', cacheControl: 'public, max-age=31536000, immutable' })
    for (const { src, size } of [mine, logo]) {
      const answer = await fetch(ownStudio.url + src)
      expect([answer.status, (await answer.arrayBuffer()).byteLength]).toEqual([200, size])
    }
    const part = await fetch(ownStudio.url + logo.src, { headers: { range: 'bytes=1-3' } })
    expect([part.status, await part.text()]).toEqual([206, 'PNG'])
    expect(await listFilesIn(ownStudio.dataDir)).toEqual([])

    s3.failNext(503, 50)
    expect(await up(customer, {})).toMatchObject({ code: 'FILE_STORAGE', status: 503 })
    expect(await ownStudio.sql(`select 1 from file where status = 'ready'`)).toHaveLength(2)
    expect(ownStudio.logged.join()).toContain('file.store_failed')
    expect(ownStudio.logged.join()).not.toContain(account.secretAccessKey)
    await ownStudio.close()
    await s3.close()
  })

  it('that is not configured refuses uploads, and files on disk still open', async () => {
    const file = await storeFile(ana, await png())
    await on.change({ files_location: 's3' })
    expect(await send(ana, await png())).toMatchObject({
      status: 503,
      code: 'FILE_STORAGE',
      message: 'No pudimos guardar el archivo. Inténtalo en un momento.',
    })
    expect((await get(file.src)).status).toBe(200)
    await on.change({ files_location: 'server' })
  })
})
