import type { ClassFieldConflict } from '#contract/errors.ts'
import type { ClassChange } from '#contract/studio-schedule.ts'
import type { Failure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

/** A class that another person changed after this edit was begun. */
export interface Meanwhile {
  by: string
  /** "Yin, jue 26 nov, 20:30" */
  name: string
  single_class_id: number
  /** The person's draft of it; null: the change is not a draft. */
  class_draft_id: number | null
  op: ClassChange['op']
  scope: ClassChange['scope']
  reason: string | null
  updatedAt: string
  conflicts: readonly ClassFieldConflict[]
}

/** The conflict of a refusal; null: it is another refusal. */
export function findMeanwhileConflict({ code, data }: Failure): Meanwhile | null {
  if (code !== 'CHANGED_MEANWHILE' || typeof data.single_class_id !== 'number') return null
  return { class_draft_id: null, ...data } as unknown as Meanwhile
}

interface MeanwhileChangesProps {
  of: Meanwhile
  busy: boolean
  /** Saves the person's change over what the other one saved; other fields of theirs stay. */
  onReapply: () => void
  /** Gives the change up. */
  onLeave: () => void
}

/** Both versions of a class that two people changed, and the choice between them. */
export function MeanwhileChanges({ of: { by, name, op, conflicts }, busy, onReapply, onLeave }: MeanwhileChangesProps) {
  return (
    <Banner tone="warn" live title={`${by} cambió ${name} mientras tú también.`}>
      {op === 'update' && conflicts.length === 0 && <p>Cambió otras cosas: si conservas tu cambio, se quedan las dos.</p>}
      {conflicts.length > 0 && (
        <table className="meanwhile">
          <thead>
            <tr>
              <th scope="col">
                <span className="sr-only">Qué</span>
              </th>
              <th scope="col">Como quedó</th>
              <th scope="col">Tu cambio</th>
            </tr>
          </thead>
          <tbody>
            {conflicts.map(({ field, label, stored, yours }) => (
              <tr key={field}>
                <th scope="row">{label}</th>
                <td>{stored}</td>
                <td className="strong">{yours}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className="meanwhile-verbs">
        <Button size="small" loading={busy} onClick={onReapply}>
          Conservar mi cambio
        </Button>
        <Button size="small" variant="outline" onClick={onLeave}>
          Dejar como quedó
        </Button>
      </div>
    </Banner>
  )
}
