/** Días sin clases and absences of coaches (docs/domain.md, "Planning the timetable"). */
import * as z from 'zod'
import { versioned } from './crud.ts'
import { done, endpoint, id, localDay, pathId, refusals, singleLine } from './endpoint.ts'
import { changeResult } from './studio-schedule.ts'

/** Days that one holiday or absence may last. */
export const MAX_HOLIDAY_DAYS = 92
/** Holidays that one request adds. */
export const MAX_HOLIDAYS = 40
/** Days by which credits can be extended. */
export const MAX_EXTENSION_DAYS = 60
/** Minutes by which classes of such a day can be moved on the clock. */
export const MAX_MOVE_MINUTES = 720

const name = singleLine(80).min(2).describe('Por qué no hay clases.')
const from = localDay.describe('Primer día, en el reloj de cada estudio.')
const to = localDay.describe('Último día; igual al primero si es uno solo.')
const location_ids = z.array(id).min(1).max(100).nullable().describe('En qué estudios (sucursales); null: en todos.')

const isPublic = z.boolean().describe('Si el calendario de los clientes dice que está cerrado, con su nombre.')

export const holiday = z.object({
  holiday_id: id.describe('El día sin clases.'),
  name,
  from,
  to,
  location_ids,
  public: isPublic,
  ...versioned.row,
})
export type Holiday = z.infer<typeof holiday>

const holidaySent = z.object({ name, from, to, location_ids: location_ids.default(null), public: isPublic.default(true) })

const officialHoliday = z.object({
  name: z.string().describe('Cómo se llama.'),
  day: localDay.describe('Qué día cae ese año.'),
  kind: z.enum(['official', 'suggested']).describe('`official`: descanso obligatorio. `suggested`: muchos estudios cierran.'),
  added: z.boolean().describe('Si ya está entre los días sin clases.'),
})
export type OfficialHoliday = z.infer<typeof officialHoliday>

const absence = z.object({
  instructor_absence_id: id.describe('La ausencia.'),
  instructor_id: id.describe('Quién no da clases.'),
  name: z.string().describe('Cómo se le llama.'),
  from,
  to,
  reason: z.string().describe('Por qué.'),
  ...versioned.row,
})

const TAG = 'Días sin clases'
/** What happens with the classes and credits of the days. */
const closing = {
  classes: z.enum(['keep', 'cancel', 'move']).default('keep').describe('Qué pasa con las clases que hay esos días.'),
  move: z
    .object({
      days: z.int().min(-MAX_HOLIDAY_DAYS).max(MAX_HOLIDAY_DAYS).default(0).describe('Cuántos días después; negativo, antes.'),
      minutes: z.int().min(-MAX_MOVE_MINUTES).max(MAX_MOVE_MINUTES).default(0).describe('Cuántos minutos más tarde; negativo, antes.'),
    })
    .nullish()
    .describe('A dónde se mueven las clases, con `classes: move`.'),
  reason: singleLine(300).nullish().describe('Lo que leen las personas cuya clase se cancela; sin él, el nombre del día.'),
  extend_days: z.int().min(0).max(MAX_EXTENSION_DAYS).default(0).describe('Cuántos días más duran los créditos vigentes.'),
  dry_run: z.boolean().default(false).describe('Solo decir qué pasaría.'),
}
/** What happened with them. */
const closed = {
  classes: z.int().describe('Clases que hay esos días.'),
  extended: z.int().describe('Paquetes de créditos que duran más.'),
  result: changeResult.describe('Lo que se hizo, o se haría, con las clases.'),
  undo_id: id.nullable().describe('Con qué se deshace lo que se hizo con las clases; null: no se tocó ninguna.'),
}

const CLOSING_REFUSALS = [
  ...(['NOT_FOUND', 'HOLIDAY_OVERLAP', 'TOO_MANY_CLASSES', 'CLASS_CANCELLED', 'CLASS_STARTED', 'CLASS_NOT_FOUND'] as const),
  ...(['ROOM_TAKEN', 'SPOTS_IN_USE', 'CAPACITY_BELOW_TAKEN', 'IDEMPOTENCY_KEY_REUSED'] as const),
] as const

