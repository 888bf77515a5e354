/** The default without an account: messages are stored in the studio's database, where staff read them. */
import { lt } from 'drizzle-orm'
import { assertNotInTransaction, type Db } from '#server/platform/db.ts'
import { checkWhatsApp, NotFromWhatsApp, type WhatsAppPort } from './port.ts'
import { whatsappOutbox } from './tables.ts'
import { blank, filled, templates } from './templates.ts'

/** Stored messages are deleted after this many days. */
const KEPT_DAYS = 60

export function outboxWhatsApp(db: Db, publicUrl: string, now: () => Date): WhatsAppPort {
  return {
    async send(message) {
      assertNotInTransaction('The WhatsApp port')
      const { to } = checkWhatsApp(message)
      const { event, messageId, path } = message
      const blanks = message.blanks.map(blank)
      await db.tx(async (tx) => {
        await tx
          .insert(whatsappOutbox)
          .values({
            message_id: messageId,
            to,
            template: templates[event].name,
            blanks,
            text: filled(event, blanks),
            link: `${publicUrl}${path}`,
            createdAt: now(),
          })
          .onConflictDoNothing()
      })
      return { provider_id: null, provider_person: null }
    },
    hear() {
      throw new NotFromWhatsApp('No account is configured.')
    },
    greet: () => null,
    jobs: () => [
      {
        name: 'whatsapp-sweep',
        queue: 'upkeep',
        every: '47 4 * * *',
        work: () =>
          db.tx(async (tx) => {
            await tx.delete(whatsappOutbox).where(lt(whatsappOutbox.createdAt, new Date(now().getTime() - KEPT_DAYS * 86_400_000)))
          }),
      },
    ],
  }
}
