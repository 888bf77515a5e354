import { EmptyState } from '#web/features/site/empty-state.tsx'
import { Button } from '#web/ui/button.tsx'

interface EmptyWeekProps {
  /** whether filters may hide its classes */
  isFiltered: boolean
  canEdit: boolean
  onCopy: () => void
  onNew: () => void
}

/** A week without classes: copied from the one before, or begun with its first class. */
export function EmptyWeek({ isFiltered, canEdit, onCopy, onNew }: EmptyWeekProps) {
  if (isFiltered) return <EmptyState>Esta semana no tiene clases con estos filtros.</EmptyState>
  return (
    <EmptyState
      action={
        canEdit && (
          <span className="row gap-8 wraps">
            <Button variant="outline" onClick={onCopy}>
              Copiar la anterior
            </Button>
            <Button onClick={onNew}>Crear</Button>
          </span>
        )
      }
    >
      Esta semana no tiene clases.
    </EmptyState>
  )
}
