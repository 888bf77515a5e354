/** What every implementation of the WhatsApp port keeps. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MESSAGE_EVENTS, type MessageEvent } from '#contract/channels.ts'
import type { Db } from '#server/platform/db.ts'
import { type WhatsApp, type WhatsAppPort, WhatsAppRefused } from './port.ts'
import { countBlanks, templates } from './templates.ts'

export interface Arrived {
  to: string
  template: string
  blanks: string[]
  /** Where the button leads, without the site's address. */
  path: string
}

export interface WhatsAppUnderTest {
  port: WhatsAppPort
  /** What has arrived, oldest first. */
  arrived(): Promise<Arrived[]>
  close(): Promise<void>
}

/** A message of an event, to a number that takes it. */
export function someMessage(event: MessageEvent = 'waitlist_open', some: Partial<WhatsApp> = {}): WhatsApp {
  return {
    phone: '5548217390',
    event,
    blanks: Array.from({ length: countBlanks(event) }, (_, n) => `dato ${n + 1}`),
    path: '/mystudio?clase=7',
    messageId: `prueba.${randomUUID()}`,
    ...some,
  }
}

/** `open` is given a database of its own. */
export function whatsappSuite(name: string, openDatabase: () => Promise<Db>, open: (db: Db) => Promise<WhatsAppUnderTest>): void {
  let db: Db
  let it: WhatsAppUnderTest
  beforeAll(async () => {
    db = await openDatabase()
    it = await open(db)
  })
  afterAll(async () => {
    await it.close()
    await db.close()
  })

  test.each(MESSAGE_EVENTS)(`${name}: %s goes by its template, whole`, async (event) => {
    const sent = someMessage(event, { blanks: Array.from({ length: countBlanks(event) }, (_, n) => `Sofía «${n}» 🐦 & <b>`) })
    await it.port.send(sent)
    expect((await it.arrived()).at(-1)).toEqual({
      to: '525548217390',
      template: templates[event].name,
      blanks: sent.blanks,
      path: '/mystudio?clase=7',
    })
  })

  test.each([
    '5548217390',
    '55 4821 7390',
    '+52 55 4821 7390',
    '5215548217390',
    '+52 1 (55) 4821-7390',
    '015548217390',
    '0445548217390',
    '0455548217390',
  ])(`${name}: %s is written to as 52 and ten digits`, async (phone) => {
    await it.port.send(someMessage('waitlist_open', { phone }))
    expect((await it.arrived()).at(-1)?.to).toBe('525548217390')
  })

  test(`${name}: a blank is one line and never empty`, async () => {
    await it.port.send(someMessage('penalty', { blanks: ['Ana\n\tSofía    Treviño', '', 'x'.repeat(2_000)] }))
    const [first, second, third] = (await it.arrived()).at(-1)?.blanks ?? []
    expect([first, second, third?.length]).toEqual(['Ana Sofía Treviño', '-', 300])
  })

  test(`${name}: several at once all arrive`, async () => {
    const before = (await it.arrived()).length
    await Promise.all(Array.from({ length: 8 }, (_, n) => it.port.send(someMessage('penalty', { blanks: [`persona ${n}`, 'a', 'b'] }))))
    const names = (await it.arrived()).slice(before).map((arrived) => arrived.blanks[0])
    expect(names.sort()).toEqual(Array.from({ length: 8 }, (_, n) => `persona ${n}`))
  })

  test.each<[string, Partial<WhatsApp>]>([
    ['no telephone', { phone: '' }],
    ['too few digits', { phone: '554821739' }],
    ['a foreign number', { phone: '+1 212 555 01234' }],
    ['a blank too few', { blanks: ['una'] }],
    ['another site', { path: '//otro.mx' }],
    ['an address instead of a path', { path: 'https://otro.mx' }],
  ])(`${name}: refuses %s`, async (_what, wrong) => {
    const before = (await it.arrived()).length
    await expect(it.port.send(someMessage('waitlist_open', wrong))).rejects.toBeInstanceOf(WhatsAppRefused)
    expect(await it.arrived()).toHaveLength(before)
  })

  test(`${name}: does not work inside a transaction`, async () => {
    const before = (await it.arrived()).length
    await expect(db.tx(() => it.port.send(someMessage()))).rejects.toThrow('inside a transaction')
    expect(await it.arrived()).toHaveLength(before)
  })
}
