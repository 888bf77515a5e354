import { useState } from 'react'
import type { ClassDetail } from '#contract/schedule.ts'
import { formatWall } from '#contract/time.ts'
import { ProfilePrompt } from '#web/features/account/profile-prompt.tsx'
import { myReservationText } from '#web/features/calendar/class-facts.ts'
import { useCustomer } from '#web/lib/customer.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { BareDialog, Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useClassDetail } from './class-detail.ts'
import { PenaltyDialog } from './penalty-dialog.tsx'
import { type RepeatedWeeks, RepeatReport } from './repeat-report.tsx'
import { ReserveForm } from './reserve-form.tsx'
import { NoCredits, NotOpened, Refused, SoldApart } from './reserve-refusals.tsx'

interface ReserveDialogProps {
  /** the class to reserve, or null while the dialog is closed */
  classId: number | null
  /** the customer has reserved the class already: show that reservation */
  onMine: (classReservationId: number) => void
  /** the class is full: show its waitlist */
  onJoin: (classId: number) => void
  onClose: () => void
}

/** The dialog for a reservation: spot map, guest, the credit to be used and its consequence (S2-2.27, S2-2.30, settled 18, 21, 23). */
export function ReserveDialog({ classId, onMine, onJoin, onClose }: ReserveDialogProps) {
  const { cls, error, refetch } = useClassDetail(classId)
  // The report of the booked weeks stays open although the class is now reserved.
  const [repeated, setRepeated] = useState<{ classId: number; report: RepeatedWeeks } | null>(null)
  const site = useSite()
  const { missing } = useCustomer()
  const reserve = cls?.actions.reserve
  if (repeated && repeated.classId === classId) return <Repeated report={repeated.report} onClose={onClose} />
  if (cls && cls.state === 'penalised') return <PenaltyDialog cls={cls} onClose={onClose} />
  if (cls && reserve === 'ok' && site.profile_required_to_reserve && missing.length > 0) return <ProfilePrompt onClose={onClose} />
  if (cls && reserve === 'buy_credits') return <NoCredits cls={cls} onClose={onClose} />
  if (cls && reserve === 'buy' && cls.class_package_id !== null)
    return <SoldApart cls={cls} packageId={cls.class_package_id} onClose={onClose} />
  if (cls?.mine && cls.state === 'reserved') return <Already cls={cls} onMine={onMine} onClose={onClose} />
  if (cls && reserve !== 'ok') return <Refused cls={cls} onJoin={onJoin} onClose={onClose} />
  if (error && !cls) return <NotOpened error={error} retry={() => void refetch()} onClose={onClose} />
  return (
    <BareDialog open={classId !== null} onClose={onClose} width="wide" labelledBy="reservar-clase">
      {cls ? (
        <ReserveForm
          key={cls.single_class_id}
          cls={cls}
          onRepeated={(report) => setRepeated({ classId: cls.single_class_id, report })}
          onClose={onClose}
        />
      ) : (
        <div className="dialog-body" role="status">
          <h2 id="reservar-clase" className="sr-only" tabIndex={-1} data-title>
            Cargando la clase
          </h2>
          <Skeleton height="42px" width="60%" />
          <Skeleton height="180px" />
          <Skeleton height="64px" />
        </div>
      )}
    </BareDialog>
  )
}

function Already({ cls, onMine, onClose }: { cls: ClassDetail; onMine: (id: number) => void; onClose: () => void }) {
  const { mine } = cls
  return (
    <Dialog
      open
      onClose={onClose}
      title="Ya tienes tu lugar"
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            Entendido
          </Button>
          {mine && <Button onClick={() => onMine(mine.class_reservation_id)}>Ver mi lugar</Button>}
        </>
      }
    >
      <p>{[`${cls.class_type.name}, ${formatWall(cls.class_date, 'class')}`, myReservationText(cls)].filter(Boolean).join('. ')}.</p>
    </Dialog>
  )
}

function Repeated({ report, onClose }: { report: RepeatedWeeks; onClose: () => void }) {
  return (
    <Dialog open onClose={onClose} title="Repetir cada semana" actions={<Button onClick={onClose}>Listo</Button>}>
      <RepeatReport report={report} />
    </Dialog>
  )
}
