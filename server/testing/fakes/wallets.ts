/**
 * The wallets of phones, as strict as theirs: Apple's opens a pass and refuses what a device refuses, Google's reads a link. Neither shares
 * code with the adapters. Keys and certificates are made for the test.
 */
import { createHash, createVerify, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { jwtVerify } from 'jose'
import { type Issued, issue } from './certificate.ts'

export interface AppleKeys {
  root: Issued
  keys: { APPLE_PASS_CERTIFICATE: string; APPLE_PASS_PRIVATE_KEY: string; APPLE_WWDR_CERTIFICATE: string }
}

const pemOf = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString()

/** A root, an intermediate certificate as Apple's WWDR, and one for passes. */
export function appleKeys({
  from,
  to,
  passType = 'pass.mx.estudio.clase',
  team = 'A1B2C3D4E5',
}: {
  from: Date
  to: Date
  passType?: string
  team?: string
}): AppleKeys {
  const life = { from: new Date('2020-01-01T00:00:00Z'), to: new Date('2060-01-01T00:00:00Z') }
  const root = issue({ CN: 'Root' }, { ...life, issuer: null, mayIssue: true, serial: 1 })
  const wwdr = issue({ CN: 'WWDR', OU: 'G4' }, { ...life, issuer: root, mayIssue: true, serial: 2 })
  const own = issue({ UID: passType, CN: `Pass Type ID: ${passType}`, OU: team }, { from, to, issuer: wwdr, mayIssue: false, serial: 3 })
  return {
    root,
    keys: {
      APPLE_PASS_CERTIFICATE: own.certificate,
      APPLE_PASS_PRIVATE_KEY: pemOf(own.privateKey),
      APPLE_WWDR_CERTIFICATE: wwdr.certificate,
    },
  }
}

/** The error of a device for a pass that it does not open. */
export class PassRefused extends Error {}
const refuse = (why: string): never => {
  throw new PassRefused(why)
}
const need = (holds: unknown, why: string): void => {
  if (!holds) refuse(why)
}

/** The files of an archive. */
function filesOf(archive: Buffer): Map<string, Buffer> {
  const end = archive.lastIndexOf(Buffer.from('504b0506', 'hex'))
  need(end >= 0, 'not a ZIP')
  const files = new Map<string, Buffer>()
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    need(archive.readUInt32LE(at) === 0x02014b50, 'a broken directory')
    const [method, size, nameSize] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 20), archive.readUInt16LE(at + 28)]
    const name = archive.toString('utf8', at + 46, at + 46 + nameSize)
    const local = archive.readUInt32LE(at + 42)
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
    const bytes = archive.subarray(start, start + size)
    need(!files.has(name), `${name} twice`)
    files.set(name, method === 0 ? bytes : inflateRawSync(bytes))
    at += 46 + nameSize + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32)
  }
  return files
}

interface Tlv {
  tag: number
  body: Buffer
  all: Buffer
}
function tlv(bytes: Buffer): Tlv[] {
  const out: Tlv[] = []
  for (let rest = bytes; rest.length > 0; ) {
    const long = (rest[1] ?? 0) >= 0x80 ? (rest[1] ?? 0) & 0x7f : 0
    const size = long ? rest.readUIntBE(2, long) : (rest[1] ?? 0)
    const all = rest.subarray(0, 2 + long + size)
    need(all.length === 2 + long + size, 'a broken signature')
    out.push({ tag: rest[0] ?? 0, body: all.subarray(2 + long), all })
    rest = rest.subarray(all.length)
  }
  return out
}
const at = (bytes: Buffer, ...path: number[]): Tlv => {
  let found: Tlv | undefined
  for (const step of path) {
    found = tlv(found?.body ?? bytes)[step]
    if (!found) return refuse('a signature without one of its parts')
  }
  return found ?? refuse('an empty path')
}

const OIDS = {
  signedData: '2a864886f70d010702',
  data: '2a864886f70d010701',
  contentType: '2a864886f70d010903',
  digest: '2a864886f70d010904',
  time: '2a864886f70d010905',
}

