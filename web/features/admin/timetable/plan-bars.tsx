import { IconX } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { Button, IconButton } from '#web/ui/button.tsx'
import type { PlanRecords } from './plan-views.ts'
import { PublishDialog } from './publish-dialog.tsx'
import { ScopeDialog } from './scope-dialog.tsx'
import type { usePlanEdits } from './use-plan-edits.ts'

const DeleteClasses = lazy(() => import('./delete-classes.tsx'))

interface PlanBarsProps {
  edits: ReturnType<typeof usePlanEdits>
  wide: boolean
  saves_as: 'draft' | 'publish'
  records: PlanRecords
}

/** Below the timetable: the edit that is not saved yet, what is selected, and what has to be decided first. */
export function PlanBars({ edits }: PlanBarsProps) {
  const { pending, asking, selection } = edits
  const close = () => edits.setAsking(null)
  const keys = edits.marks.pending
  return (
    <>
      <div role="status" className="plan-bars">
        {pending && (
          <div className="select-bar">
            <p className="strong grow">{pending.text}</p>
            <Button variant="quiet" size="small" onClick={pending.leave}>
              Dejarlo
            </Button>
            <Button variant="quiet" size="small" loading={pending.isSaving} onClick={pending.save} data-pending-save>
              Guardar
            </Button>
          </div>
        )}
      </div>
      {selection.length > 0 && !pending && (
        <section className="select-bar" aria-label="Selección">
          <p className="strong grow" aria-live="polite">
            {selection.length === 1 ? '1 clase seleccionada' : `${selection.length} clases seleccionadas`}
          </p>
          <IconButton bare label="Quitar la selección" onClick={edits.clear}>
            <IconX className="icon" aria-hidden="true" />
          </IconButton>
        </section>
      )}
      {asking?.kind === 'scope' && (
        <ScopeDialog
          cls={asking.cls}
          onClose={close}
          onChoose={(scope) => {
            close()
            edits.commit(keys.size > 0 ? [...keys] : [edits.keyOf(asking.cls)], asking.edit, scope)
          }}
        />
      )}
      {asking?.kind === 'publish' && (
        <PublishDialog
          title="Publicar el cambio"
          yes="Publicar"
          changes={asking.changes}
          done={() => `${asking.text}.`}
          onDone={() => {
            close()
            edits.settle()
          }}
          onClose={close}
        />
      )}
      {asking?.kind === 'delete' && (
        <Suspense>
          <DeleteClasses
            classes={edits.find(asking.keys)}
            onDone={() => {
              close()
              edits.clear()
            }}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  )
}
