import { IconAlertTriangle, IconCircleCheck, IconLockOpen } from '@tabler/icons-react'
import type { CashSession } from '#contract/cash-sessions.ts'
import { Badge } from '#web/ui/badge.tsx'

/** The state of a cash session: open, counted, or approved. */
export function CountBadge({ session }: { session: CashSession }) {
  if (session.state === 'open')
    return (
      <Badge tone="brand" icon={<IconLockOpen className="icon" aria-hidden="true" />}>
        Abierta
      </Badge>
    )
  if (session.state === 'approved')
    return (
      <Badge tone="ok" icon={<IconCircleCheck className="icon" aria-hidden="true" />}>
        Aprobada
      </Badge>
    )
  return (
    <Badge tone="warn" icon={<IconAlertTriangle className="icon" aria-hidden="true" />}>
      Por aprobar
    </Badge>
  )
}
