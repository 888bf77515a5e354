/**
 * Subscriptions of the system that the studio used before, which wait for their customer to give a card by a link (docs/domain.md V60
 * to V62).
 */
import * as z from 'zod'
import { endpoint, id, instant, pageNumber, pathId, pesosWire, refusals, singleLine } from './endpoint.ts'

/** Pending subscriptions per page. */
export const PENDING_SUBSCRIPTIONS_PER_PAGE = 50

const TAG = 'Suscripciones'

/**
 * `waiting`: without a card; `ready`: with one, which is charged on the day; `paused`: its customer's credits are frozen, and it begins
 * once they are thawed.
 */
const pendingState = z.enum(['waiting', 'ready', 'paused'])

const pendingSubscription = z.object({
  pending_subscription_id: id,
  state: pendingState.describe(
    'Sin tarjeta, con la tarjeta que se cobra ese día, o en pausa mientras las clases de la persona están congeladas.',
  ),
  title: z.string().describe('El paquete.'),
  class_package_id: id,
  amount: pesosWire.describe('Lo que se cobra en cada periodo; menos si el paquete cuesta menos ese día.'),
  next_charge_on: z.string().describe('El día del primer cobro.'),
  customer: z
    .object({
      customer_id: id,
      name: z.string(),
      last_name: z.string(),
      email: z.string().nullable().describe('Correo; null: no tiene, y no se puede activar.'),
      phone: z.string().nullable().describe('Teléfono; null: no se sabe.'),
    })
    .describe('De quién es.'),
})
export type PendingSubscription = z.infer<typeof pendingSubscription>

const pendingPath = z.object({ pending_subscription_id: pathId })

export const pendingSubscriptions = {
  /** Subscriptions that wait to be activated, the one with the next charge first. Those that began are subscriptions like the others. */
  list: endpoint('GET', '/admin/pending_subscriptions', 'staff:sales.sell', TAG, 'Suscripciones por activar')
    .input(z.object({ customer_id: pathId.optional().describe('Solo las de este cliente.'), page: pageNumber.default(1) }))
    .output(
      z.object({
        pending_subscriptions: z.array(pendingSubscription).describe('Las que esperan, la del próximo cobro primero.'),
        total: z.int().describe('Cuántas esperan.'),
        pages: z.int().describe('Cuántas páginas son.'),
      }),
    ),
  /**
   * The link with which its customer gives a card without log-in. Nothing is charged before the day; on it the card is charged, and the
   * subscription begins. Staff send it: nothing is mailed.
   */
  link: endpoint(
    'POST',
    '/admin/pending_subscriptions/{pending_subscription_id}/link',
    'staff:subscriptions.edit',
    TAG,
    'Enlace para activar',
  )
    .input(pendingPath)
    .errors(refusals('NOT_FOUND', 'CUSTOMER_EMAIL_REQUIRED', 'PACKAGE_NOT_FOUND', 'PAYMENT_METHOD_UNAVAILABLE', 'AMOUNT_OUT_OF_RANGE'))
    .output(
      z.object({ url: z.string().describe('El enlace, para enviarlo a la persona.'), until: instant.describe('Hasta cuándo sirve.') }),
    ),
  /** Takes a pending subscription off; its link stops working and nothing is charged. */
  cancel: endpoint(
    'POST',
    '/admin/pending_subscriptions/{pending_subscription_id}/cancel',
    'staff:subscriptions.edit',
    TAG,
    'Quitar una suscripción por activar',
  )
    .input(pendingPath.extend({ reason: singleLine(300).min(3, 'Escribe el motivo.') }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ ok: z.literal(true).describe('Siempre true.') })),
}
