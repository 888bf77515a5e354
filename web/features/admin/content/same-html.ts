/** Whether two texts are the same to a reader, however they are written: what the editor would lose of a text is found by this. */

/** Names that the sanitiser writes differently. */
const SAME: Readonly<Record<string, string>> = { b: 'strong', i: 'em', h1: 'h2', h5: 'h4', h6: 'h4', strike: 's', del: 's' }
/** Attributes that the sanitiser sets itself. */
const SET = ['loading', 'target', 'rel']
const BLOCK = /\s*(<\/?(?:p|h[1-6]|ul|ol|li|blockquote|hr|table|tr|td|th|div|figure|figcaption|pre|img)\b[^>]*>)\s*/g

function written(node: Node): string {
  if (node instanceof Text) return node.data.replace(/\s+/g, ' ').replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  if (!(node instanceof Element)) return ''
  const inner = [...node.childNodes].map(written).join('')
  const tag = SAME[node.localName] ?? node.localName
  if (['tbody', 'thead'].includes(tag)) return inner
  const attributes = [...node.attributes]
    .filter(({ name, value }) => !SET.includes(name) && !(name === 'alt' && value === ''))
    .map(({ name, value }) => ` ${name}=${JSON.stringify(value)}`)
    .sort()
    .join('')
  return `<${tag}${attributes}>${inner}</${tag}>`
}

/** A normalised spelling of equivalent HTML. */
export function canonical(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const paragraph of body.querySelectorAll(':is(li, td, th) > p:only-of-type')) paragraph.replaceWith(...paragraph.childNodes)
  return [...body.childNodes].map(written).join('').replace(BLOCK, '$1').trim()
}
