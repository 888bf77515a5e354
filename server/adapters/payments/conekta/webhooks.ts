/**
 * Conekta's webhooks: RSA signature over the raw body in the header DIGEST. The signature covers no time, so an event can be replayed; that
 * is harmless, because an event only names the object to read.
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import * as z from 'zod'
import { eventId, eventIn } from '#server/adapters/payments/event.ts'
import { BadSignature, type Ref } from '#server/adapters/payments/port.ts'
import type { ConektaClient } from './client.ts'

const conektaEvent = z.looseObject({
  id: eventId,
  type: z.string(),
  created_at: z.number(),
  data: z.looseObject({ object: z.record(z.string(), z.unknown()).optional() }),
})
export type ConektaEvent = z.infer<typeof conektaEvent>

const KEYS_FOR_MS = 600_000

export class ConektaWebhooks {
  readonly #client: ConektaClient
  readonly #given: string | undefined
  readonly #now: () => Date
  #fetchedKeys: { keys: Promise<KeyObject[]>; until: number } | null = null

  constructor(client: ConektaClient, options: { webhookKey: string | undefined; now: () => Date }) {
    this.#client = client
    this.#given = options.webhookKey
    this.#now = options.now
  }

  async read(header: string | string[] | undefined, body: Uint8Array): Promise<ConektaEvent> {
    if (typeof header !== 'string' || header === '') throw new BadSignature('no signature')
    const signature = Buffer.from(header.replace(/^sha-?256=/i, ''), 'base64')
    const keys = await this.#keys()
    if (!keys.some((key) => verify('sha256', body, key, signature))) throw new BadSignature('wrong signature')
    return eventIn(conektaEvent, body)
  }

  /** The configured key, or the account's active ones, cached for ten minutes since they may be rotated. */
  #keys(): Promise<KeyObject[]> {
    const now = this.#now().getTime()
    if (this.#given) return Promise.resolve([publicKey(this.#given)])
    if (this.#fetchedKeys && this.#fetchedKeys.until > now) return this.#fetchedKeys.keys
    const keys = this.#client
      .read(({ keys: api }) => api.getWebhookKeys(undefined, undefined, 20))
      .then(({ data }) =>
        (data ?? []).filter(({ active, public_key }) => active && public_key).map(({ public_key }) => publicKey(public_key ?? '')),
      )
    this.#fetchedKeys = { keys, until: now + KEYS_FOR_MS }
    keys.catch(() => {
      this.#fetchedKeys = null
    })
    return keys
  }
}

/** Parses a PEM; in an environment variable its line breaks may be written as `\n`. */
function publicKey(text: string): KeyObject {
  return createPublicKey(text.replaceAll('\\n', '\n'))
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** Objects that an event may be about; the gateway drops those that are not ours. */
export function listRefsOf(event: ConektaEvent): Ref[] {
  const object = event.data.object ?? {}
  const payment = (id: string | undefined): Ref[] => (id ? [{ gateway: 'conekta', kind: 'payment', id }] : [])
  const [group = ''] = event.type.split('.')
  if (group === 'order') return payment(text(object.id))
  if (group === 'charge') {
    const charge = text(object.charge_id)
    return payment(text(object.order_id) ?? (charge && `charge:${charge}`))
  }
  const plan = group === 'subscription' ? text(object.plan_id) : undefined
  return plan ? [{ gateway: 'conekta', kind: 'subscription', id: plan }] : []
}
