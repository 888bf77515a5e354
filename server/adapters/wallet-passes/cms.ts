/** A detached PKCS #7 signature (CMS SignedData, RFC 5652) with SHA-256 and RSA, as a pass of Apple needs it. */
import { hash, type KeyObject, sign, type X509Certificate } from 'node:crypto'
import { encodeDer, encodeOid, encodeSet, integer, octets, readDer, sequence, time } from './der.ts'

const SIGNED_DATA = encodeOid('1.2.840.113549.1.7.2')
const DATA = encodeOid('1.2.840.113549.1.7.1')
const CONTENT_TYPE = encodeOid('1.2.840.113549.1.9.3')
const MESSAGE_DIGEST = encodeOid('1.2.840.113549.1.9.4')
const SIGNING_TIME = encodeOid('1.2.840.113549.1.9.5')
const NULL = encodeDer(0x05)
const SHA_256 = sequence(encodeOid('2.16.840.1.101.3.4.2.1'), NULL)
const RSA = sequence(encodeOid('1.2.840.113549.1.1.1'), NULL)

/** The version of a certificate is the one part of it that may be left out. */
const VERSION_TAG = 0xa0

/** How a signature names its certificate: by issuer and serial number, as they are written in it. */
function nameOf({ raw }: X509Certificate): Buffer {
  const [certificate] = readDer(raw)
  const [signed] = readDer(certificate?.content ?? Buffer.alloc(0))
  const parts = readDer(signed?.content ?? Buffer.alloc(0)).filter(({ tag }) => tag !== VERSION_TAG)
  const [serial, , issuer] = parts
  if (!serial || !issuer) throw new Error('This certificate has no issuer.')
  return sequence(issuer.whole, serial.whole)
}

export interface SignatureOptions {
  certificate: X509Certificate
  privateKey: KeyObject
  /** The certificates between that one and the root, which comes with the devices. */
  intermediates: readonly X509Certificate[]
  at: Date
}

/** Signs this content; the signature does not contain it. */
export function signDetached(content: Uint8Array, { certificate, privateKey, intermediates, at }: SignatureOptions): Buffer {
  const attributes = [
    sequence(CONTENT_TYPE, encodeSet([DATA])),
    sequence(SIGNING_TIME, encodeSet([time(at)])),
    sequence(MESSAGE_DIGEST, encodeSet([octets(hash('sha256', content, 'buffer'))])),
  ]
  // The attributes are signed as a SET and stored under an implicit tag (RFC 5652 section 5.4).
  const signature = sign('sha256', encodeSet(attributes), privateKey)
  const signer = sequence(integer(1), nameOf(certificate), SHA_256, encodeSet(attributes, 0xa0), RSA, octets(signature))
  const certificates = encodeSet(
    [certificate, ...intermediates].map(({ raw }) => raw),
    0xa0,
  )
  return sequence(
    SIGNED_DATA,
    encodeDer(0xa0, sequence(integer(1), encodeSet([SHA_256]), sequence(DATA), certificates, encodeSet([signer]))),
  )
}
