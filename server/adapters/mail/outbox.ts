/** The default without SMTP: mails are stored in the studio's database, where staff read them. */
import { desc, lt } from 'drizzle-orm'
import { assertNotInTransaction, type Db } from '#server/platform/db.ts'
import { checkMail, type MailPort } from './port.ts'
import { mailOutbox } from './tables.ts'

/** Stored mails are deleted after this many days. */
const KEPT_DAYS = 60

export function outboxMail(db: Db, now: () => Date): MailPort {
  return {
    async send(mail) {
      assertNotInTransaction('The mail port')
      checkMail(mail)
      const { messageId, attachments, unsubscribeUrl: _, ...rest } = mail
      const kept = attachments?.map(({ filename, type, content }) => ({ filename, type, base64: Buffer.from(content).toString('base64') }))
      await db.tx(async (tx) => {
        await tx
          .insert(mailOutbox)
          .values({ ...rest, ...(kept ? { attachments: kept } : {}), message_id: messageId, createdAt: now() })
          .onConflictDoNothing()
      })
    },
    async kept({ number, size }) {
      const [rows, total] = await Promise.all([
        db.read
          .select()
          .from(mailOutbox)
          .orderBy(desc(mailOutbox.mail_id))
          .limit(size)
          .offset((number - 1) * size),
        db.read.$count(mailOutbox),
      ])
      return {
        mails: rows.map(({ mail_id, to, subject, text, attachments, createdAt }) => {
          const files = (attachments ?? []).map(({ filename }) => filename)
          return { mail_id, to, subject, text, files, createdAt }
        }),
        total,
      }
    },
    jobs: () => [
      {
        name: 'mail-sweep',
        queue: 'upkeep',
        every: '43 4 * * *',
        work: () =>
          db.tx(async (tx) => {
            await tx.delete(mailOutbox).where(lt(mailOutbox.createdAt, new Date(now().getTime() - KEPT_DAYS * 86_400_000)))
          }),
      },
    ],
    async close() {},
  }
}
