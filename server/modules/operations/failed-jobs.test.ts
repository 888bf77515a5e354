/** The owner's list of jobs that failed for good, and retrying them. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeOf, type Person, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let owner: Person
beforeAll(async () => {
  s = await studio()
  owner = await s.make.staff('owner')
})
afterAll(() => s.close())

const fail = async (job: string, data: object) => {
  const [row] = await s.sql<{ id: number }>(
    `insert into failed_job (job_id, queue, job, data, error, attempts) values ($1, 'mail', $2, $3, 'The server hung up.', 13) returning failed_job_id as id`,
    [randomUUID(), job, JSON.stringify(data)],
  )
  return row?.id ?? 0
}
const waiting = (job: string) =>
  s.sql<{ name: string; data: object }>(`select name, data->'data' as data from jobs.job where data->>'job' = $1`, [job])

test('lists failed jobs, open ones first, with ids and without their data', async () => {
  const first = await fail('password-recovery', { email: 'ana@ejemplo.mx' })
  const second = await fail('sales.receipt', { purchase_id: 7, period: 'once' })
  await s.as(owner).failedJobs.close({ failed_job_id: second, reason: 'se mandó a mano' })
  const page = await s.as(owner).failedJobs.list({})
  expect(page).toMatchObject({ total: 2, open: 1 })
  expect(page.failed_jobs).toMatchObject([
    { failed_job_id: first, job: 'password-recovery', queue: 'mail', about: {}, attempts: 13, closed_by: null },
    { failed_job_id: second, job: 'sales.receipt', about: { purchase_id: 7 }, error: 'The server hung up.', closed_by: 'staff' },
  ])
  expect(JSON.stringify(page)).not.toContain('ana@ejemplo.mx')
  const reception = await s.make.staff('reception')
  expect(await codeOf(s.as(reception).failedJobs.list({}))).toBe('FORBIDDEN')
})

test('sends a failed job again once, to its current queue', async () => {
  const failed_job_id = await fail('messages.deliver', { message_id: 4_000_000, channel: 'whatsapp' })
  const both = await Promise.allSettled([s.as(owner).failedJobs.retry({ failed_job_id }), s.as(owner).failedJobs.retry({ failed_job_id })])
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect(await waiting('messages.deliver')).toEqual([{ name: 'whatsapp', data: { message_id: 4_000_000, channel: 'whatsapp' } }])
  expect(await codeOf(s.as(owner).failedJobs.close({ failed_job_id, reason: 'tarde' }))).toBe('NOT_FOUND')
  expect(await s.sql(`select action, entity_id from audit where action = 'job.retry'`)).toEqual([
    { action: 'job.retry', entity_id: String(failed_job_id) },
  ])
})
