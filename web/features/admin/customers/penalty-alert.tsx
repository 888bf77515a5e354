import { IconLock } from '@tabler/icons-react'
import type { Penalty } from '#contract/attendance.ts'
import { formatWall } from '#contract/time.ts'
import { Button } from '#web/ui/button.tsx'

/** Why the customer cannot book, while a penalty is active. */
export function PenaltyAlert({ penalty, onForgive }: { penalty: Penalty; onForgive: (() => void) | null }) {
  return (
    <div className="alert-row" role="note">
      <IconLock className="icon" aria-hidden="true" />
      <p className="grow">
        <b>No puede reservar hasta el {formatWall(penalty.resumes_at, 'long')}.</b> {penalty.reason}
      </p>
      {onForgive && (
        <Button variant="outline" size="small" onClick={onForgive}>
          Perdonar
        </Button>
      )}
    </div>
  )
}
