/** The service worker gives the studio the new address of a device whose subscription the browser has changed (docs/domain.md M14). */
import { readFile } from 'node:fs/promises'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'

const KEY = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'
const OLD = { endpoint: 'https://push.example.com/antes', auth: 'secreto-de-antes' }
const subscription = (name: string) => ({
  toJSON: () => ({ endpoint: `https://push.example.com/${name}`, keys: { p256dh: `punto-${name}`, auth: `secreto-${name}` } }),
})

/** The worker with what it stored; `change` fires the event and waits for the handler. */
async function worker(stored: object | null, status = 200) {
  const cache = new Map<string, unknown>(stored ? [['/sin-conexion/dispositivo', stored]] : [])
  const handlers = new Map<string, (event: object) => void>()
  const [sent, subscribed]: [unknown[], unknown[]] = [[], []]
  const opened = {
    match: async (name: string) => (cache.has(name) ? { json: async () => cache.get(name) } : undefined),
    put: async (name: string, answer: Response) => void cache.set(name, await answer.json()),
  }
  const pushManager = {
    async subscribe(options: unknown) {
      subscribed.push(options)
      return subscription('nueva')
    },
  }
  runInNewContext(`const STUDIO = {}\n${await readFile(new URL('offline.js', import.meta.url), 'utf8')}`, {
    self: { addEventListener: (name: string, on: (event: object) => void) => handlers.set(name, on), registration: { pushManager } },
    caches: { open: async () => opened },
    Response,
    async fetch(url: string, { body }: { body: string }) {
      sent.push([url, JSON.parse(body)])
      return new Response('{}', { status })
    },
  })
  return {
    sent,
    subscribed,
    stored: () => cache.get('/sin-conexion/dispositivo'),
    async change(event: object) {
      let done: unknown
      handlers.get('pushsubscriptionchange')?.({ ...event, waitUntil: (work: unknown) => (done = work) })
      await done
    },
  }
}
const renewal = (name: string) => [
  '/api/push_devices/renew',
  { old: OLD, renewed: { endpoint: `https://push.example.com/${name}`, p256dh: `punto-${name}`, auth: `secreto-${name}` } },
]

test("subscribes again with the studio's key, or takes the browser's new subscription", async () => {
  const silent = await worker({ ...OLD, key: KEY })
  await silent.change({ oldSubscription: null, newSubscription: null })
  expect(silent.sent).toEqual([renewal('nueva')])
  expect(silent.subscribed).toEqual([{ userVisibleOnly: true, applicationServerKey: KEY }])
  expect(silent.stored()).toEqual({ endpoint: 'https://push.example.com/nueva', auth: 'secreto-nueva', key: KEY })

  const withOldSubscription = await worker({ ...OLD, key: KEY })
  await withOldSubscription.change({ newSubscription: subscription('dada') })
  expect([withOldSubscription.sent, withOldSubscription.subscribed]).toEqual([[renewal('dada')], []])
})

test('nothing for a device without notifications; what the studio did not take is not stored', async () => {
  const off = await worker(null)
  await off.change({ newSubscription: subscription('dada') })
  expect([off.sent, off.stored()]).toEqual([[], undefined])
  const failing = await worker({ ...OLD, key: KEY }, 500)
  await failing.change({ newSubscription: null })
  expect(failing.stored()).toEqual({ ...OLD, key: KEY })
})
