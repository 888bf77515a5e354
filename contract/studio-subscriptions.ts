/**
 * Subscriptions for staff: the list with its figures, the end, the retry of a refused renewal, and links that change the card (V47 to V49).
 */
import * as z from 'zod'
import { counterOrder, ORDER_REFUSALS } from './counter-orders.ts'
import { amountSent, endpoint, id, instant, numberBetween, pageNumber, pathId, pesosWire, refusals, singleLine } from './endpoint.ts'
import { STUDIO_SALES_PER_PAGE, STUDIO_SALES_PER_PAGE_MAX, studioPurchase } from './studio-sales.ts'

/**
 * State of a live subscription: paid; in its free trial; with a refused renewal; paused; cancelled, with benefits until the end of
 * the paid period.
 */
export const subscriptionState = z.enum(['active', 'trial', 'past_due', 'paused', 'ending'])
export type SubscriptionState = z.infer<typeof subscriptionState>

/** What a change of plan costs and changes. */
const planQuote = z.object({
  title: z.string().describe('El plan nuevo.'),
  starts_at: instant.describe('Cuándo empieza.'),
  price: pesosWire.describe('Lo que cuesta el plan nuevo.'),
  credit: pesosWire.describe('Lo que le queda pagado del plan de ahora, que se descuenta.'),
  total: pesosWire.describe('Lo que se cobra al empezar.'),
  next_total: pesosWire.describe('Lo que se cobra en cada periodo después.'),
  days_left: z.int().nullable().describe('Días que le quedan pagados; null: no se descuentan.'),
  credits_left: z.int().nullable().describe('Clases sin usar del periodo, que se pierden; null: ilimitadas o ninguna.'),
  consequence: z.string().describe('Qué se cobra y qué cambia, en palabras.'),
})
export type PlanQuote = z.infer<typeof planQuote>

const TAG = 'Suscripciones'
const reason = singleLine(300).min(3, 'Escribe el motivo.')
const access = 'staff:subscriptions.edit'

/** What the list of subscriptions is narrowed by, except the state. */
export const subscriptionFilter = {
  query: singleLine(120).optional(),
  class_package_id: pathId.optional(),
  location_id: pathId.optional(),
  sort: z
    .enum(['next', '-next', 'amount', '-amount', 'name', '-name'])
    .default('next')
    .describe('El orden: por cuándo acaba lo pagado, por lo que se cobra o por nombre; con `-`, al revés.'),
}

