/**
 * The allow-list for HTML from administrators, applied by sanitize-html. Runs on the worker thread: 200 kB of nested lists take it a
 * second. Only html.ts calls it.
 */
import sanitize, { type IOptions } from 'sanitize-html'

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
  // The content of these elements is dropped with them: it is not text for readers.
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
    // The template renders the page's only h1.
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

/** The allowed part of `dirty`. Deterministic, and sanitizing its result again changes nothing. */
export function sanitizeText(dirty: string): string {
  return sanitize(dirty, rules).trim()
}
