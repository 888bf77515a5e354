import { expect, test } from 'vitest'
import { moved } from './ordered-list.tsx'

test('an item is put at another place, and the others keep their order', () => {
  expect([moved(['a', 'b', 'c'], 0, 2), moved(['a', 'b', 'c'], 2, 0), moved(['a', 'b', 'c'], 1, 1), moved(['a'], 3, 0)]).toEqual([
    ['b', 'c', 'a'],
    ['c', 'a', 'b'],
    ['a', 'b', 'c'],
    ['a'],
  ])
})
