/**
 * The error page for visitors when no document can be rendered: the address does not exist, or the studio is unavailable. Built from the
 * settings in memory alone: no database, no renderer, no script, no file.
 */
import { createHash } from 'node:crypto'
import { tokens } from '#contract/color.ts'
import { sentenceInEnglish } from '#contract/english/answers.ts'
import { type ErrorCode, errors } from '#contract/errors.ts'
import type { Language } from '#contract/language.ts'
import type { Settings } from '#contract/settings.ts'
import { escapeHtml } from '#server/platform/escape.ts'
import { type Finished, finishDocument } from '#server/platform/page-cache.ts'
import { DOCUMENT_HEADERS } from './csp.ts'

/** After how many seconds a client may try again when the studio is busy. */
export const RETRY_SECONDS = '10'

const CORNERS = { recta: '0', suave: '10px', redonda: '999px' } as const

/** The page's HTML and the content security policy it needs. `again`: offers a retry link. */
function fallbackErrorPage(
  settings: Settings,
  sentence: string,
  { again, language }: { again: boolean; language: Language },
): { html: string; policy: string } {
  const colour = tokens(settings)
  const style = `*{box-sizing:border-box;margin:0}
body{min-height:100dvh;display:grid;place-items:center;padding:32px 20px;background:${colour.canvas};color:${colour.ink};font:400 1.0625rem/1.5 system-ui,sans-serif}
main{display:grid;gap:16px;max-width:40rem}
p{color:${colour['brand-ink']};font-weight:700;font-size:1.125rem}
h1{font-size:clamp(1.6875rem,4vw,2.625rem);line-height:1.15;letter-spacing:-.01em;text-wrap:balance}
nav{display:flex;flex-wrap:wrap;gap:12px;margin-top:12px}
a{display:inline-flex;align-items:center;min-height:48px;padding:0 24px;border-radius:${CORNERS[settings.theme_shape]};color:${colour['brand-ink']};font-weight:600;text-decoration:none;box-shadow:inset 0 0 0 2px currentColor}
a:first-child{background:${colour.brand};color:${colour['on-brand']};box-shadow:none}
a:focus-visible{outline:3px solid ${colour.ink};outline-offset:3px}`
  const [retry, home] = language === 'en' ? ['Try again', 'Go to the home page'] : ['Intentar de nuevo', 'Ir al inicio']
  const links = [...(again ? [`<a href="">${retry}</a>`] : []), `<a href="/">${home}</a>`]
  const name = escapeHtml(settings.business_name)
  return {
    html: `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${escapeHtml(sentence)} · ${name}</title><style>${style}</style></head><body><main><p>${name}</p><h1>${escapeHtml(sentence)}</h1><nav>${links.join('')}</nav></main></body></html>`,
    policy: `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  }
}

/** The response for an error code: a page in the studio's colours for clients that accept HTML, otherwise a line of text. */
export function errorDocument(
  settings: Settings,
  code: ErrorCode,
  { accept, language, status = errors[code].status }: { accept: string | undefined; language: Language; status?: number },
): Promise<Finished> {
  const message = language === 'en' ? sentenceInEnglish(errors[code].message) : errors[code].message
  const page = accept?.includes('text/html') ? fallbackErrorPage(settings, message, { again: status !== 404, language }) : null
  return finishDocument({
    status,
    contentType: page ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8',
    body: page?.html ?? message,
    headers: [
      ...DOCUMENT_HEADERS,
      ['content-security-policy', page?.policy ?? "default-src 'none'; frame-ancestors 'none'"],
      ...(status === 503 || status === 429 ? [['retry-after', RETRY_SECONDS] as const] : []),
    ],
    tags: new Set(),
    freshUntil: null,
    keep: false,
  })
}
