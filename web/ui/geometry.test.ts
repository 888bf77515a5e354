import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { initials } from './initials.ts'
import { layoutMarks, spotsLeftText } from './marks-count.ts'
import { seatByKey, seatsOf } from './spot-geometry.ts'
import { dayByKey } from './week-keys.ts'

const room = fc.array(fc.integer({ min: 1, max: 14 }), { minLength: 1, maxLength: 8 })
const keys = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End']

describe('the map of a room (design section 7)', () => {
  const rows = [5, 7, 6]

  test.each([
    ['2-5', 'ArrowLeft', '2-4'],
    ['2-5', 'ArrowRight', '2-6'],
    ['2-5', 'ArrowUp', '1-4'],
    ['2-4', 'ArrowUp', '1-3'],
    ['2-1', 'ArrowUp', '1-1'],
    ['1-1', 'ArrowDown', '2-2'],
    ['2-5', 'ArrowDown', '3-4'],
    ['3-2', 'End', '3-6'],
    ['3-2', 'Home', '3-1'],
  ])('from %s, %s reaches %s', (from, key, to) => {
    const [row = 0, column = 0] = from.split('-').map(Number)
    expect(seatByKey(rows, { row, column }, key)?.spot).toBe(to)
  })

  test('arrow keys stop at the edges of the room', () => {
    expect(seatByKey(rows, { row: 1, column: 3 }, 'ArrowUp')).toBeNull()
    expect(seatByKey(rows, { row: 3, column: 6 }, 'ArrowRight')).toBeNull()
    expect(seatByKey(rows, { row: 3, column: 6 }, 'ArrowDown')).toBeNull()
    expect(seatByKey(rows, { row: 1, column: 1 }, 'x')).toBeNull()
  })

  test('arrows reach every seat of any room from any other', () => {
    fc.assert(
      fc.property(room, (any) => {
        const all = seatsOf(any).flat()
        const seen = new Set<string>()
        const next = all.slice(0, 1)
        for (let seat = next.pop(); seat; seat = next.pop()) {
          if (seen.has(seat.spot)) continue
          seen.add(seat.spot)
          for (const key of keys) {
            const found = seatByKey(any, seat, key)
            if (found) next.push(found)
          }
        }
        expect(seen.size).toBe(all.length)
      }),
    )
  })
})

describe('marks (design section 6)', () => {
  const count = (marks: string[], kind: string): number => marks.filter((mark) => mark === kind).length

  test('a class of up to twenty places has one mark per place', () => {
    const { marks, few } = layoutMarks({ capacity: 12, taken: 9, mine: 4, most: 20 })
    expect([marks.length, count(marks, 'mine'), count(marks, 'taken'), count(marks, 'free')]).toEqual([12, 4, 5, 3])
    expect(few).toBe(false)
  })

  test('a class is never drawn full while a place is left, nor empty when one is taken', () => {
    const number = fc.integer({ min: 0, max: 300 })
    fc.assert(
      fc.property(number, number, number, fc.constantFrom(10, 12, 20), (capacity, takenCount, mine, most) => {
        const { marks } = layoutMarks({ capacity, taken: takenCount, mine, most })
        expect(marks).toHaveLength(Math.min(capacity, most))
        if (takenCount < capacity) expect(marks).toContain('free')
        else expect(marks).not.toContain('free')
        if (capacity > 1 && takenCount > 0) expect(marks[0]).not.toBe('free')
        if (capacity > 1 && Math.min(mine, takenCount) > 0) expect(marks[0]).toBe('mine')
      }),
    )
  })

  test('one or two places left count as few', () => {
    expect([8, 10, 11, 12].map((takenCount) => layoutMarks({ capacity: 12, taken: takenCount, mine: 0, most: 20 }).few)).toEqual([
      false,
      true,
      true,
      false,
    ])
  })

  test.each([
    [12, 5, '7 lugares'],
    [12, 10, '2 lugares'],
    [12, 11, 'Último lugar'],
    [12, 12, 'Sin lugares'],
    [12, 14, 'Sin lugares'],
  ])('of %i places with %i taken it says %s', (capacity, takenCount, text) => expect(spotsLeftText(capacity, takenCount)).toBe(text))
})

test('the keys of the week strip: arrows wrap around, Home and End are Monday and Sunday, pages are weeks', () => {
  expect(dayByKey('ArrowRight', 6, 7)).toEqual({ day: 0 })
  expect(dayByKey('ArrowLeft', 0, 7)).toEqual({ day: 6 })
  expect(dayByKey('Home', 4, 7)).toEqual({ day: 0 })
  expect(dayByKey('End', 4, 7)).toEqual({ day: 6 })
  expect(dayByKey('PageUp', 4, 7)).toEqual({ weeks: -1 })
  expect(dayByKey('PageDown', 4, 7)).toEqual({ weeks: 1 })
  expect(dayByKey('Enter', 4, 7)).toBeNull()
})

test.each([
  ['Ana Sofía Treviño', 'AT'],
  ['Íñigo', 'Í'],
  ['  mónica   c. ', 'MC'],
  ['', ''],
])('the initials of %j are %j', (name, expected) => expect(initials(name)).toBe(expected))
