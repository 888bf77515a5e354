import { expect, test } from 'vitest'
import { MESSAGE_EVENTS } from '#contract/channels.ts'
import { openDb } from '#server/platform/db.ts'
import { freshDatabase } from '#server/testing/postgres.ts'
import { newRun } from '#server/testing/run.ts'
import { chooseWhatsApp } from './choose.ts'
import { outboxWhatsApp } from './outbox.ts'
import { NotFromWhatsApp } from './port.ts'
import { someMessage, whatsappSuite } from './suite.ts'
import { whatsappOutbox } from './tables.ts'
import { countBlanks, templates } from './templates.ts'

const SITE = 'https://vaiven.mx'
const database = async () => openDb({ connection: await freshDatabase() })

whatsappSuite('outbox', database, async (db) => ({
  port: outboxWhatsApp(db, SITE, () => new Date()),
  arrived: async () =>
    (await db.read.select().from(whatsappOutbox).orderBy(whatsappOutbox.whatsapp_id)).map(({ to, template, blanks, link }) => ({
      to,
      template,
      blanks,
      path: (link ?? '').slice(SITE.length),
    })),
  close: async () => {},
}))

test('the outbox stores the readable message, once, for sixty days, when no account is configured', async () => {
  const db = await database()
  let now = new Date('2026-11-19T16:00:00Z')
  const port = chooseWhatsApp({}, { db, publicUrl: SITE, now: () => now })
  const message = someMessage('waitlist_open', { blanks: ['Sofía', 'Reformer', 'mié 18 nov, 18:00', 'Roma Norte'] })
  await port.send(message)
  await port.send(message)
  expect(await db.read.select().from(whatsappOutbox)).toMatchObject([
    {
      text: 'Hola, Sofía. Se liberó un lugar en Reformer: mié 18 nov, 18:00, en Roma Norte. Quien reserve primero se lo queda.',
      link: 'https://vaiven.mx/mystudio?clase=7',
    },
  ])
  now = new Date('2027-01-20T16:00:00Z')
  await port.jobs()[0]?.work({}, newRun())
  expect(await db.read.select().from(whatsappOutbox)).toEqual([])
  expect(port.greet({ mode: 'subscribe', token: '', challenge: '1' })).toBeNull()
  expect(() => port.verifyWebhook({ signature: undefined, body: Buffer.from('{}') })).toThrow(NotFromWhatsApp)
  await db.close()
})

test.each(MESSAGE_EVENTS)('the template of %s is valid at Meta', (event) => {
  const { name, body, button } = templates[event]
  expect(name).toMatch(/^[a-z0-9_]{1,512}$/)
  expect(body.length).toBeLessThanOrEqual(550)
  // Neither at an end, nor two in a row, counted from 1 without a gap.
  expect(body).not.toMatch(/^\{\{|\}\}$|\}\}\s*\{\{/)
  const blanks = [...new Set([...body.matchAll(/\{\{(\d)\}\}/g)].map(([, n]) => Number(n)))].sort()
  expect(blanks).toEqual(Array.from({ length: countBlanks(event) }, (_, n) => n + 1))
  expect(button.length).toBeLessThanOrEqual(25)
})
