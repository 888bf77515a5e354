/**
 * A whole studio for tests: the real app on a fresh database and a real port, a typed client per person (the browser's own), a clock set by
 * the test, the sandbox processor, and factories.
 */
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { createORPCClient, ORPCError } from '@orpc/client'
import type { ContractRouterClient } from '@orpc/contract'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import { contract } from '#contract/index.ts'
import { defaultSettings, type Settings } from '#contract/settings.ts'
import { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { openServer } from '#server/app.ts'
import { readConfig } from '#server/config.ts'
import { Ctx } from '#server/modules/ctx.ts'
import { changeSettings } from '#server/modules/settings/settings.ts'
import { type Log, openLog } from '#server/platform/log.ts'
import { openStudio } from '#server/studio.ts'
import { cookieHeader, storeCookie } from './cookies.ts'
import { type Factories, factories } from './factories.ts'
import { testMasterKeys } from './master-keys.ts'
import { preparedDatabase } from './postgres.ts'
import './qualified-columns.ts'

export type Client = ContractRouterClient<typeof contract>

/** A person with an account. */
export interface Person {
  uid: string
  email: string
  token: string
  /** 0 for staff without a customer. */
  customer_id: number
}

export interface Clock {
  now(): Date
  /** Sets the studio's clock; also accepts "2026-11-20T18:00:00-06:00". */
  set(at: Date | string): void
  advance(step: { days?: number; hours?: number; minutes?: number; seconds?: number }): void
}

export interface TestStudio {
  url: string
  /** The typed client of a person (or of a visitor). `key` sends an Idempotency-Key. */
  as(person: Person | null, key?: string): Client
  make: Factories
  clock: Clock
  /** A context of the system, for calling verbs directly. */
  system(job?: string): Ctx
  studio: Awaited<ReturnType<typeof openStudio>>
  /** Lines that the server logged at warn and above. */
  logged: string[]
  change(settings: Partial<Settings>): Promise<void>
  /** Resets the clock to its start and the settings to their initial values, then applies `settings`: for `beforeEach`. */
  reset(settings?: Partial<Settings>): Promise<void>
  /** Applies these settings while `work` runs, then the previous ones. */
  having(settings: Partial<Settings>, work: () => Promise<void>): Promise<void>
  /** The sandbox processor, if it is the one in use. */
  bank(): Sandbox
  /** How many credits a customer can use now. */
  balance(person: Person): Promise<number>
  sql<R extends object>(text: string, values?: unknown[]): Promise<R[]>
  /** Connection string of the database, for a second process. */
  database: string
  /** Folder of this studio's files; created with the first file. */
  dataDir: string
  close(): Promise<void>
}

/** Thursday 19 November 2026, 10:00 in Mexico City: the default time of every test. */
export const START = '2026-11-19T10:00:00-06:00'

export async function studio(
  options: {
    at?: string | Date
    settings?: Partial<Settings>
    pages?: boolean
    work?: boolean
    env?: Record<string, string>
    database?: string
    log?: Log
  } = {},
): Promise<TestStudio> {
  const database = options.database ?? (await openedDatabase())
  let clockTime = new Date(options.at ?? START)
  const clock: Clock = {
    now: () => new Date(clockTime),
    set: (at) => {
      clockTime = new Date(at)
    },
    advance: ({ days = 0, hours = 0, minutes = 0, seconds = 0 }) => {
      clockTime = new Date(clockTime.getTime() + (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000)
    },
  }
  const logged: string[] = []
  const log = options.log ?? openLog('warn', (line) => void logged.push(line))
  // Created only when a file is stored.
  const data = join(tmpdir(), `estudio-datos-${process.pid}-${randomUUID().slice(0, 8)}`)
  const config = testConfig({ DATABASE_URL: database, DATA_DIR: data, ...options.env })
  const opened = await openStudio({ connection: database, config, log, clock: clock.now, poolSize: 20 })
  const system = (job = 'test') => new Ctx(opened, { actor: { kind: 'system', job } })
  if (options.settings) {
    await changeSettings(system(), options.settings)
    await opened.refreshSettings()
  }
  if (options.work) await opened.work()
  const app = await openServer(opened, config, { pages: options.pages ?? false, requestsPerMinute: 0 })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })

  const as = clientsAt(url)
  let changed: Partial<Settings> = {}
  async function change(settings: Partial<Settings>) {
    await changeSettings(system(), settings)
    // The event arrives at once, the reloaded settings a moment later.
    const seen = () => Object.entries(settings).every(([key, value]) => isDeepStrictEqual(opened.settings()[key as keyof Settings], value))
    while (!seen()) await new Promise((resume) => setTimeout(resume, 1))
  }

  return {
    url,
    as,
    make: factories(opened, clock),
    clock,
    system,
    studio: opened,
    logged,
    database,
    dataDir: config.dataDir,
    async change(settings) {
      changed = { ...changed, ...settings }
      await change(settings)
    },
    async reset(settings = {}) {
      clock.set(options.at ?? START)
      const before = { ...defaultSettings, ...options.settings }
      const asBefore = Object.fromEntries(Object.keys(changed).map((key) => [key, before[key as keyof Settings]]))
      changed = settings
      if (Object.keys({ ...asBefore, ...settings }).length) await change({ ...asBefore, ...settings })
    },
    async having(settings, work) {
      const before = Object.fromEntries(Object.keys(settings).map((key) => [key, opened.settings()[key as keyof Settings]]))
      await change(settings)
      try {
        await work()
      } finally {
        await change(before)
      }
    },
    bank() {
      const gateway = opened.ports.gateways.get('sandbox')
      if (!(gateway instanceof Sandbox)) throw new Error('This studio has no sandbox.')
      return gateway
    },
    balance: async (person) => (await as(person).credits.list()).summary.available,
    sql: async (text, values) => (await opened.db.pool.query(text, values)).rows,
    async close() {
      await app.close()
      await opened.close()
      await rm(data, { recursive: true, force: true })
    },
  }
}

