/**
 * A studio's money through a thousand things in any order (docs/domain.md V*, D*, C20 to C22): the books equal what the processor and the
 * till took, nothing is granted without a payment or an act of staff, and no sum includes a missing row.
 */
import { afterAll, expect, test } from 'vitest'
import { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { Chance } from '#server/demo/chance.ts'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { makeWorld, randomWalk, steps } from '#server/testing/random-walk.ts'
import { applyAllProcessorStates, makeShop, moneySteps } from '#server/testing/random-walk-money.ts'
import { studio, type TestStudio } from '#server/testing/studio.ts'

const STEPS = 480
const SEED = Number(process.env.SEED ?? 1)

/** What else happens to what was bought. */
const LIFE = [
  'reserve',
  'cancel',
  'bring a guest',
  'join',
  'cancel the class',
  'restore the class',
  'who came',
  'more credits',
  'credits rest, work again, or are fewer',
  'hours pass',
  'the jobs run',
  'a new class',
]

const opened: TestStudio[] = []
afterAll(async () => {
  for (const s of opened) await s.close()
})

// Each step is a request, after which all invariants are read again.
test(`${STEPS} random money steps keep every invariant`, { timeout: 300_000 }, async () => {
  const s = await studio({
    settings: {
      cash_session_required: false,
      discounts_enabled: true,
      cash_checkout_enabled: true,
      paypal_enabled: true,
      oxxo_enabled: true,
      spei_enabled: true,
      payment_sources_enabled: true,
      waitlist_enabled: true,
      allow_class_guests: true,
      subscription_grace_days: 20,
    },
  })
  opened.push(s)
  const bank = s.studio.ports.gateways.get('sandbox')
  if (!(bank instanceof Sandbox)) throw new Error('no sandbox')
  bank.held = true
  bank.slowMs = 5
  const world = await makeWorld(s, { people: 9, classes: 4 })
  const shop = await makeShop(s)
  const lived = Object.entries(steps(s, world)).filter(([name]) => LIFE.includes(name))
  const all = { ...Object.fromEntries(lived), ...moneySteps(s, world, shop, bank) }
  const luck = new Chance(SEED)
  const counts = new Map<string, number>()
  for (let n = 0; n < STEPS; n++) {
    const { name, outcome } = await randomWalk(all, world, luck, (person) => s.as(person))
    counts.set(`${name}: ${outcome}`, (counts.get(`${name}: ${outcome}`) ?? 0) + 1)
    const after = `${n} ${name} ${outcome}`
    if (n % 3 === 0) expect({ after, ...(await wrongMoney(s, false)) }).toEqual({ after })
    if (n % 120 !== 119) continue
    await applyAllProcessorStates(s, bank)
    expect({ n, ...(await wrongMoney(s, true)) }).toEqual({ n })
  }
  expect(s.logged.filter((line) => line.includes('"level":60'))).toEqual([])
  // A walk in which things never succeed proves nothing about them.
  const never = Object.keys(moneySteps(s, world, shop, bank)).filter((name) => !counts.has(`${name}: ok`))
  expect(never.length, never.join(', ')).toBeLessThanOrEqual(2)
})
