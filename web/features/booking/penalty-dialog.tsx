import { IconLock } from '@tabler/icons-react'
import { accountErrors } from '#contract/copy/errors-account.ts'
import type { SingleClass } from '#contract/schedule.ts'
import { formatWall } from '#contract/time.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

/** An active penalty: its cause and when reservations are possible again (S2-2.29, S2-4.22 to S2-4.24, settled 24). */
export function PenaltyDialog({ cls, onClose }: { cls: Pick<SingleClass, 'why_not' | 'opens_at'>; onClose: () => void }) {
  const site = useSite()
  const shows = site.unlimited_max_no_shows_for_penalty
  return (
    <Dialog open onClose={onClose} title="Tienes una penalización" actions={<Button onClick={onClose}>Entendido</Button>}>
      <p>{cls.why_not?.message ?? accountErrors.PENALTY_ACTIVE.message}</p>
      <p className="muted">
        {shows === 1
          ? 'Se aplica al faltar a una clase reservada con un paquete ilimitado.'
          : `Se aplica al faltar a ${shows} clases seguidas con un paquete ilimitado.`}
      </p>
      {cls.opens_at && (
        <Banner tone="warn" icon={<IconLock className="icon" aria-hidden="true" />} title={`Hasta el ${formatWall(cls.opens_at, 'class')}`}>
          Desde entonces puedes reservar otra vez.
        </Banner>
      )}
    </Dialog>
  )
}
