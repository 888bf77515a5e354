import type { ReactNode } from 'react'
import { ConfirmDialog } from '#web/ui/dialog.tsx'

interface RemoveDialogProps {
  open: boolean
  /** removes it; a refusal is shown by the screen behind the dialog */
  remove(): Promise<unknown>
  onClose(): void
  /** "¿Quieres eliminar “Yoga”?" */
  children: ReactNode
}

/** Asks before a record is removed. */
export function RemoveDialog({ open, remove, onClose, children }: RemoveDialogProps) {
  return (
    <ConfirmDialog open={open} yes="Sí, eliminar" no="No, conservar" onClose={onClose} onConfirm={() => remove().catch(() => undefined)}>
      {children}
    </ConfirmDialog>
  )
}
