/** A renewal with a bank challenge (SCA; docs/domain.md V33): the customer has to confirm it. One invoice is one charge. */
import { afterAll, expect, test } from 'vitest'
import type { Facts, Ref } from '#server/adapters/payments/port.ts'
import { buyer, closeWorlds, DAY, deliverWebhooks, stripeWorld, token } from '#server/testing/fakes/worlds.ts'

afterAll(closeWorlds)

const monthly = { every: { unit: 'month', count: 1 } as const, amount: 145_000 }
const secretOf = (facts: Facts) => (facts.next?.do === 'confirm' ? facts.next.clientSecret : '')

/** A subscription whose renewal the bank does not let pass without its customer. */
async function overdue() {
  const world = await stripeWorld()
  const { gateway, fake, advance, charge } = world
  const input = charge(token('pm_card_authenticationRequired'), { amount: 145_000 })
  const begun = await gateway.start(input, monthly)
  fake.books.authenticate(secretOf(begun), true)
  expect((await gateway.settle(begun.ref)).state).toBe('paid')
  advance(32 * DAY)
  fake.tick()
  return { ...world, ref: begun.ref, purchase: input.key.purchase }
}
const pay = async (gateway: Awaited<ReturnType<typeof overdue>>['gateway'], ref: Ref) => gateway.payOverdue(ref)

test('an overdue renewal waits for its customer, is confirmed with the bank and paid once; events name it', async () => {
  const world = await overdue()
  const { gateway, fake, ref, purchase } = world
  const facts = await gateway.settle(ref)
  expect(facts).toMatchObject({ state: 'past_due', next: { do: 'confirm', intent: 'payment' }, payments: [{ amount: 145_000 }] })
  expect((await deliverWebhooks(world)).at(-1)).toMatchObject({ ref, state: 'past_due' })
  expect(fake.books.events.map(({ type }) => type)).toContain('invoice.payment_action_required')
  // Asked for again it is the same question about the same charge.
  expect(secretOf(await pay(gateway, ref))).toBe(secretOf(facts))
  expect(fake.countOf('POST /v1/invoices')).toBe(0)
  fake.books.authenticate(secretOf(facts), true)
  expect(await pay(gateway, ref)).toMatchObject({ state: 'paid', next: null, payments: [{ amount: 145_000 }, { amount: 145_000 }] })
  expect(await pay(gateway, ref)).toMatchObject({ state: 'paid' })
  expect(fake.movements(purchase)).toEqual(['charge 145000', 'charge 145000'])
})

test('declining the challenge leaves it overdue; a retry opens a new challenge', async () => {
  const { gateway, fake, ref, purchase } = await overdue()
  fake.books.authenticate(secretOf(await gateway.settle(ref)), false)
  expect(await gateway.settle(ref)).toMatchObject({ state: 'past_due', next: null })
  const again = await pay(gateway, ref)
  expect(again).toMatchObject({ state: 'past_due', next: { do: 'confirm' } })
  fake.books.authenticate(secretOf(again), true)
  expect((await gateway.settle(ref)).state).toBe('paid')
  expect(fake.movements(purchase)).toEqual(['charge 145000', 'charge 145000'])
})

test('a new card with a challenge is confirmed for the same invoice; one without pays at once', async () => {
  for (const [card, needsChallenge] of [
    ['pm_card_authenticationRequired', true],
    ['pm_card_mastercard', false],
  ] as const) {
    const { gateway, fake, ref, purchase } = await overdue()
    const begun = await gateway.cards.begin(buyer, card)
    if (begun.next?.do === 'confirm') fake.books.authenticate(begun.next.clientSecret, true)
    const changed = await gateway.changeCard(ref, await gateway.cards.finish(buyer, begun.setup))
    expect(changed.why).toBeUndefined()
    expect(changed).toMatchObject(needsChallenge ? { state: 'past_due', next: { do: 'confirm' } } : { state: 'paid', next: null })
    if (needsChallenge) fake.books.authenticate(secretOf(changed), true)
    expect((await gateway.settle(ref)).state).toBe('paid')
    expect(fake.movements(purchase)).toEqual(['charge 145000', 'charge 145000'])
  }
})

test('an unconfirmed renewal ends like any unpaid one, and its challenge is void', async () => {
  const { gateway, fake, ref, purchase, advance } = await overdue()
  const secret = secretOf(await gateway.settle(ref))
  advance(10 * DAY)
  fake.tick()
  expect((await gateway.settle(ref)).state).toBe('ended')
  fake.books.authenticate(secret, true)
  expect(fake.movements(purchase)).toEqual(['charge 145000'])
})
