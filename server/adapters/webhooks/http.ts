/**
 * Webhooks over HTTP. The receiver's name is resolved first, every address checked, and the connection made to a checked address: a name
 * that resolves differently the second time (DNS rebinding) reaches nothing else. Redirects are not followed.
 */
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { assertNotInTransaction } from '#server/platform/db.ts'
import type { SecretBox } from '#server/platform/secret-box.ts'
import { type SealedSecret, WEBHOOK_SECRETS, type WebhookPort, type WebhookResult } from './port.ts'
import { hostOf, mayReach, whyNotUrl } from './public-address.ts'

/** From the start of resolving to the end of the response. */
const TIMEOUT_MS = 10_000
/** How much of a response is read. */
const RESPONSE_BYTES = 2_048
const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32

interface Address {
  address: string
  family: number
}

export interface WebhookOptions {
  secrets: SecretBox
  /** Development and tests only. */
  allowLoopback: boolean
  /** Replaced in tests. */
  resolve?: (host: string) => Promise<Address[]>
  timeoutMs?: number
}

/** "v1,base64": the signature of one secret over id, timestamp and body. */
export function signatureOf(secret: string, message: { id: string; timestamp: number; body: string }): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${message.id}.${message.timestamp}.${message.body}`).digest('base64')}`
}

/** A reason not to send, as the log shows it. */
class Unreachable extends Error {}

export function httpWebhooks({ secrets, allowLoopback, resolve = resolveAll, timeoutMs = TIMEOUT_MS }: WebhookOptions): WebhookPort {
  /** The checked address to connect to. */
  async function addressOf(url: URL): Promise<Address> {
    const host = hostOf(url)
    const kind = isIP(host)
    const found = kind ? [{ address: host, family: kind }] : await resolve(host)
    const [first] = found
    if (!first) throw new Unreachable('El nombre no tiene dirección.')
    // All of them: which one a receiver answers on is its own choice.
    if (!found.every(({ address }) => mayReach(address, allowLoopback))) throw new Unreachable('La dirección es de una red privada.')
    return first
  }
  const openSecret = ({ secret_id, sealed }: SealedSecret) => secrets.open(sealed, WEBHOOK_SECRETS, secret_id)
  return {
    whyNotUrl: (url) => whyNotUrl(url, allowLoopback),
    newSecret() {
      const secret_id = randomUUID()
      const secret = `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`
      return { secret_id, secret, sealed: secrets.seal(secret, WEBHOOK_SECRETS, secret_id) }
    },
    async send({ url: text, message_id, at, body, secrets: sealed }) {
      assertNotInTransaction('The webhook port')
      const started = performance.now()
      const result = (rest: Omit<WebhookResult, 'milliseconds'>): WebhookResult => ({
        ...rest,
        milliseconds: Math.round(performance.now() - started),
      })
      try {
        const no = whyNotUrl(text, allowLoopback)
        if (no) throw new Unreachable(no)
        if (sealed.length === 0) throw new Unreachable('Este webhook ya no tiene secreto: crea otro.')
        const url = new URL(text)
        const signal = AbortSignal.timeout(timeoutMs)
        const address = await Promise.race([addressOf(url), abortOf(signal)])
        const timestamp = Math.floor(at.getTime() / 1000)
        const headers = {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'Estudio-Webhooks/1',
          'webhook-id': message_id,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': sealed.map((one) => signatureOf(openSecret(one), { id: message_id, timestamp, body })).join(' '),
        }
        const { status, response } = await post(url, { address, headers, body, signal })
        return result({ status, response, error: errorOf(status) })
      } catch (error) {
        return result({ status: null, response: '', error: reasonOf(error) })
      }
    },
  }
}

const resolveAll = (host: string): Promise<Address[]> => lookup(host, { all: true })

const abortOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))

interface Posted {
  address: Address
  headers: Record<string, string | number>
  body: string
  signal: AbortSignal
}

function post(url: URL, { address, headers, body, signal }: Posted): Promise<{ status: number; response: string }> {
  // Answers every question for the host with the checked address, in the form of a single result or of a list.
  const pinned: LookupFunction = (_host, options, done) => {
    if (options.all) done(null, [address])
    else done(null, address.address, address.family)
  }
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, signal, lookup: pinned, agent: false }, (answer) => {
      readBeginning(answer).then((response) => resolve({ status: answer.statusCode ?? 0, response }), reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** The first bytes of a response; the rest is not received. */
async function readBeginning(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of answer) {
    parts.push(part as Buffer)
    bytes += (part as Buffer).length
    if (bytes >= RESPONSE_BYTES) break
  }
  answer.destroy()
  // PostgreSQL stores no NUL.
  return Buffer.concat(parts).subarray(0, RESPONSE_BYTES).toString('utf8').replaceAll('\u0000', '')
}

function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return 'Responde con otra dirección; no se siguen redirecciones.'
  return `Respondió ${status}.`
}

const CODES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'El nombre no existe.',
  EAI_AGAIN: 'No se pudo buscar el nombre.',
  ECONNREFUSED: 'No acepta conexiones.',
  ECONNRESET: 'Cortó la conexión.',
  ETIMEDOUT: 'No respondió a tiempo.',
}

function reasonOf(error: unknown): string {
  if (error instanceof Unreachable) return error.message
  const { name, code } = error as { name?: string; code?: string }
  if (name === 'TimeoutError' || name === 'AbortError') return 'No respondió a tiempo.'
  return (
    CODES[code ?? ''] ??
    (/CERT|SSL|TLS/.test(code ?? '') ? 'Su certificado no es válido.' : `No se pudo enviar${code ? ` (${code})` : ''}.`)
  )
}
