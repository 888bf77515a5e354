import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { PlannedClass } from '#contract/studio-schedule.ts'
import { formatWall } from '#contract/time.ts'
import { offerUndo } from '#web/features/admin/frame/undo.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { undoPlanEdit } from './take-back.ts'
import { deletedText, listText } from './timetable-text.ts'
import { useTimetableRefresh } from './use-timetable.ts'

interface DeleteClassesProps {
  classes: readonly PlannedClass[]
  onDone: () => void
  onClose: () => void
}

/** Deletes the classes that never had a reservation and discards unpublished ones; the others stay and are named. */
export default function DeleteClasses({ classes, onDone, onClose }: DeleteClassesProps) {
  const refresh = useTimetableRefresh()
  const published = classes.filter(({ single_class_id }) => single_class_id !== null)
  const drafts = [...new Set(classes.flatMap((cls) => (cls.single_class_id === null ? (cls.class_draft_id ?? []) : [])))]
  const unpublished = classes.length - published.length
  const changes = published.map((cls) => ({ op: 'delete' as const, scope: 'one' as const, single_class_id: cls.single_class_id ?? 0 }))
  const call = (dry_run: boolean) => api.studioSchedule.change({ changes, partial: true, dry_run })
  const { mutate: rehearse, ...trial } = useMutation({ meta: { handled: true }, mutationFn: () => call(true) })
  const hasPublished = changes.length > 0
  useEffect(() => {
    if (hasPublished) rehearse()
  }, [hasPublished, rehearse])
  const send = useIdempotentMutation(
    async (_: { ids: number[] }, { context }) => {
      if (drafts.length > 0) await api.studioSchedule.discard({ class_draft_id: drafts })
      return hasPublished ? await api.studioSchedule.change({ changes, partial: true }, { context }) : null
    },
    {
      async onSuccess(answer) {
        await refresh()
        const text = deletedText((answer?.result.deleted ?? 0) + unpublished)
        const undo = answer?.undo
        if (undo) offerUndo(text, () => void undoPlanEdit(undo.undo_id, refresh))
        else showAlert('success', text)
        onDone()
      },
      onError: () => undefined,
    },
  )
  const failure = send.error ?? trial.error
  const result = trial.data?.result
  const deleted = (result?.deleted ?? 0) + unpublished
  const refused = (result?.refused ?? []).flatMap(({ index }) => published[index] ?? [])
  const isReady = !hasPublished || result !== undefined
  return (
    <Dialog
      open
      onClose={send.isPending ? null : onClose}
      title={classes.length === 1 ? 'Eliminar la clase' : 'Eliminar clases'}
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            No, volver
          </Button>
          <Button
            variant="danger"
            loading={send.isPending}
            reason={isReady && deleted === 0 ? 'No hay ninguna que se pueda eliminar.' : null}
            onClick={() => isReady && deleted > 0 && send.mutate({ ids: changes.map(({ single_class_id }) => single_class_id) })}
          >
            Sí, eliminar
          </Button>
        </>
      }
    >
      {failure && (
        <Banner tone="danger" live>
          {toFailure(failure).message}
        </Banner>
      )}
      {!isReady && !failure && <Skeleton height="48px" />}
      {isReady && <p>{deleted === 0 ? 'Ninguna se elimina.' : deleted === 1 ? 'Se elimina 1 clase.' : `Se eliminan ${deleted} clases.`}</p>}
      {refused.length > 0 && (
        <Banner
          tone="warn"
          title={refused.length === 1 ? 'Se queda 1 que alguien reservó' : `Se quedan ${refused.length} que alguien reservó`}
        >
          {listText(refused.map((cls) => `${cls.class_type.name}, ${formatWall(cls.class_date, 'class')}`))} Esas se cancelan.
        </Banner>
      )}
    </Dialog>
  )
}
