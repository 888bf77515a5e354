/** Where somebody lands who comes back from paying: the order, which follows `checkout_redirect_url` once it is paid (S1-3.17). */
export const PAYING = 'pagando'
/** An order that is looked up, from the lists of purchases and charges: it was bought before. */
export const LOOKED_UP = 'orden'
/** `order`: a purchase_id, or a payment_id (S1-2.23). */
export const returnPath = (order: number): string => `/gracias/${order}?${PAYING}=1`
