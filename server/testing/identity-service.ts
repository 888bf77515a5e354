/** The embedded service on a fresh database behind a real port, for tests: unmodified SDKs, raw requests, its mails. */
import { createServer } from 'node:net'
import Fastify from 'fastify'
import { deleteApp, type FirebaseApp, initializeApp } from 'firebase/app'
import { type Auth, connectAuthEmulator, initializeAuth, inMemoryPersistence } from 'firebase/auth'
import { IDENTITY_API_KEY, IDENTITY_PATH } from '#contract/identity.ts'
import { defaultSettings, type Settings } from '#contract/settings.ts'
import { chooseIdentity } from '#server/adapters/identity/choose.ts'
import type { Limits } from '#server/adapters/identity/throttle.ts'
import { outboxMail } from '#server/adapters/mail/outbox.ts'
import { mailOutbox } from '#server/adapters/mail/tables.ts'
import { openDb } from '#server/platform/db.ts'
import { openEvents } from '#server/platform/events.ts'
import type { Job } from '#server/platform/job-types.ts'
import { openLog } from '#server/platform/log.ts'
import { testSecretBox } from './master-keys.ts'
import { freshDatabase } from './postgres.ts'
import { newRun } from './run.ts'

export interface SentEmail {
  to: string
  subject: string
  html: string
  text: string
  /** The link of its button. */
  link: URL
}

export interface Answer {
  status: number
  headers: Headers
  text: string
  /** Null when the answer is not JSON. */
  json: Record<string, unknown> | null
  /** The code of an error, "EMAIL_EXISTS". */
  code: string | undefined
}

/** A port that was free a moment ago: the issuer holds the address, so it must be known before listening. */
export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((ready) => probe.listen(0, '127.0.0.1', ready))
  const address = probe.address()
  await new Promise((closed) => probe.close(closed))
  if (address === null || typeof address === 'string') throw new Error('No port.')
  return address.port
}

export async function identityUnderTest(options: { settings?: Partial<Settings>; limits?: Partial<Limits>; database?: string } = {}) {
  const database = options.database ?? (await freshDatabase())
  const logged: string[] = []
  const log = openLog('warn', (line) => void logged.push(line))
  const db = openDb({ connection: database, max: 20, log })
  const events = await openEvents(database, db.pool, log)
  const queue: Job[] = []
  db.attachOutbox({ sendJobs: async (jobs) => void queue.push(...jobs), publish: events.publish })

  const staff = new Set<string>()
  const shared = new Set<string>()
  let offset = 0
  const now = () => new Date(Date.now() + offset)
  let settings: Settings = { ...defaultSettings, business_name: 'Vaivén', ...options.settings }
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const mail = outboxMail(db, now)
  const identity = chooseIdentity({
    db,
    settings: () => settings,
    publicUrl,
    now,
    mail,
    events,
    log,
    secrets: testSecretBox(),
    isStaff: async (uid) => staff.has(uid),
    isSharedSession: async ({ session }) => session !== null && shared.has(session),
    ...(options.limits ? { limits: options.limits } : {}),
  })
  const app = Fastify({ logger: false, forceCloseConnections: true, trustProxy: ['127.0.0.1'] })
  await identity.register(app)
  await app.listen({ host: '127.0.0.1', port })

  const firebases: FirebaseApp[] = []
  const handlers = new Map(identity.jobs().map((job) => [job.name, job.work]))

  async function request(path: string, init: RequestInit = {}): Promise<Answer> {
    const answer = await fetch(`${publicUrl}${path}`, init)
    const text = await answer.text()
    let json: Record<string, unknown> | null = null
    try {
      json = JSON.parse(text)
    } catch {}
    const message = (json?.error as { message?: string } | undefined)?.message
    return { status: answer.status, headers: answer.headers, text, json, code: message?.split(' : ')[0] }
  }
  const keyed = (path: string) => `${IDENTITY_PATH}${path}?key=${IDENTITY_API_KEY}`

  return {
    db,
    database,
    identity,
    publicUrl,
    logged,
    now,
    queue,
    /** The accounts of staff. */
    staff,
    /** The sessions of shared devices. */
    shared,
    /** Moves the server's clock; the SDK keeps the real one. */
    advance: (seconds: number) => {
      offset += seconds * 1000
    },
    change: (some: Partial<Settings>) => {
      settings = { ...settings, ...some }
    },
    request,
    keyed,
    /** POSTs JSON to an operation: `call('accounts:signUp', {...})`. */
    call: (operation: string, body: unknown, headers: Record<string, string> = {}) =>
      request(keyed(`/v1/${operation}`), {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    refresh: (refreshToken: string) =>
      request(keyed('/v1/token'), {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }),
      }),
    /** Does the queued work and answers the mails that it sent. */
    async letters(): Promise<SentEmail[]> {
      const before = new Set((await db.read.select({ id: mailOutbox.mail_id }).from(mailOutbox)).map((row) => row.id))
      for (const job of queue.splice(0)) await handlers.get(job.name)?.(job.data, newRun())
      const rows = await db.read.select().from(mailOutbox).orderBy(mailOutbox.mail_id)
      return rows
        .filter((row) => !before.has(row.mail_id))
        .map(({ to, subject, html, text }) => ({
          to,
          subject,
          html,
          text,
          link: new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? 'about:blank'),
        }))
    },
    /** The SDK as the browser starts it (settled 8), or in emulator style. */
    firebase(style: 'override' | 'emulator' = 'override'): Auth {
      const firebase = initializeApp({ apiKey: IDENTITY_API_KEY }, `test-${firebases.length}-${port}`)
      firebases.push(firebase)
      const auth = initializeAuth(firebase, { persistence: inMemoryPersistence })
      if (style === 'emulator') connectAuthEmulator(auth, publicUrl, { disableWarnings: true })
      else {
        const at = new URL(publicUrl)
        const host = `${at.host}${IDENTITY_PATH}`
        Object.assign(auth.config, { apiScheme: at.protocol.slice(0, -1), apiHost: host, tokenApiHost: host })
      }
      return auth
    },
    async close() {
      await Promise.all(firebases.map((firebase) => deleteApp(firebase)))
      await app.close()
      await events.close()
      await db.close()
    },
  }
}

export type UnderTest = Awaited<ReturnType<typeof identityUnderTest>>

let count = 0
/** An e-mail that no other test of this file uses. */
export const someEmail = () => `persona${++count}@ejemplo.mx`
/** Passwords that no list knows. */
export const PASSWORD = 'olas-y-montes-7'
export const OTHER_PASSWORD = 'tortuga-lenta-88'
