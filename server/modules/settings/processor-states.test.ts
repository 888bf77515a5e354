/** The state of the processors for the owner: what is configured, what is missing, and whether they answer (G11). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { STRIPE_FAKE_KEY, STRIPE_FAKE_SECRET, StripeFake } from '#server/testing/fakes/stripe.ts'
import { refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let stripe: StripeFake
beforeAll(async () => {
  stripe = await new StripeFake({ now: () => new Date('2026-11-19T16:00:00Z') }).listen()
  s = await studio({
    env: { PAYMENTS: 'stripe', STRIPE_SECRET_KEY: STRIPE_FAKE_KEY, STRIPE_WEBHOOK_SECRET: STRIPE_FAKE_SECRET, STRIPE_API_BASE: stripe.url },
  })
})
afterAll(async () => {
  await s.close()
  await stripe.close()
})

test('says what each has and lacks, and never a key (G11)', async () => {
  const owner = await s.make.staff('owner')
  const answer = await s.as(owner).processorStates.list()
  expect(answer).toMatchObject({ is_sandbox: false, takes_cards: true })
  expect(answer.processors).toEqual([
    {
      processor: 'stripe',
      state: 'partial',
      live: false,
      key_ending: STRIPE_FAKE_KEY.slice(-4),
      missing: ['stripe_public'],
      takes_payments: true,
      webhook_url: 'http://localhost:3000/api/webhooks/stripe',
      keys: [
        { name: 'STRIPE_SECRET_KEY', label: 'Llave secreta', source: 'environment', ending: STRIPE_FAKE_KEY.slice(-4), changed_at: null },
        expect.objectContaining({ name: 'STRIPE_WEBHOOK_SECRET', source: 'environment' }),
      ],
    },
    expect.objectContaining({ processor: 'paypal', state: 'missing', key_ending: null, live: null, takes_payments: false }),
    expect.objectContaining({ processor: 'conekta', state: 'missing', missing: ['CONEKTA_PRIVATE_KEY', 'conekta_public'] }),
  ])
  expect(JSON.stringify(answer)).not.toContain(STRIPE_FAKE_KEY)
  await s.change({ stripe_public: 'pk_test_x' })
  expect((await s.as(owner).processorStates.list()).processors[0]).toMatchObject({ state: 'connected', missing: [] })
  for (const role of ['manager', 'reception', 'coach'] as const)
    expect((await refusalOf(s.as(await s.make.staff(role)).processorStates.list())).code).toBe('FORBIDDEN')
})

test('the connection is tried with the key: accepted, refused, without an answer; without a key there is nothing to try (G11)', async () => {
  const owner = await s.make.staff('owner')
  const check = (processor: 'stripe' | 'paypal') => s.as(owner).processorStates.check({ processor })
  expect(await check('stripe')).toEqual({ ok: true, message: 'Respondió y aceptó la llave.' })
  expect((await refusalOf(check('paypal'))).code).toBe('NOT_FOUND')
  const wrong = await studio({
    env: { PAYMENTS: 'stripe', STRIPE_SECRET_KEY: 'sk_test_otra', STRIPE_WEBHOOK_SECRET: 'whsec_x', STRIPE_API_BASE: stripe.url },
  })
  try {
    const boss = await wrong.make.staff('owner')
    expect(await wrong.as(boss).processorStates.check({ processor: 'stripe' })).toEqual({
      ok: false,
      message: 'Respondió, pero no aceptó la llave.',
    })
  } finally {
    await wrong.close()
  }
})

test('a studio without online payments says so; one with the sandbox that no money moves (G11)', async () => {
  for (const [PAYMENTS, is_sandbox, takes_cards] of [
    ['ninguno', false, false],
    ['sandbox', true, true],
  ] as const) {
    const other = await studio({ env: { PAYMENTS } })
    try {
      const owner = await other.make.staff('owner')
      expect(await other.as(owner).processorStates.list()).toMatchObject({ is_sandbox, takes_cards })
    } finally {
      await other.close()
    }
  }
})
