/** What is typed into a search, as the words that are looked for (docs/domain.md P11, O9). */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { searchPatterns } from './search.ts'

test('ignores accents, case and spaces, and special characters have no effect', () => {
  expect(searchPatterns('  Íñigo   YIN ')).toEqual(['%inigo%', '%yin%'])
  expect(searchPatterns('100%_\\')).toEqual(['%100\\%\\_\\\\%'])
  expect(searchPatterns('   ')).toEqual([])
  fc.assert(
    fc.property(fc.string(), (typed) => {
      const patterns = searchPatterns(typed)
      expect(patterns.length).toBeLessThanOrEqual(8)
      expect(searchPatterns(typed.normalize('NFD'))).toEqual(patterns)
      expect(searchPatterns(` ${typed} `)).toEqual(patterns)
    }),
  )
})

test('finds a phone number in any notation', () => {
  expect(searchPatterns('+52 (551) 234-0002')).toEqual(['%52%', '%551%', '%234%', '%0002%'])
})
