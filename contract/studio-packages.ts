/** Packages for staff (spec 1 sections 3, 6 and 7): list, create, change, delete, and the home page. */
import * as z from 'zod'
import { classPackage, image, periodUnit } from './catalogue.ts'
import { allowedTime } from './credits.ts'
import { versioned } from './crud.ts'
import { amountInput } from './discounts.ts'
import { done, endpoint, id, instant, paragraph, pathId, pesosWire, refusals, singleLine, yesOrNo } from './endpoint.ts'
import { requiredLink } from './link-fields.ts'
import type { PeriodUnit } from './time.ts'

/** The longest billing period that processors allow: three years. */
const LONGEST: Record<PeriodUnit, number> = { day: 1_095, month: 36, year: 3 }
/** The longest free trial that processors allow: two years. */
const LONGEST_TRIAL: Record<PeriodUnit, number> = { day: 730, month: 24, year: 2 }

const picture = z.object({ src: requiredLink }).nullish()
const flag = z.boolean().optional()

const fields = {
  title: singleLine(120).min(1, 'Debes llenar este campo.'),
  /** HTML; sanitised before it is stored. */
  description: paragraph(20_000).optional(),
  short_description: singleLine(300).optional(),
  price: amountInput,
  /** Null or empty = none. */
  sale_price: z.union([z.literal('').transform(() => null), amountInput]).nullish(),
  image: picture,
  receipt_file: picture,
  /** A file of the package: its buyers can download it (S2-3.18). */
  downloadable: picture,
  /** -1 = unlimited; 0 = none (a sign-up fee). */
  class_amount: z.int().min(-1).max(10_000),
  expiration_days: z.int().min(0).max(3_660),
  /** When the days of validity start to count. */
  clock_starts: z.enum(['purchase', 'first_class']).optional(),
  is_special_event: flag,
  is_trial: flag,
  is_online: flag,
  is_home: flag,
  is_featured: flag,
  is_subscription: flag,
  subscription_period: periodUnit.nullish(),
  subscription_interval: z.int().min(1).max(1_095).nullish(),
  free_trial_length: z.int().min(1).max(730).nullish(),
  /** Unit of the free trial; default: days (settled 35). */
  free_trial_period: periodUnit.nullish(),
  limit_per_customer: z.int().min(1).max(1_000).nullish(),
  /** How many can be sold in all; null = unlimited. */
  capacity: z.int().min(0).max(1_000_000).nullish(),
  allowed_times: z.array(allowedTime).max(50).optional(),
  /** Null = all locations. */
  location_ids: z.array(id).min(1).max(100).nullish(),
  guests_use_credit: flag,
  available: flag,
  tax_rate: z.number().min(0).max(100).multipleOf(0.01).nullish().describe('IVA en por ciento; null: el de la sucursal, o el del estudio.'),
  tax_exempt: z.boolean().optional().describe('Exento de IVA: sin tasa, y su factura dice Exento.'),
  sat_key: z
    .union([z.literal('').transform(() => null), z.string().regex(/^\d{8}$/, 'La clave del SAT lleva ocho dígitos.')])
    .nullish()
    .describe('Clave de producto o servicio del SAT, para facturar; null: sin elegir.'),
  /** Credits per class type, when they differ by type. */
  class_package_types: z
    .array(
      z
        .object({
          class_type_id: id.optional().describe('El tipo de clase. Hace falta este o `class_type`.'),
          class_type: z.object({ class_type_id: id }).optional().describe('El tipo de clase como se lee.'),
          class_amount: z
            .int()
            .min(-1)
            .max(10_000)
            .refine((n) => n !== 0, 'Escribe cuántas clases da, o -1 si son ilimitadas.'),
          expiration_days: z.int().min(1).max(3_660),
        })
        .transform(({ class_type, class_type_id = class_type?.class_type_id, ...credits }, context) => {
          if (class_type_id !== undefined) return { class_type_id, ...credits }
          context.addIssue({ code: 'custom', path: ['class_type_id'], message: 'Falta el tipo de clase.' })
          return z.NEVER
        }),
    )
    .max(50)
    .optional(),
}

