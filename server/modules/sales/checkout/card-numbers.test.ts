/** A card's number never reaches the studio, and one that is sent nevertheless is stored nowhere (docs/domain.md V19, settled 13). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasCardNumber } from '#contract/card-number.ts'
import { TEST_NUMBERS } from '#server/adapters/payments/sandbox/cards.ts'
import { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { reconcile, salesJobs, sweep } from '#server/modules/sales/jobs.ts'
import { openLog } from '#server/platform/log.ts'
import { cardNumbersIn } from '#server/testing/card-numbers.ts'
import { CONEKTA_FAKE_KEY, ConektaFake, conektaToken } from '#server/testing/fakes/conekta.ts'
import type { Fake } from '#server/testing/fakes/fake.ts'
import { PAYPAL_FAKE_ID, PAYPAL_FAKE_SECRET, PAYPAL_FAKE_WEBHOOK, PayPalFake } from '#server/testing/fakes/paypal.ts'
import { STRIPE_FAKE_KEY, STRIPE_FAKE_SECRET, StripeFake } from '#server/testing/fakes/stripe.ts'
import { newRun } from '#server/testing/run.ts'
import { refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

const logged: string[] = []
let s: TestStudio
beforeAll(async () => {
  s = await studio({ log: openLog('debug', (line) => void logged.push(line)), settings: { cash_checkout_enabled: true } })
  await s.make.paymentMethod({ payment_method_id: 2, name: 'Efectivo' })
})
afterAll(() => s.close())

/** Every row of every table, as text. */
async function dump(of = s): Promise<string> {
  const tables = await of.sql<{ name: string }>(
    `select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  const rows = await Promise.all(tables.map(({ name }) => of.sql<{ row: string }>(`select t::text as row from ${name} t`)))
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n')
}

test('the scan detects card numbers', () => {
  for (const { groups } of TEST_NUMBERS) {
    expect(cardNumbersIn(`{"number":"${groups.join('')}"}`)).toHaveLength(1)
    expect(cardNumbersIn(`pagó con ${groups.join(' ')} hoy`)).toHaveLength(1)
    expect(cardNumbersIn(groups.join('-'))).toHaveLength(1)
    // The check of incoming requests detects them too.
    for (const between of ['', ' ', '-']) expect(hasCardNumber(`tok_${groups.join(between)}`)).toBe(true)
  }
  for (const fine of [
    '4242',
    '5512345678',
    '1795227130236',
    '4242424242424241',
    '2026-11-19 16:00:00.123456',
    'c1d85605-3628-4011-8681-0f33a17b5e02',
    'tok_ok~visa~4242~122030~a',
  ])
    expect({ fine, scan: cardNumbersIn(fine), door: hasCardNumber(fine) }).toEqual({ fine, scan: [], door: false })
})

test('a full life of purchases leaves no card number in the database or the log', async () => {
  const bank = s.studio.ports.gateways.get('sandbox')
  if (!(bank instanceof Sandbox)) throw new Error('no sandbox')
  const [ana, classPackage] = [await s.make.customer(), await s.make.package()]
  const input = { class_package_id: classPackage.class_package_id }
  for (const { brand, groups, behaviour } of TEST_NUMBERS) {
    const token = `tok_${behaviour}~${brand}~${groups.join('').slice(-4)}~122030~${randomUUID().slice(0, 8)}`
    const call = s.as(ana, randomUUID()).sales.attempt({ ...input, payment_method: token, save_card: true, again: true })
    await call.catch(() => refusalOf(call))
  }
  const { class_package_id } = await s.make.package()
  await s.as(ana, randomUUID()).sales.checkout({ class_package_id, payment_method_id: 2 })
  const saveCardJob = salesJobs.find((job) => job.name === 'sales.keep-card')
  for (const { payment_id } of await s.sql<{ payment_id: number }>(`select payment_id from payment_attempt where state = 'paid'`))
    await saveCardJob?.work(s.system('sales.keep-card'), { payment_id }, newRun())
  await bank.tick()
  s.clock.advance({ minutes: 3 })
  await sweep(s.system())
  const everything = await dump()
  expect(everything).toContain('terminada en 4242')
  expect(cardNumbersIn(everything)).toEqual([])
  expect(cardNumbersIn(logged.join('\n'))).toEqual([])
})

test('a card number sent as a token is refused and stored nowhere', async () => {
  const [ana, classPackage] = [await s.make.customer(), await s.make.package()]
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
      const no = await refusalOf(s.as(ana, randomUUID()).sales.attempt({ class_package_id: classPackage.class_package_id, ...body }))
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

/** The processors, each with its own fake: requests to them are scanned too. */
const PROCESSORS: {
  name: string
  open(now: () => Date): Fake
  env(fake: Fake): Record<string, string>
  cards: { good: string; challenges: string; poor: string }
}[] = [
  {
    name: 'stripe',
    open: (now) => new StripeFake({ now }),
    env: ({ url }) => ({
      PAYMENTS: 'stripe',
      STRIPE_SECRET_KEY: STRIPE_FAKE_KEY,
      STRIPE_WEBHOOK_SECRET: STRIPE_FAKE_SECRET,
      STRIPE_API_BASE: url,
    }),
    cards: { good: 'pm_card_visa', challenges: 'pm_card_threeDSecure2Required', poor: 'pm_card_chargeDeclinedInsufficientFunds' },
  },
  {
    name: 'conekta',
    open: (now) => new ConektaFake({ now }),
    env: ({ url }) => ({ PAYMENTS: 'conekta', CONEKTA_PRIVATE_KEY: CONEKTA_FAKE_KEY, CONEKTA_API_BASE: url }),
    cards: {
      get good() {
        return conektaToken('visa')
      },
      get challenges() {
        return conektaToken('3ds')
      },
      get poor() {
        return conektaToken('insufficient_funds')
      },
    },
  },
]

describe.each(PROCESSORS)('with $name and PayPal', (processor) => {
  test('no flow sends, logs or stores a card number; one that is sent is refused before any processor', async () => {
    const lines: string[] = []
    let clock = () => new Date('2026-11-19T16:00:00Z')
    const [fake, wallet] = [await processor.open(() => clock()).listen(), await new PayPalFake({ now: () => clock() }).listen()]
    const on = await studio({
      log: openLog('debug', (line) => void lines.push(line)),
      settings: { paypal_enabled: true, oxxo_enabled: true, spei_enabled: true },
      env: {
        ...processor.env(fake),
        PAYPAL_CLIENT_ID: PAYPAL_FAKE_ID,
        PAYPAL_CLIENT_SECRET: PAYPAL_FAKE_SECRET,
        PAYPAL_WEBHOOK_ID: PAYPAL_FAKE_WEBHOOK,
        PAYPAL_API_BASE: wallet.url,
      },
    })
    clock = on.clock.now
    const [ana, classPackage] = [await on.make.customer(), await on.make.package()]
    const sub = await on.make.package({ is_subscription: true, subscription_period: 'month', subscription_interval: 1 })
    const { class_package_id } = classPackage
    const { cards } = processor
    const attempt = (more: object, of = class_package_id) =>
      on.as(ana, randomUUID()).sales.attempt({ class_package_id: of, again: true, ...more })

    await attempt({ payment_method: cards.good, save_card: true })
    await attempt({ payment_method: cards.challenges })
    await refusalOf(attempt({ payment_method: cards.poor }))
    for (const kind of ['oxxo', 'spei']) await attempt({ payment_method: kind })
    await attempt({ payment_method: cards.good }, sub.class_package_id)
    const { payment_source } = await on.as(ana).cards.keep({ token_id: cards.good })
    await on.as(ana).cards.saveMetodo({ token_id: cards.good })
    await attempt({ payment_source_id: payment_source?.payment_source_id })
    const { orderID } = await on.as(ana, randomUUID()).checkout.paypal({ class_package_id, again: true })
    wallet.books.approve(orderID ?? '')
    const { purchase_id } = await on.as(ana).checkout.capture({ orderID })
    await on.as(await on.make.staff('owner')).studioSales.refund({ purchase_id, reason: 'Prueba', by_hand: false })
    for (const { payment_source_id } of (await on.as(ana).sales.cards()).payment_sources)
      await on.as(ana).cards.remove({ id: payment_source_id })
    on.clock.advance({ days: 32 })
    await sweep(on.system())
    await reconcile(on.system())

    const link = 'un-enlace.cualquiera'
    const sent = fake.requests.length + wallet.requests.length
    expect(sent).toBeGreaterThan(30)
    for (const { groups } of TEST_NUMBERS) {
      const number = groups.join('')
      for (const call of [
        () => attempt({ payment_method: number }),
        () => attempt({ payment_method: { id: groups.join(' ') } }),
        () => attempt({ payment_method: Number(number) }),
        () => on.as(ana).sales.checkout({ class_package_id, token_id: `tok_${number}` }),
        () => on.as(ana).cards.keep({ token_id: number }),
        () => on.as(ana).cards.keep({ source_id: groups.join('-') }),
        () => on.as(ana).cards.saveMetodo({ token_id: number }),
        () => on.as(ana).checkout.capture({ orderID: number }),
        () => on.as(null).cardLinks.change({ token: link, token_id: number }),
        () => on.as(null).cardLinks.change({ token: link, setup_id: groups.join(' ') }),
      ])
        expect((await refusalOf(call())).code).toBe('INVALID_INPUT')
    }
    expect(fake.requests.length + wallet.requests.length).toBe(sent)

    const traffic = [...fake.requests, ...wallet.requests].map(
      ({ path, query, raw, headers }) => `${path}?${query} ${raw} ${JSON.stringify(headers)}`,
    )
    const everything = await dump(on)
    expect(everything).toContain('terminada en ')
    for (const text of [traffic.join('\n'), everything, lines.join('\n')]) expect(cardNumbersIn(text)).toEqual([])
    await on.close()
    await fake.close()
    await wallet.close()
    expect([...fake.complaints, ...wallet.complaints]).toEqual([])
  })
})
