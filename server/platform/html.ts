/**
 * HTML from administrators: an allow-list, applied when it is written and again when it is read,
 * so that neither an old row nor a row from elsewhere can carry a script, a handler, a style or a foreign frame to a visitor.
 */
import type { IOptions } from 'sanitize-html'

const rules: IOptions = {
  // biome-ignore format: blocks, words, tables
  allowedTags: [
    'h2', 'h3', 'h4', 'p', 'br', 'hr', 'blockquote', 'pre', 'ul', 'ol', 'li', 'div', 'span', 'figure', 'figcaption',
    'strong', 'em', 'u', 's', 'sub', 'sup', 'mark', 'small', 'code', 'a', 'img',
    'table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td',
  ],
  allowedAttributes: {
    a: ['href', 'title', 'target', 'rel'],
    img: ['src', 'alt', 'width', 'height', 'loading'],
    ol: ['start'],
    th: ['colspan', 'rowspan', 'scope'],
    td: ['colspan', 'rowspan'],
  },
  allowedSchemes: ['https', 'http', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['https'] },
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  enforceHtmlBoundary: false,
  nestingLimit: 40,
  // What stands inside these is no text for a reader.
  nonTextTags: [
    'script',
    'style',
    'textarea',
    'option',
    'noscript',
    'template',
    'title',
    'xmp',
    'iframe',
    'noembed',
    'noframes',
    'plaintext',
    'svg',
    'math',
  ],
  transformTags: {
    // A page has one h1 and it is not the administrator's.
    h1: 'h2',
    h5: 'h4',
    h6: 'h4',
    b: 'strong',
    i: 'em',
    a: (tagName, { target: _, rel: __, ...attribs }) => ({
      tagName,
      attribs: /^https?:/i.test(attribs.href ?? '') ? { ...attribs, target: '_blank', rel: 'noopener noreferrer' } : attribs,
    }),
    img: (tagName, attribs) => ({ tagName, attribs: { alt: '', ...attribs, loading: 'lazy' } }),
  },
}

const NUL = String.fromCharCode(0)

/** Text without a single mark of HTML is itself; most descriptions are, and need no parser. */
const isPlain = (text: string) => !/[<>&]/.test(text) && !text.includes(NUL)

/** What a visitor may be shown of an administrator's HTML. */
export async function sanitizeHtml(dirty: string): Promise<string> {
  if (isPlain(dirty)) return dirty
  // Loaded at first use: 16 MB that a studio with plain texts never needs.
  const { default: sanitize } = await import('sanitize-html')
  return sanitize(dirty.replaceAll(NUL, ''), rules).trim()
}

/** The same for a text that may be missing; one that says nothing is null. */
export async function sanitizeNullable(dirty: string | null): Promise<string | null> {
  return dirty === null ? null : (await sanitizeHtml(dirty)) || null
}
