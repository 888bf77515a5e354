/** Words for many records of one kind. */
import type { BulkSubject } from '#contract/bulk-actions.ts'

const NOUNS: Readonly<Record<BulkSubject, readonly [one: string, many: string]>> = {
  customer: ['cliente', 'clientes'],
  reservation: ['reservación', 'reservaciones'],
  purchase: ['compra', 'compras'],
}

/** "1 cliente", "312 reservaciones" */
export const countOf = (subject: BulkSubject, n: number): string => `${n.toLocaleString('es-MX')} ${NOUNS[subject][n === 1 ? 0 : 1]}`
