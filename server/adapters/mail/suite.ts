/** What every implementation of the mail port keeps. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '#server/platform/db.ts'
import { type Mail, type MailPort, MailRefused } from './port.ts'

export interface MailUnderTest {
  port: MailPort
  /** What has arrived, oldest first. */
  arrived(): Promise<Mail[]>
  close(): Promise<void>
}

/** `open` is given a database of its own. */
export function mailSuite(name: string, openDatabase: () => Promise<Db>, open: (db: Db) => Promise<MailUnderTest>): void {
  let db: Db
  let mail: MailUnderTest
  beforeAll(async () => {
    db = await openDatabase()
    mail = await open(db)
  })
  afterAll(async () => {
    await mail.port.close()
    await mail.close()
    await db.close()
  })
  const draft = (some: Partial<Mail> = {}): Mail => ({
    to: 'ana@ejemplo.mx',
    subject: 'Tu clase de mañana: ¿lista, Ana?',
    html: '<!doctype html>\n<p style="color:#0F1236">Renata te espera a las 7:00 &amp; 50 minutos · «ñandú» 🐦</p>\n',
    text: 'Renata te espera a las 7:00 & 50 minutos · «ñandú» 🐦\n\n.\n.una línea que empieza con punto\n',
    messageId: `prueba.${randomUUID()}`,
    ...some,
  })

  test(`${name}: a mail arrives whole, with its accents, in both forms`, async () => {
    const sent = draft()
    await mail.port.send(sent)
    expect((await mail.arrived()).at(-1)).toEqual(sent)
  })

  test(`${name}: long lines and long subjects arrive as they were`, async () => {
    const sent = draft({ subject: 'Reseña '.repeat(30).trim(), text: `${'ñ'.repeat(5_000)}\n`, html: `<p>${'á '.repeat(5_000)}</p>\n` })
    await mail.port.send(sent)
    expect((await mail.arrived()).at(-1)).toEqual(sent)
  })

  test(`${name}: several at once all arrive`, async () => {
    const before = (await mail.arrived()).length
    const sent = Array.from({ length: 8 }, (_, n) => draft({ to: `persona${n}@ejemplo.mx` }))
    await Promise.all(sent.map((message) => mail.port.send(message)))
    const arrived = (await mail.arrived()).slice(before).map((mail) => mail.messageId)
    expect(arrived.sort()).toEqual(sent.map((mail) => mail.messageId).sort())
  })

  test(`${name}: a mail sent again is recognised by its id`, async () => {
    const sent = draft()
    await mail.port.send(sent)
    await mail.port.send(sent)
    const ids = new Set((await mail.arrived()).filter((mail) => mail.messageId === sent.messageId).map((mail) => JSON.stringify(mail)))
    expect(ids.size).toBe(1)
  })

  test.each([
    { to: 'ana@ejemplo.mx, otra@ejemplo.mx' },
    { to: 'ana@ejemplo.mx\r\nBcc: otra@ejemplo.mx' },
    { to: 'Ana <ana@ejemplo.mx>' },
    { to: 'ana' },
    { to: '' },
    { subject: 'Hola\r\nBcc: otra@ejemplo.mx' },
    { messageId: 'a@b>\r\nBcc: otra@ejemplo.mx' },
    { messageId: '' },
  ])(`${name}: refuses %j, which is not one mail to one person`, async (wrong) => {
    const before = (await mail.arrived()).length
    await expect(mail.port.send(draft(wrong))).rejects.toBeInstanceOf(MailRefused)
    expect(await mail.arrived()).toHaveLength(before)
  })

  test(`${name}: does not work inside a transaction`, async () => {
    const before = (await mail.arrived()).length
    await expect(db.tx(() => mail.port.send(draft()))).rejects.toThrow('inside a transaction')
    expect(await mail.arrived()).toHaveLength(before)
  })
}
