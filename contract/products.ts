/** Things that the counter sells, with the pieces of each location (docs/domain.md, "Products"). */
import * as z from 'zod'
import { versioned } from './crud.ts'
import { endpoint, id, pathId, pesosWire, priceSent, refusals, singleLine } from './endpoint.ts'

export const product = z.object({
  product_id: id,
  name: z.string(),
  price: pesosWire,
  tax_rate: z.number().nullable(),
  tax_exempt: z.boolean().describe('Exento de IVA: su factura dice Exento.'),
  sort: z.int(),
  archived: z.boolean(),
  ...versioned.row,
  stock: z.array(z.object({ location_id: id, quantity: z.int() })),
})
export type Product = z.infer<typeof product>

const yesOrNo = z.union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')])

const fields = {
  name: singleLine(120).min(1, 'Escribe el nombre.'),
  price: priceSent,
  /** Percent; null: the studio's. */
  tax_rate: z.number().min(0).max(100).multipleOf(0.01).nullish(),
  tax_exempt: z.boolean().optional().describe('Exento de IVA: sin tasa, y su factura dice Exento.'),
  sort: z.int().min(0).max(100_000).optional(),
  /** Counted pieces; null: not counted at that location. Locations that are not sent stay as they are. */
  stock: z
    .array(z.object({ location_id: id, quantity: z.int().min(0).max(1_000_000).nullable() }))
    .max(200)
    .optional(),
}
const productOutput = z.object({ product })
const TAG = 'Productos'

export const products = {
  /** Products by order and name, with the pieces of the caller's locations; without the archived ones unless `archived`. */
  list: endpoint('GET', '/admin/products', 'staff:sales.sell', TAG, 'Productos')
    .input(z.object({ archived: yesOrNo.optional() }))
    .output(z.object({ products: z.array(product) })),
  create: endpoint('POST', '/admin/products', 'staff:catalogue.edit', TAG, 'Crear un producto')
    .input(z.object(fields))
    .errors(refusals('ALREADY_EXISTS', 'NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED'))
    .output(productOutput),
  /**
   * Corrects the pieces of a location, with the reason: `change` adds or takes away, `counted` is what was counted now, which also begins
   * to count pieces at a location. Send one of the two.
   */
  correct: endpoint('POST', '/admin/products/{product_id}/stock', 'staff:catalogue.edit', TAG, 'Corregir las existencias')
    .input(
      z.object({
        product_id: pathId,
        location_id: id,
        change: z.int().min(-100_000).max(100_000).nullish().describe('Cuántas piezas entran (positivo) o salen (negativo).'),
        counted: z.int().min(0).max(1_000_000).nullish().describe('Cuántas piezas se contaron.'),
        reason: singleLine(300).min(3, 'Escribe el motivo.'),
      }),
    )
    .errors(refusals('NOT_FOUND', 'PRODUCT_SOLD_OUT', 'IDEMPOTENCY_KEY_REUSED'))
    .output(productOutput),
  /** Changes the fields that are sent. `stock` is what was counted now: it replaces the number of pieces of that location. */
  update: endpoint('PUT', '/admin/products/{product_id}', 'staff:catalogue.edit', TAG, 'Cambiar un producto: solo lo que se envía')
    .input(z.object({ product_id: pathId, ...z.object(fields).partial().shape, archived: z.boolean().optional(), ...versioned.sent }))
    .errors(refusals('CHANGED_MEANWHILE', 'ALREADY_EXISTS', 'NOT_FOUND'))
    .output(productOutput),
}
