import { lazy, Suspense, useEffect, useState } from 'react'
import type { Reservation } from '#contract/bookings.ts'
import { spotName } from '#contract/copy/names.ts'
import { formatWall } from '#contract/time.ts'
import { drawAccessCode } from '#web/features/calendar/access-code-picture.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import './access-code.css'

/** An extra, loaded with the code; without it the code is whole. */
const WalletButton = lazy(() => import('./wallet-button.tsx').catch(() => ({ default: () => null })))

/** 'Código de Acceso': a QR code of the address that opens this reservation at reception (S2-2.49, S2-2.50, settled 26). */
export function AccessCode({ row, onClose }: { row: Reservation | null; onClose: () => void }) {
  const site = useSite()
  const [picture, setPicture] = useState<string | null>(null)
  const id = row?.class_reservation_id
  useEffect(() => {
    if (!id) return
    let current = true
    setPicture(null)
    void drawAccessCode(site.publicUrl, id).then((url) => current && setPicture(url))
    return () => {
      current = false
    }
  }, [id, site.publicUrl])
  return (
    <Dialog open={row !== null} onClose={onClose} title="Código de Acceso">
      {row && (
        <div className="access-code ground-stage">
          {picture ? (
            <img src={picture} width={280} height={280} alt={`Código de acceso de tu lugar en ${row.single_class.class_type.name}`} />
          ) : (
            <Skeleton width="280px" height="280px" />
          )}
          <p className="hour">{formatWall(row.single_class.class_date, 'class')}</p>
          <p>
            {[row.single_class.class_type.name, row.spot && spotName(row.spot, row.seat_label), row.single_class.location.name]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </div>
      )}
      <p className="small muted">Muéstralo en recepción al llegar.</p>
      {row && (
        <Suspense fallback={null}>
          <WalletButton reservation={row.class_reservation_id} />
        </Suspense>
      )}
    </Dialog>
  )
}
