/**
 * Staff and customers whose sign-in is older than five minutes call every endpoint of the contract (with the inputs of
 * testing/access-rows.ts): none of them gives access to an account (docs/domain.md, E18). A new endpoint is called too, without being
 * listed here.
 */
import { ORPCError } from '@orpc/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows } from '#server/testing/access-rows.ts'
import { aColleague, anApiKey, aProvenColleague, aWebhook, openWorld, type World } from '#server/testing/access-world.ts'
import { START } from '#server/testing/studio.ts'
import { endpoints } from '#server/testing/wire.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

/** Everything that gives access: accounts, staff with rights, invitations, PINs, keys, and the settings about signing in. */
const CREDENTIALS: Record<string, string> = {
  accounts: 'select uid, email, password_hash, disabled, email_verified from identity_account order by uid',
  'second factors': 'select uid, factor_id::text, sealed_secret from identity_second_factor order by uid',
  'recovery codes': 'select uid, count(*)::int as n from identity_recovery_code group by uid order by uid',
  staff: 'select staff_id, uid, email, role, "disabledAt" is null as works from staff order by staff_id',
  rights: 'select * from staff_right order by 1, 2, 3',
  locations: 'select * from staff_location order by 1, 2',
  invitations: 'select staff_invite_id, email, "withdrawnAt" is null as is_open from staff_invite order by 1',
  PINs: 'select staff_id, mac from staff_pin order by 1',
  keys: 'select api_key_id, rights::text, "revokedAt" is null as works from api_key order by 1',
  'secrets of keys': 'select hash from api_key_secret order by 1',
  'keys of processors': 'select name, sealed_value from processor_key order by 1',
  webhooks: 'select webhook_endpoint_id, url from webhook_endpoint order by 1',
  'secrets of webhooks': 'select sealed from webhook_secret order by 1',
  settings: `select key, value from setting where key in ('firebaseConfig', 'staff_second_factor_required') order by 1`,
}
async function readCredentials(): Promise<Record<string, unknown>> {
  return Object.fromEntries(await Promise.all(Object.entries(CREDENTIALS).map(async ([name, query]) => [name, await world.on.sql(query)])))
}

/** 'ok', or the code of the refusal, six minutes after the sign-ins. */
async function later(role: 'owner' | 'mine', name: string, input: unknown): Promise<string> {
  world.on.clock.set(new Date(new Date(START).getTime() + 6 * 60_000))
  const client = name.split('.').reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], world.as(role))
  try {
    await (client as (input: unknown) => Promise<unknown>)(input)
    return 'ok'
  } catch (error) {
    if (error instanceof ORPCError) return error.code
    throw error
  } finally {
    world.on.clock.set(START)
  }
}

/** Endpoints that change credentials without a recent sign-in, and why they may. */
const ALLOWED: Record<string, string> = {
  'team.disable': 'takes access away',
  'team.inviteAgain': 'replaces the link of somebody who was invited already, to the same address',
  'team.invitePassword': 'mails the invited address; the account has no password',
  'sharedDevice.removePin': 'takes access away',
  'apiKeys.revoke': 'takes access away',
  'webhooks.remove': 'takes the address away',
}
const names = endpoints().map(({ name }) => name)

test('lists endpoints that exist', () => {
  for (const name of Object.keys(ALLOWED)) expect(names).toContain(name)
})

describe.each(['owner', 'mine'] as const)('an old sign-in of %s gives no access to an account', (role) => {
  test.each(names.filter((name) => !(name in ALLOWED)))('%s', async (name) => {
    const input = await rows[name]?.input?.(world, role)
    const before = await readCredentials()
    await later(role, name, input)
    expect(await readCredentials()).toEqual(before)
  })
})

/** Calls that would give access, with an input for which they otherwise succeed. */
const GIVES: Record<string, [string, (w: World) => unknown]> = {
  'inviting an owner': ['team.invite', (w) => ({ name: 'Otra', email: `otra${w.unique()}@ejemplo.mx`, role: 'owner' })],
  'another role': ['team.update', async (w) => ({ ...(await aColleague(w)), role: 'owner' })],
  'one more right': ['team.update', async (w) => ({ ...(await aColleague(w)), rights_added: ['staff.edit'] })],
  'access again': [
    'team.restore',
    async (w) => {
      const colleague = await aColleague(w)
      await w.as('owner').team.disable(colleague)
      return colleague
    },
  ],
  'a reset second factor': ['team.resetSecondFactor', async (w) => ({ ...(await aProvenColleague(w)), reason: 'Perdió su teléfono' })],
  'a PIN': ['sharedDevice.setPin', () => ({ pin: '2580' })],
  'a key': ['apiKeys.create', () => ({ name: 'Contabilidad', rights: ['customers.read'] })],
  'rights of a key': ['apiKeys.update', async (w) => ({ ...(await anApiKey(w)), rights: ['customers.read', 'customers.edit'] })],
  'another secret of a key': ['apiKeys.rotate', anApiKey],
  'keys of a wallet': ['walletPasses.saveKeys', () => ({ wallet: 'google', keys: { GOOGLE_WALLET_ISSUER_ID: '3388000000012345678' } })],
  'keys of the stamping provider': ['fiscalProvider.saveKeys', () => ({ keys: { SW_USER: 'estudio@ejemplo.mx' } })],
  'keys of a processor': ['processorStates.saveKeys', () => ({ processor: 'conekta', keys: { CONEKTA_PRIVATE_KEY: 'key_otra' } })],
  'another secret of a webhook': ['webhooks.rotate', aWebhook],
  'another identity service': [
    'content.changeSettings',
    () => ({ settings: [{ key: 'firebaseConfig', value: { apiKey: 'AIza', projectId: 'ajeno', authDomain: 'ajeno.example' } }] }),
  ],
  'no second factor': [
    'content.changeSettings',
    async (w) => {
      await w.on.sql(`insert into setting (key, value) values ('staff_second_factor_required', 'true') on conflict (key) do nothing`)
      return { settings: [{ key: 'staff_second_factor_required', value: true }] }
    },
  ],
}
test.each(Object.entries(GIVES))('%s needs a recent sign-in', async (_, [name, input]) => {
  expect(await later('owner', name, await input(world))).toBe('RECENT_SIGN_IN_REQUIRED')
})

test('fewer rights, another name and other settings need none', async () => {
  const colleague = await aColleague(world)
  expect(await later('owner', 'team.update', { ...colleague, name: 'Otra' })).toBe('ok')
  expect(await later('owner', 'team.update', { ...colleague, rights_removed: ['customers.health'] })).toBe('ok')
  expect(await later('owner', 'content.changeSettings', { settings: [{ key: 'firebaseConfig', value: null }] })).toBe('ok')
})
