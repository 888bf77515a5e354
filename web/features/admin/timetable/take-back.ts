import { formatWall } from '#contract/time.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'

/** Classes that stayed as they are of which each is named. */
const MOST_NAMED = 3

type Undone = Awaited<ReturnType<typeof api.studioSchedule.undo>>

/** "Se deshizo 1 cambio. Una clase se quedó como está: Ciclo, mar 24 nov, 19:00: Diego Luna cambió esto hace 3 min." */
export function undoneText({ undone, refused }: Undone): string {
  if (refused.length === 0) return 'Deshecho.'
  const named = refused
    .slice(0, MOST_NAMED)
    .map(({ name, class_date, message }) => `${[name, formatWall(class_date, 'class')].filter(Boolean).join(', ')}: ${message}`)
  const more = refused.length - named.length
  return [
    undone === 0 ? 'No se pudo deshacer.' : `Se ${undone === 1 ? 'deshizo 1 cambio' : `deshicieron ${undone} cambios`}.`,
    refused.length === 1 ? 'Una clase se quedó como está:' : `${refused.length} clases se quedaron como están:`,
    ...named,
    more === 0 ? '' : more === 1 ? 'Y 1 clase más.' : `Y ${more} clases más.`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** Undoes what was published, and shows what could not be undone. */
export async function undoPlanEdit(undo_id: number, refresh: () => Promise<unknown>): Promise<void> {
  try {
    const answer = await api.studioSchedule.undo({ undo_id })
    showAlert(answer.refused.length === 0 ? 'success' : 'alert', undoneText(answer))
  } catch (error) {
    showAlert('alert', toFailure(error).message)
  }
  await refresh()
}
