import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Area } from '#contract/rendering.ts'
import { defaultSettings } from '#contract/settings.ts'
import type { PolicyProvider } from '#server/adapters/payments/in-browser.ts'
import { codeOrigins, cspFor, hashMarkedScripts, hashMarkedStyles, insertCodes, needsStyleNonce, type Policy, runsTracking } from './csp.ts'

const policy = (over: Partial<Policy> = {}) =>
  cspFor({
    area: 'site',
    scriptHashes: ['sha256-abc='],
    styleHashes: ['sha256-def='],
    styleNonce: 'n0nce',
    settings: defaultSettings,
    ...over,
  })
const part = (text: string, name: string) => text.split('; ').find((directive) => directive.startsWith(`${name} `)) ?? ''
const provider: PolicyProvider = {
  origin: 'https://js.processor.example',
  script: ['https://static.processor.example'],
  connect: ['https://api.processor.example'],
  frame: ['https://frame.processor.example'],
  addsStyles: false,
}
const google = { apiKey: 'k', authDomain: 'studio.firebaseapp.com' }
const tracker = '<script src="https://www.googletagmanager.com/gtag/js?id=1"></script>'

describe('content security policy', () => {
  test('a public page allows its own scripts by hash and nothing else', () => {
    const csp = policy()
    expect(part(csp, 'default-src')).toBe("default-src 'none'")
    expect(part(csp, 'script-src')).toBe("script-src 'self' 'sha256-abc='")
    expect(part(csp, 'style-src')).toBe("style-src 'self' 'sha256-def='")
    expect(part(csp, 'style-src-attr')).toBe("style-src-attr 'unsafe-inline'")
    expect(part(csp, 'connect-src')).toBe("connect-src 'self'")
    expect(part(csp, 'img-src')).toBe("img-src 'self' data: https:")
    expect(part(csp, 'font-src')).toBe("font-src 'self'")
    expect(part(csp, 'frame-src')).toBe("frame-src 'none'")
    expect(part(csp, 'frame-ancestors')).toBe("frame-ancestors 'none'")
    expect(part(csp, 'base-uri')).toBe("base-uri 'none'")
    expect(part(csp, 'form-action')).toBe("form-action 'self'")
    expect(part(csp, 'object-src')).toBe("object-src 'none'")
  })

  test('allows a nonce only where a script that adds styles may be, since all viewers of a document share it', () => {
    const providers = [{ ...provider, addsStyles: true }]
    expect(part(policy({ area: 'card', providers }), 'style-src')).toBe("style-src 'self' 'sha256-def=' 'nonce-n0nce'")
    for (const area of ['site', 'access', 'account', 'admin', 'video'] satisfies Area[])
      expect(policy({ area, providers })).not.toContain('n0nce')
    expect([needsStyleNonce('card', [provider]), needsStyleNonce('card', providers)]).toEqual([false, true])
    expect(policy({ area: 'card', providers: [provider] })).not.toContain('n0nce')
  })

  test('no production policy allows inline or evaluated scripts', () => {
    for (const area of ['site', 'access', 'account', 'video', 'card', 'admin'] as const) {
      const script = part(
        policy({ area, settings: { ...defaultSettings, firebaseConfig: google }, providers: [{ ...provider, addsStyles: true }] }),
        'script-src',
      )
      expect(script).not.toMatch(/unsafe-inline|unsafe-eval|\*/)
    }
  })

  test('allows Google’s hosts only where people sign in, and only in Google mode (settled 10)', () => {
    const settings = { ...defaultSettings, firebaseConfig: google }
    expect(policy({ settings })).not.toContain('googleapis.com')
    expect(policy({ area: 'access' })).not.toContain('googleapis.com')
    const csp = policy({ area: 'access', settings })
    expect(part(csp, 'connect-src')).toBe(
      "connect-src 'self' https://identitytoolkit.googleapis.com https://securetoken.googleapis.com https://www.google.com/recaptcha/",
    )
    expect(part(csp, 'script-src')).toContain(
      'https://apis.google.com https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/',
    )
    expect(part(csp, 'frame-src')).toBe(
      'frame-src https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/ https://studio.firebaseapp.com',
    )
  })

  test('an invalid authDomain cannot add directives', () => {
    const settings = { ...defaultSettings, firebaseConfig: { ...google, authDomain: "x.mx; script-src 'unsafe-inline'" } }
    expect(part(policy({ area: 'access', settings }), 'frame-src')).not.toContain('x.mx')
  })

  test('allows hosts of processors only beside a card form', () => {
    for (const area of ['site', 'access', 'account', 'video', 'admin'] as const)
      expect(policy({ area, providers: [provider] })).not.toContain('processor.example')
    const csp = policy({ area: 'card', providers: [provider], cardFrames: ['http://127.0.0.1:4000'] })
    expect(part(csp, 'frame-src')).toBe(
      "frame-src 'self' http://127.0.0.1:4000 https://js.processor.example https://frame.processor.example",
    )
    expect(part(csp, 'script-src')).toContain('https://js.processor.example https://static.processor.example')
    expect(part(csp, 'connect-src')).toContain('https://js.processor.example https://api.processor.example')
  })

  test('allows frames of the accepted video players on a video’s page only (O6, S2-2.65)', () => {
    expect(part(policy({ area: 'video' }), 'frame-src')).toBe(
      'frame-src https://www.youtube-nocookie.com https://player.vimeo.com https://fast.wistia.net https://*.cloudflarestream.com https://iframe.videodelivery.net https://iframe.mediadelivery.net https://www.loom.com https://player.mux.com',
    )
    for (const area of ['site', 'access', 'account', 'card', 'admin'] as const)
      expect(part(policy({ area }), 'frame-src')).not.toMatch(/youtube|vimeo|loom|mux/)
    expect(part(policy({ area: 'video' }), 'script-src')).toBe("script-src 'self' 'sha256-abc='")
    expect(part(policy({ area: 'video' }), 'media-src')).toBe("media-src 'self' https: blob:")
    expect(part(policy({ area: 'account' }), 'media-src')).toBe("media-src 'self' https:")
  })

  test('tracking codes allow nothing beside a card form or in the administration (settled 29)', () => {
    const settings = { ...defaultSettings, head: tracker }
    expect(part(policy({ settings }), 'script-src')).toContain('https://www.googletagmanager.com')
    expect(part(policy({ area: 'card', settings }), 'script-src')).not.toContain('googletagmanager')
    expect(part(policy({ area: 'admin', settings }), 'connect-src')).toBe("connect-src 'self'")
    expect([runsTracking('card'), runsTracking('admin'), runsTracking('site')]).toEqual([false, false, true])
  })

  test('the content security policy is relaxed for Vite in development', () => {
    const csp = policy({ dev: true })
    expect(part(csp, 'script-src')).toBe("script-src 'self' 'unsafe-inline'")
    expect(part(csp, 'connect-src')).toBe("connect-src 'self' ws:")
  })

  test('finds origins of a tracking code in URLs and inside its script', () => {
    expect(codeOrigins(`${tracker}<script>load('https://connect.facebook.net/en_US/fbevents.js')</script>`)).toEqual([
      'https://www.googletagmanager.com',
      'https://connect.facebook.net',
    ])
    expect(codeOrigins('<script>alert(1)</script>')).toEqual([])
    expect(codeOrigins("https://evil.mx;'unsafe-inline'")).toEqual([])
  })
})

