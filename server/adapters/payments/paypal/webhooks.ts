/** PayPal's webhooks: RSA signature over id, time, webhook id and a checksum of the raw body, verified here without a request to PayPal. */
import { verify, X509Certificate } from 'node:crypto'
import { crc32 } from 'node:zlib'
import * as z from 'zod'
import { eventId, eventIn } from '#server/adapters/payments/event.ts'
import { BadSignature, type Ref } from '#server/adapters/payments/port.ts'
import type { PayPalClient } from './client.ts'

/** Certificates are accepted only from PayPal's own API over https, which proves that they are PayPal's. */
const CERTIFICATE = /^https:\/\/api(-m)?(\.sandbox)?\.paypal\.com\/v1\/notifications\/certs\/[\w-]+$/

const payPalEvent = z.looseObject({
  id: eventId,
  event_type: z.string(),
  create_time: z.iso.datetime({ offset: true }),
  resource: z.record(z.string(), z.unknown()),
})
export type PayPalEvent = z.infer<typeof payPalEvent>

type Headers = Record<string, string | string[] | undefined>

export class PayPalWebhooks {
  readonly #client: PayPalClient
  readonly #webhookId: string | undefined
  readonly #now: () => Date
  readonly #timeoutMs: number
  readonly #certificates = new Map<string, Promise<X509Certificate>>()

  constructor(client: PayPalClient, options: { webhookId: string | undefined; now: () => Date; timeoutMs: number }) {
    this.#client = client
    this.#webhookId = options.webhookId
    this.#now = options.now
    this.#timeoutMs = options.timeoutMs
  }

  /** Verifies and parses an event. Its time is not checked: a replayed event is harmless, because it only names the object to read. */
  async read(headers: Headers, body: Uint8Array): Promise<PayPalEvent> {
    if (!this.#webhookId) throw new BadSignature('PAYPAL_WEBHOOK_ID is not set')
    const [id, time, signature] = [
      header(headers, 'paypal-transmission-id'),
      header(headers, 'paypal-transmission-time'),
      header(headers, 'paypal-transmission-sig'),
    ]
    const url = header(headers, 'paypal-cert-url')
    if (!id || !time || !signature || !url) throw new BadSignature('no signature')
    if (header(headers, 'paypal-auth-algo') !== 'SHA256withRSA') throw new BadSignature('another way to sign')
    const certificate = await this.#certificate(url)
    const now = this.#now()
    if (new Date(certificate.validFrom) > now || new Date(certificate.validTo) < now)
      throw new BadSignature('the certificate is not valid now')
    const signed = Buffer.from(`${id}|${time}|${this.#webhookId}|${crc32(body)}`)
    if (!verify('sha256', signed, certificate.publicKey, Buffer.from(signature, 'base64'))) throw new BadSignature('wrong signature')
    return eventIn(payPalEvent, body)
  }

  #certificate(url: string): Promise<X509Certificate> {
    const known = this.#certificates.get(url)
    if (known) return known
    const ours = url.startsWith(`${this.#client.base}/v1/notifications/certs/`)
    if (!ours && !CERTIFICATE.test(url)) throw new BadSignature('a certificate of somebody else')
    if (this.#certificates.size > 20) this.#certificates.clear()
    const fetched = this.#fetch(url)
    this.#certificates.set(url, fetched)
    fetched.catch(() => this.#certificates.delete(url))
    return fetched
  }

  /** Fetches a certificate. A failure does not prove a forgery: PayPal sends the event again. */
  async #fetch(url: string): Promise<X509Certificate> {
    const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(this.#timeoutMs) })
    if (!answer.ok) throw new Error(`PayPal's certificate could not be fetched: ${answer.status}`)
    return new X509Certificate(await answer.text())
  }
}

function header(headers: Headers, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const part = (value: unknown): Record<string, unknown> => (value && typeof value === 'object' ? (value as Record<string, unknown>) : {})

/** Objects that an event is about. Captures, refunds and disputes are references that `settle` resolves to their order or subscription. */
export function listRefsOf(event: PayPalEvent): Ref[] {
  const { resource } = event
  const payment = (id: string | undefined): Ref[] => (id ? [{ gateway: 'paypal', kind: 'payment', id }] : [])
  const subscription = (id: string | undefined): Ref[] => (id ? [{ gateway: 'paypal', kind: 'subscription', id }] : [])
  const [group = '', what = ''] = event.event_type.split('.')
  if (group === 'CHECKOUT') return payment(text(resource.order_id) ?? text(resource.id))
  if (group === 'BILLING' && what === 'SUBSCRIPTION') return subscription(text(resource.id))
  if (group === 'CUSTOMER' && what === 'DISPUTE') return payment(text(resource.dispute_id) && `dispute:${resource.dispute_id}`)
  if (group !== 'PAYMENT') return []
  if (what === 'SALE') {
    const agreement = text(resource.billing_agreement_id)
    if (agreement) return subscription(agreement)
    const [sale, refund] = [text(resource.sale_id), text(resource.id)]
    return sale && refund ? payment(`refund:${refund}:${sale}`) : []
  }
  if (what !== 'CAPTURE' && what !== 'REFUND') return []
  const order = text(part(part(resource.supplementary_data).related_ids).order_id)
  if (order) return payment(order)
  // A refund names its capture only in a link.
  const links = Array.isArray(resource.links) ? resource.links.map(part) : []
  const up = links.find(({ rel }) => rel === 'up')
  const capture = /\/captures\/([\w-]+)$/.exec(text(up?.href) ?? '')?.[1]
  return payment(capture && `capture:${capture}`)
}
