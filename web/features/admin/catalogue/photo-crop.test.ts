/** The part of a photo that is shown (docs/domain.md, K17). */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { afterKey, FACE_AT, PORTRAIT, portraitRect, storedSize, WHOLE } from './photo-crop.ts'

const size = fc.record({ width: fc.integer({ min: 40, max: 6_000 }), height: fc.integer({ min: 40, max: 6_000 }) })
const crop = fc.record({
  x: fc.double({ min: 0, max: 1, noNaN: true }),
  y: fc.double({ min: 0, max: 1, noNaN: true }),
  zoom: fc.double({ min: 1, max: 4, noNaN: true }),
})

test('a portrait has the shape of its frame and never leaves the photo, whatever the focus and the zoom', () => {
  fc.assert(
    fc.property(size, crop, (photo, chosen) => {
      const rect = portraitRect(photo, chosen)
      expect(rect.width / rect.height).toBeCloseTo(PORTRAIT, 6)
      expect(Math.min(rect.left, rect.top)).toBeGreaterThanOrEqual(0)
      expect(rect.left + rect.width).toBeLessThanOrEqual(photo.width + 1e-6)
      expect(rect.top + rect.height).toBeLessThanOrEqual(photo.height + 1e-6)
    }),
  )
})

test('the face is in the middle of the disc that avatars cut out, where the photo has room for it', () => {
  const photo = { width: 2_000, height: 2_000 }
  const rect = portraitRect(photo, { x: 0.5, y: 0.5, zoom: 2 })
  // Avatars: a square as wide as the portrait, at 30 % of the rest.
  const disc = rect.top + 0.3 * (rect.height - rect.width) + rect.width / 2
  expect(disc).toBeCloseTo(1_000, 6)
  expect(rect.left + rect.width / 2).toBe(1_000)
  expect(FACE_AT).toBeCloseTo(0.463, 3)
})

test('without zoom as much of the photo is shown as fits; a large photo is stored smaller', () => {
  const whole = portraitRect({ width: 400, height: 490 }, WHOLE)
  expect(whole.left).toBeCloseTo(0, 6)
  expect(whole.top).toBeCloseTo(0, 6)
  expect(whole.width).toBeCloseTo(400, 6)
  expect(whole.height).toBeCloseTo(490, 6)
  expect(storedSize({ left: 0, top: 0, width: 4_000, height: 4_900 })).toEqual({ width: 1_200, height: 1_470 })
  expect(storedSize({ left: 0, top: 0, width: 200, height: 245 })).toEqual({ width: 200, height: 245 })
})

test('arrow keys move the focus, plus and minus enlarge, each within its limits', () => {
  expect(afterKey(WHOLE, 'ArrowLeft')).toEqual({ x: 0.48, y: 0.4, zoom: 1 })
  expect(afterKey({ x: 0, y: 1, zoom: 4 }, 'ArrowLeft')).toEqual({ x: 0, y: 1, zoom: 4 })
  expect(afterKey({ x: 0, y: 1, zoom: 4 }, 'ArrowDown')).toEqual({ x: 0, y: 1, zoom: 4 })
  expect(afterKey(WHOLE, '+')).toEqual({ x: 0.5, y: 0.4, zoom: 1.1 })
  expect(afterKey(WHOLE, '-')).toEqual(WHOLE)
  expect(afterKey(WHOLE, 'Tab')).toBeNull()
})
