/**
 * The English build of the pages: a second build in which the texts of the interface are replaced by those of the catalogues
 * (web/english). The Spanish build is the source as it is written (docs/decisions/026-english-is-a-second-build.md).
 */
import { relative, sep } from 'node:path'
import type { Plugin } from 'vite'
import { english, ownTexts } from '../web/english/catalogue.ts'
import { type FoundText, interfaceTexts } from './interface-texts.ts'
import { withStudioLanguage } from './studio-texts.ts'

/** What customers read: everything of web/ but the administration, and the texts of the contract. */
const CUSTOMER =
  /^(?:web\/(?:areas\/(?:access|account|site)|features\/(?:account|booking|calendar|checkout|site|videos)|ui|lib)\/(?!admin-)|web\/[\w.]+$|contract\/(?:copy\/(?:messages|names|empty-lists|purchase-texts|errors-account|errors-public)|errors|time|allowed-times|forms|content-failed)\.ts$)/

/** Whether the texts of a file are translated. `file`: path from the project's folder. */
export const isTranslated = (file: string): boolean =>
  CUSTOMER.test(file) && /\.tsx?$/.test(file) && !/\.test\.|^web\/routes\.ts$/.test(file)

/** A text with its placeholders, in order: "{0} de {1}" is `['', 0, ' de ', 1, '']`. */
const piecesOf = (text: string): (string | number)[] => text.split(/\{(\d+)\}/).map((piece, at) => (at % 2 === 0 ? piece : Number(piece)))

/** The source of a file with its texts in English; a text without English stays. */
export function inEnglish(file: string, source: string): string {
  const texts = interfaceTexts(file, source, ownTexts(file))
    .filter(({ text }) => english(file, text.trim()) !== undefined || english(file, text) !== undefined)
    .sort((a, b) => a.start - b.start || b.end - a.end)

  /** The source between two offsets, with the texts inside it replaced. */
  const rewritten = (from: number, to: number): string => {
    let text = ''
    let at = from
    for (const found of texts) {
      if (found.start < at || found.end > to) continue
      text += source.slice(at, found.start) + replacement(found)
      at = found.end
    }
    return text + source.slice(at, to)
  }

  const replacement = ({ text, kind, parts }: FoundText): string => {
    // The blanks around a text are part of the source, not of its translation.
    const [before = '', after = ''] = english(file, text) === undefined ? [/^\s*/.exec(text)?.[0], /\s*$/.exec(text)?.[0]] : []
    const pieces = piecesOf(before + (english(file, text) ?? english(file, text.trim()) ?? text) + after)
    const part = (at: number) => rewritten(parts[at]?.start ?? 0, parts[at]?.end ?? 0)
    switch (kind) {
      case 'jsx':
        return pieces.map((piece) => (typeof piece === 'number' ? part(piece) : piece && `{${JSON.stringify(piece)}}`)).join('')
      case 'attribute':
        return `{${JSON.stringify(pieces.join(''))}}`
      case 'string':
        return JSON.stringify(pieces.join(''))
      case 'template':
        return `\`${pieces.map((piece) => (typeof piece === 'number' ? `\${${part(piece)}}` : piece.replace(/[\\`$]/g, '\\$&'))).join('')}\``
    }
  }
  return rewritten(0, source.length)
}

/** Replaces the texts while Vite builds, and marks those of the studio as Spanish. */
export function englishTexts(root: string): Plugin {
  return {
    name: 'english-texts',
    enforce: 'pre',
    transform(code, id) {
      const [path = ''] = id.split('?')
      const file = relative(root, path).split(sep).join('/')
      return isTranslated(file) ? { code: inEnglish(file, file.endsWith('x') ? withStudioLanguage(file, code) : code), map: null } : null
    },
  }
}
