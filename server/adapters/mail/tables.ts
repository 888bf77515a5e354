/** Mails stored in the studio instead of being sent: the default while no SMTP server is configured. */
import { bigint, index, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import * as z from 'zod'
import { json } from '#server/platform/checked-columns.ts'
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
    attachments: json(z.array(z.object({ filename: z.string(), type: z.string(), base64: z.string() })), null),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [
    uniqueIndex('mail_outbox_message').on(t.message_id),
    index('mail_outbox_created').on(t.createdAt),
    index('mail_outbox_to').on(t.to),
  ],
)
