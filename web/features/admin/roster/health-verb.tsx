import { useQuery } from '@tanstack/react-query'
import type { RosterReservation } from '#contract/attendance.ts'
import { Loaded } from '#web/features/site/loaded.tsx'
import { api } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { DefinitionList } from '#web/ui/definition-list.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** What a customer said about their health. It is read on request, because every reading is recorded. */
export default function HealthAnswers({ row, onClose, onBack }: { row: RosterReservation; onClose: () => void; onBack: () => void }) {
  const { class_reservation_id } = row
  // A key of its own: what reads reservations again after a live event must not read and record this once more.
  const query = useQuery({
    queryKey: ['health-answers', class_reservation_id],
    queryFn: () => api.attendance.health({ class_reservation_id }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    meta: { handled: true },
  })
  const answers = query.data?.answers ?? []
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Salud de ${row.name}`}
      actions={
        <Button variant="outline" onClick={onBack}>
          Volver
        </Button>
      }
    >
      <Loaded
        query={query}
        skeleton={<Skeleton height="80px" />}
        failed="No pudimos cargar lo que dijo de su salud."
        nothing={answers.length === 0 && <p className="muted">Ya no dice nada de su salud.</p>}
      >
        <DefinitionList items={answers.map(({ label, answer }) => [label, answer] as const)} />
      </Loaded>
      <p className="small muted">Queda en la bitácora que lo viste.</p>
    </Dialog>
  )
}
