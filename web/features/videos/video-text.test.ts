import fc from 'fast-check'
import { expect, test } from 'vitest'
import { VIDEO_CARD } from '#contract/videos.ts'
import { cutAtWord, remainingText } from './video-text.ts'

const { title: TITLE_LENGTH, description: DESCRIPTION_LENGTH } = VIDEO_CARD

test('a title has at most 35 characters and a description 60, cut at a word (S2-9.07, S2-9.08)', () => {
  expect(cutAtWord('Reformer en casa: centro y espalda', TITLE_LENGTH)).toBe('Reformer en casa: centro y espalda')
  expect(cutAtWord('Reformer en casa: centro, espalda y hombros', TITLE_LENGTH)).toBe('Reformer en casa: centro, espalda…')
  expect(cutAtWord('Con banda y tapete. Sin máquina, con la misma precisión de siempre en el estudio.', DESCRIPTION_LENGTH)).toBe(
    'Con banda y tapete. Sin máquina, con la misma precisión de…',
  )
  expect(cutAtWord('Otorrinolaringológicamenteelectroencefalograma', TITLE_LENGTH)).toHaveLength(TITLE_LENGTH)
  expect(cutAtWord('  Dos   renglones\ny uno más ', TITLE_LENGTH)).toBe('Dos renglones y uno más')
})

test('a shortened text is never above its limit, a text that fits is unchanged, and no character is split (S2-9.07, S2-9.08)', () => {
  const texts = fc.array(fc.constantFrom('á', 'ñ', 'b', 'o', ' ', ' ', ',', '.', '🧘'), { maxLength: 140 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(texts, fc.constantFrom(TITLE_LENGTH, DESCRIPTION_LENGTH), (text, limit) => {
      const plain = text.replace(/\s+/g, ' ').trim()
      const cut = cutAtWord(text, limit)
      expect([...cut].length).toBeLessThanOrEqual(limit)
      if ([...plain].length <= limit) expect(cut).toBe(plain)
      else expect(plain.startsWith(cut.slice(0, -1))).toBe(true)
      expect(cut.isWellFormed()).toBe(true)
    }),
  )
})

test.each([
  [24, 0, 600, 'Te quedan 24 min'],
  [24, 300, 600, 'Te quedan 12 min'],
  [10, 541, 600, 'Te queda 1 min'],
  [10, 600, 600, 'Te queda 1 min'],
])('what is left of %i minutes after %i of %i seconds', (duration, position, length, text) => {
  expect(remainingText(duration, { position, length })).toBe(text)
})
