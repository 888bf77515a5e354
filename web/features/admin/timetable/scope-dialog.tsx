import { useState } from 'react'
import type { PlannedClass } from '#contract/studio-schedule.ts'
import { Button } from '#web/ui/button.tsx'
import { RadioCards } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { SCOPES, type Scope } from './cancel-class.tsx'

interface ScopeDialogProps {
  cls: PlannedClass
  onChoose: (scope: Scope) => void
  onClose: () => void
}

/** Which classes of a series an edit on the grid changes. Enter chooses, as in a form. */
export function ScopeDialog({ cls, onChoose, onClose }: ScopeDialogProps) {
  const [scope, setScope] = useState<Scope>('one')
  const form = 'cambio-de-serie'
  return (
    <Dialog
      open
      onClose={onClose}
      title={cls.class_type.name}
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            No, volver
          </Button>
          <Button type="submit" form={form}>
            Guardar
          </Button>
        </>
      }
    >
      <form
        id={form}
        onSubmit={(event) => {
          event.preventDefault()
          onChoose(scope)
        }}
      >
        <RadioCards legend="Qué clases cambian" options={SCOPES} value={scope} onChange={setScope} />
      </form>
    </Dialog>
  )
}
