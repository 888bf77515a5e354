/**
 * Everything that moves money, at the same time and through two processes (docs/domain.md V*, D*): a renewal against its cancelling, a
 * refund against a dispute, a capture against giving up and the sweeper, two purchases of the last piece. Whichever wins, the books agree
 * with the processor's.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { Chance } from '#server/demo/chance.ts'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { makeWorld, randomWalk } from '#server/testing/random-walk.ts'
import { applyAllProcessorStates, makeShop, moneySteps } from '#server/testing/random-walk-money.ts'
import { secondProcess } from '#server/testing/second-process.ts'
import { studio, type TestStudio } from '#server/testing/studio.ts'
import { reconcile, sweep } from './jobs.ts'

const PHASES = 3
const ROUNDS = 6
const AT_ONCE = 8
const SEED = Number(process.env.SEED ?? 7)

const opened: TestStudio[] = []
afterAll(async () => {
  for (const s of opened) await s.close()
})

// Thousands of requests to two processes, and a second process has to start.
test('concurrent money movements through two processes are counted once', { timeout: 300_000 }, async () => {
  const s = await studio({
    settings: {
      cash_session_required: false,
      discounts_enabled: true,
      cash_checkout_enabled: true,
      paypal_enabled: true,
      oxxo_enabled: true,
      spei_enabled: true,
      payment_sources_enabled: true,
      subscription_grace_days: 20,
    },
  })
  opened.push(s)
  const bank = s.studio.ports.gateways.get('sandbox')
  if (!(bank instanceof Sandbox)) throw new Error('no sandbox')
  bank.held = true
  const world = await makeWorld(s, { people: 4, classes: 1 })
  const shop = await makeShop(s)
  const luck = new Chance(SEED)
  const outcomes = new Set<string>()
  for (let phase = 0; phase < PHASES; phase++) {
    // Its clock is set to ours.
    const other = await secondProcess(s)
    const all = moneySteps(s, world, shop, bank, (person, key) => (luck.happens(0.5) ? s : other).as(person, key))
    for (let round = 0; round < ROUNDS; round++) {
      const done = await Promise.all([
        ...Array.from({ length: AT_ONCE }, () =>
          randomWalk(
            all,
            world,
            luck,
            (person) => (luck.happens(0.5) ? s : other).as(person),
            (step) => !step.clock,
          ),
        ),
        sweep(s.system()),
      ])
      for (const outcome of done) if (outcome) outcomes.add(outcome.outcome)
      const after = `${phase}.${round}`
      expect({ after, ...(await wrongMoney(s, false)) }).toEqual({ after })
    }
    await other.close()
    s.clock.advance({ days: 11 * phase })
    await applyAllProcessorStates(s, bank)
    expect({ phase, ...(await wrongMoney(s, true)) }).toEqual({ phase })
  }
  expect(outcomes.size).toBeGreaterThan(5)
})

test('renewals concurrent with cancelling, pausing, refunding, a dispute and the sweeper: charges match grants', async () => {
  const s = await studio()
  opened.push(s)
  const bank = s.studio.ports.gateways.get('sandbox')
  if (!(bank instanceof Sandbox)) throw new Error('no sandbox')
  bank.held = true
  const [owner, reception] = [await s.make.staff('owner'), await s.make.staff('reception')]
  const { class_package_id } = await s.make.package({
    price_centavos: 145_000,
    is_subscription: true,
    subscription_period: 'month',
    subscription_interval: 1,
  })
  const subs = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const customer = await s.make.customer()
      const { purchase_id } = await s.as(customer, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })
      const [row] = await s.sql<{ ref_id: string; invoice_id: number }>(
        'select ref_id, invoice_id from payment_attempt join invoice using (purchase_id) where purchase_id = $1',
        [purchase_id],
      )
      return { who: customer, purchase_id, ref_id: row?.ref_id ?? '', invoice_id: row?.invoice_id ?? 0 }
    }),
  )
  // November has 30 days: the next charge is due since a minute.
  s.clock.advance({ days: 30, minutes: 1 })
  const other = await secondProcess(s)
  const doors = [s, other] as const
  const tries = await Promise.allSettled([
    ...subs
      .slice(0, 8)
      .map(({ who, purchase_id }, n) => doors[n % 2 === 0 ? 0 : 1].as(who).sales.cancel({ id: purchase_id, reason: 'Me mudo' })),
    ...subs.slice(2, 5).map(({ purchase_id }) => other.as(reception).studioSales.pause({ purchase_id, reason: 'De viaje' })),
    ...subs
      .slice(4, 8)
      .map(({ purchase_id, invoice_id }) => s.as(owner, randomUUID()).studioSales.refund({ purchase_id, invoice_id, reason: 'Lo pidió' })),
    ...subs.slice(6, 10).map(({ ref_id }) => bank.dispute(ref_id, 'open')),
    bank.tick(),
    sweep(s.system()),
    reconcile(s.system()),
  ])
  expect(tries.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(10)
  expect(await wrongMoney(s, false)).toEqual({})
  await other.close()
  await applyAllProcessorStates(s, bank)
  expect(await wrongMoney(s, true)).toEqual({})
  for (const { purchase_id } of subs) {
    const charges = (await bank.ledger(purchase_id)).filter(({ kind }) => kind === 'charge').length
    const creditLots = await s.sql('select period from available_class where purchase_id = $1', [purchase_id])
    expect({ purchase_id, lots: creditLots.length }).toEqual({ purchase_id, lots: charges })
  }
  // A cancelled subscription is not charged again.
  const before = (await bank.ledger()).length
  s.clock.advance({ days: 45 })
  await applyAllProcessorStates(s, bank)
  const cancelled = new Set(subs.slice(0, 8).map((sub) => sub.ref_id))
  expect((await bank.ledger()).slice(before).filter((entry) => entry.kind === 'charge' && cancelled.has(entry.object))).toEqual([])
})
