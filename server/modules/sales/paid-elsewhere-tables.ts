/** Purchases of which a part was paid at another location than where they were sold (docs/domain.md E14). */
import { index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'

/**
 * A location that received money of a purchase that was sold at another one, appended by triggers on `invoice` and `purchase` in the same
 * transaction, so that lists of one location need not look for it in all charges. It may name a pair too many, after the charge or the
 * purchase moved: whoever reads it looks at the charge. No foreign keys: the rows are derived.
 */
export const purchasePaidElsewhere = pgTable(
  'purchase_paid_elsewhere',
  { purchase_id: integer().notNull(), location_id: integer().notNull() },
  (t) => [primaryKey({ columns: [t.purchase_id, t.location_id] }), index('purchase_paid_elsewhere_at').on(t.location_id)],
)
