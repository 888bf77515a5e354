/** Routes of the Stripe fake. `request`: the definition in stripe-schema.json that validates a request. */

import { digits, endOfDayIn, newId } from './fake.ts'
import type { Form, FormValue } from './form.ts'
import type { StripeAccount } from './stripe-account.ts'
import type { StripeBalance } from './stripe-balance.ts'
import type { StripeBilling } from './stripe-billing.ts'
import { type PaymentIntent, type Session, wrong } from './stripe-objects.ts'
import { expirePage } from './stripe-pages.ts'

/** What the routes use. */
interface Desk {
  /** Base address of pages, vouchers and instructions. */
  url: string
  books: StripeAccount
  billing: StripeBilling
  balance: StripeBalance
}

interface Route {
  method: 'GET' | 'POST' | 'DELETE'
  path: RegExp
  request: string
  work(desk: Desk, input: Form, id: string): { id: string } | { id: string }[]
}

const DAY = 86_400
const textOf = (value: FormValue | undefined) => (typeof value === 'string' && value !== '' ? value : undefined)
const number = (value: FormValue | undefined) => (value === undefined ? undefined : Number(value))
const yes = (value: FormValue | undefined) => String(value) === 'true'
const part = (value: FormValue | undefined): Form => (value && typeof value === 'object' && !Array.isArray(value) ? value : {})
const list = (value: FormValue | undefined): FormValue[] => (Array.isArray(value) ? value : [])
const textsOf = (value: FormValue | undefined): Record<string, string> =>
  Object.fromEntries(Object.entries(part(value)).map(([key, formValue]) => [key, String(formValue)]))

/** Newest first, filtered. */
function newest<T extends { created: number }>(all: Iterable<T>, input: Form, fits: (object: T) => boolean = () => true): T[] {
  const range = part(input.created)
  const from = Math.max(Number(range.gte ?? 0), Number(range.gt ?? -1) + 1)
  return [...all]
    .filter((object) => object.created >= from && object.created <= Number(range.lte ?? Number.MAX_SAFE_INTEGER) && fits(object))
    .reverse()
}

function onlyOneOf(input: Form, ...names: string[]): void {
  const filters = names.filter((name) => input[name] !== undefined)
  if (filters.length > 1) throw wrong(`You may only specify one of these parameters: ${filters.join(', ')}.`)
}

const KINDS = ['allowed_payment_method_types', 'automatic_payment_methods', 'excluded_payment_method_types', 'payment_method_configuration']

function leastAmount(amount: number, currency: string): void {
  if (currency !== 'mxn') throw wrong(`This account does not take ${currency}.`, { param: 'currency' })
  if (amount < 1_000) throw wrong('Amount must be at least $10.00 mxn', { code: 'amount_too_small', param: 'amount' })
  if (amount > 99_999_999) throw wrong('Amount must be no more than $999,999.99 mxn', { code: 'amount_too_large', param: 'amount' })
}

function createIntent(desk: Desk, input: Form): PaymentIntent {
  const { books } = desk
  onlyOneOf(input, ...KINDS)
  onlyOneOf(input, 'payment_method', 'payment_method_data', 'confirmation_token')
  const amount = Number(input.amount)
  leastAmount(amount, textOf(input.currency) ?? '')
  const kinds = list(input.allowed_payment_method_types).map(String)
  const customer = textOf(input.customer)
  if (customer) books.get('customers', customer, 'customer')
  const confirm = yes(input.confirm)
  if (!confirm)
    for (const name of ['use_stripe_sdk', 'return_url', 'off_session', 'confirmation_token'])
      if (input[name] !== undefined) throw wrong(`The parameter ${name} cannot be passed when confirm is false.`, { param: name })
  const data = part(input.payment_method_data)
  const kind = textOf(data.type) ?? 'card'
  if (data.type !== undefined && !kinds.includes(kind))
    throw wrong(`The PaymentMethod type ${kind} is not among the allowed ones.`, { param: 'payment_method_data[type]' })
  const token = textOf(input.confirmation_token)
  const method = token ? books.confirmationToken(token).payment_method : textOf(input.payment_method)
  const own = method ? books.usable(method, customer ?? null) : undefined
  if (own && !kinds.includes(own.type))
    throw wrong(`The PaymentMethod type ${own.type} is not among the allowed ones.`, { param: 'payment_method' })
  if (own && !token && books.isOfWallet(own))
    throw wrong('What a wallet returned is confirmed with a ConfirmationToken.', { param: 'payment_method' })
  const intent = books.intent({
    amount,
    currency: 'mxn',
    customer: customer ?? null,
    metadata: textsOf(input.metadata),
    description: textOf(input.description) ?? null,
    setup_future_usage: (textOf(input.setup_future_usage) as PaymentIntent['setup_future_usage']) ?? null,
    allowed_payment_method_types: kinds as PaymentIntent['allowed_payment_method_types'],
  })
  if (!confirm) return intent
  if (kind === 'card') {
    if (yes(input.use_stripe_sdk) && !input.return_url)
      throw wrong('A return_url must be given for methods that may redirect.', { param: 'return_url' })
    if (token) books.spendConfirmationToken(token, intent)
    books.confirm(intent, method, input.off_session !== undefined)
  } else voucher(desk, intent, kind, data, part(input.payment_method_options))
  return intent
}

