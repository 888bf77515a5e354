import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useSearchParams } from 'react-router'
import type { Payroll } from '#contract/payroll.ts'
import { isLocalDate } from '#contract/time.ts'
import { useQueryChange } from '#web/lib/query-change.ts'
import { Badge } from '#web/ui/badge.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { PERIOD_STATES, stretchText } from './pay-text.ts'

const TONES = { running: 'neutral', open: 'warn', approved: 'ok' } as const

/** The chosen period, in the address: the first day, or none for the current one. */
export function usePeriodParam() {
  const [search] = useSearchParams()
  const changeQuery = useQueryChange()
  const chosen = search.get('periodo') ?? ''
  return {
    input: isLocalDate(chosen) ? { from: chosen } : {},
    choose: (from: string) => changeQuery({ periodo: from }),
  }
}

/** The shown period, its state, and the links to those beside it. */
export function PeriodNav({
  shown,
  choose,
}: {
  shown: Pick<Payroll, 'from' | 'to' | 'period' | 'previous' | 'next'>
  choose: (from: string) => void
}) {
  return (
    <div className="pay-period">
      <IconButton label="Periodo anterior" onClick={() => choose(shown.previous.from)}>
        <IconChevronLeft className="icon" aria-hidden="true" />
      </IconButton>
      <strong aria-live="polite">{stretchText(shown)}</strong>
      <IconButton label="Periodo siguiente" onClick={() => choose(shown.next.from)}>
        <IconChevronRight className="icon" aria-hidden="true" />
      </IconButton>
      {shown.period && <Badge tone={TONES[shown.period.state]}>{PERIOD_STATES[shown.period.state]}</Badge>}
    </div>
  )
}