export const studioSubscriptions = {
  /**
   * Live subscriptions, the one with the next charge first unless `sort` says otherwise. The sums are of all that match, whatever
   * the state.
   */
  list: endpoint('GET', '/admin/subscriptions', 'staff:sales.sell', TAG, 'Suscripciones')
    .input(
      z.object({
        state: subscriptionState.optional().describe('Solo las de este estado.'),
        ...subscriptionFilter,
        page: pageNumber.default(1),
        per_page: numberBetween(1, STUDIO_SALES_PER_PAGE_MAX).default(STUDIO_SALES_PER_PAGE),
      }),
    )
    .output(
      z.object({
        subscriptions: z
          .array(studioPurchase.extend({ state: subscriptionState.describe('Estado de la suscripción.') }))
          .describe('Suscripciones vivas, en el orden pedido.'),
        total: z.int().describe('Suscripciones que coinciden.'),
        sum: z.object({
          mrr: z
            .string()
            .nullable()
            .describe(
              'Ingreso mensual recurrente, sin IVA: el próximo cobro de cada suscripción al corriente, llevado a un mes; null: la persona no ve dinero.',
            ),
          past_due: z.string().describe('Renovaciones que no pasaron, con IVA.'),
          states: z
            .object(Object.fromEntries(subscriptionState.options.map((state) => [state, z.int()])) as Record<SubscriptionState, z.ZodInt>)
            .describe('Cuántas hay en cada estado.'),
        }),
      }),
    ),
  /**
   * Ends a subscription: after the paid period (a free trial at once), or now, with the credits that are left. Nothing more is charged and
   * nothing is refunded. `dry_run` writes nothing and answers the same consequence. Idempotent.
   */
  cancel: endpoint('POST', '/admin/purchases/{purchase_id}/cancel', access, TAG, 'Cancelar una suscripción')
    .input(
      z.object({
        purchase_id: pathId,
        reason,
        when: z.enum(['period_end', 'now']).default('period_end').describe('Al final de lo pagado, o ahora.'),
        dry_run: z.boolean().default(false).describe('Si solo se prueba: dice qué pasaría y no escribe nada.'),
      }),
    )
    .errors(refusals('PURCHASE_NOT_FOUND', 'SUBSCRIPTION_NOT_CANCELLABLE', 'PAYMENT_TRY_LATER'))
    .output(z.object({ purchase: studioPurchase, consequence: z.string().describe('Qué le pasa a la persona, en palabras.') })),
  /** Tries the refused renewal of a subscription again, with its saved card. */
  retry: endpoint('POST', '/admin/purchases/{purchase_id}/retry', access, TAG, 'Reintentar un cobro')
    .input(z.object({ purchase_id: pathId }))
    .errors(refusals('PURCHASE_NOT_FOUND', 'SUBSCRIPTION_NOT_OVERDUE', 'PAYMENT_METHOD_UNAVAILABLE', 'PAYMENT_TRY_LATER'))
    .output(
      z.object({
        purchase: studioPurchase,
        result: z
          .enum(['paid', 'declined', 'confirmation'])
          .describe('Se cobró, el banco lo rechazó, o la persona debe confirmarlo con su banco.'),
      }),
    ),
  /** A link that changes the card of a subscription without log-in, for as long as `until` and until it was used. */
  cardLink: endpoint('POST', '/admin/purchases/{purchase_id}/card_link', access, TAG, 'Enlace para cambiar la tarjeta')
    .input(z.object({ purchase_id: pathId }))
    .errors(refusals('PURCHASE_NOT_FOUND', 'SUBSCRIPTION_OVER', 'PAYMENT_METHOD_UNAVAILABLE'))
    .output(z.object({ url: z.string().describe('El enlace, para enviarlo a la persona.'), until: instant })),
  /** Mails the link of V33 for an overdue renewal again, at most five times a day. */
  sendCardLink: endpoint('POST', '/admin/purchases/{purchase_id}/card_link/send', access, TAG, 'Enviar el enlace de una renovación')
    .input(z.object({ purchase_id: pathId }))
    .errors(refusals('PURCHASE_NOT_FOUND', 'SUBSCRIPTION_NOT_OVERDUE', 'PAYMENT_METHOD_UNAVAILABLE', 'CUSTOMER_EMAIL_REQUIRED'))
    .output(z.object({ purchase: studioPurchase })),
  /**
   * Changes a subscription to another package. `now`: the new plan begins today, less the unused part of the paid period; the old one ends
   * once it is paid. `next_period`: the old one does not renew, and the new one is charged when the paid period ends. `payment_source_id`:
   * on this saved card; without it the customer gets a payment link. A dry run answers `quote` and writes nothing. Money received at the
   * counter is a sale with `replaces`.
   */
  changePlan: endpoint('POST', '/admin/purchases/{purchase_id}/change_plan', access, TAG, 'Cambiar de plan')
    .input(
      z.object({
        purchase_id: pathId,
        class_package_id: id,
        when: z.enum(['now', 'next_period']).default('now').describe('Ahora, o al final de lo pagado.'),
        prorate: z.boolean().default(true).describe('Si lo que le queda pagado se descuenta; solo cuenta si empieza ahora.'),
        payment_source_id: id.nullish(),
        location_id: id.nullish(),
        shown: z.object({ total: amountSent }).nullish(),
        dry_run: z.boolean().default(false).describe('Si solo se prueba: dice qué pasaría y no escribe nada.'),
      }),
    )
    .errors(refusals(...ORDER_REFUSALS))
    .output(
      z.object({
        purchase: studioPurchase.describe('La compra del plan que termina.'),
        order: counterOrder.nullable().describe('El cobro del plan nuevo; null: en una prueba o si empieza después.'),
        quote: planQuote.nullable().describe('Lo que cuesta y cambia; null: ya se cobró.'),
      }),
    ),
  /** Calls off a change that waits for the end of the paid period. The old plan ends then all the same. Idempotent. */
  cancelChange: endpoint('DELETE', '/admin/purchases/{purchase_id}/change_plan', access, TAG, 'Quitar un cambio de plan programado')
    .input(z.object({ purchase_id: pathId, reason }))
    .errors(refusals('PURCHASE_NOT_FOUND', 'PLAN_CHANGE_NONE'))
    .output(z.object({ purchase: studioPurchase })),
}
