import type { ClassChange, PlannedClass } from '#contract/studio-schedule.ts'
import { offerUndo } from '#web/features/admin/frame/undo.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { findMeanwhileConflict } from './meanwhile.tsx'
import { changesBack } from './plan-edits.ts'
import { undoPlanEdit } from './take-back.ts'
import { useTimetableRefresh } from './use-timetable.ts'

/** Changes that are being saved. */
export interface PlanSave {
  changes: ClassChange[]
  /** Its description: "Ciclo 45, jue 19 nov, 20:45". */
  text: string
  /** The classes as they were; empty for copies. */
  before: PlannedClass[]
}

interface PlanSaveOptions {
  saves_as: 'draft' | 'publish'
  /** After the week was read again. */
  onSaved: () => void
  onRefused: () => void
  /** After `onRefused`, when another person changed one of the classes: both versions have to be shown. */
  onConflict: (sent: PlanSave) => void
}

/** Saves changes of the timetable and offers to undo them. */
export function usePlanSave({ saves_as, onSaved, onRefused, onConflict }: PlanSaveOptions) {
  const refresh = useTimetableRefresh()

  /** Undoes stored drafts: new ones are discarded, changed ones get their values back. */
  async function unsave(before: readonly PlannedClass[], fresh: number[]): Promise<void> {
    try {
      const changed = before.filter(({ class_draft_id }) => class_draft_id !== null)
      if (changed.length > 0) await api.studioSchedule.change({ changes: changesBack(changed), as: 'draft' })
      if (fresh.length > 0) await api.studioSchedule.discard({ class_draft_id: fresh })
      showAlert('success', 'Deshecho.')
    } catch (error) {
      showAlert('alert', toFailure(error).message)
    }
    await refresh()
  }

  return useIdempotentMutation(
    async (sent: PlanSave, { context }) => ({
      sent,
      answer: await api.studioSchedule.change({ changes: sent.changes, as: saves_as }, { context }),
    }),
    {
      async onSuccess({ sent, answer }) {
        await refresh()
        onSaved()
        const { conflicts } = answer.result
        const [first] = conflicts
        const warning = first ? ` ${conflicts.length > 1 ? `Hay ${conflicts.length} conflictos: ` : ''}${first.message}` : ''
        const { undo } = answer
        const fresh = answer.classes.flatMap((cls) => {
          const before = sent.before.find((row) => row.single_class_id !== null && row.single_class_id === cls.single_class_id)
          return sent.before.length === 0 || (before && before.class_draft_id === null) ? (cls.class_draft_id ?? []) : []
        })
        offerUndo(
          `${sent.text}.${saves_as === 'draft' ? ' Falta publicarlo.' : ''}${warning}`,
          undo ? () => void undoPlanEdit(undo.undo_id, refresh) : () => void unsave(sent.before, [...new Set(fresh)]),
        )
      },
      onError(error, sent) {
        const failure = toFailure(error)
        onRefused()
        if (findMeanwhileConflict(failure)) onConflict(sent)
        else showAlert('alert', failure.message)
        return refresh()
      },
    },
  )
}
