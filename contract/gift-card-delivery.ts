/** When gift cards of the site are sent; without schemas, because the page loads it. */

/** A card may be sent at most this many days from today. */
export const GIFT_CARD_DELIVERY_DAYS = 365
