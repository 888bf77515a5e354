/**
 * The authorisation matrix: every endpoint of the contract called by every role over HTTP, generated from the contract (settled 26). An
 * endpoint without a row in testing/access-rows/ fails here: state there its input and its results by role.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ORPCError } from '@orpc/client'
import type { AnyContractProcedure } from '@orpc/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Access, isStaffAccess, rightOf } from '#contract/endpoint.ts'
import { contract } from '#contract/index.ts'
import { rightKeys, rightsOfRole, role as staffRole } from '#contract/rights.ts'
import { rows } from '#server/testing/access-rows.ts'
import { NOWHERE, openWorld, type Role, roles, type World } from '#server/testing/access-world.ts'
import type { Person } from '#server/testing/studio.ts'

interface Endpoint {
  name: string
  access: Access
  call: string
}

function endpointsOf(node: object, path: string[] = []): Endpoint[] {
  return Object.entries(node).flatMap(([key, value]) => {
    const at = [...path, key]
    if (!('~orpc' in value)) return endpointsOf(value, at)
    const { meta, route } = (value as AnyContractProcedure)['~orpc']
    return [{ name: at.join('.'), access: (meta as { access: Access }).access, call: `${route.method} ${route.path}` }]
  })
}

const endpoints = endpointsOf(contract)

/** What the declared access gives a role: a refusal code, or 'ok'. */
function promised(access: Access, role: Role): string {
  if (access === 'public' || access === 'optional') return 'ok'
  if (role === 'visitor') return 'UNAUTHENTICATED'
  if (access === 'identity') return 'ok'
  if (!isStaffAccess(access)) return role === 'mine' || role === 'other' ? 'ok' : 'NO_CUSTOMER'
  const needs = rightOf(access)
  const { data: works } = staffRole.safeParse(role)
  return works && (needs === null || rightsOfRole(works).includes(needs)) ? 'ok' : 'FORBIDDEN'
}

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

/** 'ok', or the code of the refusal. */
async function outcome(name: string, role: Role, input: unknown): Promise<string> {
  const client = name.split('.').reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], world.as(role))
  try {
    await (client as (input: unknown) => Promise<unknown>)(input)
    return 'ok'
  } catch (error) {
    if (error instanceof ORPCError) return error.code
    throw error
  }
}

it('every endpoint has a row, and every row an endpoint', () => {
  expect(Object.keys(rows).sort()).toEqual(endpoints.map(({ name }) => name).sort())
})

it('everything that administrators manage can be listed, created, changed and removed by staff only (S1-1.05, S1-1.17, S1-6.05)', () => {
  const access = (call: string) => endpoints.find((endpoint) => endpoint.call.replace(/\{\w+\}/, '{id}') === call)?.access
  const managed = [
    'class_packages',
    'locations',
    'class_types',
    'class_categories',
    'discounts',
    'announcements',
    'pages',
    'payment_methods',
  ]
  for (const path of managed)
    for (const call of [`GET /${path}/admin/all`, `POST /${path}`, `PUT /${path}`, `DELETE /${path}/{id}`])
      expect([call, access(call)]).toEqual([
        call,
        expect.stringMatching(/^staff:(catalogue\.edit|content\.edit|content\.notices|sales\.sell)$/),
      ])
  for (const call of ['GET /customer/admin/all', 'GET /customer/admin/{id}'])
    expect([call, access(call)]).toEqual([call, 'staff:customers.read'])
  expect([access('POST /customer'), access('POST /customer/giveAccess')]).toEqual(['staff:customers.edit', 'staff:sales.sell'])
})

const turnedAway = (access: Access) => roles.filter((role) => promised(access, role) !== 'ok')
const letIn = (access: Access) => roles.filter((role) => promised(access, role) === 'ok')

describe('refuses callers without access (S1-1.08, S1-6.07), before anything is written or read', () => {
  it.each(endpoints.filter(({ access }) => turnedAway(access).length > 0))('$name ($call, $access)', async ({ name, access, call }) => {
    const input = await rows[name]?.input?.(world)
    const expected = turnedAway(access).map((role) => [role, promised(access, role)])
    const outcomes = (sent: unknown) => Promise.all(turnedAway(access).map(async (role) => [role, await outcome(name, role, sent)]))
    const before = await world.everything()
    expect(await outcomes(input)).toEqual(expected)
    // The same with invalid input: access is checked before the input.
    const bare = Object.fromEntries([...call.matchAll(/\{(\w+)\}/g)].map(([, key = '']) => [key, (input as Record<string, unknown>)[key]]))
    expect(await outcomes({ ...bare, disparate: [null] })).toEqual(expected)
    expect(await world.everything()).toEqual(before)
  })
})

describe('a single right opens its endpoints and no others (E2)', () => {
  const guarded = endpoints.flatMap((endpoint) => (isStaffAccess(endpoint.access) ? { ...endpoint, needs: rightOf(endpoint.access) } : []))
  const used = [...new Set(guarded.flatMap(({ needs }) => needs ?? []))]
  const byNeed = [...Map.groupBy(guarded, ({ needs }) => needs)]
  /** The result of the access check, for unknown ids and an unknown field. */
  const atTheDoor = async (person: Person, { name, call }: (typeof guarded)[number]) => {
    const ids = Object.fromEntries([...call.matchAll(/\{(\w+)\}/g)].map(([, key = '']) => [key, NOWHERE]))
    const client = name.split('.').reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], world.on.as(person))
    const send = () =>
      (client as (input: unknown) => Promise<unknown>)({ ...ids, disparate: [null] }).then(
        () => null,
        (error: unknown) => (error instanceof ORPCError ? error : Promise.reject(error)),
      )
    let refusal = await send()
    // BUSY is no result about rights.
    for (let more = 50; refusal?.code === 'BUSY' && more > 0; more--) {
      await sleep(100)
      refusal = await send()
    }
    return refusal?.code === 'FORBIDDEN' ? refusal.data : 'open'
  }
  it.each(used.map((right, n) => [right, n] as const))('%s', async (right, n) => {
    const [only, but] = [await world.on.make.staff('coach'), await world.on.make.staff('manager')]
    const grant = (person: Person, granted: boolean, keys: readonly string[]) =>
      world.on.sql('insert into staff_right select staff_id, unnest($2::text[]), $3 from staff where uid = $1', [person.uid, keys, granted])
    const others = rightKeys.filter((key) => key !== right)
    await grant(only, true, [right])
    await grant(only, false, others)
    await grant(but, true, others)
    await grant(but, false, [right])
    for (const [needs, all] of byNeed) {
      // All endpoints of the right. That no other right opens one is shown by the person with all others; of the endpoints of other rights,
      // each right tries a different one.
      const at = n % all.length
      for (const endpoint of needs === right ? all : all.slice(at, at + 1)) {
        const { name } = endpoint
        expect([name, await atTheDoor(only, endpoint)]).toEqual([name, needs === null || needs === right ? 'open' : { needs }])
        if (needs === right) expect([name, await atTheDoor(but, endpoint)]).toEqual([name, { needs: right }])
      }
    }
  })
})

describe('returns the expected result to callers with access (S1-1.08, S1-6.02)', () => {
  it.each(endpoints)('$name ($call, $access)', async ({ name, access }) => {
    const row = rows[name]
    const found: [Role, string][] = []
    for (const role of letIn(access)) found.push([role, await outcome(name, role, await row?.input?.(world, role))])
    expect(found).toEqual(letIn(access).map((role) => [role, row?.[role] ?? row?.ok ?? 'ok']))
  })
})
