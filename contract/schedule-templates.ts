/** Plantillas: named weeks of the timetable that are applied to other weeks (docs/domain.md L20, L21). */
import * as z from 'zod'
import { done, endpoint, id, instant, localDay, pathId, refusals, singleLine } from './endpoint.ts'
import { CHANGE_REFUSALS, leftClass, placedAnswer } from './studio-schedule.ts'

/** Classes of one template. */
export const MAX_TEMPLATE_CLASSES = 500
/** Weeks to which one request applies a template. */
export const MAX_TEMPLATE_WEEKS = 26

const TAG = 'Plantillas del horario'
const name = singleLine(80).min(2).describe('Cómo se llama: Normal, Verano, Diciembre.')
const week = localDay.describe('Un día de la semana de la que salen las clases.')
const location_ids = z.array(id).min(1).max(100).nullable().describe('De qué estudios (sucursales); null: de todos.')

const templateClass = z.object({
  weekday: z.int().min(1).max(7).describe('Día de la semana; 1 es lunes.'),
  hour: z.string().describe('A qué hora empieza, HH:MM, en el reloj de su estudio.'),
  duration_minutes: z.int(),
  class_type: z.string().describe('Tipo de clase.'),
  location: z.string().describe('Estudio.'),
  room: z.string().nullable().describe('Sala; null: ninguna.'),
  instructors: z.array(z.string()).describe('Quién la da.'),
  gone: z.boolean().describe('Si su tipo de clase o su estudio ya no existe: no se pone.'),
})

export const scheduleTemplate = z.object({
  schedule_template_id: id.describe('La plantilla.'),
  name,
  classes: z.array(templateClass).describe('Sus clases, por día y hora.'),
  updatedAt: instant,
})
export type ScheduleTemplate = z.infer<typeof scheduleTemplate>

export const scheduleTemplates = {
  list: endpoint('GET', '/admin/schedule_templates', 'staff:schedule.edit', TAG, 'Plantillas del horario').output(
    z.object({ templates: z.array(scheduleTemplate).describe('Por nombre.') }),
  ),
  /**
   * Saves a week as a template: its published classes that are not cancelled. TEMPLATE_EMPTY without any, ALREADY_EXISTS for a name in use.
   */
  create: endpoint('POST', '/admin/schedule_templates', 'staff:schedule.edit', TAG, 'Guardar una semana como plantilla')
    .input(z.object({ name, from_week: week, location_ids: location_ids.default(null) }))
    .errors(refusals('ALREADY_EXISTS', 'TEMPLATE_EMPTY', 'TOO_MANY_CLASSES', 'IDEMPOTENCY_KEY_REUSED'))
    .output(z.object({ template: scheduleTemplate.describe('La plantilla como quedó.') })),
  /** Renames a template, or takes its classes from another week. */
  update: endpoint('PUT', '/admin/schedule_templates/{schedule_template_id}', 'staff:schedule.edit', TAG, 'Cambiar una plantilla')
    .input(
      z.object({
        schedule_template_id: pathId,
        name: name.optional(),
        from_week: week.optional(),
        location_ids: location_ids.default(null),
        if_updatedAt: instant.nullish(),
      }),
    )
    .errors(refusals('NOT_FOUND', 'ALREADY_EXISTS', 'TEMPLATE_EMPTY', 'TOO_MANY_CLASSES', 'CHANGED_MEANWHILE'))
    .output(z.object({ template: scheduleTemplate.describe('La plantilla como quedó.') })),
  remove: endpoint('DELETE', '/admin/schedule_templates/{schedule_template_id}', 'staff:schedule.edit', TAG, 'Eliminar una plantilla')
    .input(z.object({ schedule_template_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(done),
  /**
   * Copies the classes of a template into weeks, as drafts or published. Existing classes stay, and equal ones are not created twice.
   * `on_conflict`: what happens to a class that would meet another one of its coach. `dry_run` compares and writes nothing.
   */
  apply: endpoint('POST', '/admin/schedule_templates/{schedule_template_id}/apply', 'staff:schedule.edit', TAG, 'Aplicar una plantilla')
    .input(
      z.object({
        schedule_template_id: pathId,
        to_weeks: z.array(localDay).min(1).max(MAX_TEMPLATE_WEEKS).describe('Un día de cada semana.'),
        with_coaches: z.boolean().default(true),
        on_conflict: z.enum(['skip', 'mark']).default('skip'),
        as: z.enum(['draft', 'publish']).default('draft'),
        dry_run: z.boolean().default(false).describe('Solo comparar y decir qué pasaría.'),
      }),
    )
    .errors(refusals(...CHANGE_REFUSALS))
    .output(
      placedAnswer.extend({
        placed: z.int().describe('Clases que se ponen.'),
        same: z.int().describe('Clases de la plantilla que ya están igual.'),
        others: z.array(leftClass).describe('Clases que esas semanas tienen de más, a lo más 200; se quedan.'),
      }),
    ),
}
