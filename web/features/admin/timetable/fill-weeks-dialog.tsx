/** What copying a week and applying a template share: both put classes into later weeks. */
import type { ReactNode } from 'react'
import { offerUndo } from '#web/features/admin/frame/undo.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { undoPlanEdit } from './take-back.ts'

interface FillWeeksDialogProps {
  title: string
  verb: 'Copiar' | 'Agregar'
  saves_as: 'draft' | 'publish'
  loading: boolean
  /** why it cannot be done now */
  problem: string | null
  failure: Error | null
  onSend(): void
  onClose(): void
  children: ReactNode
}

export function FillWeeksDialog({ title, verb, saves_as, loading, problem, failure, onSend, onClose, children }: FillWeeksDialogProps) {
  return (
    <Dialog
      open
      onClose={loading ? null : onClose}
      title={title}
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            No, volver
          </Button>
          <Button loading={loading} reason={problem} onClick={() => problem === null && onSend()}>
            {verb} {saves_as === 'draft' ? 'sin publicar' : 'y publicar'}
          </Button>
        </>
      }
    >
      {failure && (
        <Banner tone="danger" live>
          {toFailure(failure).message}
        </Banner>
      )}
      {children}
    </Dialog>
  )
}

export interface Fill {
  with_coaches: boolean
  on_conflict: 'mark' | 'skip'
}

export const FILL_DEFAULTS: Fill = { with_coaches: true, on_conflict: 'skip' }

interface FillFieldsProps {
  verb: 'Copiar' | 'Agregar'
  /** which classes are left out otherwise */
  hint: string
  value: Fill
  onChange(value: Fill): void
}

/** Whether the coaches go along, and the classes that meet others. */
export function FillFields({ verb, hint, value, onChange }: FillFieldsProps) {
  return (
    <>
      <Switch checked={value.with_coaches} onChange={(event) => onChange({ ...value, with_coaches: event.currentTarget.checked })}>
        Con sus coaches
      </Switch>
      <Switch
        checked={value.on_conflict === 'mark'}
        hint={hint}
        onChange={(event) => onChange({ ...value, on_conflict: event.currentTarget.checked ? 'mark' : 'skip' })}
      >
        {verb} también las que chocan
      </Switch>
    </>
  )
}

/** Says what was done, with the button that takes it back where it can be. */
export function showFilled(
  text: string,
  kind: 'success' | 'alert',
  undo: { undo_id: number } | null,
  refresh: () => Promise<unknown>,
): void {
  if (undo) offerUndo(text, () => void undoPlanEdit(undo.undo_id, refresh))
  else showAlert(kind, text)
}
