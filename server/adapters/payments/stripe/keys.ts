import type { Key } from '#server/adapters/payments/port.ts'

/** Stripe's idempotency key of a call: the same for the same attempt, and different for another installation. */
export const keyText = (app: string, key: Key, what: string) => `${app}:p:${key.purchase}:${key.step}:${key.n}:${what}`
