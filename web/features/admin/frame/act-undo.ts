/** "Deshacer" after an act of one's own, and the same later from "Lo último" (LA9). */
import type { ActUndo } from '#contract/undo-act.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { offerUndo } from './undo.tsx'

/** Shows what was done, with an undo button where it can be undone. `refresh` reads changed data again. */
export function showWithUndo(message: string, undo: ActUndo | null, refresh: () => unknown): void {
  if (!undo) {
    showAlert('success', message)
    return
  }
  offerUndo(message, async () => {
    try {
      await api.undos.undo({ undo_id: undo.undo_id })
      showAlert('success', 'Deshecho.')
    } catch (error) {
      showAlert('alert', toFailure(error).message)
    }
    refresh()
  })
}
