/**
 * The rights of a bulk job: those that its author had and still has, also on a shared device or with an API key (docs/domain.md LA6, I2,
 * E15).
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'
import { runBulk } from './bulk.ts'

let s: TestStudio
let owner: Person
beforeAll(async () => {
  s = await studio()
  owner = await s.make.staff('owner', { name: 'Mónica' })
})
afterAll(() => s.close())

const program = (secret: string): Person => ({ ...owner, uid: '', email: '', token: secret })
let n = 0
async function tagging() {
  const [tag] = await s.sql<{ tag_id: number }>(`insert into tag (name, type) values ($1, 'customer') returning tag_id`, [
    `Etiqueta ${++n}`,
  ])
  const ids = [(await s.make.customer()).customer_id, (await s.make.customer()).customer_id]
  const tag_id = tag?.tag_id ?? 0
  const tagged = async () => (await s.sql('select from customer_tag where tag_id = $1', [tag_id])).length
  return { ids, tag_id, tagged, input: { action: 'tags.add' as const, ids, params: { tag_id } } }
}
const jobOf = (job_id: number | null, by = owner) => s.as(by).bulk.job({ job_id: job_id ?? 0 })
const REFUSED = { code: 'FORBIDDEN', message: 'Quien lo empezó ya no tiene permiso.' }

test('a key that is revoked before its job runs stops it: every record says so, and nothing changed', async () => {
  const { input, tagged } = await tagging()
  const { secret, api_key } = await s.as(owner).apiKeys.create({ name: 'Contabilidad', rights: ['customers.read', 'customers.edit'] })
  const { job_id } = await s.as(program(secret), randomUUID()).bulk.start(input)
  await s.as(owner).apiKeys.revoke({ api_key_id: api_key.api_key_id })
  await doJobs(s)
  expect(await jobOf(job_id)).toMatchObject({ state: 'done', total: 2, done: 2, changed: 0, refused_total: 2, refused: [REFUSED, REFUSED] })
  expect(await tagged()).toBe(0)
})

test('a job of a key is in the trail as the key, and undone by its creator runs as theirs, also once the key is revoked', async () => {
  const { input, ids, tagged } = await tagging()
  const { secret, api_key } = await s.as(owner).apiKeys.create({ name: 'Contabilidad', rights: ['customers.read', 'customers.edit'] })
  const { job_id } = await s.as(program(secret), randomUUID()).bulk.start(input)
  await doJobs(s)
  expect([await jobOf(job_id), await tagged()]).toMatchObject([{ changed: 2 }, 2])
  const [entry] = (await s.as(owner).auditLog.list({ customer_id: ids[0] ?? 0 })).entries
  expect(entry).toMatchObject({ who: { kind: 'api_key' } })
  await s.as(owner).apiKeys.revoke({ api_key_id: api_key.api_key_id })
  await s.as(owner, randomUUID()).bulk.undo({ job_id: job_id ?? 0 })
  await doJobs(s)
  expect([await jobOf(job_id), await tagged()]).toMatchObject([{ state: 'undone' }, 0])
})

test('rights that its author did not have when it was started are not used: a shared device or a key has fewer', async () => {
  const { input, tagged } = await tagging()
  const { job_id } = await s.as(owner, randomUUID()).bulk.start(input)
  await s.sql(`update bulk_job set rights = '{customers.read}' where bulk_job_id = $1`, [job_id])
  await doJobs(s)
  expect([await jobOf(job_id), await tagged()]).toMatchObject([{ changed: 0, refused_total: 2 }, 0])
})

test('a person who is dismissed in the middle stops the rest; what changed stays', async () => {
  const { input, tagged, ids } = await tagging()
  const desk = await s.make.staff('reception')
  const { job_id } = await s.as(desk, randomUUID()).bulk.start(input)
  await s.sql(`update bulk_item set state = 'done', undo = 'true' where bulk_job_id = $1 and item_id = $2`, [job_id, ids[0]])
  await s.sql('update staff set "disabledAt" = now() where uid = $1', [desk.uid])
  await runBulk(s.system(), { bulk_job_id: job_id ?? 0 }, { signal: new AbortController().signal })
  expect(await s.sql('select item_id, state, code from bulk_item where bulk_job_id = $1 order by 1', [job_id])).toEqual([
    { item_id: ids[0], state: 'done', code: null },
    { item_id: ids[1], state: 'refused', code: 'FORBIDDEN' },
  ])
  expect(await tagged()).toBe(0)
})
