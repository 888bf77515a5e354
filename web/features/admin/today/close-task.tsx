import type { Task } from '#contract/today.ts'
import { ReasonDialog } from '#web/features/admin/people/reason-dialog.tsx'
import { api } from '#web/lib/api.ts'

interface CloseTaskProps {
  task: Task
  onDone: () => void
  onClose: () => void
}

/** Closes a task without doing it, with a reason. */
export default function CloseTask({ task, onDone, onClose }: CloseTaskProps) {
  const { task_id, version } = task
  return (
    <ReasonDialog
      title="Cerrar pendiente"
      yes="Cerrar pendiente"
      no="Volver"
      send={(reason) => api.today.decide({ task_id, version, done: true, reason })}
      onDone={onDone}
      onClose={onClose}
    >
      <p>{task.title}. No volverá a aparecer, a menos que algo cambie.</p>
    </ReasonDialog>
  )
}
