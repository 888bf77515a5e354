/**
 * What processors need in the browser comes from their folders alone, and a new one needs no more than its entry
 * (docs/adding-a-processor.md).
 */
import { describe, expect, test } from 'vitest'
import { defaultSettings, type Settings } from '#contract/settings.ts'
import { cspFor } from '#server/documents/csp.ts'
import type { ProcessorInBrowser } from './in-browser.ts'
import { openProviders, PROCESSORS_IN_BROWSER, providerSites } from './processors.ts'

const stripeAndPayPal: Settings = { ...defaultSettings, stripe_public: 'pk_test', paypal_enabled: true, paypal_client_id: 'AXy' }

function policy(
  settings: Settings,
  sites = providerSites(),
  processors: Readonly<Record<string, ProcessorInBrowser>> = PROCESSORS_IN_BROWSER,
) {
  const about = { scriptHashes: ['sha256-abc='], styleHashes: [], styleNonce: 'n0nce', settings }
  return cspFor({ area: 'card', ...about, providers: openProviders(settings, sites, processors) })
}
const part = (text: string, name: string) => text.split('; ').find((directive) => directive.startsWith(`${name} `)) ?? ''

describe('the CSP of a page with a card form', () => {
  test('allows the hosts of processors whose public key is set, and no others', () => {
    const csp = policy(stripeAndPayPal)
    expect(part(csp, 'frame-src')).toBe(
      "frame-src 'self' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com https://www.paypal.com https://www.sandbox.paypal.com",
    )
    expect(part(csp, 'script-src')).toContain('https://js.stripe.com https://*.js.stripe.com')
    expect(part(csp, 'connect-src')).toContain('https://api.stripe.com')
    expect(policy(defaultSettings)).not.toMatch(/stripe|paypal|conekta/)
    // A wallet that is off, or without its key, shows no button.
    for (const off of [{ paypal_client_id: '' }, { paypal_enabled: false }]) {
      expect(policy({ ...stripeAndPayPal, ...off })).not.toContain('paypal')
      expect(policy({ ...stripeAndPayPal, ...off })).not.toContain('n0nce')
    }
    expect(part(csp, 'style-src')).toContain("'nonce-n0nce'")
    const conekta = policy({ ...defaultSettings, conekta_public: 'key_x' })
    for (const name of ['script-src', 'connect-src', 'frame-src']) expect(part(conekta, name)).toContain('https://pay.conekta.com')
  })

  test('allows a fake’s address instead of the processor’s own ones', () => {
    const csp = policy(stripeAndPayPal, providerSites({ stripe: 'http://127.0.0.1:4100' }))
    expect(csp).not.toContain('stripe.com')
    expect(part(csp, 'script-src')).toBe(
      "script-src 'self' 'sha256-abc=' http://127.0.0.1:4100 https://www.paypal.com https://www.paypalobjects.com",
    )
  })

  test('never allows inline or evaluated scripts for a processor, nor any origin', () => {
    for (const { site, hosts } of Object.values(PROCESSORS_IN_BROWSER))
      for (const host of [site, ...hosts.script, ...hosts.connect, ...hosts.frame])
        expect(host).toMatch(/^https:\/\/(\*\.)?[a-z.]+\.[a-z]+$/)
  })

  test('allows the hosts of a processor that was added to the list', () => {
    const toy: ProcessorInBrowser = {
      site: 'https://js.toy.example',
      hosts: { script: [], connect: ['https://api.toy.example'], frame: [] },
      publicKey: () => 'toy_key',
    }
    const csp = policy(defaultSettings, providerSites(), { ...PROCESSORS_IN_BROWSER, toy })
    expect(part(csp, 'script-src')).toBe("script-src 'self' 'sha256-abc=' https://js.toy.example")
    expect(part(csp, 'connect-src')).toBe("connect-src 'self' https://js.toy.example https://api.toy.example")
    expect(part(csp, 'frame-src')).toBe("frame-src 'self' https://js.toy.example")
  })
})
