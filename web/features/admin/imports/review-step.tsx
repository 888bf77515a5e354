import { IconDownload } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ImportRowState, ImportView } from '#contract/imports.ts'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { api, queries } from '#web/lib/api.ts'
import { alertFailure } from '#web/lib/errors.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { fixedCount, leftOut, STATE_NAMES } from './import-text.ts'
import { type Fixed, FixedRow, RowItem } from './review-row.tsx'

const TILES: readonly ImportRowState[] = ['new', 'update', 'same', 'duplicate', 'error', 'skipped', 'done', 'failed', 'undone', 'stayed']

interface ReviewStepProps {
  view: ImportView
  onView: (view: ImportView) => void
}

/** Revisión: the result of each row; errors are corrected and duplicates decided in place. Also the rows of a finished import. */
export function ReviewStep({ view, onView }: ReviewStepProps) {
  const { import_id, counts } = view
  const shown = TILES.filter((state) => counts[state])
  const [state, setState] = useState<ImportRowState | null>(counts.error ? 'error' : counts.duplicate ? 'duplicate' : null)
  const [page, setPage] = useState(1)
  /** Rows that were answered here and left the list: they stay in sight, to be taken back. */
  const [fixed, setFixed] = useState<readonly Fixed[]>([])
  const query = useQuery(
    queries.imports.rows.queryOptions({ input: { import_id, page, ...(state ? { state } : {}) }, meta: { handled: true } }),
  )
  const download = useMutation({
    meta: { handled: true },
    mutationFn: () => api.imports.rejected({ import_id }),
    onSuccess: saveFile,
    onError: alertFailure,
  })
  const choose = (next: ImportRowState | null) => {
    setState(next)
    setPage(1)
    setFixed([])
  }
  const rows = query.data?.rows ?? []
  const answered = (more: readonly Fixed[]) =>
    setFixed((before) => [...before.filter(({ row }) => !more.some((fix) => fix.row.n === row.n)), ...more])
  const removed = fixed.filter(({ row }) => !rows.some(({ n }) => n === row.n))
  const shownRows = [...rows.map((row) => ({ row, undo: null })), ...removed].sort((a, b) => a.row.n - b.row.n)
  return (
    <>
      {view.state === 'draft' && (
        <Banner title="Es un ensayo.">No se ha escrito nada ni se ha avisado a nadie. Después tienes 7 días para deshacer.</Banner>
      )}
      <div className="import-tiles">
        <button type="button" aria-pressed={state === null} onClick={() => choose(null)}>
          <span className="t3">{view.total.toLocaleString('es-MX')}</span>
          <span className="small">En el archivo</span>
        </button>
        {shown.map((key) => (
          <button key={key} type="button" aria-pressed={state === key} onClick={() => choose(state === key ? null : key)}>
            <span className="t3">{(counts[key] ?? 0).toLocaleString('es-MX')}</span>
            <span className="small">{STATE_NAMES[key]}</span>
          </button>
        ))}
      </div>
      <section className="panel-card import-card" aria-labelledby="import-rows">
        <div className="integration-head">
          <h2 id="import-rows" className="t3">
            {state ? STATE_NAMES[state] : 'Todos los renglones'}
          </h2>
          {removed.length > 0 && (
            <p className="small muted import-fixed-count" role="status">
              {fixedCount(query.data?.total ?? 0, removed.length)}
            </p>
          )}
          {leftOut(view) + (counts.failed ?? 0) > 0 && (
            <Button
              variant="outline"
              size="small"
              icon={<IconDownload className="icon" aria-hidden="true" />}
              loading={download.isPending}
              onClick={() => download.mutate()}
            >
              Descargar los que no entran
            </Button>
          )}
        </div>
        <Loaded
          query={query}
          skeleton={<ListSkeleton rows={5} />}
          failed="No pudimos cargar los renglones."
          nothing={shownRows.length === 0 && <p className="muted">Ya no queda ninguno.</p>}
        >
          <ul className="import-rows" aria-label="Renglones">
            {shownRows.map(({ row, undo }) =>
              undo ? (
                <FixedRow
                  key={row.n}
                  row={row}
                  undo={undo}
                  view={view}
                  onView={onView}
                  onUndone={() => setFixed((before) => before.filter((fix) => fix.row.n !== row.n))}
                />
              ) : (
                <RowItem key={row.n} row={row} view={view} onView={onView} onAnswered={answered} />
              ),
            )}
          </ul>
          <Pager page={page} pages={query.data?.pages ?? 1} onPage={setPage} />
        </Loaded>
      </section>
    </>
  )
}
