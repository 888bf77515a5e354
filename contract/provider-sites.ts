/**
 * Where the browser gets a processor's own script from (payments study sections 1 and 2: card fields belong to the processor). The policy of
 * the pages with a card form names these and nothing else; an installation that tests against a stand-in names its own in the environment.
 */
export const PROVIDER_SITES = {
  stripe: 'https://js.stripe.com',
  paypal: 'https://www.paypal.com',
  conekta: 'https://pay.conekta.com',
} as const

export type ScriptedProcessor = keyof typeof PROVIDER_SITES
/** Origin of each processor's script, without a final slash. */
export type ProviderSites = Readonly<Record<ScriptedProcessor, string>>
