/**
 * A year of a demo studio: seasons and growth, former customers, subscriptions, every payment method, substitutions, waitlists,
 * messages and the coaches' pay. Only `npm start` makes it; tests use a demo without it (docs/decisions/023-the-demo-writes-in-bulk.md).
 */
import { sql } from 'drizzle-orm'
import type { Ctx } from '#server/modules/ctx.ts'
import { markAllIncome } from '#server/modules/income/income.ts'
import { markEverything } from '#server/modules/rollups/rollups.ts'
import { deriveInvoiceTotals } from '#server/modules/sales/sales.ts'
import type { Tx } from '#server/platform/db.ts'
import type { Brand } from './brand.ts'
import { Chance } from './chance.ts'
import type { Crowd, Patron } from './crowd.ts'
import { planPayments, planSubscriptions } from './lives.ts'
import { writeOnlineOrders } from './online.ts'
import { planShop } from './shop.ts'
import type { BrandIds, WrittenHistory } from './write.ts'

/**
 * Tables whose triggers are off while the history is written: the plan has their counts already, and the database has no other users yet.
 */
const COUNTED = [
  'customer',
  'single_class',
  'class_instructor',
  'class_tag',
  'class_reservation',
  'available_class',
  'credit_movement',
  'waitlist',
  'class_refusal',
  'purchase',
  'payment_attempt',
  'invoice',
  'refund',
  'cash_session',
  'cash_movement',
  'sale',
  'sale_line',
  'sale_payment',
  'discount_use',
  'message',
  'broadcast_recipient',
  'payroll_line',
]

/**
 * Runs work without the triggers of the studio's tables. Checks and unique indexes hold. Foreign keys hold too unless the database is the
 * program's own, where a quarter of the time is saved; `history.test.ts` checks every one of them.
 */
export async function withoutTriggers(tx: Tx, work: () => Promise<void>): Promise<void> {
  const { rows } = await tx.execute<{ own: boolean }>(sql`select rolsuper as own from pg_roles where rolname = current_user`)
  const all = (state: 'enable' | 'disable') =>
    sql.raw(COUNTED.map((table) => `alter table ${table} ${state} trigger ${rows[0]?.own ? 'all' : 'user'}`).join('; '))
  await tx.execute(all('disable'))
  await work()
  await tx.execute(all('enable'))
  await tx.execute(sql`delete from customer_change`)
  await tx.execute(
    sql`insert into customer_change (customer_id) select customer_id from customer where "deletedAt" is null order by customer_id`,
  )
  await tx.execute(sql`delete from rollup_change`)
  await markEverything(tx)
  await tx.execute(sql`delete from income_change`)
  await markAllIncome(tx)
  await deriveInvoiceTotals(tx)
}

/** Plans subscriptions before the classes are filled, and payments after it. */
export const yearOf = (
  brand: Brand,
  crowd: Crowd,
  { from, now, online, regular }: { from: Date; now: Date; online: boolean; regular: number },
) => {
  const chance = new Chance(19_210_927)
  return {
    before: (patrons: readonly Patron[]) => {
      if (online) planSubscriptions(brand, crowd, chance, patrons, from, now)
    },
    after: () => {
      planPayments(brand, crowd, chance, { online, regular, from, now })
      crowd.creditLots.sort((a, b) => a.boughtAt.getTime() - b.boughtAt.getTime())
      crowd.reservations.sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
    },
  }
}

export const writeHistory = (ctx: Ctx, tx: Tx, brand: Brand, brandIds: BrandIds, crowd: Crowd): WrittenHistory => ({
  planShop: (tills) => planShop(ctx, tx, brand, brandIds, crowd, tills),
  writeOnline: (orders) => writeOnlineOrders(tx, brand, orders, { publicUrl: ctx.studio.publicUrl, now: ctx.now }),
})
