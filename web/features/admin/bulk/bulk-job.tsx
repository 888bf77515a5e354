import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { BulkJob } from '#contract/bulk.ts'
import { Loaded } from '#web/features/site/loaded.tsx'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Unchanged } from './bulk-dialog.tsx'
import { countOf } from './bulk-text.ts'

/** How often the progress is read where no live event says that it changed, in ms. */
const READ_MS = 5_000

const isOver = (state: BulkJob['state']) => state === 'done' || state === 'undone'

/** The progress and the result of a change to many customers; undoing it. The job continues when the dialog is closed. */
export function BulkJobDialog({ job_id, onClose }: { job_id: number; onClose: () => void }) {
  const client = useQueryClient()
  const options = queries.bulk.job.queryOptions({ input: { job_id }, meta: { handled: true } })
  const job = useQuery({
    ...options,
    staleTime: 0,
    refetchInterval: (query) => (query.state.data && isOver(query.state.data.state) ? false : READ_MS),
  })
  const undoing = useMutation({
    meta: { handled: true },
    mutationFn: () => api.bulk.undo({ job_id }),
    onSuccess: (after) => client.setQueryData(options.queryKey, after),
  })
  const state = job.data?.state
  useEffect(() => {
    if (state && isOver(state))
      for (const queryKey of [queries.customerList.key(), queries.credits.key(), queries.frontDesk.key(), queries.studioSales.key()])
        void client.invalidateQueries({ queryKey })
  }, [client, state])
  return (
    <Dialog
      open
      onClose={onClose}
      title={job.data?.label ?? 'Cambio a muchos'}
      actions={
        <>
          {job.data?.undo_until && (
            <Button variant="outline" loading={undoing.isPending} onClick={() => undoing.mutate()}>
              Deshacer
            </Button>
          )}
          <Button onClick={onClose}>Listo</Button>
        </>
      }
    >
      {undoing.isError && (
        <Banner tone="danger" live>
          {toFailure(undoing.error).message}
        </Banner>
      )}
      <Loaded query={job} skeleton={<Skeleton height="80px" />} failed="No pudimos leer cómo va." nothing={false}>
        {job.data && <Progress job={job.data} />}
      </Loaded>
    </Dialog>
  )
}

function Progress({ job }: { job: BulkJob }) {
  const { state, subject, done, total, changed, refused, refused_total } = job
  const count = (n: number) => n.toLocaleString('es-MX')
  if (isOver(state)) {
    const text =
      state === 'undone'
        ? changed === 0
          ? 'Deshecho.'
          : `Deshecho; ${changed === 1 ? '1 se queda' : `${count(changed)} se quedan`} como está${changed === 1 ? '' : 'n'}.`
        : `${countOf(subject, changed)} ${changed === 1 ? 'cambió' : 'cambiaron'}.`
    return (
      <div role="status">
        <Unchanged text={text} refused={refused} total={refused_total} />
      </div>
    )
  }
  return (
    <>
      <p role="status">{state === 'undoing' ? 'Deshaciendo' : state === 'waiting' ? 'Por empezar' : 'En curso'}. Sigue aunque cierres.</p>
      <progress className="bulk-progress" aria-label="Avance" value={done} max={total} />
      <p className="small muted">
        {count(done)} de {count(total)}
      </p>
    </>
  )
}
