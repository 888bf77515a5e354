import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { MessageEvent } from '#contract/channels.ts'
import { type LoopbackWhatsApp, loopbackWhatsApp } from '#server/testing/loopback-whatsapp.ts'
import { type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { sweepMessages } from '#server/testing/work.ts'
import { deliverMessages } from './delivery.ts'
import { enqueueMessages, type OutgoingMessage, oneByOne, type Relevance } from './messages.ts'

let s: TestStudio
let meta: LoopbackWhatsApp
beforeAll(async () => {
  meta = await loopbackWhatsApp({ token: 'una-clave', phoneId: '1065' })
  s = await studio({
    settings: { business_name: 'Vaivén' },
    env: {
      WHATSAPP_TOKEN: 'una-clave',
      WHATSAPP_PHONE_ID: '1065',
      WHATSAPP_API_BASE: meta.url,
      WHATSAPP_APP_SECRET: 'secreto',
      WHATSAPP_VERIFY_TOKEN: 'quien-escucha',
    },
  })
})
afterAll(async () => {
  await s.close()
  await meta.close()
})
let n = 0
beforeEach(() => {
  s.clock.set(START)
  n++
})

/** A customer whose telephone ends in these three digits, which decide the answer of the fake. */
const newCustomer = (last = '390') => s.make.customer({ name: 'Ana', phone: `55${String(10_000 + n)}${last}` })

const about = (person: Person, more: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  event: 'waitlist_open',
  about: 'opening:1',
  to: { customer_id: person.customer_id },
  before: null,
  texts: (name) => ({
    title: 'Se liberó un lugar',
    lines: ['Reformer, vie 20 nov, 10:00.'],
    notes: [],
    action: { label: 'Reservar', path: '/mystudio?clase=7' },
    blanks: [name, 'Reformer', 'vie 20 nov, 10:00', 'Roma Norte'],
  }),
  ...more,
})
async function enqueue(...messages: OutgoingMessage[]): Promise<number> {
  const ctx = s.system()
  return ctx.tx((tx) => enqueueMessages(tx, ctx, messages))
}
const sweep = (relevance: Relevance = {}) => sweepMessages(s.system(), relevance)

interface Row {
  message_id: number
  channel: string
  status: string
  reason: string | null
  tries: number
  provider_person: string | null
}
const rows = (person: Person) =>
  s.sql<Row>('select message_id, channel, status, reason, tries, provider_person from message where customer_id = $1 order by channel', [
    person.customer_id,
  ])
const states = async (person: Person) => (await rows(person)).map((row) => `${row.channel} ${row.status}`)
const mails = (person: Person) =>
  s.sql<{ subject: string; text: string }>('select subject, text from mail_outbox where "to" = $1', [person.email])
const rung = (person: Person) =>
  meta.delivered.filter((delivered) => delivered.callback.startsWith('waitlist-open') && person && delivered.blanks[0] === 'Ana')

