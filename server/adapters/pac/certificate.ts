/** A certificate of digital seal (CSD): reading it with its private key, sealing a chain with it, verifying a seal. */
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify, X509Certificate } from 'node:crypto'

export interface CertificateFacts {
  /** The SAT's number of the certificate, twenty digits: NoCertificado. */
  number: string
  /** RFC of its owner. */
  rfc: string
  name: string
  validFrom: Date
  validUntil: Date
  /** Certificates of e.firma seal no invoices: those of digital seal name the branch that uses them. */
  isSeal: boolean
  /** The certificate itself as an invoice has it: DER in Base64. */
  base64: string
}

const lineOf = (subject: string, key: string): string =>
  subject
    .split('\n')
    .find((line) => line.startsWith(`${key}=`))
    ?.slice(key.length + 1)
    .replace(/\\(.)/g, '$1') ?? ''

/** Reads a .cer file (DER). Null: it is no certificate of the SAT. */
export function readCertificate(der: Uint8Array): CertificateFacts | null {
  let read: X509Certificate
  try {
    read = new X509Certificate(der)
  } catch {
    return null
  }
  // The serial number is the ASCII of its digits.
  const number = Buffer.from(read.serialNumber, 'hex').toString('latin1')
  const rfc = lineOf(read.subject, 'x500UniqueIdentifier').split('/')[0]?.trim() ?? ''
  if (!/^\d{20}$/.test(number) || rfc === '') return null
  return {
    number,
    rfc,
    name: lineOf(read.subject, 'CN'),
    isSeal: lineOf(read.subject, 'OU') !== '',
    validFrom: new Date(read.validFrom),
    validUntil: new Date(read.validTo),
    base64: read.raw.toString('base64'),
  }
}

/** Reads a .key file (encrypted PKCS#8, DER) with its password. Null: the password or the file is another one. */
export function readKey(der: Uint8Array, passphrase: string): KeyObject | null {
  try {
    return createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8', passphrase })
  } catch {
    return null
  }
}

/** The private key without its password, for the box that encrypts it. */
export const keyText = (key: KeyObject): string => key.export({ format: 'der', type: 'pkcs8' }).toString('base64')
export const keyOfText = (text: string): KeyObject => createPrivateKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'pkcs8' })

const spki = (key: KeyObject) => key.export({ format: 'der', type: 'spki' })

/** Whether a private key belongs to a certificate. */
export const belongTogether = (certificate: CertificateFacts, key: KeyObject): boolean =>
  spki(createPublicKey(key)).equals(spki(publicKeyOf(certificate.base64)))

const publicKeyOf = (base64: string): KeyObject => new X509Certificate(Buffer.from(base64, 'base64')).publicKey

/** The seal of a chain: RSA with SHA-256, in Base64. */
export const seal = (chain: string, key: KeyObject): string => sign('sha256', Buffer.from(chain, 'utf8'), key).toString('base64')

export function verifySeal(chain: string, sealed: string, certificateBase64: string): boolean {
  try {
    return verify('sha256', Buffer.from(chain, 'utf8'), publicKeyOf(certificateBase64), Buffer.from(sealed, 'base64'))
  } catch {
    return false
  }
}

/** Whether a certificate was signed by an authority. */
export const isIssuedBy = (certificateBase64: string, authorityBase64: string): boolean => {
  try {
    return new X509Certificate(Buffer.from(certificateBase64, 'base64')).verify(publicKeyOf(authorityBase64))
  } catch {
    return false
  }
}
