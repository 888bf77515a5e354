/** How long repeating classes continue (docs/domain.md L5, L24). */
import * as z from 'zod'
import { endpoint, id, instant, localDay, pathId, refusals, singleLine } from './endpoint.ts'
import { CHANGE_REFUSALS, changeAnswer } from './studio-schedule.ts'

const series = z.object({
  class_series_id: id,
  weekdays: z
    .array(z.int())
    .describe('Días de la semana, 1 = lunes a 7 = domingo; vacío: no se guardó cómo se repite y solo puede terminarse.'),
  every_weeks: z.int().describe('Cada cuántas semanas.'),
  until: localDay.nullable().describe('El último día; null: sin fin.'),
  except: z.array(localDay).describe('Días que se salta.'),
  coming: z.int().describe('Clases que faltan en el horario.'),
  last_class: instant.nullable().describe('La última que está en el horario, en el reloj de su estudio; null: no queda ninguna.'),
})
export type ClassSeries = z.infer<typeof series>

const TAG = 'Horario'

export const classSeries = {
  read: endpoint('GET', '/admin/class_series/{class_series_id}', 'staff:schedule.edit', TAG, 'Cómo se repite una serie')
    .input(z.object({ class_series_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ series: series.describe('Cómo se repite y hasta cuándo.') })),
  /**
   * Gives a series another last day, or none, and another way to repeat. Missing classes are created; those that it no longer has are
   * deleted, or cancelled if they have had a reservation; those that were changed alone stay and are named. A field that is left out stays.
   * `dry_run` returns the effect and writes nothing.
   */
  update: endpoint(
    'PUT',
    '/admin/class_series/{class_series_id}',
    'staff:schedule.edit',
    TAG,
    'Cambiar hasta cuándo y cómo se repite una serie',
  )
    .input(
      z.object({
        class_series_id: pathId,
        until: localDay.nullable().optional().describe('El último día, hoy o después; null: sin fin.'),
        weekdays: z.array(z.int().min(1).max(7)).min(1).max(7).optional().describe('Días de la semana, 1 = lunes a 7 = domingo.'),
        every_weeks: z.int().min(1).max(8).optional().describe('Cada cuántas semanas, contadas desde la de su primera clase.'),
        except: z.array(localDay).max(200).optional().describe('Días que se salta.'),
        reason: singleLine(300).nullish().describe('Lo que leen las personas cuya clase se cancela.'),
        dry_run: z.boolean().default(false).describe('Solo decir qué pasaría.'),
      }),
    )
    .errors(refusals(...CHANGE_REFUSALS))
    .output(changeAnswer),
}
