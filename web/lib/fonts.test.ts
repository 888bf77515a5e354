/** The letters that come with the product: their size, their Spanish letters, digits of one width. */
import { readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { FONT_PAIRS } from '#contract/font-pairs.ts'

const source = readFileSync(new URL('./fonts.server.ts', import.meta.url), 'utf8')
const require = createRequire(import.meta.url)

/** The parts of fontkit, which comes with pdfkit, that are used here. */
interface Font {
  hasGlyphForCodePoint(code: number): boolean
  layout(text: string, features: string[]): { glyphs: { advanceWidth: number }[] }
}
const { openSync } = require('fontkit') as { openSync(path: string): Font }

const files = new Map(
  [...source.matchAll(/^import (\w+) from '(@fontsource[^']+\.woff2)\?url'$/gm)].map(([, name = '', file = '']) => [
    name,
    require.resolve(file),
  ]),
)
const pairs = [...source.matchAll(/^ {2}(\w+): \{ title: (\w+), text: (\w+)/gm)].map(([, pair = '', title = '', text = '']) => ({
  pair,
  title,
  text,
}))

/** The product's own pairing: 90 kB for the titles in every width, 34 kB for the text. */
const MOST_BYTES = 124_500
const GLYPHS = 'aábcdeéfghiíjklmnñoópqrstuúüvwxyzAÁEÉIÍNÑOÓUÚÜ0123456789$¿?¡!ªº«»“”–—…·×%,.:;()'

describe('the pairings of letters', () => {
  test('the pairings of letters are eight, each with a title and a text', () => {
    expect(['archivo', ...pairs.map(({ pair }) => pair)].sort()).toEqual([...FONT_PAIRS].sort())
  })

  test.each(pairs)('$pair is not larger than the product’s own, and has every letter', ({ title, text }) => {
    const paths = [title, text].map((name) => files.get(name) ?? '')
    expect(paths.reduce((sum, path) => sum + statSync(path).size, 0)).toBeLessThanOrEqual(MOST_BYTES)
    for (const path of paths) {
      const font = openSync(path)
      expect([path, [...GLYPHS].filter((glyph) => !font.hasGlyphForCodePoint(glyph.codePointAt(0) ?? 0))]).toEqual([path, []])
      const widths = new Set(font.layout('0123456789', ['tnum']).glyphs.map(({ advanceWidth }) => advanceWidth))
      expect([path, widths.size]).toEqual([path, 1])
    }
  })
})
