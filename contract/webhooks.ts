/**
 * Webhooks: what happens in the studio, sent to addresses of the owner (docs/domain.md, "Integrations"; the Standard Webhooks
 * specification).
 */
import * as z from 'zod'
import { versioned } from './crud.ts'
import { done, endpoint, id, instant, numberBetween, pageNumber, pathId, refusals, singleLine } from './endpoint.ts'

/** Every type of event, with what it means. */
export const webhookEvents = {
  'booking.created': 'Alguien reservó un lugar',
  'booking.cancelled': 'Se canceló un lugar',
  'attendance.marked': 'Se marcó o se desmarcó una asistencia',
  'purchase.created': 'Se abrió una compra',
  'purchase.completed': 'Una compra se pagó o empezó',
  'purchase.ended': 'Una compra falló, se canceló o se retiró',
  'customer.created': 'Hay un cliente nuevo',
  'customer.updated': 'Cambiaron los datos de un cliente',
  'customer.deleted': 'Se borró un cliente',
  'class.created': 'Hay una clase nueva',
  'class.updated': 'Cambió una clase',
  'class.cancelled': 'Se canceló una clase',
} as const
export type WebhookEvent = keyof typeof webhookEvents
const eventKeys = Object.keys(webhookEvents) as [WebhookEvent, ...WebhookEvent[]]

export const WEBHOOK_ENDPOINTS_MAX = 20
export const WEBHOOK_DELIVERIES_PER_PAGE = 50
/** How long a delivery is retried, in hours. */
export const WEBHOOK_RETRY_HOURS = 72
/** How long deliveries are listed, in days. */
export const WEBHOOK_STORED_DAYS = 30

const deliveryState = z.enum(['waiting', 'delivered', 'failed'])
export type WebhookDeliveryState = z.infer<typeof deliveryState>

const webhook = z.object({
  webhook_endpoint_id: id,
  url: z.string().describe('Dirección a la que se envía.'),
  description: z.string().describe('Para qué es.'),
  event_types: z.array(z.enum(eventKeys)).describe('Qué eventos recibe.'),
  is_active: z.boolean().describe('Si se le envían eventos.'),
  failing_since: instant.nullable().describe('Desde cuándo no responde como debe; null: todo llega.'),
  stopped_at: instant.nullable().describe('Cuándo se dejó de intentar, después de tres días de fallas; null: se sigue enviando.'),
  waiting: z.int().describe('Cuántos eventos esperan.'),
  last_delivered_at: instant.nullable().describe('Última entrega; null: ninguna.'),
  createdAt: instant,
  ...versioned.row,
})
export type Webhook = z.infer<typeof webhook>

const attempt = z.object({
  at: instant.describe('Cuándo se intentó.'),
  status: z.int().nullable().describe('Código HTTP de la respuesta; null: no hubo.'),
  response: z.string().describe('El principio de la respuesta.'),
  error: z.string().nullable().describe('Por qué no se entregó; null: se entregó.'),
  milliseconds: z.int().describe('Cuánto tardó.'),
})

const delivery = z.object({
  webhook_delivery_id: id,
  message_id: z.string().describe('Identificador del mensaje, el mismo en cada intento: encabezado `webhook-id`.'),
  type: z.string().describe('Tipo de evento.'),
  object: z.string().describe('De qué es, como `class_reservation:12`.'),
  state: deliveryState.describe('Si espera, se entregó o se dejó de intentar.'),
  attempts: z.int().describe('Cuántas veces se intentó.'),
  next_attempt_at: instant.nullable().describe('Cuándo se intenta otra vez; null: cuanto antes, o ya no.'),
  status: z.int().nullable().describe('Código HTTP de la última respuesta.'),
  error: z.string().nullable().describe('Por qué no se entregó; null: se entregó o no se ha intentado.'),
  createdAt: instant,
})
export type WebhookDelivery = z.infer<typeof delivery>

const url = z
  .string()
  .trim()
  .max(500)
  .refine((text) => URL.canParse(text), 'Escribe una dirección completa, como https://ejemplo.mx/avisos.')
  .describe('Dirección a la que se envía; con https.')