function voucher(desk: Desk, intent: PaymentIntent, kind: string, data: Form, options: Form): void {
  const { books } = desk
  const method = books.method('pm_card_visa')
  Object.assign(method, { type: kind, card: undefined })
  if (kind === 'oxxo') {
    const { name, email } = part(data.billing_details)
    if (!/^\S{2,} .*\S{2,}$/.test(String(name ?? '')) || !email)
      throw wrong('OXXO needs billing_details[name] with two names, and billing_details[email].', {
        param: 'payment_method_data[billing_details]',
      })
    if (intent.amount > 1_000_000) throw wrong('Amount must be no more than $10,000.00 mxn', { code: 'amount_too_large', param: 'amount' })
    const days = number(part(options.oxxo).expires_after_days) ?? 3
    if (days < 1 || days > 7)
      throw wrong('expires_after_days must be from 1 to 7.', { param: 'payment_method_options[oxxo][expires_after_days]' })
    books.confirm(intent, method.id)
    // The end of that day in Mexico City.
    const expires = endOfDayIn(books.seconds, days)
    intent.next_action = {
      type: 'oxxo_display_details',
      oxxo_display_details: {
        number: digits('98', 14),
        expires_after: expires,
        hosted_voucher_url: `${desk.url}/voucher/${intent.id}`,
      },
    } as PaymentIntent['next_action']
  } else if (kind === 'customer_balance') {
    const bank = part(options.customer_balance)
    if (!intent.customer) throw wrong('customer_balance needs a customer.', { param: 'customer' })
    if (bank.funding_type !== 'bank_transfer' || part(bank.bank_transfer).type !== 'mx_bank_transfer')
      throw wrong('customer_balance needs funding_type and bank_transfer[type].')
    books.confirm(intent, method.id)
    intent.next_action = {
      type: 'display_bank_transfer_instructions',
      display_bank_transfer_instructions: {
        amount_remaining: intent.amount,
        currency: 'mxn',
        reference: newId('', 10),
        type: 'mx_bank_transfer',
        hosted_instructions_url: `${desk.url}/transferencia/${intent.id}`,
        financial_addresses: [
          {
            type: 'spei',
            supported_networks: ['spei'],
            spei: { clabe: desk.balance.clabeOf(intent.customer), bank_code: '646', bank_name: 'STP', account_holder_name: 'Estudio' },
          },
        ],
      },
    } as PaymentIntent['next_action']
  } else throw wrong(`Nothing is known about ${kind}.`)
  books.emit('payment_intent.requires_action', intent)
  // The customer's balance is used at once.
  if (kind === 'customer_balance' && intent.customer) desk.balance.reconcile(intent.customer)
}

