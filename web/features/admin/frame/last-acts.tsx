/** Lo último: what the signed-in staff member did in the last ten minutes and can still take back. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { formatInstant } from '#contract/time.ts'
import type { OpenUndo } from '#contract/undo.ts'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

/** Takes one back. Returns what could not be, in Spanish; null: all of it was. */
async function takeBack({ kind, id }: OpenUndo): Promise<string | null> {
  if (kind === 'act') await api.undos.undo({ undo_id: id })
  else if (kind === 'job') await api.bulk.undo({ job_id: id })
  else {
    const [refused] = (await api.studioSchedule.undo({ undo_id: id })).refused
    return refused ? `${refused.name}: ${refused.message}` : null
  }
  return null
}

export default function LastActs({ onClose }: { onClose: () => void }) {
  const { zone } = useSite()
  const client = useQueryClient()
  const query = useQuery(queries.undos.list.queryOptions({ staleTime: 0, meta: { handled: true } }))
  const undo = useMutation({
    meta: { handled: true },
    mutationFn: takeBack,
    onSuccess: (refused) => (refused ? showAlert('alert', refused) : showAlert('success', 'Deshecho.')),
    onError: (error) => showAlert('alert', toFailure(error).message),
    // Any screen may show the undone data.
    onSettled: () => client.invalidateQueries(),
  })
  const undos = query.data?.undos ?? []
  return (
    <Dialog
      open
      onClose={onClose}
      title="Lo último"
      actions={
        <Button variant="outline" onClick={onClose}>
          Cerrar
        </Button>
      }
    >
      <Loaded
        query={query}
        skeleton={<ListSkeleton rows={2} />}
        failed="No pudimos cargar lo último que hiciste."
        nothing={undos.length === 0 && <p className="muted">En los últimos diez minutos no hiciste nada que se pueda deshacer.</p>}
      >
        <ul className="last-acts">
          {undos.map((entry) => (
            <li key={`${entry.kind}-${entry.id}`}>
              <span className="grow">
                {entry.label}
                <span className="small muted">
                  {formatInstant(new Date(entry.at), zone, 'hour')} · se puede deshacer hasta las{' '}
                  {formatInstant(new Date(entry.until), zone, 'hour')}
                </span>
              </span>
              <Button
                size="small"
                variant="outline"
                aria-label={`Deshacer: ${entry.label}`}
                loading={undo.isPending && undo.variables.id === entry.id && undo.variables.kind === entry.kind}
                onClick={() => undo.mutate(entry)}
              >
                Deshacer
              </Button>
            </li>
          ))}
        </ul>
      </Loaded>
    </Dialog>
  )
}
