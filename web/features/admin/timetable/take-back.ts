import { showAlert } from '#web/lib/alerts.ts'
import { api } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'

/** Undoes what was published, and shows what could not be undone. */
export async function undoPlanEdit(undo_id: number, refresh: () => Promise<unknown>): Promise<void> {
  try {
    const { refused } = await api.studioSchedule.undo({ undo_id })
    if (refused[0]) showAlert('alert', `${refused[0].name}: ${refused[0].message}`)
    else showAlert('success', 'Deshecho.')
  } catch (error) {
    showAlert('alert', toFailure(error).message)
  }
  await refresh()
}
