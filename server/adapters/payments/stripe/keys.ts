import type { Key } from '#server/adapters/payments/port.ts'

/** Stripe's key of a call: the same for the same try, and never another installation's. */
export const keyText = (app: string, key: Key, what: string) => `${app}:p:${key.purchase}:${key.step}:${key.n}:${what}`