const packageInput = z.object(fields)
export type PackageInput = z.output<typeof packageInput>
const packageChange = z.object({ class_package_id: id, ...packageInput.partial().shape, ...versioned.sent })
export type PackageChange = z.output<typeof packageChange>

/** Issues of a package as a whole: per field, in Spanish. A change is checked merged with the unchanged fields. */
export function packageIssues(input: PackageInput): { path: string; message: string }[] {
  const found: { path: string; message: string }[] = []
  const wrong = (path: keyof PackageInput, message: string) => found.push({ path, message })
  const types = input.class_package_types ?? []
  if (input.sale_price != null && input.sale_price > input.price)
    wrong('sale_price', 'El precio de oferta no puede ser mayor que el precio.')
  if (input.class_amount !== 0 && input.expiration_days === 0) wrong('expiration_days', 'Escribe en cuántos días vencen las clases.')
  if (new Set(types.map((type) => type.class_type_id)).size !== types.length)
    wrong('class_package_types', 'Un tipo de clase aparece dos veces.')
  if (input.allowed_times?.some((time) => time.from >= time.to)) wrong('allowed_times', 'Un horario termina antes de empezar.')
  if (!input.is_subscription) return found
  const { subscription_period: period, subscription_interval: interval, free_trial_length: trial } = input
  if (!period) wrong('subscription_period', 'Elige cada cuánto se cobra.')
  if (!interval) wrong('subscription_interval', 'Elige cada cuánto se cobra.')
  if (period && interval && interval > LONGEST[period]) wrong('subscription_interval', 'Un periodo no puede durar más de tres años.')
  if (trial && trial > LONGEST_TRIAL[input.free_trial_period ?? 'day'])
    wrong('free_trial_length', 'Una prueba no puede durar más de dos años.')
  if ((input.sale_price ?? input.price) === 0) wrong('price', 'Una suscripción tiene que costar algo.')
  return found
}

/** A package for staff. */
const studioPackage = classPackage.extend({
  downloadable: image
    .extend({ name: z.string().nullable().describe('Nombre del archivo; null: es una dirección de otro sitio.') })
    .nullable(),
  capacity: z.int().nullable(),
  /** Live purchases: pending, active and completed. */
  sold: z.int(),
  guests_use_credit: z.boolean(),
  available: z.boolean(),
  tax_rate: z.number().nullable().describe('IVA en por ciento; null: el de la sucursal, o el del estudio.'),
  tax_exempt: z.boolean().describe('Exento de IVA: su factura dice Exento.'),
  sat_key: z.string().nullable().describe('Clave de producto o servicio del SAT; null: sin elegir.'),
  archived: z.boolean().describe('Si está archivado: ya no se vende y quien lo compró lo conserva.'),
  createdAt: instant,
  ...versioned.row,
})
export type StudioPackage = z.infer<typeof studioPackage>

/** A customer who bought a special event. */
const attendee = z.object({
  purchase_id: id,
  customer_id: id,
  name: z.string(),
  last_name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  /** pending: not paid yet. */
  status: z.enum(['pending', 'active', 'completed']),
  /** Local time written as UTC, for display (settled 2). */
  created_date: instant,
})
export type Attendee = z.infer<typeof attendee>

const packageOutput = z.object({ class_package: studioPackage })
const byId = z.object({ class_package_id: pathId })

