/** The processors with a browser script, each from its own folder. A new one adds one line here. */
import type { ProviderSites, ScriptedProcessor } from '#contract/processors.ts'
import type { Settings } from '#contract/settings.ts'
import { conektaInBrowser } from './conekta/browser.ts'
import type { PolicyProvider, ProcessorInBrowser } from './in-browser.ts'
import { paypalInBrowser } from './paypal/browser.ts'
import { stripeInBrowser } from './stripe/browser.ts'

export const PROCESSORS_IN_BROWSER: Readonly<Record<ScriptedProcessor, ProcessorInBrowser>> = {
  stripe: stripeInBrowser,
  paypal: paypalInBrowser,
  conekta: conektaInBrowser,
}

/** Origin of each processor's script: the processor's own, or that of the fake processor named in the environment. */
export function providerSites(standIns: Partial<Record<ScriptedProcessor, string | undefined>> = {}): ProviderSites {
  const sites = Object.entries(PROCESSORS_IN_BROWSER).map(([id, { site }]) => [id, standIns[id as ScriptedProcessor] ?? site])
  return Object.fromEntries(sites) as ProviderSites
}

/** Policy entries for a page with a card form under these settings: of the processors whose key is set. */
export function openProviders(
  settings: Settings,
  sites: ProviderSites,
  processors: Readonly<Record<string, ProcessorInBrowser>> = PROCESSORS_IN_BROWSER,
): PolicyProvider[] {
  return Object.entries(processors)
    .filter(([, { publicKey }]) => publicKey(settings) !== null)
    .map(([id, { site, hosts, addsStyles = false }]) => {
      const origin = sites[id as ScriptedProcessor] ?? site
      return { origin, ...(origin === site ? hosts : { script: [], connect: [], frame: [] }), addsStyles }
    })
}
