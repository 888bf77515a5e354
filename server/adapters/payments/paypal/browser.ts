import type { ProcessorInBrowser } from '#server/adapters/payments/in-browser.ts'

/** PayPal's script draws its own button. */
export const paypalInBrowser: ProcessorInBrowser = {
  site: 'https://www.paypal.com',
  hosts: {
    script: ['https://www.paypalobjects.com'],
    connect: ['https://www.sandbox.paypal.com'],
    frame: ['https://www.sandbox.paypal.com'],
  },
  publicKey: (settings) => (settings.paypal_enabled && settings.paypal_client_id) || null,
  addsStyles: true,
}
