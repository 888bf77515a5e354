/** Subscriptions in tests: monthly packages, and customers who pay one with a saved card. */
import { randomUUID } from 'node:crypto'
import type { TestStudio } from './studio.ts'

/** A package that renews every month. */
export async function monthlyPackage(s: TestStudio, values: Parameters<TestStudio['make']['package']>[0]): Promise<number> {
  const terms = { is_subscription: true, subscription_period: 'month', subscription_interval: 1, expiration_days: 30 } as const
  return (await s.make.package({ ...terms, ...values })).class_package_id
}

/** A customer with a saved card of the sandbox that no other one has. */
export async function cardHolder(s: TestStudio) {
  const customer = await s.make.customer()
  const [{ n } = { n: 0 }] = await s.sql<{ n: number }>('select count(*)::int as n from sandbox_card')
  const last4 = String(1_001 + n)
  const { payment_source } = await s.as(customer).cards.keep({ token_id: `tok_ok~visa~${last4}~122030~k` })
  return { who: customer, payment_source_id: payment_source?.payment_source_id ?? 0, last4 }
}

/** A customer with a saved card that pays a subscription. */
export async function subscriber(s: TestStudio, class_package_id: number) {
  const { who, payment_source_id, last4 } = await cardHolder(s)
  const { purchase_id } = await s.as(who, randomUUID()).sales.attempt({ class_package_id, payment_source_id })
  return { who, purchase_id, payment_source_id, last4 }
}

/** What the bank answers to the next charges of a card. */
export const setCardBehaviour = (s: TestStudio, last4: string, behaviour: string) =>
  s.sql(`update sandbox_card set card = jsonb_set(card, '{behaviour}', to_jsonb($1::text)) where card->>'last4' = $2`, [behaviour, last4])
