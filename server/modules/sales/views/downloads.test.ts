/**
 * The file that comes with a package opens for its buyer and the studio, and is refused to all others (docs/domain.md V39, U5, U8;
 * S2-3.18), in every storage.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { sweepFiles } from '#server/modules/content/files.ts'
import { loopbackS3 } from '#server/testing/loopback-s3.ts'
import { codeOf, type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { storedFiles } from '#server/testing/uploads.ts'

const ACCOUNT = { bucket: 'vaiven', region: 'us-east-1', accessKeyId: 'AKIDPRUEBA', secretAccessKey: 'secreto' }
const PDF = `%PDF-1.7\n${'guía '.repeat(40)}\n%%EOF`
const FOUR = { title: 'Con guía', price: '890', class_amount: 4, expiration_days: 30 }

describe.each(['server', 's3'] as const)('in the place %s', (storage) => {
  let s: TestStudio
  let s3: Awaited<ReturnType<typeof loopbackS3>> | null = null
  let owner: Person
  beforeAll(async () => {
    s3 = storage === 's3' ? await loopbackS3(ACCOUNT) : null
    s = await studio({
      settings: { files_location: storage, bucket: ACCOUNT.bucket, region: ACCOUNT.region },
      ...(s3 ? { env: { S3_API_BASE: s3.url, S3_ACCESS_KEY_ID: ACCOUNT.accessKeyId, S3_SECRET_ACCESS_KEY: ACCOUNT.secretAccessKey } } : {}),
    })
    await s.make.paymentMethod({ payment_method_id: 1, name: 'Tarjeta' })
    owner = await s.make.staff('owner')
  })
  afterAll(async () => {
    await s.close()
    await s3?.close()
  })
  beforeEach(() => s.clock.set(START))

  const get = (src: string | null | undefined) => fetch(s.url + src)
  /** A package with a guide of its own, uploaded by the owner and put on it as the upload answered it. */
  async function guided() {
    const { src, file_id } = await storedFiles(s, owner, PDF, 'Guía de postura.pdf')
    const { class_package } = await s.as(owner).studioPackages.create({ ...FOUR, downloadable: { src } })
    return { ...class_package, file_id, path: src.split('?')[0] ?? '' }
  }
  const buy = async (person: Person, class_package_id: number) =>
    (await s.as(person, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })).purchase_id
  const mine = async (person: Person) => (await s.as(person).sales.list()).purchases[0]?.class_package

  test('its buyer downloads it under its own name; an expired, truncated, moved or forged link opens nothing', async () => {
    const [ana, guide, other] = [await s.make.customer(), await guided(), await guided()]
    await buy(ana, guide.class_package_id)
    const came = await mine(ana)
    expect(came?.downloadable).toEqual({ name: 'Guía de postura.pdf', type: 'application/pdf' })
    const answer = await get(came?.file_url)
    expect([answer.status, await answer.text(), answer.headers.get('content-type')]).toEqual([200, PDF, 'application/pdf'])
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; .*Gu%C3%ADa%20de%20postura\.pdf$/)
    expect(answer.headers.get('cache-control')).toBe('private, max-age=900')

    const [path = '', signature = ''] = came?.file_url?.split('?firma=') ?? []
    expect(path).toBe(guide.path)
    const later = signature.replace(/\.(\d+)\./, (_, until) => `.${Number(until) + 900}.`)
    const forged = `${signature.slice(0, -1)}${signature.endsWith('A') ? 'B' : 'A'}`
    for (const firma of ['', '?firma=', `?firma=${later}`, `?firma=${forged}`, `?firma=${signature}x`, `?firma=${signature}&firma=x`])
      expect([firma, (await get(path + firma)).status]).toEqual([firma, 404])
    // A signature is valid for one file and not at public file addresses.
    expect((await get(`${other.path}?firma=${signature}`)).status).toBe(404)
    expect((await get(path.replace('/privado', ''))).status).toBe(404)

    s.clock.advance({ minutes: 14 })
    expect((await get(came?.file_url)).status).toBe(200)
    s.clock.advance({ minutes: 17 })
    expect((await get(came?.file_url)).status).toBe(404)
    expect((await get((await mine(ana))?.file_url)).status).toBe(200)
  })

  test('customers without the purchase, with a pending or a revoked one get no link', async () => {
    const [ana, luis, guide] = [await s.make.customer(), await s.make.customer(), await guided()]
    const { class_package_id } = guide
    const id = await buy(ana, class_package_id)
    const waiting = (await s.as(luis, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_3ds' })).purchase_id
    expect((await s.as(luis).sales.one({ id: waiting })).purchase.class_package?.file_url).toBeNull()
    expect(await codeOf(s.as(luis).sales.one({ id }))).toBe('PURCHASE_NOT_FOUND')
    expect(await codeOf(s.as(luis).files.one({ file_id: guide.file_id }))).toBe('NOT_FOUND')
    expect(await codeOf(s.as(ana).files.one({ file_id: guide.file_id }))).toBe('NOT_FOUND')
    for (const person of [null, luis]) {
      const { catalogue } = s.as(person)
      expect(JSON.stringify([await catalogue.package({ class_package_id }), await catalogue.packages()])).not.toContain('/privado/')
    }
    await s.as(owner).studioSales.revokeAccess({ purchase_id: id })
    expect((await mine(ana))?.file_url).toBeNull()
    // The studio sees it where it keeps packages and purchases.
    const { class_packages } = await s.as(owner).studioPackages.all({ query: 'Con guía' })
    expect(
      (await get(class_packages.find((classPackage) => classPackage.class_package_id === class_package_id)?.downloadable?.src)).status,
    ).toBe(200)
  })

  test('the file belongs to the studio: stored without a signature, not removable while it is sold, and kept after its uploader left', async () => {
    const [ana, guide] = [await s.make.customer(), await guided()]
    const { class_package_id, file_id } = guide
    const stored = await s.sql('select downloadable from class_package where class_package_id = $1', [class_package_id])
    expect(stored).toEqual([{ downloadable: guide.path }])
    // Saving what was read leaves it as it is.
    const { class_packages } = await s.as(owner).studioPackages.all({})
    const read = class_packages.find((classPackage) => classPackage.class_package_id === class_package_id)?.downloadable ?? null
    expect(read?.src).toContain('?firma=')
    await s.as(owner).studioPackages.update({ class_package_id, downloadable: read })
    await s.as(owner).studioPackages.update({ class_package_id, title: 'Con otra guía' })
    expect(await s.sql('select downloadable from class_package where class_package_id = $1', [class_package_id])).toEqual(stored)
    expect(await codeOf(s.as(owner).files.remove({ file_id }))).toBe('IN_USE')
    await s.sql('update staff set uid = uid || $1 where uid = $2', ['-antes', owner.uid])
    s.clock.advance({ days: 4 })
    await sweepFiles(s.system())
    await s.sql('update staff set uid = $1 where uid = $1 || $2', [owner.uid, '-antes'])
    await buy(ana, class_package_id)
    expect((await get((await mine(ana))?.file_url)).status).toBe(200)
  })

  test('a public file, a customer’s and an unknown one are refused; an external URL is given only to its buyer', async () => {
    const ana = await s.make.customer()
    const open = await storedFiles(s, owner, PDF, 'abierta.pdf', { is_public: true })
    const hers = await storedFiles(s, ana, PDF, 'mi-ine.pdf')
    for (const [src, words] of [
      [open.src, 'Este archivo lo puede abrir cualquiera. Súbelo sin publicarlo: así solo lo descarga quien lo compró.'],
      [
        `http://localhost:3000${open.src}`,
        'Este archivo lo puede abrir cualquiera. Súbelo sin publicarlo: así solo lo descarga quien lo compró.',
      ],
      [hers.src, 'No encontramos ese archivo. Súbelo de nuevo.'],
      ['/archivos/privado/aaaaaaaaaaaaaaaaaaaaaa.pdf', 'No encontramos ese archivo. Súbelo de nuevo.'],
      ['/archivos/privado/', 'No encontramos ese archivo. Súbelo de nuevo.'],
    ] as const)
      expect(await refusalOf(s.as(owner).studioPackages.create({ ...FOUR, downloadable: { src } }))).toMatchObject({
        code: 'INVALID_INPUT',
        status: 400,
        data: { issues: [{ path: 'downloadable', message: words }] },
      })
    // The public file itself is unchanged: public and cacheable.
    expect((await get(open.src)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const src = 'https://archivos.ejemplo.mx/guia.pdf'
    const { class_package } = await s.as(owner).studioPackages.create({ ...FOUR, downloadable: { src } })
    await buy(ana, class_package.class_package_id)
    expect(await mine(ana)).toMatchObject({ downloadable: { name: 'guia.pdf' }, file_url: src })
  })
})
