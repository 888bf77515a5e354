/** Text of what a cancellation returns, shown before it is confirmed; the server calculates it. */
import type { CreditsReturned } from '#contract/bookings.ts'

/** `whose`: the customer's own reservation (with the guest's, if any), or only the guest's. */
export function returnedCreditsText({ returned, courtesy }: CreditsReturned, whose: 'mine' | 'guest'): string {
  const credit = whose === 'guest' ? 'El crédito de tu invitado' : 'Tu crédito'
  if (returned + courtesy === 0) return 'No se gastó ningún crédito: no pierdes nada.'
  if (courtesy === 0) return returned === 1 ? `${credit} regresa a tu paquete.` : 'Tus dos créditos regresan a tu paquete.'
  if (returned === 0)
    return courtesy === 1
      ? 'Tu paquete ya venció: recibes un crédito de cortesía.'
      : 'Tu paquete ya venció: recibes dos créditos de cortesía.'
  return 'Un crédito regresa a tu paquete; por el otro, de un paquete que ya venció, recibes uno de cortesía.'
}
