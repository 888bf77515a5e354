import { useState } from 'react'
import type { ClassChange, PlannedClass } from '#contract/studio-schedule.ts'
import { offerUndo } from '#web/features/admin/frame/undo.tsx'
import { ReasonDialog } from '#web/features/admin/people/reason-dialog.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api } from '#web/lib/api.ts'
import { RadioCards } from '#web/ui/choice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { CancelPreview } from './cancel-preview.tsx'
import { undoPlanEdit } from './take-back.ts'
import { notifiedText } from './timetable-text.ts'
import { useCancelTrial } from './use-cancel-trial.ts'
import { useTimetableRefresh } from './use-timetable.ts'

export type Scope = ClassChange['scope']

/** shown after a cancellation was stored as a draft */
export const DRAFTED = 'Queda como borrador: se cancela cuando publiques tus cambios, y hasta entonces nadie se entera.'

export const SCOPES = [
  { value: 'one', title: 'Solo esta' },
  { value: 'following', title: 'Esta y las siguientes' },
  { value: 'all', title: 'Todas las que faltan' },
] as const

/** Cancels a class, or those of its series, after showing the effect on customers; requires a reason, which is sent to them. */
export function CancelClass({ cls, scope, onDone, onClose }: { cls: PlannedClass; scope: Scope; onDone: () => void; onClose: () => void }) {
  const refresh = useTimetableRefresh()
  const [which, setWhich] = useState<Scope>(scope)
  const { single_class_id } = cls
  const trial = useCancelTrial(single_class_id === null ? [] : [single_class_id], which, false)
  if (single_class_id === null) return null
  const people =
    cls.taken === 0
      ? 'Nadie tiene lugar en esta clase.'
      : cls.taken === 1
        ? 'Se avisa a la persona que tiene lugar y le regresa su crédito.'
        : `Se avisa a las personas de los ${cls.taken} lugares y les regresan sus créditos.`
  return (
    <ReasonDialog
      title="Cancelar clase"
      yes="Sí, cancelar"
      no="No, conservarla"
      danger
      consequence={which === 'one' ? people : 'Se avisa a todas las personas con lugar en esas clases y les regresan sus créditos.'}
      send={async (reason) => {
        const { result, undo } = await api.studioSchedule.change({
          changes: [{ op: 'cancel', scope: which, single_class_id, reason }],
          as: 'publish',
        })
        await refresh()
        if (undo) offerUndo(`Clase cancelada. ${notifiedText(result.told)}`, () => void undoPlanEdit(undo.undo_id, refresh))
      }}
      other={{
        label: 'Dejar como borrador',
        async send(reason) {
          await api.studioSchedule.change({ changes: [{ op: 'cancel', scope: which, single_class_id, reason }], as: 'draft' })
          await refresh()
          showAlert('success', DRAFTED)
        },
      }}
      onDone={onDone}
      onClose={onClose}
    >
      {cls.class_series_id !== null && <RadioCards legend="Qué clases se cancelan" options={SCOPES} value={which} onChange={setWhich} />}
      {trial.isPending && cls.taken > 0 && <Skeleton height="72px" />}
      {trial.data && <CancelPreview result={trial.data.result} />}
    </ReasonDialog>
  )
}
