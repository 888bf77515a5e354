/** Horizontal swipes over a list: one step forward or back. Vertical movement still scrolls. */
import { type TouchEvent, useRef } from 'react'

const MIN_DISTANCE_PX = 56

/** Touch handlers for the swiped element; `step` is called with 1 for a swipe to the left, -1 to the right. */
export function useSwipe(step: (by: 1 | -1) => void) {
  const from = useRef<{ x: number; y: number } | null>(null)
  return {
    onTouchStart(event: TouchEvent) {
      const finger = event.touches.item(0)
      from.current = finger && event.touches.length === 1 ? { x: finger.clientX, y: finger.clientY } : null
    },
    onTouchEnd(event: TouchEvent) {
      const finger = event.changedTouches.item(0)
      const start = from.current
      from.current = null
      if (!finger || !start) return
      const [x, y] = [finger.clientX - start.x, finger.clientY - start.y]
      if (Math.abs(x) >= MIN_DISTANCE_PX && Math.abs(x) > 2 * Math.abs(y)) step(x < 0 ? 1 : -1)
    },
  }
}
