/**
 * As whom messages to many are sent: with the rights that their author had and still has, on whatever device or with whatever key
 * (docs/domain.md BR5, BR7, I2, E15).
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'
import { runBroadcast } from './broadcasts.ts'

let s: TestStudio
let owner: Person
beforeAll(async () => {
  s = await studio()
  owner = await s.make.staff('owner', { name: 'Mónica' })
})
afterAll(() => s.close())
beforeEach(() => s.reset())

const program = (secret: string): Person => ({ ...owner, uid: '', email: '', token: secret })
const newKey = () => s.as(owner).apiKeys.create({ name: 'Contabilidad', rights: ['customers.read', 'messages.send'] })
const TEXTS = { channels: ['app' as const], subject: 'Clase nueva', text: 'Hola {{nombre}}' }
const PAUSED = { state: 'paused', paused_because: 'Quien lo escribió ya no puede enviar mensajes.' }

/** A broadcast that is sent in an hour; returns its state at that time. */
async function scheduled(author: Person, customers = 1) {
  const customer_ids = []
  for (let n = 0; n < customers; n++) customer_ids.push((await s.make.customer()).customer_id)
  const at = new Date(s.clock.now().getTime() + 3_600_000).toISOString()
  const { broadcast } = await s.as(author, randomUUID()).broadcasts.create({ audience: { customer_ids }, at, ...TEXTS })
  const broadcast_id = broadcast?.broadcast_id ?? 0
  const sent = async () =>
    (await s.sql(`select from message where event = 'broadcast' and about = $1`, [`broadcast:${broadcast_id}`])).length
  const send = async () => {
    s.clock.advance({ minutes: 61 })
    await doJobs(s, 'broadcasts.sweep')
    return { broadcast: (await s.as(owner).broadcasts.one({ broadcast_id })).broadcast, sent: await sent() }
  }
  return { broadcast_id, customer_ids, send, sent }
}
/** As a change of rights announces itself. */
const rightsChanged = (uid: string) => s.studio.db.tx(async (tx) => tx.notify({ topic: 'people', uid }))

test('one of a key that was revoked before its time is not sent, one of a key that works is', async () => {
  const [deletedKey, works] = [await newKey(), await newKey()]
  const [first, second] = [await scheduled(program(deletedKey.secret)), await scheduled(program(works.secret))]
  await s.as(owner).apiKeys.revoke({ api_key_id: deletedKey.api_key.api_key_id })
  expect(await first.send()).toMatchObject({ broadcast: PAUSED, sent: 0 })
  expect(await second.send()).toMatchObject({ broadcast: { state: 'sent' }, sent: 1 })
})

test('one of a key that has expired by its time is not sent', async () => {
  const { secret, api_key } = await newKey()
  const broadcast = await scheduled(program(secret))
  await s.sql(`update api_key set "expiresAt" = $2 where api_key_id = $1`, [
    api_key.api_key_id,
    new Date(s.clock.now().getTime() + 1_800_000),
  ])
  expect(await broadcast.send()).toMatchObject({ broadcast: PAUSED, sent: 0 })
})

test('a right that was taken from its author stops it, whatever their role; given back and resumed it is sent', async () => {
  const manager = await s.make.staff('manager')
  const broadcast = await scheduled(manager)
  await s.sql(`insert into staff_right select staff_id, 'messages.send', false from staff where uid = $1`, [manager.uid])
  await rightsChanged(manager.uid)
  expect(await broadcast.send()).toMatchObject({ broadcast: PAUSED, sent: 0 })
  await s.sql('delete from staff_right where staff_id = (select staff_id from staff where uid = $1)', [manager.uid])
  await rightsChanged(manager.uid)
  await s.as(owner, randomUUID()).broadcasts.resume({ broadcast_id: broadcast.broadcast_id })
  await doJobs(s)
  expect(await broadcast.sent()).toBe(1)
})

test('a right that its author did not have when they wrote it is not used', async () => {
  const broadcast = await scheduled(owner)
  await s.sql(`update broadcast set rights = '{customers.read}' where broadcast_id = $1`, [broadcast.broadcast_id])
  expect(await broadcast.send()).toMatchObject({ broadcast: PAUSED, sent: 0 })
})

test('one from before its rights were recorded is sent with those of its author', async () => {
  const broadcast = await scheduled(owner)
  await s.sql('update broadcast set rights = null where broadcast_id = $1', [broadcast.broadcast_id])
  expect(await broadcast.send()).toMatchObject({ broadcast: { state: 'sent' }, sent: 1 })
})

test('an author who is disabled while it is being sent gets no further batch out', async () => {
  const manager = await s.make.staff('manager')
  const broadcast = await scheduled(manager, 2)
  // As a job that was killed after the first person.
  await s.sql(`update broadcast set state = 'sending', at = now() - interval '1 day' where broadcast_id = $1`, [broadcast.broadcast_id])
  await s.sql(`update broadcast_recipient set state = 'queued', "queuedAt" = now() where broadcast_id = $1 and customer_id = $2`, [
    broadcast.broadcast_id,
    broadcast.customer_ids[0],
  ])
  await s.sql('update staff set "disabledAt" = now() where uid = $1', [manager.uid])
  s.clock.advance({ hours: 2 })
  await runBroadcast(s.system(), { broadcast_id: broadcast.broadcast_id }, { signal: new AbortController().signal })
  expect(
    await s.sql('select state from broadcast_recipient where broadcast_id = $1 order by customer_id', [broadcast.broadcast_id]),
  ).toEqual([{ state: 'queued' }, { state: 'waiting' }])
})

test('an automation of a key that is revoked sends nothing and says so; saved by a person it is theirs', async () => {
  const { secret, api_key } = await newKey()
  const { automation } = await s.as(program(secret), randomUUID()).automations.create({ customer_state: 'at_risk', ...TEXTS })
  const read = async () =>
    (await s.as(owner).automations.all()).automations.find((candidate) => candidate.automation_id === automation.automation_id)
      ?.stopped_because
  expect(await read()).toBeNull()
  await s.as(owner).apiKeys.revoke({ api_key_id: api_key.api_key_id })
  expect(await read()).toMatch(/ya no puede enviar mensajes/)
  await s.as(owner, randomUUID()).automations.update({ automation_id: automation.automation_id, subject: 'Vuelve' })
  expect(await read()).toBeNull()
  expect(await s.sql('select api_key_id from automation where automation_id = $1', [automation.automation_id])).toEqual([
    { api_key_id: null },
  ])
})

test('the message of an automation to the people of a day has its author’s key too', async () => {
  const { secret, api_key } = await newKey()
  const { automation } = await s
    .as(program(secret), randomUUID())
    .automations.create({ customer_state: 'lost', hour: 8, again_after_days: 7, ...TEXTS })
  const { customer_id } = await s.make.customer()
  await doJobs(s, 'customers.summaries')
  s.clock.advance({ minutes: 5 })
  await s.sql(`update customer_summary set state = 'lost', state_since = $2 where customer_id = $1`, [customer_id, s.clock.now()])
  s.clock.advance({ minutes: 5 })
  await doJobs(s, 'broadcasts.automations')
  expect(await s.sql('select rights, api_key_id from broadcast where automation_id = $1', [automation.automation_id])).toEqual([
    { rights: ['customers.read', 'messages.send'], api_key_id: api_key.api_key_id },
  ])
})
