import type { PlannedClass } from '#contract/studio-schedule.ts'
import { Button } from '#web/ui/button.tsx'
import type { ClassDialog } from './open-class-dialog.tsx'

interface ClassActionsProps {
  cls: PlannedClass | null
  isNew: boolean
  locked: boolean
  isChanged: boolean
  saving: boolean
  onSave: () => void
  discarding: boolean
  onDiscard: (class_draft_id: number) => void
  onOpen: (dialog: ClassDialog) => void
}

/** What can be done with the class that is open. */
export function ClassActions(props: ClassActionsProps) {
  const { cls, isNew, locked, isChanged, saving, onSave, discarding, onDiscard, onOpen } = props
  return (
    <>
      {!isNew && (
        <div className="plan-actions">
          {!locked && (
            <Button variant="outline" onClick={() => onOpen('substitute')}>
              Buscar suplente
            </Button>
          )}
          {!locked && (
            <Button variant="danger-quiet" onClick={() => onOpen('cancel')}>
              Cancelar clase
            </Button>
          )}
          {cls && cls.taken + cls.held + cls.waiting === 0 && (
            <Button variant="danger-quiet" onClick={() => onOpen('delete')}>
              Eliminar
            </Button>
          )}
        </div>
      )}
      {(!locked || cls?.class_draft_id) && (
        <div className="panel-foot">
          {cls?.class_draft_id && (
            <Button variant="outline" loading={discarding} onClick={() => onDiscard(cls.class_draft_id ?? 0)}>
              Descartar cambios
            </Button>
          )}
          {!locked && (
            <Button loading={saving} reason={!isNew && !isChanged ? 'Sin cambios.' : null} onClick={onSave}>
              {isNew && !cls ? 'Crear clase' : 'Guardar cambios'}
            </Button>
          )}
        </div>
      )}
    </>
  )
}
