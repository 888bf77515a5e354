import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { integer, pgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import './qualified-columns.ts'

const purchase = pgTable('purchase', { purchase_id: integer(), total: integer() })
const charge = pgTable('charge', { purchase_id: integer(), total: integer() })
const db = drizzle.mock()
const paid = sql<number>`${purchase.total} - (select sum(c.total) from charge c where c.purchase_id = ${purchase.purchase_id})`

test('a column in a subquery of a select from one table is refused: Drizzle writes it without its table', () => {
  expect(() => db.select({ paid }).from(purchase).toSQL()).toThrow('a column without its table in a subquery')
  expect(() =>
    db
      .select({ paid: paid.as('paid') })
      .from(purchase)
      .toSQL(),
  ).toThrow('a column without its table in a subquery')
  expect(() => db.delete(purchase).returning({ paid }).toSQL()).toThrow('a column without its table in a subquery')
})

test('with a join, before the subquery, or written as text it is allowed', () => {
  const joined = db.select({ paid }).from(purchase).innerJoin(charge, eq(charge.purchase_id, purchase.purchase_id)).toSQL()
  expect(joined.sql).toContain('c.purchase_id = "purchase"."purchase_id"')
  const text = sql<number>`${purchase.total} - (select sum(c.total) from charge c where c.purchase_id = purchase.purchase_id)`
  expect(db.select({ text }).from(purchase).toSQL().sql).toContain('c.purchase_id = purchase.purchase_id')
})
