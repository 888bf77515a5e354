/** Stripe's webhooks: signed over the raw bytes, recent, of our mode (live or test); an event only names the object to read. */
import type { Stripe } from 'stripe'
import * as z from 'zod'
import { eventId, eventIn } from '#server/adapters/payments/event.ts'
import { BadSignature, type Ref } from '#server/adapters/payments/port.ts'
import { idOf } from './facts.ts'

const TOLERANCE_MS = 300_000

/**
 * Event types that are subscribed to, and listed by reconciliation. Duplicates (`invoice.payment_succeeded`, `charge.refunded`) are left
 * out.
 */
export const EVENT_TYPES = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.processing',
  'payment_intent.canceled',
  'payment_intent.partially_funded',
  // For vouchers: money for a given-up one no longer changes its payment intent.
  'charge.succeeded',
  // For bank transfers: money received, and what no payment used of it.
  'customer_cash_balance_transaction.created',
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'invoice.voided',
  'invoice.marked_uncollectible',
  'invoice.finalization_failed',
  'refund.created',
  'refund.updated',
  'refund.failed',
  // The older event for refunds that fail.
  'charge.refund.updated',
  'charge.dispute.created',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
] as const
const LISTENED = new Set<string>(EVENT_TYPES)

const stripeEvent = z.looseObject({
  id: eventId,
  type: z.string(),
  created: z.number(),
  livemode: z.boolean(),
  data: z.looseObject({ object: z.record(z.string(), z.unknown()) }),
})

/**
 * The SDK verifies the signature and refuses events older than five minutes; it accepts any time in the future, so that is checked here.
 */
export function readWebhookEvent(
  sdk: typeof Stripe,
  options: { secret: string | undefined; live: boolean; now: Date },
  header: string | string[] | undefined,
  body: Uint8Array,
): Stripe.Event {
  if (!options.secret) throw new BadSignature('STRIPE_WEBHOOK_SECRET is not set')
  if (typeof header !== 'string') throw new BadSignature('no signature')
  const signedAt = Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(header)?.[1] ?? Number.NaN) * 1000
  if (!(signedAt - options.now.getTime() <= TOLERANCE_MS)) throw new BadSignature('signed in the future')
  let event: Stripe.Event
  try {
    event = sdk.webhooks.constructEvent(Buffer.from(body), header, options.secret, undefined, undefined, options.now.getTime())
  } catch (error) {
    if (error instanceof SyntaxError) throw error
    throw new BadSignature('wrong signature', { cause: error })
  }
  eventIn(stripeEvent, body)
  if (event.livemode !== options.live) throw new BadSignature('a notice of the other mode')
  return event
}

/** Objects that an event is about. `app`: the name of this installation; objects of others on the same account are skipped. */
export function listRefsOf(event: Stripe.Event, app: string): Ref[] {
  if (!LISTENED.has(event.type)) return []
  const object = event.data.object as { object?: string; id?: string; metadata?: Stripe.Metadata | null }
  const foreign = object.metadata?.app !== undefined && object.metadata.app !== app
  if (foreign || !object.id) return []
  const payment = (id: string | undefined): Ref[] => (id ? [{ gateway: 'stripe', kind: 'payment', id }] : [])
  const subscription = (id: string | undefined): Ref[] => (id ? [{ gateway: 'stripe', kind: 'subscription', id }] : [])
  switch (object.object) {
    case 'payment_intent':
      return payment(object.id)
    case 'checkout.session':
      return object.metadata?.app === app
        ? (object as Stripe.Checkout.Session).mode === 'subscription'
          ? subscription(object.id)
          : payment(object.id)
        : []
    case 'charge': {
      const charge = object as Stripe.Charge
      return charge.payment_method_details?.type === 'oxxo' ? payment(idOf(charge.payment_intent)) : []
    }
    case 'customer_cash_balance_transaction':
      // A read determines whose customer it is.
      return payment(idOf((object as Stripe.CustomerCashBalanceTransaction).customer))
    case 'subscription':
      return object.metadata?.app === app ? subscription(object.id) : []
    case 'invoice': {
      const details = (object as Stripe.Invoice).parent?.subscription_details
      return details?.metadata?.app === app ? subscription(idOf(details.subscription)) : []
    }
    default:
      // Refunds and disputes.
      return payment(idOf((object as Stripe.Refund | Stripe.Dispute).payment_intent))
  }
}
