import { IconBan, IconCircleCheck, IconClock, IconRotate, IconX } from '@tabler/icons-react'
import { purchaseStatusText } from '#contract/copy/purchase-texts.ts'
import type { Purchase } from '#contract/sales.ts'
import { formatWall } from '#contract/time.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'

const STATUSES: Record<string, { tone: BadgeTone; Icon: typeof IconX }> = {
  active: { tone: 'ok', Icon: IconCircleCheck },
  completed: { tone: 'ok', Icon: IconCircleCheck },
  pending: { tone: 'warn', Icon: IconClock },
  failed: { tone: 'danger', Icon: IconX },
  cancelled: { tone: 'outline', Icon: IconBan },
  revoked: { tone: 'outline', Icon: IconRotate },
}

/** The status of a purchase in the texts of the specification; unknown values are shown unchanged (S1-4.18 to S1-4.20). */
export function PurchaseBadge({ purchase }: { purchase: Pick<Purchase, 'status' | 'cancelled_date'> }) {
  const { tone, Icon } = STATUSES[purchase.status] ?? { tone: 'outline' as const, Icon: null }
  return (
    <Badge tone={tone} icon={Icon && <Icon className="icon" aria-hidden="true" />}>
      {purchaseStatusText(purchase.status, purchase.cancelled_date && formatWall(purchase.cancelled_date, 'date'))}
    </Badge>
  )
}
