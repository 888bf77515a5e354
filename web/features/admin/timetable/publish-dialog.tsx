import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { ChangeResult, ClassChange } from '#contract/studio-schedule.ts'
import { offerUndo } from '#web/features/admin/frame/undo.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Conflicts } from './conflicts.tsx'
import { findMeanwhileConflict, type Meanwhile, MeanwhileChanges } from './meanwhile.tsx'
import { undoPlanEdit } from './take-back.ts'
import { resultSentences } from './timetable-text.ts'
import { useTimetableRefresh } from './use-timetable.ts'

interface PublishDialogProps {
  title: string
  yes: string
  danger?: boolean
  /** What is published: the given changes, the caller's drafts (all, or some by their ids), or another end of a series. */
  changes: readonly ClassChange[] | 'drafts' | { drafts: number[] } | { series: SeriesEnd }
  /** The message after publishing. */
  done: (result: ChangeResult) => string
  onDone: () => void
  onClose: () => void
  /** further fields, above what it does */
  children?: ReactNode
}

/** The end that a series gets. */
type SeriesEnd = Omit<Parameters<typeof api.classSeries.update>[0], 'dry_run'>

type CallOptions = Parameters<typeof api.studioSchedule.publish>[1]
type Sent = { tell: boolean; dry_run: boolean }

/** Shows the effect of changes before they are published: classes, people who get a message, credits that return, conflicts that stay. */
export function PublishDialog({ title, yes, danger = false, changes, done, onDone, onClose, children }: PublishDialogProps) {
  const [shouldNotify, setShouldNotify] = useState(true)
  // For classes that another person changed meanwhile: the version that was shown and is overwritten.
  const [seen, setSeen] = useState<ReadonlyMap<number, string>>(new Map())
  const refresh = useTimetableRefresh()
  const isSeries = typeof changes === 'object' && 'series' in changes
  const call = (sent: Sent, how?: CallOptions) => {
    if (changes === 'drafts') return api.studioSchedule.publish(sent, how)
    if ('drafts' in changes) return api.studioSchedule.publish({ ...sent, class_draft_ids: changes.drafts }, how)
    if ('series' in changes) return api.classSeries.update({ ...changes.series, dry_run: sent.dry_run }, how)
    const current = changes.map((change) => {
      const updatedAt = seen.get(change.single_class_id ?? 0)
      return updatedAt === undefined ? change : { ...change, if_updatedAt: updatedAt }
    })
    return api.studioSchedule.change({ ...sent, changes: current, as: 'publish' }, how)
  }
  const { mutate: rehearse, ...trial } = useMutation({ meta: { handled: true }, mutationFn: () => call({ tell: true, dry_run: true }) })
  // biome-ignore lint/correctness/useExhaustiveDependencies: again once the person has decided about a conflict
  useEffect(() => rehearse(), [rehearse, seen])
  const publish = useIdempotentMutation((sent: Sent, how) => call(sent, how), {
    async onSuccess({ result, undo }) {
      await refresh()
      if (undo) offerUndo(done(result), () => void undoPlanEdit(undo.undo_id, refresh))
      else showAlert('success', done(result))
      onDone()
    },
    onError: () => undefined,
  })
  const failure = publish.error ?? trial.error
  const result = trial.data?.result
  const refused = failure ? toFailure(failure) : null
  const conflict = refused && findMeanwhileConflict(refused)
  /** Decides between the two versions of a draft: it is based on the class as it is now, or it is discarded. */
  const settle = useIdempotentMutation(
    async ({ of, keep }: { of: Meanwhile; keep: boolean }, { context }) => {
      const { single_class_id, class_draft_id, op, scope, reason, updatedAt } = of
      const change = { op, scope, single_class_id, class_draft_id, reason, if_updatedAt: updatedAt }
      if (class_draft_id !== null && !keep) await api.studioSchedule.discard({ class_draft_id: [class_draft_id] }, { context })
      else if (class_draft_id !== null)
        await api.studioSchedule.change({ as: 'draft', changes: [op === 'update' ? { ...change, fields: {} } : change] }, { context })
      return { of, keep }
    },
    {
      async onSuccess({ of, keep }) {
        await refresh()
        publish.reset()
        if (of.class_draft_id === null && !keep) onDone()
        else setSeen((before) => new Map([...before, [of.single_class_id, of.updatedAt]]))
      },
      onError: () => undefined,
    },
  )
  return (
    <Dialog
      open
      onClose={publish.isPending ? null : onClose}
      title={title}
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            No, volver
          </Button>
          <Button
            variant={danger ? 'danger' : 'filled'}
            loading={publish.isPending}
            reason={trial.isError ? 'Así no se puede publicar.' : null}
            onClick={() => result && publish.mutate({ tell: shouldNotify, dry_run: false })}
          >
            {yes}
          </Button>
        </>
      }
    >
      {children}
      {conflict ? (
        <MeanwhileChanges
          of={conflict}
          busy={settle.isPending}
          onReapply={() => settle.mutate({ of: conflict, keep: true })}
          onLeave={() => !settle.isPending && settle.mutate({ of: conflict, keep: false })}
        />
      ) : (
        refused && (
          <Banner tone="danger" live>
            {refused.message}
          </Banner>
        )
      )}
      {settle.isError && (
        <Banner tone="danger" live>
          {toFailure(settle.error).message}
        </Banner>
      )}
      {trial.isPending && <Skeleton height="72px" />}
      {result && (
        <>
          <ul className="plan-result">
            {resultSentences(result).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          <Conflicts conflicts={result.conflicts} />
          {result.told > 0 && !isSeries && (
            <Switch
              checked={shouldNotify}
              onChange={(event) => setShouldNotify(event.currentTarget.checked)}
              hint="De otra hora, otro estudio o una cancelación se avisa siempre. Apagado, no se avisa de otro coach."
            >
              Avisar a las personas con reservación
            </Switch>
          )}
        </>
      )}
    </Dialog>
  )
}
