/** What the message of each event says in `data`: enough to know what happened, and the ids to read the rest with. */
import * as z from 'zod'
import { id, instant, pesosWire } from './endpoint.ts'
import type { WebhookEvent } from './webhooks.ts'

const reservation = z.strictObject({
  class_reservation_id: id.describe('La reservación.').meta({ example: 48_213 }),
  single_class_id: id.describe('La clase.').meta({ example: 3_120 }),
  customer_id: id.describe('De quién es.').meta({ example: 415 }),
  host_reservation_id: id.nullable().describe('Si es de un invitado, la reservación de quien lo trae.').meta({ example: null }),
  spot: z.string().nullable().describe('Su lugar en el mapa, fila y columna; null: la sala no tiene.').meta({ example: '2-5' }),
  source: z
    .string()
    .describe('Cómo se reservó: `customer`, `staff`, `waitlist`, `repeat`, `move` o `restored`.')
    .meta({ example: 'customer' }),
  is_paid: z.boolean().describe('Si está pagado; false: se paga en el estudio.').meta({ example: true }),
  attend: z.boolean().nullable().describe('Si vino; null: nadie lo ha marcado.').meta({ example: null }),
  cancelled_by: z
    .string()
    .nullable()
    .describe('Quién la canceló: `customer`, `staff`, `studio`, `system`, `undo` o `move`; null: sigue en pie.')
    .meta({ example: null }),
  cancelled_late: z.boolean().nullable().describe('Si se canceló tarde y perdió su crédito.').meta({ example: null }),
})

const purchase = z.strictObject({
  purchase_id: id.describe('La compra.').meta({ example: 9_042 }),
  customer_id: id.describe('De quién es.').meta({ example: 415 }),
  class_package_id: id.nullable().describe('El paquete; null: se vendió otra cosa.').meta({ example: 12 }),
  title: z.string().describe('Qué se compró, como se llamaba entonces.').meta({ example: 'Paquete 10' }),
  total: pesosWire.describe('Lo que cuesta, en pesos y con IVA.').meta({ example: '1790.00' }),
  currency: z.literal('MXN').describe('La moneda.').meta({ example: 'MXN' }),
  is_subscription: z.boolean().describe('Si se renueva.').meta({ example: false }),
  gateway: z.string().nullable().describe('Con qué se paga: el procesador, `mostrador` o `efectivo`.').meta({ example: 'stripe' }),
  status: z
    .string()
    .describe('Cómo está: `pending`, `active`, `completed`, `failed`, `cancelled` o `revoked`.')
    .meta({ example: 'completed' }),
  location_id: id.nullable().describe('El estudio (sucursal); null: en línea.').meta({ example: null }),
})

const customer = z.strictObject({
  customer_id: id.describe('El cliente.').meta({ example: 415 }),
  name: z.string().describe('Nombre.').meta({ example: 'Ana Sofía' }),
  last_name: z.string().describe('Apellidos.').meta({ example: 'Treviño' }),
  email: z.string().nullable().describe('Correo.').meta({ example: 'ana@correo.example' }),
  phone: z.string().nullable().describe('Teléfono.').meta({ example: '5522108841' }),
  birthdate: z.iso.date().nullable().describe('Día en que nació.').meta({ example: '1994-04-03' }),
  has_account: z.boolean().describe('Si entra al sitio con una cuenta.').meta({ example: true }),
})

const goneCustomer = z.strictObject({
  customer_id: customer.shape.customer_id,
  merged_into: id.nullable().describe('Con qué cliente se combinó; null: se borró.').meta({ example: null }),
})

const singleClass = z.strictObject({
  single_class_id: id.describe('La clase.').meta({ example: 3_120 }),
  class_type_id: id.describe('El tipo de clase.').meta({ example: 4 }),
  location_id: id.describe('El estudio (sucursal).').meta({ example: 1 }),
  room_id: id.nullable().describe('La sala; null: ninguna.').meta({ example: 2 }),
  starts_at: instant.describe('Cuándo empieza.').meta({ example: '2026-11-21T01:00:00.000Z' }),
  ends_at: instant.describe('Cuándo termina.').meta({ example: '2026-11-21T01:50:00.000Z' }),
  capacity: z.int().nullable().describe('Cuántos lugares tiene; null: todavía no se abre.').meta({ example: 14 }),
  cancelled: z.boolean().describe('Si el estudio la canceló.').meta({ example: false }),
  cancel_reason: z.string().nullable().describe('Por qué se canceló.').meta({ example: null }),
})

export const webhookData = {
  'booking.created': reservation,
  'booking.cancelled': reservation,
  'attendance.marked': reservation,
  'purchase.created': purchase,
  'purchase.completed': purchase,
  'purchase.ended': purchase,
  'customer.created': customer,
  'customer.updated': customer,
  'customer.deleted': goneCustomer,
  'class.created': singleClass,
  'class.updated': singleClass,
  'class.cancelled': singleClass,
} satisfies Record<WebhookEvent, z.ZodObject>

/** The message of an event, as its request has it. */
export const webhookMessage = (event: WebhookEvent) =>
  z.strictObject({
    type: z.literal(event).describe('Qué pasó.').meta({ example: event }),
    timestamp: instant.describe('Cuándo pasó.').meta({ example: '2026-11-19T18:04:05.120Z' }),
    data: webhookData[event].describe('De qué es.'),
  })
