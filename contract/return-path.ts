/** Marks the page a customer returns to after paying: the order, which redirects to `checkout_redirect_url` once it is paid (S1-3.17). */
export const PAYING = 'pagando'
/** Marks an order opened from the lists of purchases and charges: it was bought before. */
export const LOOKED_UP = 'orden'
/** `order`: a purchase_id, or a payment_id (S1-2.23). */
export const returnPath = (order: number): string => `/gracias/${order}?${PAYING}=1`
