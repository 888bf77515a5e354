/** Passes as the devices read them: the signature against OpenSSL and a strict stand-in, fields, pictures; mismatched keys (R27, G12). */
import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { drawnIcon } from '#server/adapters/files/icons.ts'
import { appleKeys, googleKeys, openPass, openSaveLink, PassRefused } from '#server/testing/fakes/wallets.ts'
import { chooseWalletPasses } from './choose.ts'
import type { PassFacts } from './port.ts'

const run = promisify(execFile)
const NOW = new Date('2026-11-19T16:00:00Z')
const LIFE = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2027-06-01T00:00:00Z') }
const apple = appleKeys(LIFE)
const google = googleKeys()
const folder = mkdtempSync(join(tmpdir(), 'estudio-pases-'))
afterAll(() => rmSync(folder, { recursive: true }))

const FACTS: PassFacts = {
  class_reservation_id: 41,
  single_class_id: 7,
  studio: { name: 'Vaivén', url: 'https://vaiven.example' },
  title: 'Reformer Flow',
  coach: 'Rena',
  day: 'vie 20 nov',
  hour: '10:00',
  starts_at: new Date('2026-11-20T16:00:00Z'),
  ends_at: new Date('2026-11-20T16:50:00Z'),
  location: { name: 'Roma', address: 'Colima 123' },
  seat: 'fila 2, lugar 4',
  guest: 'Jimena',
  holder: 'Ana Ruiz',
  language: 'es-MX' as const,
  code: 'https://vaiven.example/admin/reservaciones/41',
  colours: { ground: '#f6f1ea', ink: '#201a17', label: '#8a3b2e' },
}
const SQUARE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" fill="#a33"/></svg>'
const pictures = async () =>
  new Map(
    await Promise.all(
      (['', '@2x', '@3x'] as const).map(async (suffix, at) => [`icon${suffix}.png`, await drawnIcon(SQUARE, 29 * (at + 1))] as const),
    ),
  )
const buildPass = async (facts = FACTS) => chooseWalletPasses(apple.keys).apple?.pass(facts, await pictures(), NOW) ?? new Uint8Array()

test('a device opens the pass: the files are those of the manifest, signed up to the root, with the class and its code', async () => {
  const { pass, files } = openPass(await buildPass(), { root: apple.root, now: NOW })
  expect([...files.keys()].sort()).toEqual(['icon.png', 'icon@2x.png', 'icon@3x.png', 'manifest.json', 'pass.json', 'signature'])
  expect(pass).toMatchObject({
    passTypeIdentifier: 'pass.mx.estudio.clase',
    teamIdentifier: 'A1B2C3D4E5',
    serialNumber: 'reservacion-41',
    organizationName: 'Vaivén',
    relevantDate: '2026-11-20T16:00:00Z',
    expirationDate: '2026-11-20T16:50:00Z',
    sharingProhibited: true,
    backgroundColor: 'rgb(246, 241, 234)',
    foregroundColor: 'rgb(32, 26, 23)',
    barcodes: [{ message: 'https://vaiven.example/admin/reservaciones/41' }],
  })
  const { headerFields, primaryFields, secondaryFields, auxiliaryFields, backFields } = pass.eventTicket
  expect([headerFields, primaryFields].flat()).toMatchObject([{ label: 'vie 20 nov', value: '10:00' }, { value: 'Reformer Flow' }])
  expect(secondaryFields.map(({ value }) => value)).toEqual(['Rena', 'fila 2, lugar 4'])
  expect(auxiliaryFields.map(({ value }) => value)).toEqual(['Roma', 'Jimena'])
  expect(backFields.map(({ key }) => key)).toEqual(['direccion', 'nombre', 'cambios', 'reservaciones'])
})

test('missing values make no empty fields', async () => {
  const bare = { ...FACTS, coach: '', seat: null, guest: null, place: { name: 'Roma', address: '' } }
  const { eventTicket } = openPass(await buildPass(bare), { root: apple.root, now: NOW }).pass
  expect(eventTicket.secondaryFields).toEqual([])
  expect(eventTicket.auxiliaryFields.map(({ key }) => key)).toEqual(['donde'])
})

test('OpenSSL verifies the signature too, and refuses it for another manifest', async () => {
  const { files } = openPass(await buildPass(), { root: apple.root, now: NOW })
  const path = (name: string) => join(folder, name)
  for (const name of ['manifest.json', 'signature']) writeFileSync(path(name), files.get(name) ?? '')
  writeFileSync(path('root.pem'), apple.root.certificate)
  writeFileSync(path('other.json'), '{}')
  const verify = (content: string) =>
    run('openssl', [
      'cms',
      '-verify',
      '-binary',
      '-inform',
      'DER',
      '-in',
      path('signature'),
      '-content',
      path(content),
      '-CAfile',
      path('root.pem'),
      '-purpose',
      'any',
      '-attime',
      String(NOW.getTime() / 1000),
    ])
  expect((await verify('manifest.json')).stdout).toBe(files.get('manifest.json')?.toString())
  await expect(verify('other.json')).rejects.toThrow()
})

test('the stand-in refuses what a device refuses: a changed file, another root, an expired certificate, no icon', async () => {
  const archive = Buffer.from(await buildPass())
  const changed = Buffer.from(archive)
  changed[changed.indexOf('Reformer')] = 0x58
  expect(() => openPass(changed, { root: apple.root, now: NOW })).toThrow(PassRefused)
  expect(() => openPass(archive, { root: appleKeys(LIFE).root, now: NOW })).toThrow('a chain that ends elsewhere')
  expect(() => openPass(archive, { root: apple.root, now: new Date('2027-07-01T00:00:00Z') })).toThrow('an expired certificate')
  const bare = await chooseWalletPasses(apple.keys).apple?.pass(FACTS, new Map(), NOW)
  expect(() => openPass(bare ?? new Uint8Array(), { root: apple.root, now: NOW })).toThrow('icon.png is missing')
})

