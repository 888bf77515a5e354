import type { FiscalDocument } from '#contract/fiscal.ts'
import { Badge } from '#web/ui/badge.tsx'
import { FISCAL_STATES } from './fiscal-text.ts'

/** The state of a tax document, and whether it was stamped in tests: such a document is worth nothing at the SAT. */
export function FiscalState({ document: { state, is_test } }: { document: Pick<FiscalDocument, 'state' | 'is_test'> }) {
  const { tone, text } = FISCAL_STATES[state]
  return (
    <span className="row gap-8 wraps">
      <Badge tone={tone}>{text}</Badge>
      {is_test && <Badge tone="outline">De prueba</Badge>}
    </span>
  )
}
