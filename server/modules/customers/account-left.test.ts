/** Customers who deleted their account get no promotions, and are gone when nothing of theirs is left (docs/domain.md P14, X3). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { leaveAccount } from '#server/modules/people/people.ts'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'
import { followAccountLeft } from './account-left.ts'

let s: TestStudio
let owner: Person
beforeAll(async () => {
  s = await studio()
  owner = await s.make.staff('owner')
})
afterAll(() => s.close())

const leave = async ({ uid }: Person) => {
  await leaveAccount(s.system(), { uid })
  await doJobs(s)
}
const consentsOf = async ({ customer_id }: Person) =>
  (
    await s.sql<{ text: string }>(`select channel || ' ' || allowed as text from message_consent where customer_id = $1 order by 1`, [
      customer_id,
    ])
  ).map(({ text }) => text)
const stateOf = async ({ customer_id }: Person) => (await s.as(owner).customerFile.one({ customer_id })).state

test('consents to promotions and to WhatsApp end with the account; a customer with nothing left is Baja, and back after a new sign-up', async () => {
  const [leaver, paid, booked] = [await s.make.customer(), await s.make.customer(), await s.make.customer()]
  for (const person of [leaver, paid, booked]) await s.as(person).messages.setPreferences({ marketing: true, whatsapp: true, mail: true })
  await s.make.lot(paid, { granted: 3 })
  const { single_class_id } = await s.make.class({ starts_at: new Date(s.clock.now().getTime() + 86_400_000) })
  await s.sql(`insert into class_reservation (single_class_id, customer_id, "createdAt", "updatedAt") values ($1, $2, now(), now())`, [
    single_class_id,
    booked.customer_id,
  ])
  for (const person of [leaver, paid, booked]) await leave(person)
  for (const person of [leaver, paid, booked]) expect(await consentsOf(person)).toEqual(['mail true', 'marketing false', 'whatsapp false'])
  expect([await stateOf(leaver), await stateOf(paid), await stateOf(booked)]).toEqual(['lost', 'new', 'new'])
  const trail = await s.sql(
    `select action, reason from audit where entity = 'customer' and entity_id = $1::text and reason is not null order by audit_id`,
    [leaver.customer_id],
  )
  expect(trail).toEqual([
    { action: 'consent.change', reason: 'Eliminó su cuenta' },
    { action: 'consent.change', reason: 'Eliminó su cuenta' },
    { action: 'customer.archive', reason: 'Eliminó su cuenta' },
  ])

  const account = await s.make.account(`otra.${leaver.email}`)
  await s.sql('update customer set email = $2 where customer_id = $1', [leaver.customer_id, account.email])
  const { customer } = await s.as(account).people.signup({ uid: account.uid, name: 'Ana', last_name: 'Paz', phone: '5511223344' })
  expect(customer.customer_id).toBe(leaver.customer_id)
  expect(await stateOf(leaver)).toBe('new')
  // A job that comes late finds an account.
  await s.as({ ...account, customer_id: leaver.customer_id }).messages.setPreferences({ marketing: true })
  await followAccountLeft(s.system(), { customer_id: leaver.customer_id })
  expect([await stateOf(leaver), (await consentsOf(leaver)).includes('marketing true')]).toEqual(['new', true])
})
