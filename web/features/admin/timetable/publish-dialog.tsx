import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { ChangeResult, ClassChange } from '#contract/studio-schedule.ts'
import { offerUndo } from '#web/features/admin/frame/undo.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, useIdempotentMutation } from '#web/lib/api.ts'
import { failureOf } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { takeBack } from './take-back.ts'
import { resultSentences } from './timetable-text.ts'
import { useTimetableRefresh } from './use-timetable.ts'

interface PublishDialogProps {
  title: string
  yes: string
  danger?: boolean
  /** What is published: the given changes, or the caller's drafts: all, or some by their ids. */
  changes: readonly ClassChange[] | 'drafts' | { drafts: number[] }
  /** The message after publishing. */
  done: (result: ChangeResult) => string
  onDone: () => void
  onClose: () => void
  /** further fields, above what it does */
  children?: ReactNode
}

type CallOptions = Parameters<typeof api.studioSchedule.publish>[1]
type Sent = { tell: boolean; dry_run: boolean }

/** Shows the effect of changes before they are published: classes, people who are told, credits that return, conflicts that stay. */
export function PublishDialog({ title, yes, danger = false, changes, done, onDone, onClose, children }: PublishDialogProps) {
  const [tell, setTell] = useState(true)
  const refresh = useTimetableRefresh()
  const call = (sent: Sent, how?: CallOptions) => {
    if (changes === 'drafts') return api.studioSchedule.publish(sent, how)
    if ('drafts' in changes) return api.studioSchedule.publish({ ...sent, class_draft_ids: changes.drafts }, how)
    return api.studioSchedule.change({ ...sent, changes: [...changes], as: 'publish' }, how)
  }
  const { mutate: rehearse, ...trial } = useMutation({ meta: { handled: true }, mutationFn: () => call({ tell: true, dry_run: true }) })
  useEffect(() => rehearse(), [rehearse])
  const publish = useIdempotentMutation((sent: Sent, how) => call(sent, how), {
    async onSuccess({ result, undo }) {
      await refresh()
      if (undo) offerUndo(done(result), () => void takeBack(undo.undo_id, refresh))
      else showAlert('success', done(result))
      onDone()
    },
    onError: () => undefined,
  })
  const failure = publish.error ?? trial.error
  const result = trial.data?.result
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
            onClick={() => result && publish.mutate({ tell, dry_run: false })}
          >
            {yes}
          </Button>
        </>
      }
    >
      {children}
      {failure && (
        <Banner tone="danger" live>
          {failureOf(failure).message}
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
          {result.conflicts.length > 0 && (
            <Banner
              tone="warn"
              title={result.conflicts.length === 1 ? 'Queda 1 conflicto' : `Quedan ${result.conflicts.length} conflictos`}
            >
              <ul>
                {[...new Set(result.conflicts.map(({ message }) => message))].slice(0, 6).map((message) => (
                  <li key={message}>{message}</li>
                ))}
              </ul>
            </Banner>
          )}
          {result.told > 0 && (
            <Switch
              checked={tell}
              onChange={(event) => setTell(event.currentTarget.checked)}
              hint="De otra hora, otro estudio o una cancelación se avisa siempre."
            >
              Avisar también de un cambio de coach
            </Switch>
          )}
        </>
      )}
    </Dialog>
  )
}
