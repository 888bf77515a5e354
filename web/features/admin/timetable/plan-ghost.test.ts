/** The outline of a dragged class: its listeners are called only when it moves. */
import { expect, test, vi } from 'vitest'
import { createGhost } from './plan-ghost.ts'

test('a step without change notifies no listener; the same object stays while nothing changes', () => {
  const store = createGhost()
  const listener = vi.fn()
  const leave = store.subscribe(listener)
  store.set(null)
  expect(listener).not.toHaveBeenCalled()
  store.set({ column: '2026-11-26', minute: 600, minutes: 50 })
  const first = store.get()
  store.set({ column: '2026-11-26', minute: 600, minutes: 50 })
  expect([listener.mock.calls.length, store.get() === first]).toEqual([1, true])
  store.set({ column: '2026-11-26', minute: 615, minutes: 50 })
  store.set(null)
  expect([listener.mock.calls.length, store.get()]).toEqual([3, null])
  leave()
  store.set({ column: '2026-11-27', minute: 600, minutes: 50 })
  expect(listener).toHaveBeenCalledTimes(3)
})
