/** Texts of the payment options: their titles, the pay button, and the terms of a subscription. */
import { type BillingCalendar, nextBillingDate } from '#contract/billing.ts'
import type { ClassPackage } from '#contract/catalogue.ts'
import { subscriptionPeriodText } from '#contract/copy/names.ts'
import { formatMoney } from '#contract/money.ts'
import type { PaymentOption } from '#contract/payment-options.ts'
import { formatInstant } from '#contract/time.ts'
import { currentInstant } from '#web/lib/clock.ts'
import type { PaymentOptionRow } from './payment-choice.tsx'

/** Title and detail of a payment option. `others`: saved cards are listed above it. */
export function paymentOptionText(paymentOption: PaymentOption, others: boolean, cashHours: number): { title: string; detail?: string } {
  const card = others ? 'Otra tarjeta' : 'Tarjeta de crédito o débito'
  switch (paymentOption) {
    case 'card':
      return { title: card }
    case 'page':
      return { title: card, detail: 'Pagas en la página segura del procesador y regresas aquí.' }
    case 'paypal':
      return { title: 'PayPal' }
    case 'oxxo':
      return { title: 'OXXO', detail: 'Te damos una referencia y pagas en efectivo en la tienda.' }
    case 'spei':
      return { title: 'Transferencia SPEI', detail: 'Te damos una CLABE y pagas desde la app de tu banco.' }
    case 'cash':
      return { title: 'Efectivo', detail: `Pagas en recepción; apartamos tu compra ${cashHours} ${cashHours === 1 ? 'hora' : 'horas'}.` }
  }
}

/** The text of the pay button. `total` null: a trial, nothing is paid today. */
export function payVerb(paymentOption: PaymentOptionRow, total: string | null): string {
  switch (paymentOption) {
    case 'cash':
      return `Apartar por ${total ?? '$0.00'}`
    case 'oxxo':
      return `Generar referencia por ${total ?? '$0.00'}`
    case 'spei':
      return `Generar CLABE por ${total ?? '$0.00'}`
    case 'page':
      return 'Continuar al pago'
    case 'paypal':
      return 'Continuar a PayPal'
    default:
      return total === null ? 'Empezar mi prueba' : `Pagar ${total}`
  }
}

/**
 * "Se cobra cada mes. Tu siguiente cargo es de $1,450.00 el 18 dic 2026. Te avisamos cinco días antes …" (S1-2.67, settled 16).
 * `first`: in centavos, the charge at the end of a trial. `calendar`: of the processor behind the chosen payment option.
 */
export function subscriptionTerms(
  classPackage: ClassPackage,
  later: number,
  first: number | null,
  zone: string,
  emailDays: number,
  calendar: BillingCalendar,
): string {
  const now = currentInstant()
  const next = nextBillingDate({ ...classPackage, createdAt: now }, now, zone, calendar)
  const every = subscriptionPeriodText(classPackage.subscription_period, classPackage.subscription_interval).toLowerCase()
  const days = emailDays === 5 ? 'cinco días' : emailDays === 1 ? 'un día' : `${emailDays} días`
  const when = next ? ` el ${formatInstant(next, zone, 'date')}` : ''
  const what = first === null ? `Tu siguiente cargo es de ${formatMoney(later)}` : `Tu primer cargo es de ${formatMoney(first)}`
  return `Se cobra ${every}. ${what}${when}. Te avisamos ${days} antes y puedes cancelar cuando quieras desde Mis Compras.`
}
