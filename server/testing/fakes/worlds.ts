/** A gateway with its own database and the fake of its processor, sharing one clock. */

import { ConektaGateway } from '#server/adapters/payments/conekta/conekta.ts'
import { PayPalGateway } from '#server/adapters/payments/paypal/paypal.ts'
import type { Charge, Facts, Instrument, PaymentGateway } from '#server/adapters/payments/port.ts'
import { StripeGateway } from '#server/adapters/payments/stripe/stripe.ts'
import { openDb } from '#server/platform/db.ts'
import { freshDatabase } from '#server/testing/postgres.ts'
import { CONEKTA_FAKE_KEY, ConektaFake } from './conekta.ts'
import type { Fake } from './fake.ts'
import { PAYPAL_FAKE_ID, PAYPAL_FAKE_SECRET, PAYPAL_FAKE_WEBHOOK, PayPalFake } from './paypal.ts'
import { STRIPE_FAKE_KEY, STRIPE_FAKE_SECRET, StripeFake } from './stripe.ts'

export const DAY = 86_400_000
export const buyer = { customer_id: 1, ref: null, email: 'ana@ejemplo.mx', name: 'Ana Treviño', phone: '5512345678' }
export const stranger = { customer_id: 2, ref: null, email: 'luis@ejemplo.mx', name: 'Luis Rey', phone: '5587654321' }
export const token = (text: string): Instrument => ({ by: 'card-token', token: text })

const closers: (() => Promise<unknown>)[] = []

const fakes: Fake[] = []

/** Closes everything that was opened, and fails when a fake got a request that its processor would refuse: for `afterAll`. */
export async function closeWorlds(): Promise<void> {
  for (const close of closers.splice(0)) await close()
  const complaints = fakes.splice(0).flatMap((fake) => fake.complaints)
  if (complaints.length) throw new Error(`The processors were asked what they do not take:\n${complaints.join('\n')}`)
}

async function world() {
  const db = await database()
  let clockTime = new Date('2026-11-19T16:00:00Z')
  let purchases = 100
  return {
    db,
    now: () => new Date(clockTime),
    advance: (ms: number) => {
      clockTime = new Date(clockTime.getTime() + ms)
    },
    /** The next purchase, with a hold of 15 minutes. */
    charge: (instrument: Instrument, more: Partial<Charge> = {}): Charge => ({
      key: { purchase: ++purchases, step: 'pay', n: 1 },
      amount: 145_000,
      currency: 'MXN',
      title: 'Ocho clases',
      buyer,
      instrument,
      expiresAt: new Date(clockTime.getTime() + 900_000),
      returnUrl: 'http://localhost:3000/gracias/1',
      ...more,
    }),
  }
}

/** A migrated, empty database that `closeWorlds` closes. */
export async function database() {
  const db = openDb({ connection: await freshDatabase() })
  closers.push(() => db.close())
  return db
}

async function open<T extends Fake>(fake: T): Promise<T> {
  await fake.listen()
  closers.unshift(() => fake.close())
  fakes.push(fake)
  return fake
}

export async function stripeWorld(timeoutMs = 5_000) {
  const base = await world()
  const fake = await open(new StripeFake({ now: base.now }))
  const deps = {
    db: base.db,
    now: base.now,
    secretKey: STRIPE_FAKE_KEY,
    webhookSecret: STRIPE_FAKE_SECRET,
    apiBase: fake.url,
    timeoutMs,
  }
  return { ...base, fake, deps, gateway: new StripeGateway(deps) }
}

export async function paypalWorld(timeoutMs = 5_000) {
  const base = await world()
  const fake = await open(new PayPalFake({ now: base.now }))
  const deps = {
    db: base.db,
    now: base.now,
    clientId: PAYPAL_FAKE_ID,
    clientSecret: PAYPAL_FAKE_SECRET,
    webhookId: PAYPAL_FAKE_WEBHOOK,
    apiBase: fake.url,
    timeoutMs,
  }
  return { ...base, fake, deps, gateway: new PayPalGateway(deps) }
}

export async function conektaWorld(timeoutMs = 5_000) {
  const base = await world()
  const fake = await open(new ConektaFake({ now: base.now }))
  const deps = { db: base.db, now: base.now, privateKey: CONEKTA_FAKE_KEY, webhookKey: fake.publicKey, apiBase: fake.url, timeoutMs }
  return { ...base, fake, deps, gateway: new ConektaGateway(deps) }
}

/** The facts that a gateway returns for every pending webhook event, in creation order or reversed. */
export async function deliverWebhooks({ gateway, fake }: { gateway: PaymentGateway; fake: Fake }, reversed = false): Promise<Facts[]> {
  const events = await fake.signed()
  if (reversed) events.reverse()
  const out: Facts[] = []
  for (const { headers, body } of events)
    for (const ref of (await gateway.verifyWebhook({ headers, body: Buffer.from(body) })).about) out.push(await gateway.settle(ref))
  return out
}
