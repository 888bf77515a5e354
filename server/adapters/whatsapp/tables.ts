/** WhatsApp messages stored in the studio instead of being sent: the default while no account is configured. */
import { bigint, index, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import * as z from 'zod'
import { json } from '#server/platform/checked-columns.ts'
import { instantColumn } from '#server/platform/tables.ts'

export const whatsappOutbox = pgTable(
  'whatsapp_outbox',
  {
    whatsapp_id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** The sender's own id: the same message twice is one row. */
    message_id: text().notNull(),
    /** "52" and ten digits. */
    to: text().notNull(),
    template: text().notNull(),
    blanks: json(z.array(z.string()), []).notNull(),
    /** What the person would read. */
    text: text().notNull(),
    link: text(),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [uniqueIndex('whatsapp_outbox_message').on(t.message_id), index('whatsapp_outbox_created').on(t.createdAt)],
)

/** Templates handed in while no account is configured: approved after a while, as at Meta, unless they have an address in them. */
export const whatsappOutboxTemplate = pgTable('whatsapp_outbox_template', {
  name: text().primaryKey(),
  body: text().notNull(),
  createdAt: timestamp(instantColumn).notNull(),
})
