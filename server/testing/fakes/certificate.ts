/** A certificate for tests: the minimal X.509 bytes that a signature check reads. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  const length = body.length < 128 ? Buffer.from([body.length]) : Buffer.from([0x82, body.length >> 8, body.length & 0xff])
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
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? []
  return { privateKey, certificate: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n` }
}
