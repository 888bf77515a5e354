/** X.509 certificates as the SAT issues them, for the sandbox: Node reads certificates but does not make them. */
import { createPublicKey, type KeyObject, sign } from 'node:crypto'

const length = (bytes: number): Buffer => {
  if (bytes < 0x80) return Buffer.from([bytes])
  const big = bytes < 0x100 ? [bytes] : bytes < 0x10000 ? [bytes >> 8, bytes & 255] : [bytes >> 16, (bytes >> 8) & 255, bytes & 255]
  return Buffer.from([0x80 | big.length, ...big])
}
const der = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag]), length(body.length), body])
}
const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts)
const set = (...parts: readonly Uint8Array[]) => der(0x31, ...parts)
const utf8 = (text: string) => der(0x0c, Buffer.from(text, 'utf8'))

function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = rest.flatMap((part) => {
    const septets = [part & 127]
    for (let left = part >>> 7; left > 0; left >>>= 7) septets.unshift((left & 127) | 128)
    return septets
  })
  return der(0x06, Buffer.from([first * 40 + second, ...bytes]))
}

/** UTCTime until 2049, GeneralizedTime afterwards. */
const time = (at: Date): Buffer => {
  const text = at.toISOString().replace(/[-:T]|\.\d+/g, '')
  return at.getUTCFullYear() < 2050 ? der(0x17, Buffer.from(text.slice(2))) : der(0x18, Buffer.from(text))
}

const NAMES = { CN: '2.5.4.3', name: '2.5.4.41', O: '2.5.4.10', OU: '2.5.4.11', x500UniqueIdentifier: '2.5.4.45' } as const
export type DistinguishedName = Partial<Record<keyof typeof NAMES, string>>

const nameOf = (of: DistinguishedName): Buffer =>
  sequence(...Object.entries(of).map(([key, value]) => set(sequence(objectId(NAMES[key as keyof typeof NAMES]), utf8(value)))))

const RSA_SHA256 = () => sequence(objectId('1.2.840.113549.1.1.11'), der(0x05))
/** digitalSignature and nonRepudiation, critical. */
const KEY_USAGE = () => sequence(objectId('2.5.29.15'), der(0x01, Buffer.from([255])), der(0x04, der(0x03, Buffer.from([6, 0xc0]))))

export interface CertificateRequest {
  /** Twenty digits. */
  number: string
  subject: DistinguishedName
  issuer: DistinguishedName
  from: Date
  until: Date
  /** The key of the certificate's owner, and that of the authority that signs it. */
  key: KeyObject
  authorityKey: KeyObject
}

/** The certificate in DER. */
export function makeCertificate({ number, subject, issuer, from, until, key, authorityKey }: CertificateRequest): Buffer {
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from(number, 'latin1')),
    RSA_SHA256(),
    nameOf(issuer),
    sequence(time(from), time(until)),
    nameOf(subject),
    createPublicKey(key).export({ format: 'der', type: 'spki' }),
    der(0xa3, sequence(KEY_USAGE())),
  )
  return sequence(body, RSA_SHA256(), der(0x03, Buffer.from([0]), sign('sha256', body, authorityKey)))
}
