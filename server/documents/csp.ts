/**
 * Content security policy and the other headers of a document. A cached document is the same for every visitor, so a nonce would be public:
 * inline scripts are allowed by hash, and only those that the renderer itself marked.
 */
import { createHash } from 'node:crypto'
import type { Area } from '#contract/rendering.ts'
import type { Settings } from '#contract/settings.ts'
import { PLAYER_SITES } from '#contract/video-players.ts'
import type { PolicyProvider } from '#server/adapters/payments/in-browser.ts'

/** The settings that add origins to the policy. */
type PolicySettings = Pick<Settings, 'firebaseConfig' | 'head' | 'body'>

export interface Policy {
  area: Area
  /** `sha256-…` of every inline script of the document. */
  scriptHashes: readonly string[]
  /** `sha256-…` of every inline `<style>` of the document. */
  styleHashes: readonly string[]
  /** Allows the styles that a processor's script adds: only where `needsStyleNonce`. */
  styleNonce?: string
  settings: PolicySettings
  /** Origins of card frames beside our own (the sandbox processor on another port). */
  cardFrames?: readonly string[]
  /** Processors that are configured. */
  providers?: readonly PolicyProvider[]
  /** Development: Vite needs inline scripts and styles and its socket. */
  dev?: boolean
}

const IDENTITY_HOSTS = ['https://identitytoolkit.googleapis.com', 'https://securetoken.googleapis.com']
/** Whether the owner's tracking codes run on a part of the product: never beside a card form, never in the administration (settled 29). */
export function runsTracking(area: Area): boolean {
  return area === 'site' || area === 'access' || area === 'account' || area === 'video'
}

/** Whether a document may run a processor's script that adds styles of its own under a nonce. */
export function needsStyleNonce(area: Area, providers: readonly PolicyProvider[]): boolean {
  return area === 'card' && providers.some(({ addsStyles }) => addsStyles)
}

