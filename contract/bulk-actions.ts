/** Actions on many records, without schemas: the screens use them without loading Zod. */

/** What each action is done to. */
export const BULK_SUBJECTS = {
  'tags.add': 'customer',
  'tags.remove': 'customer',
  'credits.give': 'customer',
  'credits.extend': 'customer',
  'credits.freeze': 'customer',
  'credits.thaw': 'customer',
  'customers.invite': 'customer',
  'customers.archive': 'customer',
  'reservations.cancel': 'reservation',
  'reservations.move': 'reservation',
  'purchases.mark_paid': 'purchase',
  'purchases.receipt': 'purchase',
} as const
export type BulkAction = keyof typeof BULK_SUBJECTS
export type BulkSubject = (typeof BULK_SUBJECTS)[BulkAction]

export const BULK_ACTIONS = Object.keys(BULK_SUBJECTS) as BulkAction[]

/** Actions that need a reason. */
export const BULK_WITH_REASON: ReadonlySet<BulkAction> = new Set<BulkAction>([
  ...(['credits.give', 'credits.extend', 'credits.freeze', 'credits.thaw', 'customers.archive', 'reservations.cancel'] as const),
])

/** Actions that cannot be undone: sent messages, and money. */
export const BULK_FINAL: ReadonlySet<BulkAction> = new Set<BulkAction>(['customers.invite', 'purchases.mark_paid', 'purchases.receipt'])
