import { expect, test } from 'vitest'
import { sortByValue } from './row-order.ts'

test('rows are sorted by a value in both directions: numbers as numbers, texts without accents, those without one last', () => {
  const rows = [{ v: 10 }, { v: null }, { v: 9 }]
  expect(sortByValue(rows, ({ v }) => v, false).map(({ v }) => v)).toEqual([9, 10, null])
  expect(sortByValue(rows, ({ v }) => v, true).map(({ v }) => v)).toEqual([10, 9, null])
  const names = ['Zoé', 'ana', 'Álvaro', 'Ana 10', 'Ana 9']
  expect(sortByValue(names, (name) => name, false)).toEqual(['Álvaro', 'ana', 'Ana 9', 'Ana 10', 'Zoé'])
})

test('equal rows keep their order in both directions', () => {
  const rows = ['a', 'b', 'c']
  expect(sortByValue(rows, () => 1, false)).toEqual(rows)
  expect(sortByValue(rows, () => 1, true)).toEqual(rows)
})