/** Verifies a detached signature of the manifest up to the root; the certificate that signed. */
function signerOf(signature: Buffer, manifest: Buffer, root: X509Certificate, now: Date): X509Certificate {
  need(at(signature, 0, 0).body.toString('hex') === OIDS.signedData, 'no SignedData')
  const data = at(signature, 0, 1, 0)
  const parts = tlv(data.body)
  const content = parts[2]?.body ?? Buffer.alloc(0)
  need(at(content, 0).body.toString('hex') === OIDS.data && tlv(content).length === 1, 'a signature that is not detached')
  const certificates = tlv(parts[3]?.tag === 0xa0 ? parts[3].body : Buffer.alloc(0)).map(({ all }) => new X509Certificate(all))
  const signers = tlv(parts[4]?.body ?? Buffer.alloc(0))
  need(signers.length === 1, 'not one signer')
  const signer = tlv(signers[0]?.body ?? Buffer.alloc(0))
  const serial = at(signer[1]?.body ?? Buffer.alloc(0), 1).body.toString('hex')
  const own =
    certificates.find(({ serialNumber }) => Number.parseInt(serialNumber, 16) === Number.parseInt(serial, 16)) ??
    refuse('no certificate of the signer')
  const issuer = at(signer[1]?.body ?? Buffer.alloc(0), 0).all
  need(own.raw.includes(issuer), 'another issuer')
  const signed = signer[3]
  if (signed?.tag !== 0xa0) return refuse('no signed attributes')
  const attributes = new Map(tlv(signed.body).map(({ body }) => [at(body, 0).body.toString('hex'), at(body, 1, 0).body]))
  const inOrder = tlv(signed.body).map(({ all }) => all)
  need(
    inOrder.every((buffer, index) => index === 0 || Buffer.compare(inOrder[index - 1] ?? buffer, buffer) <= 0),
    'attributes out of order',
  )
  need(attributes.get(OIDS.contentType)?.toString('hex') === OIDS.data, 'no content type')
  need(attributes.has(OIDS.time), 'no signing time')
  need(attributes.get(OIDS.digest)?.equals(createHash('sha256').update(manifest).digest()), 'a digest of something else')
  const asSet = Buffer.concat([Buffer.from([0x31]), signed.all.subarray(1)])
  need(
    createVerify('sha256')
      .update(asSet)
      .verify(own.publicKey, signer[5]?.body ?? Buffer.alloc(0)),
    'a wrong signature',
  )
  const between = certificates.find((certificate) => own.checkIssued(certificate)) ?? refuse('no intermediate certificate')
  need(own.verify(between.publicKey) && between.checkIssued(root) && between.verify(root.publicKey), 'a chain that ends elsewhere')
  need(own.validFromDate <= now && now < own.validToDate, 'an expired certificate')
  return own
}

const sizeOf = (png: Buffer | undefined): { width: number; height: number } | null =>
  png?.subarray(1, 4).toString() === 'PNG' ? { width: png.readUInt32BE(16), height: png.readUInt32BE(20) } : null

const STYLES = ['boardingPass', 'coupon', 'eventTicket', 'generic', 'storeCard']
const FIELDS = { headerFields: 3, primaryFields: 1, secondaryFields: 4, auxiliaryFields: 4, backFields: 50 } as const
const W3C = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:\d\d)$/
const RGB = /^rgb\((\d{1,3}), ?(\d{1,3}), ?(\d{1,3})\)$/

type Fields = { key: string; label: string; value: string }[]
export interface OpenedPass {
  pass: Record<string, unknown> & { eventTicket: Record<keyof typeof FIELDS, Fields> }
  files: ReadonlyMap<string, Buffer>
}

/** Opens a pass as a device does. Throws PassRefused. */
export function openPass(archive: Uint8Array, { root, now }: { root: Issued; now: Date }): OpenedPass {
  const files = filesOf(Buffer.from(archive))
  const [manifest, signature] = [files.get('manifest.json'), files.get('signature')]
  if (!manifest || !signature) return refuse('no manifest or no signature')
  const listed = JSON.parse(manifest.toString()) as Record<string, string>
  const names = [...files.keys()].filter((name) => name !== 'manifest.json' && name !== 'signature')
  need(names.length === Object.keys(listed).length, 'a manifest of other files')
  for (const name of names)
    need(
      listed[name] ===
        createHash('sha1')
          .update(files.get(name) ?? '')
          .digest('hex'),
      `${name} is not what the manifest says`,
    )
  const own = signerOf(signature, manifest, new X509Certificate(root.certificate), now)
  const subject = new Map(own.subject.split('\n').map((line) => line.split('=') as [string, string]))

  const pass = JSON.parse((files.get('pass.json') ?? refuse('no pass.json')).toString()) as OpenedPass['pass']
  need(pass.formatVersion === 1, 'another format')
  need(pass.passTypeIdentifier === subject.get('UID') && pass.teamIdentifier === subject.get('OU'), 'a pass of another certificate')
  for (const key of ['serialNumber', 'organizationName', 'description']) need(typeof pass[key] === 'string' && pass[key], `no ${key}`)
  need(STYLES.filter((style) => style in pass).length === 1, 'not one style')
  for (const key of ['relevantDate', 'expirationDate']) need(pass[key] === undefined || W3C.test(String(pass[key])), `${key} is no date`)
  for (const key of ['backgroundColor', 'foregroundColor', 'labelColor'])
    need(
      RGB.exec(String(pass[key]))
        ?.slice(1)
        .every((part) => Number(part) < 256),
      `${key} is no colour`,
    )
  for (const barcode of pass.barcodes as { format: string; message: string; messageEncoding: string }[]) {
    need(barcode.format === 'PKBarcodeFormatQR' && barcode.messageEncoding === 'iso-8859-1', 'another code')
    need(
      barcode.message && Buffer.from(barcode.message, 'latin1').toString('latin1') === barcode.message,
      'a code that is not in its encoding',
    )
  }
  const keys = Object.entries(FIELDS).flatMap(([kind, most]) => {
    const fields = pass.eventTicket[kind as keyof typeof FIELDS] ?? []
    need(fields.length <= most, `too many ${kind}`)
    for (const { key, value } of fields) need(key && typeof value === 'string' && value, `${kind} without a value`)
    return fields.map(({ key }) => key)
  })
  need(new Set(keys).size === keys.length, 'two fields of one key')
  for (const [suffix, scale] of [
    ['', 1],
    ['@2x', 2],
    ['@3x', 3],
  ] as const) {
    const icon = sizeOf(files.get(`icon${suffix}.png`))
    need(icon?.width === 29 * scale && icon.height === 29 * scale, `icon${suffix}.png is missing or has another size`)
    const logo = files.has(`logo${suffix}.png`) ? sizeOf(files.get(`logo${suffix}.png`)) : undefined
    need(logo === undefined || (logo && logo.width <= 160 * scale && logo.height <= 50 * scale), `logo${suffix}.png is too large`)
  }
  return { pass, files }
}