describe('sending', () => {
  test('the same message is sent once per person and channel, however often and concurrently enqueued (M5)', async () => {
    const ana = await newCustomer()
    const before = meta.delivered.length
    expect(await Promise.all(Array.from({ length: 5 }, () => enqueue(about(ana))))).toEqual([1, 1, 1, 1, 1])
    await Promise.all([sweep(), sweep(), sweep()])
    expect(await states(ana)).toEqual(['app sent', 'mail sent', 'whatsapp sent'])
    expect(meta.delivered.slice(before)).toHaveLength(1)
    expect(await mails(ana)).toMatchObject([{ subject: 'Se liberó un lugar' }])
    expect((await mails(ana))[0]?.text).toContain('Hola, Ana.')
    await enqueue(about(ana, { about: 'opening:2' }))
    await sweep()
    expect(await mails(ana)).toHaveLength(2)
  })

  test('a rolled back message is not sent (M5)', async () => {
    const ana = await newCustomer()
    const ctx = s.system()
    await expect(
      ctx.tx(async (tx) => {
        await enqueueMessages(tx, ctx, [about(ana)])
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    await sweep()
    expect(await rows(ana)).toEqual([])
    expect(await mails(ana)).toEqual([])
  })

  test('staff get emails; former staff get nothing', async () => {
    const coach = await s.make.staff('coach', { name: 'Renata' })
    const disabledStaff = await s.make.staff('coach', { disabledAt: s.clock.now() })
    const ids = await s.sql<{ staff_id: number }>('select staff_id from staff where email = any($1) order by staff_id', [
      [coach.email, disabledStaff.email],
    ])
    const messages = ids.map(({ staff_id }) => about(coach, { event: 'class_cancelled', to: { staff_id } }))
    expect(await enqueue(...messages)).toBe(1)
    await sweep()
    expect((await mails(coach))[0]?.text).toContain('Hola, Renata.')
    expect(await mails(disabledStaff)).toEqual([])
  })

  test('at night WhatsApp waits until eight; emails and in-app notifications do not (M4)', async () => {
    const ana = await newCustomer()
    s.clock.set('2026-11-19T23:00:00-06:00')
    await enqueue(about(ana, { before: new Date('2026-11-20T18:00:00-06:00') }))
    await sweep()
    expect(await states(ana)).toEqual(['app sent', 'mail sent', 'whatsapp waiting'])
    s.clock.set('2026-11-20T07:59:00-06:00')
    await sweep()
    expect(await states(ana)).toContain('whatsapp waiting')
    s.clock.set('2026-11-20T08:00:00-06:00')
    await sweep()
    expect(await states(ana)).toContain('whatsapp sent')
  })

  test('a pointless message is not sent: too late, or the module says why', async () => {
    const [ana, eva] = [await newCustomer(), await s.make.customer()]
    await enqueue(about(ana, { before: new Date(s.clock.now().getTime() + 60_000) }))
    s.clock.advance({ minutes: 2 })
    await sweep()
    expect(await rows(ana)).toMatchObject([
      { status: 'sent' },
      { status: 'moot', reason: 'too late' },
      { status: 'moot', reason: 'too late' },
    ])
    await enqueue(about(eva, { about: 'opening:7' }))
    await sweep({ waitlist_open: oneByOne(async (_ctx, message) => (message.about === 'opening:7' ? 'nobody waits' : null)) })
    expect(await rows(eva)).toMatchObject([{ channel: 'app' }, { status: 'moot', reason: 'nobody waits' }, { status: 'moot' }])
    expect([...(await mails(ana)), ...(await mails(eva))]).toEqual([])
  })
})

describe('failures (M6)', () => {
  test('a number without WhatsApp gets an email instead, unless one was sent anyway', async () => {
    const ana = await newCustomer('026')
    await s.change({ message_channels: { waitlist_open: ['whatsapp'] } })
    await enqueue(about(ana))
    await sweep()
    await sweep()
    expect(await states(ana)).toEqual(['mail sent', 'whatsapp failed'])
    expect((await rows(ana))[1]?.reason).toContain('131026')
    expect(await mails(ana)).toHaveLength(1)
    await s.change({ message_channels: {} })
  })

  test('a message with an unknown outcome is not sent again', async () => {
    const ana = await newCustomer('900')
    const before = meta.requests
    await enqueue(about(ana))
    await sweep()
    s.clock.advance({ hours: 2 })
    await sweep()
    expect(meta.requests - before).toBe(1)
    expect(await states(ana)).toEqual(['app sent', 'mail sent', 'whatsapp unknown'])
  })

  test('temporary failures are retried later, six attempts in all', async () => {
    const ana = await newCustomer('016')
    const before = meta.requests
    await enqueue(about(ana))
    for (let minutes = 0; minutes < 600; minutes += 5) {
      await sweep()
      s.clock.advance({ minutes: 5 })
    }
    expect(meta.requests - before).toBe(6)
    expect((await rows(ana))[2]).toMatchObject({ status: 'failed', tries: 6 })
  })

  test('after a process died while sending, an email is repeated under the same id, a WhatsApp message is not', async () => {
    const ana = await newCustomer()
    await enqueue(about(ana))
    await s.sql(`update message set status = 'sending', "claimedAt" = $2, tries = 1 where customer_id = $1 and channel <> 'app'`, [
      ana.customer_id,
      s.clock.now().toISOString(),
    ])
    await sweep()
    expect(await states(ana)).toEqual(['app sent', 'mail sending', 'whatsapp sending'])
    s.clock.advance({ minutes: 4 })
    const before = meta.requests
    await sweep()
    expect(await states(ana)).toEqual(['app sent', 'mail sent', 'whatsapp unknown'])
    expect(meta.requests).toBe(before)
  })

  test('where WhatsApp was the only channel, an email replaces a message of a dead process', async () => {
    const ana = await newCustomer()
    await s.change({ message_channels: { waitlist_open: ['whatsapp'] } })
    await enqueue(about(ana))
    await s.sql(`update message set status = 'sending', "claimedAt" = $2, tries = 1 where customer_id = $1`, [
      ana.customer_id,
      s.clock.now().toISOString(),
    ])
    s.clock.advance({ minutes: 4 })
    await sweep()
    await sweep()
    expect(await states(ana)).toEqual(['mail sent', 'whatsapp unknown'])
    expect(await mails(ana)).toHaveLength(1)
    await s.change({ message_channels: {} })
  })

  test('one message claimed by ten concurrent jobs is sent once', async () => {
    const ana = await newCustomer()
    await enqueue(about(ana))
    const ids = (await rows(ana)).map((row) => row.message_id)
    const before = meta.requests
    await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        Promise.all(ids.map((id) => deliverMessages(s.system(), [{ message_id: id, job_id: `job-${n}` }], {}))),
      ),
    )
    expect(meta.requests - before).toBe(1)
    expect(rung(ana).length).toBeGreaterThan(0)
  })
})

describe('delivery reports (M7)', () => {
  const post = (body: object, secret = 'secreto') => {
    const text = JSON.stringify(body)
    const signature = `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`
    return fetch(`${s.url}/api/webhooks/whatsapp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
      body: text,
    })
  }
  const statusReport = (statuses: object[]) => ({ object: 'whatsapp_business_account', entry: [{ changes: [{ value: { statuses } }] }] })

  test('delivery reports are applied in any order; the person’s own id keeps its old 1', async () => {
    const ana = await newCustomer('521')
    await enqueue(about(ana))
    await sweep()
    const id = meta.delivered.at(-1)?.id
    expect((await rows(ana))[2]?.provider_person).toMatch(/^521\d{10}$/)
    expect((await post(statusReport([{ id, status: 'read' }]))).status).toBe(200)
    await post(statusReport([{ id, status: 'delivered' }]))
    expect(await states(ana)).toContain('whatsapp read')
    await post(statusReport([{ id: 'wamid.nobody', status: 'read' }]))
  })

  test('a later failure sends an email', async () => {
    await s.change({ message_channels: { waitlist_open: ['whatsapp'] } })
    const ana = await newCustomer()
    await enqueue(about(ana))
    await sweep()
    const id = meta.delivered.at(-1)?.id
    const failed = statusReport([{ id, status: 'failed', errors: [{ code: 131026, title: 'Message undeliverable' }] }])
    await post(failed)
    await post(failed)
    await sweep()
    expect(await states(ana)).toEqual(['mail sent', 'whatsapp failed'])
    expect(await mails(ana)).toHaveLength(1)
    await s.change({ message_channels: {} })
  })

  test('with an invalid signature are refused', async () => {
    const ana = await newCustomer()
    await enqueue(about(ana))
    await sweep()
    const id = meta.delivered.at(-1)?.id
    expect((await post(statusReport([{ id, status: 'read' }]), 'otro')).status).toBe(400)
    expect(await states(ana)).toContain('whatsapp sent')
    const input = (token: string) => fetch(`${s.url}/api/webhooks/whatsapp?hub.mode=subscribe&hub.verify_token=${token}&hub.challenge=1158`)
    expect(await (await input('quien-escucha')).text()).toBe('1158')
    expect((await input('otra')).status).toBe(400)
  })

  test('reception reads the log: recipient, channel, message, and the reason of a failure', async () => {
    const [ana, reception, coach] = [await newCustomer('026'), await s.make.staff('reception'), await s.make.staff('coach')]
    await enqueue(about(ana))
    await sweep()
    const { messages, total } = await s.as(reception).messages.log({ customer_id: ana.customer_id })
    expect(total).toBe(3)
    expect(messages.find((message) => message.channel === 'whatsapp')).toMatchObject({
      event: 'waitlist_open',
      status: 'failed',
      name: 'Ana Treviño',
      text: 'Hola, Ana. Se liberó un lugar en Reformer: vie 20 nov, 10:00, en Roma Norte. Quien reserve primero se lo queda.',
      tries: 1,
      reason: expect.stringContaining('131026'),
    })
    expect((await s.as(reception).messages.log({ customer_id: ana.customer_id, status: 'failed' })).total).toBe(1)
    for (const person of [coach, ana]) expect((await refusalOf(s.as(person).messages.log({}))).code).toBe('FORBIDDEN')
    expect((await refusalOf(s.as(null).messages.log({}))).code).toBe('UNAUTHENTICATED')
  })
})

describe('sending again', () => {
  const log = async (person: Person, channel: 'mail' | 'whatsapp' = 'mail') =>
    (await s.as(await s.make.staff('reception')).messages.log({ customer_id: person.customer_id, channel })).messages[0]

  test('a message goes out again with the same text, as another mail to the servers (M10)', async () => {
    const [ana, reception, coach] = [await newCustomer(), await s.make.staff('reception'), await s.make.staff('coach')]
    await enqueue(about(ana, { event: 'class_cancelled', about: 'class:81' }))
    const { message_id } = (await log(ana)) ?? { message_id: 0 }
    // Not sent yet.
    expect((await refusalOf(s.as(reception).messages.resend({ message_id }))).code).toBe('MESSAGE_NOT_RESENDABLE')
    await sweep()
    expect(await log(ana)).toMatchObject({ status: 'sent', resends: 0, resendable: true, address: ana.email })
    expect(await s.as(reception).messages.resend({ message_id })).toMatchObject({ status: 'waiting' })
    await sweep()
    expect(await log(ana)).toMatchObject({ status: 'sent', resends: 1, tries: 1 })
    const sent = await s.sql<{ text: string; message_id: string }>(
      'select text, message_id from mail_outbox where "to" = $1 order by mail_id',
      [ana.email],
    )
    expect(sent).toHaveLength(2)
    expect(sent[1]?.text).toBe(sent[0]?.text)
    expect(sent[1]?.message_id).toBe(`${sent[0]?.message_id}-1`)
    expect(await s.sql(`select after from audit where action = 'message.resend' and entity_id = $1`, [String(ana.customer_id)])).toEqual([
      { after: { message_id, event: 'class_cancelled', channel: 'mail' } },
    ])
    for (const person of [coach, ana]) expect((await refusalOf(s.as(person).messages.resend({ message_id }))).code).toBe('FORBIDDEN')
    expect((await refusalOf(s.as(reception).messages.resend({ message_id: 2_000_000_000 }))).code).toBe('NOT_FOUND')
  })

  test('two clicks at the same moment send it once more, not twice (M10)', async () => {
    const [ana, reception] = [await newCustomer(), await s.make.staff('reception')]
    await enqueue(about(ana, { event: 'class_cancelled', about: 'class:82' }))
    await sweep()
    const { message_id } = (await log(ana)) ?? { message_id: 0 }
    const answers = await Promise.allSettled([1, 2, 3].map(() => s.as(reception).messages.resend({ message_id })))
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await sweep()
    expect(await mails(ana)).toHaveLength(2)
  })

  test('a corrected address changes the customer; one of another customer or of an account is refused (M10, P7 to P9)', async () => {
    const [ana, eva, reception] = [await newCustomer('026'), await newCustomer(), await s.make.staff('reception')]
    await enqueue(about(ana))
    await sweep()
    const failed = await log(ana, 'whatsapp')
    expect(failed).toMatchObject({ status: 'failed', resendable: true })
    const message_id = failed?.message_id ?? 0
    const accepted = { message_id, phone: (await log(eva))?.address ?? `55${String(10_000 + n)}390` }
    expect((await refusalOf(s.as(reception).messages.resend(accepted))).code).toBe('PHONE_IN_USE')
    expect(await log(ana, 'whatsapp')).toMatchObject({ status: 'failed', resends: 0 })
    const phone = `56${String(10_000 + n)}390`
    await s.as(reception).messages.resend({ message_id, phone })
    await sweep()
    expect(await log(ana, 'whatsapp')).toMatchObject({ status: 'sent', address: phone, resends: 1, reason: null })
    const mail = (await log(ana))?.message_id ?? 0
    expect((await refusalOf(s.as(reception).messages.resend({ message_id: mail, email: 'otra@correo.test' }))).code).toBe('INVALID_INPUT')
  })

  test('nothing is sent again against the consent, past its hour, or in the account (M2, M10)', async () => {
    const [ana, reception] = [await newCustomer(), await s.make.staff('reception')]
    await enqueue(
      about(ana, { event: 'reservation_reminder', about: 'reservation:83', before: new Date(s.clock.now().getTime() + 3_600_000) }),
    )
    await sweep()
    const { message_id } = (await log(ana)) ?? { message_id: 0 }
    await s.as(ana).messages.setPreferences({ mail: false })
    expect((await refusalOf(s.as(reception).messages.resend({ message_id }))).code).toBe('MESSAGE_WITHOUT_CONSENT')
    await s.as(ana).messages.setPreferences({ mail: true })
    const { messages } = await s.as(reception).messages.log({ customer_id: ana.customer_id, channel: 'app' })
    expect(messages[0]).toMatchObject({ resendable: false, address: null })
    const inApp = { message_id: messages[0]?.message_id ?? 0 }
    expect((await refusalOf(s.as(reception).messages.resend(inApp))).code).toBe('MESSAGE_NOT_RESENDABLE')
    s.clock.advance({ hours: 2 })
    expect((await refusalOf(s.as(reception).messages.resend({ message_id }))).code).toBe('MESSAGE_NOT_RESENDABLE')
  })

  test('the log is found by the words of a person, by days and by number (M7)', async () => {
    const [ana, reception] = [await s.make.customer({ name: `Íñiga${n}`, last_name: 'Peón' }), await s.make.staff('reception')]
    await enqueue(about(ana, { event: 'class_cancelled', about: 'class:84' }))
    await sweep()
    const found = async (input: object) => (await s.as(reception).messages.log(input)).total
    expect(await found({ query: `iniga${n} PEON` })).toBe(2)
    expect(await found({ query: ana.email })).toBe(2)
    expect(await found({ query: `iniga${n} nadie` })).toBe(0)
    expect(await found({ query: `iniga${n}`, from: '2000-01-01', to: '2000-01-02' })).toBe(0)
    expect(await found({ query: `iniga${n}`, from: '2000-01-01' })).toBe(2)
    const { message_id } = (await log(ana)) ?? { message_id: 0 }
    expect(await found({ message_id })).toBe(1)
  })
})

test('without a mail server only the owner reads the unsent emails in full (M9)', async () => {
  const [ana, owner, reception] = [await newCustomer(), await s.make.staff('owner'), await s.make.staff('reception')]
  await enqueue(about(ana, { event: 'class_cancelled' }))
  await sweep()
  const [sent] = await mails(ana)
  const { mails: stored, total, kept: stays } = await s.as(owner).messages.outbox({})
  expect([stays, total]).toEqual([true, stored.length])
  expect(stored[0]).toMatchObject({ to: ana.email, subject: sent?.subject, text: sent?.text, files: [] })
  expect((await s.as(owner).messages.outbox({ page: 2 })).mails).toEqual([])
  for (const person of [reception, ana]) expect((await refusalOf(s.as(person).messages.outbox({}))).code).toBe('FORBIDDEN')
})

describe('notifications and consent', () => {
  test('notifications are newest first; the customer marks one or all of their own as read', async () => {
    const [ana, eva] = [await newCustomer(), await s.make.customer()]
    await enqueue(about(ana))
    s.clock.advance({ minutes: 1 })
    await enqueue(about(ana, { about: 'opening:9', event: 'class_changed' }), about(eva))
    const first = await s.as(ana).messages.list({})
    expect(first).toMatchObject({
      total: 2,
      unread: 2,
      messages: [
        { event: 'class_changed', readAt: null },
        { event: 'waitlist_open', title: 'Se liberó un lugar', action: { path: '/mystudio?clase=7' } },
      ],
    })
    const ids = first.messages.map((message) => message.message_id)
    await s.as(eva).messages.read({ message_ids: ids })
    expect((await s.as(ana).messages.list({})).unread).toBe(2)
    await s.as(ana).messages.read({ message_ids: ids.slice(0, 1) })
    expect((await s.as(ana).messages.list({})).unread).toBe(1)
    await s.as(ana).messages.read({})
    expect((await s.as(ana).messages.list({})).unread).toBe(0)
    expect((await s.as(eva).messages.list({})).unread).toBe(1)
    expect(await s.as(ana).messages.list({ page: 2 })).toMatchObject({ messages: [], total: 2 })
  })

  test('consent has a date and an audit row, and decides the channels (M2)', async () => {
    const ana = await newCustomer()
    expect((await s.as(ana).messages.preferences()).preferences).toMatchObject({
      whatsapp: null,
      mail: null,
      phone: expect.stringMatching(/^\+52\d{10}$/),
    })
    const { preferences } = await s.as(ana).messages.setPreferences({ whatsapp: true, mail: false })
    expect(preferences).toMatchObject({
      whatsapp: { allowed: true, changedAt: s.clock.now().toISOString() },
      mail: { allowed: false },
    })
    s.clock.advance({ days: 1 })
    // Saying the same again does not move the date.
    expect((await s.as(ana).messages.setPreferences({ whatsapp: true })).preferences.whatsapp?.changedAt).toBe(
      preferences.whatsapp?.changedAt,
    )
    const audited = await s.sql(`select after from audit where action = 'consent.change' and entity_id = $1 order by audit_id`, [
      String(ana.customer_id),
    ])
    expect(audited).toEqual([{ after: { channel: 'whatsapp', allowed: true } }, { after: { channel: 'mail', allowed: false } }])
    // The preferences of one customer do not affect another.
    const eva = await s.make.customer()
    await enqueue(about(eva, { event: 'reservation_reminder' }))
    expect(await states(eva)).toEqual(['app sent', 'mail waiting'])
    const event: MessageEvent = 'reservation_reminder'
    await enqueue(about(ana, { event }))
    expect(await states(ana)).toEqual(['app sent', 'whatsapp waiting'])
  })
})
