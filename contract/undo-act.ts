/** The undo of an action of staff, in the response of the action itself (docs/domain.md LA9). */
import * as z from 'zod'
import { id, instant } from './endpoint.ts'

export const actUndo = z.object({
  undo_id: id.describe('Con qué se deshace: `POST /admin/undos/{undo_id}`.'),
  label: z.string().describe('Lo que se hizo, en una oración.'),
  until: instant.describe('Hasta cuándo se puede deshacer.'),
})
export type ActUndo = z.infer<typeof actUndo>
