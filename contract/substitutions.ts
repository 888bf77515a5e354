/**
 * Suplencias: a class that needs another coach, from the request to the coach who teaches it (docs/domain.md, "Planning the timetable").
 */
import * as z from 'zod'
import { endpoint, id, instant, pathId, refusals, singleLine } from './endpoint.ts'

/** Classes for which one request opens a substitution. */
export const MAX_SUBSTITUTED_CLASSES = 50

const coach = z.object({
  instructor_id: id.describe('La persona que da clases.'),
  name: z.string().describe('Cómo se le llama.'),
})

export const substitution = z.object({
  substitution_id: id.describe('La suplencia.'),
  state: z
    .enum(['open', 'accepted', 'done', 'closed'])
    .describe(
      '`open`: se busca a alguien. `accepted`: alguien aceptó y falta aprobarlo. `done`: ya la da otra persona. `closed`: se cerró sin cambio.',
    ),
  reason: z.string().describe('Por qué se busca suplente.'),
  single_class: z
    .object({
      single_class_id: id.describe('La clase.'),
      class_date: instant.describe('Inicio en el reloj de su estudio, escrito como UTC.'),
      starts_at: instant.describe('El momento en que empieza.'),
      duration_minutes: z.int().describe('Cuánto dura, en minutos.'),
      class_type: z.string().describe('Nombre del tipo de clase.'),
      location: z.string().describe('Nombre del estudio (sucursal).'),
      taken: z.int().describe('Lugares reservados.'),
    })
    .describe('La clase que necesita otra persona.'),
  instructor: coach.nullable().describe('A quién se suple; null: la clase no tenía coach.'),
  substitute: coach.nullable().describe('Quién la da o aceptó darla; null: nadie todavía.'),
  asked: z
    .array(
      coach.extend({
        answer: z.enum(['accepted', 'declined']).nullable().describe('Lo que respondió; null: todavía nada.'),
      }),
    )
    .describe('A quiénes se preguntó. Quien fue preguntado solo ve lo suyo.'),
  can_answer: z.boolean().describe('Si quien consulta puede aceptarla o decir que no puede.'),
  can_approve: z.boolean().describe('Si quien consulta puede aprobar o rechazar a quien aceptó.'),
  can_assign: z.boolean().describe('Si quien consulta puede elegir directamente quién la da.'),
  can_close: z.boolean().describe('Si quien consulta puede cerrarla.'),
  createdAt: instant.describe('Cuándo se pidió.'),
})
export type Substitution = z.infer<typeof substitution>

const TAG = 'Suplencias'
const OPEN_REFUSALS = ['CLASS_NOT_FOUND', 'CLASS_CANCELLED', 'CLASS_STARTED', 'NOT_FOUND'] as const

export const substitutions = {
  /**
   * Those that are open (of classes to come), or the last hundred that are over. With `schedule.edit` those of the caller's locations,
   * otherwise those that the caller requested or was asked to take.
   */
  list: endpoint('GET', '/admin/substitutions', 'staff:classes.own', TAG, 'Suplencias')
    .input(z.object({ state: z.enum(['open', 'past']).default('open').describe('Las abiertas, o las que ya terminaron.') }))
    .output(z.object({ substitutions: z.array(substitution).describe('Por hora de la clase.') })),
  /**
   * Coaches who teach this type of class (without a list of types: who taught it in the last 90 days), work at its location, have an
   * account and are free then.
   */
  eligible: endpoint('GET', '/admin/substitutions/eligible', 'staff:classes.own', TAG, 'Quiénes pueden suplir')
    .input(z.object({ single_class_id: pathId }))
    .errors(refusals('CLASS_NOT_FOUND', 'SUBSTITUTION_NOT_YOURS'))
    .output(z.object({ instructors: z.array(coach).describe('Quiénes pueden darla.') })),
  /**
   * Opens a substitution per class, all or nothing. A coach requests one for own classes only; `assign` needs `schedule.edit` and changes
   * the coach at once, also of a class whose substitution is open already.
   */
  open: endpoint('POST', '/admin/substitutions', 'staff:classes.own', TAG, 'Pedir suplente')
    .input(
      z.object({
        single_class_ids: z.array(id).min(1).max(MAX_SUBSTITUTED_CLASSES).describe('Las clases.'),
        reason: singleLine(300).min(3).describe('Por qué.'),
        ask: z
          .union([z.array(id).min(1).max(50), z.literal('elegibles')])
          .nullish()
          .describe('A quiénes se pregunta: estas personas, `elegibles`, o null: a nadie.'),
        assign: id.nullish().describe('Quién la da, sin preguntar.'),
      }),
    )
    .errors(refusals(...OPEN_REFUSALS, 'SUBSTITUTION_NOT_YOURS', 'SUBSTITUTION_OPEN', 'IDEMPOTENCY_KEY_REUSED'))
    .output(z.object({ substitutions: z.array(substitution).describe('Las que se abrieron.') })),
  /**
   * Exactly one of: `accept` (true or false, by a coach who was asked), `approve` (true or false) and `assign` with `schedule.edit`,
   * `close` by the requester or with `schedule.edit`. SUBSTITUTION_TAKEN has the name of the coach (`name`).
   */
  answer: endpoint('PUT', '/admin/substitutions/{substitution_id}', 'staff:classes.own', TAG, 'Responder a una suplencia')
    .input(
      z.object({
        substitution_id: pathId,
        accept: z.boolean().nullish().describe('true: la da; false: no puede.'),
        approve: z.boolean().nullish().describe('true: se aprueba a quien aceptó; false: se busca a alguien más.'),
        assign: id.nullish().describe('Quién la da, sin preguntar.'),
        close: z.literal(true).nullish().describe('true: ya no se busca suplente.'),
      }),
    )
    .errors(refusals(...OPEN_REFUSALS, 'SUBSTITUTION_TAKEN', 'SUBSTITUTION_CLOSED', 'SUBSTITUTE_BUSY'))
    .output(z.object({ substitution })),
}
