import type { ReactNode } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

interface ConflictDialogProps {
  title: string
  /** the refusal's sentence: who changed it and when */
  message: string
  /** Null while the stored version is loaded. */
  onTakeTheirs: (() => void) | null
  onSaveMine: (() => void) | null
  onClose: () => void
  /** both versions */
  children: ReactNode
}

/** The record was changed by another person since it was loaded: theirs is taken, or the own version is saved over it. */
export function ConflictDialog({ title, message, onTakeTheirs, onSaveMine, onClose, children }: ConflictDialogProps) {
  return (
    <Dialog
      open
      width="wide"
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            Seguir editando
          </Button>
          {onTakeTheirs && onSaveMine && (
            <>
              <Button variant="outline" onClick={onTakeTheirs}>
                Quedarme con la suya
              </Button>
              <Button onClick={onSaveMine}>Guardar la mía</Button>
            </>
          )}
        </>
      }
    >
      <p>{message}</p>
      {children}
    </Dialog>
  )
}

export interface FieldVersions {
  label: string
  theirs: string
  mine: string
}

/** The fields in which two versions differ, in words. */
export function differingFields<Draft>(
  theirs: Draft,
  mine: Draft,
  valueTexts: (draft: Draft) => Readonly<Record<string, string>>,
): FieldVersions[] {
  const [stored, own] = [valueTexts(theirs), valueTexts(mine)]
  return Object.entries(stored)
    .map(([label, text]) => ({ label, theirs: text, mine: own[label] ?? '' }))
    .filter((field) => field.theirs !== field.mine)
}

/** The fields in which both versions differ. `mergesRest`: saving the own one leaves what only they changed. */
export function VersionsTable({ fields, mergesRest = false }: { fields: readonly FieldVersions[]; mergesRest?: boolean }) {
  if (fields.length === 0) return <p className="muted">Lo que cambió no está entre estos campos; lo tuyo se puede guardar.</p>
  return (
    <>
      <dl className="versions">
        {fields.map(({ label, theirs, mine }) => (
          <div key={label}>
            <dt className="strong">{label}</dt>
            <dd>
              <span className="small muted">La suya</span> {theirs || '—'}
            </dd>
            <dd>
              <span className="small muted">La tuya</span> {mine || '—'}
            </dd>
          </div>
        ))}
      </dl>
      {mergesRest && <p className="small muted">Si guardas la tuya, lo demás que cambió se queda como está.</p>}
    </>
  )
}
