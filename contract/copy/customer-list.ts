/** States and orders of the list of customers, without schemas: the screen uses them without loading Zod. */

/** The states of a customer: the first that applies (docs/domain.md X3). */
export const CUSTOMER_STATES = ['lost', 'inactive', 'at_risk', 'expiring', 'trial', 'new', 'active'] as const
export type CustomerState = (typeof CUSTOMER_STATES)[number]

export const customerStateLabels: Readonly<Record<CustomerState, string>> = {
  lost: 'Baja',
  inactive: 'Inactivo',
  at_risk: 'En riesgo',
  expiring: 'Por vencer',
  trial: 'En prueba',
  new: 'Nuevo',
  active: 'Activo',
}

/** What a customer pays periodically; `none`: no subscription that lives. */
export const SUBSCRIPTION_STATES = ['active', 'past_due', 'paused', 'none'] as const
export type SubscriptionState = (typeof SUBSCRIPTION_STATES)[number]

const SORT_KEYS = ['name', 'state', 'expires', 'last_class', 'next_class', 'visits_30', 'visits', 'spent', 'owed', 'created'] as const
type SortKey = (typeof SORT_KEYS)[number]
export type CustomerSort = SortKey | `-${SortKey}`
/** Orders of the list; `-` = descending. */
export const CUSTOMER_SORTS: readonly CustomerSort[] = [...SORT_KEYS, ...SORT_KEYS.map((key) => `-${key}` as const)]
