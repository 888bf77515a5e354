/** Mail by SMTP when it is configured, otherwise the outbox. */
import type { Settings } from '#contract/settings.ts'
import type { Db } from '#server/platform/db.ts'
import { outboxMail } from './outbox.ts'
import type { MailPort } from './port.ts'
import { smtpMail } from './smtp.ts'

export interface MailDeps {
  db: Db
  settings: () => Pick<Settings, 'business_name' | 'email'>
  publicUrl: string
  now: () => Date
}

/** `MAIL_FROM` is "address" or "Name <address>"; without a name the studio's is used. */
export function readFrom(text: string | undefined, publicUrl: string): { name: string | undefined; address: string } {
  const named = /^\s*"?(.*?)"?\s*<\s*([^<>\s]+)\s*>\s*$/.exec(text ?? '')
  if (named) return { name: named[1] || undefined, address: named[2] ?? '' }
  return { name: undefined, address: text?.trim() || `no-responder@${new URL(publicUrl).hostname}` }
}

/**
 * How many mails a worker takes at once: one where a server may hang, so that it holds up no other mail; many where they are only stored.
 */
export const mailsAtOnce = (config: { SMTP_URL?: string | undefined }): number => (config.SMTP_URL ? 1 : 50)

export function chooseMail(config: { SMTP_URL?: string | undefined; MAIL_FROM?: string | undefined }, deps: MailDeps): MailPort {
  if (!config.SMTP_URL) return outboxMail(deps.db, deps.now)
  const from = readFrom(config.MAIL_FROM, deps.publicUrl)
  return smtpMail({
    url: config.SMTP_URL,
    from: () => ({ name: from.name ?? deps.settings().business_name, address: from.address }),
    replyTo: () => (/^[^\s@,;<>]+@[^\s@,;<>]+$/.test(deps.settings().email) ? deps.settings().email : undefined),
  })
}
