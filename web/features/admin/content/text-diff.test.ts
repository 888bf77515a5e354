import { describe, expect, it } from 'vitest'
import { compareTexts, type Diff, isSameText } from './text-diff.ts'

const written = (diff: Diff) =>
  diff.map((parts) => parts.map(({ kind, text }) => (kind === 'same' ? text : kind === 'added' ? `{+${text}+}` : `[-${text}-]`)).join(''))
const side = (diff: Diff, other: 'added' | 'removed') =>
  diff.map((parts) => parts.flatMap(({ kind, text }) => (kind === other ? [] : [text])).join('')).filter((text) => text !== '')

describe('comparing two texts', () => {
  it('marks the words of a changed paragraph and leaves the others', () => {
    const diff = compareTexts(['Título', 'Para reservar tus clases.', 'Fin'], ['Título', 'Para cobrar tus clases.', 'Fin'])
    expect(written(diff)).toEqual(['Título', 'Para [-reservar -]{+cobrar +}tus clases.', 'Fin'])
    expect(isSameText(diff)).toBe(false)
  })

  it('marks whole paragraphs that came or went', () => {
    expect(written(compareTexts(['Uno', 'Tres'], ['Uno', 'Dos', 'Tres']))).toEqual(['Uno', '{+Dos+}', 'Tres'])
    expect(written(compareTexts(['Uno', 'Dos'], ['Uno']))).toEqual(['Uno', '[-Dos-]'])
    expect(isSameText(compareTexts(['Uno'], ['Uno']))).toBe(true)
    expect(compareTexts([], [])).toEqual([])
  })

  it('contains both texts whole, whatever they are', () => {
    let seed = 7
    const random = (n: number) => {
      seed = (seed * 16_807) % 2_147_483_647
      return seed % n
    }
    const text = () => Array.from({ length: 1 + random(8) }, () => Array.from({ length: 1 + random(6) }, () => 'abcd'[random(4)]).join(' '))
    for (let round = 0; round < 300; round++) {
      const [before, after] = [text(), text()]
      const diff = compareTexts(before, after)
      const plain = (lines: readonly string[]) => lines.join(' ').replace(/\s+/g, ' ').trim()
      expect(plain(side(diff, 'added'))).toBe(plain(before))
      expect(plain(side(diff, 'removed'))).toBe(plain(after))
    }
  })
})
