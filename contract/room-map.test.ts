import { expect, test } from 'vitest'
import { mapOfRows, newSeat, numberSeats, seatMarks } from './room-map.ts'

test('a label names one seat: seats of rows that count from 1 each get the name of their row', () => {
  const room = mapOfRows([2, 2])
  expect(seatMarks(room).map(({ label }) => label)).toEqual(['1', '2', '3', '4'])
  const [front, back] = numberSeats(room.rows, 'row')
  const rows = [front ?? { label: '', seats: [] }, { ...(back ?? { seats: [] }), label: 'B' }]
  expect(seatMarks({ rows }).map(({ label }) => label)).toEqual(['1-1', '1-2', 'B-1', 'B-2'])
})

test('gaps and the coach are no seats, and a seat without a label has none', () => {
  const seats = [
    newSeat('7'),
    { ...newSeat(''), kind: 'hueco' as const },
    { ...newSeat('C'), kind: 'coach' as const },
    newSeat(),
    newSeat(),
  ]
  expect(seatMarks({ rows: [{ label: 'Fila 1', seats }] })).toEqual([
    { spot: '1-1', label: '7', kind: 'normal' },
    { spot: '1-4', label: null, kind: 'normal' },
    { spot: '1-5', label: null, kind: 'normal' },
  ])
})
