/** Google Wallet: a link with a signed token that contains the pass (developers.google.com/wallet, "Google Wallet API JWT"). */
import { createPrivateKey, hash, type KeyObject, sign } from 'node:crypto'
import * as z from 'zod'
import { mailInEnglish } from '#contract/english/answers.ts'
import type { GoogleWallet, KeyProblems, PassFacts, WalletKeys } from './port.ts'

const SAVE = 'https://pay.google.com/gp/v/save/'
/** Google's limit for a token in an address. */
const MAX_TOKEN = 1_800
/**
 * How a pass is written, until its token fits: with everything, without what may be left out, and with its names cut shorter. `detail`: 2
 * everything, 0 only what is needed.
 */
const FORMS = [
  { detail: 2, longest: 60 },
  { detail: 1, longest: 60 },
  { detail: 0, longest: 60 },
  { detail: 0, longest: 28 },
] as const

const serviceAccount = z.object({ client_email: z.email(), private_key: z.string() })

interface Account {
  issuer: string
  email: string
  privateKey: KeyObject
}

function parsed(text: string): { email: string; privateKey: KeyObject } | null {
  try {
    const { client_email, private_key } = serviceAccount.parse(JSON.parse(text))
    const privateKey = createPrivateKey(private_key)
    return privateKey.asymmetricKeyType === 'rsa' ? { email: client_email, privateKey } : null
  } catch {
    return null
  }
}

/** The keys as an account that can sign, as far as there are any, and what is wrong with them. */
export function readGoogleKeys({ GOOGLE_WALLET_ISSUER_ID: issuer, GOOGLE_WALLET_SERVICE_ACCOUNT: file }: WalletKeys): {
  account: Account | null
  problems: KeyProblems
} {
  const problems: KeyProblems = {}
  if (issuer !== undefined && !/^\d{8,25}$/.test(issuer)) problems.GOOGLE_WALLET_ISSUER_ID = 'Son solo números, como 3388000000012345678.'
  const account = file === undefined ? null : parsed(file)
  if (file !== undefined && !account)
    problems.GOOGLE_WALLET_SERVICE_ACCOUNT = 'No es el archivo JSON de una cuenta de servicio con su llave.'
  const isWhole = Object.keys(problems).length === 0 && issuer !== undefined && account
  return { account: isWhole ? { issuer, ...account } : null, problems }
}

const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The class and the object of a pass. */
function payloadOf(facts: PassFacts, issuer: string, { detail, longest }: (typeof FORMS)[number]) {
  const cut = (text: string): string => (text.length > longest ? `${text.slice(0, longest - 1).trimEnd()}…` : text)
  const { studio, location, starts_at, ends_at, language } = facts
  const localized = (value: string) => ({ defaultValue: { language, value: cut(value) } })
  const seat = facts.seat && language === 'en' ? mailInEnglish(facts.seat) : facts.seat
  const scope = new URL(studio.url).hostname.replace(/[^\w.-]/g, '_')
  // Google keeps a class and an object as they were when first saved: what changes gets other names.
  const version = hash('sha256', JSON.stringify([facts.title, facts.day, facts.hour, seat, location])).slice(0, 8)
  const classId = `${issuer}.${scope}-clase-${facts.single_class_id}-${version}`
  const isPublic = studio.url.startsWith('https:')
  return {
    eventTicketClasses: [
      {
        id: classId,
        issuerName: cut(studio.name),
        reviewStatus: 'UNDER_REVIEW',
        eventName: localized(facts.title),
        dateTime: { start: starts_at.toISOString(), end: ends_at.toISOString() },
        ...(detail > 0 && location.address ? { venue: { name: localized(location.name), address: localized(location.address) } } : {}),
        ...(detail > 1 && isPublic ? { logo: { sourceUri: { uri: `${studio.url}/iconos/512.png` } } } : {}),
      },
    ],
    eventTicketObjects: [
      {
        id: `${issuer}.${scope}-reservacion-${facts.class_reservation_id}-${version}`,
        classId,
        state: 'ACTIVE',
        hexBackgroundColor: facts.colours.ground,
        barcode: { type: 'QR_CODE', value: facts.code },
        ...(seat ? { seatInfo: { seat: localized(seat) } } : {}),
        ...(detail > 0 ? { ticketHolderName: cut(facts.holder) } : {}),
      },
    ],
  }
}

/** A wallet whose links this account signs. */
export const googleWallet = ({ issuer, email, privateKey }: Account): GoogleWallet => ({
  identifier: email,
  link(facts, now) {
    const tokens = FORMS.map((form) => {
      const claims = {
        iss: email,
        aud: 'google',
        typ: 'savetowallet',
        iat: Math.floor(now.getTime() / 1000),
        origins: [facts.studio.url],
        payload: payloadOf(facts, issuer, form),
      }
      return `${base64({ alg: 'RS256', typ: 'JWT' })}.${base64(claims)}`
    })
    // The signature of an RSA key has the length of its modulus.
    const signatureSize = Math.ceil(((privateKey.asymmetricKeyDetails?.modulusLength ?? 2_048) / 8) * (4 / 3)) + 1
    const unsigned = tokens.find(({ length }) => length + signatureSize <= MAX_TOKEN) ?? tokens.at(-1) ?? ''
    return `${SAVE}${unsigned}.${sign('sha256', Buffer.from(unsigned), privateKey).toString('base64url')}`
  },
})
