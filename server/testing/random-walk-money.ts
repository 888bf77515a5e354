/**
 * Random steps for a studio's money, reproducible by seed: customers buy by all methods, abandon, answer challenges and cancel; staff
 * refund, grant and revoke access; banks and the processor's panel refund and dispute; webhook events are lost, late or repeated;
 * days pass.
 */
import { randomUUID } from 'node:crypto'
import type { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { resumeRefunds } from '#server/modules/sales/aftersales/refunds.ts'
import { handleEvent, reconcile, sweep } from '#server/modules/sales/jobs.ts'
import { Skipped, type steps, type World } from './random-walk.ts'
import type { Client, Person, TestStudio } from './studio.ts'
import { doJobs } from './work.ts'

export interface Shop {
  owner: Person
  packages: number[]
  codes: string[]
  /** Codes of gift cards. */
  giftCards: string[]
}

/** Packages that run out, renew, begin with a trial, cost nothing, or start their clock later; and codes with few uses. */
export async function makeShop(s: TestStudio): Promise<Shop> {
  const monthly = { is_subscription: true, subscription_period: 'month', subscription_interval: 1, expiration_days: 31 } as const
  const packages = [
    await s.make.package(),
    await s.make.package({ capacity: 4 }),
    await s.make.package({ limit_per_customer: 1, price_centavos: 35_000 }),
    await s.make.package({ clock_starts: 'first_class', sale_price_centavos: 99_900 }),
    await s.make.package({ price_centavos: 0, limit_per_customer: 1, class_amount: 1 }),
    await s.make.package(monthly),
    await s.make.package({ ...monthly, class_amount: -1, capacity: 5 }),
    await s.make.package({ ...monthly, free_trial_length: 7, free_trial_period: 'day', limit_per_customer: 1 }),
  ]
  const codes = [
    await s.make.discount({ max_uses: 6 }),
    await s.make.discount({ max_uses_per_customer: 1, first_invoice_only: true }),
    await s.make.discount({ amount: 50_000, is_percent: false }),
    await s.make.discount({ amount: 10_000, max_uses: 2 }),
  ]
  const owner = await s.make.staff('owner')
  const { location_id } = await s.make.location()
  const { payment_method_id } = await s.make.paymentMethod({ name: 'Efectivo' })
  const { sale } = await s.as(owner, randomUUID()).counterSales.sell({
    customer_id: null,
    location_id,
    lines: [{ kind: 'gift_card', amount: '9000', quantity: 3 }],
    shown: { total: '27000' },
    payments: [{ payment_method_id, amount: '27000' }],
  })
  return {
    owner,
    giftCards: sale.lines.flatMap(({ gift_card }) => gift_card?.code ?? []),
    packages: packages.map((classPackage) => classPackage.class_package_id),
    codes: codes.map((code) => code.code),
  }
}

const CARDS = [
  'tok_ok',
  'tok_ok',
  'tok_ok',
  'tok_funds',
  'tok_3ds',
  'tok_async',
  'tok_timeout_paid',
  'tok_timeout_unpaid',
  'tok_renew_fail',
]

/** Processes all pending events and due jobs. */
export async function applyAllProcessorStates(s: TestStudio, bank: Sandbox): Promise<void> {
  for (let round = 0; round < 3; round++) {
    s.clock.advance({ minutes: 3 })
    bank.held = false
    await bank.tick()
    bank.held = true
    await handleWebhookEvents(s)
    await sweep(s.system())
    await resumeRefunds(s.system(), 100)
    await doJobs(s)
    await reconcile(s.system())
  }
}

async function handleWebhookEvents(s: TestStudio): Promise<void> {
  const events = await s.sql<{ id: number }>(
    'select provider_event_id as id from provider_event where "doneAt" is null order by md5(event_id)',
  )
  for (const { id } of events) await handleEvent(s.system(), id)
}

/** The possible steps and their relative frequency. */
export function moneySteps(
  s: TestStudio,
  world: World,
  shop: Shop,
  bank: Sandbox,
  /** The client of a person: at one process or the other. */
  at: (person: Person, key?: string) => Client = s.as,
): ReturnType<typeof steps> {
  const rows = <R extends object>(text: string, values: unknown[] = []) => s.sql<R>(text, values)
  const need = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Skipped()
    return value
  }
  const lastKey = new Map<number, string>()
  /** Usually a new visit; sometimes the previous one again. */
  const keyOf = (person: Person, roll: () => number) => {
    const key = roll() < 0.2 ? (lastKey.get(person.customer_id) ?? randomUUID()) : randomUUID()
    lastKey.set(person.customer_id, key)
    return key
  }
  const what = (pick: <T>(from: readonly T[]) => T | undefined, roll: () => number) => ({
    class_package_id: need(pick(shop.packages)),
    discountCode: roll() < 0.35 ? need(pick(shop.codes)) : null,
  })
  const refs = (where: string) =>
    rows<{ id: string; customer_id: number }>(
      `select a.ref_id as id, p.customer_id from payment_attempt a join purchase p using (purchase_id) where a.ref_id is not null and ${where}`,
    )
  const byId = (customer_id: number) => need(world.people.find((person) => person.customer_id === customer_id))
  const sales = (where: string) =>
    rows<{ id: number; customer_id: number }>(`select purchase_id as id, customer_id from purchase where ${where}`)
  const charges = (where = 'true') =>
    rows<{ invoice_id: number; purchase_id: number; left: number }>(
      `select invoice_id, purchase_id, total_centavos - refunded_centavos as left from invoice where total_centavos > refunded_centavos and ${where}`,
    )
  const pesos = (centavos: number) => (centavos / 100).toFixed(2)
  return {
    'buys by card': {
      weight: 60,
      step: ({ person, pick, roll }) =>
        at(person, keyOf(person, roll)).sales.attempt({ ...what(pick, roll), payment_method: need(pick(CARDS)), save_card: roll() < 0.3 }),
    },
    'keeps a card': { weight: 5, step: ({ as, person }) => as(person).cards.keep({ token_id: 'tok_ok' }) },
    'buys with a saved card': {
      weight: 8,
      step: async ({ as, person, pick, roll }) => {
        const { payment_sources } = await as(person).sales.cards()
        return s
          .as(person, keyOf(person, roll))
          .sales.attempt({ ...what(pick, roll), payment_source_id: need(pick(payment_sources)).payment_source_id })
      },
    },
    'buys with a gift card': {
      weight: 16,
      step: async ({ as, person, pick, roll }) => {
        const class_package_id = need(pick(shop.packages))
        const code = need(pick(shop.giftCards))
        const { balance } = await as(person).checkout.giftCard({ code, class_package_id })
        const { class_package } = await as(person).catalogue.package({ class_package_id })
        const amount = Math.min(Number(balance), Number(class_package.sale_price ?? class_package.price)).toFixed(2)
        const input = { class_package_id, gift_card: { code, amount } }
        const on = at(person, keyOf(person, roll))
        const method = need(pick(['card', 'card', 'oxxo', 'cash', 'wallet']))
        if (method === 'cash') return on.sales.checkout({ ...input, payment_method_id: null })
        if (method === 'wallet') return on.checkout.paypal(input)
        return on.sales.attempt({ ...input, payment_method: method === 'oxxo' ? 'oxxo' : need(pick(CARDS)) })
      },
    },
    'buys with a voucher': {
      weight: 10,
      step: ({ person, pick, roll }) =>
        at(person, keyOf(person, roll)).sales.attempt({ ...what(pick, roll), payment_method: roll() < 0.5 ? 'oxxo' : 'spei' }),
    },
    'buys in cash or for nothing': {
      weight: 18,
      step: ({ person, pick, roll }) => at(person, keyOf(person, roll)).sales.checkout({ ...what(pick, roll), payment_method_id: null }),
    },
    'buys in the wallet': {
      weight: 14,
      step: ({ person, pick, roll }) => at(person, keyOf(person, roll)).checkout.paypal(what(pick, roll)),
    },
    'approves in the wallet': {
      weight: 12,
      step: async ({ pick, roll }) =>
        bank.approve(need(pick(await refs(`a.instrument->>'by' = 'wallet' and a.state in ('waiting', 'refused')`))).id, roll() < 0.9),
    },
    'captures what was approved': {
      weight: 12,
      step: async ({ as, person, pick, roll }) => {
        const { orderID, subscriptionID } = await at(person, keyOf(person, roll)).checkout.paypal(what(pick, roll))
        await bank.approve(need(orderID ?? subscriptionID ?? undefined), true)
        return as(person).checkout.capture({ orderID, subscriptionID })
      },
    },
    'captures what may not be approved': {
      weight: 6,
      step: async ({ as, person, pick }) => {
        const { id, customer_id } = need(pick(await refs(`a.instrument->>'by' = 'wallet'`)))
        const input = id.startsWith('sub_') ? { subscriptionID: id } : { orderID: id }
        // Any customer may try; only the owner succeeds.
        await as(person)
          .checkout.capture(input)
          .catch(() => {})
        return as(byId(customer_id)).sales.list()
      },
    },
    'answers the bank': {
      weight: 14,
      step: async ({ person, pick, roll }) => {
        const { clientSecret } = await at(person, keyOf(person, roll)).sales.attempt({ ...what(pick, roll), payment_method: 'tok_3ds' })
        return bank.authorize(need(clientSecret?.split('_secret_')[0]), roll() < 0.7)
      },
    },
    'pays at the shop': {
      weight: 10,
      step: async ({ pick }) => bank.payVoucher(need(pick(await refs(`a.voucher is not null and a.gateway = 'sandbox'`))).id),
    },
    'is paid at the counter': {
      weight: 12,
      step: async ({ as, pick }) =>
        as(world.manager).sales.markPaid({ purchase_id: need(pick(await sales(`gateway = 'efectivo' and status <> 'completed'`))).id }),
    },
    'gives up': {
      weight: 8,
      step: async ({ as, pick }) => {
        const { id, customer_id } = need(pick(await sales(`status = 'pending'`)))
        return as(byId(customer_id)).sales.giveUp({ purchase_id: id })
      },
    },
    'looks at a purchase': {
      weight: 10,
      step: async ({ as, pick }) => {
        const { id, customer_id } = need(pick(await sales('true')))
        return as(byId(customer_id)).sales.one({ id })
      },
    },
    'the owner gives money back': {
      weight: 14,
      step: async ({ pick, roll }) => {
        const { invoice_id, purchase_id, left } = need(pick(await charges()))
        return at(shop.owner, randomUUID()).studioSales.refund({
          purchase_id,
          invoice_id,
          reason: 'Lo pidió',
          by_hand: roll() < 0.3,
          cancel_subscription: roll() < 0.3,
          ...(roll() < 0.5 ? { amount: pesos(Math.max(1, Math.floor(left * roll()))) } : {}),
        })
      },
    },
    'the panel gives money back': {
      weight: 4,
      step: async ({ pick, roll }) => {
        const { id } = need(pick(await refs(`a.gateway = 'sandbox' and a.state in ('paid', 'ended')`)))
        const fact = need(
          (await bank.settle(bank.refOf(id))).payments.find((payment) => payment.refunded < payment.amount && !payment.disputed),
        )
        const amount = roll() < 0.5 ? fact.amount - fact.refunded : Math.ceil((fact.amount - fact.refunded) / 3)
        return bank.refund(bank.refOf(id), fact.id, amount, { purchase: 1, step: `panel-${randomUUID()}`, n: 1 })
      },
    },
    'a refund does not arrive': {
      weight: 4,
      step: async ({ pick }) =>
        bank.failRefund(
          need(
            pick(
              await refs(
                `a.gateway = 'sandbox' and exists (select 1 from sandbox_ledger l where l.object = a.ref_id and l.kind = 'refund' and l."failedAt" is null)`,
              ),
            ),
          ).id,
        ),
    },
    'a bank asks for money': {
      weight: 5,
      step: async ({ pick, roll }) => {
        const open = `select object, amount from sandbox_ledger where kind = 'charge' and disputed is null`
        const { object, amount } = need(pick(await rows<{ object: string; amount: number }>(open)))
        return bank.dispute(object, 'open', roll() < 0.5 ? undefined : 1 + Math.floor(roll() * amount))
      },
    },
    'a bank decides': {
      weight: 6,
      step: async ({ pick, roll }) =>
        bank.dispute(
          need(pick(await rows<{ object: string }>(`select object from sandbox_ledger where disputed = 'open'`))).object,
          roll() < 0.5 ? 'won' : 'lost',
        ),
    },
    'cancels a subscription': {
      weight: 5,
      step: async ({ as, pick }) => {
        const { id, customer_id } = need(pick(await sales(`is_subscription and status in ('active', 'pending')`)))
        return as(byId(customer_id)).sales.cancel({ id, reason: 'Me mudo' })
      },
    },
    'a subscription rests or goes on': {
      weight: 6,
      step: async ({ as, pick, roll }) => {
        const input = { purchase_id: need(pick(await sales(`is_subscription and status = 'active'`))).id, reason: 'De viaje' }
        return roll() < 0.5 ? as(world.manager).studioSales.pause(input) : as(world.manager).studioSales.resume(input)
      },
    },
    'another card for a subscription': {
      weight: 5,
      step: async ({ as, pick }) => {
        const { id, customer_id } = need(pick(await sales(`is_subscription and status = 'active'`)))
        const { payment_source } = await as(byId(customer_id)).cards.keep({ token_id: 'tok_ok' })
        return as(byId(customer_id)).cardLinks.own({ id, payment_source_id: need(payment_source?.payment_source_id) })
      },
    },
    'access is given': {
      weight: 8,
      step: ({ person, pick, roll }) =>
        at(world.manager, randomUUID()).studioSales.giveAccess({
          customer_id: person.customer_id,
          class_package_id: need(pick(shop.packages)),
          is_gift: roll() < 0.4,
          bill: roll() < 0.7,
          ...(roll() < 0.3 ? { package_days: 10 } : {}),
        }),
    },
    'access is taken': {
      weight: 5,
      step: async ({ as, pick, roll }) => {
        const open = await sales(roll() < 0.8 ? `status in ('completed', 'active', 'cancelled')` : 'true')
        return as(world.manager).studioSales.revokeAccess({ purchase_id: need(pick(open)).id, reason: 'Por error' })
      },
    },
    'classes are subtracted': {
      weight: 5,
      step: ({ person, roll }) =>
        at(world.manager, randomUUID()).studioSales.removeClasses({ customer_id: person.customer_id, amount: 1 + Math.floor(roll() * 3) }),
    },
    'the owner changes a limit or a price': {
      weight: 4,
      step: ({ as, pick, roll }) =>
        as(shop.owner).studioPackages.update({
          class_package_id: need(shop.packages[0]),
          price: need(pick(['2190.00', '1990.00', '2390.50'])),
          ...(roll() < 0.3 ? { limit_per_customer: 3 } : {}),
        }),
    },
    'notices arrive': {
      weight: 14,
      clock: true,
      step: async () => {
        bank.held = false
        await bank.tick()
        bank.held = true
        await handleWebhookEvents(s)
      },
    },
    'a minute’s mending': { weight: 10, clock: true, step: () => sweep(s.system()) },
    'the jobs of sales run': { weight: 10, clock: true, step: () => doJobs(s) },
    'the books are compared': { weight: 3, clock: true, step: () => reconcile(s.system()) },
    'a quarter of an hour passes': { weight: 6, clock: true, step: async () => s.clock.advance({ minutes: 16 }) },
    'days pass': {
      weight: 6,
      clock: true,
      step: async ({ roll }) => {
        s.clock.advance({ days: 1 + Math.floor(roll() * 9) })
        await bank.tick()
      },
    },
  }
}
