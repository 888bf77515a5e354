/** A card's number never reaches the studio, and one that somebody sends all the same stays nowhere (docs/domain.md V19, decision 13). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TEST_NUMBERS } from '#server/adapters/payments/sandbox/cards.ts'
import { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { openLog } from '#server/platform/log.ts'
import { cardNumbersIn } from '#server/testing/card-numbers.ts'
import { refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { salesJobs, sweep } from './jobs.ts'

const logged: string[] = []
let s: TestStudio
beforeAll(async () => {
  s = await studio({ log: openLog('debug', (line) => void logged.push(line)), settings: { cash_checkout_enabled: true } })
  await s.make.paymentMethod({ payment_method_id: 2, name: 'Efectivo' })
})
afterAll(() => s.close())

/** Every row of every table, as text. */
async function dump(): Promise<string> {
  const tables = await s.sql<{ name: string }>(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  const rows = await Promise.all(tables.map(({ name }) => s.sql<{ row: string }>(`select t::text as row from ${name} t`)))
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n')
}

test('the scan finds what it looks for', () => {
  for (const { groups } of TEST_NUMBERS) {
    expect(cardNumbersIn(`{"number":"${groups.join('')}"}`)).toHaveLength(1)
    expect(cardNumbersIn(`pagó con ${groups.join(' ')} hoy`)).toHaveLength(1)
    expect(cardNumbersIn(groups.join('-'))).toHaveLength(1)
  }
  for (const fine of [
    '4242',
    '5512345678',
    '1795227130236',
    '4242424242424241',
    '2026-11-19 16:00:00.123456',
    randomUUID(),
    'tok_ok~visa~4242~122030~a',
  ])
    expect(cardNumbersIn(fine), fine).toEqual([])
})

test('a whole life of purchases leaves no number in the database or the log', async () => {
  const bank = s.studio.ports.gateways.get('sandbox')
  if (!(bank instanceof Sandbox)) throw new Error('no sandbox')
  const [ana, pack] = [await s.make.customer(), await s.make.package()]
  const ask = { class_package_id: pack.class_package_id }
  for (const { brand, groups, behaviour } of TEST_NUMBERS) {
    const token = `tok_${behaviour}~${brand}~${groups.join('').slice(-4)}~122030~${randomUUID().slice(0, 8)}`
    const call = s.as(ana, randomUUID()).sales.attempt({ ...ask, payment_method: token, save_card: true })
    await call.catch(() => refusalOf(call))
  }
  await s.as(ana, randomUUID()).sales.checkout({ ...ask, payment_method_id: 2 })
  const keep = salesJobs(s.system).find((job) => job.name === 'sales.keep-card')
  for (const { payment_id } of await s.sql<{ payment_id: number }>(`select payment_id from payment_attempt where state = 'paid'`))
    await keep?.work({ payment_id })
  await bank.tick()
  s.clock.advance({ minutes: 3 })
  await sweep(s.system())
  const everything = await dump()
  expect(everything).toContain('terminada en 4242')
  expect(cardNumbersIn(everything)).toEqual([])
  expect(cardNumbersIn(logged.join('\n'))).toEqual([])
})

test('a number sent where a token belongs is refused and kept nowhere', async () => {
  const [ana, pack] = [await s.make.customer(), await s.make.package()]
  for (const number of [
    '4242424242424242',
    '4242 4242 4242 4242',
    '3782-822463-10005',
    'tok_ok~visa~4242424242424242~122030~a',
    'tok_4000000000009995',
  ])
    for (const body of [
      { payment_method: number },
      { payment_method: { id: number } },
      { payment_method_id: number },
      { payment_method: 'tok_ok', discountCode: number },
    ]) {
      const no = await refusalOf(s.as(ana, randomUUID()).sales.attempt({ class_package_id: pack.class_package_id, ...body }))
      expect(no.status, JSON.stringify(body)).toBeGreaterThanOrEqual(400)
      expect(no.status).toBeLessThan(500)
      expect(cardNumbersIn(JSON.stringify(no))).toEqual([])
    }
  const lost = await fetch(`${s.url}/api/checkout/attempt`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ana.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ class_package_id: 'x', number: '4242424242424242', card: { number: '5555555555554444', cvc: '123' } }),
  })
  expect(lost.status).toBe(400)
  expect(cardNumbersIn(await lost.text())).toEqual([])
  expect(cardNumbersIn(await dump())).toEqual([])
  expect(cardNumbersIn(logged.join('\n'))).toEqual([])
})