/** Origins that a tracking code names, in a `src` or inside its script. */
export function codeOrigins(code: string): string[] {
  const origins = new Set<string>()
  for (const [address] of code.matchAll(/https:\/\/[a-z0-9.-]+\.[a-z]{2,}(?::\d{1,5})?(?=[/"'`?\s<>]|$)/gi))
    origins.add(new URL(address).origin)
  return [...origins]
}

/**
 * The policy of a document as a header value. Everything is denied by default; an origin is allowed only for the area and the setting
 * that need it (settled 8, 10, 29).
 */
export function cspFor({
  area,
  scriptHashes,
  styleHashes,
  styleNonce,
  settings,
  cardFrames = [],
  providers = [],
  dev = false,
}: Policy): string {
  const script = ["'self'"]
  const connect = ["'self'"]
  const frame: string[] = []
  const image = ["'self'", 'data:', 'https:']
  if (dev) {
    script.push("'unsafe-inline'")
    connect.push('ws:')
  } else for (const hash of scriptHashes) script.push(`'${hash}'`)
  const style = ["'self'", ...(dev ? ["'unsafe-inline'"] : styleHashes.map((hash) => `'${hash}'`))]
  if (!dev && styleNonce && needsStyleNonce(area, providers)) style.push(`'nonce-${styleNonce}'`)
  // The choice of a photo is previewed before it is uploaded.
  if (area === 'account' || area === 'admin') image.push('blob:')

  if (area !== 'site' && settings.firebaseConfig) {
    // Google demands the captcha for suspicious sign-in attempts (S1-8.07).
    connect.push(...IDENTITY_HOSTS, 'https://www.google.com/recaptcha/')
    script.push('https://apis.google.com', 'https://www.google.com/recaptcha/', 'https://www.gstatic.com/recaptcha/')
    frame.push('https://www.google.com/recaptcha/', 'https://recaptcha.google.com/recaptcha/')
    const domain = settings.firebaseConfig.authDomain
    if (domain && /^[a-z0-9.-]+$/i.test(domain)) frame.push(`https://${domain}`)
  }
  // The preview of the public pages in the settings.
  if (area === 'admin') frame.push("'self'")
  if (area === 'video') frame.push(...PLAYER_SITES)
  if (area === 'card') {
    frame.push("'self'", ...cardFrames)
    for (const provider of providers) {
      script.push(provider.origin, ...provider.script)
      connect.push(provider.origin, ...provider.connect)
      frame.push(provider.origin, ...provider.frame)
    }
  }
  if (runsTracking(area)) {
    const codes = `${settings.head}${settings.body}`
    script.push(...codeOrigins(codes))
    // Trackers report to hosts that cannot be known in advance; without a tracking script nothing is allowed.
    if (/<script\b/i.test(codes)) connect.push('https:')
  }

  return [
    "default-src 'none'",
    `script-src ${script.join(' ')}`,
    `style-src ${style.join(' ')}`,
    "style-src-attr 'unsafe-inline'",
    `img-src ${image.join(' ')}`,
    // Captions of an uploaded film are a text of the answer, which its player reads from an object URL.
    `media-src 'self' https:${area === 'video' ? ' blob:' : ''}`,
    "font-src 'self'",
    `connect-src ${connect.join(' ')}`,
    `frame-src ${frame.length ? frame.join(' ') : "'none'"}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/**
 * The policy of a preview (G10): framed by this origin only, and unable to act. No script runs, no form is sent and no link leads away,
 * whatever the document contains; `allow-same-origin` because fonts are fetched with the document's origin.
 */
export const previewPolicy = (styleHashes: readonly string[]): string =>
  [
    "default-src 'none'",
    `style-src 'self' ${styleHashes.map((hash) => `'${hash}'`).join(' ')}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: https:",
    "media-src 'self' https:",
    "font-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-same-origin',
  ].join('; ')

/** The other headers that every document carries, as name and value. */
export const DOCUMENT_HEADERS: readonly [string, string][] = [
  ['x-content-type-options', 'nosniff'],
  ['referrer-policy', 'strict-origin-when-cross-origin'],
  // Google's sign-in window must be able to answer the page that opened it (settled 10).
  ['cross-origin-opener-policy', 'same-origin-allow-popups'],
  ['permissions-policy', 'camera=(self), geolocation=(), microphone=()'],
]

const sha256 = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`

/**
 * Removes the renderer's mark (a nonce) from a document and returns the hashes of the inline scripts that had it. A script inside content
 * does not know the mark, so it gets no hash and does not run.
 */
export function hashMarkedScripts(html: string, mark: string): { html: string; scriptHashes: string[] } {
  const sign = ` nonce="${mark}"`
  const hashes = new Set<string>()
  for (const [, attributes = '', code = ''] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g))
    if (attributes.includes(sign) && !/\ssrc=/.test(attributes) && code) hashes.add(sha256(code))
  return { html: html.replaceAll(sign, ''), scriptHashes: [...hashes] }
}

/** Returns the hashes of the inline styles that have the renderer's nonce, and removes the nonce from the document. */
export function hashMarkedStyles(html: string, nonce: string): { html: string; styleHashes: string[] } {
  const sign = ` nonce="${nonce}"`
  const hashes = new Set<string>()
  for (const [, attributes = '', css = ''] of html.matchAll(/<style\b([^>]*)>([\s\S]*?)<\/style>/g))
    if (attributes.includes(sign)) hashes.add(sha256(css))
  return { html: html.replaceAll(sign, '').replaceAll(nonce, ''), styleHashes: [...hashes] }
}

/** Inserts the owner's tracking codes into a document and marks their scripts. They are not part of what the browser hydrates. */
export function insertCodes(html: string, codes: Pick<Settings, 'head' | 'body'>, mark: string): string {
  const marked = (code: string) => code.replace(/<script\b/gi, `<script nonce="${mark}"`)
  const before = (text: string, tag: string, code: string) => {
    const at = code ? text.lastIndexOf(tag) : -1
    return at < 0 ? text : text.slice(0, at) + marked(code) + text.slice(at)
  }
  return before(before(html, '</head>', codes.head), '</body>', codes.body)
}