const eventTypes = z.array(z.enum(eventKeys)).min(1, 'Elige al menos un evento.').max(eventKeys.length).describe('Qué eventos recibe.')
const description = singleLine(120).describe('Para qué es.')
const answer = z.object({ webhook: webhook.describe('El webhook.') })
const withSecret = z.object({
  webhook: webhook.describe('El webhook.'),
  secret: z.string().describe('El secreto que firma los mensajes (`whsec_…`); solo se muestra esta vez.'),
})
const webhookPath = z.object({ webhook_endpoint_id: pathId })
const TAG = 'Integraciones'
const ACCESS = 'staff:settings.code'

export const webhooks = {
  /** All webhooks, and how much waits for each. */
  list: endpoint('GET', '/admin/webhooks', ACCESS, TAG, 'Webhooks').output(
    z.object({ webhooks: z.array(webhook).describe('Los webhooks.') }),
  ),
  /** Creates a webhook. Its secret is in this answer only. Needs a sign-in of the last five minutes. */
  create: endpoint('POST', '/admin/webhooks', ACCESS, TAG, 'Crear un webhook')
    .input(z.object({ url, event_types: eventTypes, description: description.default('') }))
    .errors(refusals('RECENT_SIGN_IN_REQUIRED'))
    .output(withSecret),
  /** Changes the given fields. Switching it on sends what waits. Another address needs a sign-in of the last five minutes. */
  update: endpoint('PUT', '/admin/webhooks', ACCESS, TAG, 'Cambiar un webhook: solo lo que se envía')
    .input(
      z.object({
        webhook_endpoint_id: id,
        url: url.optional(),
        event_types: eventTypes.optional(),
        description: description.optional(),
        is_active: z.boolean().optional().describe('Si se le envían eventos.'),
        ...versioned.sent,
      }),
    )
    .errors(refusals('NOT_FOUND', 'RECENT_SIGN_IN_REQUIRED', 'CHANGED_MEANWHILE'))
    .output(answer),
  /** Gives a webhook another secret; for a day messages are signed with both. Needs a sign-in of the last five minutes. */
  rotate: endpoint('POST', '/admin/webhooks/{webhook_endpoint_id}/rotate', ACCESS, TAG, 'Cambiar el secreto de un webhook')
    .input(webhookPath)
    .errors(refusals('NOT_FOUND', 'RECENT_SIGN_IN_REQUIRED'))
    .output(withSecret),
  /** Sends a test event (`webhook.test`), also to a webhook that is switched off. */
  test: endpoint('POST', '/admin/webhooks/{webhook_endpoint_id}/test', ACCESS, TAG, 'Enviar una prueba a un webhook')
    .input(webhookPath)
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ webhook_delivery_id: id })),
  /** Removes a webhook with what waits for it. */
  remove: endpoint('DELETE', '/admin/webhooks/{webhook_endpoint_id}', ACCESS, TAG, 'Eliminar un webhook')
    .input(webhookPath)
    .errors(refusals('NOT_FOUND'))
    .output(done),
  /** What was sent to a webhook in the last 30 days, newest first. */
  deliveries: endpoint('GET', '/admin/webhooks/{webhook_endpoint_id}/deliveries', ACCESS, TAG, 'Envíos de un webhook')
    .input(
      z.object({
        webhook_endpoint_id: pathId,
        state: deliveryState.optional().describe('Solo los de este estado.'),
        page: pageNumber.default(1),
        per_page: numberBetween(1, 200).default(WEBHOOK_DELIVERIES_PER_PAGE).describe('Filas por página; hasta 200.'),
      }),
    )
    .errors(refusals('NOT_FOUND'))
    .output(
      z.object({
        deliveries: z.array(delivery).describe('Los envíos, lo más nuevo primero.'),
        total: z.int().describe('Cuántos son.'),
        pages: z.int().describe('Cuántas páginas son.'),
      }),
    ),
  /** One message: what was sent, and every attempt with its response. */
  delivery: endpoint('GET', '/admin/webhook_deliveries/{webhook_delivery_id}', ACCESS, TAG, 'Un envío de un webhook')
    .input(z.object({ webhook_delivery_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(
      z.object({
        delivery: delivery.describe('El envío.'),
        payload: z.json().describe('Lo que se envía.'),
        attempts: z.array(attempt).describe('Los intentos, el último primero.'),
      }),
    ),
  /** Sends a message again, with the same `webhook-id`. */
  replay: endpoint(
    'POST',
    '/admin/webhook_deliveries/{webhook_delivery_id}/replay',
    ACCESS,
    TAG,
    'Enviar otra vez un mensaje de un webhook',
  )
    .input(z.object({ webhook_delivery_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ webhook_delivery_id: id })),
}
