import { expect, test } from 'vitest'
import { moveItem } from './ordered-list.tsx'

test('an item is put at another place, and the others keep their order', () => {
  expect([
    moveItem(['a', 'b', 'c'], 0, 2),
    moveItem(['a', 'b', 'c'], 2, 0),
    moveItem(['a', 'b', 'c'], 1, 1),
    moveItem(['a'], 3, 0),
  ]).toEqual([['b', 'c', 'a'], ['c', 'a', 'b'], ['a', 'b', 'c'], ['a']])
})
