/** Queries of the buyer: the customer that a purchase locks first, and their ids at the processors. */
import { and, eq, sql } from 'drizzle-orm'
import type { Buyer } from '#server/adapters/payments/port.ts'
import { customer } from '#server/modules/people/tables.ts'
import { providerCustomer, purchase } from '#server/modules/sales/tables.ts'
import { prepared, type Reader, type Tx } from '#server/platform/db.ts'

const buyerColumns = {
  customer_id: customer.customer_id,
  name: customer.name,
  last_name: customer.last_name,
  email: customer.email,
  phone: customer.phone,
  language: customer.language,
  deletedAt: customer.deletedAt,
}

const lockedBuyer = prepared('sales.lockBuyer', (on: Tx) =>
  on
    .select(buyerColumns)
    .from(customer)
    .where(eq(customer.customer_id, sql.placeholder('customer_id')))
    .for('no key update'),
)

/**
 * Locks a customer for buying: the first lock of every purchase, so that one customer's purchases run one after another. It does not block
 * foreign key checks of other transactions.
 */
export async function lockBuyer(tx: Tx, customer_id: number) {
  const [row] = await lockedBuyer(tx).execute({ customer_id })
  return row ?? null
}

const buyerOf = prepared('sales.lockBuyerOf', (on: Tx) =>
  on
    .select({ customer_id: customer.customer_id })
    .from(customer)
    .where(
      sql`${customer.customer_id} = (select ${purchase.customer_id} from ${purchase} where ${purchase.purchase_id} = ${sql.placeholder('purchase_id')})`,
    )
    .for('no key update'),
)

/** Takes the same lock for the customer of a purchase. */
export async function lockBuyerOf(tx: Tx, purchase_id: number): Promise<void> {
  await buyerOf(tx).execute({ purchase_id })
}

/** The buyer as passed to a processor; `ref`: the customer's id there. */
export function buyerFrom(row: NonNullable<Awaited<ReturnType<typeof lockBuyer>>>, ref: string | null): Buyer {
  const { customer_id, name, last_name, email, phone } = row
  if (email === null) throw new Error(`Customer ${customer_id} pays at a processor without an account.`)
  return { customer_id, ref, email, name: `${name} ${last_name}`.trim(), phone }
}

const oneBuyer = prepared('sales.buyer', (on: Reader) =>
  on
    .select(buyerColumns)
    .from(customer)
    .where(eq(customer.customer_id, sql.placeholder('customer_id'))),
)

export async function findBuyer(db: Reader, customer_id: number) {
  const [row] = await oneBuyer(db).execute({ customer_id })
  if (!row) throw new Error(`There is no customer ${customer_id}.`)
  return row
}

const customerAt = prepared('sales.providerCustomer', (on: Reader) =>
  on
    .select({ id: providerCustomer.provider_id })
    .from(providerCustomer)
    .where(and(eq(providerCustomer.gateway, sql.placeholder('gateway')), eq(providerCustomer.customer_id, sql.placeholder('customer_id')))),
)

/** The id of a customer at a processor; null when they have none. */
export async function findProviderCustomer(db: Reader, gateway: string, customer_id: number): Promise<string | null> {
  const [row] = await customerAt(db).execute({ gateway, customer_id })
  return row?.id ?? null
}

const customerOfPurchaseAt = prepared('sales.providerCustomerOf', (on: Reader) =>
  on
    .select({ id: providerCustomer.provider_id })
    .from(providerCustomer)
    .where(
      and(
        eq(providerCustomer.gateway, sql.placeholder('gateway')),
        sql`${providerCustomer.customer_id} = (select p.customer_id from purchase p where p.purchase_id = ${sql.placeholder('purchase_id')})`,
      ),
    ),
)

/** The same for the customer of a purchase. */
export async function findProviderCustomerOf(db: Reader, gateway: string, purchase_id: number): Promise<string | null> {
  const [row] = await customerOfPurchaseAt(db).execute({ gateway, purchase_id })
  return row?.id ?? null
}

/** Whether an id at a processor belongs to a record that was merged into this customer. */
export async function isBuyerOfMerged(
  db: Reader,
  { gateway, customer_id, provider_id }: { gateway: string; customer_id: number; provider_id: string },
): Promise<boolean> {
  const found = await db
    .select({ customer_id: customer.customer_id })
    .from(providerCustomer)
    .innerJoin(customer, eq(customer.customer_id, providerCustomer.customer_id))
    .where(and(eq(providerCustomer.gateway, gateway), eq(providerCustomer.provider_id, provider_id), eq(customer.merged_into, customer_id)))
  return found.length > 0
}

export async function upsertProviderCustomer(tx: Tx, gateway: string, customer_id: number, provider_id: string): Promise<void> {
  await tx.insert(providerCustomer).values({ gateway, customer_id, provider_id }).onConflictDoNothing()
}
