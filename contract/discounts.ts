/** Discounts: codes that make packages cheaper (spec 1 sections 2, 3, 5, 7 and 8; docs/domain.md, "Discounts"). */
import * as z from 'zod'
import { versioned } from './crud.ts'
import { done, endpoint, id, instant, localDay, pageNumber, pathId, pesosWire, refusals, singleLine } from './endpoint.ts'
import { parsePesos } from './money.ts'

/** A code as it is stored and compared: trimmed, in capital letters. */
export function normalCode(typed: string): string {
  return typed.normalize('NFC').trim().toLocaleUpperCase('es-MX')
}

/** An amount typed by staff, "350" or "350.50", as centavos (or hundredths of a percent); never through floating point (settled 5). */
export const amountInput = z
  .union([z.string().max(20), z.number()])
  .transform((typed, ctx) => {
    const read = parsePesos(String(typed))
    if (read === null) ctx.addIssue({ code: 'custom', message: 'Escribe una cantidad con dos decimales como máximo.' })
    return read ?? z.NEVER
  })
  .pipe(z.int())

/** A discount as a customer who uses its code sees it (S1-3.31). `amount`: pesos, or percent, with two decimals. */
const discount = z.object({
  discount_id: id,
  code: z.string(),
  amount: pesosWire,
  is_percent: z.boolean(),
  first_invoice_only: z.boolean(),
})
export type Discount = z.infer<typeof discount>

/** A discount as staff see it. */
const studioDiscount = discount.extend({
  /** Null = every package. */
  class_package_ids: z.array(id).nullable(),
  segment_id: id.nullable().describe('Solo para los clientes de este segmento; null: para todos.'),
  /** First and last day in the studio's time zone, both included. */
  starts_on: z.string().nullable(),
  ends_on: z.string().nullable(),
  max_uses: z.int().nullable(),
  max_uses_per_customer: z.int().nullable(),
  /** Number of uses, including those of pending purchases. */
  used: z.int(),
  available: z.boolean(),
  /**
   * Total of the purchases that used it, at the caller's locations and online; null without `reports.money`, and in answers about
   * one discount.
   */
  income: pesosWire.nullable().describe('Lo que se vendió con él; null sin permiso, y al leer uno solo.'),
  series: z.string().nullable().describe('La serie de códigos de un solo uso a la que pertenece; null: no es de una serie.'),
  createdAt: instant,
  ...versioned.row,
})
export type StudioDiscount = z.infer<typeof studioDiscount>

/** The price with a discount (S1-4.17, S1-5.20 to S1-5.22): pesos. `pricing.ts` computes the same in browser and server. */
const priceQuote = z.object({
  subtotal: pesosWire,
  discount: pesosWire,
  total: pesosWire,
  /** Struck through beside the total; null when there is no discount. */
  old_price: pesosWire.nullable(),
  /** Price of each later period; null unless it is a subscription. */
  next_total: pesosWire.nullable(),
})
export type PriceQuote = z.infer<typeof priceQuote>

const uses = z.int().min(1).max(1_000_000).nullish()

const fields = {
  code: singleLine(40)
    .transform(normalCode)
    .pipe(z.string().regex(/^[\p{Lu}\d_-]{2,40}$/u, 'Un código lleva letras, números y guiones, sin espacios.')),
  amount: amountInput,
  is_percent: z.boolean(),
  first_invoice_only: z.boolean().optional(),
  /** Packages that it is valid for; null = every one. */
  class_package_ids: z.array(id).min(1).max(200).nullish(),
  segment_id: id.nullish().describe('Solo para los clientes de este segmento, en el momento en que compran; null: para todos.'),
  starts_on: localDay.nullish(),
  ends_on: localDay.nullish(),
  max_uses: uses,
  max_uses_per_customer: uses,
  available: z.boolean().optional(),
}

interface DiscountTerms {
  amount: number
  is_percent: boolean
  starts_on?: string | null | undefined
  ends_on?: string | null | undefined
}

/** What is wrong with a discount: messages by field, in Spanish. An update is checked merged with the stored fields. */
export function discountIssues(terms: DiscountTerms): { path: string; message: string }[] {
  const found: { path: string; message: string }[] = []
  if (terms.amount === 0) found.push({ path: 'amount', message: 'Escribe una cantidad mayor que cero.' })
  if (terms.is_percent && terms.amount > 10_000) found.push({ path: 'amount', message: 'Un porcentaje va de 0.01 a 100.' })
  if (terms.starts_on && terms.ends_on && terms.starts_on > terms.ends_on)
    found.push({ path: 'ends_on', message: 'El último día no puede ser antes del primero.' })
  return found
}

const discountInput = z.object(fields)
export type DiscountInput = z.output<typeof discountInput>
/** Uses per page of GET /discounts/{discount_id}/uses. */
export const USES_PER_PAGE = 50
/** Codes of one series at most, and in how many signs each differs. */
export const SERIES_MAX = 1_000
export const SERIES_SIGNS = 8

const { code: _code, max_uses: _uses, max_uses_per_customer: _perCustomer, ...seriesFields } = fields
const seriesInput = z.object({
  ...seriesFields,
  prefix: singleLine(20)
    .transform(normalCode)
    .pipe(z.string().regex(/^[\p{Lu}\d_-]{2,20}$/u, 'Lleva letras, números y guiones, sin espacios.'))
    .describe('Con lo que empiezan sus códigos; es el nombre de la serie.'),
  count: z.int().min(1).max(SERIES_MAX).describe('Cuántos códigos.'),
})
export type SeriesInput = z.output<typeof seriesInput>

