/** The default without SMTP: mails are stored in the studio's database, where staff read them. */
import { setImmediate as afterThisTurn } from 'node:timers/promises'
import { desc, lt, sql } from 'drizzle-orm'
import { assertNotInTransaction, type Db } from '#server/platform/db.ts'
import { checkMail, type Mail, type MailPort } from './port.ts'
import { mailOutbox } from './tables.ts'

/** Stored mails are deleted after this many days. */
const STORED_DAYS = 60

interface OutboxRow extends Pick<typeof mailOutbox.$inferInsert, 'message_id' | 'to' | 'subject' | 'html' | 'text' | 'attachments'> {
  createdAt: string
}

const rowOf = ({ messageId, attachments, unsubscribeUrl: _, ...rest }: Mail, now: Date): OutboxRow => ({
  ...rest,
  attachments: attachments?.map(({ filename, type, content }) => ({ filename, type, base64: Buffer.from(content).toString('base64') })),
  message_id: messageId,
  createdAt: now.toISOString(),
})

async function insertMails(db: Db, rows: readonly OutboxRow[]): Promise<void> {
  await db.tx((tx) =>
    tx.execute(sql`
      insert into mail_outbox (message_id, "to", subject, html, text, attachments, "createdAt")
      select message_id, "to", subject, html, text, attachments, "createdAt" from json_to_recordset(${JSON.stringify(rows)}::json)
        as mail (message_id text, "to" text, subject text, html text, text text, attachments jsonb, "createdAt" timestamptz)
      on conflict do nothing`),
  )
}

export function outboxMail(db: Db, now: () => Date): MailPort {
  /** What this turn of the event loop sends, written in one statement. */
  let gathered: { rows: OutboxRow[]; written: Promise<void> } | null = null
  function gather(): { rows: OutboxRow[]; written: Promise<void> } {
    const rows: OutboxRow[] = []
    const written = afterThisTurn().then(() => {
      gathered = null
      return insertMails(db, rows)
    })
    return { rows, written }
  }

  return {
    async send(mail) {
      assertNotInTransaction('The mail port')
      checkMail(mail)
      gathered ??= gather()
      gathered.rows.push(rowOf(mail, now()))
      await gathered.written
    },
    async listStored({ number, size }) {
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
            await tx.delete(mailOutbox).where(lt(mailOutbox.createdAt, new Date(now().getTime() - STORED_DAYS * 86_400_000)))
          }),
      },
    ],
    async close() {},
  }
}
