/** The API of a studio for programs: typed by the contract, authenticated by an API key (Ajustes › Integraciones). */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createORPCClient } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import { contract } from '#contract/index.ts'

/** Of one call: a repeated call with the same key takes effect once. */
export interface CallContext {
  idempotencyKey?: string
}

export type Estudio = ContractRouterClient<typeof contract, CallContext>

/**
 * `url`: the address of the site, "https://estudio.mx". A refusal is thrown as an ORPCError with its `code`, `status` and Spanish
 * `message`; TOO_MANY_REQUESTS has the seconds to wait in `data.retry_after`.
 */
export function openEstudio({ url, key }: { url: string; key: string }): Estudio {
  return createORPCClient<Estudio>(
    new OpenAPILink<CallContext>(contract, {
      url: `${url.replace(/\/$/, '')}/api`,
      headers: ({ context }) => ({
        authorization: `Bearer ${key}`,
        ...(context.idempotencyKey ? { 'idempotency-key': context.idempotencyKey } : {}),
      }),
    }),
  )
}

/** A message of a webhook. */
export interface WebhookMessage {
  type: string
  timestamp: string
  data: Record<string, unknown>
}

/** How far the clocks of sender and receiver may differ, in seconds. */
const TOLERANCE_SECONDS = 300

/**
 * The message of a webhook's request. `body`: the text exactly as it was received. Throws when the signature is not of this secret
 * (`whsec_…`), or the message is more than five minutes old. Messages may come twice: `webhook-id` is the same each time.
 */
export function readWebhook(
  secret: string,
  { headers, body, now = new Date() }: { headers: { get(name: string): string | null }; body: string; now?: Date },
): WebhookMessage & { id: string } {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headers.get(name) ?? '')
  if (!(Math.abs(now.getTime() / 1000 - Number(timestamp)) <= TOLERANCE_SECONDS))
    throw new Error('The message is too old or from the future.')
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
  const isSigned = (signatures ?? '').split(' ').some((signature) => {
    const bytes = Buffer.from(signature.replace(/^v1,/, ''), 'base64')
    return signature.startsWith('v1,') && bytes.length === expected.length && timingSafeEqual(bytes, expected)
  })
  if (!isSigned) throw new Error('The signature is not of this secret.')
  return { id: id ?? '', ...(JSON.parse(body) as WebhookMessage) }
}
