/** Erasing a person's data at their request, ARCO (docs/domain.md X12 to X14). */
import * as z from 'zod'
import { ERASURE_OBSTACLES } from './copy/customer-erasure.ts'
import { done, endpoint, instant, pathId, refusals, singleLine } from './endpoint.ts'

/** How long an erasure can be withdrawn, in hours. */
export const ERASURE_HOURS = 72

const erasure = z.object({
  final_at: instant.describe('Cuándo se borran los datos.'),
  by: z.string().describe('Quién del equipo lo pidió.'),
  reason: z.string().describe('El motivo.'),
})

const customerPath = z.object({ customer_id: pathId })
const TAG = 'Clientes'

export const customerErasure = {
  /** Whether the data of a customer will be erased, and what prevents it. */
  one: endpoint('GET', '/admin/customers/{customer_id}/erase', 'staff:customers.erase', TAG, 'Si se borrarán los datos de una persona')
    .input(customerPath)
    .errors(refusals('NOT_FOUND'))
    .output(
      z.object({
        erasure: erasure.nullable().describe('Lo que está por borrarse; null: nada.'),
        obstacles: z
          .array(z.object({ kind: z.enum(ERASURE_OBSTACLES), message: z.string().describe('Lo que lo impide, en una oración.') }))
          .describe('Lo que impide borrar los datos ahora; vacío: se puede.'),
      }),
    ),
  /**
   * Erases a person's data after 72 hours: name, email, telephone, files, answers, notes, messages and log-in. Money, credits and
   * attendance stay without a name. What is there by then that prevents it stops the erasure. NOT_FOUND, ERASE_BLOCKED with `reasons`,
   * ALREADY_EXISTS.
   */
  start: endpoint('POST', '/admin/customers/{customer_id}/erase', 'staff:customers.erase', TAG, 'Borrar los datos de una persona')
    .input(customerPath.extend({ reason: singleLine(300).min(3, 'Escribe el motivo.').describe('Por qué se borran.') }))
    .errors(refusals('NOT_FOUND', 'ERASE_BLOCKED', 'ERASE_PENDING'))
    .output(z.object({ final_at: instant.describe('Cuándo se borran los datos.') })),
  /** Withdraws an erasure before it is final. NOT_FOUND: there is none. */
  withdraw: endpoint('DELETE', '/admin/customers/{customer_id}/erase', 'staff:customers.erase', TAG, 'No borrar los datos de una persona')
    .input(customerPath)
    .errors(refusals('NOT_FOUND'))
    .output(done),
}
