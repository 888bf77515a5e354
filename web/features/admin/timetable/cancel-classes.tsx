import type { ChangeResult, PlannedClass } from '#contract/studio-schedule.ts'
import { offerUndo } from '#web/features/admin/frame/undo.tsx'
import { ReasonDialog } from '#web/features/admin/people/reason-dialog.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { DRAFTED } from './cancel-class.tsx'
import { CancelPreview } from './cancel-preview.tsx'
import { undoPlanEdit } from './take-back.ts'
import { notifiedText, resultSentences } from './timetable-text.ts'
import { useCancelTrial } from './use-cancel-trial.ts'
import { useTimetableRefresh } from './use-timetable.ts'

interface CancelClassesProps {
  classes: readonly PlannedClass[]
  onDone: () => void
  onClose: () => void
}

const leftText = (count: number): string =>
  count === 1
    ? '1 no se cancela: no está publicada, ya empezó o ya se canceló.'
    : `${count} no se cancelan: no están publicadas, ya empezaron o ya se cancelaron.`

/** Cancels many classes at once with one reason, after showing the affected customers and their message. */
export default function CancelClasses({ classes, onDone, onClose }: CancelClassesProps) {
  const refresh = useTimetableRefresh()
  const ids = classes.flatMap((cls) => (cls.state === 'cancelled' ? [] : (cls.single_class_id ?? [])))
  const call = (reason: string, as: 'publish' | 'draft') =>
    api.studioSchedule.change({
      changes: ids.map((single_class_id) => ({ op: 'cancel' as const, scope: 'one' as const, single_class_id, reason })),
      partial: true,
      as,
    })
  const trial = useCancelTrial(ids, 'one', true)
  const result = trial.data?.result
  const left = classes.length - (result?.cancelled ?? 0)
  return (
    <ReasonDialog
      title={classes.length === 1 ? 'Cancelar clase' : `Cancelar ${classes.length} clases`}
      yes="Sí, cancelar"
      no="No, conservarlas"
      danger
      problem={ids.length === 0 || result?.cancelled === 0 ? 'No hay ninguna que se pueda cancelar.' : null}
      send={async (reason) => {
        const { result, undo } = await call(reason, 'publish')
        await refresh()
        if (undo) offerUndo(doneText(result), () => void undoPlanEdit(undo.undo_id, refresh))
      }}
      other={{
        label: 'Dejar como borrador',
        async send(reason) {
          await call(reason, 'draft')
          await refresh()
          showAlert('success', DRAFTED)
        },
      }}
      onDone={onDone}
      onClose={onClose}
    >
      {trial.isPending && <Skeleton height="72px" />}
      {trial.isError && (
        <Banner tone="danger" live>
          {toFailure(trial.error).message}
        </Banner>
      )}
      {result && (
        <ul className="plan-result">
          {resultSentences(result).map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
          {left > 0 && <li>{leftText(left)}</li>}
        </ul>
      )}
      {result && <CancelPreview result={result} />}
    </ReasonDialog>
  )
}

function doneText({ cancelled, told }: ChangeResult): string {
  const what = cancelled === 1 ? 'Clase cancelada.' : `Se cancelaron ${cancelled} clases.`
  return `${what} ${notifiedText(told)}`
}
