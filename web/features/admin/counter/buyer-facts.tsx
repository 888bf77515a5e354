import { IconCircleCheck, IconHeartbeat, IconLock, IconReceipt, IconRefreshAlert, IconTicket } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { CustomerAlert } from '#contract/customer-file.ts'
import { formatWall } from '#contract/time.ts'
import { queries } from '#web/lib/api.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'

/** The alerts that are shown as a chip. Debts and documents have a part of their own below; expiries are shown with the credits. */
const FACES: Readonly<Partial<Record<CustomerAlert['kind'], { tone: BadgeTone; Icon: typeof IconLock }>>> = {
  renewal: { tone: 'danger', Icon: IconRefreshAlert },
  penalty: { tone: 'danger', Icon: IconLock },
  signup_fee: { tone: 'warn', Icon: IconReceipt },
  health: { tone: 'outline', Icon: IconHeartbeat },
}

interface Credits {
  available: number
  has_unlimited: boolean
  unlimited_membership_expiration: string | null
  next_expiration: string | null
}

/** "Le quedan 3 clases, las primeras vencen el 20 nov.", "Ilimitado hasta el 20 nov." */
export function creditsText({ available, has_unlimited, unlimited_membership_expiration, next_expiration }: Credits): string {
  const day = (at: string) => formatWall(at, 'date')
  if (has_unlimited) return unlimited_membership_expiration ? `Ilimitado hasta el ${day(unlimited_membership_expiration)}` : 'Ilimitado'
  if (available === 0) return 'Sin clases'
  const left = available === 1 ? 'Le queda 1 clase' : `Le quedan ${available} clases`
  if (!next_expiration) return left
  return available === 1 ? `${left}, vence el ${day(next_expiration)}` : `${left}, la primera vence el ${day(next_expiration)}`
}

/** What the buyer has, and what staff should know before the sale, as chips below the name in Nueva venta. */
export default function BuyerFacts({ customer_id }: { customer_id: number }) {
  const handled = { meta: { handled: true } }
  const file = useQuery(queries.customerFile.one.queryOptions({ input: { customer_id }, ...handled }))
  const credits = useQuery(queries.credits.ofCustomer.queryOptions({ input: { customer_id: String(customer_id) }, ...handled }))
  const summary = credits.data?.summary
  const alerts = file.data?.alerts ?? []
  const limits = file.data?.limits_reached ?? []
  if (!summary && !file.data) return null
  const hasCredits = summary !== undefined && (summary.has_unlimited || summary.available > 0)
  return (
    <ul className="buyer-facts" aria-label="Lo que hay que saber">
      {summary && (
        <li>
          <Badge
            tone={hasCredits ? 'ok' : 'outline'}
            icon={hasCredits ? <IconCircleCheck className="icon" aria-hidden="true" /> : <IconTicket className="icon" aria-hidden="true" />}
          >
            {creditsText(summary)}
          </Badge>
        </li>
      )}
      {alerts.map(({ kind, message, detail }) => {
        const face = FACES[kind]
        return (
          face && (
            <li key={kind}>
              <Badge tone={face.tone} icon={<face.Icon className="icon" aria-hidden="true" />}>
                {kind === 'signup_fee' && detail ? `${message} ${detail}` : message}
              </Badge>
            </li>
          )
        )
      })}
      {limits.map(({ class_package_id, title, limit }) => (
        <li key={class_package_id}>
          <Badge tone="outline" icon={<IconLock className="icon" aria-hidden="true" />}>
            {limit === 1 ? `Ya usó su ${title}` : `Ya no puede comprar “${title}”`}
          </Badge>
        </li>
      ))}
    </ul>
  )
}
