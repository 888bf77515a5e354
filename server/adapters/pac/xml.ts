/** Elements with attributes as text and back: the part of XML that a CFDI uses. It has no text, comments, CDATA or document type. */
import { escapeXml } from '#server/platform/escape.ts'

export interface Element {
  /** With its prefix: "cfdi:Comprobante". */
  name: string
  attributes: Readonly<Record<string, string>>
  children: readonly Element[]
}

export const element = (
  name: string,
  attributes: Record<string, string | undefined>,
  children: readonly (Element | null)[] = [],
): Element => ({
  name,
  attributes: Object.fromEntries(Object.entries(attributes).filter((entry): entry is [string, string] => entry[1] !== undefined)),
  children: children.filter((child) => child !== null),
})

/** One line per document, so that a copy of it keeps its bytes. */
export function serialize(root: Element): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${write(root)}`
}

function write({ name, attributes, children }: Element): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
  const open = `<${name}${written.join('')}`
  return children.length === 0 ? `${open}/>` : `${open}>${children.map(write).join('')}</${name}>`
}

export class XmlError extends Error {}

const NAME = '[A-Za-z_][\\wñ.-]*(?::[A-Za-z_][\\wñ.-]*)?'
const ATTRIBUTE = new RegExp(`\\s+(${NAME})\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`, 'uy')
const OPEN = new RegExp(`<(${NAME})`, 'uy')
const CLOSE = new RegExp(`</(${NAME})\\s*>`, 'uy')
const BLANK = /\s*/uy
const END = /\s*(\/?)>/uy
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const MAX_DEPTH = 32
/** What no XML document may have, written out or as an entity: control characters, halves of a character, and two that are none. */
const FORBIDDEN = /(?![\t\n\r])\p{Cc}|\p{Cs}|[\uFFFE\uFFFF]/u

function decode(text: string): string {
  return text.replace(/&([^;]*);?/g, (whole, name: string) => {
    const known = ENTITIES[name]
    if (known !== undefined && whole.endsWith(';')) return known
    const [, hex, decimal] = /^#(?:x([0-9a-fA-F]{1,6})|(\d{1,7}))$/.exec(name) ?? []
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    const isCharacter = code <= 0x10ffff && !FORBIDDEN.test(String.fromCodePoint(code))
    if (!whole.endsWith(';') || !isCharacter) throw new XmlError(`The entity ${whole.slice(0, 20)} is unknown.`)
    return String.fromCodePoint(code)
  })
}

/** Parses a document; XmlError for everything that is not elements with attributes. */
export function parse(text: string): Element {
  if (FORBIDDEN.test(text)) throw new XmlError('A character of the document is not allowed in XML.')
  let at = 0
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at = pattern.lastIndex
    return found
  }
  function node(depth: number): Element {
    const name = take(OPEN)?.[1]
    if (!name) throw new XmlError(`An element was expected at character ${at}.`)
    if (depth > MAX_DEPTH) throw new XmlError('The document is nested too deeply.')
    const attributes: Record<string, string> = {}
    for (let found = take(ATTRIBUTE); found; found = take(ATTRIBUTE)) {
      const key = found[1] ?? ''
      if (Object.hasOwn(attributes, key)) throw new XmlError(`The attribute ${key} is there twice.`)
      attributes[key] = decode(found[2] ?? found[3] ?? '')
    }
    const end = take(END)
    if (!end) throw new XmlError(`The tag ${name} does not end.`)
    const children: Element[] = []
    if (end[1] === '/') return { name, attributes, children }
    for (;;) {
      take(BLANK)
      const close = take(CLOSE)
      if (close) {
        if (close[1] !== name) throw new XmlError(`${name} is closed as ${close[1]}.`)
        return { name, attributes, children }
      }
      children.push(node(depth + 1))
    }
  }
  take(/\uFEFF?(?:<\?xml\s+version="1\.0"(?:\s+encoding="(?:UTF|utf)-8")?\s*\?>)?\s*/uy)
  const root = node(0)
  take(BLANK)
  if (at !== text.length) throw new XmlError('There is something after the document.')
  return root
}

export const findChild = (of: Element | undefined, name: string): Element | undefined => of?.children.find((child) => child.name === name)
export const listChildren = (of: Element | undefined, name: string): Element[] => of?.children.filter((child) => child.name === name) ?? []
