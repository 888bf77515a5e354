import { useMutation, useQuery } from '@tanstack/react-query'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { NotLoaded } from '#web/features/site/not-loaded.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Loading } from '#web/ui/skeleton.tsx'
import { useRosterChanged } from './use-roster.ts'

/** Cerrar lista: previews the customers who count as absent and the penalties before the roster is closed. */
export default function CloseRoster({ single_class_id, onClose }: { single_class_id: number; onClose: () => void }) {
  const changed = useRosterChanged()
  const input = { single_class_id: String(single_class_id) }
  const preview = useQuery({
    queryKey: [...queries.frontDesk.closeRoster.key(), single_class_id],
    queryFn: () => api.frontDesk.closeRoster({ ...input, dry_run: true }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    meta: { handled: true },
  })
  const close = useMutation({
    meta: { handled: true },
    mutationFn: () => api.frontDesk.closeRoster(input),
    onSuccess() {
      showAlert('success', 'Lista cerrada.')
      onClose()
    },
    onSettled: changed,
  })
  const { no_shows = [], attended = 0, was_closed = false } = preview.data ?? {}
  return (
    <Dialog
      open
      onClose={close.isPending ? null : onClose}
      title={was_closed ? 'La lista ya está cerrada' : 'Cerrar lista'}
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            {was_closed ? 'Volver' : 'Todavía no'}
          </Button>
          {preview.data && !was_closed && (
            <Button loading={close.isPending} onClick={() => close.mutate()}>
              Cerrar lista
            </Button>
          )}
        </>
      }
    >
      <Loading loading={preview.isPending} skeleton={<ListSkeleton rows={2} />}>
        {preview.isError ? (
          <NotLoaded query={preview}>{toFailure(preview.error).message}</NotLoaded>
        ) : (
          <div className="stack gap-16">
            <p>
              {attended === 1 ? '1 persona asistió' : `${attended} personas asistieron`}
              {no_shows.length === 0
                ? ' y nadie faltó.'
                : no_shows.length === 1
                  ? ' y 1 no asistió:'
                  : ` y ${no_shows.length} no asistieron:`}
            </p>
            {no_shows.length > 0 && (
              <ul className="closing-list">
                {no_shows.map((row) => (
                  <li key={row.class_reservation_id}>
                    <span className="strong">{row.guest ?? `${row.name} ${row.last_name}`.trim()}</span>
                    {row.guest && <span className="small muted">Con {row.name}</span>}
                    {row.penalty && <Badge tone="danger">Empieza su penalización</Badge>}
                  </li>
                ))}
              </ul>
            )}
            {!was_closed && <p className="small muted">Después puedes corregir a cualquiera en la lista.</p>}
          </div>
        )}
      </Loading>
      {close.isError && (
        <Banner tone="danger" live>
          {toFailure(close.error).message}
        </Banner>
      )}
    </Dialog>
  )
}
