import type { FiscalDocument } from '#contract/fiscal.ts'
import { CANCEL_MOTIVES, type CancelMotive } from '#contract/sat-catalogues.ts'
import { formatInstant } from '#contract/time.ts'
import type { BadgeTone } from '#web/ui/badge.tsx'

export const FISCAL_KINDS: Readonly<Record<FiscalDocument['kind'], string>> = {
  income: 'Factura',
  global: 'Factura global',
  credit: 'Nota de crédito',
}

export const FISCAL_STATES: Readonly<Record<FiscalDocument['state'], { tone: BadgeTone; text: string }>> = {
  stamping: { tone: 'warn', text: 'Timbrando' },
  valid: { tone: 'ok', text: 'Timbrada' },
  cancelling: { tone: 'warn', text: 'Por cancelar' },
  cancelled: { tone: 'outline', text: 'Cancelada' },
  refused: { tone: 'danger', text: 'Con error' },
}

/**
 * The request of its cancellation: "Se pidió cancelarla el 26 nov: 01 · Tiene errores y otra factura la sustituye (F-13)". Null: it
 * was not.
 */
export function cancelText({ cancel_motive, cancel_asked_at, substitute, state }: FiscalDocument, zone: string): string | null {
  if (cancel_motive === null) return null
  const why = `${cancel_motive} · ${CANCEL_MOTIVES[cancel_motive as CancelMotive] ?? ''}${substitute === null ? '' : ` (${substitute})`}`
  if (state === 'cancelled' || cancel_asked_at === null) return why
  return `Se pidió cancelarla el ${formatInstant(new Date(cancel_asked_at), zone, 'date')}: ${why}`
}

export const fiscalFolio = ({ series, folio }: Pick<FiscalDocument, 'series' | 'folio'>): string => `${series}-${folio}`
