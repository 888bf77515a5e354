import { expect, test } from 'vitest'
import { freeSpots } from './free-spots.ts'

test('seats that are taken or closed are not offered', () => {
  expect(freeSpots({ spot_map: '2,2', closed_spots: ['2-1'] }, [{ spot: '1-1' }, { spot: null }])).toEqual(['1-2', '2-2'])
  expect(freeSpots({ spot_map: null, closed_spots: [] }, [])).toEqual([])
})