const testConfig = (env: Record<string, string>) =>
  readConfig(
    { NODE_ENV: 'test', PUBLIC_URL: 'http://localhost:3000', MASTER_KEYS_FILE: testMasterKeys(), PORT: '0', ...env },
    process.cwd(),
  )

/** A database in which a studio was opened before: to make the queues and keys of each one takes longer than to copy them. */
const openedDatabase = () =>
  preparedDatabase('estudio_opened', async (connection) => {
    const config = testConfig({ DATABASE_URL: connection, DATA_DIR: join(tmpdir(), `estudio-datos-${process.pid}-opened`) })
    await (await openStudio({ connection, config, log: openLog('warn', () => {}) })).close()
  })

/** Typed clients of people, connected to one process of a studio. */
export function clientsAt(url: string): (person: Person | null, key?: string) => Client {
  return (person, key) =>
    createORPCClient<Client>(
      new OpenAPILink(contract, {
        url: `${url}/api`,
        headers: () => ({
          ...(person ? { authorization: `Bearer ${person.token}`, ...cookieHeader(person) } : {}),
          ...(key ? { 'idempotency-key': key } : {}),
        }),
        async fetch(request, init) {
          const answer = await fetch(request, init)
          storeCookie(person, answer)
          return answer
        },
      }),
    )
}

/** The refusal of a call, e.g. "CLASS_FULL"; fails when it was not refused. */
export async function refusalOf(call: Promise<unknown>): Promise<{ code: string; status: number; message: string; data: unknown }> {
  try {
    await call
  } catch (error) {
    if (error instanceof ORPCError) return { code: error.code, status: error.status, message: error.message, data: error.data }
    throw error
  }
  throw new Error('The call was not refused.')
}

/** The error code only: "CLASS_FULL". */
export const codeOf = async (call: Promise<unknown>) => (await refusalOf(call)).code
