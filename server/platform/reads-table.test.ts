import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { alias, integer, PgDialect, pgTable, QueryBuilder, text } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { readsTable } from './reads-table.ts'

const purchase = pgTable('purchase', { purchase_id: integer(), title: text() })
const charge = pgTable('charge', { charge_id: integer(), purchase_id: integer() })
const holding = alias(purchase, 'holding')
const charges = new QueryBuilder()

test.each([
  ['nothing', undefined, false],
  ['a column of it', eq(purchase.title, 'Diez'), true],
  ['a column of another table, with a value', eq(charge.charge_id, 1), false],
  ['one among others, some of them left out', and(undefined, eq(charge.charge_id, 1), and(eq(purchase.purchase_id, 1))), true],
  ['an alias of it', eq(holding.purchase_id, 1), false],
  ['a list of values for a column of another table', inArray(charge.purchase_id, [1, 2]), false],
  ['written SQL around it', sql`exists (select 1 from refund f where f.purchase_id = ${purchase.purchase_id})`, true],
  ['the table by name only', sql`${charge.purchase_id} in (select f.purchase_id from ${purchase} f)`, false],
  ['a named expression', sql`lower(${purchase.title})`.as('lowered'), true],
  ['an order', [asc(charge.charge_id), asc(sql`lower(${purchase.title})`)], true],
  ['an order by others', [asc(charge.charge_id)], false],
  [
    'a subquery about its row',
    inArray(charge.charge_id, charges.select({ id: charge.charge_id }).from(charge).where(eq(charge.purchase_id, purchase.purchase_id))),
    true,
  ],
])('%s', (_what, condition, reads) => {
  expect(readsTable(condition, purchase)).toBe(reads)
})

test('a condition that reads nothing of a table is valid SQL without it', () => {
  const condition = and(eq(charge.charge_id, 1), undefined)
  expect(readsTable(condition, purchase)).toBe(false)
  expect(new PgDialect().sqlToQuery(charges.select().from(charge).where(condition).getSQL()).sql).not.toContain('"purchase"."')
})
