/**
 * Processes that import subscriptions, and that begin them on their day, are killed in the middle: each is there once, and charged once
 * (IM5, IM15, V62).
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startImport } from '#server/testing/imported-studio.ts'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { secondProcess } from '#server/testing/second-process.ts'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { monthlyPackage } from '#server/testing/subscribers.ts'
import { startDuePending } from './start-pending.ts'

const IMPORTED = 200
const WITH_CARD = 30
const KILLS = [4, 14]

let s: TestStudio
beforeAll(async () => {
  s = await studio({ settings: { payment_sources_enabled: true } })
})
afterAll(() => s.close())

const count = async (query: string) => (await s.sql<{ n: number }>(`select count(*)::int as n from ${query}`))[0]?.n ?? 0

/**
 * Works in a process of its own that is killed at each of these counts, and in another one until the last; how often something was left
 * to do.
 */
async function workKilled(done: () => Promise<number>, kills: readonly number[], all: number): Promise<number> {
  let cut = 0
  for (const at of kills) {
    const doomed = await secondProcess(s, { work: true })
    while ((await done()) < at) await sleep(2)
    await doomed.kill()
    if ((await done()) < all) cut++
  }
  const last = await secondProcess(s, { work: true })
  const until = performance.now() + 200_000
  while ((await done()) < all && performance.now() < until) await sleep(100)
  await last.close()
  return cut
}

// Slow: processes are started, and leases of killed ones expire.
test('each subscription is imported once and charged once, however often its process is killed', { timeout: 500_000 }, async () => {
  const owner = await s.make.staff('owner')
  const class_package_id = await monthlyPackage(s, { title: 'Mensual', price_centavos: 116_000, class_amount: 8 })
  const people: Person[] = []
  for (let n = 0; n < IMPORTED; n++) people.push(await s.make.customer({ email: `p${n}@suscritos.test` }))
  const rows = people.map(({ email }, n) => `s${n},${email},Mensual,2026-12-01,900`)
  await startImport(s, owner, 'subscriptions', ['ID suscripción,Correo,Paquete,Próximo cobro,Monto', ...rows].join('\n'))
  const imported = () => count('pending_subscription')
  const cutImport = await workKilled(imported, [30, 100], IMPORTED)
  expect(await count('(select 1 from pending_subscription group by customer_id, class_package_id) k')).toBe(IMPORTED)
  expect(await imported()).toBe(IMPORTED)

  for (const [n, person] of people.slice(0, WITH_CARD).entries()) {
    const { payment_source } = await s.as(person).cards.keep({ token_id: `tok_ok~visa~${2_001 + n}~122030~k` })
    await s.sql('update pending_subscription set payment_source_id = $1 where customer_id = $2', [
      payment_source?.payment_source_id,
      person.customer_id,
    ])
  }
  s.clock.set('2026-12-01T08:00:00-06:00')
  await startDuePending(s.system())
  const begun = () => count(`purchase where is_subscription and status = 'active'`)
  const cutCharges = await workKilled(begun, KILLS, WITH_CARD)
  expect(await begun()).toBe(WITH_CARD)
  const charges = await s.sql<{ n: number; total: number }>(
    'select count(*)::int as n, sum(total_centavos)::int as total from invoice group by customer_id order by 1 desc',
  )
  expect(charges).toEqual(Array.from({ length: WITH_CARD }, () => ({ n: 1, total: 90_000 })))
  expect(await count(`sandbox_ledger where kind = 'charge'`)).toBe(WITH_CARD)
  expect(await count('(select 1 from purchase group by customer_id having count(*) > 1) k')).toBe(0)
  expect(await count(`available_class where balance = 8 and class_package_id = ${class_package_id}`)).toBe(WITH_CARD)
  expect(await wrongMoney(s, false)).toEqual({})
  // Without work that was cut the test would have proved nothing.
  expect([cutImport > 0, cutCharges > 0]).toEqual([true, true])
})
