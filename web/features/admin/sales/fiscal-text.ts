import type { FiscalDocument } from '#contract/fiscal.ts'
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

export const fiscalFolio = ({ series, folio }: Pick<FiscalDocument, 'series' | 'folio'>): string => `${series}-${folio}`
