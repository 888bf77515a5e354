/** Webhooks over HTTP, to addresses of the public internet (server/platform/public-post.ts). */
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { assertNotInTransaction } from '#server/platform/db.ts'
import { whyNotUrl } from '#server/platform/public-address.ts'
import { publicPost, type Resolve, toReason, Unreachable } from '#server/platform/public-post.ts'
import type { SecretBox } from '#server/platform/secret-box.ts'
import { type SealedSecret, WEBHOOK_SECRETS, type WebhookPort, type WebhookResult } from './port.ts'

/** From the start of resolving to the end of the response. */
const TIMEOUT_MS = 10_000
const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 32

export interface WebhookOptions {
  secrets: SecretBox
  /** Development and tests only. */
  allowLoopback: boolean
  /** Replaced in tests. */
  resolve?: Resolve
  timeoutMs?: number
}

/** "v1,base64": the signature of one secret over id, timestamp and body. */
export function signatureOf(secret: string, message: { id: string; timestamp: number; body: string }): string {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${message.id}.${message.timestamp}.${message.body}`).digest('base64')}`
}

export function httpWebhooks({ secrets, allowLoopback, resolve, timeoutMs = TIMEOUT_MS }: WebhookOptions): WebhookPort {
  const post = publicPost({ allowLoopback, resolve })
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
        const timestamp = Math.floor(at.getTime() / 1000)
        const headers = {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'user-agent': 'Estudio-Webhooks/1',
          'webhook-id': message_id,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': sealed
            .map((sealedSecret) => signatureOf(openSecret(sealedSecret), { id: message_id, timestamp, body }))
            .join(' '),
        }
        const { status, response } = await post(url, { headers, body, signal })
        return result({ status, response, error: errorOf(status) })
      } catch (error) {
        return result({ status: null, response: '', error: toReason(error) })
      }
    },
  }
}

function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400) return 'Responde con otra dirección; no se siguen redirecciones.'
  return `Respondió ${status}.`
}
