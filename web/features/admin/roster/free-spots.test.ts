import { expect, test } from 'vitest'
import { seatLabelIn } from '#web/features/admin/timetable/seats.ts'
import { freeSpots } from './free-spots.ts'

test('seats that are taken or closed are not offered', () => {
  expect(freeSpots({ spot_map: '2,2', closed_spots: ['2-1'] }, [{ spot: '1-1' }, { spot: null }])).toEqual(['1-2', '2-2'])
  expect(freeSpots({ spot_map: null, closed_spots: [] }, [])).toEqual([])
})

test('a seat is called by its number in the room, where it has one', () => {
  const seats = [{ spot: '1-2', label: 'A4', kind: 'normal' as const }]
  expect(['1-2', '2-1'].map((spot) => seatLabelIn({ seats }, spot))).toEqual(['A4', undefined])
  expect(seatLabelIn({ seats: null }, '1-2')).toBeUndefined()
})
