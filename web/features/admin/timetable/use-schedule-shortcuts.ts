import { useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { VIEWS } from './plan-views.ts'
import type { usePlanEdits } from './use-plan-edits.ts'
import type { useTimetable } from './use-timetable.ts'

interface Given {
  table: Pick<ReturnType<typeof useTimetable>, 'subject' | 'view' | 'setView'>
  edits: Pick<ReturnType<typeof usePlanEdits>, 'toggleFocused' | 'selectToFocused'>
  canEdit: boolean
  /** days that the brackets go by */
  step: 1 | 7
  goBy: (by: number) => void
  onNew: () => void
  onToday: () => void
  /** null: the view has no hours to mark */
  onFree: (() => void) | null
  /** null: nothing to publish */
  onPublish: (() => void) | null
}

/** The keys of the timetable; with the panel of a class open, none that begins another one. */
export function useScheduleShortcuts({ table, edits, canEdit, step, goBy, onNew, onToday, onFree, onPublish }: Given) {
  const { subject, view, setView } = table
  useShortcuts('Horario', [
    canEdit && subject === null && { keys: 'n', label: 'Nueva clase', act: onNew },
    canEdit && onFree !== null && subject === null && { keys: 'h', label: 'Marcar horas libres', act: onFree },
    { keys: 't', label: 'Hoy', act: onToday },
    { keys: '[', label: step === 1 ? 'Día anterior' : 'Semana anterior', act: () => goBy(-1) },
    { keys: ']', label: step === 1 ? 'Día siguiente' : 'Semana siguiente', act: () => goBy(1) },
    {
      keys: 'v',
      label: 'Otra vista',
      act: () => setView(VIEWS[(VIEWS.findIndex(({ value }) => value === view) + 1) % VIEWS.length]?.value ?? 'semana'),
    },
    canEdit && { keys: 'x', label: 'Seleccionar la clase', act: edits.toggleFocused },
    canEdit && { keys: 'X', label: 'Seleccionar hasta esta clase', act: edits.selectToFocused },
    canEdit && onPublish !== null && { keys: 'p', label: 'Publicar cambios', act: onPublish },
  ])
}
