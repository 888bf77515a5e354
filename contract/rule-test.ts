/** The result of the studio's rules for one customer and one class, without booking anything (docs/domain.md, R25). */
import * as z from 'zod'
import { endpoint, id, instant, pathId, refusals } from './endpoint.ts'

/** The topics, in the order in which they are checked. */
export const ruleTopics = ['time', 'places', 'waitlist', 'penalty', 'clash', 'documents', 'profile', 'credit', 'cancel'] as const

const ruleAnswer = z.object({
  topic: z.enum(ruleTopics).describe('De qué trata.'),
  ok: z.boolean().nullable().describe('Si deja reservar; null: no decide, solo informa.'),
  text: z.string().describe('Lo que dice la regla. Si no deja reservar, lo que lee la persona.'),
  settings: z.array(z.string()).describe('Los ajustes que la hacen; vacío: no es un ajuste.'),
})
export type RuleAnswer = z.infer<typeof ruleAnswer>

const ruleTestAnswer = z.object({
  customer: z.object({ customer_id: id, name: z.string().describe('Cómo se llama.') }),
  single_class: z.object({
    single_class_id: id,
    name: z.string().describe('Tipo de clase.'),
    class_date: instant.describe('Inicio en el reloj de su estudio, escrito como UTC.'),
    location: z.string().describe('Estudio (sucursal).'),
  }),
  can_reserve: z.boolean().describe('Si esa persona puede reservarla ahora desde su cuenta.'),
  staff_can_reserve: z.boolean().describe('Si recepción puede reservársela ahora, con crédito o cobrando.'),
  rules: z.array(ruleAnswer).describe('Cada regla y lo que dice; primero las que se preguntan primero.'),
})
export type RuleTest = z.infer<typeof ruleTestAnswer>

export const ruleTest = {
  /** The rules for booking one class as one customer, now: the same functions that a booking calls. Nothing is written. */
  read: endpoint('GET', '/admin/rule_test', 'staff:roster.all', 'Recepción', 'Qué le pasaría a alguien en una clase')
    .input(z.object({ single_class_id: pathId, customer_id: pathId }))
    .errors(refusals('CLASS_NOT_FOUND', 'NOT_FOUND'))
    .output(ruleTestAnswer),
}
