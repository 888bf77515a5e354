import { expect, test } from 'vitest'
import { countNew } from './new-rows.ts'

test('counts the unknown rows at the top; those that come up from the next page are no new ones', () => {
  const seen = new Set([5, 4, 3])
  expect(countNew(seen, [5, 4, 3])).toBe(0)
  expect(countNew(seen, [7, 6, 5, 4, 3])).toBe(2)
  expect(countNew(seen, [5, 3, 2])).toBe(0)
  expect(countNew(seen, [9, 8])).toBe(0)
  expect(countNew(seen, [])).toBe(0)
})
