/** The text of HTML by paragraphs, for comparing; and what the sanitiser took away. Both read in a document that runs nothing. */

const BLOCKS = ['P', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'LI', 'BLOCKQUOTE', 'PRE', 'TR', 'FIGCAPTION', 'CAPTION', 'DIV']

/** The paragraphs of a text as they are read. */
export function paragraphsOf(html: string): string[] {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const element of body.querySelectorAll('script, style, template, svg, iframe')) element.remove()
  for (const picture of body.querySelectorAll('img')) picture.replaceWith(`[Imagen: ${picture.alt || picture.getAttribute('src') || ''}]`)
  for (const link of body.querySelectorAll('a[href]')) {
    const href = link.getAttribute('href') ?? ''
    if (link.textContent?.trim() !== href) link.append(` (${href})`)
  }
  for (const cell of body.querySelectorAll('td + td, th + th, th + td, td + th')) cell.prepend(' | ')
  for (const item of body.querySelectorAll('li')) item.prepend('• ')
  for (const element of body.querySelectorAll('*')) if (BLOCKS.includes(element.tagName)) element.before('\n')
  for (const element of body.querySelectorAll('br')) element.replaceWith('\n')
  for (const element of body.querySelectorAll('*')) if (BLOCKS.includes(element.tagName)) element.append('\n')
  return (body.textContent ?? '')
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '' && line !== '•')
}

/** Names that the sanitiser writes differently. */
const SAME: Readonly<Record<string, string>> = { b: 'strong', i: 'em', h1: 'h2', h5: 'h4', h6: 'h4' }
/** Set by the sanitiser itself, or without a meaning for readers. */
const OWN = ['target', 'rel', 'loading', 'alt']

function partsOf(html: string): Map<string, number> {
  const parts = new Map<string, number>()
  const count = (name: string) => parts.set(name, (parts.get(name) ?? 0) + 1)
  const { documentElement } = new DOMParser().parseFromString(html, 'text/html')
  for (const element of documentElement.querySelectorAll('*')) {
    if (['head', 'body', 'tbody'].includes(element.localName)) continue
    count(`<${SAME[element.localName] ?? element.localName}>`)
    for (const { name } of element.attributes) if (!OWN.includes(name)) count(name)
  }
  return parts
}

/** What of a text is not shown, in the words of HTML: "<script>", "style". */
export function removedParts(source: string, shown: string): string[] {
  const after = partsOf(shown)
  return [...partsOf(source)].filter(([name, count]) => (after.get(name) ?? 0) < count).map(([name]) => name)
}
