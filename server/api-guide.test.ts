/** The reference page of the API: its examples run as they stand there, and every event of a webhook is what it says (I1, I5, I6, I7). */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { webhookMessage } from '#contract/webhook-data.ts'
import { type WebhookEvent, webhookEvents } from '#contract/webhooks.ts'
import { type Person, studio, type TestStudio } from './testing/studio.ts'

const EVENTS = Object.keys(webhookEvents) as WebhookEvent[]

interface Reference {
  info: { description: string }
  webhooks: Record<string, { post: { requestBody: { content: Record<string, { example: unknown; schema: object }> } } }>
}

let on: TestStudio
let owner: Person
let reference: Reference
let folder: string
beforeAll(async () => {
  on = await studio({ work: true, env: { WEBHOOKS_LOOPBACK: '1' } })
  // The receiver of the guide compares with the true hour.
  on.clock.set(new Date())
  owner = await on.make.staff('owner')
  reference = (await (await fetch(`${on.url}/api/openapi.json`)).json()) as Reference
  folder = mkdtempSync(join(tmpdir(), 'api-guide-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await on.close()
})

/** The examples of the page, in its order. */
const examples = () => [...reference.info.description.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code ?? '')

/** Starts an example as a program; what it has written so far, and its end. */
function start(code: string, env: Record<string, string>) {
  const path = join(folder, `example-${Math.random().toString(36).slice(2)}.mjs`)
  writeFileSync(path, code)
  const child = spawn(process.execPath, [path], { env: { ...process.env, ...env } })
  const written = { out: '', errors: '' }
  child.stdout.on('data', (part) => {
    written.out += String(part)
  })
  child.stderr.on('data', (part) => {
    written.errors += String(part)
  })
  const ended = new Promise<void>((resume) => child.on('exit', () => resume()))
  return { written, ended, child }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resume) => server.listen(0, '127.0.0.1', resume))
  const { port } = server.address() as AddressInfo
  await new Promise((resume) => server.close(resume))
  return port
}

test('the examples of the page call the API with a key, and repeat a call without a second effect', async () => {
  const { secret: key } = await on.as(owner).apiKeys.create({ name: 'Guía', rights: ['customers.read', 'catalogue.edit'] })
  await on.make.customer()
  const [list, create] = examples()
  const outputs: string[] = []
  for (const code of [list, create]) {
    const { written, ended } = start(code ?? '', { ESTUDIO_URL: on.url, ESTUDIO_KEY: key })
    await ended
    expect(written.errors).toBe('')
    outputs.push(written.out)
  }
  expect(outputs.map((text) => JSON.parse(text))).toEqual([
    { status: 200, customers: 1, pages: 1 },
    { name: 'Toalla', same: true },
  ])
})

test('the receiver of the page takes signed messages once, and refuses those of another secret', async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const { secret } = await on.as(owner).webhooks.create({ url, event_types: EVENTS })
  const { written, child } = start(examples()[2] ?? '', { ESTUDIO_WEBHOOK_SECRET: secret, PORT: String(port) })
  try {
    for (let n = 0; n < 400; n++) {
      const answer = await fetch(url, { method: 'POST', body: '{}', headers: { 'webhook-signature': 'v1,AAAA' } }).catch(() => null)
      if (answer) {
        expect(answer.status).toBe(401)
        break
      }
      await sleep(50)
    }
    const ana = await on.make.customer({ name: 'Ana' })
    await everyEvent(ana)
    const lines = () => written.out.split('\n').filter(Boolean)
    const types = () => new Set(lines().map((line) => (JSON.parse(line) as { type: string }).type))
    for (let n = 0; n < 600 && types().size < EVENTS.length; n++) await sleep(50)
    expect([...types()].sort()).toEqual([...EVENTS].sort())
    // Each message is exactly what the reference says, no field more and none less.
    for (const line of lines()) {
      const message = JSON.parse(line) as { type: WebhookEvent }
      expect([message.type, webhookMessage(message.type).safeParse(message).error?.issues ?? []]).toEqual([message.type, []])
    }
    expect(written.errors).toBe('')
  } finally {
    child.kill()
  }
})

/** Does one thing for each type of event. */
async function everyEvent(ana: Person): Promise<void> {
  const at = new Date(on.clock.now().getTime() + 40 * 3_600_000)
  const { single_class_id } = await on.make.class({ starts_at: at })
  await on.make.lot(ana)
  const { class_reservation } = await on.as(ana).bookings.reserve({ single_class_id })
  const { class_reservation_id } = class_reservation
  await on.sql('update class_reservation set attend = true where class_reservation_id = $1', [class_reservation_id])
  await on.as(ana).bookings.cancel({ class_reservation_id })
  await on.sql('update single_class set capacity = capacity + 1 where single_class_id = $1', [single_class_id])
  await on.sql(`update single_class set "cancelledAt" = now(), cancel_reason = 'Lluvia' where single_class_id = $1`, [single_class_id])
  const { class_package_id } = await on.make.package({ price_centavos: 179_000, class_amount: 10 })
  const { purchase } = await on.as(owner).studioSales.giveAccess({ customer_id: ana.customer_id, class_package_id, is_gift: true })
  await on.sql(`update purchase set status = 'revoked' where purchase_id = $1`, [purchase.purchase_id])
  await on.sql(`update customer set name = 'Ana Sofía' where customer_id = $1`, [ana.customer_id])
  const deletedCustomer = await on.make.customer()
  await on.sql(`update customer set "deletedAt" = now(), uid = null where customer_id = $1`, [deletedCustomer.customer_id])
}

test('every event is in the reference, with an example that has all of its fields', () => {
  expect(Object.keys(reference.webhooks)).toEqual(EVENTS)
  for (const event of EVENTS) {
    const { example } = reference.webhooks[event]?.post.requestBody.content['application/json'] ?? {}
    expect([event, webhookMessage(event).safeParse(example).error?.issues ?? []]).toEqual([event, []])
  }
})