export const studioPackages = {
  /** Includes packages that are off sale, in the order of the lists (S1-6.03, S1-7.18). `query` is a part of the title. */
  all: endpoint('GET', '/class_packages/admin/all', 'staff:sales.sell', 'Paquetes', 'Todos los paquetes')
    .input(
      z.object({
        query: singleLine(80).optional(),
        archived: yesOrNo.optional().describe('true: solo los archivados, el archivado al último primero.'),
      }),
    )
    .output(z.object({ class_packages: z.array(studioPackage) })),
  /** NOT_FOUND: an unknown location or class type. */
  create: endpoint('POST', '/class_packages', 'staff:catalogue.edit', 'Paquetes', 'Crear un paquete')
    .input(packageInput)
    .errors(refusals('NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED'))
    .output(packageOutput),
  /** Changes only the given fields. Purchases keep the terms that were frozen on them. BELOW_USED: less stock than was sold. */
  update: endpoint('PUT', '/class_packages', 'staff:catalogue.edit', 'Paquetes', 'Cambiar un paquete: solo lo que se envía')
    .input(packageChange)
    .errors(refusals('PACKAGE_NOT_FOUND', 'NOT_FOUND', 'BELOW_USED', 'CHANGED_MEANWHILE'))
    .output(packageOutput),
  /**
   * Archives the package: it is no longer sold and its purchases stay; `restore` takes it back. IN_USE: it is the sign-up fee, or an
   * upcoming class is sold as it.
   */
  remove: endpoint('DELETE', '/class_packages/{class_package_id}', 'staff:catalogue.edit', 'Paquetes', 'Archivar un paquete')
    .input(byId)
    .errors(refusals('PACKAGE_NOT_FOUND', 'IN_USE'))
    .output(done),
  /** Takes an archived package back; it is on sale again if it was (K11). PACKAGE_NOT_FOUND: it is not archived. */
  restore: endpoint(
    'POST',
    '/class_packages/{class_package_id}/restore',
    'staff:catalogue.edit',
    'Paquetes',
    'Recuperar un paquete archivado',
  )
    .input(byId)
    .errors(refusals('PACKAGE_NOT_FOUND'))
    .output(packageOutput),
  /** The given packages first, in this order, the others after them in theirs (K2). */
  order: endpoint('PUT', '/class_packages/order', 'staff:catalogue.edit', 'Paquetes', 'Ordenar los paquetes')
    .input(z.object({ ids: z.array(id).min(1).max(500).describe('Los paquetes en su nuevo orden; los que falten van después.') }))
    .errors(refusals('PACKAGE_NOT_FOUND'))
    .output(done),
  /** S1-7.25, settled 27. */
  addToHome: endpoint(
    'POST',
    '/class_packages/{class_package_id}/home',
    'staff:catalogue.edit',
    'Paquetes',
    'Agregar un paquete a la portada',
  )
    .input(byId)
    .errors(refusals('PACKAGE_NOT_FOUND'))
    .output(packageOutput),
  /** S1-7.26, settled 27. */
  removeFromHome: endpoint(
    'DELETE',
    '/class_packages/{class_package_id}/home',
    'staff:catalogue.edit',
    'Paquetes',
    'Quitar un paquete de la portada',
  )
    .input(byId)
    .errors(refusals('PACKAGE_NOT_FOUND'))
    .output(packageOutput),
  /** Its current holders, and its sales of the last 30 days. */
  figures: endpoint(
    'GET',
    '/admin/class_packages/{class_package_id}/figures',
    'staff:catalogue.edit',
    'Paquetes',
    'Quién tiene un paquete y cuánto se vende',
  )
    .input(byId)
    .errors(refusals('PACKAGE_NOT_FOUND'))
    .output(
      z.object({
        holders: z.int().describe('Personas que lo tienen hoy.'),
        sold_ever: z.int().describe('Cuántos se han vendido desde que existe.'),
        collected_ever: pesosWire
          .nullable()
          .describe('Lo cobrado por él desde que existe, menos lo devuelto; null: la persona no ve dinero.'),
        prices: z
          .array(
            z.object({
              at: instant.describe('Desde cuándo.'),
              by: z.string().nullable().describe('Quién lo puso; null: no fue una persona del equipo.'),
              price: pesosWire,
              sale_price: pesosWire.nullable(),
            }),
          )
          .describe('Los precios que ha tenido, del más nuevo al más viejo.'),
        sold: z.int().describe('Cuántos se vendieron en los últimos 30 días.'),
        collected: pesosWire
          .nullable()
          .describe('Lo cobrado por él en los últimos 30 días, menos lo devuelto; null: la persona no ve dinero.'),
      }),
    ),
  /** Buyers of a special event, oldest first (S1-7.24). PACKAGE_NOT_FOUND for other packages. */
  attendees: endpoint(
    'GET',
    '/class_packages/especiales/{class_package_id}/asistentes',
    'staff:roster.all',
    'Paquetes',
    'Asistentes de un evento',
  )
    .input(byId)
    .errors(refusals('PACKAGE_NOT_FOUND'))
    .output(z.object({ asistentes: z.array(attendee) })),
}
