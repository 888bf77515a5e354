import type { ProcessorInBrowser } from '#server/adapters/payments/in-browser.ts'

/** Stripe.js renders the card's fields and the bank's challenge; it opens its frames on varying hosts below its own. */
export const stripeInBrowser: ProcessorInBrowser = {
  site: 'https://js.stripe.com',
  hosts: {
    script: ['https://*.js.stripe.com'],
    connect: ['https://api.stripe.com'],
    frame: ['https://*.js.stripe.com', 'https://hooks.stripe.com'],
  },
  publicKey: (settings) => settings.stripe_public || null,
}
