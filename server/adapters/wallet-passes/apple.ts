/**
 * Apple Wallet: a `.pkpass` is a ZIP of pass.json, its pictures, the SHA-1 of each in manifest.json, and the signature of that manifest.
 */
import { createPrivateKey, hash, type KeyObject, X509Certificate } from 'node:crypto'
import type { Hex } from '#contract/color.ts'
import { mailInEnglish, timesInEnglish } from '#contract/english/answers.ts'
import { writeStoredZip } from '#server/platform/zip.ts'
import { signDetached } from './cms.ts'
import { parsePem } from './pem.ts'
import type { AppleWallet, KeyProblems, PassFacts, PassPictures, WalletKeys } from './port.ts'

const CERTIFICATE = ['CERTIFICATE'] as const
const PRIVATE_KEY = ['PRIVATE KEY', 'RSA PRIVATE KEY', 'ENCRYPTED PRIVATE KEY'] as const

interface Identity {
  certificate: X509Certificate
  privateKey: KeyObject
  intermediate: X509Certificate
  passType: string
  team: string
}

/** An attribute of a certificate's subject, by OpenSSL's short name. */
const subjectOf = (certificate: X509Certificate, name: string): string | null =>
  certificate.subject
    .split('\n')
    .find((line) => line.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? null

function tried<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}

const readCertificate = (text: string): X509Certificate | null => {
  const pem = parsePem(text, CERTIFICATE)
  return pem === null ? null : tried(() => new X509Certificate(pem))
}

/** The keys as an identity that can sign, as far as there are any, and what is wrong with them. */
export function readAppleKeys(keys: WalletKeys): { identity: Identity | null; problems: KeyProblems } {
  const problems: KeyProblems = {}
  const certificate = keys.APPLE_PASS_CERTIFICATE === undefined ? null : readCertificate(keys.APPLE_PASS_CERTIFICATE)
  const passType = certificate && subjectOf(certificate, 'UID')
  const team = certificate && subjectOf(certificate, 'OU')
  if (keys.APPLE_PASS_CERTIFICATE !== undefined) {
    if (!certificate) problems.APPLE_PASS_CERTIFICATE = 'No es un certificado en formato PEM.'
    else if (!passType?.startsWith('pass.') || !team)
      problems.APPLE_PASS_CERTIFICATE = 'No es un certificado de Apple para pases (Pass Type ID).'
  }
  const pem = keys.APPLE_PASS_PRIVATE_KEY === undefined ? null : parsePem(keys.APPLE_PASS_PRIVATE_KEY, PRIVATE_KEY)
  const privateKey = pem === null ? null : tried(() => createPrivateKey(pem))
  if (keys.APPLE_PASS_PRIVATE_KEY !== undefined) {
    if (pem?.includes('ENCRYPTED')) problems.APPLE_PASS_PRIVATE_KEY = 'Está protegida con contraseña: expórtala sin ella.'
    else if (privateKey?.asymmetricKeyType !== 'rsa') problems.APPLE_PASS_PRIVATE_KEY = 'No es una llave privada RSA en formato PEM.'
    else if (certificate && !certificate.checkPrivateKey(privateKey))
      problems.APPLE_PASS_PRIVATE_KEY = 'No es la llave de este certificado.'
  }
  const intermediate = keys.APPLE_WWDR_CERTIFICATE === undefined ? null : readCertificate(keys.APPLE_WWDR_CERTIFICATE)
  if (keys.APPLE_WWDR_CERTIFICATE !== undefined) {
    if (!intermediate) problems.APPLE_WWDR_CERTIFICATE = 'No es un certificado en formato PEM.'
    else if (certificate && !(certificate.checkIssued(intermediate) && certificate.verify(intermediate.publicKey)))
      problems.APPLE_WWDR_CERTIFICATE = 'No es el certificado que firmó el de tus pases.'
  }
  const isWhole = Object.keys(problems).length === 0 && certificate && privateKey && intermediate && passType && team
  return { identity: isWhole ? { certificate, privateKey, intermediate, passType, team } : null, problems }
}

const rgb = (hex: Hex): string => `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`
/** An instant without the milliseconds, which Wallet does not read. */
const instant = (at: Date): string => at.toISOString().replace(/\.\d{3}Z$/, 'Z')

interface Field {
  key: string
  label: string
  value: string
}

/** The content of pass.json. */
function passOf(facts: PassFacts, { passType, team }: Identity) {
  const { studio, location, colours, language } = facts
  const translate = language === 'en' ? mailInEnglish : (text: string) => text
  const field = (key: string, label: string, value: string | null): Field[] => (value ? [{ key, label, value }] : [])
  return {
    formatVersion: 1,
    passTypeIdentifier: passType,
    teamIdentifier: team,
    serialNumber: `reservacion-${facts.class_reservation_id}`,
    organizationName: studio.name,
    description: translate(`Tu lugar en ${facts.title}, ${studio.name}`),
    // The code opens one reservation: a shared pass would let another person in.
    sharingProhibited: true,
    relevantDate: instant(facts.starts_at),
    relevantDates: [{ startDate: instant(facts.starts_at), endDate: instant(facts.ends_at) }],
    expirationDate: instant(facts.ends_at),
    backgroundColor: rgb(colours.ground),
    foregroundColor: rgb(colours.ink),
    labelColor: rgb(colours.label),
    barcodes: [{ format: 'PKBarcodeFormatQR', message: facts.code, messageEncoding: 'iso-8859-1' }],
    eventTicket: {
      headerFields: field('hora', language === 'en' ? timesInEnglish(facts.day) : facts.day, facts.hour),
      primaryFields: field('clase', studio.name, facts.title),
      secondaryFields: [
        ...field('coach', 'Coach', facts.coach),
        ...field('lugar', translate('Tu lugar'), facts.seat && translate(facts.seat)),
      ],
      auxiliaryFields: [...field('donde', translate('Dónde'), location.name), ...field('invitado', translate('Contigo'), facts.guest)],
      backFields: [
        ...field('direccion', translate('Dirección'), location.address),
        ...field('nombre', translate('A nombre de'), facts.holder),
        ...field(
          'cambios',
          translate('Si cambias o cancelas tu lugar'),
          translate('Este pase no cambia solo: agrega el nuevo desde Mis Reservaciones.'),
        ),
        ...field('reservaciones', translate('Mis Reservaciones'), `${studio.url}/mystudio/reservaciones`),
      ],
    },
  }
}

/** A wallet that signs with this identity. */
export const appleWallet = (identity: Identity): AppleWallet => ({
  identifier: identity.passType,
  validUntil: identity.certificate.validToDate,
  async pass(facts: PassFacts, pictures: PassPictures, now: Date): Promise<Uint8Array> {
    const files = new Map<string, Uint8Array>([['pass.json', Buffer.from(JSON.stringify(passOf(facts, identity)))], ...pictures])
    const manifest = Buffer.from(JSON.stringify(Object.fromEntries([...files].map(([name, bytes]) => [name, hash('sha1', bytes)]))))
    files.set('manifest.json', manifest)
    files.set('signature', signDetached(manifest, { ...identity, intermediates: [identity.intermediate], at: now }))
    return writeStoredZip(files)
  },
})
