/**
 * Everything that moves money, at the same time and through two processes (docs/domain.md V*, D*): a renewal against its cancelling, a refund against a
 * dispute, a capture against giving up and the sweeper, two who take the same last thing. Whoever wins, the books are the processor's.
 */
import { afterAll, expect, test } from 'vitest'
import { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { Chance } from '#server/demo/chance.ts'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { makeShop, moneySteps, settleAll } from '#server/testing/money-walk.ts'
import { secondProcess } from '#server/testing/second-process.ts'
import { studio, type TestStudio } from '#server/testing/studio.ts'
import { makeWorld, walk } from '#server/testing/walk.ts'
import { sweep } from './jobs.ts'

const PHASES = 3
const ROUNDS = 6
const AT_ONCE = 8
const SEED = Number(process.env.SEED ?? 7)

const opened: TestStudio[] = []
afterAll(async () => {
  for (const s of opened) await s.close()
})

test('money moved by many at once, through two processes, is counted once', { timeout: 300_000 }, async () => {
  const s = await studio({
    settings: {
      ...{ discounts_enabled: true, cash_checkout_enabled: true, paypal_enabled: true, oxxo_enabled: true, spei_enabled: true },
      ...{ payment_sources_enabled: true, subscription_grace_days: 20 },
    },
  })
  opened.push(s)
  const bank = s.studio.ports.gateways.get('sandbox')
  if (!(bank instanceof Sandbox)) throw new Error('no sandbox')
  bank.held = true
  const world = await makeWorld(s, { people: 4, classes: 1 })
  const shop = await makeShop(s)
  const luck = new Chance(SEED)
  const said = new Set<string>()
  for (let phase = 0; phase < PHASES; phase++) {
    // Its clock stands where ours stands now.
    const other = await secondProcess(s)
    const all = moneySteps(s, world, shop, bank, (person, key) => (luck.happens(0.5) ? s : other).as(person, key))
    for (let round = 0; round < ROUNDS; round++) {
      const done = await Promise.all([
        ...Array.from({ length: AT_ONCE }, () =>
          walk(
            all,
            world,
            luck,
            (person) => (luck.happens(0.5) ? s : other).as(person),
            (one) => !one.clock,
          ),
        ),
        sweep(s.system()),
      ])
      for (const one of done) if (one) said.add(one.said)
      const after = `${phase}.${round}`
      expect({ after, ...(await wrongMoney(s, false)) }).toEqual({ after })
    }
    await other.close()
    s.clock.advance({ days: 11 * phase })
    await settleAll(s, bank)
    expect({ phase, ...(await wrongMoney(s, true)) }).toEqual({ phase })
  }
  expect(said.size).toBeGreaterThan(5)
})
