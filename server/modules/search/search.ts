/** Search of the administration: one text over customers, classes and purchases (docs/domain.md Z1 to Z4). */
import { instructorName } from '#contract/copy/instructor-names.ts'
import type { FoundClass, FoundCustomer, FoundPurchase, FoundSetting } from '#contract/search.ts'
import { findClasses } from '#server/modules/bookings/bookings.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { findCustomers } from '#server/modules/customers/customers.ts'
import { findPurchaseByNumber } from '#server/modules/sales/sales.ts'
import { findSettings } from '#server/modules/settings/settings.ts'

/** Results of each kind. */
const LIMIT = 6

/** GET /admin/search. A kind that the person may not read is empty. */
export async function searchAdmin(
  ctx: Ctx,
  { query }: { query: string },
): Promise<{ customers: FoundCustomer[]; classes: FoundClass[]; purchases: FoundPurchase[]; settings: FoundSetting[] }> {
  const [customers, classes, purchase] = await Promise.all([
    ctx.may('customers.read') ? findCustomers(ctx, query, LIMIT) : [],
    findClasses(ctx, query, LIMIT),
    ctx.may('sales.sell') ? findPurchaseByNumber(ctx, query) : null,
  ])
  return {
    customers,
    classes: classes.map((cls) => ({
      single_class_id: cls.single_class_id,
      name: cls.shown.class_type.name,
      class_date: cls.shown.class_date,
      coach: cls.shown.class_instructors.map(({ instructor }) => instructorName(instructor)).join(' y '),
      location: cls.shown.location.name,
      cancelled: cls.cancelled,
    })),
    purchases: purchase ? [purchase] : [],
    settings: ctx.may('settings.edit') ? findSettings(query, LIMIT) : [],
  }
}
