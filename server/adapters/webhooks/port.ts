/** Sends messages to addresses of the studio's owner, signed after the Standard Webhooks specification. */
import type { SealedColumn } from '#server/platform/secret-box.ts'

/** The column of the sealed signing secrets. */
export const WEBHOOK_SECRETS: SealedColumn = { table: 'webhook_secret', column: 'sealed', id: 'secret_id' }

export interface SealedSecret {
  secret_id: string
  sealed: string
}

export interface OutgoingWebhook {
  url: string
  /** The same in every attempt. */
  message_id: string
  at: Date
  /** The body as it is signed and sent. */
  body: string
  /** During a rotation two: each gives a signature. */
  secrets: readonly SealedSecret[]
}

/** The result of one attempt. Delivered when `error` is null: the receiver answered 2xx. */
export interface WebhookResult {
  status: number | null
  /** The beginning of the response. */
  response: string
  error: string | null
  milliseconds: number
}

export interface WebhookPort {
  /** Why an address cannot be a webhook, as a sentence; null when it can. */
  whyNotUrl(url: string): string | null
  /** A new signing secret, `whsec_…`, with its sealed form for the database. */
  newSecret(): { secret: string } & SealedSecret
  /** Never throws for what the receiver does. */
  send(message: OutgoingWebhook): Promise<WebhookResult>
}
