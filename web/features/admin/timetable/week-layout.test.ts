import { describe, expect, test } from 'vitest'
import { type GridClass, minuteAt, minuteNear, topOf, weekLayout } from './week-layout.ts'

const at = (key: string, hour: number, minutes = 60): GridClass => ({ key, start: hour * 60, minutes })

describe('the grid of a week', () => {
  test('folds hours in which no day has a class', () => {
    const { bands, height } = weekLayout([[at('a', 7), at('b', 8.25, 45)], [at('c', 18, 75)]])
    expect(bands.map(({ from, until, folded }) => [from / 60, until / 60, folded])).toEqual([
      [7, 9, false],
      [9, 18, true],
      [18, 20, false],
    ])
    expect(height).toBe(2 * 72 + 36 + 2 * 72)
  })

  test('puts classes of one hour beside each other, and only those', () => {
    const [day = []] = weekLayout([[at('a', 7), at('b', 7.5), at('c', 8), at('d', 10)]]).days
    expect(day.map(({ key, lane, lanes }) => [key, lane, lanes])).toEqual([
      ['a', 0, 2],
      ['b', 1, 2],
      ['c', 0, 2],
      ['d', 0, 1],
    ])
  })

  test('a class until midnight and a week without classes have their place', () => {
    expect(weekLayout([[at('a', 23, 90)]]).bands).toMatchObject([{ from: 23 * 60, until: 24 * 60 }])
    expect(weekLayout([[], []])).toMatchObject({ bands: [{ from: 420, until: 1260 }], lanes: [1, 1] })
  })

  test('a dragged class begins at the nearest quarter, also in a folded stretch and beyond the grid', () => {
    const { bands, height } = weekLayout([[at('a', 7), at('b', 18)]])
    expect([0, 20, 44, -36, height + 72].map((top) => minuteNear(top, bands))).toEqual([420, 435, 450, 390, 1200])
    expect(minuteNear(72 + 18, bands)).toBe(780)
    expect([minuteNear(-9_999, bands), minuteNear(9_999, bands)]).toEqual([0, 1425])
  })

  test('reads the quarter of an hour at a height, and nothing in a folded stretch', () => {
    const { bands } = weekLayout([[at('a', 7), at('b', 18)]])
    expect([minuteAt(0, bands), minuteAt(37, bands), minuteAt(80, bands)]).toEqual([420, 450, null])
    for (const minute of [420, 435, 450, 1080, 1125]) expect(minuteAt(topOf(minute, bands), bands)).toBe(minute)
  })
})
