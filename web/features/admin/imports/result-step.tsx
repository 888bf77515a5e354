import { lazy, Suspense, useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import type { ImportView } from '#contract/imports.ts'
import { formatInstant } from '#contract/time.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { doneText, recordsText } from './import-text.ts'

const InvitePeople = lazy(() => import('./invite-people.tsx'))
const UndoDialog = lazy(() => import('./undo-dialog.tsx'))

/** Importar and Resultado: progress, what was made, and taking it back. */
export function ResultStep({ view, onView }: { view: ImportView; onView: (view: ImportView) => void }) {
  const site = useSite()
  const staff = useStaff()
  const [undoing, setUndoing] = useState(false)
  const { counts, state } = view
  const isSchedule = view.kind === 'classes' || view.kind === 'reservations'
  const isBusy = state === 'running' || state === 'undoing'
  const total = isBusy ? view.progress + (counts.new ?? 0) + (counts.update ?? 0) + (state === 'undoing' ? (counts.done ?? 0) : 0) : 0
  return (
    <section className="panel-card import-card" aria-labelledby="import-result">
      <h2 id="import-result" className="t3">
        {
          {
            draft: '',
            running: 'Importando',
            done: doneText(view.kind, counts.done ?? 0),
            undoing: 'Deshaciendo',
            undone: 'Se deshizo la importación.',
          }[state]
        }
      </h2>
      {isBusy && (
        <>
          <progress max={Math.max(1, total)} value={view.progress} aria-labelledby="import-result" />
          <p className="muted">Puedes cerrar esta pantalla: sigue sola.</p>
        </>
      )}
      {state === 'undone' && (counts.stayed ?? 0) > 0 && (
        <p>{recordsText(view.kind, counts.stayed ?? 0)} se quedan porque ya se usaron. Abajo está por qué.</p>
      )}
      {state === 'done' && (
        <>
          <p className="muted">No se avisó a nadie.</p>
          <div className="import-verbs">
            <Button as={AppLink} to={isSchedule ? adminPaths.schedule : adminPaths.customers} variant="outline">
              {isSchedule ? 'Ver el horario' : 'Ver clientes'}
            </Button>
            {view.undo_until && (
              <Button variant="danger-quiet" onClick={() => setUndoing(true)}>
                Deshacer
              </Button>
            )}
          </div>
          {view.undo_until && (
            <p className="small muted">Se puede deshacer hasta el {formatInstant(new Date(view.undo_until), site.zone, 'class')}.</p>
          )}
        </>
      )}
      {state === 'done' && view.kind === 'customers' && may(staff, 'customers.edit') && (
        <Suspense>
          <InvitePeople import_id={view.import_id} />
        </Suspense>
      )}
      {undoing && (
        <Suspense>
          <UndoDialog view={view} onView={onView} onClose={() => setUndoing(false)} />
        </Suspense>
      )}
    </section>
  )
}
