import { lazy, Suspense } from 'react'
import type { ClassChange, PlannedClass } from '#contract/studio-schedule.ts'
import { formatWall } from '#contract/time.ts'
import { CancelClass, type Scope } from './cancel-class.tsx'
import { PublishDialog } from './publish-dialog.tsx'

const RuleTestDialog = lazy(() => import('./rule-test.tsx'))
const SubstituteDialog = lazy(() => import('./substitute-dialog.tsx'))

/** The dialogs of the panel of a class. */
export type ClassDialog = 'publish' | 'cancel' | 'delete' | 'substitute' | 'rules'

interface OpenClassDialogProps {
  dialog: ClassDialog
  cls: PlannedClass | null
  /** What is published; null when nothing was changed. */
  change: ClassChange | null
  scope: Scope
  /** After the class was changed, cancelled or deleted. */
  onDone: () => void
  onClose: () => void
}

/** The dialog that is open over the panel of a class. */
export function OpenClassDialog({ dialog, cls, change, scope, onDone, onClose }: OpenClassDialogProps) {
  return (
    <>
      {dialog === 'publish' && change && (
        <PublishDialog
          title="Publicar el cambio"
          yes="Publicar"
          changes={[change]}
          done={() => 'Cambios publicados.'}
          onDone={onDone}
          onClose={onClose}
        />
      )}
      {dialog === 'cancel' && cls && <CancelClass cls={cls} scope={scope} onDone={onDone} onClose={onClose} />}
      {dialog === 'rules' && cls?.single_class_id && (
        <Suspense>
          <RuleTestDialog
            single_class_id={cls.single_class_id}
            name={`${cls.class_type.name}, ${formatWall(cls.class_date, 'class')}`}
            onClose={onClose}
          />
        </Suspense>
      )}
      {dialog === 'substitute' && cls?.single_class_id && (
        <Suspense>
          <SubstituteDialog
            classes={[
              {
                single_class_id: cls.single_class_id,
                text: `${cls.class_type.name}, ${formatWall(cls.class_date, 'class')} · ${cls.location.name}`,
              },
            ]}
            canAssign
            onClose={onClose}
          />
        </Suspense>
      )}
      {dialog === 'delete' && cls?.single_class_id && (
        <PublishDialog
          title="Eliminar la clase"
          yes="Sí, eliminar"
          danger
          changes={[{ op: 'delete', scope, single_class_id: cls.single_class_id }]}
          done={() => 'Clase eliminada.'}
          onDone={onDone}
          onClose={onClose}
        />
      )}
    </>
  )
}