function createSession(desk: Desk, input: Form): Session {
  const { books } = desk
  onlyOneOf(input, ...KINDS)
  const mode = textOf(input.mode)
  const [line] = list(input.line_items).map(part)
  if (!line || line.quantity === undefined) throw wrong('line_items need a quantity.')
  onlyOneOf(line, 'price', 'price_data')
  const customer = textOf(input.customer) ?? ''
  books.get('customers', customer, 'customer')
  const expires = number(input.expires_at) ?? books.seconds + DAY
  if (expires < books.seconds + 1_800 || expires > books.seconds + DAY)
    throw wrong('The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.', {
      param: 'expires_at',
    })
  if (!textOf(input.success_url)) throw wrong('success_url is required.', { param: 'success_url' })
  const inside = part(mode === 'subscription' ? input.subscription_data : input.payment_intent_data)
  if (mode === 'subscription' ? input.payment_intent_data : input.subscription_data)
    throw wrong(`This parameter does not belong to mode ${mode}.`)
  if (mode === 'payment' && input.discounts) throw wrong('This project gives discounts in the amount.')
  const trialEnd = number(inside.trial_end)
  if (trialEnd !== undefined && trialEnd < books.seconds + 2 * DAY)
    throw wrong('The `trial_end` date has to be at least 2 days in the future.', { param: 'subscription_data[trial_end]' })
  const price = textOf(line.price)
  if ((mode === 'subscription') !== (price !== undefined)) throw wrong('A subscription needs a recurring price, a payment its own.')
  const amount = price ? books.get('prices', price).unit_amount : Number(part(line.price_data).unit_amount)
  leastAmount(amount, price ? 'mxn' : (textOf(part(line.price_data).currency) ?? ''))
  const coupon = textOf(part(list(input.discounts)[0]).coupon)
  const off = coupon ? books.get('coupons', coupon).amount_off : 0
  const id = newId('cs_test_')
  const session: Session = {
    id,
    object: 'checkout.session',
    amount_total: trialEnd ? 0 : amount - off,
    client_reference_id: textOf(input.client_reference_id) ?? null,
    created: books.seconds,
    currency: 'mxn',
    customer,
    expires_at: expires,
    livemode: false,
    metadata: textsOf(input.metadata),
    mode: mode as Session['mode'],
    payment_intent: null,
    payment_status: 'unpaid',
    status: 'open',
    subscription: null,
    url: `${desk.url}/pagar/${id}`,
    hidden: {
      data: {
        amount,
        ...(price ? { price } : {}),
        ...(coupon ? { coupon } : {}),
        ...(trialEnd ? { trialEnd } : {}),
        metadata: textsOf(inside.metadata),
        keep: inside.setup_future_usage !== undefined,
        after: textOf(input.success_url) ?? '',
        back: textOf(input.cancel_url) ?? '',
      },
    },
  }
  books.all.sessions.set(id, session)
  return session
}

function make(method: Route['method'], path: string, request: string, work: Route['work']): Route {
  return { method, path: new RegExp(`^/v1/${path.replace('ID', '([\\w-]+)')}$`), request, work }
}

