/**
 * Values that the API would refuse (half-typed addresses, texts that are no date, zone or list) breaks no reading call: rows and
 * settings are written by SQL, column by column, and every reading endpoint is called. Rendering of the pages is not covered here.
 */
import type { AnyContractProcedure } from '@orpc/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import { settingKeys } from '#contract/settings.ts'
import { type Login, seedDemo } from './demo/demo.ts'
import { HOSTILE_TEXTS, type HostileWriter, hostileWriter, inGroups } from './testing/hostile-values.ts'
import { studio, type TestStudio } from './testing/studio.ts'

let s: TestStudio
let writer: HostileWriter
let tokens: (string | null)[]
let paths: string[]

function readingPaths(node: object): string[] {
  return Object.values(node).flatMap((value) => {
    if (!('~orpc' in value)) return readingPaths(value)
    const { route } = (value as AnyContractProcedure)['~orpc']
    return route.method === 'GET' && route.path ? [route.path] : []
  })
}

/** A path with ids that the demo has. */
const withIds = (path: string) => path.replace('{slug}', 'terminos').replace(/\{\w+\}/g, '1')

async function signIn(login: Login): Promise<string> {
  const answer = await fetch(`${s.url}/identidad/v1/accounts:signInWithPassword?key=estudio-identidad`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: login.email, password: login.password, returnSecureToken: true }),
  })
  return ((await answer.json()) as { idToken: string }).idToken
}

beforeAll(async () => {
  s = await studio({ env: { CACHE_SECONDS: '0' } })
  const logins = await seedDemo(s.studio, 'vaiven')
  // A customer with everything, and the owner: the others may read less.
  const readers = logins.filter(({ email }) => /^(ana|monica)@/.test(email))
  tokens = [null, ...(await Promise.all(readers.map(signIn)))]
  // The stream of places never ends.
  paths = [...new Set(readingPaths(contract).map(withIds))].filter((path) => path !== '/live')
  writer = await hostileWriter(s.database)
})
afterAll(async () => {
  await writer.close()
  await s.close()
})

/** The log lines of the request with the id of a response. */
function loggedAbout(answer: string): string {
  const id = /"request_id":"([^"]+)"/.exec(answer)?.[1] ?? 'nothing'
  const line = s.logged.find((entry) => entry.includes(id))
  const { error } = JSON.parse(line ?? '{}') as {
    error?: { message?: string; stack?: string; cause?: { message?: string; issues?: object } }
  }
  const where = error?.stack?.split('\n').find((at) => at.includes('/server/') && !at.includes('node_modules'))
  return [error?.message ?? answer, where?.trim(), error?.cause?.message, JSON.stringify(error?.cause?.issues)].join(' ').slice(0, 900)
}

/** Calls at the same time: all of them at once would be refused with BUSY on a loaded machine. */
const AT_ONCE = 12

/** The calls that answer 5xx, for any role. */
async function failing(): Promise<string[]> {
  const failed = new Set<string>()
  s.logged.length = 0
  for (const token of tokens) {
    const waiting = [...paths]
    const visit = async () => {
      for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
        const answer = await fetch(`${s.url}/api${path}`, { headers: token ? { authorization: `Bearer ${token}` } : {} })
        const text = await answer.text()
        if (answer.status >= 500) failed.add(`${path} ${answer.status} ${loggedAbout(text)}`)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, visit))
  }
  return [...failed].sort()
}

test('without hostile values every reading endpoint answers', async () => {
  expect(await failing()).toEqual([])
})

test('a malformed address in any column makes no reading endpoint return 500', async () => {
  const broken: Record<string, string[]> = {}
  const written = new Set<string>()
  for (const tables of inGroups(writer.tables)) {
    for (const table of tables) for (const column of await writer.write(table, 'https://[')) written.add(column)
    const failed = await failing()
    if (failed.length) broken[tables.map(({ name }) => name).join(', ')] = failed.slice(0, 4)
    for (const table of tables) await writer.restore(table)
  }
  expect(broken).toEqual({})
  // Nothing was tried in vain; what the database refuses by a check is not written.
  for (const column of ['instructor.photo', 'class_type.image', 'location.address', 'location.map_link', 'class_package.image'])
    expect([...written]).toContain(column)
  // Every reading endpoint as three readers, for each group of tables.
}, 600_000)

test('a hostile text in any column makes no reading endpoint return 500', async () => {
  for (const text of HOSTILE_TEXTS) {
    for (const table of writer.tables) await writer.write(table, text)
    const failed = await failing()
    for (const table of writer.tables) await writer.restore(table)
    expect.soft(failed, JSON.stringify(text.slice(0, 30))).toEqual([])
  }
  // Every reading endpoint as three readers, for each text.
}, 600_000)

test('hostile settings are replaced by their defaults or shown as text', async () => {
  for (const value of [...HOSTILE_TEXTS, 0, -1, 1e9, null, [], {}, [{}], true]) {
    await s.sql(
      'insert into setting (key, value) select key, $2::jsonb from unnest($1::text[]) as key on conflict (key) do update set value = excluded.value',
      [[...settingKeys], JSON.stringify(value)],
    )
    await s.studio.refreshSettings()
    expect(await failing(), JSON.stringify(value)).toEqual([])
  }
  // Every reading endpoint, several times for each value.
}, 600_000)
