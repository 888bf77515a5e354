/**
 * Dialogs and panels whose actions may require the password first (use-proven.tsx): the password form replaces the form and its buttons.
 */
import type { ReactNode } from 'react'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Drawer } from '#web/ui/drawer.tsx'

interface ProvenFormProps {
  title: string
  /** the password form, while it is open */
  proof: ReactNode
  loading: boolean
  onClose(): void
  children: ReactNode
}

/** Why it was refused, above a form. */
function Refused({ children }: { children: string | null }) {
  return (
    children !== null && (
      <Banner tone="danger" live>
        {children}
      </Banner>
    )
  )
}

interface ProvenDialogProps extends ProvenFormProps {
  /** what the button does */
  verb: string
  failed: string | null
  onSubmit(): void
}

/** A form that creates something. */
export function ProvenDialog({ title, verb, proof, loading, failed, onSubmit, onClose, children }: ProvenDialogProps) {
  return (
    <Dialog
      open
      width="middle"
      onClose={loading ? null : onClose}
      title={title}
      actions={
        !proof && (
          <>
            <Button variant="outline" onClick={onClose}>
              Cancelar
            </Button>
            <Button loading={loading} onClick={onSubmit}>
              {verb}
            </Button>
          </>
        )
      }
    >
      {proof ?? (
        <>
          <Refused>{failed}</Refused>
          {children}
        </>
      )}
    </Dialog>
  )
}

interface ProvenPanelProps extends ProvenFormProps {
  /** why it cannot be saved now */
  problem: string | null
  /** null: nothing to save */
  onSave: (() => void) | null
}

/** A record that is changed beside its list. */
export function ProvenPanel({ title, proof, loading, problem, onSave, onClose, children }: ProvenPanelProps) {
  return (
    <Drawer
      open
      side="right"
      label={title}
      closeLabel="Cerrar"
      onClose={onClose}
      head={<h2 className="t3 ellipsis">{title}</h2>}
      foot={
        onSave &&
        !proof && (
          <div className="panel-foot">
            <Button loading={loading} reason={problem} onClick={() => problem === null && onSave()}>
              Guardar
            </Button>
          </div>
        )
      }
    >
      {children}
    </Drawer>
  )
}
