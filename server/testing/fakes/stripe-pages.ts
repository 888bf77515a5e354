/** Checkout Sessions of the Stripe fake: the page where a customer pays. */

import type { Answer, RecordedRequest } from './fake.ts'
import type { StripeAccount } from './stripe-account.ts'
import { type PaymentMethod, type Session, StripeRefusal, type Subscription, wrong } from './stripe-objects.ts'

/** Pays on a session's page; after a decline another card may be tried. Returns true when it succeeded. */
export function payPage(
  books: StripeAccount,
  session: Session,
  token: string,
  asSubscription: (session: Session, method: PaymentMethod) => Subscription,
): boolean {
  if (session.status !== 'open') throw new Error(`The page of ${session.id} says that it is ${session.status}.`)
  const { data } = session.hidden
  try {
    if (session.mode === 'subscription') session.subscription = asSubscription(session, books.method(token)).id
    else {
      const intent = session.payment_intent
        ? books.get('intents', session.payment_intent)
        : books.intent({
            amount: data.amount,
            currency: 'mxn',
            customer: session.customer,
            metadata: data.metadata,
            setup_future_usage: data.keep ? 'off_session' : null,
            hidden: { session: session.id },
          })
      session.payment_intent = intent.id
      books.confirm(intent, token)
      if (intent.status === 'requires_action') books.succeed(intent)
      if (intent.status === 'processing') session.payment_status = 'unpaid'
    }
  } catch (error) {
    if (error instanceof StripeRefusal && error.status === 402) return false
    throw error
  }
  const processing = session.payment_intent !== null && books.get('intents', session.payment_intent).status === 'processing'
  session.status = 'complete'
  session.url = null
  session.payment_status = processing ? 'unpaid' : data.trialEnd ? 'no_payment_required' : 'paid'
  books.emit('checkout.session.completed', session)
  return true
}

/** The page as HTML: pays with one card or another, or cancels. `pay`: returns whether it succeeded. */
export function checkoutPage(books: StripeAccount, request: RecordedRequest, pay: (id: string, token: string) => boolean): Answer {
  const id = request.path.split('/').at(-1) ?? ''
  const { status, hidden } = books.get('sessions', id)
  const card = new URLSearchParams(request.raw).get('tarjeta')
  const refused = status === 'open' && request.method === 'POST' && !pay(id, card ?? '')
  if (status === 'open' && request.method === 'POST' && !refused)
    return { status: 303, body: null, text: '', headers: { location: hidden.data.after } }
  const alert = refused ? '<p role="alert">Tu tarjeta fue rechazada.</p>' : ''
  const body =
    status === 'open'
      ? `${alert}<form method="post"><button name="tarjeta" value="pm_card_visa">Pagar</button><button name="tarjeta" value="pm_card_chargeDeclined">Pagar con una que no pasa</button></form><a href="${hidden.data.back}">Volver</a>`
      : '<p>Esta página ya no está disponible.</p>'
  const text = `<!doctype html><html lang="es"><title>Stripe Checkout</title><body><h1>Stripe Checkout</h1>${body}`
  return { status: 200, body: null, text, headers: { 'content-type': 'text/html; charset=utf-8' } }
}

/** A processing payment of a session succeeds or fails. */
export function concludePage(books: StripeAccount, session: Session, through: boolean): void {
  const intent = books.get('intents', session.payment_intent)
  if (intent.status !== 'processing') return
  if (through) {
    books.succeed(intent)
    session.payment_status = 'paid'
    books.emit('checkout.session.async_payment_succeeded', session)
  } else {
    Object.assign(intent, {
      status: 'requires_payment_method',
      last_payment_error: { type: 'card_error', code: 'card_declined', decline_code: 'generic_decline', message: 'declined' },
    })
    books.emit('checkout.session.async_payment_failed', session)
  }
}

export function expirePage(books: StripeAccount, session: Session): void {
  if (session.status !== 'open')
    throw wrong(`Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`)
  Object.assign(session, { status: 'expired', url: null })
  if (session.payment_intent) {
    const intent = books.get('intents', session.payment_intent)
    if (intent.status !== 'succeeded') Object.assign(intent, { status: 'canceled', cancellation_reason: 'automatic' })
  }
  books.emit('checkout.session.expired', session)
}

/** Expires pages. */
export function expireDuePages(books: StripeAccount): void {
  for (const session of books.all.sessions.values())
    if (session.status === 'open' && session.expires_at <= books.seconds) expirePage(books, session)
}