const discountUse = z.object({
  purchase_id: id,
  title: z.string().describe('Lo que se compró.'),
  customer: z.object({ customer_id: id, name: z.string(), last_name: z.string() }).describe('Quién lo usó.'),
  state: z.enum(['held', 'used', 'released']).describe('Apartado por una compra que no se paga todavía, usado, o devuelto.'),
  discount: pesosWire,
  total: pesosWire,
  createdAt: instant,
})

const discountChange = z.object({ discount_id: id, ...discountInput.partial().shape, ...versioned.sent })
export type DiscountChange = z.output<typeof discountChange>

export const discounts = {
  /**
   * What a code does to the price of a package, for the signed-in customer (S1-7.53, S1-5.19). DISCOUNT_EXHAUSTED (412) when its limit of
   * uses is reached, DISCOUNT_NOT_FOR_ACCOUNT (412) when the customer is not of the code's segment; DISCOUNT_INVALID (404) for any other
   * reason: unknown, disabled, outside its days, not valid for the package.
   */
  byCode: endpoint('GET', '/discounts/code/{code}', 'customer', 'Descuentos', 'Precio de un paquete con un código')
    .input(z.object({ code: singleLine(60).min(1), class_package_id: pathId }))
    .errors(
      refusals('PACKAGE_NOT_FOUND', 'EVENT_OVER', 'EVENT_CANCELLED', 'DISCOUNT_EXHAUSTED', 'DISCOUNT_INVALID', 'DISCOUNT_NOT_FOR_ACCOUNT'),
    )
    .output(z.object({ discount, quote: priceQuote })),
  /** S1-7.52. */
  one: endpoint('GET', '/discounts/{discount_id}', 'staff:sales.sell', 'Descuentos', 'Un descuento')
    .input(z.object({ discount_id: pathId }))
    .errors(refusals('DISCOUNT_NOT_FOUND'))
    .output(z.object({ discount: studioDiscount })),
  /** Newest first; `query` is part of a code (S1-3.32, S1-7.54). */
  all: endpoint('GET', '/discounts/admin/all', 'staff:sales.sell', 'Descuentos', 'Todos los descuentos')
    .input(z.object({ query: singleLine(60).optional() }))
    .output(z.object({ descuentos: z.array(studioDiscount) })),
  create: endpoint('POST', '/discounts', 'staff:catalogue.edit', 'Descuentos', 'Crear un descuento')
    .input(discountInput)
    .errors(refusals('ALREADY_EXISTS', 'PACKAGE_NOT_FOUND', 'SEGMENT_NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED'))
    .output(z.object({ discount: studioDiscount })),
  /**
   * Creates a series of single-use codes: PREFIX-XXXXXXXX, with all fields of a discount but its code and limits (D7). Send
   * `Idempotency-Key`. ALREADY_EXISTS: there is a series with this prefix.
   */
  createSeries: endpoint('POST', '/discounts/series', 'staff:catalogue.edit', 'Descuentos', 'Crear una serie de códigos de un solo uso')
    .input(seriesInput)
    .errors(refusals('ALREADY_EXISTS', 'PACKAGE_NOT_FOUND', 'SEGMENT_NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED'))
    .output(z.object({ series: z.string().describe('El nombre de la serie.'), codes: z.array(z.string()).describe('Los códigos.') })),
  /** Makes the unused codes of a series usable or not. */
  switchSeries: endpoint('PUT', '/discounts/series', 'staff:catalogue.edit', 'Descuentos', 'Activar o desactivar una serie de códigos')
    .input(z.object({ series: singleLine(20).describe('El nombre de la serie.'), available: z.boolean() }))
    .errors(refusals('DISCOUNT_NOT_FOUND'))
    .output(z.object({ changed: z.int().describe('Cuántos códigos cambiaron.') })),
  /**
   * Uses of a code, the newest first, fifty per page; purchases of the caller's locations and online ones. `income`: the sum of the paid
   * ones.
   */
  uses: endpoint('GET', '/discounts/{discount_id}/uses', 'staff:sales.sell', 'Descuentos', 'Quién usó un código')
    .input(z.object({ discount_id: pathId, page: pageNumber.default(1) }))
    .errors(refusals('DISCOUNT_NOT_FOUND'))
    .output(
      z.object({
        uses: z.array(discountUse).describe('Los usos, el más nuevo primero.'),
        total: z.int(),
        pages: z.int(),
        income: pesosWire
          .nullable()
          .describe('Lo que costaron las compras que se pagaron con el código; null: la persona no ve el dinero del estudio.'),
      }),
    ),
  /** Changes only the fields sent. Purchases keep the price stored on them. BELOW_USED: the new limit is less than the uses so far. */
  update: endpoint('PUT', '/discounts', 'staff:catalogue.edit', 'Descuentos', 'Cambiar un descuento: solo lo que se envía')
    .input(discountChange)
    .errors(refusals('CHANGED_MEANWHILE', 'DISCOUNT_NOT_FOUND', 'ALREADY_EXISTS', 'PACKAGE_NOT_FOUND', 'SEGMENT_NOT_FOUND', 'BELOW_USED'))
    .output(z.object({ discount: studioDiscount })),
  /** Deletes a discount: its code can be reused; pending purchases with it keep their price. */
  remove: endpoint('DELETE', '/discounts/{discount_id}', 'staff:catalogue.edit', 'Descuentos', 'Eliminar un descuento')
    .input(z.object({ discount_id: pathId }))
    .errors(refusals('DISCOUNT_NOT_FOUND'))
    .output(done),
}
