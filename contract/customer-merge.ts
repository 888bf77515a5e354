/** Two records of one person become one, and can be separated again (docs/domain.md X8 to X11). */
import * as z from 'zod'
import { MERGE_MOVES, MERGE_OBSTACLES } from './copy/customer-merge.ts'
import { done, endpoint, id, instant, localDay, pathId, refusals } from './endpoint.ts'

/** How long a merge can be undone, in hours. */
export const MERGE_UNDO_HOURS = 24
/** Pairs of likely duplicates that a reading lists. */
export const DUPLICATES_SHOWN = 100

/** Columns of the profile of which one of the two values is chosen. */
export const MERGE_FIELDS = ['name', 'last_name', 'email', 'phone', 'birthdate', 'instagram'] as const
export type MergeField = (typeof MERGE_FIELDS)[number]

const side = z.enum(['keep', 'merge'])
export type MergeSide = z.infer<typeof side>

const profile = z.object({
  name: z.string(),
  last_name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  birthdate: localDay.nullable(),
  instagram: z.string().nullable(),
})
export type MergeProfile = z.infer<typeof profile>

const mergeRecord = profile.extend({
  customer_id: id.describe('Cliente.'),
  has_account: z.boolean(),
  createdAt: instant,
})
export type MergeRecord = z.infer<typeof mergeRecord>

const values = z.object(
  Object.fromEntries(MERGE_FIELDS.map((field) => [field, side.optional()])) as Record<MergeField, z.ZodOptional<typeof side>>,
)

const outcome = z.object({
  customer_merge_id: id.nullable().describe('La combinación; null en un ensayo.'),
  undo_until: instant.nullable().describe('Hasta cuándo se puede deshacer; null en un ensayo.'),
  keep: mergeRecord.describe('El registro que se conserva, como estaba.'),
  merge: mergeRecord.describe('El registro que pasa al otro, como estaba.'),
  profile: profile.describe('Los datos del registro que se conserva, como quedan.'),
  moves: z
    .array(z.object({ kind: z.enum(MERGE_MOVES), count: z.int().describe('Cuántos.') }))
    .describe('Lo que pasa al registro que se conserva; sin lo que es cero.'),
  lost_cards: z.int().describe('Tarjetas guardadas que no pueden pasar: habrá que agregarlas otra vez.'),
  obstacles: z
    .array(z.object({ kind: z.enum(MERGE_OBSTACLES), message: z.string().describe('Lo que lo impide, en una oración.') }))
    .describe('Lo que impide combinarlos; vacío: se puede.'),
})
export type MergeOutcome = z.infer<typeof outcome>

const duplicate = z.object({
  reasons: z
    .array(z.enum(['name', 'birthday', 'email']))
    .describe('Por qué parecen la misma persona: mismo nombre, mismo cumpleaños, correo que cambia en una letra.'),
  customers: z.array(mergeRecord).length(2).describe('Los dos registros; primero el más antiguo.'),
})
export type Duplicate = z.infer<typeof duplicate>

const TAG = 'Clientes'

export const customerMerge = {
  /**
   * Merges `merge_id` into `keep_id` (X8 to X10): everything that belongs to the first belongs to the second afterwards, and both log-ins
   * open the second. `values` says per field whose value stays; without it that of `keep`, or that of `merge` where `keep` has none. Once
   * both have an account, the email stays that of `keep`; when only `merge` has one, its account and email go to `keep`. `dry_run` returns
   * the same and writes nothing; what prevents it is in `obstacles`. Can be undone for 24 hours. NOT_FOUND, MERGE_REFUSED with `reasons`.
   */
  merge: endpoint('POST', '/admin/customers/merge', 'staff:customers.merge', TAG, 'Combinar dos clientes')
    .input(
      z
        .object({
          keep_id: id.describe('El que se conserva.'),
          merge_id: id.describe('El que pasa a ser parte del otro.'),
          values: values.default({}).describe('De quién es el valor que queda, por campo.'),
          dry_run: z.boolean().default(false).describe('Solo dice qué pasaría.'),
        })
        .refine(({ keep_id, merge_id }) => keep_id !== merge_id, {
          message: 'Elige dos registros distintos.',
          path: ['merge_id'],
        }),
    )
    .errors(refusals('IDEMPOTENCY_KEY_REUSED', 'NOT_FOUND', 'MERGE_REFUSED'))
    .output(outcome),
  /** Separates two merged customers again, while the remaining one has no new activity. NOT_FOUND, UNDO_TOO_LATE, MERGE_CHANGED. */
  undo: endpoint('POST', '/admin/customers/merge/{customer_merge_id}/undo', 'staff:customers.merge', TAG, 'Separar dos clientes combinados')
    .input(z.object({ customer_merge_id: pathId.describe('La combinación.') }))
    .errors(refusals('NOT_FOUND', 'UNDO_TOO_LATE', 'MERGE_CHANGED', 'IDEMPOTENCY_KEY_REUSED'))
    .output(z.object({ merge_id: id.describe('El registro que vuelve a ser propio.') })),
  /** Where a merged customer is now, and the latest merge into a customer that can be undone. Also for a record that was merged. */
  state: endpoint('GET', '/admin/customers/{customer_id}/merge', 'staff:customers.read', TAG, 'Con quién se combinó un cliente')
    .input(z.object({ customer_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(
      z.object({
        merged_into: id.nullable().describe('El registro al que pasó este; null: no se combinó con otro.'),
        undoable: z
          .object({
            customer_merge_id: id.describe('La combinación.'),
            name: z.string().describe('De quién era el registro que pasó a este.'),
            undo_until: instant.describe('Hasta cuándo se puede deshacer.'),
          })
          .nullable()
          .describe('La última combinación con este que se puede deshacer; null: ninguna.'),
      }),
    ),
  /** Pairs of customers who are probably the same person (X11), the surest first. `total`: how many there are in all. */
  duplicates: endpoint('GET', '/admin/customers/duplicates', 'staff:customers.merge', TAG, 'Clientes repetidos').output(
    z.object({ duplicates: z.array(duplicate).describe('Los pares; primero los más claros.'), total: z.int() }),
  ),
  /** Says that two customers are two persons: `duplicates` names the pair no more. NOT_FOUND. */
  distinct: endpoint('POST', '/admin/customers/duplicates/distinct', 'staff:customers.merge', TAG, 'No son la misma persona')
    .input(z.object({ customer_ids: z.array(id).length(2).describe('Los dos clientes.') }))
    .errors(refusals('NOT_FOUND'))
    .output(done),
}
