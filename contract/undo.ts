/** What staff did in the last minutes and can take back (docs/domain.md LA9). */
import * as z from 'zod'
import { RESERVE_REFUSALS } from './bookings.ts'
import { done, endpoint, id, instant, pathId, refusals } from './endpoint.ts'

/** How long an action can be undone, in minutes. */
export const UNDO_MINUTES = 10

const openUndo = z.object({
  kind: z.enum(['act', 'schedule', 'job']).describe('De qué es: algo de una persona, del horario o un cambio a muchos.'),
  id: id.describe('Con qué se deshace: en `/admin/undos`, `/admin/undo` o `/admin/jobs/{job_id}/undo`, según de qué es.'),
  label: z.string().describe('Lo que se hizo, en una oración.'),
  at: instant.describe('Cuándo se hizo.'),
  until: instant.describe('Hasta cuándo se puede deshacer.'),
})
export type OpenUndo = z.infer<typeof openUndo>

const TAG = 'Bitácora'

export const undos = {
  /** What the caller did in the last ten minutes and can still take back, the newest first. */
  list: endpoint('GET', '/admin/undos', 'staff', TAG, 'Lo último que hice').output(
    z.object({ undos: z.array(openUndo).describe('Lo que todavía se puede deshacer, lo más nuevo primero.') }),
  ),
  /**
   * Takes back a cancelled place, a change of a credit lot or of a customer's tags, access that was given or classes that were subtracted,
   * within ten minutes. UNDO_CHANGED when it was changed again since; a place is booked again with the refusals of a booking by staff.
   */
  undo: endpoint('POST', '/admin/undos/{undo_id}', 'staff', TAG, 'Deshacer lo último')
    .input(z.object({ undo_id: pathId }))
    .errors(refusals('NOT_FOUND', 'UNDO_TOO_LATE', 'UNDO_CHANGED', ...RESERVE_REFUSALS))
    .output(done),
}
