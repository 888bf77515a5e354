/**
 * Keys of processors that the owner types (G11): encrypted, used at once, replaced, taken away; the environment wins; and no answer, log,
 * trail or table contains one.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { STRIPE_FAKE_KEY, STRIPE_FAKE_SECRET, StripeFake } from '#server/testing/fakes/stripe.ts'
import { testSecretBox } from '#server/testing/master-keys.ts'
import { type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { PROCESSOR_KEY_SECRETS } from './processor-keys.ts'

const PLANTED = 'sk_test_plantada0123456789WXYZ'
let s: TestStudio
let owner: Person
let stripe: StripeFake
beforeAll(async () => {
  stripe = await new StripeFake({ now: () => new Date('2026-11-19T16:00:00Z') }).listen()
  s = await studio({ env: { STRIPE_API_BASE: stripe.url, LOG_LEVEL: 'debug' } })
  owner = await s.make.staff('owner')
})
afterAll(async () => {
  await s.close()
  await stripe.close()
})

const save = (keys: Record<string, string | null>, processor: 'stripe' | 'conekta' | 'paypal' = 'stripe') =>
  s.as(owner).processorStates.saveKeys({ processor, keys })
const stateOf = async () => (await s.as(owner).processorStates.list()).processors.find(({ processor }) => processor === 'stripe')

/** Every row of every table that contains a text. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await s.sql<{ name: string }>(
    "select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')",
  )
  const found: string[] = []
  for (const { name } of tables)
    if ((await s.sql(`select 1 from ${name} t where position($1 in t::text) > 0 limit 1`, [text])).length > 0) found.push(name)
  return found
}

test('a typed key is used at once for new cards, its connection is tried, and only its ending is shown (G11)', async () => {
  expect(s.studio.ports.cards?.id).toBe('sandbox')
  const { processors } = await save({ STRIPE_SECRET_KEY: STRIPE_FAKE_KEY, STRIPE_WEBHOOK_SECRET: STRIPE_FAKE_SECRET })
  expect(processors[0]).toMatchObject({ processor: 'stripe', key_ending: STRIPE_FAKE_KEY.slice(-4), takes_payments: true, live: false })
  expect(processors[0]?.keys[0]).toMatchObject({ name: 'STRIPE_SECRET_KEY', source: 'stored', ending: STRIPE_FAKE_KEY.slice(-4) })
  expect(s.studio.ports.cards?.id).toBe('stripe')
  // What the sandbox charged before is still its.
  expect(s.studio.ports.gateways.has('sandbox')).toBe(true)
  expect(await s.as(owner).processorStates.check({ processor: 'stripe' })).toMatchObject({ ok: true })
})

test('a key is rotated: the next call uses the new one; taken away, the sandbox charges again (G11)', async () => {
  await save({ STRIPE_SECRET_KEY: PLANTED })
  expect(await s.as(owner).processorStates.check({ processor: 'stripe' })).toEqual({
    ok: false,
    message: 'Respondió, pero no aceptó la llave.',
  })
  await save({ STRIPE_SECRET_KEY: null, STRIPE_WEBHOOK_SECRET: null })
  expect(await stateOf()).toMatchObject({ state: 'missing', key_ending: null })
  expect(s.studio.ports.cards?.id).toBe('sandbox')
  const trail = await s.sql<{ action: string; entity_id: string }>(
    "select action, entity_id from audit where entity = 'processor_key' and entity_id = 'STRIPE_SECRET_KEY' order by audit_id",
  )
  expect(trail.map(({ action }) => action)).toEqual(['processor_key.add', 'processor_key.rotate', 'processor_key.remove'])
  const { entries } = await s.as(owner).auditLog.list({ entity: 'processor_key' })
  expect(entries.map(({ sentence }) => sentence).join()).toContain('cambió la llave de Stripe: Llave secreta')
})

test('no table, answer, log or trail contains a key; the stored text opens with the master key of its row only (G11)', async () => {
  const answers = [await save({ STRIPE_SECRET_KEY: PLANTED }), await s.as(owner).processorStates.list()]
  answers.push((await s.as(owner).auditLog.list({})) as never, (await s.as(owner).content.settings()) as never)
  answers.push((await refusalOf(save({ STRIPE_SECRET_KEY: `${PLANTED} con espacios` }))) as never)
  answers.push((await refusalOf(save({ [PLANTED]: PLANTED }))) as never)
  answers.push((await s.as(owner).processorStates.check({ processor: 'stripe' })) as never)
  expect(JSON.stringify(answers)).not.toContain(PLANTED)
  expect(JSON.stringify(s.logged)).not.toContain(PLANTED)
  expect(await tablesWith(PLANTED)).toEqual([])
  expect(await tablesWith('WXYZ')).toEqual(['public.processor_key'])
  const [row] = await s.sql<{ sealed_value: string }>("select sealed_value from processor_key where name = 'STRIPE_SECRET_KEY'")
  expect(testSecretBox().open(row?.sealed_value ?? '', PROCESSOR_KEY_SECRETS, 'STRIPE_SECRET_KEY')).toBe(PLANTED)
  expect(() => testSecretBox().open(row?.sealed_value ?? '', PROCESSOR_KEY_SECRETS, 'CONEKTA_PRIVATE_KEY')).toThrow()
  await save({ STRIPE_SECRET_KEY: null })
})

test('wrong keys are named by field; others than the owner, and an old sign-in, are refused (G11)', async () => {
  expect(await refusalOf(save({ STRIPE_SECRET_KEY: 'pk_test_publica' }))).toMatchObject({
    code: 'INVALID_INPUT',
    data: { issues: [{ path: 'STRIPE_SECRET_KEY', message: 'Debe verse como sk_live_….' }] },
  })
  expect((await refusalOf(save({ STRIPE_SECRET_KEY: PLANTED }, 'conekta'))).code).toBe('INVALID_INPUT')
  for (const role of ['manager', 'reception', 'coach'] as const)
    expect((await refusalOf(s.as(await s.make.staff(role)).processorStates.saveKeys({ processor: 'stripe', keys: {} }))).code).toBe(
      'FORBIDDEN',
    )
  expect(await s.sql('select from processor_key')).toEqual([])
})

test('what the environment sets wins and cannot be typed over; PAYMENTS=ninguno takes no cards whatever is typed (G11)', async () => {
  const fixed = await studio({ env: { STRIPE_SECRET_KEY: STRIPE_FAKE_KEY, STRIPE_API_BASE: stripe.url, PAYMENTS: 'ninguno' } })
  try {
    const boss = await fixed.make.staff('owner')
    const keys = { STRIPE_SECRET_KEY: PLANTED }
    expect((await refusalOf(fixed.as(boss).processorStates.saveKeys({ processor: 'stripe', keys }))).code).toBe('PROTECTED')
    const { processors } = await fixed
      .as(boss)
      .processorStates.saveKeys({ processor: 'conekta', keys: { CONEKTA_PRIVATE_KEY: 'key_plantada0123' } })
    expect(processors.find(({ processor }) => processor === 'stripe')?.keys[0]).toMatchObject({
      source: 'environment',
      ending: STRIPE_FAKE_KEY.slice(-4),
    })
    expect(fixed.studio.ports.gateways.has('conekta')).toBe(true)
    expect(fixed.studio.ports.cards).toBeNull()
    expect(await fixed.as(boss).processorStates.list()).toMatchObject({ takes_cards: false, is_chosen_by_server: true })
  } finally {
    await fixed.close()
  }
})

test('a processor whose key the environment sets takes new cards before one whose key was typed (G11)', async () => {
  const mixed = await studio({ env: { CONEKTA_PRIVATE_KEY: 'key_del_servidor', STRIPE_API_BASE: stripe.url } })
  try {
    const boss = await mixed.make.staff('owner')
    await mixed.as(boss).processorStates.saveKeys({ processor: 'stripe', keys: { STRIPE_SECRET_KEY: STRIPE_FAKE_KEY } })
    expect(mixed.studio.ports.cards?.id).toBe('conekta')
    expect(await mixed.as(boss).processorStates.list()).toMatchObject({ takes_cards: true, is_sandbox: false, is_chosen_by_server: true })
  } finally {
    await mixed.close()
  }
  expect(await s.as(owner).processorStates.list()).toMatchObject({ is_chosen_by_server: false })
})
