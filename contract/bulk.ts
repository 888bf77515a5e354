/**
 * Changes to many customers, reservations or purchases at once: dry run, job, progress, undo (docs/domain.md, "Lists of the
 * administration").
 */
import * as z from 'zod'
import { BULK_ACTIONS, BULK_SUBJECTS, type BulkAction } from './bulk-actions.ts'
import { customerFilter } from './customer-list.ts'
import { endpoint, id, instant, localDay, pathId, refusals, singleLine } from './endpoint.ts'
import { reservationFilter } from './front-desk.ts'
import { purchaseFilter } from './studio-sales.ts'

/** Records of one call. */
export const BULK_MAX = 5_000
/** Rows that did not change, as an answer lists them. */
export const BULK_REFUSED_SHOWN = 100
/** How long a job can be undone, in minutes. */
export const BULK_UNDO_MINUTES = 10

const bulkAction = z.enum(BULK_ACTIONS as [BulkAction, ...BulkAction[]])

export const bulkParams = z.object({
  tag_id: id.optional().describe('La etiqueta; para `tags.add` y `tags.remove`.'),
  amount: z.int().min(1).max(100).optional().describe('Cuántas clases se dan a cada quien; para `credits.give`.'),
  expiration_date: localDay.optional(),
  days: z.int().min(1).max(365).optional().describe('Cuántos días más duran; para `credits.extend`.'),
  credit: z.enum(['return', 'keep']).optional().describe('Si el crédito se regresa; para `reservations.cancel`.'),
  single_class_id: id.optional().describe('La clase a la que pasan; para `reservations.move`.'),
  payment_method_id: id.optional().describe('Con qué se pagó, sin él en efectivo; para `purchases.mark_paid`.'),
  location_id: id.optional().describe('Dónde se recibió el dinero; para `purchases.mark_paid`.'),
})
export type BulkParams = z.infer<typeof bulkParams>

const { sort: _, ...filterFields } = customerFilter
const { sort: _r, ...reservationFields } = reservationFilter
const { sort: _p, ...purchaseFields } = purchaseFilter
/** Which filter names the records of each kind. */
const FILTERS = { customer: 'filter', reservation: 'reservation_filter', purchase: 'purchase_filter' } as const
const reason = singleLine(300).min(3, 'Escribe el motivo.')

const refused = z
  .array(z.object({ id, name: z.string(), code: z.string(), message: z.string() }))
  .describe('Los que no cambian, con su motivo; los primeros 100.')
const refusedTotal = z.int().describe('Cuántos no cambian.')
export type BulkRefused = z.infer<typeof refused>[number]

const bulkJob = z.object({
  job_id: id.describe('El trabajo.'),
  label: z.string().describe('Lo que hace, en una frase.'),
  subject: z.enum(['customer', 'reservation', 'purchase']).describe('Qué cambia: clientes, reservaciones o compras.'),
  state: z
    .enum(['waiting', 'running', 'done', 'undoing', 'undone'])
    .describe('Por empezar, en curso, terminado, deshaciéndose o deshecho.'),
  done: z.int().describe('Cuántos se han visto, cambien o no.'),
  total: z.int().describe('Cuántos son.'),
  changed: z.int().describe('Cuántos cambiaron y siguen así.'),
  refused,
  refused_total: refusedTotal,
  undo_until: instant.nullable().describe('Hasta cuándo se puede deshacer; null: ya no o todavía no.'),
})
export type BulkJob = z.infer<typeof bulkJob>

export const bulk = {
  /**
   * Changes many customers, reservations or purchases, named by `ids` or as those that match the filter of their list: at most 5,000.
   * `dry_run` returns how many change and which do not, and writes nothing. Otherwise a job is started, and `job_id` leads to its progress.
   * Tags, invitations and archiving need `customers.edit`, credits `credits.edit`, reservations `roster.all`, purchases `sales.sell`;
   * credits, archiving and cancelling need a reason. Send `Idempotency-Key`.
   */
  start: endpoint('POST', '/admin/bulk', 'staff:customers.read', 'Clientes', 'Cambiar a muchos clientes')
    .input(
      z
        .object({
          action: bulkAction.describe('Qué se hace con cada quien.'),
          ids: z.array(id).min(1).max(BULK_MAX).optional().describe('Los clientes, las reservaciones o las compras; o un filtro.'),
          filter: z.object(filterFields).optional().describe('Los clientes que cumplen este filtro de la lista; o `ids`.'),
          reservation_filter: z
            .object(reservationFields)
            .optional()
            .describe('Las reservaciones que cumplen este filtro de la lista, como en ella las de hoy si nada las acota; o `ids`.'),
          purchase_filter: z.object(purchaseFields).optional().describe('Las compras que cumplen este filtro de la lista; o `ids`.'),
          params: bulkParams.default({}).describe('Con qué; depende de `action`.'),
          reason: reason.optional(),
          dry_run: z.boolean().default(false).describe('Solo dice qué pasaría.'),
        })
        .refine((input) => ['ids' as const, ...Object.values(FILTERS)].filter((key) => input[key] !== undefined).length === 1, {
          message: 'Di cuáles: con `ids` o con un filtro.',
          path: ['ids'],
        })
        .superRefine((input, { addIssue }) => {
          const own = FILTERS[BULK_SUBJECTS[input.action]]
          for (const key of Object.values(FILTERS))
            if (key !== own && input[key] !== undefined)
              addIssue({ code: 'custom', message: `Este filtro no es de lo que cambia la acción: usa \`${own}\`.`, path: [key] })
        }),
    )
    .errors(refusals('BULK_TOO_LARGE', 'IDEMPOTENCY_KEY_REUSED'))
    .output(
      z.object({
        job_id: id.nullable().describe('El trabajo; null en un ensayo.'),
        label: z.string().describe('Lo que hace, en una frase.'),
        total: z.int().describe('Cuántos son.'),
        affected: z.int().describe('Cuántos cambian.'),
        refused,
        refused_total: refusedTotal,
      }),
    ),
  /** The progress and result of one's own job. */
  job: endpoint('GET', '/admin/jobs/{job_id}', 'staff', 'Clientes', 'Cómo va un cambio a muchos')
    .input(z.object({ job_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(bulkJob),
  /** Undoes one's own finished job, for ten minutes. What changed since stays as it is and is among `refused`. */
  undo: endpoint('POST', '/admin/jobs/{job_id}/undo', 'staff', 'Clientes', 'Deshacer un cambio a muchos')
    .input(z.object({ job_id: pathId }))
    .errors(refusals('NOT_FOUND', 'UNDO_TOO_LATE'))
    .output(bulkJob),
}
