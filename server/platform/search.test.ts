/** What is typed into a search, as the words that are looked for (docs/domain.md P11, O9). */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { wordPatterns } from './search.ts'

test('accents, capitals and spaces do not count, and no sign steers it', () => {
  expect(wordPatterns('  Íñigo   YIN ')).toEqual(['%inigo%', '%yin%'])
  expect(wordPatterns('100%_\\')).toEqual(['%100\\%\\_\\\\%'])
  expect(wordPatterns('   ')).toEqual([])
  fc.assert(
    fc.property(fc.string(), (typed) => {
      const patterns = wordPatterns(typed)
      expect(patterns.length).toBeLessThanOrEqual(8)
      expect(wordPatterns(typed.normalize('NFD'))).toEqual(patterns)
      expect(wordPatterns(` ${typed} `)).toEqual(patterns)
    }),
  )
})

test('a phone number is found however it is written', () => {
  expect(wordPatterns('+52 (551) 234-0002')).toEqual(['%52%', '%551%', '%234%', '%0002%'])
})
