import { expect, test } from 'vitest'
import { openDb } from '#server/platform/db.ts'
import { freshDatabase } from '#server/testing/postgres.ts'
import { newRun } from '#server/testing/run.ts'
import { outboxMail } from './outbox.ts'
import { mailSuite } from './suite.ts'
import { mailOutbox } from './tables.ts'

const database = async () => openDb({ connection: await freshDatabase() })

mailSuite('outbox', database, async (db) => ({
  port: outboxMail(db, () => new Date()),
  arrived: async () =>
    (await db.read.select().from(mailOutbox).orderBy(mailOutbox.mail_id)).map(({ to, subject, html, text, message_id }) => ({
      to,
      subject,
      html,
      text,
      messageId: message_id,
    })),
  close: async () => {},
}))

test('stores emails for sixty days', async () => {
  const db = await database()
  let now = new Date('2026-11-19T16:00:00Z')
  const port = outboxMail(db, () => now)
  const send = (messageId: string) => port.send({ to: 'ana@ejemplo.mx', subject: 'a', html: 'b', text: 'c', messageId })
  const ids = async () => (await db.read.select().from(mailOutbox)).map((mail) => mail.message_id)
  const sweep = port.jobs()[0]
  await send('primero')
  now = new Date('2027-01-15T16:00:00Z')
  await send('segundo')
  await sweep?.work({}, newRun())
  expect(await ids()).toEqual(['primero', 'segundo'])
  now = new Date('2027-01-20T16:00:00Z')
  await sweep?.work({}, newRun())
  expect(await ids()).toEqual(['segundo'])
  await db.close()
})
