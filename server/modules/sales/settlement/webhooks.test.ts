/** Webhook events: stored first, then applied by reading the object from its processor (docs/domain.md V8, V18). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { SIGNATURE_HEADER, signingKey, signWebhook, waitingWebhookEvents } from '#server/adapters/payments/sandbox/webhooks.ts'
import { handleEvent, sweep } from '#server/modules/sales/jobs.ts'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let bank: Sandbox
let key: string
beforeAll(async () => {
  s = await studio()
  bank = s.bank()
  bank.held = true
  key = await signingKey(s.studio.db)
})
afterAll(() => s.close())

const post = async (body: string, headers: Record<string, string> = {}, gateway = 'sandbox') => {
  const reply = await fetch(`${s.url}/api/webhooks/${gateway}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
  return { status: reply.status, body: (await reply.json()) as { code?: string; message?: string } }
}
const signed = (body: string, at = s.clock.now()) => post(body, { [SIGNATURE_HEADER]: signWebhook(key, body, at) })
const eventBody = (id: string, about: string, kind = 'payment') =>
  JSON.stringify({ id, type: 'payment.paid', at: s.clock.now().toISOString(), about: [{ kind, id: about }] })
const inbox = () =>
  s.sql<{ provider_event_id: number; event_id: string; doneAt: Date | null; tries: number; last_error: string | null }>(
    'select * from provider_event order by provider_event_id',
  )
const work = async () => {
  for (const { provider_event_id } of await inbox()) await handleEvent(s.system(), provider_event_id)
}
async function startPayment(person?: Person) {
  const [ana, classPackage] = [person ?? (await s.make.customer()), await s.make.package()]
  const answer = await s.as(ana, randomUUID()).sales.attempt({ class_package_id: classPackage.class_package_id, payment_method: 'tok_3ds' })
  return { ana, ...answer, id: answer.clientSecret?.split('_secret_')[0] ?? '' }
}
const status = async (purchase_id: number) =>
  (await s.sql<{ status: string }>('select status from purchase where purchase_id = $1', [purchase_id]))[0]?.status

test('seven forged events are refused, stored nowhere and change nothing', async () => {
  const { purchase_id, id } = await startPayment()
  await bank.authorize(id, true)
  const body = eventBody('evt_forged', id)
  const before = (await inbox()).length
  const forged: [string, Record<string, string>][] = [
    [body, {}],
    [body, { [SIGNATURE_HEADER]: '' }],
    [body, { [SIGNATURE_HEADER]: signWebhook('another key', body, s.clock.now()) }],
    [body, { [SIGNATURE_HEADER]: signWebhook(key, `${body} `, s.clock.now()) }],
    [JSON.stringify(JSON.parse(body), null, 1), { [SIGNATURE_HEADER]: signWebhook(key, body, s.clock.now()) }],
    [body, { [SIGNATURE_HEADER]: signWebhook(key, body, new Date(s.clock.now().getTime() - 301_000)) }],
    [body, { [SIGNATURE_HEADER]: signWebhook(key, body, new Date(s.clock.now().getTime() + 301_000)) }],
  ]
  for (const [text, headers] of forged)
    expect(await post(text, headers)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', message: 'Revisa los datos que enviaste.' },
    })
  expect((await post(body, {}, 'nadie')).status).toBe(404)
  expect((await post(body, {}, 'efectivo')).status).toBe(400)
  expect((await inbox()).length).toBe(before)
  expect(await status(purchase_id)).toBe('pending')
})

test('signed invalid bodies are a 400, and a huge one a 413', async () => {
  expect((await signed('not json')).status).toBe(400)
  expect((await signed('x'.repeat(300 * 1024))).status).toBe(413)
})

test('an event completes the purchase; ten copies of it, and five events about one payment, are one grant', async () => {
  const { ana, purchase_id, id } = await startPayment()
  await bank.authorize(id, true)
  const body = eventBody('evt_once', id)
  const answers = await Promise.all(Array.from({ length: 10 }, () => signed(body)))
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
  for (let n = 0; n < 5; n++) expect((await signed(eventBody(`evt_more_${n}`, id))).status).toBe(200)
  expect((await inbox()).filter(({ event_id }) => event_id === 'evt_once')).toHaveLength(1)
  await Promise.all([work(), work(), s.as(ana).sales.one({ id: purchase_id })])
  expect(await status(purchase_id)).toBe('completed')
  expect(await s.sql('select 1 from available_class where purchase_id = $1', [purchase_id])).toHaveLength(1)
  expect(await s.sql('select 1 from invoice where purchase_id = $1', [purchase_id])).toHaveLength(1)
  expect(await bank.ledger(purchase_id)).toHaveLength(1)
  expect((await inbox()).filter(({ doneAt }) => doneAt === null)).toEqual([])
})

test('an event that says "paid" about an unpaid purchase completes nothing (V8)', async () => {
  const { purchase_id, id } = await startPayment()
  expect((await signed(eventBody('evt_liar', id))).status).toBe(200)
  await work()
  expect(await status(purchase_id)).toBe('pending')
})

test('an event about an unknown object is closed; one that fails is retried with growing delays (V18)', async () => {
  const { purchase_id, id } = await startPayment()
  await bank.authorize(id, true)
  expect((await signed(eventBody('evt_unknown', 'pay_nadie'))).status).toBe(200)
  await work()
  const stuck = (await inbox()).find(({ event_id }) => event_id === 'evt_unknown')
  expect(stuck).toMatchObject({ doneAt: null, tries: 1, last_error: expect.stringContaining('does not know') })
  // It waits its turn while others are settled.
  await signed(eventBody('evt_fine', id))
  await sweep(s.system())
  expect((await inbox()).find(({ event_id }) => event_id === 'evt_unknown')?.tries).toBe(1)
  s.clock.advance({ seconds: 25 })
  await sweep(s.system())
  expect((await inbox()).find(({ event_id }) => event_id === 'evt_unknown')?.tries).toBe(2)
  expect(await status(purchase_id)).toBe('completed')
})

test('the sandbox sends its own signed events, and the inbox stores them', async () => {
  const { purchase_id, id } = await startPayment()
  await bank.authorize(id, true)
  expect((await waitingWebhookEvents(s.studio.db, s.clock.now())).length).toBeGreaterThan(0)
  bank.held = false
  await bank.post()
  bank.held = true
  expect(await waitingWebhookEvents(s.studio.db, s.clock.now())).toEqual([])
  await work()
  expect(await status(purchase_id)).toBe('completed')
})

test('replaying a purchase’s events in any order ends in the same state', async () => {
  const lives = await Promise.all(Array.from({ length: 8 }, () => startPayment()))
  for (const { id } of lives) await bank.authorize(id, true)
  const bodies = lives.flatMap(({ id }, n) =>
    ['payment.created', 'payment.paid', 'payment.expired'].map((type, at) => eventBody(`evt_${n}_${at}_${type}`, id)),
  )
  const shuffled = [...bodies, ...bodies].sort((a, b) => (a.split('').reverse().join('') < b.split('').reverse().join('') ? -1 : 1))
  for (const body of shuffled) expect((await signed(body)).status).toBe(200)
  await Promise.all([work(), work(), work()])
  for (const { purchase_id } of lives) {
    expect(await status(purchase_id)).toBe('completed')
    expect(await s.sql('select 1 from available_class where purchase_id = $1', [purchase_id])).toHaveLength(1)
  }
})

test('events that always fail do not block the others', async () => {
  await s.sql(
    `insert into sandbox_event (type, at, about, tries) select 'payment.paid', now(), '[{"kind":"payment","id":"pago_perdido"}]', 20
     from generate_series(1, 120)`,
  )
  const { purchase_id, id } = await startPayment()
  await bank.authorize(id, true)
  bank.held = false
  await bank.post()
  bank.held = true
  await work()
  expect(await status(purchase_id)).toBe('completed')
})
