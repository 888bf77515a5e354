/**
 * API keys: single rights, rotation with overlap, revocation, expiry, a limit of their own, and the key as the actor of the audit
 * trail (I1 to I5).
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { API_KEY_CALLS_PER_MINUTE } from '#contract/api-keys.ts'
import type { Right } from '#contract/rights.ts'
import { codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let on: TestStudio
let owner: Person
beforeAll(async () => {
  on = await studio()
})
afterAll(() => on.close())
beforeEach(async () => {
  await on.reset()
  owner = await on.make.staff('owner', { name: 'Mónica' })
})

const program = (secret: string) => on.as({ uid: '', email: '', token: secret, customer_id: 0 })
const created = (rights: Right[], more: { expires_on?: string } = {}) =>
  on.as(owner).apiKeys.create({ name: 'Contabilidad', rights, ...more })

test('a key calls the endpoints of its rights and no others, never more than its creator may (I1, I2)', async () => {
  const { secret, api_key } = await created(['customers.read', 'catalogue.edit'])
  expect(secret).toMatch(/^est_[\w-]{43}$/)
  expect(api_key).toMatchObject({ prefix: secret.slice(0, 10), state: 'active', created_by: 'Mónica', last_used_at: null })
  expect((await program(secret).people.list({ page: 1 })).total).toBeGreaterThanOrEqual(0)
  expect(await refusalOf(program(secret).invoices.list({ page: 1 }))).toMatchObject({ code: 'NO_CUSTOMER' })
  expect(await refusalOf(program(secret).reports.read({ key: 'cobrado' }))).toMatchObject({ code: 'FORBIDDEN' })
  expect(await refusalOf(program(secret).auditLog.list({}))).toMatchObject({ code: 'FORBIDDEN', data: { needs: 'audit.read' } })
  // A right that its creator loses is lost to the key at once.
  await on.sql(`insert into staff_right select staff_id, 'customers.read', false from staff where uid = $1`, [owner.uid])
  await on.studio.db.tx(async (tx) => tx.notify({ topic: 'people', uid: owner.uid }))
  expect(await refusalOf(program(secret).people.list({ page: 1 }))).toMatchObject({ code: 'FORBIDDEN', data: { needs: 'customers.read' } })
  await on.sql(`update staff set "disabledAt" = now() where uid = $1`, [owner.uid])
  await on.studio.db.tx(async (tx) => {
    tx.notify({ topic: 'people', uid: owner.uid })
    tx.notify({ topic: 'api_key' })
  })
  expect(await codeOf(program(secret).people.list({ page: 1 }))).toBe('UNAUTHENTICATED')
})

test('a key administers neither keys nor the team, and has no account of its own (I3)', async () => {
  const { secret, api_key } = await created(['settings.edit', 'customers.edit'])
  const key = program(secret)
  const refused = [
    () => key.apiKeys.list(),
    () => key.apiKeys.create({ name: 'Otra', rights: ['customers.read'] }),
    () => key.apiKeys.rotate({ api_key_id: api_key.api_key_id }),
    () => key.team.list(),
    () => key.people.sessions.list(),
    () => key.people.confirm(),
    () => key.sharedDevice.setPin({ pin: '2580' }),
  ]
  for (const call of refused) expect([String(call), await codeOf(call())]).toEqual([String(call), 'FORBIDDEN'])
  expect(await codeOf(on.as(owner).apiKeys.create({ name: 'x', rights: ['staff.edit'] as Right[] }))).toBe('INVALID_INPUT')
  expect(await codeOf(on.as(await on.make.staff('manager')).apiKeys.create({ name: 'x', rights: ['customers.read'] }))).toBe('FORBIDDEN')
})

test('what a key does is recorded as done by the key, once per idempotency key (I5)', async () => {
  const { secret } = await created(['catalogue.edit'])
  const client = on.as({ uid: '', email: '', token: secret, customer_id: 0 }, 'una-vez')
  const { product } = await client.products.create({ name: 'Agua', price: '20.00' })
  const [entry] = (await on.as(owner).auditLog.list({ entity: 'product', entity_id: String(product.product_id) })).entries
  expect(entry).toMatchObject({ who: { kind: 'api_key', staff_id: null, name: 'La llave Contabilidad' } })
  expect(entry?.sentence).toMatch(/^La llave Contabilidad /)
})

test('rotation gives another secret; the previous one works until its overlap ends, then neither it nor an earlier one (I4)', async () => {
  const { secret: first, api_key } = await created(['customers.read'])
  const { api_key_id } = api_key
  const { secret: second, api_key: rotated } = await on.as(owner).apiKeys.rotate({ api_key_id, overlap_hours: 2 })
  expect(rotated).toMatchObject({ prefix: second.slice(0, 10), old_prefix: first.slice(0, 10), old_until: '2026-11-19T18:00:00.000Z' })
  const works = async (secret: string) => (await codeOfOk(program(secret).people.list({ page: 1 }))) === 'ok'
  expect([await works(first), await works(second)]).toEqual([true, true])
  on.clock.advance({ hours: 2 })
  expect([await works(first), await works(second)]).toEqual([false, true])
  owner = await on.make.staff('owner')
  const { secret: third } = await on.as(owner).apiKeys.rotate({ api_key_id, overlap_hours: 0 })
  expect([await works(second), await works(third)]).toEqual([false, true])
  const revoked = await on.as(owner).apiKeys.revoke({ api_key_id })
  expect(revoked.api_key.state).toBe('revoked')
  expect(await works(third)).toBe(false)
  expect(await codeOf(on.as(owner).apiKeys.rotate({ api_key_id }))).toBe('NOT_FOUND')
})

test('rotating a key with more rights or other locations than the caller’s, or adding rights there, is refused (I2)', async () => {
  const { api_key } = await created(['customers.read', 'data.export'])
  const { api_key_id } = api_key
  const [there, here] = [await on.make.location(), await on.make.location()]
  const developer = async (rights: Right[], location_id?: number) => {
    const person = await on.make.staff('manager')
    for (const right of ['settings.code', ...rights])
      await on.sql('insert into staff_right select staff_id, $2, true from staff where uid = $1 on conflict do nothing', [
        person.uid,
        right,
      ])
    if (location_id !== undefined)
      await on.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [person.uid, location_id])
    return on.as(person).apiKeys
  }
  const lacking = await developer([])
  expect(await refusalOf(lacking.rotate({ api_key_id }))).toMatchObject({ code: 'FORBIDDEN', data: { needs: 'data.export' } })
  const elsewhere = await developer(['data.export'], here.location_id)
  expect(await codeOf(elsewhere.rotate({ api_key_id }))).toBe('FORBIDDEN')
  expect(await codeOf(elsewhere.update({ api_key_id, rights: ['customers.read', 'data.export', 'customers.edit'] }))).toBe('FORBIDDEN')
  expect((await elsewhere.update({ api_key_id, name: 'Libros' })).api_key.name).toBe('Libros')
  await on.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [owner.uid, there.location_id])
  expect(await codeOf(elsewhere.rotate({ api_key_id }))).toBe('FORBIDDEN')
  expect((await (await developer(['data.export'], there.location_id)).rotate({ api_key_id })).secret).toMatch(/^est_/)
  expect((await (await developer(['data.export'])).rotate({ api_key_id })).secret).toMatch(/^est_/)
})

test('an expired, unknown or malformed key is not authenticated; the last use is shown (I4)', async () => {
  const { secret } = await created(['customers.read'], { expires_on: '2026-11-20' })
  on.clock.advance({ days: 1 })
  await program(secret).people.list({ page: 1 })
  expect((await on.as(owner).apiKeys.list()).api_keys[0]).toMatchObject({ last_used_at: '2026-11-20T16:00:00.000Z' })
  on.clock.set('2026-11-21T00:00:00-06:00')
  expect(await codeOf(program(secret).people.list({ page: 1 }))).toBe('UNAUTHENTICATED')
  expect((await on.as(owner).apiKeys.list()).api_keys[0]).toMatchObject({ state: 'expired' })
  for (const token of [`est_${'A'.repeat(43)}`, 'est_corta', `${secret}x`])
    expect(await codeOf(program(token).people.list({ page: 1 }))).toBe('UNAUTHENTICATED')
  // Another studio's key, and the hash itself, open nothing.
  const [row] = await on.sql<{ hash: string }>('select hash from api_key_secret order by api_key_secret_id desc limit 1')
  expect(await codeOf(program(`est_${row?.hash}`).people.list({ page: 1 }))).toBe('UNAUTHENTICATED')
  owner = await on.make.staff('owner')
  expect(await codeOf(on.as(owner).apiKeys.create({ name: 'x', rights: ['customers.read'], expires_on: '2026-11-20' }))).toBe(
    'INVALID_INPUT',
  )
})

test('each key has a limit of its own (I4)', async () => {
  const [{ secret }, other] = [await created(['customers.read']), await created(['customers.read'])]
  const calls = Array.from({ length: API_KEY_CALLS_PER_MINUTE + 1 }, () => codeOfOk(program(secret).team.me()))
  const codes = await Promise.all(calls)
  expect(codes.filter((code) => code === 'TOO_MANY_REQUESTS')).toHaveLength(1)
  expect(await codeOfOk(program(other.secret).team.me())).toBe('ok')
})

test('no secret is stored, recorded or logged (I1)', async () => {
  const { secret, api_key } = await created(['customers.read'])
  const { secret: second } = await on.as(owner).apiKeys.rotate({ api_key_id: api_key.api_key_id })
  await codeOf(program(`${secret.slice(0, -1)}`).people.list({ page: 1 }))
  await codeOfOk(program(second).people.list({ page: 1 }))
  const tables = await on.sql<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const secrets = [secret.slice(12), second.slice(12)]
  for (const { name } of tables) {
    const rows = await on.sql(`select 1 from ${name} t where t::text like any($1)`, [secrets.map((secret) => `%${secret}%`)])
    expect([name, rows.length]).toEqual([name, 0])
  }
  expect(on.logged.join('\n')).not.toContain(secret.slice(4))
})

/** 'ok', or the code of the refusal. */
const codeOfOk = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'ok',
    (error: unknown) => (error as { code: string }).code,
  )
