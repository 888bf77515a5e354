import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { preloadAtSigns } from './use-preload.ts'

const page = new EventTarget()
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})
const sign = async () => {
  page.dispatchEvent(new Event('pointermove'))
  await vi.advanceTimersByTimeAsync(1)
}

test('nothing is loaded without a connection, a failed load is tried again after a pause, and a finished one never', async () => {
  const preload = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('gone')).mockResolvedValue()
  const stop = preloadAtSigns([{ preload }])
  vi.stubGlobal('navigator', { onLine: false })
  await sign()
  expect(preload).toHaveBeenCalledTimes(0)
  vi.stubGlobal('navigator', { onLine: true })
  await sign()
  await sign()
  expect(preload).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(5_000)
  await sign()
  await sign()
  expect(preload).toHaveBeenCalledTimes(2)
  stop()
})

test('a page that is left loads nothing', async () => {
  vi.stubGlobal('navigator', { onLine: true })
  const preload = vi.fn(async () => {})
  preloadAtSigns([{ preload }])()
  await sign()
  expect(preload).not.toHaveBeenCalled()
})