export const ROUTES: readonly Route[] = [
  make('POST', 'customers', 'CustomersCreate', ({ books }, input) => {
    const customer = {
      id: newId('cus_'),
      object: 'customer' as const,
      email: textOf(input.email) ?? null,
      name: textOf(input.name) ?? null,
      created: books.seconds,
      livemode: false,
      metadata: textsOf(input.metadata),
    }
    books.all.customers.set(customer.id, customer)
    return customer
  }),

  make('GET', 'customers/ID', 'CustomersRetrieve', ({ books }, _, id) => books.get('customers', id, 'customer')),
  make('GET', 'customers/ID/cash_balance_transactions', 'CashBalanceTransactionsList', ({ books, balance }, _, id) => {
    books.get('customers', id, 'customer')
    return balance.transactions(id)
  }),

  make('POST', 'payment_intents', 'PaymentIntentsCreate', (desk, input) => createIntent(desk, input)),
  make('GET', 'payment_intents', 'PaymentIntentsList', ({ books }, input) =>
    newest(books.all.intents.values(), input, (intent) => !input.customer || intent.customer === input.customer),
  ),
  make('GET', 'payment_intents/ID', 'PaymentIntentsRetrieve', ({ books }, _, id) => books.get('intents', id, 'intent')),
  make('POST', 'payment_intents/ID/confirm', 'PaymentIntentsConfirm', ({ books }, input, id) => {
    const intent = books.get('intents', id, 'intent')
    books.confirm(intent, textOf(input.payment_method))
    return intent
  }),
  make('POST', 'payment_intents/ID/cancel', 'PaymentIntentsCancel', ({ books }, input, id) => {
    const intent = books.get('intents', id, 'intent')
    books.cancel(intent, (textOf(input.cancellation_reason) as PaymentIntent['cancellation_reason']) ?? null)
    return intent
  }),

  make('POST', 'checkout/sessions', 'SessionsCreate', (desk, input) => createSession(desk, input)),
  make('GET', 'checkout/sessions', 'SessionsList', ({ books }, input) =>
    newest(books.all.sessions.values(), input, (session) => !input.customer || session.customer === input.customer),
  ),
  make('GET', 'checkout/sessions/ID', 'SessionsRetrieve', ({ books }, _, id) => books.get('sessions', id, 'session')),
  make('POST', 'checkout/sessions/ID/expire', 'SessionsExpire', ({ books }, _, id) => {
    const session = books.get('sessions', id, 'session')
    expirePage(books, session)
    return session
  }),

  make('POST', 'setup_intents', 'SetupIntentsCreate', ({ books, billing }, input) => {
    onlyOneOf(input, ...KINDS)
    books.get('customers', textOf(input.customer), 'customer')
    const setup = billing.setup({ customer: textOf(input.customer) ?? null, metadata: textsOf(input.metadata) })
    if (yes(input.confirm)) books.confirmSetup(setup, textOf(input.payment_method) ?? '')
    return setup
  }),
  make('GET', 'setup_intents/ID', 'SetupIntentsRetrieve', ({ books }, _, id) => books.get('setups', id, 'intent')),
  make('POST', 'setup_intents/ID/confirm', 'SetupIntentsConfirm', ({ books }, input, id) => {
    const setup = books.get('setups', id, 'intent')
    books.confirmSetup(setup, textOf(input.payment_method) ?? '')
    return setup
  }),

  make('GET', 'confirmation_tokens/ID', 'ConfirmationTokensRetrieve', ({ books }, _, id) => {
    const { payment_intent, payment_method } = books.confirmationToken(id)
    const { type, card } = books.method(payment_method)
    return { id, object: 'confirmation_token', created: books.seconds, payment_intent, payment_method_preview: { type, card } }
  }),
  make('GET', 'payment_methods/ID', 'PaymentMethodsRetrieve', ({ books }, _, id) => books.method(id)),
  make('POST', 'payment_methods/ID/attach', 'PaymentMethodsAttach', ({ books }, input, id) => {
    const method = books.usable(id, textOf(input.customer) ?? null)
    books.get('customers', textOf(input.customer), 'customer')
    const no = method.hidden.card?.decline
    if (no) throw wrong('Your card was declined.', { type: 'card_error', ...no }, 402)
    books.attach(method, textOf(input.customer) ?? '')
    return method
  }),
  make('POST', 'payment_methods/ID/detach', 'PaymentMethodsDetach', ({ books }, _, id) => {
    const method = books.method(id)
    books.detach(method)
    return method
  }),

  make('POST', 'prices', 'PricesCreate', ({ books }, input) => {
    const every = part(input.recurring)
    const price = {
      id: newId('price_'),
      object: 'price' as const,
      currency: textOf(input.currency) ?? '',
      unit_amount: Number(input.unit_amount),
      recurring: {
        interval: (textOf(every.interval) ?? 'month') as 'day' | 'month' | 'year',
        interval_count: number(every.interval_count) ?? 1,
      },
    }
    leastAmount(price.unit_amount, price.currency)
    const months = { day: 1 / 30.5, week: 7 / 30.5, month: 1, year: 12 }[price.recurring.interval] * price.recurring.interval_count
    if (months > 36.1) throw wrong('The maximum interval is three years.', { param: 'recurring[interval_count]' })
    if (!textOf(part(input.product_data).name)) throw wrong('product_data[name] is required.')
    books.all.prices.set(price.id, price)
    return price
  }),
  make('POST', 'coupons', 'CouponsCreate', ({ books }, input) => {
    const id = textOf(input.id) ?? newId('')
    if (books.all.coupons.has(id)) throw wrong('Coupon already exists.', { code: 'resource_already_exists' })
    const coupon = {
      id,
      object: 'coupon' as const,
      amount_off: Number(input.amount_off),
      currency: textOf(input.currency) ?? '',
      duration: textOf(input.duration) ?? 'once',
    }
    books.all.coupons.set(id, coupon)
    return coupon
  }),

  make('POST', 'subscriptions', 'SubscriptionsCreate', ({ billing }, input) => {
    if (input.payment_behavior !== 'default_incomplete') throw wrong('This project starts subscriptions as default_incomplete.')
    return billing.create({
      customer: textOf(input.customer) ?? '',
      price: textOf(part(list(input.items)[0]).price) ?? '',
      coupon: textOf(part(list(input.discounts)[0]).coupon),
      method: textOf(input.default_payment_method),
      trialEnd: number(input.trial_end),
      unattended: textOf(part(part(input.trial_settings).end_behavior).missing_payment_method) ?? 'create_invoice',
      metadata: textsOf(input.metadata),
    })
  }),
  make('GET', 'subscriptions', 'SubscriptionsList', ({ books }, input) =>
    newest(
      books.all.subscriptions.values(),
      input,
      (subscription) =>
        (!input.customer || subscription.customer === input.customer) && (input.status === 'all' || subscription.status !== 'canceled'),
    ),
  ),
  make('GET', 'subscriptions/ID', 'SubscriptionsRetrieve', ({ books }, _, id) => books.get('subscriptions', id)),
  make('POST', 'subscriptions/ID', 'SubscriptionsUpdate', ({ books, billing }, input, id) => {
    const subscription = books.get('subscriptions', id)
    const card = textOf(input.default_payment_method)
    if (card) subscription.default_payment_method = books.usable(card, subscription.customer).id
    if (input.pause_collection !== undefined) billing.pause(subscription, textOf(part(input.pause_collection).behavior) ?? null)
    if (input.cancel_at_period_end !== undefined)
      billing.cancelLater(subscription, yes(input.cancel_at_period_end), textOf(part(input.cancellation_details).comment) ?? null)
    return subscription
  }),
  make('DELETE', 'subscriptions/ID', 'SubscriptionsCancel', ({ books, billing }, input, id) => {
    const subscription = books.get('subscriptions', id)
    billing.cancel(subscription, textOf(part(input.cancellation_details).comment) ?? null)
    return subscription
  }),

  make('GET', 'invoices', 'InvoicesList', ({ books }, input) =>
    newest(
      books.all.invoices.values(),
      input,
      (invoice) =>
        invoice.parent.subscription_details.subscription === input.subscription && (!input.status || invoice.status === input.status),
    ),
  ),
  make('POST', 'invoices/ID/pay', 'InvoicesPay', ({ books, billing }, input, id) => {
    const invoice = books.get('invoices', id)
    billing.pay(invoice, textOf(input.payment_method), input.off_session === undefined || yes(input.off_session))
    return invoice
  }),

  make('GET', 'invoice_payments', 'InvoicePaymentsList', ({ books }, input) => {
    const { type, payment_intent } = part(input.payment)
    if (type !== 'payment_intent') throw wrong('payment[type] is required.')
    return [...books.all.invoices.values()]
      .filter((invoice) => invoice.hidden.payment_intent === payment_intent)
      .map((invoice) => ({
        id: `inpay_${invoice.id.slice(3)}`,
        object: 'invoice_payment',
        created: invoice.created,
        invoice: invoice.id,
        payment: { type, payment_intent },
      }))
  }),
  make('GET', 'charges', 'ChargesList', ({ books }, input) =>
    newest(books.all.charges.values(), input, (charge) => !input.customer || charge.customer === input.customer),
  ),
  make('POST', 'refunds', 'RefundsCreate', ({ books, balance }, input) => {
    if (input.origin !== undefined) {
      onlyOneOf(input, 'origin', 'payment_intent')
      if (input.currency !== 'mxn' || !number(input.amount)) throw wrong('A refund of a customer balance needs amount and currency.')
      return balance.giveBack(textOf(input.customer) ?? '', Number(input.amount), textsOf(input.metadata))
    }
    return books.refund(books.get('intents', textOf(input.payment_intent), 'payment_intent'), number(input.amount), {
      reason: 'requested_by_customer',
      metadata: textsOf(input.metadata),
    })
  }),
  make('GET', 'refunds', 'RefundsList', ({ books }, input) =>
    newest(books.all.refunds.values(), input, (refund) => refund.payment_intent === input.payment_intent),
  ),
  make('GET', 'disputes', 'DisputesList', ({ books }, input) =>
    newest(books.all.disputes.values(), input, (dispute) => dispute.payment_intent === input.payment_intent),
  ),
  make('GET', 'events', 'EventsList', ({ books }, input) => {
    const types = list(input.types).map(String)
    if (types.length > 20) throw wrong('You can pass at most 20 types.', { param: 'types' })
    return newest(books.events, input, (event) => types.length === 0 || types.includes(event.type))
  }),
]
