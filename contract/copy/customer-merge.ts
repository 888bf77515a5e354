/** What moves with a merged customer and what prevents a merge, in words. */

export const MERGE_MOVES = [
  ...(['reservations', 'waitlists', 'credits', 'purchases', 'charges', 'sales', 'penalties'] as const),
  ...(['cards', 'notes', 'tags', 'forms', 'documents', 'files', 'addresses', 'messages', 'videos'] as const),
] as const
export type MergeMove = (typeof MERGE_MOVES)[number]

/** One and several of each. */
export const mergeMoveLabels: Readonly<Record<MergeMove, readonly [string, string]>> = {
  reservations: ['reservación', 'reservaciones'],
  waitlists: ['lugar en lista de espera', 'lugares en listas de espera'],
  credits: ['paquete con créditos', 'paquetes con créditos'],
  purchases: ['compra', 'compras'],
  charges: ['cargo', 'cargos'],
  sales: ['venta del mostrador', 'ventas del mostrador'],
  penalties: ['penalización', 'penalizaciones'],
  cards: ['tarjeta guardada', 'tarjetas guardadas'],
  notes: ['nota', 'notas'],
  tags: ['etiqueta', 'etiquetas'],
  forms: ['formulario contestado', 'formularios contestados'],
  documents: ['documento aceptado', 'documentos aceptados'],
  files: ['archivo', 'archivos'],
  addresses: ['domicilio', 'domicilios'],
  messages: ['mensaje', 'mensajes'],
  videos: ['marca en videos', 'marcas en videos'],
}

export const MERGE_OBSTACLES = ['same_class', 'same_waitlist', 'open_purchase', 'subscription'] as const
export type MergeObstacle = (typeof MERGE_OBSTACLES)[number]

/** `what`: the class, or the package. */
export const mergeObstacleSentences: Readonly<Record<MergeObstacle, (what: string) => string>> = {
  same_class: (what) => `Los dos registros tienen lugar en ${what}: cancela uno.`,
  same_waitlist: (what) => `Los dos registros están en la lista de espera de ${what}: saca uno.`,
  open_purchase: (what) => `Hay una compra de ${what} en proceso: espera a que se pague o se cancele.`,
  subscription: (what) =>
    `La suscripción a ${what} se cobra con la tarjeta del registro que desaparece: conserva ese y combina el otro con él.`,
}
