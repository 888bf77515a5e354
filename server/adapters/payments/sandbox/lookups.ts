/** What the sandbox looks up by the studio's keys: its customers, and the payment or subscription that a request has made. */
import { eq, sql } from 'drizzle-orm'
import { type Buyer, PaymentError } from '#server/adapters/payments/port.ts'
import { type Db, prepared, type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { newId } from './payments.ts'
import { sandboxCustomer, sandboxPayment, sandboxSubscription } from './tables.ts'

const customerOf = prepared('sandbox.customerOf', (on: Reader) =>
  on
    .select({ id: sandboxCustomer.id })
    .from(sandboxCustomer)
    .where(eq(sandboxCustomer.customer_id, sql.placeholder('customer_id'))),
)
const objectsOfKey = prepared('sandbox.objectsOfKey', (on: Reader) =>
  on
    .select({
      payment: sql<string | null>`(select p.id from sandbox_payment p where p.key = ${sql.placeholder('key')})`,
      subscription: sql<string | null>`(select s.id from sandbox_subscription s where s.key = ${sql.placeholder('key')})`,
      customer: sql<string | null>`(select c.id from sandbox_customer c where c.customer_id = ${sql.placeholder('customer_id')})`,
    })
    .from(sql`(select 1) as one`),
)

/**
 * The payment or subscription that a request with this key has made, and the processor's id of a customer; each null when it does not exist.
 * One statement: a purchase waits for it.
 */
export async function findKnown(on: Reader, key: string, customer_id = 0): Promise<{ object: string | null; customer: string | null }> {
  const { payment, subscription, customer } = singleRow(await objectsOfKey(on).execute({ key, customer_id }))
  return { object: payment ?? subscription, customer }
}

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
