/**
 * Hostile values in one record of every kind that the API has (testing/access-world.ts), also of those that no demo contains: a half-typed
 * address, or any other text, in any column makes no reading endpoint return 500, whether it lists the records or reads one.
 */
import { ORPCError } from '@orpc/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isStaffAccess } from '#contract/endpoint.ts'
import { rows } from './testing/access-rows.ts'
import { openWorld, type World } from './testing/access-world.ts'
import { HOSTILE_TEXTS, type HostileWriter, hostileWriter, inGroups } from './testing/hostile-values.ts'
import { endpoints } from './testing/wire.ts'

interface Read {
  name: string
  role: 'owner' | 'mine'
  input: unknown
}

/** Each column of JSON gets each of its hostile values with them; the other texts are tried on the demo (hostile-values.test.ts). */
const TEXTS = HOSTILE_TEXTS.filter((_, n) => [1, 4, 6, 11, 13, 14].includes(n))

let world: World
let writer: HostileWriter
let reads: Read[]
beforeAll(async () => {
  world = await openWorld()
  reads = []
  for (const { name, access, method } of endpoints())
    if (method === 'GET') {
      const role = isStaffAccess(access) ? 'owner' : 'mine'
      reads.push({ name, role, input: await rows[name]?.input?.(world, role) })
    }
  writer = await hostileWriter(world.on.database)
})
afterAll(async () => {
  await writer.close()
  await world.close()
})

/** The log lines of the request with the id of a response. */
function loggedAbout(id: unknown): string {
  const line = world.on.logged.find((entry) => entry.includes(String(id)))
  const { error } = JSON.parse(line ?? '{}') as {
    error?: { message?: string; stack?: string; cause?: { message?: string; issues?: object } }
  }
  const where = error?.stack?.split('\n').find((at) => at.includes('/server/') && !at.includes('node_modules'))
  return [error?.message, where?.trim(), error?.cause?.message, JSON.stringify(error?.cause?.issues)].join(' ').slice(0, 700)
}

async function readAs({ name, role, input }: Read): Promise<{ status: number; body: string }> {
  const client = name.split('.').reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], world.as(role))
  try {
    await (client as (input: unknown) => Promise<unknown>)(input)
    return { status: 200, body: '' }
  } catch (error) {
    if (!(error instanceof ORPCError)) throw error
    return {
      status: error.status,
      body: error.status < 500 ? error.code : loggedAbout((error.data as { request_id?: string })?.request_id),
    }
  }
}

/** The reading endpoints that answer 5xx. */
async function failing(): Promise<string[]> {
  world.on.logged.length = 0
  const found: string[] = []
  for (let from = 0; from < reads.length; from += 20)
    await Promise.all(
      reads.slice(from, from + 20).map(async (read) => {
        const { status, body } = await readAs(read)
        if (status >= 500) found.push(`${read.name} ${status} ${body}`)
      }),
    )
  return found.sort()
}

test('before anything hostile is stored almost every endpoint finds its record', async () => {
  const answers = await Promise.all(reads.map(async (read) => [read.name, await readAs(read)] as const))
  const refused = answers.filter(([, { status }]) => status !== 200).map(([name, { body }]) => `${name} ${body}`)
  expect(refused.filter((call) => / 5\d\d /.test(call))).toEqual([])
  expect(refused.length, refused.join(', ')).toBeLessThan(reads.length / 10)
})

test('a hostile text in any column makes no reading endpoint return 500', async () => {
  const broken: Record<string, string[]> = {}
  for (const text of TEXTS)
    for (const tables of inGroups(writer.tables, 2)) {
      for (const table of tables) await writer.write(table, text)
      for (const call of await failing()) broken[call] = [...(broken[call] ?? []), text.slice(0, 20)]
      for (const table of tables) await writer.restore(table)
    }
  expect(broken).toEqual({})
  // Every reading endpoint, for each text and each group of tables.
}, 600_000)
