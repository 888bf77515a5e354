/** Texts about sales for the staff. */
import type { StudioInvoice } from '#contract/studio-sales.ts'
import type { BadgeTone } from '#web/ui/badge.tsx'

/** "#001284": the number of an order. */
export const orderNumber = (purchase_id: number): string => `#${String(purchase_id).padStart(6, '0')}`

/** A sum of many sales ("1707019.00"), which may exceed the limit of a single amount: "$1,707,019.00". */
export const sumText = (pesos: string): string =>
  `${pesos.startsWith('-') ? '-' : ''}$${pesos.replace('-', '').replace(/\B(?=(\d{3})+(?!\d)(?=\.))/g, ',')}`

export const INVOICE_STATUS: Readonly<Record<StudioInvoice['status'], { text: string; tone: BadgeTone }>> = {
  paid: { text: 'Cobrado', tone: 'ok' },
  pending: { text: 'Por confirmar', tone: 'warn' },
  failed: { text: 'Fallido', tone: 'danger' },
  refunded: { text: 'Devuelto', tone: 'outline' },
  partially_refunded: { text: 'Devuelto en parte', tone: 'outline' },
  disputed: { text: 'En disputa', tone: 'warn' },
  lost: { text: 'Perdido', tone: 'danger' },
  void: { text: 'Anulado', tone: 'outline' },
}
