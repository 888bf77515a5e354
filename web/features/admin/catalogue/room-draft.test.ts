import { expect, test } from 'vitest'
import { mapOfRows } from '#contract/room-map.ts'
import {
  changesText,
  copySeats,
  detectNumbering,
  findSeat,
  moveRow,
  neighbour,
  renumbered,
  resized,
  toDraft,
  withoutRow,
  withRow,
  withSeats,
} from './room-draft.ts'

const saved = (...sizes: number[]) =>
  toDraft({
    rows: mapOfRows(sizes).rows.map(({ label, seats }, r) => ({
      label,
      seats: seats.map((seat, c) => ({ ...seat, spot: `${r + 1}-${c + 1}` })),
    })),
  })

test('a new room begins with two numbered rows', () => {
  expect(toDraft(null).map(({ seats }) => seats.map(({ label }) => label).join())).toEqual(['1,2,3,4,5', '6,7,8,9,10'])
})

test('copying another room’s map keeps reservations at positions that both have, and none of its closed seats', () => {
  const other = withSeats(saved(2, 3), new Set(['1-1']), { closed: true, closed_reason: 'Bici descompuesta', label: 'A1', kind: 'vip' })
  const copy = copySeats({ rows: [...other] }, saved(1, 2))
  expect(copy.map(({ seats }) => seats.map(({ spot }) => spot))).toEqual([
    ['1-1', null],
    ['2-1', '2-2', null],
  ])
  expect(copy[0]?.seats[0]).toMatchObject({ label: 'A1', kind: 'vip', closed: false, closed_reason: null })
})

test('a gap has no number, and the others count on without it, through the room or in each row', () => {
  const rows = renumbered(withSeats(saved(3, 2), new Set(['1-2']), { kind: 'hueco' }), 'room')
  expect(rows.map(({ seats }) => seats.map(({ label }) => label))).toEqual([
    ['1', '', '2'],
    ['3', '4'],
  ])
  expect(detectNumbering(rows)).toBe('room')
  expect(detectNumbering(renumbered(rows, 'row'))).toBe('row')
})

test('a seat remembers which one it was wherever its row goes', () => {
  expect(findSeat(moveRow(saved(2, 3), 1, -1), '1-3')?.spot).toBe('2-3')
  expect(findSeat(withoutRow(saved(2, 3), 0), '1-3')?.spot).toBe('2-3')
})

test('rows grow and shrink at their end and keep one seat; the last row stays', () => {
  expect(resized(saved(2), 0, 1)[0]?.seats.map(({ spot }) => spot)).toEqual(['1-1', '1-2', null])
  expect(resized(saved(1), 0, -1)[0]?.seats).toHaveLength(1)
  expect(withoutRow(saved(1), 0)).toHaveLength(1)
  expect(withRow(saved(4))[1]?.seats).toHaveLength(4)
})

test('arrows stay inside the room', () => {
  expect([
    neighbour(saved(3, 1), '1-3', 'ArrowDown'),
    neighbour(saved(3, 1), '1-1', 'ArrowLeft'),
    neighbour(saved(3, 1), '1-1', 'Home'),
  ]).toEqual(['2-1', null, null])
})

test('names what differs from the saved map', () => {
  const before = saved(3)
  expect(changesText(before, before)).toBe('')
  expect(changesText(before, resized(withSeats(before, new Set(['1-1', '1-2']), { closed: true }), 0, -1))).toBe(
    '1 lugar menos, 2 lugares cambian',
  )
  expect(changesText(before, resized(before, 0, 1))).toBe('1 lugar nuevo')
})
