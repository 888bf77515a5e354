/** Mails kept in the studio instead of being sent: the default while no SMTP server is configured. */
import { bigint, index, jsonb, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { instantColumn } from '#server/platform/tables.ts'

export const mailOutbox = pgTable(
  'mail_outbox',
  {
    mail_id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** The sender's own id, unique: a mail sent twice is one row. */
    message_id: text().notNull(),
    to: text().notNull(),
    subject: text().notNull(),
    html: text().notNull(),
    text: text().notNull(),
    /** Files that go with it, in base64. */
    attachments: jsonb().$type<{ filename: string; type: string; base64: string }[]>(),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    uniqueIndex('mail_outbox_message').on(t.message_id),
    index('mail_outbox_created').on(t.createdAt),
    index('mail_outbox_to').on(t.to),
  ],
)
