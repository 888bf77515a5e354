import type { ProcessorInBrowser } from '#server/adapters/payments/in-browser.ts'

/** Conekta's component turns a card into a token. */
export const conektaInBrowser: ProcessorInBrowser = {
  site: 'https://pay.conekta.com',
  hosts: { script: [], connect: ['https://api.conekta.io'], frame: [] },
  publicKey: (settings) => settings.conekta_public || null,
}
