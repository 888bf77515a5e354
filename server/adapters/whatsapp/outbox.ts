/** The default without an account: messages are stored in the studio's database, where staff read them. */
import { asc, eq, lt } from 'drizzle-orm'
import { assertNotInTransaction, type Db } from '#server/platform/db.ts'
import { checkWhatsApp, NotFromWhatsApp, type TemplateState, type WhatsAppPort, WhatsAppRefused } from './port.ts'
import { whatsappOutbox, whatsappOutboxTemplate } from './tables.ts'
import { filledBody, templates, toBlank, whyNotBody } from './templates.ts'

/** Stored messages are deleted after this many days. */
const STORED_DAYS = 60
/** Time until a template is decided on, in ms. */
const REVIEW_MS = 10 * 60_000

type OutboxTemplate = typeof whatsappOutboxTemplate.$inferSelect

function stateOf({ name, body, createdAt }: OutboxTemplate, now: Date): TemplateState {
  if (now.getTime() - createdAt.getTime() < REVIEW_MS) return { name, status: 'pending', reason: null }
  const hasAddress = /https?:\/\/|www\./i.test(body)
  return { name, status: hasAddress ? 'rejected' : 'approved', reason: hasAddress ? 'INVALID_FORMAT' : null }
}

export function outboxWhatsApp(db: Db, publicUrl: string, now: () => Date): WhatsAppPort {
  return {
    async send(message) {
      assertNotInTransaction('The WhatsApp port')
      const { to, template } = checkWhatsApp(message)
      const { own, messageId, path } = message
      const blanks = message.blanks.map(toBlank)
      if (own) {
        const [found] = await db.read.select().from(whatsappOutboxTemplate).where(eq(whatsappOutboxTemplate.name, own.name))
        if (found?.body !== own.body) throw new WhatsAppRefused(`There is no template ${own.name} with this text.`)
        if (stateOf(found, now()).status !== 'approved') throw new WhatsAppRefused(`The template ${own.name} is not approved.`)
      }
      await db.tx(async (tx) => {
        await tx
          .insert(whatsappOutbox)
          .values({
            message_id: messageId,
            to,
            template: template.name,
            blanks,
            text: filledBody(template.body, blanks),
            link: `${publicUrl}${path}`,
            createdAt: now(),
          })
          .onConflictDoNothing()
      })
      return { provider_id: null, provider_person: null }
    },
    managesTemplates: true,
    async listTemplates() {
      assertNotInTransaction('The WhatsApp port')
      const rows = await db.read.select().from(whatsappOutboxTemplate).orderBy(asc(whatsappOutboxTemplate.name))
      const known = Object.values(templates).map(({ name }): TemplateState => ({ name, status: 'approved', reason: null }))
      return [...known, ...rows.map((row) => stateOf(row, now()))]
    },
    async submitTemplate({ name, body }) {
      assertNotInTransaction('The WhatsApp port')
      const why = whyNotBody(body)
      if (why) throw new WhatsAppRefused(why)
      await db.tx(async (tx) => {
        await tx.insert(whatsappOutboxTemplate).values({ name, body, createdAt: now() }).onConflictDoNothing()
      })
    },
    verifyWebhook() {
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
            await tx.delete(whatsappOutbox).where(lt(whatsappOutbox.createdAt, new Date(now().getTime() - STORED_DAYS * 86_400_000)))
          }),
      },
    ],
  }
}