const sha = (code: string) => `sha256-${createHash('sha256').update(code).digest('base64')}`

describe('marked styles', () => {
  test('marked styles get their hash and lose their nonce; a style from content gets none', () => {
    const html = '<meta name="style-nonce" content="N"/><style id="brand" nonce="N">h1{color:red}</style><style>body{display:none}</style>'
    const found = hashMarkedStyles(html, 'N')
    expect(found.styleHashes).toEqual([sha('h1{color:red}')])
    expect(found.html).toBe('<meta name="style-nonce" content=""/><style id="brand">h1{color:red}</style><style>body{display:none}</style>')
  })
})

describe('marked scripts', () => {
  test('marked scripts get their hash and lose their mark; a script from content gets none', () => {
    const html =
      '<head><link rel="modulepreload" nonce="MARK" href="/a.js"/></head><script nonce="MARK">let a</script><script>steal()</script><script nonce="OTHER">b</script>'
    const found = hashMarkedScripts(html, 'MARK')
    expect(found.scriptHashes).toEqual([sha('let a')])
    expect(found.html).not.toContain('MARK')
    expect(found.html).toContain('<script>let a</script>')
  })

  test('an external script needs no hash', () => {
    expect(hashMarkedScripts('<script nonce="MARK" src="/a.js"></script>', 'MARK').scriptHashes).toEqual([])
  })

  test('the owner’s codes are inserted at the ends of head and body, and allowed', () => {
    const html = insertCodes('<head></head><body></body>', { head: '<script>h()</script>', body: '<noscript>n</noscript>' }, 'MARK')
    expect(html).toBe('<head><script nonce="MARK">h()</script></head><body><noscript>n</noscript></body>')
    expect(hashMarkedScripts(html, 'MARK').scriptHashes).toEqual([sha('h()')])
  })
})
