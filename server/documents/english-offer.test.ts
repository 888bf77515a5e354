import { expect, test } from 'vitest'
import { defaultSettings } from '#contract/settings.ts'
import { hashMarkedScripts } from './csp.ts'
import { insertEnglishOffer } from './english-offer.ts'

const HTML = '<html><body><p>Hola</p></body></html>'
const offered = { ...defaultSettings, languages: 'es-MX,en' } as const
const page = (over: Partial<Parameters<typeof insertEnglishOffer>[1]> = {}) =>
  insertEnglishOffer(HTML, { area: 'site', language: 'es-MX', settings: offered, mark: 'marca', ...over })

test('English is offered on Spanish pages for visitors, where the studio offers it (G13)', () => {
  for (const area of ['site', 'access'] as const) expect(page({ area })).toContain('Read this site in English')
  for (const area of ['account', 'card', 'video', 'admin'] as const) expect(page({ area })).toBe(HTML)
  expect(page({ language: 'en' })).toBe(HTML)
  expect(page({ area: 'access', language: 'en' })).toContain('Español')
  expect(page({ area: 'access', language: 'en' })).not.toContain('Read this site')
  expect(page({ settings: defaultSettings })).toBe(HTML)
  // Invitations and gift cards have the markup of sign-in pages, and are in the area of the site.
  const invitation = '<html><body><div class="access"></div></body></html>'
  expect(insertEnglishOffer(invitation, { area: 'site', language: 'en', settings: offered, mark: 'marca' })).toContain('Español')
})

test('its script runs under the policy: marked, and the same in every document', () => {
  const [first, other] = ['uno', 'dos'].map((mark) => hashMarkedScripts(page({ mark }), mark))
  expect(first?.scriptHashes).toHaveLength(1)
  expect(first).toEqual(other)
  expect(first?.html).not.toContain('uno')
  // It is parsed here as a browser would parse it: types and imports would not work there.
  const [, script = ''] = /<script>([\s\S]*)<\/script>/.exec(first?.html ?? '') ?? []
  expect(() => new Function(script)).not.toThrow()
})
