/** Certificates for tests: the minimal X.509 bytes that a signature check reads. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const size = body.length
  const length = Buffer.from(size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 0xff])
  return Buffer.concat([Buffer.from([tag]), length, body])
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const integer = (value: number) => der(0x02, Buffer.from([value]))
/** sha256WithRSAEncryption */
const ALGORITHM = sequence(der(0x06, Buffer.from('2a864886f70d01010b', 'hex')), der(0x05))
const commonName = (text: string) => sequence(der(0x31, sequence(der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from(text)))))
const time = (date: Date) => der(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`))

/** A key pair with a self-signed certificate. */
export function selfSigned(name: string, from: Date, to: Date): { privateKey: KeyObject; certificate: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const signed = sequence(
    der(0xa0, integer(2)),
    integer(1),
    ALGORITHM,
    commonName(name),
    sequence(time(from), time(to)),
    commonName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const whole = sequence(signed, ALGORITHM, der(0x03, Buffer.from([0]), sign('sha256', signed, privateKey)))
  return { privateKey, certificate: pem(whole) }
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}

/** The attributes of a name: OpenSSL's short names. */
const ATTRIBUTES = { CN: '550403', OU: '55040b', UID: '0992268993f22c640101' } as const
type Name = Partial<Record<keyof typeof ATTRIBUTES, string>>
const nameOf = (name: Name) =>
  sequence(
    ...Object.entries(name).map(([key, text]) =>
      der(0x31, sequence(der(0x06, Buffer.from(ATTRIBUTES[key as keyof Name], 'hex')), der(0x0c, Buffer.from(text)))),
    ),
  )
/** basicConstraints, critical: whether the certificate may sign others. */
const constraints = (mayIssue: boolean) =>
  der(
    0xa3,
    sequence(
      sequence(
        der(0x06, Buffer.from('551d13', 'hex')),
        der(0x01, Buffer.from([0xff])),
        der(0x04, mayIssue ? sequence(der(0x01, Buffer.from([0xff]))) : sequence()),
      ),
    ),
  )

export interface Issued {
  name: Name
  certificate: string
  privateKey: KeyObject
}

/** A key pair with a certificate that `issuer` signed; a self-signed one without. */
export function issue(
  name: Name,
  { issuer, mayIssue, from, to, serial }: { issuer: Issued | null; mayIssue: boolean; from: Date; to: Date; serial: number },
): Issued {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const signed = sequence(
    der(0xa0, integer(2)),
    integer(serial),
    ALGORITHM,
    nameOf(issuer?.name ?? name),
    sequence(time(from), time(to)),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    constraints(mayIssue),
  )
  const signature = sign('sha256', signed, issuer?.privateKey ?? privateKey)
  return { name, privateKey, certificate: pem(sequence(signed, ALGORITHM, der(0x03, Buffer.from([0]), signature))) }
}
