/** What the sandbox looks up by the studio's keys: its customers, and the payment or subscription that a request has made. */
import { eq, sql } from 'drizzle-orm'
import { type Buyer, PaymentError } from '#server/adapters/payments/port.ts'
import { type Db, prepared, type Reader, type Tx } from '#server/platform/db.ts'
import { newId } from './payments.ts'
import { sandboxCustomer, sandboxPayment, sandboxSubscription } from './tables.ts'

const customerOf = prepared('sandbox.customerOf', (on: Reader) =>
  on
    .select({ id: sandboxCustomer.id })
    .from(sandboxCustomer)
    .where(eq(sandboxCustomer.customer_id, sql.placeholder('customer_id'))),
)
export const paymentOfKey = prepared('sandbox.paymentOfKey', (on: Reader) =>
  on
    .select({ id: sandboxPayment.id })
    .from(sandboxPayment)
    .where(eq(sandboxPayment.key, sql.placeholder('key'))),
)
export const subscriptionOfKey = prepared('sandbox.subscriptionOfKey', (on: Reader) =>
  on
    .select({ id: sandboxSubscription.id })
    .from(sandboxSubscription)
    .where(eq(sandboxSubscription.key, sql.placeholder('key'))),
)

/** Throws when a request with the same key and another content was made before. */
export async function assertSameRequest(on: Reader, key: string, hash: string): Promise<void> {
  for (const table of [sandboxPayment, sandboxSubscription] as const) {
    const [row] = await on.select({ hash: table.request_hash }).from(table).where(eq(table.key, key))
    if (row && row.hash !== hash)
      throw new PaymentError({
        kind: 'invalid',
        code: 'IDEMPOTENCY_KEY_REUSED',
        retry: 'never',
        message: 'The same key with another request.',
      })
  }
}

/** The id of a studio's customer at the processor, made on the first request. */
export async function findOrMakeCustomer(db: Db, buyer: Buyer): Promise<string> {
  const [known] = await customerOf(db.read).execute({ customer_id: buyer.customer_id })
  return known?.id ?? db.tx((tx) => insertCustomer(tx, buyer))
}

/** Inserts a customer of the processor; simultaneous requests get the same one. */
export async function insertCustomer(tx: Tx, buyer: Buyer): Promise<string> {
  await tx
    .insert(sandboxCustomer)
    .values({ id: newId('cus'), customer_id: buyer.customer_id })
    .onConflictDoNothing()
  const [row] = await customerOf(tx).execute({ customer_id: buyer.customer_id })
  if (!row) throw new Error('The sandbox lost a customer.')
  return row.id
}
