import type { Config } from '#server/config.ts'
import type { SecretBox } from '#server/platform/secret-box.ts'
import { httpWebhooks } from './http.ts'
import type { WebhookPort } from './port.ts'

/** Webhooks over HTTPS; to this machine only where the environment allows it, never in production (server/config.ts). */
export const chooseWebhooks = (config: Config, { secrets }: { secrets: SecretBox }): WebhookPort =>
  httpWebhooks({ secrets, allowLoopback: config.WEBHOOKS_LOOPBACK ?? false })
