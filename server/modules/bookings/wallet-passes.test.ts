/** A place in the phone's wallet, over HTTP: whose it is, until when, with whose keys (R27); and the keys that the owner types (G12). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { appleKeys, googleKeys, openPass, openSaveLink } from '#server/testing/fakes/wallets.ts'
import { type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'

const LIFE = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2026-12-01T00:00:00Z') }
const apple = appleKeys(LIFE)
const google = googleKeys()
let s: TestStudio
let owner: Person
beforeAll(async () => {
  s = await studio({ settings: { business_name: 'Vaivén' } })
  owner = await s.make.staff('owner')
})
afterAll(() => s.close())
beforeEach(async () => {
  s.clock.set(START)
})

const saveKeys = (wallet: 'apple' | 'google', keys: Record<string, string | null>) => s.as(owner).walletPasses.saveKeys({ wallet, keys })
const stateOf = async (wallet: 'apple' | 'google') =>
  (await s.as(owner).walletPasses.list()).wallets.find((state) => state.wallet === wallet)
async function reserved(person: Person, values: Parameters<TestStudio['make']['class']>[0] = {}, input: object = {}) {
  const cls = await s.make.class(values)
  const { class_reservation } = await s.as(person).bookings.reserve({ single_class_id: cls.single_class_id, ...input })
  return { cls, class_reservation_id: class_reservation.class_reservation_id }
}
const passOf = async (person: Person, input: { class_reservation_id?: number } = {}) => (await s.as(person).walletPasses.mine(input)).pass
const read = (url: string | null | undefined) => fetch((url ?? '').replace('http://localhost:3000', s.url))

test('without keys nothing is offered; the owner types them, whole or not at all, and only what is needed of them is shown', async () => {
  const ana = await s.make.buyer()
  const { class_reservation_id } = await reserved(ana)
  expect(await passOf(ana, { class_reservation_id })).toBeNull()
  expect(await passOf(ana)).toBeNull()
  expect(await stateOf('apple')).toMatchObject({ state: 'missing', identifier: null, problem: null })

  const { APPLE_PASS_CERTIFICATE, ...others } = apple.keys
  expect((await saveKeys('apple', { APPLE_PASS_CERTIFICATE })).wallets[0]).toMatchObject({ state: 'partial', identifier: null })
  expect(await passOf(ana)).toBeNull()
  const otherKey = appleKeys(LIFE).keys.APPLE_PASS_PRIVATE_KEY
  expect(await refusalOf(saveKeys('apple', { APPLE_PASS_PRIVATE_KEY: otherKey }))).toMatchObject({
    code: 'INVALID_INPUT',
    data: { issues: [{ path: 'APPLE_PASS_PRIVATE_KEY', message: 'No es la llave de este certificado.' }] },
  })
  expect((await saveKeys('apple', others)).wallets[0]).toMatchObject({
    state: 'ready',
    identifier: 'pass.mx.estudio.clase',
    valid_until: '2026-12-01T00:00:00.000Z',
    keys: [
      { source: 'stored', ending: '' },
      { source: 'stored', ending: '' },
      { source: 'stored', ending: '' },
    ],
  })
  expect((await saveKeys('google', google.keys)).wallets[1]).toMatchObject({
    state: 'ready',
    identifier: google.email,
    keys: [{ ending: '5678' }, { ending: '' }],
  })
  expect(await refusalOf(saveKeys('google', { STRIPE_SECRET_KEY: 'sk_test_1' }))).toMatchObject({ code: 'INVALID_INPUT' })
  const trail = await s.as(owner).auditLog.list({ entity: 'processor_key' })
  expect(trail.entries.map(({ sentence }) => sentence).join()).toContain('escribió la llave de Apple Wallet: Certificado de tus pases')
  const rows = await s.sql<{ text: string }>('select k::text as text from processor_key k union all select a::text from audit a')
  for (const { text } of rows) expect(text).not.toMatch(/BEGIN|private_key/)
  expect(JSON.stringify([await s.as(owner).walletPasses.list(), trail, s.logged])).not.toMatch(/BEGIN|private_key/)
})

test('my place becomes a pass with its class, seat and code, and a link of Google', async () => {
  const ana = await s.make.buyer()
  const type = await s.make.classType({ name: 'Reformer' })
  const { class_reservation_id, cls } = await reserved(ana, { class_type_id: type.class_type_id, spot_map: '3,4' }, { spot: '2-4' })
  const pass = await passOf(ana, { class_reservation_id })
  expect(pass).toMatchObject({ class_reservation_id, class_type: 'Reformer' })
  const answer = await read(pass?.apple_url)
  expect([answer.status, answer.headers.get('content-type'), answer.headers.get('content-disposition')]).toEqual([
    200,
    'application/vnd.apple.pkpass',
    'attachment; filename="clase.pkpass"',
  ])
  const opened = openPass(new Uint8Array(await answer.arrayBuffer()), { root: apple.root, now: s.clock.now() })
  const code = `http://localhost:3000/admin/reservaciones/${class_reservation_id}`
  expect(opened.pass).toMatchObject({
    organizationName: 'Vaivén',
    barcodes: [{ message: code }],
    expirationDate: cls.ends_at.toISOString().replace('.000', ''),
  })
  expect(opened.pass.eventTicket.secondaryFields.at(-1)).toEqual({ key: 'lugar', label: 'Tu lugar', value: 'fila 2, lugar 4' })
  const saved = await openSaveLink(pass?.google_url ?? '', google, { origin: 'http://localhost:3000', now: s.clock.now() })
  expect(saved.object.barcode.value).toBe(code)
})

test('my next class is the one offered without a choice; another customer has no pass of mine', async () => {
  const [ana, eva] = [await s.make.buyer(), await s.make.buyer()]
  const later = await reserved(ana, { starts_at: new Date('2026-11-24T16:00:00Z'), ends_at: new Date('2026-11-24T17:00:00Z') })
  const next = await reserved(ana, { starts_at: new Date('2026-11-21T16:00:00Z'), ends_at: new Date('2026-11-21T17:00:00Z') })
  expect((await passOf(ana))?.class_reservation_id).toBe(next.class_reservation_id)
  expect(await passOf(eva)).toBeNull()
  expect(await refusalOf(passOf(eva, later))).toMatchObject({ code: 'RESERVATION_NOT_FOUND' })
})

test('a cancelled place, a class that is over, the studio without codes, an expired certificate and a wrong link have no pass', async () => {
  const ana = await s.make.buyer()
  const { class_reservation_id, cls } = await reserved(ana)
  const url = (await passOf(ana, { class_reservation_id }))?.apple_url ?? ''
  expect((await read(url)).status).toBe(200)
  expect((await read(url.replace('.pkpass', ''))).status).toBe(404)
  expect((await read(url.replace(/pase\/../, 'pase/xx'))).status).toBe(404)

  await s.as(owner).content.changeSettings({ settings: [{ key: 'qrcode_enabled', value: false }] })
  expect(await passOf(ana, { class_reservation_id })).toBeNull()
  expect((await read(url)).status).toBe(404)
  await s.as(owner).content.changeSettings({ settings: [{ key: 'qrcode_enabled', value: true }] })
  expect((await read(url)).status).toBe(200)

  s.clock.set(new Date(cls.ends_at.getTime() + 1_000))
  expect(await passOf(ana, { class_reservation_id })).toBeNull()
  expect((await read(url)).status).toBe(404)

  s.clock.set(START)
  const far = await reserved(ana, { starts_at: new Date('2026-12-03T16:00:00Z'), ends_at: new Date('2026-12-03T17:00:00Z') })
  s.clock.set('2026-12-02T12:00:00-06:00')
  expect(await passOf(ana, far)).toMatchObject({ apple_url: null, google_url: expect.any(String) })
  expect(await stateOf('apple')).toMatchObject({ state: 'expired' })

  s.clock.set(START)
  const reservation = await reserved(ana, { starts_at: new Date('2026-11-22T16:00:00Z'), ends_at: new Date('2026-11-22T17:00:00Z') })
  const dead = (await passOf(ana, reservation))?.apple_url
  await s.as(ana).bookings.cancel({ class_reservation_id: reservation.class_reservation_id })
  expect(await passOf(ana, reservation)).toBeNull()
  expect((await read(dead)).status).toBe(404)
})

test('keys of the environment win and cannot be typed over; broken ones stop nothing', async () => {
  const other = await studio({ env: { ...google.keys, APPLE_PASS_CERTIFICATE: 'roto' } })
  const boss = await other.make.staff('owner')
  const { wallets } = await other.as(boss).walletPasses.list()
  expect(wallets).toMatchObject([
    { wallet: 'apple', state: 'invalid', problem: 'Certificado de tus pases: No es un certificado en formato PEM.' },
    { wallet: 'google', state: 'ready', keys: [{ source: 'environment' }, { source: 'environment' }] },
  ])
  expect(
    await refusalOf(other.as(boss).walletPasses.saveKeys({ wallet: 'google', keys: { GOOGLE_WALLET_ISSUER_ID: '12345678' } })),
  ).toMatchObject({ code: 'PROTECTED' })
  await other.close()
})
