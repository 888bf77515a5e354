/** WhatsApp by the Cloud API when an account is configured, otherwise the outbox. */
import type { Config } from '#server/config.ts'
import type { Db } from '#server/platform/db.ts'
import { cloudWhatsApp } from './cloud.ts'
import { outboxWhatsApp } from './outbox.ts'
import type { WhatsAppPort } from './port.ts'

type Account = Pick<
  Config,
  'WHATSAPP_TOKEN' | 'WHATSAPP_PHONE_ID' | 'WHATSAPP_BUSINESS_ID' | 'WHATSAPP_API_BASE' | 'WHATSAPP_APP_SECRET' | 'WHATSAPP_VERIFY_TOKEN'
>

export function chooseWhatsApp(config: Account, deps: { db: Db; publicUrl: string; now: () => Date }): WhatsAppPort {
  const { WHATSAPP_TOKEN: token, WHATSAPP_PHONE_ID: phoneId } = config
  if (!token || !phoneId) return outboxWhatsApp(deps.db, deps.publicUrl, deps.now)
  return cloudWhatsApp({
    token,
    phoneId,
    publicUrl: deps.publicUrl,
    businessId: config.WHATSAPP_BUSINESS_ID,
    base: config.WHATSAPP_API_BASE,
    appSecret: config.WHATSAPP_APP_SECRET,
    verifyToken: config.WHATSAPP_VERIFY_TOKEN,
  })
}
