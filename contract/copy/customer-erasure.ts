/** What prevents erasing a person's data, in words. */

export const ERASURE_OBSTACLES = ['subscription', 'open_purchase', 'debt', 'booked', 'waiting'] as const
export type ErasureObstacle = (typeof ERASURE_OBSTACLES)[number]

/** `what`: the package, the amount, or the class. */
export const erasureObstacleSentences: Readonly<Record<ErasureObstacle, (what: string) => string>> = {
  subscription: (what) => `Su suscripción a ${what} sigue activa: termínala primero.`,
  open_purchase: (what) => `Su compra de ${what} está en proceso: espera a que se pague o se cancele.`,
  debt: (what) => `Debe ${what}: cóbralo o cancélalo primero.`,
  booked: (what) => `Tiene lugar en ${what}: cancélalo primero.`,
  waiting: (what) => `Está en la lista de espera de ${what}: sácale de ella primero.`,
}

/** The name of a customer whose data were erased. */
export const ERASED_NAME = { name: 'Cliente', last_name: 'sin datos' } as const
