import { OpenTill } from '#web/features/admin/till/open-till.tsx'
import { failureOf } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'

interface CounterRefusalProps {
  error: unknown
  /** Where the money is received; null while nobody said. */
  location_id: number | null
  /** The till is open now: what was refused can be tried again. */
  onOpened: () => void
}

/** Why money could not be received; where it takes an open till, that is opened here. */
export function CounterRefusal({ error, location_id, onOpened }: CounterRefusalProps) {
  const { code, message } = failureOf(error)
  if (code === 'CASH_SESSION_REQUIRED' && location_id !== null)
    return (
      <Banner tone="warn" live title={message}>
        <OpenTill location_id={location_id} onOpened={onOpened} />
      </Banner>
    )
  return (
    <Banner tone="danger" live>
      {message}
    </Banner>
  )
}