export const holidays = {
  /** Those of a year; without one, those from today on. */
  list: endpoint('GET', '/admin/holidays', 'staff:classes.own', TAG, 'Días sin clases')
    .input(z.object({ year: z.coerce.number().int().min(2000).max(2099).optional() }))
    .output(z.object({ holidays: z.array(holiday).describe('Por fecha.') })),
  /** The official holidays of Mexico in a year, and days on which studios often close: a proposal, nothing is written. */
  official: endpoint('GET', '/admin/holidays/official', 'staff:schedule.edit', TAG, 'Feriados oficiales de México')
    .input(z.object({ year: z.coerce.number().int().min(2020).max(2099) }))
    .output(z.object({ holidays: z.array(officialHoliday).describe('Por fecha.') })),
  /**
   * Adds days without classes, all or nothing. `classes`: classes on these days stay (and are marked as a conflict), are cancelled, with
   * all effects of a cancellation, or are moved by `move`, and customers are notified of the new hour; `extend_days` lengthens credits that
   * are valid on the first of these days. `dry_run` writes nothing.
   */
  add: endpoint('POST', '/admin/holidays', 'staff:schedule.edit', TAG, 'Agregar días sin clases')
    .input(
      z.object({
        holidays: z.array(holidaySent).min(1).max(MAX_HOLIDAYS).describe('Los días.'),
        ...closing,
      }),
    )
    .errors(refusals(...CLOSING_REFUSALS))
    .output(
      z.object({
        holidays: z.array(holiday).describe('Los que se agregaron; ninguno si solo se preguntó.'),
        ...closed,
      }),
    ),
  /**
   * Changes a holiday. Classes of its former days and locations stay as they are; the classes of further days or locations, and credits,
   * are treated as by `add`. `dry_run` writes nothing. CHANGED_MEANWHILE: somebody else changed it since `if_updatedAt`.
   */
  update: endpoint('PUT', '/admin/holidays/{holiday_id}', 'staff:schedule.edit', TAG, 'Cambiar un día sin clases')
    .input(holidaySent.extend({ holiday_id: pathId, public: isPublic.optional(), ...versioned.sent, ...closing }))
    .errors(refusals(...CLOSING_REFUSALS, 'CHANGED_MEANWHILE'))
    .output(z.object({ holiday, ...closed })),
  /** Removes a holiday. Classes that were cancelled stay cancelled, and series do not get back the days that they left out. */
  remove: endpoint('DELETE', '/admin/holidays/{holiday_id}', 'staff:schedule.edit', TAG, 'Quitar un día sin clases')
    .input(z.object({ holiday_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(done),
}

export const instructorAbsences = {
  /** Absences that are not over. */
  list: endpoint('GET', '/admin/instructor_absences', 'staff:schedule.edit', TAG, 'Ausencias de coaches').output(
    z.object({ absences: z.array(absence).describe('Por fecha.') }),
  ),
  /** Adds an absence. The classes of the coach on these days are marked as a conflict. */
  add: endpoint('POST', '/admin/instructor_absences', 'staff:schedule.edit', TAG, 'Agregar una ausencia')
    .input(
      z.object({ instructor_id: id.describe('Quién no da clases.'), from, to, reason: singleLine(200).default('').describe('Por qué.') }),
    )
    .errors(refusals('NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED'))
    .output(z.object({ absence, classes: z.int().describe('Clases que esa persona tiene esos días.') })),
  /** Corrects an absence; whose it is stays. */
  update: endpoint('PUT', '/admin/instructor_absences/{instructor_absence_id}', 'staff:schedule.edit', TAG, 'Corregir una ausencia')
    .input(
      z.object({ instructor_absence_id: pathId, from, to, reason: singleLine(200).default('').describe('Por qué.'), ...versioned.sent }),
    )
    .errors(refusals('NOT_FOUND', 'CHANGED_MEANWHILE'))
    .output(z.object({ absence, classes: z.int().describe('Clases que esa persona tiene esos días.') })),
  remove: endpoint('DELETE', '/admin/instructor_absences/{instructor_absence_id}', 'staff:schedule.edit', TAG, 'Quitar una ausencia')
    .input(z.object({ instructor_absence_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(done),
}
