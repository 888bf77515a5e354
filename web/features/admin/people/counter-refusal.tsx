import type { ReactNode } from 'react'
import type { ErrorCode } from '#contract/errors.ts'
import { OpenTill } from '#web/features/admin/till/open-till.tsx'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'

interface CounterRefusalProps {
  error: unknown
  /** The location that receives the money; null if none is chosen. */
  location_id: number | null
  /** The till was opened: the caller can retry. */
  onOpened: () => void
  /** The next step of a refusal, by its code: a button or a link below the sentence. */
  steps?: Readonly<Partial<Record<ErrorCode, ReactNode>>>
}

/** Why money could not be received. If an open till is missing, it can be opened here. */
export function CounterRefusal({ error, location_id, onOpened, steps = {} }: CounterRefusalProps) {
  const { code, message } = toFailure(error)
  if (code === 'CASH_SESSION_REQUIRED' && location_id !== null)
    return (
      <Banner tone="warn" live title={message}>
        <OpenTill location_id={location_id} onOpened={onOpened} />
      </Banner>
    )
  const step = (steps as Readonly<Record<string, ReactNode>>)[code]
  if (step)
    return (
      <Banner tone="danger" live title={message}>
        {step}
      </Banner>
    )
  return (
    <Banner tone="danger" live>
      {message}
    </Banner>
  )
}
