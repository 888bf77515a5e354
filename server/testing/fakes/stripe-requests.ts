/**
 * The requests that the Stripe stand-in takes, in the SDK's own types: stripe-schema.json is generated from this file
 * (scripts/stripe-schema.ts). Keys that are not named here are refused, so that a new key is noticed.
 */
import type { Stripe } from 'stripe'

type Some<T, K extends keyof T> = Pick<T, K>
type Page = 'limit' | 'starting_after' | 'ending_before'

type PaymentIntent = Stripe.PaymentIntentCreateParams
type Exclusive = 'automatic_payment_methods' | 'excluded_payment_method_types' | 'payment_method_configuration'

export type CustomersRetrieve = Some<Stripe.CustomerRetrieveParams, 'expand'>
export type CashBalanceTransactionsList = Some<Stripe.CustomerListCashBalanceTransactionsParams, Page>
export type CustomersCreate = Some<Stripe.CustomerCreateParams, 'email' | 'name' | 'metadata'>

export interface PaymentIntentsCreate
  extends Some<
    PaymentIntent,
    | 'amount'
    | 'currency'
    | 'customer'
    | 'payment_method'
    | 'confirmation_token'
    | 'confirm'
    | 'off_session'
    | 'use_stripe_sdk'
    | 'allowed_payment_method_types'
    | 'return_url'
    | 'setup_future_usage'
    | 'description'
    | 'metadata'
    | 'expand'
  > {
  automatic_payment_methods?: PaymentIntent['automatic_payment_methods']
  excluded_payment_method_types?: PaymentIntent['excluded_payment_method_types']
  payment_method_configuration?: PaymentIntent['payment_method_configuration']
  payment_method_data?: Some<NonNullable<PaymentIntent['payment_method_data']>, 'type' | 'billing_details'>
  payment_method_options?: Some<NonNullable<PaymentIntent['payment_method_options']>, 'oxxo' | 'customer_balance'>
}
export type PaymentIntentsRetrieve = Some<Stripe.PaymentIntentRetrieveParams, 'expand'>
export type PaymentIntentsList = Some<Stripe.PaymentIntentListParams, 'customer' | 'created' | 'expand' | Page>
export type PaymentIntentsConfirm = Some<Stripe.PaymentIntentConfirmParams, 'payment_method' | 'use_stripe_sdk' | 'return_url' | 'expand'>
export type PaymentIntentsCancel = Some<Stripe.PaymentIntentCancelParams, 'cancellation_reason' | 'expand'>

type Session = Stripe.Checkout.SessionCreateParams
export interface SessionsCreate
  extends Some<
    Session,
    | 'mode'
    | 'customer'
    | 'client_reference_id'
    | 'line_items'
    | 'discounts'
    | 'expires_at'
    | 'success_url'
    | 'cancel_url'
    | 'locale'
    | 'metadata'
    | 'allowed_payment_method_types'
    | 'excluded_payment_method_types'
    | 'payment_method_configuration'
    | 'expand'
  > {
  payment_intent_data?: Some<NonNullable<Session['payment_intent_data']>, 'metadata' | 'setup_future_usage' | 'description'>
  subscription_data?: Some<NonNullable<Session['subscription_data']>, 'metadata' | 'trial_end' | 'trial_settings' | 'description'>
}
export type SessionsRetrieve = Some<Stripe.Checkout.SessionRetrieveParams, 'expand'>
export type SessionsList = Some<Stripe.Checkout.SessionListParams, 'customer' | 'created' | Page>
export type SessionsExpire = Some<Stripe.Checkout.SessionExpireParams, 'expand'>

type Setup = Stripe.SetupIntentCreateParams
export type SetupIntentsCreate = Some<
  Setup,
  | 'customer'
  | 'usage'
  | 'metadata'
  | 'expand'
  | 'allowed_payment_method_types'
  | 'payment_method'
  | 'confirm'
  | 'use_stripe_sdk'
  | 'return_url'
  | Extract<keyof Setup, Exclusive>
>
export type SetupIntentsRetrieve = Some<Stripe.SetupIntentRetrieveParams, 'expand'>
export type SetupIntentsConfirm = Some<Stripe.SetupIntentConfirmParams, 'payment_method' | 'use_stripe_sdk' | 'return_url' | 'expand'>

export type ConfirmationTokensRetrieve = Some<Stripe.ConfirmationTokenRetrieveParams, 'expand'>

export type PaymentMethodsRetrieve = Some<Stripe.PaymentMethodRetrieveParams, 'expand'>
export type PaymentMethodsAttach = Some<Stripe.PaymentMethodAttachParams, 'customer'>
export type PaymentMethodsDetach = Some<Stripe.PaymentMethodDetachParams, 'expand'>

export type PricesCreate = Some<Stripe.PriceCreateParams, 'currency' | 'unit_amount' | 'recurring' | 'product_data' | 'metadata'>
export type CouponsCreate = Some<Stripe.CouponCreateParams, 'id' | 'duration' | 'amount_off' | 'currency' | 'name' | 'metadata'>

type Subscription = Stripe.SubscriptionCreateParams
export interface SubscriptionsCreate
  extends Some<
    Subscription,
    | 'customer'
    | 'default_payment_method'
    | 'payment_behavior'
    | 'discounts'
    | 'trial_end'
    | 'trial_settings'
    | 'description'
    | 'metadata'
    | 'expand'
  > {
  items: Some<NonNullable<Subscription['items']>[number], 'price' | 'quantity'>[]
  payment_settings?: Some<NonNullable<Subscription['payment_settings']>, 'save_default_payment_method'>
}
export type SubscriptionsRetrieve = Some<Stripe.SubscriptionRetrieveParams, 'expand'>
export type SubscriptionsList = Some<Stripe.SubscriptionListParams, 'customer' | 'status' | 'created' | Page>
export type SubscriptionsUpdate = Some<
  Stripe.SubscriptionUpdateParams,
  'cancel_at_period_end' | 'cancellation_details' | 'default_payment_method' | 'expand'
> & {
  pause_collection?: '' | Some<Stripe.SubscriptionUpdateParams.PauseCollection, 'behavior'>
}
export type SubscriptionsCancel = Some<Stripe.SubscriptionCancelParams, 'invoice_now' | 'prorate' | 'cancellation_details' | 'expand'>

export type InvoicesList = Some<Stripe.InvoiceListParams, 'subscription' | 'status' | 'expand' | Page>
export type InvoicesPay = Some<Stripe.InvoicePayParams, 'payment_method' | 'off_session' | 'expand'>
export type InvoicePaymentsList = Some<Stripe.InvoicePaymentListParams, 'payment' | 'expand' | Page>
export type ChargesList = Some<Stripe.ChargeListParams, 'customer' | 'created' | 'payment_intent' | Page>
export type RefundsCreate = Some<
  Stripe.RefundCreateParams,
  'payment_intent' | 'amount' | 'reason' | 'metadata' | 'origin' | 'customer' | 'currency'
>
export type RefundsList = Some<Stripe.RefundListParams, 'payment_intent' | Page>
export type DisputesList = Some<Stripe.DisputeListParams, 'payment_intent' | Page>
export type EventsList = Some<Stripe.EventListParams, 'created' | 'types' | Page>
