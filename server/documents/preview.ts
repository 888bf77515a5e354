/**
 * What makes a rendered public page a preview of unsaved settings (docs/domain.md G10): it cannot act, is not stored, and is framed by
 * us only.
 */
import { PREVIEW_KEY } from '#contract/preview.ts'
import type { Rendered } from '#server/platform/page-cache.ts'
import { DOCUMENT_HEADERS, hashMarkedStyles, previewPolicy } from './csp.ts'

/** The token of a preview in a request target; null: an ordinary request. */
export function previewToken(target: string): string | null {
  const [, query = ''] = target.split(/\?(.*)/s)
  return query.includes(PREVIEW_KEY) ? new URLSearchParams(query).get(PREVIEW_KEY) : null
}

/**
 * The document without its scripts and `noscript` parts, with links that lead nowhere (they would leave the sandbox), and drawings in the
 * colours of the preview.
 * The policy forbids all of that too; without the scripts the browser does not report each one.
 */
function still(html: string, token: string): string {
  return html
    .replace(/<script\b[^>]*>[\s\S]*?<\/script>/gi, '')
    .replace(/<noscript>[\s\S]*?<\/noscript>/gi, '')
    .replace(/<link\b[^>]*\brel="modulepreload"[^>]*>/gi, '')
    .replace(/<link\b[^>]*\brel="manifest"[^>]*>/gi, '')
    .replace(/(\/arte\/[a-z0-9-]+\.svg\?)/g, `$1${PREVIEW_KEY}=${token}&amp;`)
    .replace('<head>', '<head><base target="_blank">')
}

interface RenderedPage {
  status: number
  contentType: string
  text: string
  /** the nonce of its own `<style>`; null: it has none */
  styleNonce: string | null
  token: string
}

/** Other answers than pages (redirects, icons) have no preview: they are empty and 404. */
export function asPreview({ status, contentType, text, styleNonce, token }: RenderedPage): Rendered {
  const isPage = contentType.startsWith('text/html') && (status < 300 || status >= 400)
  const dead = isPage ? still(text, token) : ''
  const { html, styleHashes } = styleNonce === null ? { html: dead, styleHashes: [] } : hashMarkedStyles(dead, styleNonce)
  return {
    status: isPage ? status : 404,
    contentType: 'text/html; charset=utf-8',
    body: html,
    headers: [
      ...DOCUMENT_HEADERS.filter(([name]) => name !== 'referrer-policy'),
      // The address is the permission: it reaches no other host.
      ['referrer-policy', 'no-referrer'],
      ['x-robots-tag', 'noindex, nofollow'],
      ['content-security-policy', previewPolicy(styleHashes)],
    ],
    tags: new Set(),
    freshUntil: null,
    keep: false,
  }
}
