import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb } from '#server/platform/db.ts'
import { type LoopbackWhatsApp, loopbackWhatsApp } from '#server/testing/loopback-whatsapp.ts'
import { freshDatabase } from '#server/testing/postgres.ts'
import { chooseWhatsApp } from './choose.ts'
import { cloudWhatsApp } from './cloud.ts'
import { NotFromWhatsApp, type WhatsAppPort, WhatsAppRefused, WhatsAppUnknown } from './port.ts'
import { someMessage, whatsappSuite } from './suite.ts'

const ACCOUNT = { token: 'una-clave', phoneId: '106540352242922' }
const database = async () => openDb({ connection: await freshDatabase() })

whatsappSuite('cloud', database, async () => {
  const meta = await loopbackWhatsApp(ACCOUNT)
  return {
    port: cloudWhatsApp({ ...ACCOUNT, publicUrl: 'https://vaiven.mx', base: meta.url }),
    arrived: async () => meta.delivered.map(({ to, template, blanks, path }) => ({ to, template, blanks, path })),
    close: () => meta.close(),
  }
})

let meta: LoopbackWhatsApp
let port: WhatsAppPort
beforeAll(async () => {
  meta = await loopbackWhatsApp(ACCOUNT)
  port = cloudWhatsApp({
    ...ACCOUNT,
    publicUrl: 'https://vaiven.mx',
    base: meta.url,
    appSecret: 'secreto',
    verifyToken: 'quien-escucha',
    timeoutMs: 300,
  })
})
afterAll(() => meta.close())
const to = (last: string) => someMessage('waitlist_open', { phone: `5548217${last}` })

test('stores the returned ids: of the message and of the person, who may still have the old 1', async () => {
  const accepted = await port.send(to('521'))
  expect(accepted).toEqual({ provider_id: meta.delivered.at(-1)?.id, provider_person: '5215548217521' })
  expect(meta.delivered.at(-1)?.to).toBe('525548217521')
})

test.each([
  ['has no WhatsApp', '026'],
  ['is not on the list of a test account', '030'],
])('a number that %s is refused for good', async (_what, last) => {
  await expect(port.send(to(last))).rejects.toBeInstanceOf(WhatsAppRefused)
})

test.each([
  ['too many at once', '429'],
  ['Meta is down', '016'],
  ['our own log-in ended', '190'],
])('%s: worth another try', async (_what, last) => {
  const error = await port.send(to(last)).catch((failed: unknown) => failed)
  expect(error).toBeInstanceOf(Error)
  expect(error).not.toBeInstanceOf(WhatsAppRefused)
  expect(error).not.toBeInstanceOf(WhatsAppUnknown)
})

test.each([
  ['the line is cut', '900'],
  ['no answer comes', '901'],
  ['something in between answers', '902'],
])('%s: it is unknown whether the message was accepted', async (_what, last) => {
  await expect(port.send(to(last))).rejects.toBeInstanceOf(WhatsAppUnknown)
})

test('a connection that cannot be opened means that nothing was sent', async () => {
  const account = await loopbackWhatsApp(ACCOUNT)
  await account.close()
  const unreachable = cloudWhatsApp({ ...ACCOUNT, publicUrl: 'https://vaiven.mx', base: account.url })
  const error = await unreachable.send(to('390')).catch((failed: unknown) => failed)
  expect(error).toBeInstanceOf(Error)
  expect(error).not.toBeInstanceOf(WhatsAppUnknown)
})

test('failed authentication is retried, not given up', async () => {
  const stranger = chooseWhatsApp(
    { WHATSAPP_TOKEN: 'otra', WHATSAPP_PHONE_ID: ACCOUNT.phoneId, WHATSAPP_API_BASE: meta.url },
    { db: await database(), publicUrl: 'https://vaiven.mx', now: () => new Date() },
  )
  await expect(stranger.send(to('390'))).rejects.toThrow('190')
})

const statusEvent = (statuses: object[]) =>
  Buffer.from(
    JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [{ id: '1', changes: [{ field: 'messages', value: { messaging_product: 'whatsapp', statuses } }] }],
    }),
  )
const signed = (body: Buffer, secret = 'secreto') => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

test('reads webhooks only with Meta’s signature', () => {
  const body = statusEvent([
    { id: 'wamid.1', status: 'delivered', timestamp: '1', recipient_id: '525548217390' },
    { id: 'wamid.2', status: 'failed', errors: [{ code: 131026, title: 'Message undeliverable' }] },
    { id: 'wamid.3', status: 'deleted' },
  ])
  expect(port.verifyWebhook({ signature: signed(body), body })).toEqual([
    { provider_id: 'wamid.1', state: 'delivered', reason: null },
    { provider_id: 'wamid.2', state: 'failed', reason: '131026 Message undeliverable' },
  ])
  for (const signature of [undefined, '', 'sha256=00', signed(body, 'otro'), signed(Buffer.from('{}'))])
    expect(() => port.verifyWebhook({ signature, body })).toThrow(NotFromWhatsApp)
  const other = Buffer.from('{"object":"page"}')
  expect(port.verifyWebhook({ signature: signed(other), body: other })).toEqual([])
})

test('answers the webhook verification only to Meta', () => {
  expect(port.greet({ mode: 'subscribe', token: 'quien-escucha', challenge: '1158201444' })).toBe('1158201444')
  expect(port.greet({ mode: 'subscribe', token: 'otra', challenge: '1' })).toBeNull()
  expect(port.greet({ mode: 'subscribe', token: undefined, challenge: '1' })).toBeNull()
  expect(port.greet({ mode: 'unsubscribe', token: 'quien-escucha', challenge: '1' })).toBeNull()
})
