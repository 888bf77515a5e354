import { IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { formatWall } from '#contract/time.ts'
import { queries } from '#web/lib/api.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'

/** The penalty that blocks bookings now: the reason, and the day on which it ends (S2-4.22 to S2-4.24). */
export function PenaltyBanner() {
  const site = useSite()
  const { data } = useQuery({
    ...queries.penalties.list.queryOptions({ input: {}, meta: { handled: true } }),
    enabled: site.unlimited_membership_penalties_enabled,
  })
  const now = data?.class_reservation_penaltys.find((classReservationPenalty) => classReservationPenalty.active)
  if (!now) return null
  return (
    <div className="penalty-notice">
      <Banner
        tone="warn"
        icon={<IconLock className="icon" aria-hidden="true" />}
        title={`Puedes reservar de nuevo desde el ${formatWall(now.resumes_at, 'class')}`}
      >
        Tienes una penalización: {now.reason}. Los lugares que ya tienes siguen siendo tuyos.
      </Banner>
    </div>
  )
}