test('Google reads the link: signed by the account, within its limit, with the class, the seat and the code', async () => {
  const link = chooseWalletPasses(google.keys).google?.link(FACTS, NOW) ?? ''
  const { cls, object } = await openSaveLink(link, google, { origin: 'https://vaiven.example', now: NOW })
  expect(cls).toMatchObject({
    issuerName: 'Vaivén',
    eventName: { defaultValue: { value: 'Reformer Flow' } },
    venue: { name: expect.anything() },
  })
  expect(cls.dateTime).toEqual({ start: '2026-11-20T16:00:00.000Z', end: '2026-11-20T16:50:00.000Z' })
  expect(object).toMatchObject({
    barcode: { value: FACTS.code },
    seatInfo: { seat: { defaultValue: { value: 'fila 2, lugar 4' } } },
    ticketHolderName: 'Ana Ruiz',
  })
  await expect(openSaveLink(link, googleKeys(), { origin: 'https://vaiven.example', now: NOW })).rejects.toThrow('signature')
})

test('long names still fit into the link, and a seat that changes is another pass', async () => {
  const ñ = 'ñ'.repeat(200)
  const long = { ...FACTS, studio: { ...FACTS.studio, name: ñ }, title: ñ, holder: ñ, seat: ñ, place: { name: ñ, address: ñ } }
  const wallet = chooseWalletPasses(google.keys).google
  const opened = await openSaveLink(wallet?.link(long, NOW) ?? '', google, { origin: 'https://vaiven.example', now: NOW })
  expect(opened.cls.eventName.defaultValue.value).toBe(`${'ñ'.repeat(27)}…`)
  const ids = await Promise.all(
    [FACTS, { ...FACTS, seat: 'fila 1, lugar 1' }].map(
      async (facts) =>
        (await openSaveLink(wallet?.link(facts, NOW) ?? '', google, { origin: 'https://vaiven.example', now: NOW })).object.id,
    ),
  )
  expect(ids[0]).not.toBe(ids[1])
})

test('keys that are not what they must be, or do not belong together, are named, and their wallet is not offered', () => {
  const other = appleKeys({ ...LIFE, passType: 'com.otra.cosa' })
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const locked = generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' })
    .toString()
  const problemOf = (keys: Partial<typeof apple.keys>) => {
    const { apple: wallet, problems } = chooseWalletPasses({ ...apple.keys, ...keys })
    expect(wallet).toBeNull()
    return problems.apple
  }
  expect(problemOf({ APPLE_PASS_CERTIFICATE: 'hola' })).toMatchObject({ APPLE_PASS_CERTIFICATE: 'No es un certificado en formato PEM.' })
  expect(problemOf({ ...other.keys })).toMatchObject({ APPLE_PASS_CERTIFICATE: 'No es un certificado de Apple para pases (Pass Type ID).' })
  expect(problemOf({ APPLE_PASS_PRIVATE_KEY: ec })).toEqual({ APPLE_PASS_PRIVATE_KEY: 'No es una llave privada RSA en formato PEM.' })
  expect(problemOf({ APPLE_PASS_PRIVATE_KEY: locked })).toEqual({
    APPLE_PASS_PRIVATE_KEY: 'Está protegida con contraseña: expórtala sin ella.',
  })
  expect(problemOf({ APPLE_PASS_PRIVATE_KEY: other.keys.APPLE_PASS_PRIVATE_KEY })).toEqual({
    APPLE_PASS_PRIVATE_KEY: 'No es la llave de este certificado.',
  })
  expect(problemOf({ APPLE_WWDR_CERTIFICATE: other.keys.APPLE_WWDR_CERTIFICATE })).toEqual({
    APPLE_WWDR_CERTIFICATE: 'No es el certificado que firmó el de tus pases.',
  })
  const ofGoogle = (keys: object) => chooseWalletPasses({ ...google.keys, ...keys })
  expect(ofGoogle({ GOOGLE_WALLET_ISSUER_ID: 'BCR2DN' })).toMatchObject({
    google: null,
    problems: { google: { GOOGLE_WALLET_ISSUER_ID: expect.any(String) } },
  })
  expect(ofGoogle({ GOOGLE_WALLET_SERVICE_ACCOUNT: '{}' }).google).toBeNull()
  expect(chooseWalletPasses({}).problems).toEqual({ apple: {}, google: {} })
})

test('certificates are read as people paste them: without line breaks, with what a tool wrote around them', () => {
  const flat = (text: string) => text.replaceAll('\n', '')
  const keys = {
    APPLE_PASS_CERTIFICATE: `Bag Attributes\n    friendlyName: Pass\n${flat(apple.keys.APPLE_PASS_CERTIFICATE)}`,
    APPLE_PASS_PRIVATE_KEY: apple.keys.APPLE_PASS_PRIVATE_KEY.replaceAll('\n', '\\n'),
    APPLE_WWDR_CERTIFICATE: flat(apple.keys.APPLE_WWDR_CERTIFICATE),
  }
  expect(chooseWalletPasses(keys)).toMatchObject({ apple: { identifier: 'pass.mx.estudio.clase' }, problems: { apple: {} } })
})
