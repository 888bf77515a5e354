/** Reads the text of a PDF of ours, for tests. */
import { inflateSync } from 'node:zlib'

/** Every object of the file with its compressed contents, by its number. */
export function objectsOf(pdf: Uint8Array): Map<string, string> {
  const text = Buffer.from(pdf).toString('latin1')
  const found = new Map<string, string>()
  for (const { 1: id = '', 2: body = '' } of text.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) {
    const at = body.indexOf('stream\n')
    const bytes = Buffer.from(body.slice(at + 7, body.lastIndexOf('\nendstream')), 'latin1')
    found.set(
      id,
      at < 0
        ? body
        : body.slice(0, at) + (body.includes('/FlateDecode') && !body.includes('/Image') ? inflateSync(bytes).toString('latin1') : ''),
    )
  }
  return found
}

/** What each number of a font's signs means, from the map that lets readers copy text. */
function signsOf(map: string): Map<string, string> {
  const signs = new Map<string, string>()
  for (const [, first = '', list = ''] of map.matchAll(/<([0-9a-f]{4})> <[0-9a-f]{4}> \[([^\]]*)\]/g))
    for (const [n, [, hex = '']] of [...list.matchAll(/<([0-9a-f]*)>/g)].entries())
      signs.set((Number.parseInt(first, 16) + n).toString(16).padStart(4, '0'), Buffer.from(hex, 'hex').swap16().toString('utf16le'))
  return signs
}

/** The words on a page, a line for each piece that was drawn. The fonts are inside: their signs are numbers. */
export function pdfText(pdf: Uint8Array): string {
  const objects = objectsOf(pdf)
  const all = [...objects.values()]
  const fonts = new Map<string, Map<string, string>>()
  for (const [, name = '', id = ''] of all.flatMap((body) => [...body.matchAll(/\/(F\d+) (\d+) 0 R/g)])) {
    const map = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id) ?? '')?.[1]
    fonts.set(name, signsOf(objects.get(map ?? '') ?? ''))
  }
  const found: string[] = []
  for (const page of all) {
    let font = new Map<string, string>()
    for (const [, name, row] of page.matchAll(/\/(F\d+) [\d.]+ Tf|\[((?:<[0-9a-f]*>|[-\d.\s])*)\] TJ/g))
      if (name) font = fonts.get(name) ?? new Map()
      else
        found.push(
          [...(row ?? '').matchAll(/<([0-9a-f]*)>/g)]
            .flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? [])
            .map((sign) => font.get(sign) ?? '?')
            .join(''),
        )
  }
  return found.join('\n')
}