export interface GoogleKeys {
  publicKey: KeyObject
  email: string
  issuer: string
  keys: { GOOGLE_WALLET_ISSUER_ID: string; GOOGLE_WALLET_SERVICE_ACCOUNT: string }
}

/** A service account with its file, as Google's console gives it. */
export function googleKeys(): GoogleKeys {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const [email, issuer] = ['pases@estudio-prueba.iam.gserviceaccount.com', '3388000000012345678']
  const file = { type: 'service_account', project_id: 'estudio-prueba', private_key: pemOf(privateKey), client_email: email }
  return {
    publicKey,
    email,
    issuer,
    keys: { GOOGLE_WALLET_ISSUER_ID: issuer, GOOGLE_WALLET_SERVICE_ACCOUNT: JSON.stringify(file, null, 2) },
  }
}

interface Localized {
  defaultValue: { language: string; value: string }
}
export interface SavedPass {
  cls: {
    id: string
    issuerName: string
    eventName: Localized
    dateTime: { start: string; end: string }
    venue?: { name: Localized; address: Localized }
  }
  object: {
    id: string
    classId: string
    barcode: { type: string; value: string }
    ticketHolderName?: string
    seatInfo?: { seat: Localized }
  }
}

const SAVE = 'https://pay.google.com/gp/v/save/'
const localized = (text: unknown): boolean => {
  const value = (text as Localized | undefined)?.defaultValue
  return value?.language === 'es-MX' && value.value.length > 0
}

/** Reads a link as Google does. Throws PassRefused, or jose's error for a wrong signature. */
export async function openSaveLink(
  url: string,
  { publicKey, email, issuer }: GoogleKeys,
  { origin, now }: { origin: string; now: Date },
): Promise<SavedPass> {
  need(url.startsWith(SAVE), 'another page')
  const token = url.slice(SAVE.length)
  need(token.length <= 1_800, 'a token of more than 1800 characters')
  const { payload, protectedHeader } = await jwtVerify(token, publicKey, {
    algorithms: ['RS256'],
    audience: 'google',
    issuer: email,
    currentDate: now,
  })
  need(
    protectedHeader.alg === 'RS256' && payload.typ === 'savetowallet' && typeof payload.iat === 'number',
    'not a token that saves a pass',
  )
  need(JSON.stringify(payload.origins) === JSON.stringify([origin]), 'other origins')
  const { eventTicketClasses: [cls] = [], eventTicketObjects: [object] = [] } = payload.payload as {
    eventTicketClasses: (SavedPass['cls'] & { reviewStatus: string })[]
    eventTicketObjects: (SavedPass['object'] & { state: string; hexBackgroundColor: string })[]
  }
  if (!cls || !object) return refuse('no class or no object')
  for (const id of [cls.id, object.id]) need(new RegExp(`^${issuer}\\.[\\w.-]+$`).test(id), 'an id of another issuer')
  need(
    cls.issuerName && cls.issuerName.length <= 60 && cls.reviewStatus === 'UNDER_REVIEW' && localized(cls.eventName),
    'a class without what it needs',
  )
  need(cls.venue === undefined || (localized(cls.venue.name) && localized(cls.venue.address)), 'half a venue')
  need(
    [cls.dateTime.start, cls.dateTime.end].every((text) => !Number.isNaN(Date.parse(text))),
    'no dates',
  )
  need(object.classId === cls.id && object.state === 'ACTIVE', 'an object of another class')
  need(object.barcode.type === 'QR_CODE' && object.barcode.value, 'no code')
  need(/^#[\da-f]{6}$/i.test(object.hexBackgroundColor), 'no colour')
  need(object.seatInfo === undefined || localized(object.seatInfo.seat), 'half a seat')
  return { cls, object }
}
